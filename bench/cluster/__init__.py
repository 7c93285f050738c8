"""Measures and breaks an installation of several servers on one PostgreSQL and one Redis."""
