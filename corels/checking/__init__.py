"""What the checkers of all families' proofs share; nothing here knows a search or a family.

opening    a file -> its header and its whole numbers
points     the raw table -> points, their weights, the prices of a header
watch      how far a check is, and when it has to end
statement  whether a proof is about the problem at hand
verdict    what a proof shows, and how a claim fails

A family's checker imports NumPy, `corels.errors` and this package only (docs/internals/proof.md);
tests/proof/test_independence.py follows every import.
"""
