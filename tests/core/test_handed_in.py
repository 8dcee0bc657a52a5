"""Nothing that a search is handed is believed: rules are counted on the problem, or refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pandas as pd
import pytest

import corels
from corels import OptionError, Problem, Rule, RuleList, near, solve
from corels.problem import PlainRule
from corels.tables import load, table_dataset

SEARCHES = list(product(("c", "python"), ("depth-first", "best-first")))
A, B = ["y", "n"] * 20, ["y", "y", "n", "n"] * 10


def of(**columns):
    return Problem.from_dataset(table_dataset(columns, "label"))


@pytest.fixture(scope="module")
def other():
    """A problem that its first antecedent solves."""
    return of(a=A, b=B, label=["1", "0"] * 20)


@pytest.fixture(scope="module")
def here():
    return of(a=A, b=B, label=["1", "0", "0", "1"] * 10)


@pytest.mark.parametrize(("backend", "search"), SEARCHES)
def test_a_list_of_other_rows_is_counted_here(here, other, backend, search):
    how = {"backend": backend, "search": search}
    found = solve(here, incumbent=solve(other).model, **how).certificate
    assert found.objective == solve(here, **how).certificate.objective == Fraction(27, 100)


@pytest.mark.parametrize(("backend", "search"), SEARCHES)
def test_what_is_no_list_of_the_problem_is_refused_in_a_sentence(here, other, backend, search):
    best, how = solve(other).model, {"backend": backend, "search": search}
    strange = solve(of(c=A, label=["1", "0"] * 20)).model
    third = solve(of(a=A, label=["perhaps", "no"] * 20)).model
    for model, why in (
        (strange, "rule 1 of the model asks 'c = n', which is no antecedent of this problem"),
        (third, "rule 1 of the model says 'no' if "),
        (solve(other, "rule-set").model, "no rule list: its rule 1 is not one antecedent"),
    ):
        with pytest.raises(OptionError, match=why.replace("?", ".")):
            solve(here, incumbent=model, **how)
    begun = corels.plugins.registry().get("solver", "rule-list")().search(here, options(how))
    for rules, why in (
        (best.plain_rules()[:-1], "has no default rule"),
        ([], "has no default rule"),
        ([PlainRule("0"), PlainRule("1")], "its rule 1 is not one antecedent"),
    ):
        with pytest.raises(OptionError, match=why):
            begun.offer(rules)
    begun.close()


def options(how):
    from corels_rule_list.solver import RuleListSolver

    from corels.options import check_all

    return check_all(RuleListSolver.options, how, "a test")


@pytest.mark.parametrize(("backend", "search"), SEARCHES)
def test_counts_by_hand_are_not_read(here, backend, search):
    """Neither those of a rule, nor costs in another scale."""
    first = here.antecedents[0]
    model = RuleList((Rule(first, 1, (0, 20)),), Rule(None, 0, (20, 0)), here.classes)
    found = solve(here, incumbent=model, backend=backend, search=search, node_limit=0, start="none")
    assert found.certificate.objective == Fraction(1, 2) and found.model.errors == 20


def test_in_one_call_from_a_frame():
    table = pd.DataFrame({"a": [1, 0, 1, 0], "y": [1, 0, 0, 1]})
    known = corels.learn(table[:2], "y").model
    assert corels.learn(table, "y", incumbent=known).certificate.objective == Fraction(1, 2)


def test_good_lists_are_those_of_the_model_at_hand(here, other):
    result = solve(here)
    assert near(here, result=result).count == near(here).count
    cheap = replace(result.certificate, objective=Fraction(1, 100), lower_bound=Fraction(1, 100))
    with pytest.raises(OptionError, match="the model costs 27/100, its certificate says 1/100"):
        near(here, result=replace(result, certificate=cheap))
    with pytest.raises(OptionError, match=r"rule 1 of the model has the counts \[20, 0\]"):
        near(here, result=replace(result, model=solve(other).model))
    with pytest.raises(OptionError, match="of another problem: the rows are stated as 40, sha256"):
        near(here, result=solve(other))


@pytest.mark.parametrize("solver", ["rule-list", "falling", "softly-falling", "rule-set"])
def test_every_family_counts_or_refuses(here, other, solver):
    best = solve(here, solver).certificate.objective
    model = solve(other, solver).model
    assert solve(here, solver, incumbent=model).certificate.objective == best
    again = solve(here, solver).model
    kept = solve(here, solver, incumbent=again, node_limit=0)
    assert kept.certificate.objective == best  # it is taken, and not only read


def test_what_is_no_falling_list_or_no_set_of_this_form_is_refused(here, other):
    titanic = Problem.from_dataset(load("titanic"))
    rising = solve(titanic).model
    by_name = {a.name: n for n, a in enumerate(titanic.antecedents)}
    rising = RuleList.of(titanic, [by_name["sex = Male"], by_name["class = 1st"]])
    with pytest.raises(OptionError, match="the proportion of rule 2 is above the one before"):
        solve(titanic, "falling", incumbent=rising)
    sets = solve(other, "rule-set").model
    with pytest.raises(OptionError, match="no rule set of form 'cnf'"):
        solve(here, "rule-set", incumbent=sets, form="cnf")
    large = solve(titanic, "rule-set", complexity=9).model
    with pytest.raises(OptionError, match=r"complexity \d: expected at most 2"):
        solve(titanic, "rule-set", incumbent=large, complexity=2)


def test_constraints_refuse_a_list_that_breaks_them():
    table = {"a": A, "b": B, "group": ["u", "u", "v", "v"] * 10, "y": ["1", "0", "0", "0"] * 10}
    asked = {"constraints": "statistical-parity by group within 0"}
    free, kept = corels.learn(table, "y"), corels.learn(table, "y", **asked)
    with pytest.raises(OptionError, match="does not keep to the constraints"):
        corels.learn(table, "y", incumbent=free.model, **asked)
    again = corels.learn(table, "y", incumbent=kept.model, **asked)
    assert again.certificate.objective == kept.certificate.objective
