"""The proof format of rule lists, as the core asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from corels.check.opening import Opened
from corels.check.points import Table
from corels.check.verdict import UNWATCHED, Verdict, Watch
from corels.errors import OptionError
from corels.plugins import registry
from corels.proof.format import NextRules, ProofFormat, numbered, refuse_other
from corels.proof.records import claim, found_list, limit, list_record, record
from corels.search import Search, SetSearch
from corels_rule_list.model import RuleList
from corels_rule_list.proofcheck.reading import BESIDE, FAMILY, Proof, read_records
from corels_rule_list.proofcheck.table import read_table

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run.result import Result
    from corels_rule_list.proofcheck.plain import Table as Counted


class RuleListProofs(ProofFormat):
    """Claims about sets of points: docs/internals/proof.md."""

    family = FAMILY
    compiled = True

    def states(self, problem: Problem, search: Search) -> Mapping[str, Any]:
        return {
            "unit": problem.unit,
            "rule_cost": problem.rule_cost,
            "base": problem.base,
            "total": problem.most,
            **search.limits(),  # max_rules
        }

    def records(self, problem: Problem, search: Search, result: Result) -> bytes:
        if problem.constraints:
            content: bytes = search.proof(self)  # type: ignore[attr-defined]
            return content
        return conclusion(problem, search, int(problem.scaled(result.certificate.lower_bound)))

    def beginning(self, problem: Problem, search: Search) -> bytes:
        """Under constraints nothing: the best multipliers are known in the end."""
        return b"" if problem.constraints else super().beginning(problem, search)

    def model(self, problem: Problem, search: Search, result: Result) -> bytes:
        if problem.constraints:
            return b""
        found = result.model
        return list_record(problem, found) if isinstance(found, RuleList) else b""

    def check(
        self, proof: Opened, table: Table, checker: str | None, threads: int, watch: Watch
    ) -> Verdict:
        from corels_rule_list.proofcheck.checking import check_proof

        return check_proof(_read(proof, watch), table, checker, threads, watch)

    def describe(
        self, proof: Opened, table: Table, prefix: Sequence[str], watch: Watch = UNWATCHED
    ) -> NextRules:
        from corels_rule_list.proof.next_rules import next_rules

        found, numbers = _read(proof, watch), numbered(prefix, proof.header)
        least, following = next_rules(_counted(proof, table), found, numbers, watch)
        antecedents = proof.header["antecedents"]
        return NextRules(
            [antecedents[r]["conditions"] for r in (found.lists[-1][0] if found.lists else ())],
            tuple(prefix),
            least,
            found.limit,
            tuple(following),
            "constraints" in proof.header,
        )

    def resume(self, proof: Opened, problem: Problem, search: Search) -> bytes:
        """Its claims enter the memo, its list is the first incumbent.

        The claims are believed: `corels check --proof` is for those who do not. They are also the
        beginning of the next proof. Raises OptionError if the search has no memo.
        """
        if problem.constraints:
            raise OptionError(
                "a search under constraints cannot be resumed: it is several searches"
            )
        refuse_other(proof, self.header(problem, search))
        found = _read(proof)
        # Those that say something; those of a best-first search at the bound that was reached.
        claims = [(rules, value) for rules, value in found.stated() if value > 0]
        if found.lists:  # first: what a claim rules out depends on what is to be beaten
            known = [*problem.first, *found.lists[-1][0]]
            search.offer(RuleList.of(problem, known).plain_rules())
        for rules, value in claims:
            left = None if found.limit is None else found.limit - len(rules)
            if not (isinstance(search, SetSearch) and _learned(search, rules, value, left)):
                raise OptionError(
                    "only a search that remembers sets can be resumed: search 'depth-first' with "
                    "map 'memo', or 'best-first' with map 'captured', on backend 'c'"
                )
        if isinstance(search, SetSearch):
            of_kinds = Counter(shift is None for shift, _ in found.tables)
            search.build_tables_now(max(of_kinds.values(), default=0))
        lists = (found_list(rules, cost) for rules, cost in found.lists[-1:])
        return b"".join([beside_claims(found), *(claim(*one) for one in claims), *lists])


def _read(proof: Opened, watch: Watch = UNWATCHED) -> Proof:
    """The records, with what checks those of bounds from plugins."""
    found = read_records(proof, watch)
    known = registry().names("bound")
    said = {n: registry().get("bound", n).checker for n, _ in found.facts if n in known}
    for name, place in said.items():
        module, _, checker = place.partition(":")
        if place:
            found.checkers[name] = getattr(import_module(module), checker)
    return found


def _learned(search: SetSearch, rules: Sequence[int], value: int, left: int | None) -> bool:
    """Whether a claim could be used; a run that ends before its search is ready keeps them all."""
    return search.learn(rules, value, left) or search.preparation is not None


def _counted(proof: Opened, table: Table) -> Counted:
    return read_table(proof.header, table)


def beside_claims(proof: Proof) -> bytes:
    """What the claims of a proof lean on, and the most rules of its lists."""
    beside = sorted(proof.beside, key=lambda numbers: [*BESIDE].index(numbers[0]))
    records = [record(chr(kind), *numbers) for kind, *numbers in beside]
    return b"".join([*records, *([] if proof.limit is None else [limit(proof.limit)])])


def conclusion(problem: Problem, search: Search, lower_bound: int) -> bytes:
    """The end of a search's proof, after what it leaves open. lower_bound: of all lists, scaled."""
    if isinstance(search, SetSearch):
        search.tell_open_claims()
    least = max(0, lower_bound - problem.base)  # less if equivalent points are not counted
    return claim((), least) + end(least)


def end(bound: int) -> bytes:
    """No list costs less than this, beyond the base."""
    return record("e", bound)
