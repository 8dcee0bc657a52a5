"""`corels proof`: trim a proof or look into it; and what `corels check` says of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer

from corels.cli.apply import (
    BuiltIn,
    DataFile,
    Json,
    LabelColumn,
    LabelsFile,
    WeightColumn,
    labels_of,
    read_columns,
    weights_of,
)
from corels.cli.exits import Exit, emit
from corels.cli.outputs import put
from corels.cli.proof_actions import act_on_other
from corels.cli.proof_families import other_findings, progress, watched
from corels.data.files import read_raw
from corels.errors import InputError, OptionError
from corels.model.documents import to_json
from corels.model.model import family_words
from corels.model.recount import Finding
from corels.options import unknown
from corels.proof.table import Next, next_rules
from corels.proof.trim import trimmed
from corels.proofcheck import Proof, Verdict, check_proof, read_proof
from corels.proofcheck.families import RULE_LIST, family_of
from corels.proofcheck.table import Table, read_table
from corels.proofcheck.verdict import MOST_THREADS
from corels.proofcheck.watch import Watch
from corels.run.output import OutputFile, refuse_overwriting

ACTIONS = ("show", "trim")


def watched_findings(  # noqa: PLR0917
    time_limit: str | None,
    path: str,
    document: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None,
    checker: str | None,
    threads: str | None,
) -> tuple[list[Finding], str | None, Exit]:
    """`proof_findings`, and if the time limit or Ctrl-C ends them, how far they were and the exit
    code."""
    given = path, document, columns, labels, weights, checker, threads
    return watched(time_limit, lambda watch: proof_findings(*given, watch))


def proof_findings(  # noqa: PLR0917
    path: str,
    document: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None,
    checker: str | None,
    threads: str | None,
    watch: Watch,
) -> list[Finding]:
    """What a proof shows of a model: that its claims hold, that the list is the proof's own, and
    that the certificate says no more than was proved."""
    given = _threads(threads)
    content = read_raw(path)
    _refuse_other_family(family_of(content, path), path, document)
    if family_of(content, path) != RULE_LIST:
        return other_findings(path, content, document, columns, labels, weights, checker, watch)
    watch.tell("claims of a rule list's proof", 0)
    proof = read_proof(content, path, watch)
    verdict = check_proof(proof, columns, labels, weights, checker, given, watch)
    found = [_claims(proof, verdict), *_same_data(proof, document), *_same_lambda(proof, document)]
    if verdict.failure is None and proof.bound is not None:
        found += [same_list(proof, document), _same_bound(verdict, document)]
        found += _as_long(verdict, document)
    return found


def _refuse_other_family(proved: str, path: str, document: Mapping[str, Any]) -> None:
    """Raises InputError where a proof is not of the model's family."""
    about, model = family_words(proved), family_words(str(document.get("schema")))
    if model != about:
        raise InputError(
            f"{path}: this is the proof of a {about}, and the model is a {model}: expected the "
            "proof that was written with the model"
        )


def _threads(typed: str | None) -> int:
    if typed is None:
        return 1
    if not (typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= MOST_THREADS):
        raise OptionError(
            f"--threads is {typed!r}: expected a whole number from 1 to {MOST_THREADS}"
        )
    return int(typed)


def _claims(proof: Proof, verdict: Verdict) -> Finding:
    with_ = f"checker {verdict.checker}"
    if verdict.failure is not None:
        return Finding("proof", False, f"{verdict.failure} ({with_})")
    claims = f"{verdict.claims:,} claims, {with_}"
    if verdict.lower_bound is None:
        detail = f"the claims hold, but the file ends before its conclusion ({claims})"
        return Finding("proof", False, detail)
    bound = float(verdict.lower_bound)
    most = verdict.max_rules
    rules = "" if most is None else f" of at most {most} rules"
    detail = (
        f"no rule list{rules} over these {verdict.antecedents} antecedents costs less than "
        f"{bound:.6g}"
    )
    return Finding("proof", True, f"{detail} ({claims})")


def _same_data(proof: Proof, document: Mapping[str, Any]) -> list[Finding]:
    """Whether proof and certificate are of the same data: their hashes, where both have one.

    What the claims hold on was counted from the table itself; this finds a file beside the wrong
    model.
    """
    stated = document.get("certificate", {}).get("data_hash")
    hashed = proof.header.get("data_hash")
    if not (stated and hashed):
        return []
    same = stated == hashed
    detail = "the certificate has the same hash" if same else "the certificate is of other data"
    return [Finding("proof's data", same, f"{str(hashed)[:19]}: {detail}")]


def _as_long(verdict: Verdict, document: Mapping[str, Any]) -> list[Finding]:
    """Whether the proof is about lists as long as those of which the certificate speaks."""
    stated, proved = document.get("certificate", {}).get("max_rules"), verdict.max_rules
    if proved is None:
        return []
    holds = stated is not None and stated <= proved
    said = "lists of any length" if stated is None else f"lists of at most {stated} rules"
    detail = f"lists of at most {proved} rules; the certificate is about {said}"
    return [Finding("proof's lists", holds, detail)]


def _same_lambda(proof: Proof, document: Mapping[str, Any]) -> list[Finding]:
    """Whether a rule costs as much in the proof as the certificate says. A list without rules costs
    the same at every lambda, but only at a low one it is something to be the best.
    """
    exact = document.get("certificate", {}).get("exact", {})
    stated, proved = exact.get("regularization"), proof.header["regularization"]
    if stated is None:
        return []
    same = Fraction(stated) == Fraction(proved)
    detail = f"{proved} a rule" + ("" if same else f"; the certificate says {stated}")
    return [Finding("proof's lambda", same, detail)]


def same_list(proof: Proof, document: Mapping[str, Any]) -> Finding:
    """Whether the list that a proof ends with is the model of a document."""
    listed = [proof.header["antecedents"][r]["conditions"] for r in proof.lists[-1][0]]
    model = [rule["if"]["conditions"] for rule in document["rules"] if rule["if"]]
    same = listed == model
    detail = f"the same {len(listed)} rule(s)" if same else "the proof has found another list"
    return Finding("proof's list", same, detail)


def _same_bound(verdict: Verdict, document: Mapping[str, Any]) -> Finding:
    exact = document.get("certificate", {}).get("exact", {})
    stated, proved = Fraction(exact.get("lower_bound", 0)), verdict.lower_bound
    objective = Fraction(exact.get("objective", 0))
    assert proved is not None
    holds = stated <= proved and objective == verdict.objective
    return Finding("proof's bound", holds, f"{proved} is proved; the certificate says {stated}")


def proof(
    action: Annotated[str, typer.Argument(metavar="show|trim", help="Show the proof, or trim it.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of `corels run --proof`.")],
    data: DataFile = None,
    labels: LabelsFile = None,
    *,
    dataset: BuiltIn = None,
    label: LabelColumn = None,
    weight: WeightColumn = None,
    prefix: Annotated[
        list[str] | None,
        typer.Option(help="show: rules that follow a rule with this antecedent (repeatable)."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="trim: the file to be written.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a proof says, or keep only the part that its conclusion needs.

    show: prints each rule that may come first (or next after --prefix), and the least cost of the
    lists with this rule; for rule sets, the bounds and the cost of each clause. trim: writes only
    the claims that the conclusion needs to --output, and checks these claims.
    """
    if action not in ACTIONS:
        raise OptionError(unknown("action", action, ACTIONS))
    target = _target(action, output, [name for name in (file, data, labels) if name is not None])
    content = read_raw(file)
    if family_of(content, file) != RULE_LIST:
        typed = file, content, data, labels, dataset, label, weight
        emit(act_on_other(typed, prefix or [], target, as_json=json))
        return
    watch = Watch(report=progress)
    found = read_proof(content, file, watch)
    columns = read_columns(data, dataset)
    true, _ = labels_of(columns, data, labels, dataset, label, str(found.header.get("label")))
    table = read_table(found.header, columns, true, weights_of(columns, weight))
    if target is not None:
        emit(_trim(found, table, target, watch))
    else:
        emit(_show(found, table, prefix or [], watch, as_json=json))


def _target(action: str, output: str | None, inputs: Sequence[str]) -> OutputFile | None:
    """What `trim` writes, tried before anything is counted; None for `show`."""
    if action == "show":
        if output is not None:
            raise OptionError(
                "--output is for `corels proof trim`; `corels proof show` only prints"
            )
        return None
    if output is None:
        raise OptionError("trim needs --output FILE")
    refuse_overwriting([output], inputs)
    return OutputFile(output)


def _trim(found: Proof, table: Table, output: OutputFile, watch: Watch) -> str:
    content, kept = trimmed(table, found, watch)
    put(output, content)
    return f"{kept:,} of {len(found.values):,} claims are kept in {output.path}"


def _show(found: Proof, table: Table, prefix: Sequence[str], watch: Watch, *, as_json: bool) -> str:
    names = [str(antecedent["name"]) for antecedent in found.header["antecedents"]]
    for name in prefix:
        if name not in names:
            raise InputError(unknown("antecedent", name, names))
    numbers = [names.index(name) for name in prefix]
    least, rows = next_rules(table, found, numbers, watch)
    paid = _paid(table, numbers)

    def cost(value: int) -> float:
        return float(Fraction(value + paid + table.base, table.unit * table.total))

    if as_json:
        return to_json(
            {
                "prefix": list(prefix),
                "least": cost(least),
                "next": [
                    {
                        "if": names[row.antecedent],
                        "least": None if row.least is None else cost(row.least),
                        "why": row.why,
                    }
                    for row in rows
                ],
            }
        )
    begun = f" that begins with {', '.join(prefix)}" if prefix else ""
    rules = "" if found.limit is None else f" of at most {found.limit} rules"
    lines = [f"every list{rules}{begun} costs at least {cost(least):.6f}"]
    lines += [_line(row, names, cost) for row in rows]
    return "\n".join(lines)


def _line(row: Next, names: Sequence[str], cost: Any) -> str:
    least = "        " if row.least is None else f"{cost(row.least):.6f}"
    return f"{least}  {names[row.antecedent]}  ({row.why})"


def _paid(table: Table, prefix: Sequence[int]) -> int:
    """What the rules of a prefix cost, in the order that was typed."""
    paid, left = 0, table.captures.any(axis=0) | True
    for r in prefix:
        cell = left & table.captures[r]
        paid += table.rule_cost + table.unit * int(table.regrets[:, cell].sum(axis=1).min())
        left = left & ~table.captures[r]
    return paid
