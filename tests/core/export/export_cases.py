"""Random models with tables for them: those of `corels.testing.check_export`, by hypothesis."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from corels.tables import as_columns
from corels.testing.exports import odd_case


def cases(*, sets=True):
    """(model, table, rows): text, numbers and 0/1 with missing values, and rules on them.

    sets: some deciders are sets of clauses.
    """

    def case(rng):
        model, table = odd_case(rng, sets=sets, points=sets)
        return model, table, len(next(iter(table.values())))

    return st.randoms(use_true_random=False).map(case)


relaxed = settings(suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def predictions(model, table, rows):
    return model.predict(as_columns(table)).tolist()


def records(table, rows):
    return [{name: values[row] for name, values in table.items()} for row in range(rows)]
