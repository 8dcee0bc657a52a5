"""What `corels export` writes: a language, registered by a plugin as policies and sinks are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from corels.errors import CorelsError, PluginError, blamed
from corels.model.model import Model
from corels.options import Option, check_all
from corels.registry import Part


class Export(Part):
    """A language in which models of every family are written; it reads `Model.deciders` alone.

    Attributes:
        name: as `--to` has it.
        title: as people write the name.
        ending: of its files, ".js"; `corels export -o FILE` goes by it. Empty for none.
        binary: whether it is bytes, which no terminal shows.
        options: a checked value for each is given to `write`.
    """

    title: ClassVar[str] = ""
    ending: ClassVar[str] = ""
    binary: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = ()

    @abstractmethod
    def write(self, model: Model, options: Mapping[str, Any]) -> str | bytes:
        """The model in this language: text, or bytes where it is `binary`.

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

        Raises OptionError for options that it does not take, and PluginError where it fails.
        """
        chosen, kind = check_all(cls.options, options, f"export {cls.name!r}"), cls()
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
