"""Rule files: real ones, odd but legal ones, and every way to be wrong."""

import gzip
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import SHARED, needs_shared

from corels.errors import InputError
from corels.tables import Antecedent, Condition, columns_of, read_rules

OUT = "{a} 0 1 1\n{b} 1 1 0\n"
LABEL = "{y:No} 1 0 1\n{y:Yes} 0 1 0\n"


def write(folder: Path, out: str | bytes = OUT, label: str | bytes = LABEL) -> Path:
    for name, text in ("d.out", out), ("d.label", label):
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / "d.out"


@needs_shared
@pytest.mark.parametrize(
    ("name", "shape", "label", "classes"),
    [
        ("compas_train", (155, 6489), "recidivate-within-two-years", {"No": 3583, "Yes": 2906}),
        ("compas_test", (155, 721), "recidivate-within-two-years", {"No": 377, "Yes": 344}),
        ("cars_R", (21, 1728), "label", {0: 1210, 1: 518}),
        ("votes_R", (16, 435), "label", {0: 168, 1: 267}),
        ("haberman", (334, 306), "label", {0: 81, 1: 225}),
    ],
)
def test_real_files_load(name, shape, label, classes):
    data = read_rules(SHARED / "corels_format" / f"{name}.out")
    assert data.captures.shape == shape
    assert data.captures.words.flags.c_contiguous
    assert data.label_name == label
    assert data.class_counts() == classes
    assert list(data.classes) == list(classes)


@needs_shared
def test_real_bits_match_a_plain_reading():
    path = SHARED / "corels_format" / "compas_train.out"
    data = read_rules(path)
    for j, line in enumerate(path.read_text().splitlines()):
        name, *bits = line.split(" ")
        assert data.antecedents[j] == Antecedent(name[1:-1], (Condition(name[1:-1], "true"),))
        assert data.captures[j].tolist() == [bit == "1" for bit in bits]


@needs_shared
def test_two_megabytes_take_few_calls():
    """Bits are read by the line, not one by one: 2,000,000 of them in some hundred calls."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        data = read_rules(SHARED / "corels_format" / "compas_train.out")
    finally:
        sys.setprofile(None)
    bits = len(data.antecedents) * len(data.labels)
    assert calls < 100 * len(data.antecedents) < bits / 50


def test_small_file(tmp_path):
    data = read_rules(write(tmp_path))
    assert [a.name for a in data.antecedents] == ["a", "b"]
    assert np.asarray(data.captures).astype(int).tolist() == [[0, 1, 1], [1, 1, 0]]
    assert data.labels.tolist() == [0, 1, 0]
    assert (data.classes, data.label_name, data.name) == (("No", "Yes"), "y", "d")


@pytest.mark.parametrize(
    "out",
    [
        OUT.replace("\n", "\r\n"),
        OUT.replace("\n", "\r"),
        OUT + "\n\n  \n\r\n",
        "\n" + OUT.replace("\n", "\n\n"),
        OUT.replace(" ", "\t"),
        OUT.replace(" ", "   "),
        OUT.replace("\n", " \n"),
        OUT.rstrip(),
        "\ufeff" + OUT,
        OUT.replace("{", "").replace("}", ""),
        gzip.compress(OUT.encode(), mtime=0),
    ],
    ids=["crlf", "cr", "trailing", "blank", "tabs", "wide", "end", "no-eol", "bom", "bare", "gz"],
)
def test_odd_but_legal_forms_read_the_same(tmp_path, out):
    data = read_rules(write(tmp_path, out))
    assert [a.name for a in data.antecedents] == ["a", "b"]
    assert np.asarray(data.captures).astype(int).tolist() == [[0, 1, 1], [1, 1, 0]]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("{größe:≤ 3} 0 1 1", "größe:≤ 3"),
        ("{a {b} c} 0 1 1", "a {b} c"),
        ("{size 1} 0 1 1", "size 1"),
        ("age <= 25 0 1 1", "age <= 25"),
        ("{} 0 1 1", None),
        ("0 0 1 1", "0"),
        ("{abc 0 1 1", "{abc"),
    ],
)
def test_names(tmp_path, line, name):
    path = write(tmp_path, "{z} 1 1 0\n" + line + "\n")
    if name is None:
        with pytest.raises(InputError, match="line 2: the name is empty"):
            read_rules(path)
    else:
        assert read_rules(path).antecedents[1].name == name


def test_lines_named_by_a_digit_in_braces(tmp_path):
    data = read_rules(write(tmp_path, "{0} 0 1 1\n{1} 1 1 0\n"))
    assert [a.name for a in data.antecedents] == ["0", "1"]


def test_a_first_line_whose_brace_is_never_closed(tmp_path):
    data = read_rules(write(tmp_path, "{abc 0 1 1\n{b} 1 1 0\n"))
    assert [a.name for a in data.antecedents] == ["{abc", "b"]


def test_all_bits_zero_and_all_bits_one(tmp_path):
    data = read_rules(write(tmp_path, "{a} 0 0 0\n{b} 1 1 1\n"))
    assert np.asarray(data.captures).astype(int).tolist() == [[0, 0, 0], [1, 1, 1]]


def test_more_than_65535_antecedents(tmp_path):
    n = 70_000
    data = read_rules(write(tmp_path, "".join(f"{{r{j}}} {j & 1} 1 0\n" for j in range(n))))
    assert len(data.antecedents) == n
    assert data.antecedents[-1].name == f"r{n - 1}"
    assert data.captures.unpack()[:, 0].tolist() == [bool(j & 1) for j in range(n)]


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("", "d.out: the file is empty"),
        ("\n \n", "d.out: the file is empty"),
        ("{a} 0 1 1\n{b} 1 0\n", "line 2: '{b}' has 2 bits, but line 1 has 3"),
        ("{a} 0 1 1\nb 1 0 1 1\n", "line 2: 'b' has 4 bits, but line 1 has 3"),
        ("{a} 0 2 1\n", "line 1: sample 2 has the value '2', expected 0 or 1"),
        ("{a} 0 1 1\n\n{b} 0 1 x\n", "line 3: sample 3 has the value 'x', expected 0 or 1"),
        ("{a} 0 1 1\n{b} 01 1\n", "line 2: sample 1 has the value '01', expected 0 or 1"),
        ("{a} 0 1 1{b} 1 0 1\n", "line 1: sample 3 has the value '1{b}', expected 0 or 1"),
        ("{a}\n", "line 1: '{a}' has no bits after its name"),
        ("{a}x 0 1 1\n", "line 1: sample 1 has the value 'x', expected 0 or 1"),
        ("{a} 0 1 1\n{a} 1 1 1\n", "line 2: 'a' is also the name of line 1, which has other bits"),
        (OUT.encode("utf-16"), r"d\.out: this is UTF-16 text"),
        (b"{a} 0 1 1\n{\xe9} 0 1 1\n", "line 2: byte 0xe9 is not UTF-8"),
        ("{a} 0 1 1 0\n{b} 0 1 1 0\n", "d.label: labels for 3 samples, but .*d.out has 4"),
    ],
)
def test_malformed_out_files(tmp_path, out, message):
    with pytest.raises(InputError, match=message):
        read_rules(write(tmp_path, out))


@pytest.mark.parametrize(
    ("label", "classes", "name", "values"),
    [
        ("{y=0} 1 0 0\n{y=1} 0 1 1\n", (0, 1), "y", [0, 1, 1]),
        ("{y:1} 1 0 0\n{y:0} 0 1 1\n", (1, 0), "y", [0, 1, 1]),
        ("{good} 1 0 0\n{bad} 0 1 1\n", ("good", "bad"), "label", [0, 1, 1]),
        ("{y:a} 1 0 0\n{y:b} 0 1 0\n{y:c} 0 0 1\n", ("a", "b", "c"), "y", [0, 1, 2]),
        ("{y:=0} 1 1 0\n{y:>0} 0 0 1\n", ("=0", ">0"), "y", [0, 0, 1]),
        ("{y:No} 1 1 1\n{y:Yes} 0 0 0\n", ("No", "Yes"), "y", [0, 0, 0]),
    ],
)
def test_label_files(tmp_path, label, classes, name, values):
    data = read_rules(write(tmp_path, label=label))
    assert (data.classes, data.label_name, data.labels.tolist()) == (classes, name, values)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("{y=0} 1 0 1\n{y=1} 1 1 0\n", "sample 1 is 1 in the lines 1 and 2, expected one"),
        ("{y=0} 1 0 1\n{y=1} 0 0 0\n", "sample 2 is 1 in no line, expected one class"),
        ("{y=0} 1 0 1\n{y=0} 0 1 0\n", "two lines name the same class 0"),
        ("{y=0} 1 0\n{y=1} 0 1\n", "labels for 2 samples, but .*d.out has 3"),
        ("{y=0} 1 0 3\n{y=1} 0 1 0\n", "line 1: sample 3 has the value '3'"),
        ("", "d.label: the file is empty"),
        ("{y=0} 1 0 0\n", "d.label: there is one line, expected one for each class"),
    ],
)
def test_malformed_label_files(tmp_path, label, message):
    with pytest.raises(InputError, match=message):
        read_rules(write(tmp_path, label=label))


def test_unreadable_paths(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.out: no such file"):
        read_rules(tmp_path / "nowhere.out", write(tmp_path))
    with pytest.raises(InputError, match=r"nowhere\.out: no such file"):
        read_rules(tmp_path / "nowhere.out")
    with pytest.raises(InputError, match="this is a directory"):
        read_rules(tmp_path, tmp_path)
    (tmp_path / "alone.out").write_text(OUT)
    with pytest.raises(
        InputError, match=r"no label file was given, and there is no .*alone\.label"
    ):
        read_rules(tmp_path / "alone.out")
    (tmp_path / "bad.out").write_bytes(gzip.compress(OUT.encode(), mtime=0)[:-9])
    with pytest.raises(InputError, match="damaged gzip file"):
        read_rules(tmp_path / "bad.out", tmp_path / "d.label")


def test_columns_of_a_rule_file_evaluate_its_antecedents(tmp_path):
    data = read_rules(write(tmp_path))
    columns = columns_of(tmp_path / "d.out")
    for antecedent, captured in zip(data.antecedents, data.captures, strict=True):
        assert antecedent.evaluate(columns).tolist() == captured.tolist()


@given(st.data())
def test_what_is_written_is_read(tmp_path_factory, data):
    n_rows = data.draw(st.integers(1, 20))
    bits = st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows)
    ascii_names = st.text("abc <=>:,.019", min_size=1, max_size=8).filter(lambda t: t.strip() == t)
    rules = data.draw(st.dictionaries(ascii_names, bits, min_size=1, max_size=5))
    labels = data.draw(bits)
    folder = tmp_path_factory.mktemp("rules")
    path = write(
        folder,
        "".join(f"{{{name}}} {' '.join(map(str, row))}\n" for name, row in rules.items()),
        f"{{y=0}} {' '.join(str(1 - b) for b in labels)}\n{{y=1}} {' '.join(map(str, labels))}\n",
    )
    found = read_rules(path)
    assert [a.name for a in found.antecedents] == list(rules)
    assert np.asarray(found.captures).astype(int).tolist() == list(rules.values())
    assert found.labels.tolist() == labels


@given(st.data())
def test_damaged_files_raise_nothing_but_input_errors(tmp_path_factory, data):
    """Bytes changed, cut or inserted anywhere: read, or refused in one sentence."""
    folder = tmp_path_factory.mktemp("damaged")
    parts = {"d.out": OUT.encode(), "d.label": LABEL.encode()}
    which = data.draw(st.sampled_from(sorted(parts)))
    content = bytearray(parts[which])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(at, min(len(content), at + 3)))
        content[at:end] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"\n", b" ", b"}", b"{", b"1", b" 0", b"\r"])
        )
    for name, original in parts.items():
        (folder / name).write_bytes(bytes(content) if name == which else original)
    try:
        found = read_rules(folder / "d.out", folder / "d.label")
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert found.captures.shape == (len(found.antecedents), len(found.labels))
        assert found.captures.words.dtype == np.uint64
