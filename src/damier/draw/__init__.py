"""Boards as SVG and as text, drawn from drawing data alone."""
