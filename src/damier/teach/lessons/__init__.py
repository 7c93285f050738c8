"""Lessons: steps with tasks, judged by the rules."""
