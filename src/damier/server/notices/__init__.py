"""Notices: who is told what, in pages, by Web Push and by e-mail. See ``docs/online.md#notices``."""
