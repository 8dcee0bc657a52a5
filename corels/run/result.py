"""What a search gives: a model, and what was proved about it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from corels.model import Certificate, Model


@dataclass(frozen=True)
class Result:
    """A model and what was proven about it.

    warnings: sinks that failed on the way. data: what it was learned from and how, the entry `data`
    of its file.
    """

    model: Model
    certificate: Certificate
    warnings: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The model and its certificate, as `corels run` prints them."""
        return f"{self.model}\n\n{self.proven()}"

    def proven(self) -> str:
        """The certificate, with what it rests on: costs, the positive class, unused columns."""
        from corels.model.certificate_text import certificate_text

        return certificate_text(self.certificate, self.model.family, self.about())

    def about(self) -> list[tuple[str, str]]:
        """How the model was learned, as its file states it: (name, text)."""
        from corels.model.certificate_text import about_rows

        return about_rows(self.model, self.data)

    def to_document(self) -> dict[str, Any]:
        """What its model file holds: the model's own document, the certificate, and the data."""
        proven = {"certificate": self.certificate.to_document()}
        return self.model.to_document() | proven | ({"data": dict(self.data)} if self.data else {})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of `corels run --output`, whole or not at all: JSON, which `corels.load`
        and all commands read, or the page, if the name ends in .html.

        Raises OutputError if that cannot be.
        """
        from corels.run.result_file import save_result

        save_result(self, path)

    def report(self) -> Any:
        """The offline page of the model and its certificate (extra `page`): see `corels.report`."""
        from corels import Further, report

        return report(self.model, self.certificate, Further(data=self.data))

    def _repr_html_(self) -> str:
        proven = f'<pre class="corels-certificate">{escape(self.proven())}</pre>'
        return f"{self.model.to_html()}\n{proven}"
