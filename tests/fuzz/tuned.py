"""Random tuning values, within their ranges."""

SLOW = ("iterations", "swaps", "covers")  # a hundred times as many take a hundred times as long


def drawn(row, rng):
    """Any value of the range: one of its ends, or near the default."""
    choice = rng.integers(4)
    if choice == 0:
        return row.low
    if choice == 1 and not any(word in row.name for word in SLOW):
        return row.high
    value = min(max(row.low, row.default * 2.0 ** rng.uniform(-6, 3)), row.high)
    return int(value) if row.kind == "int" else value


def random_tuning(rng, rows):
    """name -> value, of none, some or all of them."""
    share = rng.choice([0.0, 0.1, 0.5, 1.0], p=[0.5, 0.2, 0.2, 0.1])
    return {row.name: drawn(row, rng) for row in rows if rng.random() < share}
