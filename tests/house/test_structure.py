"""tools/structure.py: the folders can be read one after another, and the pictures can be drawn."""

import sys

from sources import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import structure


def test_no_folders_import_each_other_in_a_circle():
    arrows = structure.arrows_of(structure.files_of(None))
    assert "corels/problem" in arrows["corels/tables"]
    assert not structure.circles(arrows)


def test_a_circle_is_found_and_what_follows_from_others_is_left_out():
    arrows = {"a": {"b", "c", "d"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert structure.circles(arrows) == [{"b", "c"}]
    drawn = structure.needed(arrows, {"b": 0, "c": 0})
    assert sorted(drawn) == [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]
