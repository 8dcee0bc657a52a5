"""The two searches of every backend, by name.

    best-first   a queue of prefixes, in the order of a policy; a symmetry map merges prefixes
    depth-first  a stack of sets of points and a memo of what was proved of each set

Both share everything else: the instance, the incumbent, the events, and the expansion of a node
through the chosen bounds. See docs/internals/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping

BEST_FIRST, DEPTH_FIRST = "best-first", "depth-first"

SEARCHES: Mapping[str, str] = {
    DEPTH_FIRST: "a stack of sets of points, with a memo of what was proved of each: the fastest",
    BEST_FIRST: "a queue of prefixes in the order of the policy, as in the paper",
}
