"""How the database has changed from version to version."""
