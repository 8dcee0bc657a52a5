"""A model file that was changed by hand is refused, or `check` says what does not agree.

Each entry of a file, changed by itself beside its proof: tests/proof/forging.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from fractions import Fraction

import pytest

from corels.cli.exits import Exit
from corels.tables import load_columns

LEARNED = {
    "rule list": ("-r", "0.005"),
    "falling": ("--solver", "falling", "--positive-weight", 2, "--max-cardinality", 2),
    "dnf, costs": ("--solver", "rule-set", "--cost", "fp=3/2,fn=1", "--complexity", 6),
}


@pytest.fixture(scope="module")
def titanic(tmp_path_factory):
    """The built-in table as its 24 different rows, each with its weight."""
    columns, _ = load_columns("titanic")
    rows = Counter(
        zip(*([c.categories[v] for v in c.values] for c in columns.values()), strict=True)
    )
    lines = [",".join([*columns, "people"])]
    lines += [",".join([*row, str(count)]) for row, count in rows.items()]
    path = tmp_path_factory.mktemp("titanic") / "titanic.csv"
    path.write_text("\n".join(lines) + "\n")
    return path, "--weight", "people"


@pytest.fixture(scope="module")
def documents():
    """A document of every family, learned on that table, as a list of one."""
    return {}


@pytest.fixture
def document(corels, documents, titanic, tmp_path):
    """A fresh copy of the document of one family."""
    pytest.importorskip("highspy")

    def of(family):
        if family not in documents:
            path = tmp_path / "learned.json"
            ended = corels(
                "run", *titanic, "--label", "survived", "-q", "-o", path, *LEARNED[family]
            )
            assert ended.code == 0, ended.err
            documents[family] = json.loads(path.read_text())
        return copy.deepcopy(documents[family])

    return of


@pytest.fixture
def tried(corels, titanic, tmp_path):
    """Write a document; how `show` and `check` end."""

    def run(found):
        path = tmp_path / "tampered.json"
        path.write_text(json.dumps(found))
        return corels("show", path), corels("check", path, *titanic)

    return run


def antecedents(found):
    """Every antecedent of a document, whatever its family."""
    rules = [rule["if"] for rule in found.get("rules", []) if rule["if"]]
    sets = [a for s in found.get("sets", []) for c in s["clauses"] for a in c["conditions"]]
    return rules + sets


def lower(found):
    """The bound said to be worse than it is, and everything with it: that is no lie."""
    certificate = found["certificate"]
    objective = Fraction(certificate["exact"]["objective"])
    certificate["exact"]["lower_bound"] = str(objective / 2)
    certificate.update(lower_bound=float(objective / 2), gap=float(objective / 2))
    certificate.update(optimal=False, stopped="time limit")


def better(found):
    """A better objective, everywhere."""
    certificate = found["certificate"]
    half = Fraction(certificate["exact"]["objective"]) / 2
    certificate["exact"].update(objective=str(half), lower_bound=str(half))
    certificate.update(objective=float(half), lower_bound=float(half))


TAMPERED = {
    "name": lambda d: antecedents(d)[0].update(name="class = Crew"),
    "condition": lambda d: antecedents(d)[0]["conditions"][0].update(value="Male"),
    "operator": lambda d: antecedents(d)[0]["conditions"][0].update(operator="!="),
    "rows": lambda d: d["data"].update(rows=2200),
    "weight": lambda d: d["data"].update(weight=2200),
    "points": lambda d: d["data"].update(points=3),
    "antecedents": lambda d: d["data"].update(antecedents=77),
    "gap": lambda d: d["certificate"].update(gap=0.25),
    "decimal objective": lambda d: d["certificate"].update(objective=0.1),
    "decimal bound": lambda d: d["certificate"].update(lower_bound=0.1),
    "optimal": lambda d: d["certificate"].update(optimal=False),
    "stopped": lambda d: d["certificate"].update(stopped="time limit"),
    "objective": lambda d: d["certificate"]["exact"].update(objective="1/10"),
    "negative bound": lambda d: d["certificate"]["exact"].update(lower_bound="-1/10"),
    "better": better,
    "label": lambda d: d.update(label="sex"),
    "hash": lambda d: d["certificate"]["statement"]["rows"].update(sha256="0" * 64),
    "no hash": lambda d: d["certificate"]["statement"]["rows"].update(sha256="Y" * 64),
    "other antecedents": lambda d: d["certificate"]["statement"]["antecedents"].update(count=1),
    "classes": lambda d: d["classes"].reverse(),
    "a class twice": lambda d: d["classes"].append(d["classes"][0]),
    "a third class": lambda d: d["classes"].append("perhaps"),
    "another code": lambda d: antecedents(d)[0]["conditions"][0].update(besides=["nobody"]),
    "no reading": lambda d: d.pop("reading"),
    "no reading of a column": lambda d: d["reading"]["columns"].popitem(),
    "solver": lambda d: d["certificate"].update(
        solver="rule-list" if d["certificate"]["solver"] != "rule-list" else "falling"
    ),
    "another entry": lambda d: d.update(certificat={}),
    "another entry in the certificate": lambda d: d["certificate"].update(proof="trust me"),
}
REFUSED = (  # by `show`, too: the document contradicts itself
    "name", "weight", "gap", "decimal objective", "optimal", "stopped", "objective", "better",
    "a class twice", "a third class", "solver", "another entry",
)  # fmt: skip


@pytest.mark.parametrize("family", LEARNED)
def test_check_finds_it(document, tried, family):
    for name, change in TAMPERED.items():
        found = document(family)
        before = copy.deepcopy(found)
        change(found)
        assert found != before, name
        shown, checked = tried(found)
        assert checked.code in (Exit.BAD_INPUT, Exit.CHECK_FAILED), (name, checked.out)
        if checked.code == Exit.BAD_INPUT:
            assert checked.error, name
        else:
            assert "WRONG" in checked.out, name
        assert shown.code == Exit.BAD_INPUT or (shown.code == 0 and name not in REFUSED), name


def test_a_falling_list_whose_rules_were_swapped(document, tried):
    found = document("falling")
    assert len(found["rules"]) > 2
    found["rules"].insert(0, found["rules"].pop(1))
    shown, checked = tried(found)
    assert shown.code == Exit.BAD_INPUT
    assert checked.code == Exit.CHECK_FAILED


@pytest.mark.parametrize("family", LEARNED)
def test_a_weaker_claim_is_no_lie(document, tried, family):
    found = document(family)
    lower(found)
    shown, checked = tried(found)
    assert (shown.code, checked.code) == (0, 0), checked.out


def test_control_characters_are_never_printed(corels, document, tried, tmp_path):
    for change in (
        lambda d: d.update(label="sur\x1b[2Jvived\nif sex"),
        lambda d: d["certificate"].update(failure="\x1b[31mred\x07"),
        lambda d: d["certificate"]["parts"].update(policy="a\rb"),
        lambda d: d["certificate"]["versions"].update({"\u202ecorels": "1"}),
        lambda d: d["certificate"].update(extra={"a\x9b": "b\x1b"}),
        lambda d: d["data"].update(name="x\x1b]0;y\x07"),
    ):
        found = document("rule list")
        change(found)
        for ended in (*tried(found), corels("show", tmp_path / "tampered.json", "--json")):
            for text in (ended.out, ended.err):
                assert all(c.isprintable() or c == "\n" for c in text), repr(text)
