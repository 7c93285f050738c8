"""Insight into games: reviews, solution reports and evaluation training."""
