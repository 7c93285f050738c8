"""Fitting and tuning evaluation weights."""
