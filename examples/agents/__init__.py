"""Agents that ``docs/exam.md`` has rows of, as functions from a record to an action; the program does without them."""
