"""The checker of falling and softly falling rule lists (docs/internals/proof-families.md).

reading    bytes -> prefixes, lists, conclusion
costs      the table and the prices as whole numbers and sets of points
children   the rules that may follow, all at once: which of them are to be looked at
bounds     what must follow a prefix costs at least so much: one prefix, exact
checking   every prefix, its children, the conclusion
recount    of a model beside its rows: order, probabilities and prices
"""

from corels_falling.proofcheck.checking import check_falling
from corels_falling.proofcheck.reading import FAMILY, FallingProof, read_falling

__all__ = ["FAMILY", "FallingProof", "check_falling", "read_falling"]
