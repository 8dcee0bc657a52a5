"""Rows to deal to a cluster."""

import numpy as np

from corels.testing.problems import dataset_of


def random_data(seed, rows=60, antecedents=6, classes=2, weighted=False):
    g = np.random.default_rng(seed)
    bits = g.random((antecedents, rows)) < g.uniform(0.2, 0.7, (antecedents, 1))
    bits[-1] = bits[0] if seed % 3 == 0 else bits[-1]  # equal antecedents, on all rows
    labels = (bits[0] & bits[1] | bits[2]).astype(np.int64)
    noise = g.random(rows) < 0.25
    labels[noise] = g.integers(0, classes, noise.sum())
    labels[:classes] = range(classes)
    return dataset_of(bits, labels, classes, g.integers(1, 5, rows) if weighted else None)
