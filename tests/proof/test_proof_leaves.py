"""Proofs with the leaf bound's weights: those are accepted that no leaf gains from."""

from dataclasses import replace
from itertools import chain, combinations

import corels_c.parts
import numpy as np
import pytest
from corels_leaf_bound.bound import Leaves
from corels_rule_list.proof.format import end
from corels_rule_list.proofcheck.checking import _fitting
from corels_rule_list.proofcheck.reading import read_proof
from corels_rule_list.proofcheck.table import read_table
from small import Priced, Small, fact, read_with_checkers

from corels.check.verdict import UnknownRecordError
from corels.errors import InputError, OptionError
from corels.proof.records import claim, found_list, header_line

CHECKERS = ("python", "c")
ALONE = {"no_bound": ("prices", "one_rule", "lookahead"), "start": "none"}


@pytest.fixture(autouse=True)
def early(monkeypatch):
    """The weights are looked for at once."""
    monkeypatch.setattr(corels_c.parts, "STAGES", {"leaves": (0,)})


def problem_of(seed, random):
    sizes = {"antecedents": int(random.integers(3, 7)), "rows": int(random.integers(20, 60))}
    sizes["classes"] = 2 if seed % 2 else int(random.integers(2, 5))
    return Small(seed, **sizes, weighted=seed % 3 == 0, lam=random.choice(["1/12", "1/20", "1/30"]))


def proved(seed, path):
    """A problem, and a proof with weights; None if the search needs none."""
    random = np.random.default_rng([42, seed])
    small, most = problem_of(seed, random), int(random.integers(2, 5)) if seed % 4 else None
    options = {"search": ("depth-first", "best-first")[seed % 2], "bound": ["leaves"], **ALONE}
    small.search(path, max_rules=most, **options)
    proof = read_proof(path.read_bytes())
    return (small, proof) if proof.facts else None


def written(header, table, weights):
    """A proof of nothing but that these weights may stand."""
    found = found_list([], table.cost([]))
    return header_line(header) + fact("leaves", weights) + found + end(0)


@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_without_tables_there_is_no_proof(search, tmp_path, monkeypatch):
    """The plain form has weights of its own, which no record says: such a proof was refused."""
    small = problem_of(1, np.random.default_rng(1))
    options = {"search": search, "bound": ["leaves"]}
    with pytest.raises(OptionError, match="no proof can be written: bound 'leaves'"):
        small.search(tmp_path / "p.bin", backend="python", **options)
    monkeypatch.setattr(Leaves, "tables", None)  # its C was not built
    with pytest.raises(OptionError, match="no proof can be written: bound 'leaves'"):
        small.search(tmp_path / "p.bin", **options)


def failure_of(small, content, checker):
    try:
        return small.check(content, checker).failure
    except InputError as error:
        return str(error)


def no_leaf_gains(table, weights, kept):
    """Whether (1) of docs/internals/leaves.md holds, each leaf by hand. kept: weight of each point
    of the table."""
    longest, role, scale = weights[:3]
    others = [other for other in range(len(table.regrets)) if other != role]
    of_rules = np.array(others) < table.for_rules
    gains, most = table.unit * (kept - scale * table.regrets[others]), scale * table.rule_cost
    for n in range(longest + 1):
        for rules in combinations(table.captures, n):
            left = ~np.any([np.zeros(len(kept), bool), *rules], axis=0)
            ends = [left] if rules else []
            more = [left & row for row in table.captures] if n < longest else []
            leaves_of = [(leaf, True) for leaf in ends] + [(leaf, False) for leaf in more]
            for leaf, is_default in leaves_of:
                turned = gains[:, leaf].sum(axis=1)
                if turned[of_rules | is_default].max(initial=0) > most:
                    return False
    return True


def some_weights(random, table, longest):
    """Weights at random, and how much each point of the table keeps."""
    role, scale = int(random.integers(len(table.regrets))), int(random.integers(1, 16))
    kept = (table.regrets[role] * scale * random.uniform(0.1, 1)).astype(int)
    if random.random() < 0.5:
        kept *= random.choice(table.captures)  # nothing is left to default leaves
    points = [p for p in np.flatnonzero(table.kept >= 0).tolist() if kept[table.kept[p]]]
    rows = ([p, int(kept[table.kept[p]])] for p in points)
    return [longest, role, scale, *chain.from_iterable(rows)], kept


def test_weights_are_accepted_where_no_leaf_gains_more():
    """Weights at random, and each leaf by hand."""
    seen = set()
    for seed in range(90):
        random = np.random.default_rng([5, seed])
        small, longest = problem_of(seed, random), int(random.integers(1, 5))
        if seed % 10 == 0:  # more antecedents than the compiled checker counts together
            small, longest = Small(seed, antecedents=20, rows=200, lam="1/30"), 1 + seed // 10 % 3
        table = read_table(small.header, small.rows)
        weights, kept = some_weights(random, table, longest)
        holds = no_leaf_gains(table, weights, kept)
        content = written(small.header, table, weights)
        for checker in CHECKERS:
            assert (failure_of(small, content, checker) is None) == holds, (seed, checker)
        seen.add(holds)
    assert seen == {True, False}


def test_what_only_the_default_rule_may_say_is_asked_of_its_leaves_alone(tmp_path):
    """Some weights are accepted that no rule that abstains or defers would allow."""
    seen = set()
    for seed in range(2, 500, 6):  # who defers is the default rule
        random = np.random.default_rng([6, seed])
        one = Priced(seed, tmp_path)
        header = read_proof(one.content).header
        table = read_table(header, replace(one.small.rows, costs=one.costs))
        weights, kept = some_weights(random, table, int(random.integers(1, 4)))
        anywhere = table._replace(for_rules=len(table.regrets))
        holds = no_leaf_gains(table, weights, kept)
        content = written(header, table, weights)
        for checker in CHECKERS:
            assert (failure_of(one, content, checker) is None) == holds, (seed, checker)
        seen.add((holds, no_leaf_gains(anywhere, weights, kept)))
    assert seen == {(True, True), (True, False), (False, False)}


def test_resumed(tmp_path):
    tried = 0
    for seed in range(200):
        made = proved(seed, tmp_path / "p")
        if made is None:
            continue
        small, proof = made
        most = proof.header.get("max_rules")
        small.search(tmp_path / "q", search="depth-first", max_rules=most, resume=tmp_path / "p")
        for checker in CHECKERS:
            assert small.check((tmp_path / "q").read_bytes(), checker).failure is None
        again = read_proof((tmp_path / "q").read_bytes())
        assert again.bound == proof.bound and again.facts[: len(proof.facts)] == proof.facts
        tried += 1
        if tried == 12:
            break
    assert tried == 12


def test_many_leaves_and_large_tables_are_left_to_the_compiled_checker():
    small = Small(1, antecedents=5, rows=40, lam="1/30")
    proof = read_with_checkers(small.proof(claim((), 0)))
    table = read_table(proof.header, small.rows)
    table = table._replace(captures=np.tile(table.captures, (40, 10)))
    assert _fitting(table, proof) == "python"
    wide = table._replace(captures=np.zeros((200, 20_000), dtype=np.bool_))
    assert _fitting(wide, proof) == "c"  # one claim, but each rule's children are looked at
    proof.facts.append(("leaves", [3, 0, 15]))
    assert _fitting(table, proof) == "c"


@pytest.mark.parametrize("checker", [*CHECKERS, None])
def test_a_record_of_a_bound_that_nobody_knows_is_not_accepted(checker, tmp_path, capsys):
    small = Small(1, antecedents=5, rows=40, lam="1/30")
    content = small.proof(fact("of-a-stranger", [1, 2]), claim((), 0))
    with pytest.raises(UnknownRecordError, match=r"the bound .of-a-stranger., and no"):
        small.check(content, checker)


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_verdict_names_whose_checker_has_looked(checker, tmp_path):
    for seed in range(1, 100, 4):
        if (made := proved(seed, tmp_path / "p")) is not None:
            break
    sentence = made[0].check((tmp_path / "p").read_bytes(), checker).sentence
    whose = {"python": "corels_leaf_bound", "c": "the compiled one"}[checker]
    assert f"checker {checker}, records of leaves by {whose})" in sentence
