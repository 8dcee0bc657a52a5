"""Model files that are none: one sentence, exit code 2, never a traceback, never a long wait."""

from __future__ import annotations

import gzip
import json
import time

import pytest
from entries import put

from corels.cli.exits import Exit

GOOD = {
    "schema": "corels/rule-list",
    "version": 1,
    "label": "survived",
    "classes": ["no", "yes"],
    "rules": [
        {
            "if": {
                "name": "sex = Female",
                "conditions": [{"column": "sex", "operator": "==", "value": "Female"}],
            },
            "then": "yes",
            "counts": [126, 344],
        },
        {"if": None, "then": "no", "counts": [1364, 367]},
    ],
    "certificate": {
        "optimal": True,
        "stopped": "certified",
        "objective": 51501 / 220100,
        "lower_bound": 51501 / 220100,
        "gap": 0.0,
        "exact": {
            "objective": "51501/220100",
            "lower_bound": "51501/220100",
            "regularization": "1/100",
        },
        "expanded": 1,
        "children": 8,
        "pruned": {"lookahead": 7},
        "solver": "rule-list",
        "parts": {},
        "versions": {},
        "seconds": 0.1,
        "peak_memory": 0,
    },
    "data": {
        "name": "titanic", "rows": 2201, "weight": 2201, "points": 14, "antecedents": 8, "merged": 2
    },
}  # fmt: skip


STATED = {
    "label": "survived",
    "classes": ["no", "yes"],
    "antecedents": {"count": 8, "sha256": "0" * 64},
    "regularization": "1/100",
    "rows": {"weight": 2201, "sha256": "0" * 64},
}


def changed(*path, value):
    return json.dumps(put(GOOD, path, value))


TEXT = json.dumps(GOOD)
RULE = ("rules", 0)
CONDITION = (*RULE, "if", "conditions", 0)
EXACT = ("certificate", "exact")
STRANGE = (None, True, -1, 1e400, "x", [], {}, [[]], "\x1b[2J")

MALFORMED = {
    "nothing": "",
    "spaces": "   \n",
    "a word": "model",
    "a number": "7",
    "a list": "[]",
    "an empty mapping": "{}",
    "null": "null",
    "cut": TEXT[: len(TEXT) // 2],
    "twice": TEXT + TEXT,
    "an entry twice": TEXT[:-1] + ', "label": "sex"}',
    "a certificate twice": TEXT[:-1] + ', "certificate": {}}',
    "a comment": "// hello\n" + TEXT,
    "single quotes": TEXT.replace('"', "'"),
    "deep list": "[" * 200_000,
    "deep mapping": '{"a":' * 200_000,
    "deep and closed": "[" * 5_000 + "]" * 5_000,
    "deep in the model": TEXT.replace('"no"', "[" * 900 + "]" * 900, 1),
    "NaN": TEXT.replace("0.1", "NaN"),
    "infinity": TEXT.replace("0.1", "Infinity"),
    "too large a float": TEXT.replace("0.1", "1e999"),
    "many digits": TEXT.replace("126", "1" * 5_000),
    "a huge count": TEXT.replace("126", "1" * 30),
    "a huge exponent": TEXT.replace("126", "1e308"),
    "NUL": TEXT.replace("no", "n\0o"),
    "a schema of another": changed("schema", value="corels/other"),
    "version 0": changed("version", value=0),
    "version 2": changed("version", value=2),
    "a label that is not text": changed("label", value=3),
    "classes of lists": changed("classes", value=[["no"], ["yes"]]),
    "a class twice": changed("classes", value=["no", "no"]),
    "classes that look alike": changed("classes", value=[1, "1"]),
    "no default": changed("rules", value=GOOD["rules"][:1]),
    "two defaults": changed("rules", value=[GOOD["rules"][1]] * 2),
    "a foreign class": changed(*RULE, "then", value="perhaps"),
    "too few counts": changed(*RULE, "counts", value=[1]),
    "too many counts": changed(*RULE, "counts", value=[1, 2, 3]),
    "a negative count": changed(*RULE, "counts", value=[-5, 3]),
    "half a count": changed(*RULE, "counts", value=[0.5, 3]),
    "counts that add up to too much": changed(*RULE, "counts", value=[2**31 - 1, 2**31 - 1]),
    "no conditions": changed(*RULE, "if", "conditions", value=[]),
    "another name": changed(*RULE, "if", "name", value="sex = Male"),
    "a column that is a number": changed(*CONDITION, "column", value=7),
    "an unknown operator": changed(*CONDITION, "operator", value="=~"),
    "an operator that runs code": changed(*CONDITION, "operator", value="__import__('os')"),
    "a value too many": changed(*CONDITION, "operator", value="missing"),
    "a value that is not a number": changed(*CONDITION, "operator", value="<="),
    "no operator": changed(*CONDITION, "operator", value=...),
    "no exact numbers": changed("certificate", "exact", value=...),
    "no objective": changed(*EXACT, "objective", value=...),
    "a denominator of 0": changed(*EXACT, "objective", value="1/0"),
    "an objective that is not a number": changed(*EXACT, "objective", value="one half"),
    "an objective with an exponent": changed(*EXACT, "objective", value="1e-999999999"),
    "an objective of many digits": changed(*EXACT, "objective", value="1/" + "3" * 100_000),
    "a regularization below 0": changed(*EXACT, "regularization", value="-1/100"),
    "a regularization above 1": changed(*EXACT, "regularization", value="2"),
    "a lower bound below 0": changed(*EXACT, "lower_bound", value="-1"),
    "a lower bound above": changed(*EXACT, "lower_bound", value="1"),
    "stopped for no known reason": changed("certificate", "stopped", value="because"),
    "pruned below 0": changed("certificate", "pruned", value={"lookahead": -1}),
    "a solver of another family": changed("certificate", "solver", value="falling"),
    "a hash that is none": changed(
        "certificate",
        "statement",
        value=STATED | {"rows": {"weight": 1, "sha256": "../etc/passwd"}},
    ),
    "a statement of another lambda": changed(
        "certificate", "statement", value=STATED | {"regularization": "1/2"}
    ),
    "a statement that is none": changed("certificate", "statement", value={"label": "survived"}),
    "extra that is deep": changed("certificate", "extra", value={"a": {"b": {}}}),
    "data without rows": changed("data", "rows", value=...),
    "more points than rows": changed("data", "points", value=10**6),
    "fewer antecedents than rules": changed("data", "antecedents", value=0),
    "another weight": changed("data", "weight", value=7),
    "reading that is deep": changed("data", "reading", value={"label": {"a": 1}}),
    "an unknown entry": changed("proof", value="trust me"),
    **{
        f"{'.'.join(map(str, path))} is {value!r}": changed(*path, value=value)
        for path in (
            *[
                (entry,)
                for entry in ("schema", "version", "classes", "rules", "certificate", "data")
            ],
            *[RULE, (*RULE, "if"), (*RULE, "then"), (*RULE, "counts"), (*RULE, "if", "name")],
            *[(*CONDITION, "value"), ("data", "rows")],
            *[("certificate", entry) for entry in ("pruned", "solver", "seconds")],
        )
        for value in STRANGE
        if (path[-1], value) not in (("if", None), ("pruned", {}))
        and not (path[-1] == "solver" and isinstance(value, str))
    },
}
COMMANDS = {
    "show": ("show", "{model}"),
    "predict": ("predict", "{model}", "--dataset", "titanic"),
    "explain-row": ("explain-row", "{model}", "--dataset", "titanic"),
    "export": ("export", "{model}", "--to", "html"),
}
CHECK = ("check", "{model}", "--dataset", "titanic")


def run(corels, words, model):
    began = time.process_time()  # what others do on the machine does not count
    ended = corels(*(str(model) if word == "{model}" else word for word in words))
    assert time.process_time() - began < 20
    return ended


def test_the_pattern_is_a_model(corels, tmp_path):
    path = tmp_path / "m.json"
    path.write_text(TEXT)
    for words in (*COMMANDS.values(), CHECK):
        assert run(corels, words, path).code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_one_sentence(corels, tmp_path, command):
    """`show` reads every one; the others read by the same function, and get a share of them."""
    path = tmp_path / "m.json"
    turn = list(COMMANDS).index(command)
    for name in list(MALFORMED)[turn :: 6 if turn else 1]:
        path.write_text(MALFORMED[name])
        ended = run(corels, COMMANDS[command], path)
        assert (ended.code, ended.out) == (Exit.BAD_INPUT, ""), name
        assert "m.json" in ended.error, name
        assert len(ended.error) < 600, name
        assert ended.error.isprintable(), name


def test_check_refuses_or_finds_it(corels, tmp_path):
    path = tmp_path / "m.json"
    for name, text in MALFORMED.items():
        path.write_text(text)
        ended = run(corels, CHECK, path)
        assert ended.code in (Exit.BAD_INPUT, Exit.CHECK_FAILED), (name, ended.out)
        named = "m.json" in ended.err or "the model document" in ended.err
        assert ended.code == Exit.CHECK_FAILED or named, name


BYTES = {
    "not UTF-8": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    "latin-1": TEXT.replace("no", "n\u00f6").encode("latin-1"),
    "damaged gzip": gzip.compress(TEXT.encode())[:-20],
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "zeros": bytes(1000),
}


@pytest.mark.parametrize("name", BYTES)
def test_other_files(corels, tmp_path, name):
    path = tmp_path / "m.json"
    path.write_bytes(BYTES[name])
    assert "m.json" in run(corels, COMMANDS["show"], path).error


def test_a_compressed_model_is_a_model(corels, tmp_path):
    path = tmp_path / "m.json.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    assert run(corels, COMMANDS["show"], path).code == 0


def test_no_proof_is_about_a_model_without_a_certificate(corels, tmp_path):
    path, proof = tmp_path / "m.json", tmp_path / "m.proof"
    kept = ("run", "--dataset", "titanic", "-r", "0.01", "--quiet")
    assert corels(*kept, "--output", str(path), "--proof", str(proof)).code == 0
    document = json.loads(path.read_text())
    del document["certificate"]
    path.write_text(json.dumps(document))
    assert corels(*CHECK[:1], str(path), *CHECK[2:]).code == 0
    ended = corels(*CHECK[:1], str(path), *CHECK[2:], "--proof", str(proof))
    assert ended.code == Exit.BAD_INPUT
    assert "m.json: the model has no certificate that a proof could prove" in ended.error
