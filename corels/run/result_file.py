"""Model files, written in one place for the command line and for Python, and read again."""

from __future__ import annotations

import os

from corels.errors import InputError, OptionError, located
from corels.model.documents import load_certificate, open_model, read_document, to_json
from corels.plugins import registry
from corels.problem import Problem
from corels.run.output import save
from corels.run.result import Result


def content_of(result: Result, path: str) -> str:
    """What a file holds, by its name: a page, or the model file."""
    return str(result.report().html) if is_page(path) else to_json(result.to_document()) + "\n"


def is_page(path: str) -> bool:
    """Whether a file is called as a page is."""
    return path.lower().endswith((".html", ".htm"))


def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Make the file appear, whole or not at all. Raises OutputError, and OptionError for the ending
    of another language."""
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    for name in registry().names("export"):
        if registry().get("export", name).ending == ending and not is_page(path):
            raise OptionError(
                f"{path}: expected a name that ends in .json or .html; for {ending} there is "
                f"model.export({name!r})"
            )
    save(path, content_of(result, path))


def load(path: str | os.PathLike[str]) -> Result:
    """The result in a file of `corels run --output`, `Result.save` or an estimator's `save`.

    Raises InputError for what is not such a file, naming what is wrong.
    """
    path = os.fspath(path)
    document = read_document(path)
    model, certificate = open_model(path, document), load_certificate(path, document)
    if certificate is None:
        raise InputError(
            f"{path}: there is a model and no certificate: expected a file of `corels run "
            "--output` or of Result.save"
        )
    return Result(model, certificate, data=document.get("data", {}))


def refuse_other(problem: Problem, result: Result) -> None:
    """Raise OptionError for a result of another problem, and for one whose model, counted here, is
    not what its certificate says. That no model is better is not looked at."""
    model, certificate = result.model, result.certificate
    if (other := problem.difference_to(certificate.statement)) is not None:
        raise OptionError(f"the result is of another problem: {other}")
    counted = problem.count(model.plain_rules())
    for number, (one, cell) in enumerate(zip(model.deciders(), counted.cells, strict=True), 1):
        stated, here = [*one.counts, *one.costs], [*cell.counts, *cell.costs]
        if stated != here:
            raise OptionError(f"rule {number} of the model has the counts {stated}, here {here}")
    costs = model.counted_objective(certificate)
    if costs not in (None, certificate.objective):
        raise OptionError(f"the model costs {costs}, its certificate says {certificate.objective}")


def load_priced(path: str) -> Result:
    """As `load`. Raises InputError for a certificate without a lambda."""
    found = load(path)
    if found.certificate.regularization is None:
        raise InputError(f"{path}: the model has no certificate that says its lambda")
    return found


def load_result(path: str, problem: Problem) -> Result:
    """What `solve` found when the model in the file `path` was saved, without a search.

    For `corels.near(problem, result=...)`, and for `solve(problem, incumbent=result.model)`.

    Args:
        path: a file of `corels run --output`.
        problem: made of the same data, with the same lambda.

    Raises InputError for what is not a model file, and if the file is of another problem.
    """
    found = load_priced(path)
    with located(path, OptionError):
        refuse_other(problem, found)
    return found
