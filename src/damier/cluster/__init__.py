"""Work on several nodes: one interface for nodes in this process and of a Ray cluster, and a shared place."""
