"""Exact values of whole games: tables, how they are filled, kept in files and read."""
