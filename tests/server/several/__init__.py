"""Several servers behind a proxy."""
