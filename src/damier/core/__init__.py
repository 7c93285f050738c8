"""What every layer builds on: games, positions, records, notation, kernels and their binder."""
