"""The lobby: seeks, pairing, challenges, counts, matches to watch, and a person's own matches."""
