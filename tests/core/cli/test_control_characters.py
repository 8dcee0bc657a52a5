"""Control characters in the names, values and classes of a table never reach the terminal."""

import pytest

CLEAR = "\x1b[2J"  # clears the screen
LABEL, GROUP = f"ill{CLEAR}", f"who{CLEAR}"
ROWS = [f"{a}{CLEAR},{g}{CLEAR},{'yes' if a == 'x' else 'no'}{CLEAR}" for a in "xyz" for g in "fm"]
READ = ("DATA", "--label", LABEL)
POSITIVE = ("--positive", f"yes{CLEAR}")
COMMANDS = {
    "run": ("run", *READ, "-r", "0.05"),
    "explain": ("run", *READ, "-r", "0.05", "--explain"),
    "constraint": ("run", *READ, "--constraint", f"positive-rate by {GROUP} within 0.1", *POSITIVE),
    "near": ("near", *READ, "--group", GROUP, "--within", "20%", *POSITIVE),
    "filter": (
        "near",
        *READ,
        "--constraint",
        f"predictive-parity by {GROUP} within 0.5",
        *POSITIVE,
    ),
    "path": ("path", *READ, "--lists", "--folds", "0"),
    "explain-row": ("explain-row", "MODEL", "DATA", "1", "6"),
    "show": ("show", "MODEL"),
    "markdown": ("export", "MODEL", "--to", "markdown"),
    "check": ("check", "MODEL", "DATA"),
    "antecedents": ("antecedents", *READ),
    "why": ("why", *READ, "-r", "0.05"),
    "tree": ("tree", *READ, "-r", "0.05"),
    "evaluate": ("evaluate", *READ, "--model", "CART", "--folds", "2", "--group", GROUP),
    "no label": ("run", "DATA", "--label", "x"),
    "no positive": ("run", *READ, "--cost", "fp=2"),
    "no class": ("run", *READ, "--positive", "x"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_control_characters_are_escaped(corels, tmp_path, name):
    data, model = tmp_path / "t.csv", tmp_path / "m.json"
    data.write_text("\n".join([f"a{CLEAR},{GROUP},{LABEL}", *ROWS * 5, ""]), encoding="utf-8")
    assert corels("run", data, "--label", LABEL, "-o", model, "-q").code == 0
    words = COMMANDS[name]
    ended = corels(*({"DATA": data, "MODEL": model}.get(word, word) for word in words))
    assert ended.code == (2 if name.startswith("no ") else 0), ended.err
    assert "\x1b" not in ended.out + ended.err
    assert "1b[2J" in (ended.out + ended.err).replace("\\[", "[")
