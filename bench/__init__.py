"""Measurements of damier: speed beside targets, C twins of two games, and a fingerprint of behaviour."""
