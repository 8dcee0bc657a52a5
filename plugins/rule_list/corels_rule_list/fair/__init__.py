"""Rule lists under constraints: the certified best that keeps to them, and the front."""
