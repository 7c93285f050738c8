"""What operators see: health, metrics, the access log, retention."""
