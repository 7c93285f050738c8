"""What search knows of a game without an ``evaluate.py``: nothing but its rules. The contract's defaults stand."""
