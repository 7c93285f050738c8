"""The table file format: header, reader and writer."""
