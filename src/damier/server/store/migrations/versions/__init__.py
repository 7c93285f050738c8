"""The versions, one file each."""
