"""The checkers of proofs: they import nothing of the search (docs/internals/proof.md).

plain      of rule lists: records, table, cells and claims, in plain Python with NumPy
reading    bytes -> header and records, as arrays
table      the raw table -> points and costs, by the lines of `plain`
verdict    chooses the checker (the compiled one is `corels_checker`) and says what is shown
"""

from corels.proofcheck.reading import Proof, read_proof
from corels.proofcheck.verdict import Verdict, check_proof

__all__ = ["Proof", "Verdict", "check_proof", "read_proof"]
