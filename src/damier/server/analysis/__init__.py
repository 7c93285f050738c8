"""Analysis: values, lines, tables and the live analysis socket."""
