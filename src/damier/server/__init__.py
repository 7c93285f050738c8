"""The server: pages, matches between people and levels, live updates."""
