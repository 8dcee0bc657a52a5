"""The compiled checker of proofs, through cffi: corels.proofcheck chooses it for large ones."""

from corels_checker.checker import check

__all__ = ["check"]
