"""The front door: connections, hosts, visitors and limits, before anything is done for a request."""
