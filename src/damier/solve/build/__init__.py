"""Builds tables: retrograde analysis for games without chance, value iteration for games with a die."""
