"""`corels report` and `corels serve`."""
