"""Building and verifying tables on the nodes of a cluster."""
