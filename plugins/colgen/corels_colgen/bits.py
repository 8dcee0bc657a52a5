"""Boolean matrices as packed little-endian 64-bit words: bit i of a row = column i of the matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]


def pack(matrix: NDArray[np.bool_]) -> Bits:
    """Pack a (rows, n) matrix of booleans into (rows, ceil(n / 64)) words."""
    rows, n = matrix.shape
    words = -(-n // 64)
    padded = np.zeros((rows, words * 8), dtype=np.uint8)
    padded[:, : -(-n // 8)] = np.packbits(matrix, axis=1, bitorder="little")
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(bits: Bits, n: int) -> NDArray[np.bool_]:
    """The inverse of `pack`: a (rows, n) matrix of booleans."""
    octets = np.ascontiguousarray(bits.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n).view(np.bool_)
