"""A trial of what a search is handed: models of other rows, other costs and other antecedents, with
their own counts or with false ones, to every family, both backends, and what is built on searches.

Each is counted on the problem at hand, so the optimum is that of the oracle; or it is refused,
which is right only if a rule or an outcome is none of the problem's.
"""

import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import demanded
import falling_helpers
import falling_oracle
import numpy as np
import rule_set_oracle
from tables import LAMBDAS, random_costs, random_table, random_weights

import corels
from corels import Problem, near, solve
from corels.errors import CorelsError, InfeasibleError, OptionError
from corels.tables.folds import stratified_folds, subset
from corels.testing.problems import dataset_of

BACKENDS, SEARCHES = ("c", "python"), ("depth-first", "best-first")
solves = 0


def solved(problem, solver="rule-list", **options):
    global solves  # noqa: PLW0603
    solves += 1
    return solve(problem, solver, **options)


def changed(rng, table):
    """(how, the table in another way): its rows, weights, labels, costs or antecedents."""
    how, other = (
        str(rng.choice(["same", "labels", "weights", "costs", "rules", "rows", "outcomes"])),
        {},
    )
    if how == "labels":
        other = {"labels": rng.permutation(table.labels)}
    elif how == "weights":
        other = {"weights": random_weights(rng, "small", len(table.labels))}
    elif how == "costs" and table.costs is not None:
        outcomes = replace(table.costs.outcomes, scale=int(rng.integers(1, 9)))
        amounts = rng.permutation(table.costs.amounts)
        other = {"costs": replace(table.costs, amounts=amounts, outcomes=outcomes)}
    elif how == "outcomes":
        other = {"costs": random_costs(rng, table.labels, table.classes)}
    elif how == "rules":
        other = {"captures": rng.random((int(rng.integers(1, 7)), len(table.labels))) < 0.5}
    elif how == "rows":
        some = np.sort(rng.integers(0, len(table.labels), len(table.labels)))
        other = {"captures": table.captures[:, some], "labels": table.labels[some]}
        other["costs"] = table.costs and table.costs.take(some)
        other["weights"] = None if table.weights is None else np.maximum(table.weights[some], 1)
    return how, replace(table, **other)


def doctored(rng, model):
    """A list with counts and costs that nobody has counted."""

    def false(rule):
        counts = tuple(map(int, rng.integers(0, 99, len(rule.counts))))
        costs = tuple(map(int, rng.integers(-9, 99, len(rule.costs))))
        right = None if rule.right is None else int(rng.integers(0, sum(counts) + 1))
        return replace(rule, counts=counts, costs=costs, right=right)

    return replace(model, rules=tuple(map(false, model.rules)), default=false(model.default))


def strange(problem, model):
    """Whether a rule of a list, or what it says, is none of the problem's."""
    names = {a.name for a in problem.antecedents} | {dropped for dropped, _ in problem.merged}
    outcomes = problem.outcomes.names
    says = [model.says[one] for one in model.said]
    if any(rule.antecedent.name not in names for rule in model.rules) or says[-1] not in outcomes:
        return True
    numbers = [problem.number_of(rule.antecedent) for rule in model.rules]
    free = ([outcomes[o] for o in np.flatnonzero(problem.says([n]))] for n in numbers)
    return any(said not in allowed for said, allowed in zip(says, free, strict=False))


def lists(rng):
    """Rule lists, on both backends and in both searches, and what is built on them."""
    table = random_table(rng, 5, 40)
    how, other = changed(rng, table)
    lam, most = str(rng.choice(LAMBDAS)), int(rng.integers(-1, 4))
    problem, best = table.problem(lam), table.optimum(lam, most)
    options = {} if most < 0 else {"max_rules": most}
    result = solved(other.problem(str(rng.choice(LAMBDAS))))
    false = rng.random() < 0.4
    model = doctored(rng, result.model) if false else result.model
    for backend in BACKENDS:
        search = str(rng.choice(SEARCHES))
        try:
            found = solved(problem, incumbent=model, backend=backend, search=search, **options)
        except OptionError:
            assert strange(problem, model), (how, backend)
        else:
            assert found.certificate.objective == best and found.certificate.optimal, (how, backend)
            assert found.model.objective(Fraction(lam)) == best, (how, backend)
        try:
            few = near(problem, within=0, backend=backend, result=replace(result, model=model))
        except OptionError:
            pass
        else:
            assert few.certificate.optimum == table.optimum(lam), (how, backend)
    way = str(rng.choice(["path", "resume", "none"]))
    if way == "path":
        path = corels.regularization_path(problem, lam)
        assert path.objective(lam) == table.optimum(lam), how
    if way == "resume":
        resumed(problem, other.problem(lam), table.optimum(lam))
    return {"table": "lists", "changed": how, "false counts": false, "way": way}


def folds(rng):
    """The lists of folds begin with lists of other lambdas, the last search with lists of folds."""
    table = random_table(rng, 4, 30)
    low = str(rng.choice(LAMBDAS[:-1]))
    data = table.data()
    if data.n_rows < 2:
        return {"table": "folds", "changed": "none"}
    parts = list(stratified_folds(data.labels, 2, 0))
    for train, _ in parts:
        weights = None if table.weights is None else table.weights[train]
        if weights is not None and not weights.any():
            return {"table": "folds", "changed": "none"}
        part = replace(
            table,
            captures=table.captures[:, train],
            labels=table.labels[train],
            weights=weights,
            costs=table.costs and table.costs.take(train),
        )
        path = corels.regularization_path(Problem.from_dataset(subset(data, train)), low)
        for lam in (low, str(path.high)):
            assert path.objective(lam) == part.optimum(lam), lam
    lam = corels.cross_validated(data, low, folds=len(parts)).regularization
    found = solved(table.problem(lam), incumbent=path.segments[-1].rule_list)
    assert found.certificate.objective == table.optimum(lam)
    return {"table": "folds", "backend": found.certificate.parts["backend"]}


def constrained(rng):
    """Lists under constraints begin with lists of other labels, under constraints or without."""
    made = demanded.random_constrained(rng)
    if made is None:
        return {"table": "constrained", "changed": "none"}
    problem, data = made
    best = demanded.best_by_force(data, problem, None)
    free = replace(data, labels=rng.permutation(data.labels), demands=None, costs=None)
    other = Problem.from_dataset(free, str(rng.choice(LAMBDAS)))
    how = str(rng.choice(["free", "false"]))
    model = solved(other).model
    model = doctored(rng, model) if how == "false" else model
    backend = str(rng.choice(BACKENDS))
    try:
        found = solved(problem, incumbent=model, backend=backend)
    except OptionError as error:
        broken = "does not keep to" in str(error) and not demanded.keeps(
            data, demanded.said_by(model, data)
        )
        assert broken or strange(problem, model), backend
    except InfeasibleError:
        assert best is None, backend
    else:
        assert found.certificate.objective == best and found.certificate.optimal, (how, backend)
    return {"table": "constrained", "changed": how, "feasible": best is not None}


def resumed(problem, other, best):
    """A search goes on from the proof of another one, or refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        proof = str(Path(folder, "p"))
        solved(other, proof=proof, node_limit=1)
        try:
            found = solved(problem, resume=proof)
        except CorelsError:
            assert other.statement() != problem.statement()
        else:
            assert found.certificate.objective == best


def falling(rng):
    """Falling and softly falling lists begin with lists of other rows."""
    soft = bool(rng.integers(2))
    here = falling_oracle.random_instance(rng, soft=soft, most=4)
    other = replace(here, labels=rng.permutation(here.labels))
    solver = "softly-falling" if soft else "falling"
    problem, prices = falling_helpers.problem_of(here), falling_helpers.prices_of(here)
    best, refused = falling_oracle.optimum(here), 0
    for given in (here, other):
        model = solved(falling_helpers.problem_of(given), solver, **prices).model
        try:
            found = solved(problem, solver, incumbent=model, **prices)
        except OptionError as error:
            assert given is other and "no falling rule list" in str(error), error
            refused += 1
        else:
            assert found.certificate.objective == best and found.certificate.optimal
    return {"table": solver, "refused": refused}


def sets(rng):
    """Rule sets of both forms begin with sets of other rows."""
    options = rule_set_oracle.random_options(rng)
    features = min(4, rule_set_oracle.random_features(rng, options))
    captures = rng.random((features, 14)) < 0.5
    labels = np.append(rng.integers(0, 2, 12), [0, 1])
    here, other = (
        Problem.from_dataset(dataset_of(captures, of), 0) for of in (labels, labels[::-1])
    )
    best = rule_set_oracle.best_objective(here, 1, options)
    for given in (here, other):
        model = solved(given, "rule-set", **options).model
        found = solved(here, "rule-set", incumbent=model, **options)
        certificate = found.certificate
        assert certificate.lower_bound <= best <= certificate.objective
        assert not certificate.optimal or certificate.objective == best
    return {"table": "rule-set", "form": options["form"]}


def run(rng):
    """One trial; what it tried. Raises AssertionError if anything is not as it must be."""
    kind = rng.choice([lists, falling, sets, folds, constrained], p=[0.6, 0.2, 0.1, 0.05, 0.05])
    return kind(rng)
