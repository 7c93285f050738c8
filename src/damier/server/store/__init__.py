"""Storage: the database of matches and its migrations."""
