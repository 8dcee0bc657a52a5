"""No forgery that the data or the proof can settle passes `corels check --proof` with 0."""

import random
from functools import cache
from itertools import islice

import pytest
from changing import WAYS
from forgeries import forged, problems, told, unproved
from kinds import KINDS, RULE_LISTS, called, run, table
from seeds import ranges

from corels.check.opening import opened
from corels.check.proof import check_proof
from corels.cli.rereading import Reread
from corels.errors import InputError

SAMPLE = 30  # one of so many is in the default suite
REFUSED = (2, 6, 8)
ALL = [*KINDS]


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Kind -> (an honest run, one that was stopped at once)."""
    place = tmp_path_factory.mktemp("forging")
    table(place / "table.csv")
    stopped = ("--node-limit", "0")
    without = {kind: ("--start", "none") if kind in RULE_LISTS else () for kind in KINDS}
    return cache(lambda kind: (run(kind, place), run(kind, place, *stopped, *without[kind])))


@pytest.mark.parametrize("kind", ALL)
def test_honest_files_pass(kind, made):
    best, poor = made(kind)
    for case, optimal in ((best, True), (poor, False)):
        code, said = case.check()
        assert code == 0 and "WRONG" not in said
        assert ("so that this model is optimal" in said.splitlines()[-1]) is optimal
    heads = [said.index(f"\n{head}:\n") for head in ("Counted", "Claimed")]
    assert said.startswith("Proved:\n") and heads == sorted(heads)
    assert best.document["certificate"]["objective"] < poor.document["certificate"]["objective"]


def passed(forgeries):
    """The names of those that are not refused."""
    return [name for name, case in forgeries if case.check()[0] not in REFUSED]


@pytest.mark.parametrize("kind", ALL)
def test_forgeries_are_refused(kind, made):
    """A sample of them; where it starts changes from kind to kind."""
    assert not passed(islice(forged(*made(kind)), ALL.index(kind), None, SAMPLE))


@pytest.mark.parametrize("kind", ALL)
def test_proofs_of_other_problems_are_refused(kind, made):
    assert not passed(islice(problems(made(kind)[0]), ALL.index(kind), None, SAMPLE))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL)
def test_all_forgeries_are_refused(kind, made):
    """Of the nineteen kinds together some 2,500."""
    forgeries = [*forged(*made(kind)), *problems(made(kind)[0])]
    assert not passed(forgeries) and len(forgeries) > 50


@pytest.mark.parametrize("kind", ["plain", "abstain", "fair", "softly falling", "CNF"])
def test_what_nothing_settles_is_said_to_be_claimed(kind, made):
    for value, case in told(made(kind)[0]):
        code, said = case.check()
        assert code == 0 and value in said.partition("\nClaimed:\n")[2], value


@pytest.mark.parametrize("kind", ["DNF", "CNF"])
def test_a_bound_on_somebodys_word_is_claimed(kind, made):
    """A `u` record may say anything."""
    poor = made(kind)[1]
    code, said = unproved(poor).check()
    assert code == 8
    assert "claimed, not proved: the lower bound" in said.splitlines()[-1]


def test_a_record_of_a_plugin_that_is_not_installed_proves_nothing(made):
    """The header names the plugin of a kind of record that the family does not know."""
    best = made("plain")[0]
    strange = best.changed(records=((ord("y"), 1), *best.records))
    code, said = strange.check()
    assert code == 2 and "record 121 is of no known kind" in said
    named = strange.changed(header={**best.header, "plugins": {"y": "corels-yonder 1.0"}})
    code, said = named.check()
    assert code == 8
    assert "records 'y' of the plugin corels-yonder 1.0" in said.splitlines()[-1]


def test_a_certificate_says_that_a_doctored_proof_was_resumed(made):
    """The search believes that no list of two rules is better; a check does not."""
    poor = made("plain")[1]
    claims = [(ord("c"), 1, rule, 10**6) for rule in range(len(poor.header["antecedents"]))]
    doctored = poor.changed(records=(*poor.records[:-1], *claims, poor.records[-1]))
    begun = poor.place / "doctored"
    begun.write_bytes(doctored.content)
    resumed = run("plain", poor.place, "--start", "none", "--resume", str(begun))
    certificate = resumed.document["certificate"]
    assert certificate["optimal"] and certificate["resumed"] == str(begun)
    assert certificate["objective"] > made("plain")[0].document["certificate"]["objective"]
    code, said = called("check", poor.place / "m.json", poor.place / "table.csv")
    rests = f"so that this model is optimal, if the proof {begun} is right"
    assert code == 0 and said.splitlines()[-1].endswith(rests)
    assert f"Certified optimal if the proof {begun} is right" in " ".join(
        called("show", poor.place / "m.json")[1].split()
    )
    assert resumed.check()[0] == 6


def test_near_believes_no_number_of_a_file(made):
    """A file with changed numbers is refused, or gives what the honest one gives."""
    best, poor = made("near")
    honest = best.near()
    assert honest[0] == 0
    names = ("objective", "counts", "then", "regularization", "statement")
    for name, case in forged(best, poor):
        if case.document != best.document and any(word in name for word in names):
            found = case.near()
            assert found[0] == 2 or found == honest, name


def verdict_of(case, table, checker):
    """The proved bound; None if the checker refuses."""
    try:
        here = opened(case.content).header  # what is compared here is the checkers
        found = check_proof(case.content, table, here, checker=checker)
    except InputError:
        return None
    return None if found.failure is not None else found.lower_bound


def alike(made, numbers):
    """How many random changes both checkers refuse; what they accept has the same bound."""
    tables = cache(
        lambda kind: Reread(made(kind)[0].document, str(made(kind)[0].place / "table.csv")).table
    )
    refused = 0
    for number in numbers:
        rng = random.Random(number)
        kind = rng.choice(RULE_LISTS)
        case = made(kind)[0]
        for _ in range(rng.choice([1, 1, 2, 3])):
            case = rng.choice(WAYS)(case, rng)
        found = [verdict_of(case, tables(kind), checker) for checker in ("python", "c")]
        assert found[0] == found[1], (number, kind)
        refused += found[0] is None
    return refused


@pytest.mark.parametrize("numbers", ranges(150, 10_000))
def test_both_checkers_refuse_alike(numbers, made):
    assert alike(made, numbers) > 100
