"""Proofs of other families on the command line and from the estimators."""

import json

import numpy as np
import pytest
from called import code as called
from corels_colgen import RuleSetClassifier
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier

from corels import RuleListClassifier
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import MOST_THREADS, check_proof, format_of, same_model
from corels.errors import InputError, OptionError
from corels.model import Clause, Decider, ListedModel
from corels.tables import Antecedent, Condition
from corels.tables.column import as_column

FALLING = ["--dataset", "titanic", "--solver", "falling", "--rule-cost", "0.001"]
FALLING_LISTS = (FallingRuleListClassifier, SoftlyFallingRuleListClassifier)
ESTIMATORS = (RuleListClassifier, RuleSetClassifier, *FALLING_LISTS)
SETS = ["--dataset", "titanic", "--solver", "rule-set", "--complexity", "8"]


def test_the_option_of_threads_has_the_checkers_range(capsys):
    assert called("check", "m.json", "--proof", "p", "--threads", MOST_THREADS + 1) == 2
    assert f"--threads is '257': expected a whole number from 1 to {MOST_THREADS}" in (
        capsys.readouterr().err
    )


def run(*arguments):
    return called("run", *arguments, "--quiet")


def checked(model, proof, capsys, *more):
    capsys.readouterr()
    code = called("check", model, "--dataset", "titanic", "--proof", proof, *more)
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def written(directory, *typed):
    """The model and the proof of a run."""
    model, proof = directory / "own.json", directory / "own.proof"
    assert run(*typed, "--proof", proof, "--output", model) == 0
    return model, proof


def refused(model, proof, capsys):
    """What is said of a model beside the proof of another one."""
    code, said = checked(model, proof, capsys)
    assert code == 6
    return said


@pytest.mark.parametrize("typed", [FALLING, SETS, [*FALLING, "--max-rules", "1"]])
def test_write_and_check(typed, tmp_path, capsys):
    model, proof = tmp_path / "m.json", tmp_path / "p.gz"
    assert run(*typed, "--proof", str(proof), "--output", str(model)) == 0
    code, said = checked(model, proof, capsys)
    assert code == 0, said
    assert "proved: the lower bound" in said


def test_the_proof_of_another_model_is_refused(tmp_path, capsys):
    _, proof = written(tmp_path, *FALLING)
    assert run(*FALLING, "--max-rules", "0", "--output", tmp_path / "m.json") == 0
    said = refused(tmp_path / "m.json", proof, capsys)
    assert 'the limits are stated as none, and here {"max_rules": 0}' in said


def test_other_prices_are_told(tmp_path, capsys):
    model, proof = written(tmp_path, *SETS)
    document = json.loads(model.read_text())
    document["certificate"]["extra"]["penalty_clause"] = "1/100"
    model.write_text(json.dumps(document))
    assert "penalty_clause is 0, and the model says 1/100" in refused(model, proof, capsys)


LIMITED = (
    ["--complexity", "8"],
    ["--complexity", "9"],
    ["--complexity", "8", "--max-conditions", "2"],
    ["--complexity", "15"],
    [],
)


def test_a_proof_for_other_limits_is_refused(tmp_path, capsys):
    """Also if both found the same rule set. Without a limit there is one of 15."""
    data = ["--dataset", "titanic", "--solver", "rule-set"]
    for number, limits in enumerate(LIMITED):
        files = ["--proof", tmp_path / f"{number}.p", "--output", tmp_path / f"{number}.json"]
        assert run(*data, *limits, *files) == 0
    for one in range(len(LIMITED)):
        for other in {one, (one + 1) % 5, (one + 3) % 5}:
            code, said = checked(tmp_path / f"{one}.json", tmp_path / f"{other}.p", capsys)
            same = one == other or {one, other} == {3, 4}
            assert (code == 0) is same, said
            assert ("about another problem: the limits are" in said) is not same
    assert "a complexity of at most 15 of conjunctions" in said


def test_a_proof_of_soft_lists_is_none_of_hard_ones(tmp_path, capsys):
    soft = ["softly-falling" if word == "falling" else word for word in FALLING]
    own, proof = written(tmp_path, *soft, "--violation-cost", "0.9")
    assert run(*FALLING, "--output", tmp_path / "m.json") == 0
    assert checked(own, proof, capsys)[0] == 0
    said = refused(tmp_path / "m.json", proof, capsys)
    assert "violation_cost is 9/10, and the model says nothing of it" in said


def test_a_proof_of_another_family_is_one_sentence(tmp_path, capsys):
    own, falling = written(tmp_path, *FALLING)
    model, proof = tmp_path / "list.json", tmp_path / "list.proof"
    assert run("--dataset", "titanic", "--proof", proof, "--output", model) == 0
    for one, other, of, not_of in (
        (model, falling, "falling rule list", "rule list"),
        (own, proof, "rule list", "falling rule list"),
    ):
        code, said = checked(one, other, capsys)
        assert code == 2
        assert f"{other}: this is the proof of a {of}, and the model is a {not_of}" in said
        assert said.count("\n") == 1


def test_a_softly_falling_list_is_called_so(capsys):
    soft = ["softly-falling" if word == "falling" else word for word in FALLING]
    assert called("run", *soft) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "Certified optimal: no softly falling rule list is better" in said


def test_wrong_use_is_one_sentence(tmp_path, capsys):
    model, proof = tmp_path / "m.json", tmp_path / "p"
    assert run(*SETS, "--proof", str(proof), "--output", str(model)) == 0
    assert called("proof", proof, "--dataset", "titanic") == 2
    assert "nothing to show of a proof of family 'rule-set'" in capsys.readouterr().err
    assert run(*SETS, "--resume", str(proof)) == 2
    assert "a search of family 'rule-set' cannot be resumed" in capsys.readouterr().err
    assert (
        called("check", model, "--dataset", "titanic", "--proof", proof, "--time-limit", "x") == 2
    )
    assert "expected a number" in capsys.readouterr().err
    with pytest.raises(InputError, match="unknown family 'tree'"):
        format_of(opened(proof.read_bytes().replace(b'"rule-set"', b'"tree"')))


def test_the_time_limit_ends_a_check(tmp_path, capsys):
    model, proof = tmp_path / "m.json", tmp_path / "p.gz"
    lists = ["--dataset", "titanic", "-r", ".003"]
    for typed, checker in ((FALLING, "python"), (SETS, "python"), (lists, "python"), (lists, "c")):
        assert run(*typed, "--proof", str(proof), "--output", str(model)) == 0
        code, said = checked(model, proof, capsys, "--time-limit", "0", "--checker", checker)
        assert code == 3
        assert "open   proof: the time limit of 0 s was reached" in said
        assert "the proof was not checked to its end" in said
        assert checked(model, proof, capsys, "--time-limit", "60")[0] == 0
        assert checked(model, proof, capsys, "--checker", "c")[0] == (0 if typed is lists else 2)


def test_other_rows_are_not_shown(tmp_path, capsys):
    """Costs that are counted from other rows, or other weights of them, are no proof's."""
    pytest.importorskip("polars")
    rows = [f"{at % 4},{at % 3 + 1},{'yes' if at % 4 > 1 else 'no'}" for at in range(40)]
    table, other, proof = tmp_path / "t.csv", tmp_path / "other.csv", tmp_path / "p.proof"
    table.write_text("\n".join(["a,w,y", *rows]) + "\n")
    other.write_text("\n".join(["a,w,y", "3,1,no", *rows[1:]]) + "\n")
    assert run(str(table), "--label", "y", "--proof", str(proof), "--weight", "w") == 0
    capsys.readouterr()
    assert called("proof", proof, table) == 2
    assert "which weigh 79, than these, which weigh 40: expected" in capsys.readouterr().err
    assert called("proof", proof, table, "--weight", "w") == 0
    assert called("proof", proof, other, "--weight", "w") == 2
    assert "the proof is about other rows, which weigh" in capsys.readouterr().err


def test_estimators_write_proofs(tmp_path):
    random = np.random.default_rng(0)
    table = random.integers(0, 2, (60, 4))
    labels = ((table[:, 0] & table[:, 1]) | (random.random(60) < 0.2)).astype(int)
    columns = {f"x{j}": as_column(f"x{j}", table[:, j]) for j in range(4)}
    for kind in ESTIMATORS:
        path = tmp_path / f"{kind.__name__}.gz"
        model = kind(proof=path).fit(table, labels)
        content = path.read_bytes()
        here = opened(content).header  # the estimator has made its antecedents by itself
        shown = check_proof(content, Table(columns, labels.tolist()), here)
        assert shown.failure is None
        assert shown.lower_bound == model.certificate_.lower_bound == shown.objective
        assert kind(proof=path).fit(table, np.zeros(60, int)).objective_ == 0
        with pytest.raises(OptionError, match="proof is 7: expected a path, or None"):
            kind(proof=7).fit(table, labels)


def clause(column):
    return Clause((Antecedent.of(Condition(column, "true")),), "and", (1, 1))


def sets(*of):
    """A model of sets of clauses: (class, columns) each, and what is left."""
    listed = [Decider(says, (1, 1), tuple(map(clause, columns)), "any") for says, columns in of]
    return ListedModel((*listed, Decider.rule(None, 0, (1, 1))), ("no", "yes"))


def stated(*columns):
    """Clauses as a proof's verdict has them."""
    return [[[{"column": column, "operator": "true"}]] for column in columns]


def test_the_model_of_a_proof_may_be_of_any_sets():
    """Also of several that say the same class, if their order counts."""
    one, three = sets((1, "ab")), sets((1, "ab"), (0, "c"), (1, "de"))
    assert same_model({"yes": stated(*"ab")}, one).holds
    assert same_model([{"yes": stated(*"ab")}], one).holds
    assert not same_model({"yes": stated("a")}, one).holds
    assert not same_model([antecedent for (antecedent,) in stated(*"ab")], one).holds
    whole = [{"yes": stated(*"ab")}, {"no": stated("c")}, {"yes": stated(*"de")}]
    assert same_model(whole, three).holds
    assert not same_model([whole[2], whole[1], whole[0]], three).holds
    assert not same_model({"yes": stated(*"de"), "no": stated("c")}, three).holds
    rules = sets((1, "a"), (0, "b"))
    assert same_model([antecedent for (antecedent,) in stated(*"ab")], rules).holds
    assert not same_model(None, rules).holds and same_model([], sets()).holds
    assert not same_model(None, one).holds  # a proof without a model


def test_columns_that_only_the_proof_asks_are_read_as_described(tmp_path, capsys):
    """Of a column that is described as numbers half of the cells may be none."""
    pytest.importorskip("polars")
    odd = [
        f"{at % 2},{at % 5 if at % 3 else 'odd'},{'yes' if at % 2 else 'no'}" for at in range(60)
    ]
    table, model, proof = tmp_path / "t.csv", tmp_path / "m.json", tmp_path / "p.proof"
    table.write_text("\n".join(["a,n,y", *odd]) + "\n")
    typed = ("--label", "y", "--column", "n: as numbers", "-o", str(model), "--proof", str(proof))
    assert run(str(table), *typed) == 0
    assert "if a then" in " ".join(capsys.readouterr().out.split())
    for checker in ("python", "c"):
        assert called("check", model, table, "--proof", proof, "--checker", checker) == 0
