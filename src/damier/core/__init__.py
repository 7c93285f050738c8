"""What every layer stands on: games, positions, records, notation, kernels and their binder."""
