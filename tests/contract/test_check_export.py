"""`check_export` passes the language that `corels new-plugin` writes, and notices what is wrong."""

from pathlib import Path

import called
import corels_template.command as template
import pytest

import corels
from corels.errors import OptionError, PluginError
from corels.options import Option
from corels.tables import Antecedent, Condition
from corels.testing import check_export

SOURCE = Path(template.__file__).with_name("parts").joinpath("export.py").read_text("utf-8")
MODEL = corels.RuleList(
    (corels.Rule(Antecedent.of(Condition("a", "<=", 3)), 1, (0, 1)),),
    corels.Rule(None, 0, (1, 0)),
    ("no", "yes"),
)


def language(**changes):
    """The class of the template, with texts of its source changed."""
    source = SOURCE
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    names = {}
    exec(source, names)
    return names["MyPart"]


RUN = {}
exec(template.EXPORT_TEST.partition("def test_")[0].replace("from corels_my_part", "#"), RUN)
run = RUN["run"]


def test_the_language_of_the_template():
    check_export(language(), run)
    check_export(
        language(), lambda said, table: run(said.replace("line[", "row["), table), row="line"
    )


WRONG = {
    "codes are compared": ("(None if {value} in {condition.besides!r} else {value})", "{value}"),
    "a value in quotes of its own": ("{condition.value!r}", "'{condition.value}'"),
    "a name in quotes of its own": ("{condition.column!r}", "'{condition.column}'"),
    "a class in quotes of its own": (
        "{model.says[rest.outcome]!r}",
        "'{model.says[rest.outcome]}'",
    ),
    "missing values are compared": ("{value} is not None and ", ""),
    "days without their first second": ("exported(condition)", "condition"),
    "no brackets": (
        "formula(one, conditions, ('and', 'or'))",
        "' or '.join(c for a in one.antecedents for c in conditions(a))",
    ),
    "another order": ("for one in deciding\n", "for one in deciding[::-1]\n"),
    "the wrong class": ("{model.says[rest.outcome]!r}", "{model.says[0]!r}"),
    "a number": ('return "\\n".join', "return 1 or str"),
    "never the same": (
        'return "\\n".join(["("',
        'return "\\n".join(["(", f"{next(iter([object()]))!r} and"',
    ),
    "an ending without a dot": ('".my-part"', '"txt"'),
    "an option that is none": ('(Option.text("row", "the name of the row", "row"),)', '("row",)'),
    "no summary": ('summary = "an expression for one row"', 'summary = ""'),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_noticed(what):
    old, new = WRONG[what]
    with pytest.raises(
        (AssertionError, SyntaxError, TypeError, NameError, PluginError, AttributeError)
    ):
        check_export(language(**{old: new}), run)


def test_a_language_that_writes_nothing():
    class Silent(corels.Export):
        name, summary = "silent", "refuses all that it is given"

        def write(self, model, options):
            raise corels.InputError("nothing can be written")

    with pytest.raises(AssertionError, match="every model is refused"):
        check_export(Silent)


def test_an_unregistered_class_is_tried():
    assert "row['a'] <= 3" in MODEL.export(language())
    assert "it['a'] <= 3" in MODEL.export(language(), row="it")
    with pytest.raises(
        OptionError, match="export 'my-part' has no option 'rwo'; did you mean 'row'"
    ):
        MODEL.export(language(), rwo="it")


def test_options_and_endings_that_are_taken(registered, capsys, tmp_path):
    """The language is there all the same; a warning says which of its options is not offered."""

    class Greedy(corels.Export):
        name, title, ending = "greedy", "Python", ".py"
        summary = "takes what others have"
        options = (
            Option.text("output", "means something else", "none"),
            Option.switch("function", "a flag here"),
            Option.text("mine", "its own", "x"),
        )

        def write(self, model, options):
            return "{output} {function} {mine}".format_map(options)

    registered("export", Greedy)
    model = str(tmp_path / "m.json")
    said = []
    for line in (
        ["run", "--dataset", "titanic", "-q", "-o", model],
        ["export", model, "--to", "greedy", "--mine", "y"],
        ["export", model, "-o", str(tmp_path / "m.py")],
    ):
        ended = called.code(*line)
        said.append(capsys.readouterr())
        assert not ended
    assert said[1].out == "none False y\n"
    assert "'greedy' cannot have its option --output" in said[1].err
    assert "'greedy' cannot have its option --function" in said[1].err
    assert "def predict" in (tmp_path / "m.py").read_text()


def test_by_name_with_options():
    assert MODEL.export("sql", table="people") == MODEL.export("sql", table="people")
    assert isinstance(MODEL.export("onnx"), bytes)
    with pytest.raises(OptionError, match="unknown export 'pyton'; did you mean 'python'"):
        MODEL.export("pyton")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("1 / 0", "export 'odd' raised ZeroDivisionError"),
        ("return b''", "export 'odd' gave bytes: expected str"),
    ],
)
def test_one_that_fails_is_named(body, said, registered, capsys, tmp_path):
    names = {"corels": corels}
    exec(
        "class Odd(corels.Export):\n    name, summary, ending = 'odd', 'fails', '.odd'\n"
        f"    def write(self, model, options):\n        {body}\n",
        names,
    )
    registered("export", names["Odd"])
    with pytest.raises(PluginError, match=said):
        MODEL.export("odd")

    called.code("run", "--dataset", "titanic", "-q", "-o", str(tmp_path / "m.json"))
    ended = called.code("export", str(tmp_path / "m.json"), "-o", str(tmp_path / "m.odd"))
    assert (ended, said in capsys.readouterr().err) == (4, True)
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
