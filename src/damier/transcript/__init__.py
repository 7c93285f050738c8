"""Recorded games: a tree of actions with tags and comments, as text and as JSON."""
