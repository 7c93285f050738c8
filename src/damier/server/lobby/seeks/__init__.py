"""Open seeks: in memory, at other processes, paired, and those who own them."""
