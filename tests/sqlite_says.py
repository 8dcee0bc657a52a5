"""What an exported SQL expression says of each row, in SQLite."""

import sqlite3


def run_sql(expression, table, rows=None, name="t"):
    """table: column name -> cells. rows: how many, if the table may have no columns."""
    count = len(next(iter(table.values()))) if rows is None else rows
    quoted = ["row_number", *('"' + column.replace('"', '""') + '"' for column in table)]
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE {name} ({', '.join(quoted)})")
    marks = ", ".join("?" * len(quoted))
    values = ([row, *(column[row] for column in table.values())] for row in range(count))
    database.executemany(f"INSERT INTO {name} VALUES ({marks})", values)
    found = database.execute(f"SELECT {expression} FROM {name} ORDER BY row_number").fetchall()
    assert database.execute(f"SELECT count(*) FROM {name}").fetchone() == (count,)
    return [value for (value,) in found]
