"""The compiled checker of proofs, through cffi: chosen for large ones."""

from corels_checker.checker import check

__all__ = ["check"]
