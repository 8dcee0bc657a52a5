"""Sphinx directives that write reference tables from what the program declares.

```{option-table} corels.run.limits:LIMITS          a table of corels.options.Option
```{part-table} policy                         the registered parts of one kind
```{part-options} solver                       their options, under headings, which the block begins
```{search-options} corels.run.limits:LIMITS   a table of options, with estimators that have them
```{command-options} run                       the options of all commands, but for those of `run`
```{tuning-table} c                            the tuning values of a backend
```{schema} rule-list                          the JSON schema of a solver's model files
"""

import importlib
import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


class Table(SphinxDirective):
    """Rows of text cells, each read as inline Markdown or reStructuredText of the page."""

    header = ()

    def rows(self):
        raise NotImplementedError

    def run(self):
        table = nodes.table(classes=["reference-table"])
        group = nodes.tgroup(cols=len(self.header))
        table += group
        for _ in self.header:
            group += nodes.colspec(colwidth=1)
        head, body = nodes.thead(), nodes.tbody()
        head += self._row(self.header)
        for row in self.rows():
            body += self._row(row)
        group += [head, body]
        return [table]

    def _row(self, cells):
        row = nodes.row()
        for cell in cells:
            entry = nodes.entry()
            entry += self._paragraph(cell)
            row += entry
        return row

    def _paragraph(self, text):
        """Text with `code` in backquotes."""
        paragraph = nodes.paragraph()
        for number, part in enumerate(re.split(r"`([^`]+)`", text)):
            if number % 2:
                paragraph += nodes.literal(text=part)
            elif part:
                paragraph += nodes.Text(part)
        return paragraph


def load(path):
    """`package.module:NAME.attribute` -> the object."""
    module, _, name = path.partition(":")
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def option_row(option):
    """Flag (in Python alone: name), default, allowed values, help."""
    allowed = ", ".join(f"`{choice}`" for choice in option.choices)
    if not allowed and option.kind in ("int", "float", "fraction", "share"):
        allowed = option.expected()
    elif not allowed:
        words = {"flag": "", "text": "text", "label": "text", "part": "name", "numbers": "numbers"}
        allowed = words.get(option.kind, "names")
    empty = option.default is None or option.default == () or option.default is False
    default = "" if empty else f"`{option.default}`"
    name = f"`{option.name}` (Python)" if option.python_only else f"`{option.flag}`"
    return name, default, allowed, option.help


class OptionTable(Table):
    """A table of options, as declared."""

    required_arguments = 1
    header = ("option", "default", "values", "meaning")

    def rows(self):
        return [option_row(option) for option in load(self.arguments[0])]


class PartOptions(Table):
    """A heading and a table for each registered part of a kind that has options."""

    required_arguments = 1
    has_content = True  # how a heading begins
    part = None

    @property
    def header(self):
        solver = self.arguments[0] == "solver"
        return (*OptionTable.header, *(["estimators"] if solver else []))

    def rows(self):
        for option in self.part.part.options:
            solver = self.arguments[0] == "solver"
            yield *option_row(option), *([estimators_with(option.name)] if solver else [])

    def run(self):
        from corels.plugins import registry

        found = []
        for entry in registry():
            if entry.kind == self.arguments[0] and entry.part.options:
                self.part = entry
                name = f"{entry.kind}-{entry.name}"
                section = nodes.section(ids=[name], names=[name])
                title = nodes.title()
                title += [nodes.Text(f"{self.content[0]} "), nodes.literal(text=entry.name)]
                section += [title, self._paragraph(f"{entry.summary}."), *super().run()]
                found.append(section)
        return found


def estimators_with(name):
    """The estimators that have an option as a parameter."""
    from dataclasses import fields

    from corels.plugins import registry

    known = registry()
    kinds = {known.get("solver", one)().estimator() for one in known.names("solver")} - {None}
    having = [kind.__name__ for kind in kinds if name in {field.name for field in fields(kind)}]
    return ", ".join(f"`{one}`" for one in sorted(having))


class SearchOptions(OptionTable):
    """A table of options that estimators may have as parameters of the same names."""

    header = (*OptionTable.header, "estimators")

    def rows(self):
        for option in load(self.arguments[0]):
            yield *option_row(option), estimators_with(option.name)


class CommandOptions(Table):
    """A heading and a table for each command, of the options that another command does not have."""

    required_arguments = 1
    header = ("option", "values", "meaning")
    shown = ()

    def rows(self):
        for option in self.shown:
            values = "" if option.metavar is None else f"`{option.metavar}`"
            yield ", ".join(f"`{flag}`" for flag in option.opts), values, option.help

    def run(self):
        from corels.plugins import registry

        names = [name for name in registry().names("command") if name != self.arguments[0]]
        known = {(one.name, one.help) for one in options_of(self.arguments[0])}
        found = []
        for name in names:
            own = [one for one in options_of(name) if (one.name, one.help) not in known]
            if own:
                self.shown = own
                section = nodes.section(ids=[f"corels-{name}"], names=[f"corels {name}"])
                title = nodes.title()
                title += [nodes.Text("The command "), nodes.literal(text=f"corels {name}")]
                section += [title, *super().run()]
                found.append(section)
        return found


def options_of(command):
    """The options of a command as its help lists them."""
    from corels.cli.app import build

    params = build(command).commands[command].params
    return [one for one in params if one.param_type_name == "option" and not one.hidden]


class PartTable(Table):
    """The registered parts of one kind, with the theorem of a bound."""

    required_arguments = 1
    header = ("name", "meaning", "source")

    def rows(self):
        from corels.plugins import registry

        for entry in registry():
            if entry.kind == self.arguments[0]:
                source = str(getattr(entry.part, "theorem", entry.part.__module__))
                yield f"`{entry.name}`", entry.summary, source


class TuningTable(Table):
    """The tuning values of a backend."""

    required_arguments = 1
    header = ("name", "default", "range", "meaning")

    def rows(self):
        from corels.plugins import registry

        for row in registry().get("backend", self.arguments[0])().tuning():
            ends = f"{row.low:g} to {row.high:g}"
            yield f"`{row.name}`", f"{row.default:g}", ends, row.help


class Schema(SphinxDirective):
    """The JSON schema of the model files of a solver, as `corels plugins --schema` prints it."""

    required_arguments = 1

    def run(self):
        from corels.model.schema import published
        from corels.plugins import registry

        family = registry().get("solver", self.arguments[0])()
        text = published(family.model_type().document_type())
        return [nodes.literal_block(text, text, language="json")]


def setup(app):
    """Register the directives."""
    app.add_directive("option-table", OptionTable)
    app.add_directive("part-options", PartOptions)
    app.add_directive("search-options", SearchOptions)
    app.add_directive("command-options", CommandOptions)
    app.add_directive("part-table", PartTable)
    app.add_directive("tuning-table", TuningTable)
    app.add_directive("schema", Schema)
    return {"parallel_read_safe": True}
