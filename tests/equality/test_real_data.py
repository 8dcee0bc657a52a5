"""Real data: the objectives and lists of the literature, certified on both backends."""

import pytest
from shared_data import SHARED, needs_shared

import corels
from corels.tables import TableOptions, read_rules, table_dataset
from corels.testing import check_result, recorded


@pytest.fixture(scope="module")
def compas_train():
    return read_rules(SHARED / "corels_format" / "compas_train.out")


@needs_shared
@pytest.mark.parametrize(
    ("backend", "lam", "objective"),
    [
        ("c", "0.02", 0.38446),
        ("c", "0.015", 0.37797),
        ("c", "0.01", 0.36797),
        ("c", "0.005", 0.34809),
        ("python", "0.02", 0.38446),
    ],
)
def test_compas_objectives(compas_train, backend, lam, objective):
    problem = corels.Problem.from_dataset(compas_train, lam)
    result = corels.solve(problem, backend=backend)
    check_result(problem, result)
    assert result.certificate.optimal
    assert round(float(result.certificate.objective), 5) == objective


@needs_shared
@pytest.mark.parametrize(
    ("lam", "options"),
    [
        ("0.02", {"policy": "curiosity", "no_bound": ("leaves", "prices")}),
        ("0.03", {"preset": "paper"}),
        ("0.02", {"no_bound": ("leaves", "prices")}),
        (
            "0.02",
            {"search": "depth-first", "policy": "curiosity", "no_bound": ("leaves", "prices")},
        ),
    ],
)
def test_both_backends_visit_the_same_prefixes(compas_train, lam, options):
    problem = corels.Problem.from_dataset(compas_train, lam)
    c, c_events = recorded(problem, backend="c", **options)
    python, python_events = recorded(problem, backend="python", **options)
    assert c_events.tobytes() == python_events.tobytes()
    assert c.certificate.pruned == python.certificate.pruned


@needs_shared
def test_the_list_of_the_paper():
    """JMLR 2018, Figure 3: age, sex and priors (data: all 6,907 rows, lambda = 0.005)."""
    options = TableOptions(max_cardinality=2, min_support=0.005)
    data = table_dataset(SHARED / "clean" / "compas_jmlr.csv", "label", options)
    result = corels.solve(corels.Problem.from_dataset(data, "0.005"))
    assert result.certificate.optimal
    assert [str(rule.antecedent) for rule in result.model.rules] == [
        "priors = >3",
        "sex = Male and age = 18-20",
        "age = 21-22 and priors = 2-3",
    ]


def _problem(room, name, regularization, **options):
    data = table_dataset(SHARED / room / name, "label", TableOptions(**options))
    return corels.Problem.from_dataset(data, regularization)


@pytest.mark.slow
@needs_shared
def test_no_pass_leaps_to_the_incumbent_because_new_tables_made_the_last_one_cheap():
    problem = _problem("binary", "osdt_diabetes.csv.gz", "0.01")
    stopped = corels.solve(problem, node_limit=55_000).certificate
    assert stopped.lower_bound > 0.16, "it was .136, and after ten times as many nodes, too"


@needs_shared
def test_price_tables_of_few_points_that_save_little_make_room_for_stronger_ones():
    problem = _problem("binary", "osdt_car_evaluation.csv", "0.01", max_cardinality=2)
    certificate = corels.solve(problem).certificate
    assert certificate.optimal
    assert certificate.expanded < 150_000, "it was 462,132: the second tables were never made"


@needs_shared
def test_the_first_price_tables_of_many_points_are_small():
    certificate = corels.solve(_problem("clean", "magic_gamma.csv.gz", "0.01")).certificate
    assert certificate.optimal
    assert certificate.peak_memory < 12e6, "18 MB and three times the time with two covers of 12"
