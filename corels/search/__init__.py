"""The parts of a search and the search itself, by the names that every backend uses.

Policy       in which order prefixes are explored
Bound        which children need not be explored
SymmetryMap  which prefixes capture the same, so that one of them is enough
Queue        the worklist
Cache        the prefix tree
Search       one running search; always driven from outside, by `corels.solve`
Backend      builds the search over prefixes of an Instance, from the chosen parts
Solver       builds the Search of a model family from a Problem and its options
"""

from corels.search.backend import Backend, SetSearch
from corels.search.children import COLUMNS, SETS, Children, Expansion
from corels.search.events import (
    EVENT,
    LEVELS,
    Context,
    Kind,
    ProofLog,
    Recorder,
    Sink,
    event_records,
)
from corels.search.parts import (
    BEST_FIRST,
    DEPTH_FIRST,
    SEARCHES,
    Bound,
    Cache,
    Memo,
    Parts,
    Policy,
    Preset,
    Queue,
    Role,
    SymmetryMap,
)
from corels.search.search import Progress, Search, Status, begun, stated
from corels.search.solver import LambdaChoice, ModelPath, Solver

__all__ = [
    "BEST_FIRST", "COLUMNS", "DEPTH_FIRST", "EVENT", "LEVELS", "SEARCHES", "SETS",
    "Backend", "Bound", "Cache", "Children", "Context", "Expansion", "Kind", "LambdaChoice",
    "Memo", "ModelPath", "Parts", "Policy", "Preset", "Progress", "ProofLog", "Queue", "Recorder",
    "Role", "Search", "SetSearch", "Sink", "Solver", "Status", "SymmetryMap", "begun",
    "event_records", "stated",
]  # fmt: skip
