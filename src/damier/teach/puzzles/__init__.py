"""Puzzles: making, proving, rating and judging them."""
