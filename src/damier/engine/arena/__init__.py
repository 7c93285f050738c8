"""Engine matches: entrants, openings, games, tournaments and Elo."""
