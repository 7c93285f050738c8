"""Exact values of whole games: building, verifying, storing and probing tables."""
