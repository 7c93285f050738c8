"""Streams for programs: a person's events and the changes of a match, as lines of JSON over HTTP."""
