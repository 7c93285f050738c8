"""Reports on solved games."""
