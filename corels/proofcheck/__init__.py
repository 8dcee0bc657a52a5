"""The checkers of proofs: they import nothing of the search (docs/internals/proof.md).

reading    bytes -> header and records
table      the raw table -> points and costs, by a few lines of its own
plain      every claim, in plain Python with NumPy
compiled   the same in one C file, for large proofs
"""

from corels.proofcheck.reading import Proof, read_proof
from corels.proofcheck.verdict import Verdict, check_proof

__all__ = ["Proof", "Verdict", "check_proof", "read_proof"]
