"""Model files, written in one place for the command line and for Python, and read again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from corels.errors import InputError
from corels.model.documents import form_of, load_certificate, read_document, rendered
from corels.run.models import open_model
from corels.run.output import save

if TYPE_CHECKING:
    from corels.run.solve import Result


def content_of(result: Result, path: str) -> str:
    """What a file holds, by its name: a page, or the result in one of `FORMATS`."""
    if is_page(path):
        return str(result.report().html)
    return rendered(result.model, result.to_document(), form_of(path)) + "\n"


def is_page(path: str) -> bool:
    """Whether a file is called as a page is."""
    return path.lower().endswith((".html", ".htm"))


def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Make the file appear, whole or not at all. Raises OutputError."""
    save(os.fspath(path), content_of(result, os.fspath(path)))


def load(path: str | os.PathLike[str]) -> Result:
    """The result in a file of `corels run --output`, `Result.save` or an estimator's `save`.

    Raises InputError for what is not such a file, naming what is wrong.
    """
    from corels.run.solve import Result

    path = os.fspath(path)
    document = read_document(path)
    model, certificate = open_model(path, document), load_certificate(path, document)
    if certificate is None:
        raise InputError(
            f"{path}: there is a model and no certificate: expected a file of `corels run "
            "--output` or of Result.save"
        )
    return Result(model, certificate, data=document.get("data", {}))
