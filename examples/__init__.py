"""Examples for research, each a script of its own: see README.md."""
