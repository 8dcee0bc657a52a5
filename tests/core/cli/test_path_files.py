"""`corels path` and `tree` keep what they have found if a file cannot be written."""

import json
import os

import pytest

from corels.cli.exits import Exit

PATH = ("path", "--dataset", "titanic", "--low", "0.05", "--quiet")
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")


@FULL
def test_a_path_that_cannot_be_saved_is_printed(corels):
    ended = corels(*PATH, "--output", "/dev/full")
    assert ended.code == Exit.NOT_WRITTEN
    assert "0.099046 to 0.323035" in ended.out
    assert "error: /dev/full: cannot be written (No space left on device)" in ended.err
    assert json.loads(ended.err[ended.err.index("{") :])["segments"]


@FULL
def test_a_picture_that_cannot_be_written_costs_only_the_picture(corels, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "full.png").symlink_to("/dev/full")
    ended = corels(*PATH, "--plot", tmp_path / "full.png", "--output", tmp_path / "path.json")
    assert ended.code == Exit.NOT_WRITTEN
    assert "0.099046 to 0.323035" in ended.out
    assert "full.png: cannot be written (No space left on device)" in ended.err
    assert json.loads((tmp_path / "path.json").read_text())["segments"]


def test_a_picture_without_a_directory_is_refused_before_the_search(corels, tmp_path):
    pytest.importorskip("matplotlib")
    ended = corels("path", "--dataset", "titanic", "--plot", tmp_path / "none" / "path.svg")
    assert (ended.code, ended.out) == (Exit.BAD_INPUT, "")
    assert "there is no directory" in ended.err
    assert "certified" not in ended.err


@FULL
def test_a_tree_that_cannot_be_saved_is_printed(corels):
    ended = corels("tree", "--dataset", "titanic", "-r", "0.05", "--output", "/dev/full")
    assert ended.code == Exit.NOT_WRITTEN
    assert ended.out.startswith("no rule yet")
    assert "error: /dev/full: cannot be written" in ended.err
