"""What each mechanism of the engine is worth:  python -m benchmarks mechanisms [NAME ...] [options]

Each search of the common set runs with one thread as it is and with each mechanism switched off, in
turns; a cell is *without, as a multiple of with*: expansions e, which repeat exactly, and user time
t (the least of `--runs`, on a busy machine good to 15%). A search that is not over after five
times the time counts with what it took by then, and is marked as open. Results go to `--output`
after each search. `--page` writes docs/internals/mechanisms.md from results and from the tree,
whose lines are counted; `--page` alone measures nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import kept
from benchmarks.common_set import SETS, Search, mean, ratios, searches
from benchmarks.limits import Row, own_process

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = ROOT.parent / "shared" / "data"
GENERATED = HERE / "instances"
RESULTS = HERE / "mechanisms.json"
PAGE = ROOT / "docs" / "internals" / "mechanisms.md"
ENGINE = ROOT / "backends" / "c" / "src"
CODE = {".c", ".h", ".def", ".py", ".js", ".html", ".css"}
GROUPS = ("W1", "W2", "W3", "W4", "W5")


@dataclass(frozen=True)
class Mechanism:
    """One row of the page.

    files: patterns below the engine's folder; each file belongs to one mechanism. off: how a search
    goes without (see `common_set.solve_once`), or None, and then `why` says what it is for.
    tuning: prefixes of the tuning values that are its own. bounds, kernels: by name.
    """

    name: str
    files: tuple[str, ...] = ()
    off: Row | None = None
    why: str = ""
    tuning: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()

    def paths(self) -> list[Path]:
        """Its files."""
        found = (path for pattern in self.files for path in sorted(ENGINE.glob(pattern)))
        return [path for path in found if path.suffix in CODE]

    def lines(self) -> int:
        """Of its files."""
        return sum(count_lines(path) for path in self.paths())


def without(*bounds: str) -> Row:
    """A search without these bounds."""
    return {"options": {"no_bound": list(bounds)}}


def tuned(**values: float) -> Row:
    """A search with other tuning values."""
    return {"options": {"tune": values}}


def bound(name: str, *files: str, why: str = "", tuning: tuple[str, ...] = ()) -> Mechanism:
    """A bound that is switched off by its name; with `why` it is not switched off."""
    off = None if why else without(name)
    places = files or (f"bounds/{name}.c",)
    return Mechanism(f"`{name}`", places, off, why, tuning, bounds=(name,))


PAPER = "a bound of the paper in original weights: part of best-first with `--preset paper` only"
MECHANISMS = (
    Mechanism(
        "`prices`",
        ("prices/*", "bounds/prices.c", "bounds/price_stages.*", "kernels/price*"),
        without("prices"),
        tuning=("prices", "effort_prices"),
        bounds=("prices",),
    ),
    Mechanism(
        "retraining of prices",
        (),
        tuned(effort_retraining=0),
        tuning=("sampled", "effort_retraining"),
    ),
    Mechanism(
        "trials of dropped children",
        ("search/depth_first/trials.c",),
        tuned(effort_trials=0),
        tuning=("tables", "effort_trials"),
    ),
    Mechanism(
        "tables: scheduler, effort, views, tables of others",
        (
            "search/scheduler.c",
            "base/effort.*",
            "bounds/tables.h",
            "bounds/foreign_tables.c",
            "search/depth_first/views.c",
        ),
        why="`prices` and bounds with tables of plugins, such as `leaf_bound`, rest on it",
    ),
    Mechanism(
        "deepening",
        ("search/depth_first/deepen.c", "search/depth_first/settled.c"),
        tuned(effort_deepening=0),
        tuning=("deepen", "settled", "effort_deepening"),
    ),
    Mechanism(
        "improver",
        ("search/improve.*", "search/rounds.c", "search/insert.c"),
        tuned(effort_improver=0),
        tuning=("improve", "effort_improver"),
    ),
    Mechanism(
        "beam, and with it the improver",
        ("search/start.c",),
        {"options": {"start": "none"}},
        tuning=("beam",),
    ),
    Mechanism(
        "memo", ("search/depth_first/memo.*",), {"options": {"map": "none"}}, tuning=("memo",)
    ),
    Mechanism(
        "columns of rules",
        ("search/depth_first/rule_columns.c", "counter/within.c"),
        tuned(rule_columns_points=1e9),
        tuning=("rule_columns",),
    ),
    bound("dominance"),
    Mechanism(
        "`one_rule`, and closing without a count",
        ("bounds/last_rule.c",),
        without("one_rule"),
        tuning=("last_rule",),
        bounds=("one_rule",),
    ),
    bound("reduced_support"),
    bound("lookahead"),
    bound("support", why=PAPER),
    bound("accurate_support", why=PAPER),
    bound("upper_support", why=PAPER),
    bound("prefix_length", why="best-first only: it needs the prefix"),
    Mechanism("`rejection`", why="best-first only: it needs the prefix", bounds=("rejection",)),
    Mechanism(
        "`hierarchical`, `equivalent_points`, and what all bounds share",
        (
            "bounds/hierarchical.c",
            "bounds/bounds.*",
            "bounds/node.*",
            "bounds/paper.h",
            "bounds/sort.*",
            "bounds/table.c",
        ),
        why="depth-first counts by them; it does not go without",
        bounds=("hierarchical", "equivalent_points"),
    ),
    Mechanism("kernels `avx512`", ("kernels/avx512.c",), {"kernel": "avx2"}, kernels=("avx512",)),
    Mechanism(
        "kernels `avx2`, and those above",
        ("kernels/avx2.c",),
        {"kernel": "popcnt"},
        kernels=("avx2",),
    ),
    Mechanism(
        "kernels `popcnt`, and those above",
        ("kernels/popcnt.c",),
        {"kernel": "portable"},
        kernels=("popcnt",),
    ),
    Mechanism(
        "kernels `neon`", ("kernels/neon.c",), why="ARM; checked by emulation", kernels=("neon",)
    ),
    Mechanism(
        "kernels in plain C, and what all share",
        (
            "kernels/portable.c",
            "kernels/carry_save.h",
            "kernels/counts.h",
            "kernels/cut.c",
            "kernels/dispatch.c",
            "kernels/kernel.h",
            "kernels/scalar.h",
            "kernels/scan.h",
            "kernels/squeeze.h",
        ),
        why="every processor",
        kernels=("portable",),
    ),
    Mechanism(
        "counter",
        ("counter/counter.*", "counter/planes.c", "base/digits.*"),
        why="counts all antecedents of a set in one pass",
    ),
    Mechanism(
        "several threads",
        ("search/depth_first/share.c", "base/team.*", "base/threads.*"),
        why="`--threads`: the figures here are of one thread",
        tuning=("share",),
    ),
    Mechanism(
        "the depth-first walk",
        (
            "search/depth_first/depth_first.h",
            "search/depth_first/walk.c",
            "search/depth_first/walk_from.*",
            "search/depth_first/expand.c",
            "search/depth_first/children.c",
            "search/depth_first/frames.c",
            "search/depth_first/frontier.c",
            "search/depth_first/lower_bound.c",
            "search/depth_first/memory.c",
        ),
        why="the loop itself",
        tuning=(),
    ),
    Mechanism(
        "best-first",
        ("search/best_first/*",),
        why="the search of the paper, for research on scheduling",
    ),
    Mechanism(
        "what both searches share",
        (
            "search/api.c",
            "search/children.c",
            "search/choose.c",
            "search/events.*",
            "search/expand.*",
            "search/filter.c",
            "search/incumbent.*",
            "search/instance.c",
            "search/ask_bound.c",
            "search/policies.c",
            "search/report.c",
            "search/search.h",
            "search/worker.c",
            "base/bits.h",
            "base/classes.h",
            "base/control.*",
            "base/memory.c",
            "base/numbers.h",
            "base/tuning.*",
        ),
        why="the steps of a search",
    ),
    Mechanism(
        "proofs",
        (
            "search/proof.c",
            "search/depth_first/proof.c",
            "search/depth_first/claims.c",
            "base/record.*",
        ),
        why="`--proof`: a file that others check",
    ),
    Mechanism(
        "near",
        ("near/*",),
        why="`corels near`: all good lists, and questions about them",
        tuning=("near",),
    ),
)

OUTSIDE = (
    ("reading tables, conditions, mining", "corels/tables", "`benchmarks.reading`: seconds a file"),
    ("rows as exact numbers, equal rows as one", "corels/problem", "`benchmarks.rows`"),
    ("driving a search: limits, Ctrl-C, listeners", "corels/run", "`compas .02` as a whole: ms"),
    ("what policies, bounds and backends are", "corels/search", "the hooks"),
    ("models, certificates, their files", "corels/model", "`predict`, `show`"),
    ("models in words", "corels/export", "`explain-row`, LaTeX, HTML"),
    ("proofs as files", "corels/proof", "`benchmarks.proofs`"),
    ("checking models and proofs", "corels/check", "`check`"),
    ("the command line", "corels/cli", "`benchmarks.commands`: seconds a command"),
    ("learning from Python", "corels/learning", "`corels.learn`"),
    ("what estimators share", "corels/sklearn", "scikit-learn's interface"),
    ("watching a model on new rows", "corels/monitor", "`monitor`"),
    ("pictures", "corels/plots", "`plot`"),
    ("contract suites for authors", "corels/testing", "`corels check-plugin`"),
    ("the teaching backend", "backends/python", "the same search in 1,900 lines, equal traces"),
    ("the compiled checker", "backends/checker", "`benchmarks.proofs`: plain checker 1.0"),
    ("rule lists", "plugins/rule_list", "a family"),
    ("falling rule lists", "plugins/falling", "a family"),
    ("Boolean rule sets", "plugins/rule_set", "a family; `benchmarks.rule_sets`"),
    ("lists of at most so many rules", "plugins/leaf_bound", "[study](../studies/leaf-bound.md)"),
    ("further policies", "plugins/policies", "[study](../studies/search.md#policies-measured)"),
    ("models in other languages", "plugins/languages", "SQL, JavaScript, ONNX, PMML, DMN"),
    ("reports and the server", "plugins/page", "`report`, `serve`"),
    ("comparing and evaluating", "plugins/workbench", "`compare`, `ablate`, `evaluate`, `plot`"),
    ("the old package under its old names", "plugins/classic", "`corels-classic`"),
    ("rows on a cluster", "plugins/dask", "columns beyond one machine's memory"),
    ("a plugin to begin with", "plugins/template", "`new-plugin`"),
)
"""What it is, its folder, and what measures it or would be missing without it."""


def count_lines(path: Path) -> int:
    """Of one file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def lines_below(folder: str) -> int:
    """Of all code in a folder of the project."""
    found = (path for path in (ROOT / folder).rglob("*") if path.suffix in CODE)
    return sum(count_lines(path) for path in found if path.is_file())


def measure(search: Search, mechanisms: Iterable[Mechanism], options: argparse.Namespace) -> Row:
    """One search in a process of its own, with each mechanism and without."""
    variants = {each.name: each.off for each in mechanisms if each.off is not None}
    command = ["benchmarks", "mechanisms", "--once", search.name, json.dumps(variants)]
    command += [str(options.runs), str(options.data), str(options.generated)]
    found = own_process(command, 15.0 * (1 + len(variants)) * options.runs)
    return {"search": search.name, "group": search.group, **found}


def cell(rows: list[Row], name: str) -> str:
    """Means of expansions and time over some searches, and how many were open without."""
    found = [row for row in rows if name in row.get("runs", {})]
    if not found:
        return ""
    open_now = sum(
        row["runs"][""]["certified"] and not row["runs"][name]["certified"] for row in found
    )
    says = f"{mean(ratios(found, name, 'expanded')):.2f}e {mean(ratios(found, name, 'user')):.2f}t"
    return says + (f", {open_now} open" if open_now else "")


def largest(rows: list[Row], name: str) -> str:
    """The search that loses most time without, and the one that gains most."""
    found = [row for row in rows if name in row.get("runs", {})]
    if not found:
        return ""
    times = dict(zip((row["search"] for row in found), ratios(found, name, "user"), strict=True))
    most, least = max(times, key=times.__getitem__), min(times, key=times.__getitem__)
    return f"{most} {times[most]:.2f}t; {least} {times[least]:.2f}t"


def engine_table(rows: list[Row]) -> str:
    """A line a mechanism of the engine."""
    titles = ["without", "lines", *GROUPS, "most and least"]
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for each in MECHANISMS:
        cells = [each.name, f"{each.lines():,}"]
        if each.off is None:
            cells += [each.why, *[""] * len(GROUPS)]
        else:
            cells += [
                cell([row for row in rows if row["group"] == group], each.name) for group in GROUPS
            ]
            cells.append(largest(rows, each.name))
        lines.append("| " + " | ".join(cells) + " |")
    total = sum(each.lines() for each in MECHANISMS)
    return "\n".join([*lines, "", f"All files of the engine have {total:,} lines."])


def outside_table() -> str:
    """A line a part outside the engine."""
    lines = ["| part | folder | lines | measured by, or for |", "|---|---|---|---|"]
    for name, folder, what in OUTSIDE:
        lines.append(f"| {name} | `{folder}` | {lines_below(folder):,} | {what} |")
    return "\n".join(lines)


def write_page(document: Row) -> None:
    """The page's two tables, between its marks; the text around them stays."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {"engine": engine_table(document["rows"]), "outside": outside_table()}
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        text = head + begin + "\n" + table + "\n\n" + end + rest.partition(end)[2]
    of = f"measured at commit `{document['commit']}`"
    PAGE.write_text(_dated(text, of), encoding="utf-8")


def _dated(text: str, of: str) -> str:
    head, _, rest = text.partition("<!-- commit -->")
    return (
        head
        + "<!-- commit -->"
        + of
        + "<!-- end of commit -->"
        + rest.partition("<!-- end of commit -->")[2]
    )


def main(arguments: list[str], commit: str) -> None:
    """The command."""
    if arguments[:1] == ["--once"]:
        from benchmarks import common_set

        common_set.main(arguments[1:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks mechanisms", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="searches, such as wdbc:20@.02")
    parser.add_argument("--only", nargs="+", help="mechanisms, by a part of their names")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--page", action="store_true", help="write the page; alone: only that")
    options = parser.parse_args(arguments)
    if options.page and not options.names and not options.only:
        write_page(json.loads(options.output.read_text(encoding="utf-8")))
        return
    chosen = [e for e in MECHANISMS if not options.only or any(o in e.name for o in options.only)]
    known = {search.name: search for search in searches(SETS)}
    for name in options.names:
        if name not in known:
            sys.exit(f"unknown search {name!r}: expected some of {', '.join(known)}")
    wanted = [known[name] for name in options.names] or searches(GROUPS)
    rows: dict[str, Row] = {}
    if options.output.exists():
        before = json.loads(options.output.read_text(encoding="utf-8"))["rows"]
        rows = {row["search"]: row for row in before}
    for search in wanted:
        row = measure(search, chosen, options)
        if "failed" in row:
            print(f"{search.name} skipped: {row['failed']}", file=sys.stderr)
            continue
        rows[search.name] = row
        seconds = row["runs"][""]["user"]
        print(f"{search.name:<28} {seconds:.3f} s", file=sys.stderr)
        kept.write(options.output, {"commit": commit, "rows": list(rows.values())})
    for each in chosen:
        if each.off is not None:
            print(f"{each.name:<44} {cell(list(rows.values()), each.name)}")
    if options.page:
        write_page(json.loads(options.output.read_text(encoding="utf-8")))
