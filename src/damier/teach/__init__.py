"""Teaching material: lessons, puzzles and rule pages."""
