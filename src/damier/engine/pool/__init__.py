"""Engine worker processes behind a fair queue."""
