"""What problem each table of ../shared/data is with default options, in short.

    python tests/golden/statements.py        writes statements.json anew

The file was written by version 1.2.0 (commit c910b0e0), before columns had descriptions: with
default options a table is the same problem as then; but whole numbers of conditions have been ints
since, which changed the hashes of nine tables. What differs on purpose is named in
`test_statements.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data"
KEPT = HERE / "statements.json"


def tables() -> Iterator[str]:
    """The tables and rule files, by their path in the folder."""
    for path in sorted(DATA.rglob("*")):
        if path.name.endswith((".csv", ".csv.gz", ".parquet", ".out")):
            yield path.relative_to(DATA).as_posix()


def stated(name: str) -> dict[str, Any]:
    """The statement of a table's problem, with hashes; the label is the column `label`, or the last
    one."""
    from corels import Problem
    from corels.problem.statement import in_short
    from corels.tables import read_rules, table_dataset
    from corels.tables.frame import columns_of

    path = str(DATA / name)
    if name.endswith(".out"):
        dataset = read_rules(path, path.removesuffix("out") + "label")
    else:
        columns = list(columns_of(path))
        dataset = table_dataset(path, "label" if "label" in columns else columns[-1])
    found: dict[str, Any] = in_short(Problem.from_dataset(dataset, "0.01").statement())
    return {name: found[name] for name in ("label", "classes", "antecedents", "rows")}


def main() -> None:
    found = {}
    for name in tables():
        try:
            found[name] = stated(name)
        except ValueError as error:
            found[name] = {"refused": str(error).replace(str(DATA), "")}
        print(name, found[name].get("antecedents", found[name]))
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
