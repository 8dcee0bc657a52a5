"""The checkers of rule lists' proofs: they import nothing of the search (docs/internals/proof.md).

plain      the plain checker: table, cells and claims, in Python with NumPy
reading    bytes -> header and records, as arrays
rest       the lists that a proof at the prices of constraints leaves open
table      the raw table -> points and costs, by the lines of `plain`
recount    of a model beside its rows: the cheapest outcomes, and the price of a rule
checking   chooses the checker (the compiled one is `corels_checker`) and says what is shown

Nothing is imported here: to recount a model takes one of these files.
"""
