"""Fair and civil play: chat, muted and blocked people, reports, moderators."""
