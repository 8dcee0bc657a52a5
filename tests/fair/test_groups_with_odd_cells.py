"""Groups are names on every surface, also if all of them but a few are numbers."""

import json

import pytest
from called import ended


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    rows = [
        f"{at % 5},{'x' if at % 17 == 0 else at % 3},{'yes' if at % 5 > 2 else 'no'}"
        for at in range(170)
    ]
    path.write_text("\n".join(["a,g,y", *rows]) + "\n")
    return path


def test_an_odd_cell_is_a_group(table, tmp_path, capsys):
    model, proof, lists = tmp_path / "m.json", tmp_path / "p.proof", tmp_path / "near.jsonl"
    given = [table, "--label", "y", "--positive", "yes"]
    asked = ["--constraint", "recall by g within 0.5", "-q", "-o", model, "--proof", proof]
    code, _, err = ended(capsys, "run", *given, *asked)
    assert code == 0, err
    code, out, err = ended(capsys, "check", model, table, "--proof", proof)
    assert code == 0, out + err
    assert "x" in {g for one in json.loads(model.read_text())["certificate"]["constraints"]
                   for g in one["groups"]}  # fmt: skip
    windows = tmp_path / "windows.csv"
    assert ended(capsys, "monitor", model, table, "--by", "g", "-o", windows)[0] == 0
    named = {line.partition(",")[0] for line in windows.read_text().splitlines()[1:]}
    assert {"0", "1", "2", "x"} <= named and "missing" not in named
    card = tmp_path / "card.md"
    assert ended(capsys, "report", model, table, "--group", "g", "-o", card)[0] == 0
    assert "| x | 10 |" in card.read_text()
    code, _, err = ended(
        capsys, "near", *given, "--group", "g", "--within", "0.01", "--lists", "1", "-o", lists
    )
    assert code == 0, err
    assert set(json.loads(lists.read_text().splitlines()[0])["rates"]) == {"0", "1", "2", "x"}
