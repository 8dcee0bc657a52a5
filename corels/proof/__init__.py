"""Proofs as files: written while a search runs, trimmed, shown, and loaded to go on from.

records    the bytes of records; docs/reference/proof-format.md
writer     the file of a running search
resume     the claims of a file, for a search to start with
trim       what the conclusion reaches, and nothing else
table      what each first rule costs at least; the claims of a prefix
"""

from corels.proof.records import header_of
from corels.proof.writer import ProofFile

__all__ = ["ProofFile", "header_of"]
