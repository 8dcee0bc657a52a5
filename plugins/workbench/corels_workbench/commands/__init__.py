"""`corels plot`, `compare`, `ablate` and `evaluate`."""
