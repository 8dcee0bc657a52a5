"""Checking: what the core knows of it. Nothing here knows a family, an engine, or how to search.

A model against its data, and a proof against model and data:

model      a model document, held against its rows: every finding
recount    what that counts with: deciders, the objective, costs of outcomes, directions
proof      whose proof a file is, and what it shows of a model and its certificate

What the checkers of all families' proofs share, which import NumPy, `corels.errors`,
`corels.clock` and these modules only (docs/internals/proof.md; tests/proof/test_independence.py
follows every import):

opening    a file -> its header and its whole numbers
points     the raw table, as a check is given it -> points, their weights, the prices of a header
sides      the directions of a header -> what a rule with each antecedent may say
verdict    what a proof shows, how a claim fails, how far a check is, and when it has to end

Each family has its own checkers in its folder `proofcheck`; the compiled one is in `backends`.
"""
