"""The contract suite of solvers: the models of a family, its documents, proofs and estimator.

A family is asked for models of random tables with missing values and odd names, and every use of a
model has to say the same: predictions, exports, explanations, the recount of `corels check`.
"""

from __future__ import annotations

import json
import pickle
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from corels.check.model import check_model
from corels.check.opening import Opened, numbers, opened
from corels.check.proof import check_proof
from corels.check.verdict import Verdict
from corels.errors import InputError, OptionError
from corels.model import Stopped
from corels.options import check_all
from corels.plots.figure import Figure
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.costs import UNABLE
from corels.proof.records import header_line, number
from corels.run.able import knows
from corels.run.limits import LIMITS
from corels.run.result import Result
from corels.run.result_file import load_result
from corels.run.solve import solve
from corels.search import Solver
from corels.testing.cases import (
    ROWS,
    Case,
    Table,
    case_of,
    check_uses,
    random_case,
    refused,
    solved,
)
from corels.testing.parts import check_named
from corels.testing.stopping import check_options, check_steps, check_stopped

NODES = 5_000  # that a search without one of its parts may expand
MOST_FORGED = 60  # numbers of a proof that are changed, one at a time


def check_solver(solver: type[Solver], *, trials: int = 6, **options: Any) -> None:
    """A registered family: what it learns, and every use of that, on random tables.

    options: of its searches, which end by themselves within seconds with them.
    """
    check_named(solver)
    assert solver.name in registry().names("solver"), f"{solver.name!r} is not installed"
    for seed in range(trials):
        case = random_case(seed)
        _check_learned(solver(), case, options)
        _check_costs(solver(), case, options)
    _check_three_classes(solver(), options)
    check_steps(solver(), random_case(0), options)
    check_options(solver(), random_case(0), options)
    for seed in range(min(trials, 3)):
        check_stopped(solver(), random_case(seed), options)
        if solver().proof is not None:
            _check_proof(solver(), random_case(seed), options)
    if solver.has_path():
        _check_path(solver(), random_case(0), options)
    if "ablations" in solver.imported or solver.ablations is not Solver.ablations:
        _check_ablations(solver(), random_case(0), options)
    if solver().estimator() is not None:
        _check_estimator(solver())


def _check_learned(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    problem = case.problem
    result = solved(problem, family.name, **options)
    model, certificate = result.model, result.certificate
    assert isinstance(model, family.model_type()), f"the model is no {family.model_type()}"
    assert 0 <= certificate.lower_bound <= certificate.objective, "the bound is not below the cost"
    certified = certificate.stopped is Stopped.CERTIFIED
    assert certificate.optimal == certified, "it is certified, or the bound is below the objective"
    again = solved(problem, family.name, **options)
    assert (again.model, again.certificate.objective) == (model, certificate.objective), (
        "the same search gives the same model"
    )
    check_uses(model, case.table)
    predicted = model.predict(case.table).tolist()
    wrong = sum(p != t for p, t in zip(predicted, case.truth, strict=True))
    assert model.errors == wrong, f"the deciders' counts give {model.errors} errors of {wrong}"
    _check_document(family, case, result)


def _check_costs(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """Costs that the family says it knows are minimised and recounted, others refused."""
    known = family.knows_costs
    strange = set() if isinstance(known, bool) else set(known) - set(UNABLE)
    assert not strange, f"knows_costs names {sorted(strange)}: expected some of {[*UNABLE]}"
    plain = solved(case.problem, family.name, **options).certificate
    for place, (table, given) in enumerate(_costs_of(case)):
        priced = case_of(table, case.truth, **given)
        costs = priced.problem.costs
        assert costs is not None, "the table has costs"
        if not knows(family, costs.kinds):
            message = f"{sorted(costs.kinds)} are not refused in a sentence"
            assert refused(partial(solve, priced.problem, family.name, **options)), message
            continue
        result = solved(priced.problem, family.name, **options)
        model, certificate = result.model, result.certificate
        assert model.outcomes is not None, "a model that was learned with costs has outcomes"
        check_uses(model, table)
        _check_document(family, priced, result)
        if not place and plain.optimal and certificate.optimal:
            message = "mistakes that cost 1 each are the errors"
            assert certificate.objective == plain.objective, message


def _costs_of(case: Case) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Tables and options about costs: of mistakes, of rows, of right answers, of "don't know"."""
    yield case.table, {"cost": "fp=1,fn=1"}
    yield case.table, {"cost": "fp=2,fn=2/3"}
    prices = {
        f"price of {label}": [
            0 if true == label else row % 4 for row, true in enumerate(case.truth)
        ]
        for label in ("no", "yes")
    }
    named = {label: f"price of {label}" for label in ("no", "yes")}
    yield {**case.table, **prices}, {"outcome_cost": named}
    yield case.table, {"cost": [[1, 2], [3, 0]]}
    yield case.table, {"abstain": "0.2"}


def _check_document(family: Solver, case: Case, result: Result) -> None:
    """Written and read again; recounted; and what is wrong with it is noticed."""
    found = json.loads(json.dumps(result.to_document()))
    assert family.load(found) == result.model, "a document is read as the model that it was"
    _check_saved(family, case, result, found)
    wrong = _broken(check_model(found, case.rows, family))
    assert not wrong, f"`corels check` does not confirm {wrong}"
    changed = list(case.truth)
    changed[0] = next(label for label in set(case.truth) if label != changed[0])
    other = replace(case.rows, labels=changed)
    assert _broken(check_model(found, other, family)), "another class of a row is not noticed"
    objective = Fraction(found["certificate"]["exact"]["objective"]) + 1
    exact = {**found["certificate"]["exact"], "objective": str(objective)}
    forged = {**found, "certificate": {**found["certificate"], "exact": exact}}
    assert _broken(check_model(forged, case.rows, family)), "a wrong objective is not noticed"
    entries: dict[str, Any] = {"schema": "nobody/else", "unknown": 1, "classes": [], "label": 3}
    for name, value in entries.items():
        message = f"{name} {value!r} is not refused"
        assert refused(partial(family.load, {**found, name: value})), message


def _check_saved(family: Solver, case: Case, result: Result, found: Mapping[str, Any]) -> None:
    """A saved file takes the place of the search that has found the model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        path.write_text(json.dumps(found), encoding="utf-8")
        if result.certificate.regularization is None:
            message = "a file without lambda is not refused in a sentence"
            assert refused(partial(load_result, str(path), case.problem)), message
        else:
            read = load_result(str(path), case.problem)
            assert read.model == result.model, "load_result reads another model"
            assert read.certificate == result.certificate, "load_result reads another certificate"


def _broken(findings: Sequence[Any]) -> set[str]:
    return {finding.what for finding in findings if not finding.holds}


def _check_three_classes(family: Solver, options: Mapping[str, Any]) -> None:
    """Three classes: a model, or a sentence."""
    case = random_case(2, classes=3)
    try:
        check_uses(solve(case.problem, family.name, **options).model, case.table)
    except (InputError, OptionError) as error:
        assert str(error) and "\n" not in str(error), f"not one sentence: {error}"


def _check_proof(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """What the proof shows is what the certificate says; no forged one shows more."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "found.proof"))
        certificate = solved(case.problem, family.name, proof=path, **options).certificate
        proof = opened(Path(path).read_bytes())
        here = case.problem.statement_like(certificate.statement)
        solved(case.problem, family.name, proof=path, node_limit=1, **options)
        early = opened(Path(path).read_bytes())
    verdict = _verdict(proof, case, here)
    assert isinstance(verdict, Verdict) and verdict.failure is None, verdict
    assert verdict.objective == certificate.objective, "the proof's model costs something else"
    proved = max(filter(None, (verdict.lower_bound, verdict.claimed)), default=Fraction(0))
    assert proved == certificate.lower_bound, "the proof shows another bound"
    begun_only = _verdict(early, case, here)
    assert isinstance(begun_only, Verdict) and begun_only.failure is None, begun_only
    if not certificate.optimal:
        return
    forged = [_proved(_verdict(one, case, here)) for one in _forged(proof)]
    assert None in forged, "no forged proof is refused"
    highest = max((bound for bound in forged if bound is not None), default=Fraction(0))
    assert highest <= certificate.objective, "a forged proof is believed"


def _verdict(proof: Opened, case: Case, here: Mapping[str, Any]) -> Verdict | InputError:
    """What a proof shows, or the sentence in which it is refused. here: the problem's statement."""
    try:
        return check_proof(proof, case.rows, here, checker="python")
    except InputError as error:
        assert str(error) and "\n" not in str(error), f"not one sentence: {error}"
        return error


def _proved(verdict: Verdict | InputError) -> Fraction | None:
    """The bound that is proved; None for a proof that is refused."""
    fine = isinstance(verdict, Verdict) and verdict.failure is None
    return verdict.lower_bound if fine else None  # type: ignore[union-attr]


def _forged(proof: Opened) -> Iterator[Opened]:
    """The records with one number changed, or cut off."""
    whole = numbers(proof.records)[0].tolist()
    for at in sorted({*range(0, len(whole), max(1, len(whole) // MOST_FORGED)), len(whole) - 1}):
        for value in {max(0, whole[at] - 1), whole[at] + 1, whole[at] * 2 + 7} - {whole[at]}:
            changed = [*whole[:at], value, *whole[at + 1 :]]
            yield proof._replace(records=b"".join(map(number, changed)))
        yield proof._replace(records=b"".join(map(number, whole[:at])))
    yield opened(header_line({**proof.header, "antecedents": []}) + proof.records)


def _check_path(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """What `corels path` prints, saves and draws, also of searches that a limit has stopped."""
    known = (*family.options, *family.path_options, *LIMITS)
    for limits in ({}, {"time_limit": 0}):
        chosen = check_all(known, {**limits, **options}, f"the path of {family.name}")
        problem = Problem.from_dataset(case.data, chosen.get("regularization") or 0)
        lines: list[str] = []
        found = family.path(problem, case.data, chosen, report=lines.append)
        assert all(isinstance(line, str) and "\n" not in line for line in lines), "a line a search"
        assert isinstance(found.certified, bool), "a path says whether all of it is certified"
        assert found.interrupted is False, "the path was not interrupted"
        rows = found.to_rows()
        assert rows, "a path has a row for each model"
        message = {"to_rows": rows, "to_document": found.to_document()}
        for method, plain in message.items():
            assert json.loads(json.dumps(plain)) == plain, f"{method} gives more than JSON has"
        assert all(row.keys() == rows[0].keys() for row in rows), "the rows are those of a table"
        assert found.to_text().count("\n") >= len(rows), "a line for each row of a path"
        assert found.models_text().strip(), "a path shows its models"
        assert isinstance(found.figure(), Figure), "`--plot` draws a corels.plots.figure.Figure"


def _check_ablations(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """The search as it is, then without each part: none of them changes what is the best."""
    named = family.ablations(options)
    assert len(named) > 1, "the search as it is, then one without each of its parts"
    limited: dict[str, Any] = {"node_limit": NODES}
    found = {n: solved(case.problem, family.name, **limited, **of) for n, of in named.items()}
    whole = solved(case.problem, family.name, **limited, **options).certificate
    first = next(iter(found.values())).certificate
    assert (first.objective, first.expanded) == (whole.objective, whole.expanded), (
        "the first ablation is the search as it is"
    )
    for name, result in found.items():
        assert result.certificate.lower_bound <= whole.objective, f"{name!r} claims too much"
        assert whole.lower_bound <= result.certificate.objective, f"{name!r} finds what cannot be"
        check_uses(result.model, case.table)


def _check_estimator(family: Solver) -> None:
    """It fits, predicts, is cloned and pickled, and knows the constant model."""
    from sklearn.base import clone

    kind: Any = family.estimator()
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(ROWS, 4))
    y = np.where(X[:, 0] & X[:, 1] | (rng.random(ROWS) < 0.1), "yes", "no")
    learner = clone(kind()).set_params(time_limit=None)
    same = learner.get_params().keys() == kind().get_params().keys()
    assert same, "a clone has other parameters"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the table is small, that there is one class
        learner.fit(X, y)
        constant = kind().fit(X, ["only"] * ROWS)
    predicted = learner.predict(X)
    assert learner.certificate_.solver == family.name, "the estimator is of another solver"
    again = pickle.loads(pickle.dumps(learner)).predict(X)
    assert (again == predicted).all(), "pickled and read, it predicts something else"
    assert np.allclose(learner.predict_proba(X).sum(axis=1), 1), "probabilities add up to 1"
    assert learner.apply(X).max() < len(learner._model.deciders()), "apply names no decider"
    assert learner.score(X, y) == (predicted == y).mean(), "score is the share that is right"
    assert (constant.predict(X) == "only").all(), "of one class, it predicts another"
    assert constant.optimal_ and constant.objective_ == 0, "one class costs nothing to predict"
