"""Sharing: embeds, link previews and pictures."""
