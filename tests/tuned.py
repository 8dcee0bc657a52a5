"""Random tuning values of a backend, within their ranges."""

# These take time in proportion.
SLOW = ("iterations", "swaps")


def random_tuning(rng, rows):
    """name -> a value of its range, for none, some or all of the rows."""
    share = rng.choice([0.0, 0.1, 0.5, 1.0], p=[0.4, 0.2, 0.2, 0.2])
    return {row.name: _drawn(row, rng) for row in rows if rng.random() < share}


def _drawn(row, rng):
    """An end of the range, or near the default."""
    low, high = float(row.low or 0), float(row.high or 0)
    choice = rng.integers(4)
    value = min(max(low, row.default * 2.0 ** rng.uniform(-6, 3)), high)
    if choice == 0:
        value = low
    elif choice == 1 and not any(word in row.name for word in SLOW):
        value = high
    return int(value) if row.kind == "int" else value
