"""Compare two files of measurements:  python -m benchmarks.compare OLD.json NEW.json

A line a case: user time, expansions and peak memory of the new file over those of the old one. A
case that found another objective, or lost its certificate, is marked and makes the exit code 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Rows = dict[str, dict[str, Any]]


def read(path: str) -> Rows:
    """Case -> row of one file; cases that were skipped are left out."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    return {row["case"]: row for row in document["cases"] if "skipped" not in row}


def verdict(old: dict[str, Any], new: dict[str, Any]) -> str:
    """What is wrong with the new row, or nothing."""
    if old["optimal"] and not new["optimal"]:
        return "NO LONGER CERTIFIED"
    if old["optimal"] and new["optimal"] and old["objective"] != new["objective"]:
        return "ANOTHER OBJECTIVE"
    return ""


def compare(old: Rows, new: Rows) -> tuple[list[str], bool]:
    """Lines to print, and whether something is wrong."""
    lines = [f"{'case':<22}{'time':>9}{'expanded':>10}{'memory':>9}   old -> new user time"]
    wrong = False
    for case in old.keys() & new.keys():
        before, after = old[case], new[case]
        problem = verdict(before, after)
        wrong |= bool(problem)
        lines.append(
            f"{case:<22}"
            f"{after['user_seconds'] / max(before['user_seconds'], 1e-9):8.2f}x"
            f"{after['expanded'] / max(before['expanded'], 1):9.2f}x"
            f"{after['peak_memory'] / max(before['peak_memory'], 1):8.2f}x"
            f"   {1e3 * before['user_seconds']:.1f} -> {1e3 * after['user_seconds']:.1f} ms"
            f"   {problem}".rstrip()
        )
    return lines[:1] + sorted(lines[1:]), wrong


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python -m benchmarks.compare OLD.json NEW.json")
    lines, wrong = compare(read(sys.argv[1]), read(sys.argv[2]))
    print("\n".join(lines))
    sys.exit(int(wrong))


if __name__ == "__main__":
    main()
