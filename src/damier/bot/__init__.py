"""Bots: an engine that plays on a server, as a program's account or as a guest."""
