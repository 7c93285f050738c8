"""Work on whole games: rule pages and their pictures, recorded games."""
