"""The hub: what the processes of one installation share besides the database, in this process or in Redis."""
