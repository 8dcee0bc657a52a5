"""What a search gives: a model, and what was proved about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corels.model.certificate import Certificate
from corels.model.model import Model


@dataclass(frozen=True)
class Result:
    """A model and what was proven about it. `warnings`: sinks that failed on the way."""

    model: Model
    certificate: Certificate
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The model and its certificate, as `corels run` prints them."""
        from corels.model.certificate_text import certificate_text

        return f"{self.model}\n\n{certificate_text(self.certificate, self.model.family)}"

    def report(self) -> Any:
        """The offline page of the model and its certificate (extra `page`): see `corels.report`."""
        from corels import report

        return report(self.model, self.certificate)

    def _repr_html_(self) -> str:
        from corels.export.html import certificate_html

        proven = certificate_html(self.certificate, self.model.family)
        return f"{self.model.to_html()}\n{proven}"
