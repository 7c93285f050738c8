"""Records: reading, writing and editing positions."""
