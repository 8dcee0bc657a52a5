"""The checker of rule sets (docs/internals/proof-families.md).

reading      bytes -> duals, rule sets, bounds
costs        the table and the prices of one class against the rest, as whole numbers
clauses      every conjunction of small reduced cost, by a search of its own
closing      no rule set of these conjunctions costs less: an exact search
checking     the duals, the conjunctions, the rule sets, the bounds
recount      of a model beside its rows: losses, sums and prices
"""

from corels_colgen.proofcheck.checking import check_rule_sets
from corels_colgen.proofcheck.reading import FAMILY, WORDS, RuleSetProof, read_rule_sets

__all__ = ["FAMILY", "WORDS", "RuleSetProof", "check_rule_sets", "read_rule_sets"]
