"""What a proof shows about a table: the claims, the list that was found, and the bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from corels.check.points import Table as RawTable
from corels.check.points import well_formed, whole
from corels.check.verdict import UNWATCHED, Failure, FalseDataError, Verdict, Watch
from corels.errors import InputError
from corels_rule_list.proofcheck.plain import FAR, Plain, Table, fraction
from corels_rule_list.proofcheck.reading import Proof, plainly, refuse_unchecked
from corels_rule_list.proofcheck.rest import Completions, TooManyError
from corels_rule_list.proofcheck.table import read_table

MOST_BITS = 1 << 33  # of the sets of all claims, for the plain checker
MOST_TABLES = 1 << 27  # numbers in all tables of a record
COMPILED = ("leaves",)  # bounds whose records the compiled checker knows, too
LARGE = 400_000_000  # sets x antecedents x points: the plain checker takes some seconds for them


def check_proof(
    proof: Proof,
    rows: RawTable,
    checker: str | None = None,
    threads: int = 1,
    watch: Watch = UNWATCHED,
) -> Verdict:
    """Check every claim of a proof against the raw table, its list and its bound.

    checker: "python" or "c"; by default the compiled one for large proofs if it is installed.
    threads: of the compiled one. watch: learns how far the check is. Raises InputError if the
    proof cannot be checked on this data, EndedError if the watch's time is up.
    """
    table = read_table(proof.header, rows, watch)
    name = checker or _fitting(table, proof)
    refuse_unchecked(proof, COMPILED if name == "c" else proof.checkers)
    end = _ending(proof, table, _failure(proof, table, name, threads, watch), watch)
    antecedents, kept_to = proof.header["antecedents"], proof.header.get("constraints", ())
    looked_at = f"{len(proof.values):,} claims{end.more}, checker {name}{_of_plugins(proof, name)}"
    begun = [] if kept_to else [one["conditions"] for one in proof.header.get("first", ())]
    found = None
    if end.rules is not None:
        found = [*begun, *(antecedents[rule]["conditions"] for rule in end.rules)]
    return Verdict(
        failure=end.failure,
        sentence=_shown(proof, end.bound, end.limit, looked_at),
        checker=name,
        objective=end.objective,
        lower_bound=end.bound,
        claimed=end.claimed,
        found=found,
        prices={"regularization": str(proof.header["regularization"])},
        limits={"max_rules": end.limit},
        constraints=kept_to,
        rest="by the search, from its graph of good lists" if kept_to else "",
    )


def _failure(proof: Proof, table: Table, name: str, threads: int, watch: Watch) -> str | None:
    """The first thing that does not hold, in a sentence."""
    if (wrong := _header(proof, table) or _list(proof, table)) is not None:
        return wrong
    try:
        failed = _checker(name, threads, watch)(table, proof)
        return None if failed is None else _sentence(failed, proof)
    except FalseDataError as false:
        return str(false)


class _End(NamedTuple):
    """What a proof concludes: a bound of all lists of at most `limit` rules, and the list that it
    ends with. claimed: a bound above the proved one. more: what else was looked at."""

    failure: str | None
    bound: Fraction | None
    limit: int | None
    rules: Sequence[int] | None
    objective: Fraction | None
    claimed: Fraction | None = None
    more: str = ""


def _ending(proof: Proof, table: Table, failure: str | None, watch: Watch) -> _End:
    """The conclusion; under constraints the list, and what is claimed of all lists, stand in the
    header."""
    bound = None if proof.bound is None else table.objective(proof.bound + table.base)
    limit = None if proof.limit is None else proof.limit + len(proof.header.get("first", ()))
    rules, cost = proof.lists[-1] if proof.lists else (None, None)
    objective = None if cost is None else table.objective(cost + table.base)
    if failure is not None or not proof.header.get("constraints"):
        return _End(failure, bound, limit, rules, objective)
    rules, objective = _kept(proof, table)
    if objective is None:
        failure = "the proof's list does not keep to the constraints"
    if objective is None or bound is None:
        return _End(failure, bound, limit, rules, objective)
    failure, bound, claimed, more = _claim(proof, table, bound, watch)
    most = proof.header.get("max_rules")
    return _End(failure, bound, most, rules, objective, claimed, more)


def _of_plugins(proof: Proof, checker: str) -> str:
    """Whose checkers have looked at records of bounds, in words."""
    names = dict.fromkeys(name for name, _ in proof.facts)
    who = {n: "the compiled one" if checker == "c" else proof.checkers[n].__module__ for n in names}
    return "".join(f", records of {n} by {by.partition('.')[0]}" for n, by in who.items())


def _shown(proof: Proof, bound: Fraction | None, limit: int | None, looked_at: str) -> str:
    """What a proof that holds shows of lists of at most so many rules, in a sentence."""
    if bound is None:
        return f"the claims hold, but the file ends before its conclusion ({looked_at})"
    limited = "" if limit is None else f" of at most {limit} rules"
    begun = len(proof.header.get("first", ()))
    limited += f" that begins with {begun} given rule{'s' * (begun > 1)}" * (begun > 0)
    stated = ("directions", "constraints")
    kept_to = " and ".join(f"the {name}" for name in stated if proof.header.get(name))
    kept_to = kept_to and f" that keeps to {kept_to}"
    return (
        f"no rule list{limited} over these {len(proof.header['antecedents'])} antecedents{kept_to} "
        f"costs less than {float(bound):.6g} ({looked_at})"
    )


def _kept(proof: Proof, table: Table) -> tuple[list[int], Fraction | None]:
    """The list that keeps to the constraints, and its objective; None if it does not.

    It stands in the header: the proof's own list is the best one at prices. Raises InputError.
    """
    of, most = table.demanded, proof.header.get("max_rules", FAR)
    assert of is not None
    with well_formed():
        rules, says = (list(map(int, proof.header["model"][name])) for name in ("rules", "says"))
        if len(rules) > most or any(not 0 <= rule < len(of.captures) for rule in rules):
            raise ValueError("the model has more rules than it may, or one that there is not")
        if rules[: len(of.first)] != of.first:
            raise ValueError("the model does not begin with the first rules")
        known = len(says) == len(rules) + 1 and set(says) <= set(range(len(of.amounts)))
        if not known or not all(
            table.may_say[r][said] for r, said in zip(rules, says, strict=False)
        ):
            raise ValueError("the model says an outcome that it may not")
    left, cost = np.ones(of.captures.shape[1], np.bool_), of.rule_cost * len(rules)
    sums = [0] * len(of.low)
    for rule, said in zip([*rules, None], says, strict=True):
        held = left if rule is None else left & of.captures[rule]
        cost += of.unit * int(of.amounts[said, held].sum())
        sums = [one + int(v[said, held].sum()) for one, v in zip(sums, of.values, strict=True)]
        left = left & ~held
    if all(low <= one <= high for low, one, high in zip(of.low, sums, of.high, strict=True)):
        return rules, Fraction(cost, table.whole)
    return rules, None


def _claim(
    proof: Proof, table: Table, bound: Fraction, watch: Watch
) -> tuple[str | None, Fraction, Fraction | None, str]:
    """What a header under constraints claims of all lists; bound: what the claims prove of them.

    Why it does not hold, or None; what is proved; what is claimed, if that is more; what was looked
    at for it.
    """
    with well_formed():
        stated, most = fraction(proof.header["claim"]), int(proof.header.get("max_rules", FAR))
    if stated < bound:
        return f"the header claims {stated}, and {bound} is proved", bound, None, ""
    if stated == bound:
        return None, bound, None, ""
    try:
        rest = Completions(table, _plain(table, proof, watch), stated, most, watch)
        cheaper = rest.cheaper()
    except (TooManyError, InputError, FalseDataError):  # too much for this machine's memory
        return None, bound, stated, ""
    if cheaper is not None:
        why = (
            f"a list that keeps to the constraints costs {cheaper}, and the header claims {stated}"
        )
        return why, bound, None, ""
    return None, stated, None, f", {len(rest.nodes):,} sets that they leave open"


def _fitting(table: Table, proof: Proof) -> str:
    """The compiled checker for large proofs, and for large tables of a record.

    The sets that are looked at: each claim's, what each antecedent leaves of all points, and those
    that records of bounds ask for.
    """
    if find_spec("corels_checker") is None or proof.unknown(COMPILED):
        return "python"
    antecedents, points = table.captures.shape
    asked = (proof.checkers[n].sets(numbers, antecedents) for n, numbers in proof.facts)
    sets = len(proof.values) + antecedents + (0 if proof.unknown(proof.checkers) else sum(asked))
    large = sets * antecedents * points > LARGE or _numbers_in_tables(proof) > MOST_TABLES
    return "c" if large else "python"


def _checker(name: str, threads: int, watch: Watch) -> Callable[[Table, Proof], Failure | None]:
    if name == "python":
        return lambda table, proof: _plain(table, proof, watch).check(proof.bound)
    try:
        check = import_module("corels_checker").check
    except ImportError:
        raise InputError("the compiled checker is not installed: use checker 'python'") from None
    return lambda table, proof: check(table, proof, threads, watch)


def _plain(table: Table, proof: Proof, watch: Watch) -> Plain:
    if table.captures.shape[1] * len(proof.values) > MOST_BITS:
        raise InputError("this proof is too large for the Python checker: use checker 'c'")
    if _numbers_in_tables(proof) > MOST_TABLES:
        raise InputError(
            "the tables of this proof would take more than a gigabyte in Python: use checker 'c'"
        )
    try:
        return Plain(table, **plainly(proof, watch))
    except (IndexError, OverflowError):
        raise FalseDataError("the proof names a point or an antecedent that is not there") from None


def _numbers_in_tables(proof: Proof) -> int:
    """At most, in all tables of the record that has the largest ones."""
    sizes = ([8 << min(16, len(items)) for items, _ in cells] for _, cells in proof.tables)
    return max(map(sum, sizes), default=0)


def _header(proof: Proof, table: Table) -> str | None:
    """What the header says of the data and is not so, in a sentence."""
    for name in ("unit", "rule_cost", "base", "total"):
        stated, found = proof.header.get(name), getattr(table, name)
        if stated != found:
            return f"the header has {name} {stated}, and this data {found}"
    if "max_rules" in proof.header:
        whole(proof.header, "max_rules")
    stated, limit = proof.header.get("max_rules"), proof.limit
    first = len(proof.header.get("first", ()))
    if limit is not None and (stated is None or limit != stated - first):
        behind = f" behind {first} first ones" if first else ""
        return (
            f"the claims are about lists of at most {limit} rules{behind}, and the header has "
            f"{stated}"
        )
    return None


def _list(proof: Proof, table: Table) -> str | None:
    """The last list that was found, counted again."""
    if not proof.lists:
        return "the proof has no list" if proof.bound is not None else None
    rules, stated = proof.lists[-1]
    most, first = proof.header.get("max_rules"), len(proof.header.get("first", ()))
    if most is not None and first + len(rules) > most:
        return f"the proof's list has {first + len(rules)} rules, and the header allows {most}"
    cost = table.cost(rules)
    if cost != stated:
        return f"the proof's list costs {cost}, and the proof says {stated}"
    if proof.bound is not None and proof.bound > cost:
        return f"the bound {proof.bound} is above the cost of the proof's own list, {cost}"
    return None


def _sentence(failed: Failure, proof: Proof) -> str:
    if failed.claim < 0:
        return f"no claim shows that every list costs at least {proof.bound}"
    names = [a["name"] for a in proof.header["antecedents"]]
    behind = ", ".join(names[r] for r in proof.claim(failed.claim)) or "no rule"
    what = f"claim {failed.claim + 1}, at least {failed.value} behind {{{behind}}}"
    if failed.antecedent < 0:
        return f"{what}: to stop there costs {failed.stop}"
    name = names[failed.antecedent]
    return f"{what}: antecedent {failed.antecedent + 1} ({name}) is not shown to cost so much"
