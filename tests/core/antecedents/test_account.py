"""What became of the columns: one line, and the true reason for each that is not used."""

import numpy as np
import pytest

from corels.errors import InputError
from corels.problem import Problem
from corels.tables import BinarizeOptions, TableOptions, as_columns, binarize, table_dataset
from corels.tables.deadline import Deadline

ROWS = 60
TABLE = {
    "id": list(range(100, 100 + ROWS)),
    "note": [f"text {at}" for at in range(ROWS)],
    "constant": ["x"] * ROWS,
    "empty": [None] * ROWS,
    "city": [f"city {at // 2}" for at in range(ROWS)],
    "day": [f"{1 + at % 28}/12/2024" for at in range(ROWS)],
    "size": ["1,234" if at % 2 else "7,5" for at in range(ROWS)],
    "age": [20 + at % 40 for at in range(ROWS)],
    "rare": [1] + [0] * (ROWS - 1),
}


def uses(**options):
    found = binarize(as_columns(TABLE), BinarizeOptions(min_support=0.1, **options))
    return found.use, {use.name: use for use in found.use.columns}


def test_every_unused_column_has_its_reason():
    use, by_name = uses()
    assert {name: one.unused for name, one in by_name.items()} == {
        "id": "every value differs",
        "note": "every value differs",
        "constant": "one value only",
        "empty": "no values",
        "city": "every value holds for fewer than 6 rows or more than 54",
        "day": "dates not in ISO form",
        "size": "",
        "age": "",
        "rare": "every condition on it holds for fewer than 6 rows or more than 54",
    }
    assert use.line().startswith("9 columns -> 8 antecedents; unused: id, note (every value diff")
    assert use.hints() == [
        "column 'day': write dates such as '1/12/2024' as 2024-12-31, or say which number is "
        "the day (--column 'day: written dmy', columns={'day': 'written dmy'})",
        "column 'size': '1,234' may mean two numbers: write them without separators of thousands; "
        "if commas stand before decimals, say so (--column 'size: written comma', "
        "columns={'size': 'written comma'})",
    ]


def test_what_is_no_clear_number_is_named():
    table = {"size": [f"1,{100 + at}" if at else "2000" for at in range(ROWS)]}
    use = binarize(as_columns(table), BinarizeOptions()).use.columns[0]
    assert use.unused == "not plain numbers"
    assert use.hint.startswith("'1,101' may mean two numbers: write them without")


def test_a_column_that_is_asked_for_as_names_is_used():
    _, by_name = uses(columns={"id": "as names"})
    assert by_name["id"].kind == "categories"


def test_no_antecedents_says_why_by_column():
    labels = [at % 2 for at in range(ROWS)]
    table = {name: TABLE[name] for name in ("id", "constant")} | {"label": labels}
    data = table_dataset(table, "label", TableOptions())
    with pytest.raises(InputError, match="id: every value differs; constant: one value only"):
        Problem.from_dataset(data)


def test_pace():
    told = []
    deadline = Deadline(0, lambda *said: told.append(said))
    assert deadline.expired() and deadline.left() == 0
    with pytest.raises(InputError, match="the time limit of 0 s was reached while reading x"):
        deadline.check("reading x")
    deadline.tell("rows", 1, 2)
    assert not told, "quick work is not worth a line"
    assert not Deadline().expired() and Deadline().left() is None
    with pytest.raises(InputError, match=r"made into antecedents \(0 of 9 done\)"):
        binarize(as_columns(TABLE), BinarizeOptions(), deadline=deadline)


@pytest.mark.parametrize("kind", ["conditions", "cuts"])
def test_a_column_of_many_conditions_says_how_far_it_is_and_ends_in_time(kind, monkeypatch):
    values = [f"city {at % 20:02}" for at in range(ROWS)] if kind == "conditions" else range(ROWS)
    columns = as_columns({"flag": [0, 1] * (ROWS // 2), "x": values})
    options, told = BinarizeOptions(min_support=0, cuts="all"), []
    deadline = Deadline(1e9, lambda *said: told.append(said), first=0, every=0)
    binarize(columns, options, deadline=deadline)
    assert any(w == "conditions on 'x' made into antecedents" and d <= t for w, d, t in told)
    monkeypatch.setattr(deadline, "expired", lambda share=1.0: "'x'" in told[-1][0])
    with pytest.raises(InputError, match="conditions on 'x' were made into antecedents"):
        binarize(columns, options, deadline=deadline)


def test_sparse_matrices_are_read_by_column():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.random.default_rng(0).integers(0, 2, (30, 4))
    for kind in (sparse.csr_matrix, sparse.csc_array):
        columns = as_columns(kind(dense))
        assert list(columns) == ["x0", "x1", "x2", "x3"]
        assert (np.stack([c.values for c in columns.values()], axis=1) == dense).all()
    twice = sparse.csr_matrix((np.ones(3), [0, 0, 0], [0, 2, 3]), shape=(2, 1))
    assert as_columns(twice)["x0"].values.tolist() == twice.toarray().ravel().tolist() == [2, 1]
    assert len(twice.data) == 3  # it is the caller's


def test_a_categorical_of_numbers_is_categories():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"zip": pd.Categorical([10, 20, 10, 20]), "x": [1, 2, 3, 4]})
    columns = as_columns(frame)
    assert columns["zip"].categories == (10, 20) and columns["x"].is_number
    names = [a.name for a in binarize(columns, BinarizeOptions(min_support=0)).antecedents]
    assert names[:2] == ["zip = 10", "zip = 20"]
