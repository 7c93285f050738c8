"""UGI and GTP: the engine as a server, and other programs as players."""
