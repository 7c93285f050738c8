"""Visitors as people: their nickname, and their own data."""
