"""Ratings of people, programs and levels: the method, the pools, and who rates a match that has ended."""
