"""The checker of falling and softly falling rule lists (docs/internals/proof-families.md).

reading    bytes -> prefixes, lists, conclusion
costs      the table and the prices as whole numbers and sets of points
children   the rules that may follow, all at once: which of them are to be looked at
bounds     what must follow a prefix costs at least so much: one prefix, exact
checking   every prefix, its children, the conclusion
recount    of a model beside its rows: order, probabilities and prices

Nothing is imported here: to recount a model takes one of these files.
"""
