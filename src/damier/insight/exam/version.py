"""The version of the exam, which results and papers cite."""

EXAM_VERSION = 1
"""Changes when a published sample, a definition of what is measured, the perfect opponent or a rule changes."""
