"""`corels path`, `near`, `why` and `tree`."""
