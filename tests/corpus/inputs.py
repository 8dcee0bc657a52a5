"""The folder in which the corpus runs: some good files, and the bad ones made from them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from entries import put

PEOPLE = "age,sex,ill\n20,f,no\n25,m,no\n31,m,no\n45,f,yes\n52,m,yes\n61,f,yes\n"
RULES = "{a} 1 1 1 0 0 0\n{b} 0 1 0 1 0 1\n"
LABELS = "{y:no} 0 0 0 1 1 1\n{y:yes} 1 1 1 0 0 0\n"
TITANIC = ("run", "--dataset", "titanic", "-q")
LEARNED = (  # commands that write the good files
    ("run", "people.csv", "--label", "ill", "-q", "-o", "p.json"),
    ("run", "people.csv", "--label", "ill", "-q", "--solver", "rule-set", "-o", "set.json"),
    ("run", "small.out", "-q", "-o", "s.json"),
    (*TITANIC, "-o", "t.json", "--proof", "t.proof", "--trace", "r.jsonl"),
)
TEXTS = {
    "people.csv": PEOPLE,
    "people2.csv": "height,ill\n1,no\n2,no\n3,no\n4,yes\n5,yes\n6,yes\n",
    "hollow.csv": "", "hollow.out": "", "hollow.jsonl": "", "hollow.proof": "",
    "weights.csv": "age,people,ill\n1,2,no\n2,1,no\n3,-1,yes\n4,1,yes\n",
    "owed.csv": "age,people,ill\n1,2,no\n2,-0.5,no\n3,1,yes\n4,1,yes\n",
    "endless.csv": "age,people,ill\n1,2,no\n2,inf,yes\n",
    "ragged.csv": PEOPLE.replace("31,m,no", "31,m,no,7"),
    "open.csv": PEOPLE.replace("45,f", '45,"f'),
    "twice.csv": PEOPLE.replace("age,sex", "age,age"),
    "ones.csv": PEOPLE.replace("yes", "no"),
    "few.csv": ",no,yes\nno,0,1\n", "costs.csv": ",no,yes\nno,0,1\nyes,1,0\n",
    "words.csv": ",no,yes\nno,0,x\nyes,1,0\n",
    "digits.csv": f",no,yes\nno,0,{'9' * 140_000}\nyes,1,0\n",
    "gaps.csv": PEOPLE.replace("31,m,no", "31,m,"),
    "void.csv": "age,ill\n1,\n2,\n3,\n",
    "holes.csv": PEOPLE.replace("31,", ","),
    "caret.csv": PEOPLE.replace(",", "^"),
    "alien.csv": "class,sex,age,survived\n1st,x,Adult,yes\n",
    "lines.ndjson": '{"age": 1, "ill": "no"}\n{"age": 2, "ill": \n{"age": 3, "ill": "yes"}\n',
    "grades.csv": "age,y,bb,cost_yes,score_a,score_b,grade\n"
    "20,no,no,0.25,1,0,1\n30,no,no,1,2,0,1\n40,yes,yes,0,-3,0.5,2\n50,no,no,2,0,0,2\n"
    "60,yes,yes,0,1,1,3\n70,yes,yes,0,1,2,4\n80,yes,no,0.5,0,0,4\n90,no,no,3,0,1,4\n",
    "small.out": RULES, "small.label": LABELS,
    "alone.out": RULES, "double.out": RULES.replace("{b}", "{a}"),
    "short.out": RULES.replace("0 1\n", "0\n"), "digits.out": RULES.replace("{b} 0", "{b} 2"),
    "nameless.out": RULES.replace("{a} ", ""),
    "extra.label": LABELS,
    "both.label": LABELS.replace("{y:no} 0", "{y:no} 1"),
    "neither.label": LABELS.replace("{y:yes} 1", "{y:yes} 0"),
    "long.label": LABELS.replace("1\n", "1 0\n").replace("0\n", "0 1\n"),
    "broken.toml": 'title = "x"\nauthor = \n',
    "number.toml": "title = 3\n",
    "empty.json": "{}", "vanished.json": '{"schema": "corels/other", "version": 1, '
    '"certificate": {"solver": "vanished"}}',
}  # fmt: skip
BYTES = {
    "latin.csv": PEOPLE.replace("f", "é").encode("latin-1"),
    "cut.parquet": b"PAR1" + bytes(20),
    "people.xlsx": b"PK\x03\x04" + bytes(60),
    "zipped.csv.gz": gzip.compress(PEOPLE.encode() * 50)[:-30],
    "binary.out": bytes(range(256)) * 4,
}


def model(name: str, *place: Any, value: Any) -> Callable[[Path], bytes]:
    """A good model with one value replaced; `...` as the value takes it out."""

    return lambda folder: json.dumps(
        put(json.loads((folder / name).read_text()), place, value)
    ).encode()


def half(name: str) -> Callable[[Path], bytes]:
    """The first half of a file."""
    return lambda folder: (content := (folder / name).read_bytes())[: len(content) // 2]


def swapped(name: str, old: str, new: str) -> Callable[[Path], bytes]:
    """A file in which a text that stands there is another one."""

    def made(folder: Path) -> bytes:
        content = (folder / name).read_bytes()
        assert old.encode() in content, name
        return content.replace(old.encode(), new.encode(), 1)

    return made


RULE = ("rules", 0)
DERIVED = {
    "cut.json": half("p.json"),
    "future.json": model("p.json", "version", value=9),
    "stranger.json": model("p.json", "schema", value="corels/horoscope"),
    "fewer.json": model("p.json", *RULE, "counts", value=[3]),
    "minus.json": model("p.json", *RULE, "counts", value=[-3, 0]),
    "operator.json": model("p.json", *RULE, "if", "conditions", 0, "operator", value="~="),
    "thirdclass.json": model("p.json", *RULE, "then", value="perhaps"),
    "nodefault.json": model("p.json", "rules", -1, value=...),
    "halved.json": model("p.json", "certificate", "exact", "objective", value="1/0"),
    "boast.json": model("p.json", "certificate", "gap", value=-0.5),
    "array.json": lambda folder: b"[" + (folder / "p.json").read_bytes() + b"]",
    "nan.json": model("p.json", "certificate", "seconds", value=float("nan")),
    "lies.json": model("t.json", *RULE, "counts", value=[100, 370]),
    "boast2.json": swapped("t.json", '"objective": "', '"objective": "1'),
    "cut.proof": half("t.proof"),
    "future.proof": swapped("t.proof", '"version":2', '"version":9'),
    "lies.proof": swapped("t.proof", '"base":46', '"base":45'),
    "packed.proof.gz": lambda folder: gzip.compress((folder / "t.proof").read_bytes())[:-40],
    "cut.jsonl": half("r.jsonl"),
    "future.jsonl": swapped("r.jsonl", '"version":1', '"version":9'),
}


def make(folder: Path, run: Callable[..., object]) -> None:
    """Write all files. run: the program, in this folder."""
    (folder / "folder.csv").mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, content in BYTES.items():
        (folder / name).write_bytes(content)
    for words in LEARNED:
        run(*words)
    for name, made in DERIVED.items():
        (folder / name).write_bytes(made(folder))
