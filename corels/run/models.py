"""Saved models: opening a file, and letting a saved rule list stand for a search.

open_model(path, document)      the model of a document that was read, whatever its family
load_result(path, problem)      what `solve` returned when the rule list of this file was saved
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corels.errors import InputError, OptionError
from corels.model import Certificate, Model, RuleList
from corels.model.documents import load_certificate, load_model, read_document
from corels.model.rulelist import rule_list
from corels.plugins import registry
from corels.problem import Problem
from corels.run.solve import Result


def open_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document that was read from `path`. Raises InputError naming what is wrong."""
    names = registry().names("solver")
    return load_model(path, found, {name: registry().get("solver", name)().load for name in names})


@dataclass(frozen=True)
class SavedList:
    """A rule list in a file, with its certificate.

    document: the whole file. `document["data"]["reading"]`, where it is there, says how the data
    was read.
    """

    path: str
    model: RuleList
    certificate: Certificate
    document: Mapping[str, Any]

    def result(self, problem: Problem) -> Result:
        """The file in place of a search of this problem.

        The list is counted again on the problem, so the objective is not taken on trust; that no
        list is better still is.

        Raises InputError where the problem is not the one that the list was learned from.
        """
        certificate = self.certificate
        if certificate.regularization != problem.regularization:
            raise InputError(
                f"{self.path}: its lambda is {certificate.regularization}, "
                f"not {problem.regularization}"
            )
        if certificate.data_hash != problem.data_hash:
            raise InputError(
                f"{self.path}: the model was learned from other data, or from the same data read "
                f"with other options (sha256 {certificate.data_hash[:12]}... there, "
                f"{problem.data_hash[:12]}... here)"
            )
        recounted = rule_list(problem, self._indices(problem))
        if problem.objective(recounted.cost(problem)) != certificate.objective:
            raise InputError(
                f"{self.path}: the list makes {recounted.errors} errors on this data, "
                f"not {self.model.errors}"
            )
        return Result(recounted, certificate)

    def _indices(self, problem: Problem) -> list[int]:
        known = {antecedent.name: i for i, antecedent in enumerate(problem.antecedents)}
        try:
            return [known[antecedent.name] for antecedent in self.model.antecedents]
        except KeyError as unknown:
            name = unknown.args[0]
            raise InputError(f"{self.path}: this data has no antecedent {name!r}") from None


def open_list(path: str) -> SavedList:
    """A saved rule list with its certificate.

    Raises InputError for what is not a model file or has no certificate with a lambda, OptionError
    for a model of another family.
    """
    document = read_document(path)
    model = open_model(path, document)
    if not isinstance(model, RuleList):
        raise OptionError(f"{path}: expected a rule list, not a {model.family}")
    certificate = load_certificate(path, document)
    if certificate is None or certificate.regularization is None:
        raise InputError(f"{path}: the model has no certificate that says its lambda")
    return SavedList(path, model, certificate, document)


def load_result(path: str, problem: Problem) -> Result:
    """What `solve` found when the rule list in the file `path` was saved, without a search.

    For `corels.near(problem, result=...)`, and for `solve(problem, incumbent=result.model)`.

    Args:
        path: a file of `corels run --output`.
        problem: made of the same data, with the same lambda.

    Raises InputError for what is not a model file, and where the file is of another problem;
    OptionError for a model of another family.
    """
    return open_list(path).result(problem)
