"""Going on from an earlier proof: its claims enter the memo, its list is the first incumbent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corels.errors import OptionError
from corels.proof.records import claim, found_list
from corels.search import Search, SetSearch
from corels_rule_list.model import RuleList
from corels_rule_list.proof.records import beside_claims
from corels_rule_list.proofcheck.reading import Proof

if TYPE_CHECKING:
    from corels.problem import Problem

SAME = {
    "data_hash": "the data, or what outcomes cost there,",
    "regularization": "lambda",
    "classes": "the classes",
    "max_rules": "max_rules",
}


def teach(search: Search, problem: Problem, proof: Proof) -> None:
    """Tell a search that has not begun what a proof of the same problem says.

    The claims are believed: `corels check --proof` is for those who do not. Raises OptionError
    where the search has no memo.
    """
    if proof.lists:  # first: what a claim rules out depends on what is to be beaten
        search.offer(RuleList.of(problem, proof.lists[-1][0]))
    for rules, value in _claims(proof):
        left = None if proof.limit is None else proof.limit - len(rules)
        if not (isinstance(search, SetSearch) and search.learn(rules, value, left)):
            raise OptionError(
                "only a search that remembers sets can be resumed: search 'depth-first' with map "
                "'memo', or 'best-first' with map 'captured', on backend 'c'"
            )
    if isinstance(search, SetSearch):
        search.build_tables_now(max(len(proof.partitions), len(proof.prices)))


def _claims(proof: Proof) -> list[tuple[tuple[int, ...], int]]:
    """Claims that say something; those of a best-first search at the bound that was reached."""
    return [(rules, value) for rules, value in proof.stated() if value > 0]


def carried(proof: Proof) -> bytes:
    """The records of a proof as the beginning of the next one."""
    claims = (claim(rules, value) for rules, value in _claims(proof))
    lists = (found_list(rules, cost) for rules, cost in proof.lists[-1:])
    return b"".join([beside_claims(proof), *claims, *lists])
