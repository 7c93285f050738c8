"""The statements: what is read and written of each subject, as functions of a connection."""
