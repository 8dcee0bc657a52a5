"""The checker of rule sets (docs/internals/proof-families.md).

reading      bytes -> duals, rule sets, bounds
costs        the table and the prices of one class against the rest, as whole numbers, duals
clauses      every conjunction of small reduced cost, by a search of its own
closing      no rule set of these conjunctions costs less: an exact search
checking     the duals, the conjunctions, the rule sets, the bounds
recount      of a model beside its rows: losses, sums and prices

Nothing is imported here: to recount a model takes one of these files.
"""
