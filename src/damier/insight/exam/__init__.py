"""The exam: how often and by how much an agent leaves the best value of a solved game."""
