"""Repeatable measurements: see README.md."""
