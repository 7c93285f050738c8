"""Vacation days and conditional turns of correspondence matches."""
