"""The forbidden return: which forced wins survive it."""
