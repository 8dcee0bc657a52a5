"""Options as declared data, and the registry of parts."""

from fractions import Fraction

import pytest

from corels.errors import OptionError, PluginError
from corels.options import Option, check_all, suggestion, unknown
from corels.plugins import Entry, Registry
from corels.run.limits import MEMORY_LIMIT

WHOLE = Option.whole("rows", "how many", 3, low=1, high=10)
NUMBER = Option.number("time_limit", "seconds", low=0)
SHARE = Option.fraction("share", "a share", "1/2", low=0, high=1)
TEXT = Option.text("mode", "which", "a", choices=("alpha", "beta"))
FLAG = Option.switch("quiet", "silence")
NAMES = Option.names("bound", "names")


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (WHOLE, 4, 4),
        (WHOLE, "4", 4),
        (WHOLE, 4.0, 4),
        (NUMBER, None, None),
        (NUMBER, "2.5", 2.5),
        (NUMBER, 0, 0.0),
        (SHARE, "1/3", Fraction(1, 3)),
        (SHARE, 0.1, Fraction(1, 10)),
        (Option.fraction("price", "", low=0), "1e400", Fraction(10**400)),
        (TEXT, "beta", "beta"),
        (FLAG, True, True),
        (NAMES, "a,b", ("a", "b")),
        (NAMES, ["a"], ("a",)),
        (NAMES, "", ()),
    ],
)
def test_values_are_converted(option, value, expected):
    found = option.check(value)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        (WHOLE, 0, "rows is 0: expected a whole number from 1 to 10"),
        (WHOLE, 2.5, "rows is 2.5: expected a whole number"),
        (WHOLE, "x", "rows is 'x': expected a whole number"),
        (WHOLE, True, "rows is True: expected a whole number"),
        (WHOLE, None, "rows is None: expected a whole number"),
        (WHOLE, float("nan"), "rows is nan: expected a whole number"),
        (WHOLE, float("inf"), "rows is inf: expected a whole number"),
        (WHOLE, [1], "expected a whole number"),
        (NUMBER, -1, "time_limit is -1: expected a number of at least 0"),
        (NUMBER, "nan", "expected a number"),
        (NUMBER, 10**400, "expected a number"),
        (SHARE, "1e400", "share is '1e400': expected a number from 0 to 1"),
        (
            Option.time_limit(""),
            "5m",
            "time_limit is '5m': expected a number of seconds of at least",
        ),
        (MEMORY_LIMIT, "1GB", "memory_limit is '1GB': expected a whole number of megabytes from 1"),
        (NUMBER, float("inf"), "expected a number"),
        (NUMBER, [], "expected a number"),
        (SHARE, "1/0", "expected a number from 0 to 1"),
        (SHARE, 2, "expected a number from 0 to 1"),
        (SHARE, "nan", "expected a number from 0 to 1"),
        (SHARE, "1e-999999999", "expected a number from 0 to 1"),
        (SHARE, "1/1" + 5000 * "0", "expected a number from 0 to 1"),
        (TEXT, "alfa", "did you mean 'alpha'"),
        (TEXT, 3, "mode is 3: expected text"),
        (FLAG, "yes", "quiet is 'yes': expected true or false"),
        (NAMES, [3], "bound is 3: expected text"),
        (NAMES, 3, "expected names"),
    ],
)
def test_wrong_values_are_named_with_what_was_expected(option, value, words):
    with pytest.raises(OptionError) as raised:
        option.check(value)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_table_gives_every_option_a_value():
    assert check_all((WHOLE, FLAG), {"rows": 5}, "solver 'x'") == {"rows": 5, "quiet": False}
    with pytest.raises(OptionError, match="solver 'x' has no option 'row'; did you mean 'rows'"):
        check_all((WHOLE,), {"row": 1}, "solver 'x'")


def test_suggestions():
    assert suggestion("curiosty", ["bfs", "curiosity"]) == "; did you mean 'curiosity'?"
    assert suggestion(3, ["bfs", "3 "]) == "; did you mean '3 '?"
    assert suggestion("zzz", ["bfs"]) == ""
    assert unknown("policy", "zzz", ["bfs"]) == "unknown policy 'zzz' (there are: bfs)"


def test_flags_are_written_with_hyphens():
    assert NUMBER.flag == "--time-limit"


def test_the_registry_keeps_the_order_and_refuses_a_second_part_of_a_name():
    registry = Registry()
    registry.add(Entry("policy", "b", 1, "one", "1"))
    registry.add(Entry("policy", "a", 2, "one", "1"))
    registry.add(Entry("bound", "a", 3, "one", "1"))
    assert registry.names("policy") == ("b", "a")
    assert registry.get("bound", "a") == 3
    with pytest.raises(PluginError, match="policy 'a' is already registered by one"):
        registry.add(Entry("policy", "a", 4, "two", "1"))
    with pytest.raises(OptionError, match=r"unknown policy 'c' \(there are: b, a\)"):
        registry.get("policy", "c")
    with pytest.raises(OptionError, match="unknown symmetry map"):
        registry.get("map", "c")
    registry.forget_after(1)
    assert [entry.name for entry in registry] == ["b"] and len(registry) == 1
