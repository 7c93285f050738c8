"""Verifying tables: every entry derived again by independent code."""
