"""The checker of falling and softly falling rule lists (docs/internals/proof-families.md).

reading    bytes -> prefixes, lists, conclusion
costs      the table and the prices as whole numbers and sets of points
children   which rules may follow, and what they capture: many prefixes at once
bounds     what must follow a prefix costs at least so much
checking   every prefix, its children, the conclusion
"""

from corels_falling.proofcheck.checking import check_falling
from corels_falling.proofcheck.reading import FAMILY, FallingProof, read_falling

__all__ = ["FAMILY", "FallingProof", "check_falling", "read_falling"]
