"""Rule pages: Markdown, pictures and blocks."""
