"""Wire models of chat, of muted, blocked and reported people, and of the moderators' page."""
