"""Driving a search: limits, signals, memory, sinks, and the certificate at the end."""
