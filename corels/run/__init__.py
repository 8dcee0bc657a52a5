"""Driving a search: limits, Ctrl-C, memory, sinks, and the certificate at the end."""

from corels.run.solve import Result, solve

__all__ = ["Result", "solve"]
