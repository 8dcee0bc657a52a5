"""The old command line: what it prints and writes, byte for byte if scripts read it."""

import subprocess
import sys
from pathlib import Path

import called
import pytest
from corels_classic.legacy import main, parse

from corels.errors import OptionError

OUT = """{a} 1 1 1 1 0 0 0 0 0 0
{b} 0 0 0 0 1 1 1 0 0 0
{a,c} 1 1 0 0 0 0 0 0 0 0
"""
LABEL = """{label=0} 0 0 0 0 1 1 1 0 1 1
{label=1} 1 1 1 1 0 0 0 1 0 0
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A working directory with data.out and data.label in it."""
    (tmp_path / "data.out").write_text(OUT)
    (tmp_path / "data.label").write_text(LABEL)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return ["../data.out", "../data.label"]


def written(directory):
    """The name of the one file there."""
    (name,) = [path.name for path in Path(directory).iterdir()]
    return name


def test_prints_and_writes_as_the_old_program(data, capsys):
    assert main(["-r", "0.05", "-c", "2", "-p", "1", *data]) == 0
    out = capsys.readouterr().out
    stem = (
        "for-data.out-curious_lb-with_prefix_perm_map-no_minor-removed=none-max_num_nodes=100000-"
        "c=0.0500000-v=progress-f=1000"
    )
    assert "\nOPTIMAL RULE LIST\nif ({a}) then ({label=1})\nelse ({label=0})\n\n" in out
    assert out.endswith(f"writing optimal rule list to: logs/{stem}-opt.txt\n\n")
    assert "final min_objective: 0.15000\nfinal accuracy: 0.90000\nfinal total time: " in out
    assert written("logs") == f"{stem}-opt.txt"
    assert Path(f"logs/{stem}-opt.txt").read_text() == "{a}~1;default~0"


def test_the_search_is_told_in_the_old_words(data, capsys):
    assert main(["-r", "0.05", "-c", "2", "-p", "1", *data]) == 0
    out = capsys.readouterr().out
    assert out.startswith("LEARNING RULE LIST via LOWER BOUND Prefix Map\n")
    assert "\nmin(objective): 0.50000 -> 0.15000, length: 1, cache size: " in out
    assert "\nExited because queue empty\n" in out
    assert "\nminimum objective: 0.1500000000\n" in out
    assert main(["-r", "0.001", "-b", "-n", "1", *data]) == 0
    out = capsys.readouterr().out
    assert "LEARNING RULE LIST via BFS No Permutation Map" in out
    assert "Exited because max number of nodes in the tree was reached" in out


def test_silent_says_nothing_of_the_search(data, capsys):
    for silent in ("silent", "silent,rule"):
        assert main(["-b", "-s", "-f", "10", "-v", silent, *data]) == 0
        assert written("logs").endswith("-opt.txt")
        assert "LEARNING" not in capsys.readouterr().out
        Path("logs", written("logs")).unlink()


def test_a_fourth_file_is_not_looked_at(data):
    Path("../data.minor").write_text("{minor} 0 0 0 0 0 0 0 1 0 0\n")
    assert main(["-b", *data, "../data.minor", "no-such-file"]) == 0


def test_the_class_at_a_tie_is_1(data):
    Path("../data.label").write_text("{n} 1 0 1 0 1 0 1 0 1 0\n{y} 0 1 0 1 0 1 0 1 0 1\n")
    assert main(["-b", "-r", "0.9", *data]) == 0
    assert Path("logs", written("logs")).read_text() == "default~1"


def test_constant_list_and_latex(data, capsys):
    assert main(["-r", "0.9", "-c", "1", "-L", *data]) == 0
    out = capsys.readouterr().out
    assert "\nOPTIMAL RULE LIST\nif (1) then ({label=1})\n\n" in out  # five of each
    assert "\\State\\bif (1) \\bthen ({label=1})\n\\end{algorithmic}\n" in out
    assert Path("logs", written("logs")).read_text() == "default~1"
    assert main(["-r", "0.01", "-c", "4", "-L", *data]) == 0
    out = capsys.readouterr().out
    assert "\\State\\bif ({a}) \\bthen ({label=1})\n" in out
    assert "\\State\\belse ({label=0})\n" in out


@pytest.mark.parametrize("policy", [["-b"], ["-c1"], ["-c", "2"], ["-c3"], ["-c4"]])
@pytest.mark.parametrize("rest", [["-p0"], ["-p1", "-a1"], ["-p2", "-a2"]])
def test_every_policy_map_and_ablation(data, capsys, policy, rest):
    assert main([*policy, *rest, "-r", "0.02", "-v", "silent", *data]) == 0
    assert "if ({a}) then ({label=1})" in capsys.readouterr().out


def test_options_may_follow_the_files(data, capsys):
    assert main([*data, "-b", "-v", "rule,label,samples"]) == 0
    out = capsys.readouterr().out
    assert "OPTIMAL RULE LIST" in out and "final" not in out


def test_the_list_goes_to_the_old_place_if_it_is_there(data):
    Path("../logs").mkdir()
    main(["-b", *data])
    assert written("../logs").endswith("-opt.txt")
    assert not Path("logs").exists()


def test_minor_file_is_named(data):
    Path("../data.minor").write_text("{minor} 0 0 0 0 0 0 0 1 0 0\n")
    assert main(["-b", *data, "../data.minor"]) == 0
    assert "-minor-removed" in written("logs")


def test_node_limit(data, capsys):
    assert main(["-b", "-n", "0", *data]) == 0
    assert "if (1) then ({label=1})" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "exactly one of (-b | -c)"),
        (["-b", "-c1", "x", "y"], "exactly one of (-b | -c)"),
        (["-b"], "you must specify data files"),
        (["-c5", "x", "y"], "a curiosity type is '5': expected (1|2|3|4)"),
        (["-b", "-p", "3", "x", "y"], "the symmetry-aware map is '3'"),
        (["-b", "-n", "-1", "x", "y"], "the number of nodes is '-1': expected 0 or more"),
        (["-b", "-r", "-1", "x", "y"], "regularization is -1"),
        (["-b", "-r", "x", "x", "y"], "regularization is 'x'"),
        (["-b", "-a", "3", "x", "y"], "the ablation is '3'"),
        (["-b", "-f", "0", "x", "y"], "the logging frequency is '0'"),
        (["-b", "-v", "much", "x", "y"], "verbosity is 'much'"),
        (["-b", "-v", "samples", "x", "y"], "'samples' must be combined"),
        (["-q", "x", "y"], "unknown option"),
    ],
)
def test_wrong_options(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError):
        parse(arguments)
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith("USAGE: corels-classic") and said in err
    assert list(tmp_path.iterdir()) == []


def test_wrong_files(data, capsys):
    assert main(["-b", "none.out", data[1]]) == 1
    assert "none.out: no such file" in capsys.readouterr().err
    Path("../data.label").write_text(LABEL.replace("1 1 1 1", "1 1 1"))
    assert main(["-b", *data]) == 1
    assert "data.label" in capsys.readouterr().err
    assert not Path("logs").exists() or not list(Path("logs").iterdir())


def test_installed_programs(data):
    for program in (
        [
            sys.executable,
            "-c",
            "import sys; from corels_classic.legacy import main; sys.exit(main())",
        ],
        [sys.executable, "-c", "from corels.cli import main; main()", "legacy"],
    ):
        done = subprocess.run(
            [*program, "-b", "-r", "0.05", *data], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "OPTIMAL RULE LIST\nif ({a}) then ({label=1})" in done.stdout
        failed = subprocess.run(
            [*program, "-c", "9", *data], capture_output=True, text=True, check=False
        )
        name = "corels legacy" if program[-1] == "legacy" else "corels-classic"
        assert failed.returncode == 1 and failed.stderr.startswith(f"USAGE: {name} [-b]")


@pytest.mark.parametrize("early", [[], ["-c", "2"], ["-b", "-r", "0.1"]])
def test_two_hyphens_end_the_options_of_both_programs(capsys, tmp_path, monkeypatch, early):
    monkeypatch.chdir(tmp_path)
    for name, text in (("-x.out", OUT), ("-x.label", LABEL)):
        Path(name).write_text(text)
    words = [*(early or ["-c1"]), "--", "-x.out", "-x.label"]
    assert main(words) == 0
    assert not called.code("legacy", *words)
    assert capsys.readouterr().out.count("if ({a}) then ({label=1})") == 2


def test_a_lambda_that_is_too_fine_is_written_short(data, capsys):
    assert main(["-b", "-r", "1e-300", *data]) == 1
    said = capsys.readouterr().err
    assert "is too fine" in said and "(301 digits)" in said and len(said) < 300
