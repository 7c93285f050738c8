"""Matches: rules of play, referee, routes and live updates."""
