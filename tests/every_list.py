"""All rule lists of a few antecedents with all that they may say: the plainest oracle there is."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray


def every_list(
    captures: NDArray[np.bool_], of_rules: Sequence[int], outcomes: Sequence[int]
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """(number of rules, what is said of each row). captures: bool[M, N]; of_rules: what a rule may
    say; outcomes: what the default rule may say."""
    for length in range(len(captures) + 1):
        for order in permutations(range(len(captures)), length):
            by = np.full(captures.shape[1], length)
            for place in reversed(range(length)):
                by[captures[order[place]]] = place
            for said in product(*[of_rules] * length, outcomes):
                yield length, np.array(said)[by]
