"""Learning: lessons, puzzles and solutions."""
