"""The contract suite of solvers: the models of a family, its documents, proofs and estimator.

A family is asked for models of random tables with missing values and odd names, and every use of a
model has to say the same: predictions, exports, explanations, the recount of `corels check`.
"""

from __future__ import annotations

import json
import pickle
import signal
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from corels.checking.opening import Opened, numbers, opened
from corels.checking.verdict import Verdict
from corels.errors import CorelsError, InputError, OptionError
from corels.export.explaining import explain_row
from corels.model import Model, Stopped
from corels.model.checker import check_model
from corels.model.documents import document
from corels.model.recount import Evidence
from corels.options import check_all
from corels.plots.figure import Figure
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.costs import UNABLE
from corels.proof.check import check_proof
from corels.proof.records import header_line, number
from corels.run.solve import LIMITS, Result, knows, solve
from corels.search import Search, Sink, Solver, begun
from corels.tables import Dataset, TableOptions, as_columns, table_dataset
from corels.testing.parts import check_named

ROWS, LABEL = 40, "ill_1"
NODES = 5_000  # that a search without one of its parts may expand
MOST_FORGED = 60  # numbers of a proof that are changed, one at a time

Table = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Case:
    """A random table with true classes, the rows of it that are learned from, and the problem."""

    table: Table
    truth: Sequence[str]
    problem: Problem
    data: Dataset

    @property
    def evidence(self) -> Evidence:
        """What `corels check` counts."""
        return Evidence(self.table, self.truth, costs=self.data.costs)


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
    for seed in range(min(trials, 3)):
        _check_limits(solver(), random_case(seed), options)
        if solver().proof is not None:
            _check_proof(solver(), random_case(seed), options)
    if solver.has_path():
        _check_path(solver(), random_case(0), options)
    if "ablations" in solver.imported or solver.ablations is not Solver.ablations:
        _check_ablations(solver(), random_case(0), options)
    if solver().estimator() is not None:
        _check_estimator(solver())


def random_table(rng: np.random.Generator) -> dict[str, list[Any]]:
    """Columns of every kind, some values missing, and names that have to be escaped."""
    return {
        "size": [None if v == 0 else int(v) for v in rng.integers(0, 7, ROWS)],
        "col<our": [["it's", "b", None][v] for v in rng.integers(0, 3, ROWS)],
        "flag": [[0, 1, None][v] for v in rng.integers(0, 3, ROWS)],
        "a & b": [int(v) for v in rng.integers(0, 2, ROWS)],
    }


def random_case(seed: int, classes: int = 2) -> Case:
    """A table, classes that depend on it, and lambda = 1/20."""
    rng = np.random.default_rng(seed)
    table, names = random_table(rng), ["no", "yes", "may|be"][:classes]
    pairs = zip(table["size"], table["a & b"], strict=True)
    pattern = [(size or 0) // 3 + flag for size, flag in pairs]
    noise = rng.random(ROWS) < 0.2
    truth = [names[int(p + n) % classes] for p, n in zip(pattern, noise, strict=True)]
    return case_of(table, truth)


def case_of(table: Table, truth: Sequence[str], **options: Any) -> Case:
    """The problem of a table, with every condition that it has."""
    chosen = TableOptions(**{"min_support": 0.0, **options})
    data = table_dataset({**table, LABEL: truth}, LABEL, chosen)
    return Case(table, truth, Problem.from_dataset(data, "1/20"), data)


def records(table: Table) -> list[dict[str, Any]]:
    """A table as rows."""
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def by_python(model: Model, table: Table) -> list[Any]:
    """What the exported Python function says of each row."""
    space: dict[str, Any] = {}
    exec(model.to_python("guess"), space)
    return [space["guess"](row) for row in records(table)]


def check_uses(model: Model, table: Table) -> None:
    """Every use of a model says the same, and every format shows all that it asks."""
    *before, last = model.deciders()
    assert last.always, "the last decider has to hold for every row"
    assert not any(decider.always for decider in before), "only the last decider always holds"
    predicted, places = model.predict(table).tolist(), model.capturing(table).tolist()
    assert by_python(model, table) == predicted, "Python predicts something else"
    for language in registry().names("export"):
        _refused(partial(model.export, language))  # in a sentence, or it is written
    for row in range(0, len(predicted), 7):
        found = explain_row(model, table, row)
        assert (found.prediction, found.captured_by) == (predicted[row], places[row])
    assert np.allclose(model.predict_proba(table).sum(axis=1), 1)
    for antecedent in model.antecedents:
        assert str(antecedent) in model.to_text()
    for shown in (model.to_latex(), model.to_html(), model.to_markdown()):
        assert shown.count("\n") >= len(before), "a line for each decider"


def _check_learned(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    problem = case.problem
    result = solve(problem, family.name, **options)
    model, certificate = result.model, result.certificate
    assert isinstance(model, family.model_type())
    assert 0 <= certificate.lower_bound <= certificate.objective
    assert certificate.optimal == (certificate.stopped is Stopped.CERTIFIED)
    again = solve(problem, family.name, **options)
    assert (again.model, again.certificate.objective) == (model, certificate.objective), (
        "the same search gives the same model"
    )
    check_uses(model, case.table)
    assert model.training_weight == ROWS, "the deciders' counts add up to all rows"
    predicted = model.predict(case.table).tolist()
    assert model.errors == sum(p != t for p, t in zip(predicted, case.truth, strict=True))
    counted = model.counted_objective(certificate)
    assert counted in (None, certificate.objective), "its own counts cost something else"
    _check_document(family, case, result)


def _check_costs(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """Costs that the family says it knows are minimised and recounted, others refused."""
    known = family.knows_costs
    strange = set() if isinstance(known, bool) else set(known) - set(UNABLE)
    assert not strange, f"knows_costs names {sorted(strange)}: expected some of {[*UNABLE]}"
    plain = solve(case.problem, family.name, **options).certificate
    for place, (table, given) in enumerate(_costs_of(case)):
        priced = case_of(table, case.truth, **given)
        costs = priced.problem.costs
        assert costs is not None
        if not knows(family, costs.kinds):
            told = f"{sorted(costs.kinds)} are not refused in a sentence"
            assert _refused(partial(solve, priced.problem, family.name, **options)), told
            continue
        result = solve(priced.problem, family.name, **options)
        model, certificate = result.model, result.certificate
        assert model.outcomes is not None, "a model that was learned with costs has outcomes"
        counted = model.counted_objective(certificate)
        assert counted in (None, certificate.objective), "its own counts cost something else"
        check_uses(model, table)
        _check_document(family, priced, result)
        if not place and plain.optimal and certificate.optimal:
            told = "mistakes that cost 1 each are the errors"
            assert certificate.objective == plain.objective, told


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
    yield case.table, {"cost_matrix": [[1, 2], [3, 0]]}
    yield case.table, {"abstain": "0.2"}


def _check_document(family: Solver, case: Case, result: Result) -> None:
    """Written and read again; recounted; and what is wrong with it is noticed."""
    found = json.loads(json.dumps(document(result.model, result.certificate, case.problem)))
    assert family.load(found) == result.model, "a document is read as the model that it was"
    wrong = _broken(check_model(found, case.evidence, family))
    assert not wrong, f"`corels check` does not confirm {wrong}"
    changed = list(case.truth)
    changed[0] = next(label for label in set(case.truth) if label != changed[0])
    other = Evidence(case.table, changed)
    assert _broken(check_model(found, other, family)), "another class of a row is not noticed"
    objective = Fraction(found["certificate"]["exact"]["objective"]) + 1
    exact = {**found["certificate"]["exact"], "objective": str(objective)}
    forged = {**found, "certificate": {**found["certificate"], "exact": exact}}
    assert _broken(check_model(forged, case.evidence, family)), "a wrong objective is not noticed"
    entries: dict[str, Any] = {"schema": "nobody/else", "unknown": 1, "classes": [], "label": 3}
    for name, value in entries.items():
        told = f"{name} {value!r} is not refused"
        assert _refused(partial(family.load, {**found, name: value})), told


def _broken(findings: Sequence[Any]) -> set[str]:
    return {finding.what for finding in findings if not finding.holds}


def _refused(action: Any) -> bool:
    """Whether it raises an error of one sentence."""
    try:
        action()
    except CorelsError as error:
        assert str(error) and "\n" not in str(error)
        return True
    return False


def _check_three_classes(family: Solver, options: Mapping[str, Any]) -> None:
    """Three classes: a model, or a sentence."""
    case = random_case(2, classes=3)
    try:
        check_uses(solve(case.problem, family.name, **options).model, case.table)
    except (InputError, OptionError) as error:
        assert str(error) and "\n" not in str(error)


class _Press(Sink):
    """Ctrl-C before the first step."""

    def start(self, search: Search) -> None:
        signal.raise_signal(signal.SIGINT)


def _check_limits(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """A search that was stopped has a model and a bound that is true."""
    whole = solve(case.problem, family.name, **options)
    limits = [("time_limit", 0), ("node_limit", 0), ("node_limit", 1), ("node_limit", 3)]
    stopped = [
        solve(case.problem, family.name, **{name: value, **options}) for name, value in limits
    ]
    if threading.current_thread() is threading.main_thread():
        stopped.append(solve(case.problem, family.name, sinks=[_Press()], **options))
    for result in stopped:
        check_uses(result.model, case.table)
        if whole.certificate.optimal:
            assert result.certificate.lower_bound <= whole.certificate.objective, (
                "a search that was stopped claims too much"
            )
            assert result.certificate.objective >= whole.certificate.objective
        assert result.certificate.expanded <= whole.certificate.expanded
    chosen = check_all(family.options, options, family.name)
    search = begun(family.search(case.problem, chosen))
    search.interrupt()
    search.step(1)
    before = search.progress()
    assert before.lower_bound <= before.objective
    check_uses(search.model(), case.table)
    search.close()
    search.close()


def _check_proof(family: Solver, case: Case, options: Mapping[str, Any]) -> None:
    """What the proof shows is what the certificate says; no forged one shows more."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "found.proof"))
        certificate = solve(case.problem, family.name, proof=path, **options).certificate
        proof = opened(Path(path).read_bytes())
        here = case.problem.statement_like(certificate.statement)
        solve(case.problem, family.name, proof=path, node_limit=1, **options)
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
        return check_proof(proof, as_columns(case.table), case.truth, here, checker="python")
    except InputError as error:
        assert str(error) and "\n" not in str(error)
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
        assert found.interrupted is False, "nobody has interrupted the path"
        rows = found.to_rows()
        assert rows, "a path has a row for each model"
        told = {"to_rows": rows, "to_document": found.to_document()}
        for method, plain in told.items():
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
    found = {n: solve(case.problem, family.name, **limited, **of) for n, of in named.items()}
    whole = solve(case.problem, family.name, **limited, **options).certificate
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
    assert learner.get_params().keys() == kind().get_params().keys()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the table is small, that there is one class
        learner.fit(X, y)
        constant = kind().fit(X, ["only"] * ROWS)
    predicted = learner.predict(X)
    assert learner.certificate_.solver == family.name
    assert (pickle.loads(pickle.dumps(learner)).predict(X) == predicted).all()
    assert np.allclose(learner.predict_proba(X).sum(axis=1), 1)
    assert learner.apply(X).max() < len(learner._model.deciders())
    assert learner.score(X, y) == (predicted == y).mean()
    assert (constant.predict(X) == "only").all()
    assert constant.optimal_ and constant.objective_ == 0
