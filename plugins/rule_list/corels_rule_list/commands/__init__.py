"""`corels near`, `why` and `tree`."""
