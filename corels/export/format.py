"""What `corels export` writes: a language, registered by a plugin as policies and sinks are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import CorelsError, InputError, PluginError, blamed
from corels.model.model import Model
from corels.options import Option, check_all
from corels.plugins import Part
from corels.tables import Antecedent
from corels.tables.dates import source_of

if TYPE_CHECKING:
    from corels.tables import Condition


TYPED = Option.switch(
    "typed", "the columns hold numbers and ISO dates, however training had them written"
)


class Export(Part):
    """A language in which models of every family are written; it reads `Model.deciders` alone.

    Attributes:
        name: as `--to` has it.
        title: as people write the name.
        ending: of its files, ".js"; `corels export -o FILE` goes by it. Empty for none.
        binary: whether it is bytes, which no terminal shows.
        reads_text: whether what it writes reads a column of text as the model does: "12 %" as 12,
            31/12/2024 as a date. Other languages are refused such a column, unless their option
            `TYPED` says that they get numbers and ISO dates.
        for_people: whether nothing reads cells by what it writes: a picture or a table of the model
            itself, which no column is refused for.
        options: a checked value for each is given to `write`.
    """

    title: ClassVar[str] = ""
    ending: ClassVar[str] = ""
    binary: ClassVar[bool] = False
    reads_text: ClassVar[bool] = False
    for_people: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = ()

    @abstractmethod
    def write(self, model: Model, options: Mapping[str, Any]) -> str | bytes:
        """The model in this language: text, or bytes if it is `binary`.

        The conditions of the model exclude what means "no value", numbers and words (`besides`).

        Raises InputError for a name or value that the language cannot write.
        """

    def write_file(
        self, model: Model, document: Mapping[str, Any], options: Mapping[str, Any]
    ) -> str | bytes:
        """The same of a model file, which may say more: its `document` has the certificate."""
        return self.write(model, options)

    @classmethod
    def written(
        cls, model: Model, options: Mapping[str, Any], document: Mapping[str, Any] | None = None
    ) -> str | bytes:
        """What it writes of a model, or of the document of a model file.

        Raises OptionError for options that it does not take, and PluginError if it fails.
        """
        chosen, kind = check_all(cls.options, options, f"export {cls.name!r}"), cls()
        if not cls.for_people:
            typed = bool(chosen.get(TYPED.name))
            model = of_cells(model, typed=typed)
            refuse_text(model, cls, typed=typed)
        with blamed("export", cls, but=CorelsError):
            if document is None:
                found = kind.write(model, chosen)
            else:
                found = kind.write_file(model, document, chosen)
        wanted = bytes if cls.binary else str
        if not isinstance(found, wanted):
            raise PluginError(
                f"export {cls.name!r} gave {type(found).__name__}: expected {wanted.__name__}"
            )
        return found


def of_cells(model: Model, *, typed: bool = False) -> Model:
    """The model whose conditions are asked of cells as they stand: see `LearnedColumn.raw`."""
    reading = model.reading
    if not reading:
        return model

    def of_condition(one: Condition) -> Condition:
        learned = reading.get(source_of(one.column, reading))
        return one if learned is None else learned.raw(one, typed=typed)

    def of_antecedent(one: Antecedent) -> Antecedent:
        return Antecedent(one.name, tuple(map(of_condition, one.conditions)))

    listed = tuple(decider.asking(of_antecedent) for decider in model.deciders())
    found = copy(model)
    object.__setattr__(found, "deciders", lambda: listed)
    return found


def refuse_text(model: Model, kind: type[Export], *, typed: bool) -> None:
    """Raise InputError for a column whose cells the language cannot read as the model does. typed:
    they are numbers and ISO dates."""
    language = kind.title or kind.name
    for name, learned in model.reading.items():
        if learned.form and not learned.dates and learned.text_codes:
            raise InputError(
                f"column {name!r} has the code {min(learned.text_codes)!r} among its numbers, "
                f"which {language} cannot read as the model does: write a number for it"
            )
    if kind.reads_text or typed:
        return
    takes_typed = any(one.name == TYPED.name for one in kind.options)
    for name, learned in model.reading.items():
        if learned.padded:
            then = ": drop them there, and export with ⟨typed⟩" if takes_typed else ""
            raise InputError(
                f"column {name!r} had blanks around its texts in training, which {language} does "
                f"not drop as the model does{then}"
            )
        if learned.rewritten:
            form = "dates" if learned.dates else learned.form
            odd = " beside cells that write none" if learned.odd else ""
            then = ": convert the column, and export with ⟨typed⟩" if takes_typed else ""
            raise InputError(
                f"column {name!r} holds {form} as text{odd}, which {language} cannot read as the "
                f"model does{then}"
            )
    for name in {one.column for a in model.antecedents for one in a.conditions}:
        source = source_of(name, model.reading)
        if source != name and source in model.reading:
            then = f": add a column {name!r}, and export with ⟨typed⟩" if takes_typed else ""
            raise InputError(f"the model asks for the {name}, which {language} cannot read{then}")
