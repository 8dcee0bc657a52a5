"""Proofs as files, for every family: a search tells its log what it has proved, the log is written.

format   ProofFormat, what a family defines: header, records, check; describe, resume
writer   the log (`corels.search.ProofLog`) as a file, while the search runs
records  the bytes of records (docs/reference/proof-format.md)

Whose proof a file is, and what it shows, is in `corels.check.proof`. What a family's proofs say is
in its plugin, with its checkers.
"""
