"""The corpus of malformed tables through the commands that came later, a share of it each."""

import json

import pytest
from test_malformed_models import GOOD as MODEL
from test_malformed_tables import ALLOWED, FILES

from corels.cli.exits import Exit

pytest.importorskip("polars")

LABEL = ("--label", "label")
COMMANDS = {
    "near": ("near", "{data}", *LABEL, "--time-limit", "2"),
    "why": ("why", "{data}", *LABEL, "--exact", "--node-limit", "200"),
    "tree": ("tree", "{data}", *LABEL),
    "path": ("path", "{data}", *LABEL, "--node-limit", "200", "--quiet"),
    "folds": ("path", "{data}", *LABEL, "--node-limit", "200", "--quiet", "--folds", "2"),
    "auto": ("run", "{data}", *LABEL, "-r", "auto", "--node-limit", "200", "-q"),
    "grouped": ("run", "{data}", *LABEL, "--cuts", "grouped",
                "--min-support", "0", "--node-limit", "200", "-q"),
    "proof": ("run", "{data}", *LABEL, "--node-limit", "200", "-q", "--proof", "{place}/p.proof"),
    "compare": ("compare", "{data}", *LABEL, "--time-limit", "0.1", "--jobs", "1"),
    "evaluate": ("evaluate", "{data}", *LABEL, "--time-limit", "0.1", "--folds", "2",
                 "--model", "rule list", "--jobs", "1"),
    "plot": ("plot", "{data}"),
    "proof show": ("proof", "show", "{data}"),
    "serve": ("serve", "--dataset", "{data}"),
    "report of no model": ("report", "{data}", "--output", "{place}/r.html"),
    "report": ("report", "{model}", "{data}", "--output", "{place}/r.html"),
    "check --proof": ("check", "{model}", "--dataset", "titanic", "--proof", "{data}"),
}  # fmt: skip
PACKAGE = {"plot": "matplotlib", "serve": "starlette", "report": "jinja2", "evaluate": "sklearn"}
EACH = 8  # every eighth file, another eighth for the next command
CASES = [
    (command, name)
    for turn, command in enumerate(COMMANDS)
    for name in list(FILES)[turn % EACH :: EACH]
]


@pytest.mark.parametrize(("command", "name"), CASES)
def test_every_file_ends_well(corels, tmp_path, monkeypatch, name, command):
    if (package := PACKAGE.get(command.split()[0])) is not None:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)  # `compare` and `evaluate` keep their results here
    data, model = tmp_path / "t.csv", tmp_path / "m.json"
    data.write_bytes(FILES[name])
    model.write_text(json.dumps(MODEL))
    words = (w.format(data=data, model=model, place=tmp_path) for w in COMMANDS[command])
    ended = corels(*words)
    assert ended.code in ALLOWED, ended.err
    assert "defect" not in ended.err and "polars" not in ended.err.lower()
    assert "\x1b" not in ended.out + ended.err, "control characters are not passed on"
    if ended.code == Exit.BAD_INPUT:
        said = [line for line in ended.err.splitlines() if line.startswith("error: ")]
        assert len(said) == 1 and len(said[0]) < 1500
