"""Tests of work on several nodes."""
