"""Proofs under constraints: what both checkers accept is true, what was tampered with is not."""

import json
import random
import re
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "proof"))

from changing import MORE_WAYS, Pieces, change_an_entry, pieces
from corels_rule_list.bounds import Lookahead
from corels_rule_list.proof.format import end
from corels_rule_list.proofcheck import rest
from corels_rule_list.proofcheck.reading import read_proof
from demanded import FAIR, best_by_force, people, random_constrained, rate_of
from seeds import ranges

import corels
from corels import RuleListClassifier
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.errors import InfeasibleError, InputError, OptionError
from corels.proof.records import claim, found_list, header_line
from corels.tables.column import as_column

BACKENDS, CHECKERS = ("c", "python"), ("python", "c")


def verdict(content, data, checker):
    """What a checker says of a proof of a random data set."""
    names = [one.name for one in data.antecedents]
    columns = dict(zip(names, data.captures.unpack(), strict=True))
    demands = data.demands
    for one in demands.groups.values():
        columns["group"] = [one.names[member] for member in one.members]
    columns = {name: as_column(name, list(cells)) for name, cells in columns.items()}
    weights = None if data.weights is None else data.weights.tolist()
    header = opened(content).header
    lam = header.get("regularization", "1/9")
    here = corels.Problem.from_dataset(data, lam).statement_like(header)
    table = Table(columns, data.labels.tolist(), weights, data.costs)
    return check_proof(content, table, here, checker=checker)


def proved(path, seed, **options):
    """A random problem, its data, and the proof of its search; None if there is no list."""
    made = random_constrained(np.random.default_rng([41, seed]))
    if made is None:
        return None
    problem, data = made
    try:
        result = corels.solve(problem, proof=str(path), **options)
    except InfeasibleError:
        assert not path.exists()
        return None
    return problem, data, result, path.read_bytes()


def bounds_of(path, numbers):
    """How many proofs were checked, and of how many searches that ended."""
    checked = ended = 0
    for seed in numbers:
        rng = np.random.default_rng([42, seed])
        most = int(rng.integers(0, 4)) if rng.random() < 0.3 else None
        options = {"search": str(rng.choice(["depth-first", "best-first"]))}
        options |= {} if most is None else {"max_rules": most}
        options |= {"node_limit": int(rng.integers(9))} if rng.random() < 0.2 else {}
        best = None
        for backend in BACKENDS:
            made = proved(path / f"{seed}{backend}", seed, backend=backend, **options)
            if made is None:
                continue
            problem, data, result, content = made
            best = best or best_by_force(data, problem, most)
            stated = Fraction(json.loads(content.partition(b"\n")[0])["claim"])
            for checker in CHECKERS:
                found = verdict(content, data, checker)
                assert found.failure is None, (seed, backend, checker)
                assert stated == found.lower_bound <= best
                assert "keeps to the constraints" in found.sentence
                assert found.objective == result.certificate.objective
            checked += 1
            ended += result.certificate.optimal
            assert stated >= result.certificate.lower_bound
    return checked, ended


@pytest.mark.parametrize("numbers", ranges(20, 2000))
def test_no_bound_exceeds_the_optimum_of_brute_force(numbers, tmp_path):
    checked, ended = bounds_of(tmp_path, numbers)
    assert checked >= ended > checked / 2 > 5


def test_costs_below_nothing_have_the_optimum_of_brute_force_and_proofs(tmp_path):
    answered = below = 0
    for seed in range(45):
        rng = np.random.default_rng([43, seed])
        made = random_constrained(rng)
        if made is None or made[1].costs is None:
            continue
        problem, data = made
        paid = data.costs.amounts - rng.integers(0, 5, size=data.costs.amounts.shape)
        data = replace(data, costs=replace(data.costs, amounts=paid))
        problem = corels.Problem.from_dataset(data, problem.regularization)
        best = best_by_force(data, problem)
        for backend in BACKENDS if best is not None else ():
            path = tmp_path / f"{seed}{backend}"
            found = corels.solve(problem, backend=backend, proof=str(path)).certificate
            assert found.optimal and found.objective == best
            for checker in CHECKERS:
                said = verdict(path.read_bytes(), data, checker)
                assert said.failure is None and said.objective == said.lower_bound == best
            answered, below = answered + 1, below + (best < 0)
    assert answered > 10 and below > 2


def raise_the_end(content):
    """The last record says one unit more."""
    bound = 0
    for octet in reversed(content[content.rindex(b"e") + 1 :]):
        bound = bound << 7 | octet & 127
    assert content.endswith(end(bound))
    return content[: content.rindex(b"e")] + end(bound + 1)


def refused(content, data, best):
    """Whether a checker refuses a proof. One that both accept is true: `best`() by brute force."""
    found = []
    for checker in CHECKERS:
        try:
            found.append(verdict(content, data, checker))
        except InputError as error:
            assert str(error) and "\n" not in str(error)
    fine = [one for one in found if one.failure is None and one.lower_bound is not None]
    if fine:
        least = best()
        assert len(fine) == 2 and all(least is None or one.lower_bound <= least for one in fine)
    return not fine


def test_without_claims_all_lists_are_gone_through(tmp_path):
    """The optimum is accepted, and nothing greater."""
    tried = 0
    for seed in range(100, 115):
        made = proved(tmp_path / f"{seed}", seed, max_rules=(None, 1, 2)[seed % 3])
        if made is None:
            continue
        problem, data, result, content = made
        tried, proof = tried + 1, read_proof(content)
        records = found_list(*proof.lists[-1]) + claim((), 0) + end(0)
        for more in (0, Fraction(1, 10**9)):
            header = {**proof.header, "claim": str(result.certificate.objective + more)}
            for checker in CHECKERS:
                found = verdict(header_line(header) + records, data, checker)
                if more:
                    cost = f"keeps to the constraints costs {result.certificate.objective}"
                    assert cost in found.failure
                else:
                    assert found.failure is None, (seed, found)
                    assert found.lower_bound == result.certificate.objective
        assert best_by_force(data, problem, (None, 1, 2)[seed % 3]) == result.certificate.objective
    assert tried > 5


def keeps_to(constraints, data, said):
    """Whether predictions keep to the constraints of a header, counted row by row."""
    for one in constraints:
        rates = []
        for group in one["groups"]:
            rows = np.ones(data.n_rows, dtype=bool)
            if group:
                (groups,) = data.demands.groups.values()
                rows = groups.members == groups.names.index(group)
            rates.append(rate_of(data, said, rows, one["rate"].replace(" ", "-")))
        if None in rates:
            continue  # a share of nothing
        value = rates[0] - rates[1] if len(rates) > 1 else rates[0]
        if not Fraction(one["least"]) <= value <= Fraction(one["most"]):
            return False
    return True


def best_of(header, data, problem):
    """The optimum of what a header says."""
    names = [one.name for one in data.antecedents]
    own = [names.index(one["conditions"][0]["column"]) for one in header["antecedents"]]
    some = tuple(data.antecedents[j] for j in own)
    data = replace(data, antecedents=some, captures=data.captures.take(own))
    problem = replace(problem, regularization=Fraction(header["regularization"]))
    return best_by_force(data, problem, fits=partial(keeps_to, header["constraints"]))


def raise_the_claim(case, _):
    claim = Fraction(case.header["claim"]) + Fraction(1, 10**6)
    return case.changed(header=case.header | {"claim": str(claim)})


def test_tampering_is_noticed(tmp_path):
    """Of 20 proofs, each changed often; what is accepted all the same is true."""
    refusals = tried = 0
    for seed in range(20):
        made = proved(tmp_path / f"{seed}", seed)
        if made is None or len(made[1].demands.groups["group"].names) < 2:
            continue
        problem, data, _, content = made
        whole = Pieces(*pieces(content))
        certain = (raise_the_claim(whole, None).content, raise_the_end(content))
        assert all(refused(one, data, partial(best_by_force, data, problem)) for one in certain)
        for number in range(12):
            rng = random.Random(f"{seed} {number}")
            case = whole
            for way in rng.choices([*MORE_WAYS, *[change_an_entry] * 6], k=rng.choice([1, 1, 2])):
                case = way(case, rng)
            true = partial(best_of, case.header, data, problem)
            refusals += refused(case.content, data, true)
            tried += 1
        row = rng.randrange(data.n_rows)
        groups = data.demands.groups["group"]
        members, labels = groups.members.copy(), data.labels.copy()
        members[row] = (members[row] + 1) % len(groups.names)
        labels[row] = (labels[row] + 1) % len(data.classes)
        others = {"group": replace(groups, members=members)}
        moved = replace(data, demands=replace(data.demands, groups=others))
        for other in (moved, replace(data, labels=labels)):
            refusals += refused(content, other, partial(best_by_force, other, problem))
            tried += 1
    assert refusals > tried * 0.7


# On the command line: the fixture `table` is people.csv in the folder of `run` ---------------


def searched(run, *more, code=0, fair=FAIR):
    words = (*fair, "-r", "0.005", "-q", "-o", "m.json", "--proof", "p", *more)
    found = run("run", "people.csv", *words)
    assert found[0] == code, found
    return Path("p").read_bytes()


def checked(run, *more):
    """Exit code and output of a check, the same with both checkers."""
    found = [
        run("check", "m.json", "people.csv", "--proof", "p", "--checker", one, *more)
        for one in CHECKERS
    ]
    assert found[0][0] == found[1][0] and "Traceback" not in found[0][2]
    return found[0][0], "".join(part for one in found for part in one[1:])


def test_a_check_goes_through_what_the_prices_leave_open(run, table):
    header = json.loads(searched(run).partition(b"\n")[0])
    (one,) = header["constraints"]
    assert one["groups"] == ["north", "south"] and Fraction(header["multipliers"][0]) != 0
    document = json.loads(Path("m.json").read_text())
    assert header["claim"] == document["certificate"]["exact"]["objective"]
    code, said = checked(run)
    assert code == 0 and "that keeps to the constraints costs less than" in said
    assert said.count(" sets that they leave open") == 2
    assert said.count("proof's model: the same ") == 2
    assert said.count("proved: the lower bound") == 2


def test_what_is_not_gone_through_is_named(run, table, monkeypatch):
    stated = json.loads(searched(run).partition(b"\n")[0])["claim"]
    for most in ("MOST_PREFIXES", "MOST_NUMBERS", "EXACT"):
        with monkeypatch.context() as patch:
            patch.setattr(rest, most, 0)
            code, said = checked(run)
        assert code == 8 and "sets that they leave open" not in said
        assert said.count(f"claimed, not proved: the lower bound {stated}; ") == 2
        assert said.count("what is above it is claimed by the search, from its graph of good") == 4


def other_header(**changes):
    """A proof with other entries in its header: of its constraint, or beside it."""

    def change(content):
        header, _, records = content.partition(b"\n")
        header = json.loads(header)
        for name, new in changes.items():
            of = header["constraints"][0] if name in header["constraints"][0] else header
            of[name] = new(of[name])
        return header_line(header) + records

    return change


def with_more(**entries):
    """A proof with these entries besides in its header."""

    def change(content):
        header, _, records = content.partition(b"\n")
        return header_line({**json.loads(header), **entries}) + records

    return change


def one_more(fraction):
    return str(Fraction(fraction) + Fraction(1, 80_000))  # objectives are multiples of it


OTHER = "WRONG  proof: the proof is about another problem"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (other_header(multipliers=lambda m: [str(Fraction(m[0]) * 2)]), "the header has"),
        (other_header(multipliers=lambda m: [str(-Fraction(m[0]))]), "the header has"),
        (other_header(multipliers=lambda _: []), "incomplete or malformed"),
        (other_header(multipliers=lambda _: ["1e999999999"]), "1e999999999 is not a fraction p/q"),
        (other_header(most=lambda _: "1/10", least=lambda _: "-1/10"), OTHER),
        (other_header(most=lambda _: "1/50"), OTHER),  # true of these
        (other_header(column=lambda _: "two"), OTHER),
        (other_header(groups=lambda of: of[::-1]), OTHER),
        (other_header(groups=lambda of: [*of, "west"]), OTHER),
        (other_header(rate=lambda _: "accuracy"), OTHER),
        (other_header(constraints=lambda _: []), OTHER),
        (other_header(constraints=lambda of: of * 2), OTHER),
        (other_header(scale=lambda of: of + 1), "the header has"),
        (other_header(scale=lambda of: of << 60), "malformed"),
        (other_header(base=lambda of: of + 1), "the header has base"),
        (other_header(regularization=lambda _: "1/100"), OTHER),
        (other_header(antecedents=lambda of: of[:-1]), OTHER),
        (other_header(rows=lambda of: {**of, "weight": of["weight"] + 1}), OTHER),
        (with_more(outcomes={"names": ["no", "yes"], "kinds": ["class"] * 2, "scale": 1}), OTHER),
        (other_header(claim=one_more), "a list that keeps to the constraints costs"),
        (other_header(claim=lambda _: "1/10"), "is proved"),
        (other_header(model=lambda of: {**of, "rules": []}), "incomplete or malformed"),
        (
            other_header(model=lambda _: {"rules": [], "says": [1]}),
            "the proof has found another one",
        ),
        (other_header(model=lambda of: {**of, "says": [9, *of["says"][1:]]}), "malformed"),
        (other_header(claim=lambda _: "much"), "incomplete or malformed"),
        (other_header(claim=lambda _: "1e5000"), "1e5000 is not a fraction p/q"),
        (with_more(max_rules="many"), "its max_rules is many"),
        (with_more(max_rules=3, limits={"max_rules": 3}), OTHER),
        (raise_the_end, "WRONG  proof: the bound"),
    ],
)
def test_both_checkers_refuse_what_was_tampered_with(run, table, change, why):
    content = searched(run)
    Path("p").write_bytes(change(content))
    code, said = checked(run)
    assert code in {2, 6} and said.count(why) >= 2, said


@pytest.mark.parametrize("column", ["region", "yes", "one"])
def test_a_changed_cell_is_noticed(run, table, column):
    """Of a group, a label, or an antecedent."""
    searched(run)
    header, *lines = table.read_text().splitlines()
    place = header.split(",").index(column)
    first = lines[0].split(",")
    other = {"north": "south", "south": "north", "0": "1", "1": "0"}
    first[place] = other[first[place]]
    table.write_text("\n".join([header, ",".join(first), *lines[1:]]) + "\n")
    code, said = checked(run)
    assert code == 6 and said.count(OTHER) == 2


def test_the_proof_of_other_constraints_shows_nothing_of_a_model(run, table):
    searched(run, "--constraint", "equal-opportunity by region within 0.3")
    Path("p").rename("other")
    searched(run)
    Path("other").rename("p")
    code, said = checked(run)
    assert code == 6 and said.count(OTHER) == 2


def test_groups_of_two_columns_weights_and_abstaining(run, table):
    fair = ("--label", "yes", "--constraint", "statistical-parity by region, three within 0.05")
    more = ("--weight", "age", "--abstain", "0.3", "--constraint", "coverage >= 0.7")
    lines = table.read_text().splitlines()
    rows = [f"{line},{1 + at % 3}" for at, line in enumerate(lines[1:])]
    table.write_text("\n".join([lines[0] + ",age", *rows]) + "\n")
    searched(run, *more, fair=fair)
    code, said = checked(run)
    assert code == 0, said
    assert run("proof", "p", "people.csv", "--model", "m.json")[0] == 0


def test_what_is_shown_is_about_lists_that_keep_to_the_constraints(run, table):
    """Each rule's least objective, which no list that begins with it undercuts."""
    header = json.loads(searched(run).partition(b"\n")[0])
    code, out, _ = run("proof", "p", "people.csv", "--model", "m.json")
    least = float(
        re.search(r"every list that keeps to the constraints costs at least (\S+)", out)[1]
    )
    assert code == 0 and 0.2 < least < Fraction(header["claim"])
    first = json.loads(Path("m.json").read_text())["rules"][0]
    code, _, err = run("report", "m.json", "people.csv", "--proof", "p", "-o", "r.html")
    assert first and code == 2 and "counts the prices of constraints" in err


def test_a_stopped_search_writes_the_bound_it_has(run, table):
    for nodes in (0, 1, 5):
        searched(run, "--node-limit", nodes, code=3)
        code, said = checked(run)
        assert code == 0 and said.count("that keeps to the constraints costs less than") == 2


def test_what_cannot_be_written_or_resumed_is_said(run, table):
    searched(run)
    words = (*FAIR, "-r", "0.005", "-q")
    code, _, err = run("run", "people.csv", *words, "--resume", "p")
    assert code == 2 and "a search under constraints cannot be resumed" in err
    code, _, err = run("run", "people.csv", *FAIR[:2], "-r", "0.005", "-q", "--resume", "p")
    assert code == 2 and "the proof of another problem" in err
    assert run("run", "people.csv", *words, "--proof", "no/p")[0] != 0


def test_the_estimator_writes_a_proof(tmp_path):
    columns = people()
    label, region = columns.pop("yes"), columns.pop("region")
    model = RuleListClassifier(
        0.005, constraints=["EqualizedOdds within 0.1"], proof=str(tmp_path / "p.gz")
    ).fit(columns, label, sensitive_features=region)
    given = {name: as_column(name, cells) for name, cells in columns.items()}
    given["sensitive_features"] = as_column("sensitive_features", region)
    for checker in CHECKERS:
        content = (tmp_path / "p.gz").read_bytes()
        here = opened(content).header
        found = check_proof(content, Table(given, label), here, checker=checker)
        assert found.failure is None and found.lower_bound <= model.certificate_.objective


def test_a_bound_that_no_checker_knows_is_refused_before_anything_is_written(tmp_path):
    class Own(Lookahead):
        name = "own"

    problem, _ = random_constrained(np.random.default_rng([41, 0]))
    with pytest.raises(OptionError, match="the checkers do not know the bound own"):
        corels.solve(problem, bound=[Own], proof=str(tmp_path / "p"))
    assert not (tmp_path / "p").exists()
