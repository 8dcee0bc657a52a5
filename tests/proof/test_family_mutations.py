"""Proofs of falling lists and rule sets that were tampered with: refused, unless brute force says
that what they conclude is still true."""

import copy
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_colgen.proofcheck.reading import read_rule_sets
from corels_falling.options import BOUNDS
from corels_falling.proofcheck.reading import read_falling
from small_families import SmallFalling, SmallSets, objective, optimum, set_objective

from corels.check.opening import opened
from corels.errors import InputError
from corels.proof.records import record


def line(header):
    return json.dumps(header).encode() + b"\n"


class Falling:
    """The pieces of a proof, and the instance that it is checked against."""

    def __init__(self, seed, path):
        self.small = SmallFalling(seed, soft=bool(seed % 2), most=6, costed=seed % 3 == 1)
        options = {"no_bound": list(BOUNDS[: seed % 5])}
        if seed % 5 == 0:
            options["node_limit"] = 3
        if seed % 7 == 0:
            options["max_rules"] = 2
        self.small.write(path, **options)
        header, records, _ = opened(path.read_bytes(), "p")
        proof = read_falling(header, records, "p")
        self.header = copy.deepcopy(dict(header))
        self.prefixes, self.lists = [list(p) for p in proof.prefixes], [list(proof.lists[-1])]
        self.optimal, self.bound = proof.optimal, proof.bound
        self.random = np.random.default_rng(seed)

    def content(self):
        parts = [record("x", *prefix) for prefix in self.prefixes]
        parts += [record("l", len(rules), *rules) for rules in self.lists]
        parts.append(record("o") if self.optimal else record("e", self.bound))
        return line(self.header) + b"".join(parts)

    def is_true(self, shown):
        """Brute force over the lists of the header's problem."""
        numbers = [int(a["conditions"][0]["column"][1:]) for a in self.header["antecedents"]]
        one = self.small.instance
        rise = self.header["violation_cost"]
        stated = replace(
            one,
            captures=one.captures[numbers],
            w=Fraction(self.header["positive_weight"]),
            C=Fraction(self.header["rule_cost"]),
            C1=None if rise is None else Fraction(rise),
            f=Fraction(self.header.get("false_positive_cost", "1")),
        )
        if shown.objective != objective(stated, tuple(self.lists[-1])):
            return False
        return shown.lower_bound <= optimum(stated, self.header["max_rules"])

    def any(self, count):
        return int(self.random.integers(max(1, count)))

    def take(self, content):
        """The list of other bytes. Raises InputError for records that cannot be read."""
        proof = read_falling(*opened(content, "p"))
        self.lists = [list(found) for found in proof.lists] or self.lists


def change_an_antecedent(of):
    if of.prefixes:
        of.prefixes[of.any(len(of.prefixes))][1] += 1


def change_a_length(of):
    if of.prefixes:
        one = of.prefixes[of.any(len(of.prefixes))]
        one[0] = max(0, one[0] + int(of.random.choice([-1, 1])))
        of.prefixes[0][0] = 0


def remove_a_prefix(of):
    if of.prefixes:
        del of.prefixes[of.any(len(of.prefixes))]


def keep_no_prefix(of):
    of.prefixes = []


def change_the_list(of):
    if of.lists[-1] and of.random.random() < 0.5:
        del of.lists[-1][-1]
    else:
        of.lists[-1].append(of.any(len(of.header["antecedents"])))


def claim_the_optimum(of):
    of.optimal = True
    of.lists[-1] = of.lists[-1][:-1]


def raise_the_bound(of):
    shown = of.small.check(of.content())
    scale = of.header["unit"] * of.header["total"]
    of.bound = int(shown.lower_bound * scale) + 1
    of.optimal = False


def flip_a_label(of):
    one = of.small.instance
    labels = one.labels.copy()
    row = of.any(len(labels))
    labels[row] = 1 - labels[row]
    of.small.instance = replace(one, labels=labels)


def weigh_a_row_more(of):
    one = of.small.instance
    weights = one.weights.copy()
    weights[of.any(len(weights))] += 1
    of.small.instance = replace(one, weights=weights)
    of.header["total"] += 1


def change_a_price(of):
    names = ["positive_weight", "rule_cost", "violation_cost", "false_positive_cost"]
    names = [name for name in names if of.header.get(name) is not None]
    name = names[of.any(len(names))]
    of.header[name] = str(Fraction(of.header[name]) * 2)


def change_what_a_false_positive_costs(of):
    """Also where it is not said: then it is 1."""
    stated = Fraction(of.header.get("false_positive_cost", "1"))
    of.header["false_positive_cost"] = str(stated * int(of.random.integers(2, 4)))


def change_the_unit(of):
    of.header["unit"] += 1


def change_the_most_rules(of):
    longest = of.header["max_rules"]
    of.header["max_rules"] = 1 if longest is None else longest + 1


def swap_two_antecedents(of):
    listed = of.header["antecedents"]
    a, b = of.any(len(listed)), of.any(len(listed))
    listed[a], listed[b] = listed[b], listed[a]


FALLING = (
    change_an_antecedent,
    change_a_length,
    remove_a_prefix,
    keep_no_prefix,
    change_the_list,
    claim_the_optimum,
    raise_the_bound,
    flip_a_label,
    weigh_a_row_more,
    change_a_price,
    change_what_a_false_positive_costs,
    change_the_unit,
    change_the_most_rules,
    swap_two_antecedents,
)


def refused_unless_true(of, content):
    try:
        shown = of.small.check(content)
    except InputError:
        return True
    if shown.failure is not None or shown.lower_bound is None:
        return True
    assert of.is_true(shown)
    return False


MADE = {}


def made(kind, seed, path):
    """A proof that is right, to tamper with."""
    if (kind, seed) not in MADE:
        MADE[kind, seed] = kind(seed, path)
        assert not refused_unless_true(MADE[kind, seed], MADE[kind, seed].content())
    return copy.deepcopy(MADE[kind, seed])


def tampered(seed, path, way):
    of = made(Falling, seed, path)
    way(of)
    return refused_unless_true(of, of.content())


@pytest.mark.parametrize("way", FALLING)
def test_tampering_is_noticed(way, tmp_path):
    refused = sum(tampered(seed, tmp_path / "p.bin", way) for seed in range(12))
    assert refused or way in (keep_no_prefix, remove_a_prefix, change_a_length)


@pytest.mark.slow
@pytest.mark.parametrize("way", FALLING)
def test_tampering_is_noticed_a_thousand_times(way, tmp_path):
    for seed in range(100, 180):
        tampered(seed, tmp_path / "p.bin", way)


def fuzzed(content, random):
    """Some bytes of the records changed, removed or inserted."""
    at = content.index(b"\n") + 1
    octets = bytearray(content[at:])
    for _ in range(int(random.integers(1, 4))):
        place = int(random.integers(len(octets) + 1))
        octets[place : place + int(random.integers(2))] = random.bytes(int(random.integers(3)))
    return content[:at] + bytes(octets)


def fuzz(kind, seeds, path):
    for seed in seeds:
        of = kind(seed, path)
        for _ in range(10):
            content = fuzzed(of.content(), of.random)
            try:
                of.take(content)
            except InputError:
                continue
            refused_unless_true(of, content)


class Sets:
    """The pieces of a proof of rule sets."""

    def __init__(self, seed, path):
        large = {"features": 7, "rows": 40} if seed % 4 == 3 else {"features": 4}
        self.small = SmallSets(seed, **large, costed=seed % 3 == 1)
        self.small.options.setdefault("complexity", 6)
        self.small.options["complexity"] = min(6, self.small.options["complexity"])
        if len(self.small.captures) > 4:
            self.small.options["max_conditions"] = 2
            self.small.options["complexity"] = 4
        self.small.write(path, **({"node_limit": 3} if seed % 5 == 0 else {}))
        header, records, _ = opened(path.read_bytes(), "p")
        proof = read_rule_sets(header, records, "p")
        self.header = copy.deepcopy(dict(header))
        self.clauses = [list(clause) for clause in proof.sets[1]]
        duals = proof.duals.get(1)
        self.duals = duals and [duals.scale, duals.price, duals.short, list(duals.mu)]
        self.bounds = list(proof.bounds[1])
        self.random = np.random.default_rng(seed)

    def content(self):
        sizes = [n for clause in self.clauses for n in (len(clause), *clause)]
        parts = [record("s", 1, len(self.clauses), *sizes)]
        if self.duals:
            scale, price, short, mu = self.duals
            parts.append(record("d", 1, scale, price, short, len(mu), *mu))
        parts += [record("u", 1, *self.bounds), record("e")]
        return line(self.header) + b"".join(parts)

    def is_true(self, shown):
        names = ("form", "complexity", "max_conditions")
        small = self.small
        small.options = {n: self.header[n] for n in names if self.header[n] is not None}
        small.options |= {
            n: Fraction(self.header[n])
            for n in ("positive_weight", "penalty_clause", "penalty_condition")
        }
        if small.costs is not None and "outcomes" not in self.header:
            small.costs = None  # it is about mistakes that cost 1 each
            small.collapse()
        options = small.options
        stated = set_objective(small.problem, 1, options["form"], self.clauses, options)
        return shown.objective == stated and shown.lower_bound <= small.best()

    def any(self, count):
        return int(self.random.integers(max(1, count)))

    def take(self, content):
        """The rule set of other bytes. Raises InputError for records that cannot be read."""
        proof = read_rule_sets(*opened(content, "p"))
        self.clauses = [list(clause) for clause in proof.sets.get(1, [])]


def raise_a_dual(of):
    if of.duals and of.duals[3]:
        of.duals[3][of.any(len(of.duals[3]))] += 1 + of.any(of.duals[0])


def raise_all_duals(of):
    if of.duals:
        of.duals[3] = [value + of.any(3) for value in of.duals[3]]


def lower_the_price(of):
    if of.duals:
        of.duals[1] = max(0, of.duals[1] - 1 - of.any(of.duals[0]))


def lower_the_shortfall(of):
    if of.duals:
        of.duals[2] = max(0, of.duals[2] - 1)
        of.bounds[:2] = [value + 1 for value in of.bounds[:2]]


def lower_the_scale(of):
    if of.duals:
        of.duals[0] -= 1


def raise_what_is_proved(of):
    of.bounds[0] += 1
    of.bounds[1] = max(of.bounds[:2])


def change_the_rule_set(of):
    if of.clauses and of.random.random() < 0.5:
        of.clauses.pop()
    else:
        of.clauses.append([of.any(len(of.header["antecedents"]))])


def flip_a_row(of):
    of.small.changed()


def change_a_charge(of):
    names = ("positive_weight", "penalty_clause", "penalty_condition")
    name = names[of.any(3)]
    of.header[name] = str(Fraction(of.header[name]) * 3 / 2)


def charge_rows_nothing(of):
    if of.small.costs is not None:
        of.small.uncharged()


def count_mistakes(of):
    of.header.pop("outcomes", None)


def count_costs_in_another_unit(of):
    """Harmless: the checker counts in the largest unit."""
    if "outcomes" in of.header:
        of.header["outcomes"]["scale"] *= int(of.random.integers(2, 5))


def take_the_outcomes_for_others(of):
    if "outcomes" in of.header:
        of.header["outcomes"]["names"].reverse()


def change_the_form(of):
    of.header["form"] = {"dnf": "cnf", "cnf": "dnf"}[of.header["form"]]


def change_the_budget(of):
    of.header["complexity"] += int(of.random.choice([-1, 1]))


SETS = (
    raise_a_dual,
    raise_all_duals,
    lower_the_price,
    lower_the_shortfall,
    lower_the_scale,
    raise_what_is_proved,
    change_the_rule_set,
    flip_a_row,
    change_a_charge,
    charge_rows_nothing,
    count_mistakes,
    count_costs_in_another_unit,
    take_the_outcomes_for_others,
    change_the_form,
    change_the_budget,
)


def tampered_set(seed, path, way):
    of = made(Sets, seed, path)
    way(of)
    return refused_unless_true(of, of.content())


@pytest.mark.parametrize("way", SETS)
def test_tampering_with_rule_sets_is_noticed(way, tmp_path):
    refused = sum(tampered_set(seed, tmp_path / "p.bin", way) for seed in range(8))
    harmless = (change_the_budget, change_the_rule_set, count_costs_in_another_unit)
    assert refused or way in (*harmless, change_a_charge)


@pytest.mark.slow
@pytest.mark.parametrize("way", SETS)
def test_tampering_with_rule_sets_is_noticed_many_times(way, tmp_path):
    for seed in range(100, 192):
        tampered_set(seed, tmp_path / "p.bin", way)


@pytest.mark.parametrize("kind", [Falling, Sets])
def test_fuzzed_records_are_refused_unless_true(kind, tmp_path):
    fuzz(kind, range(40 if kind is Falling else 12), tmp_path / "p.bin")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Falling, Sets])
def test_fuzzed_records_a_thousand_times(kind, tmp_path):
    fuzz(kind, range(200, 300), tmp_path / "p.bin")
