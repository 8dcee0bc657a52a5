"""Unsound and broken parts are found: by the contract suites, or by the run itself."""

import numpy as np
import pytest

import corels
from corels.errors import PluginError
from corels.tables import load
from corels.testing import check_bound, check_queue, check_symmetry_map


class Lookahead(corels.Bound):
    """Sound: Lemma 2."""

    name = "own-lookahead"
    summary = "drops a child if its cost and one more rule reach the incumbent"
    theorem = "Lemma 2"
    scope = "set"

    def keep(self, children, incumbent):
        return children.lower_bound + children.rule_cost < incumbent


class WrongForLongLists(Lookahead):
    name = "wrong-for-long-lists"
    scope = "prefix"

    def keep(self, children, incumbent):
        return children.length < 5


class WrongForManyRows(Lookahead):
    name = "wrong-for-many-rows"

    def keep(self, children, incumbent):
        if children.total <= 100:
            return children.length > 0
        return children.lower_bound + children.rule_cost + 3 * children.unit < incumbent


class TooTight(Lookahead):
    name = "too-tight"

    def keep(self, children, incumbent):
        return children.lower_bound + 2 * children.rule_cost < incumbent


class LooksAtThePrefix(Lookahead):
    name = "looks-at-the-prefix"

    def keep(self, children, incumbent):
        return children.length < 20


@pytest.mark.parametrize("bound", [WrongForLongLists, WrongForManyRows, TooTight])
def test_a_wrong_bound_is_found_and_the_case_is_small(bound):
    with pytest.raises(AssertionError, match="loses the optimum") as found:
        check_bound(bound, backends=["c"])
    text = str(found.value)
    points = [line for line in text.splitlines() if set(line.strip()) <= set("x. 0123456789")]
    assert 0 < len(points) <= 12, text
    assert "the best list, objective" in text and "certified with the bound" in text


def test_a_scope_that_is_not_true_is_found():
    with pytest.raises(AssertionError, match="looks at the prefix"):
        check_bound(LooksAtThePrefix)


class Raises(Lookahead):
    name = "raises"

    def keep(self, children, incumbent):
        raise ZeroDivisionError("none")


def queue_class():
    from corels_python.containers import HeapQueue

    return HeapQueue


def tree_class():
    from corels_python.containers import TreeCache

    return TreeCache


def map_class():
    from corels_python.containers import CapturedMap

    return CapturedMap


class DropsSome(queue_class()):
    name = "drops-some"

    def push(self, priorities, ids):
        super().push(priorities[1:], list(ids)[1:])


class Repeats(queue_class()):
    name = "repeats"

    def pop(self):
        node = super().pop()
        self.push(np.zeros(1), [node])
        return node


class Hides(queue_class()):
    name = "hides"

    def __len__(self):
        return max(0, super().__len__() - 1)


class KeepsAll(queue_class()):
    name = "keeps-all"

    def retain(self, alive):
        pass


class Breaks(queue_class()):
    name = "breaks"

    def ids(self):
        raise OSError("disk")


class Renumbers(tree_class()):
    name = "renumbers"

    def add(self, parent, antecedents, lower_bounds):
        ids = super().add(parent, antecedents, lower_bounds)
        return range(ids.start + 1, ids.stop + 1)


class Confuses(tree_class()):
    name = "confuses"

    def path(self, node):
        return super().path(node)[::-1]


class RefusesAll(map_class()):
    name = "refuses-all"

    def admit(self, keys, lower_bounds):
        return np.zeros(len(keys), dtype=bool)


class CallsAllStale(map_class()):
    name = "calls-all-stale"

    def stale(self, key, lower_bound):
        return True


class AnswersWithNumbers(map_class()):
    name = "answers-with-numbers"

    def admit(self, keys, lower_bounds):
        return super().admit(keys, lower_bounds).astype(int)


CONTAINERS = [
    ("queue", DropsSome),
    ("queue", Repeats),
    ("queue", Hides),
    ("queue", KeepsAll),
    ("queue", Breaks),
    ("cache", Renumbers),
    ("cache", Confuses),
    ("map", RefusesAll),
    ("map", CallsAllStale),
    ("map", AnswersWithNumbers),
]


@pytest.mark.parametrize(("kind", "part"), CONTAINERS, ids=lambda p: getattr(p, "name", p))
def test_a_container_that_loses_prefixes_is_found_in_the_run(kind, part):
    problem = corels.Problem.from_dataset(load("titanic"), "0.001")
    options = {"search": "best-first", "backend": "python", "start": "none", "policy": "dfs"}
    options |= {"no_bound": ("one_rule",), "map": "captured"}
    with pytest.raises(PluginError, match=f"{kind} '{part.name}'") as failed:
        corels.solve(problem, **{**options, kind: part})
    result = failed.value.result
    assert not result.certificate.optimal
    assert result.certificate.lower_bound <= result.certificate.objective


@pytest.mark.parametrize("part", [DropsSome, Hides, KeepsAll])
def test_the_suite_of_queues_finds_them_too(part):
    with pytest.raises(AssertionError):
        check_queue(part)


def test_the_suite_of_maps_finds_them_too():
    with pytest.raises(AssertionError):
        check_symmetry_map(RefusesAll)


def test_a_search_that_has_failed_never_says_that_it_is_done():
    from corels.plugins import registry
    from corels.problem import prepare
    from corels.search import Parts

    problem = corels.Problem.from_dataset(load("titanic"), "0.001")
    for search in ("best-first", "depth-first"):
        bounds = (Raises(),)
        if search == "depth-first":
            hierarchical = registry().get("bound", "hierarchical")
            bounds = (hierarchical(), Raises())
        parts = Parts(
            policy=registry().get("policy", "bfs")(), map="none", bounds=bounds, search=search
        )
        run = registry().get("backend", "python")().search(problem, prepare(problem), parts)
        for _ in range(3):
            with pytest.raises(PluginError, match="raises"):
                for _ in range(100):
                    run.step(1)
        assert run.progress().lower_bound <= run.progress().objective
        assert run.model() is not None


def test_a_proof_that_rests_on_a_part_from_elsewhere_says_so_first():
    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    found = corels.solve(problem, bound=Lookahead, no_bound="lookahead")
    where = f"bound own-lookahead given as a class in {__name__}"
    for said in (str(found), found._repr_html_()):
        proven = f"Certified optimal if the {where} is right: no rule list is better"
        assert proven in " ".join(said.split())
