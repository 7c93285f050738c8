"""Algorithms written once and bound to each game: counting, random games, search."""
