"""`corels check`: a model held against its data, and against a proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.check.finding import Finding, claimed_only
from corels.check.model import check_model
from corels.check.report import Report
from corels.check.verdict import EndedError, Watch
from corels.cli.apply import BUILT_IN, DATA, ENCODED, JSON, LABEL, LABELS, MODEL, WEIGHT
from corels.cli.exits import Exit
from corels.cli.parameters import command
from corels.cli.progress_lines import ProgressLines
from corels.cli.rereading import Reread, same_data
from corels.cli.streams import emit
from corels.errors import InputError, OptionError, located
from corels.model.documents import family_of, read_document, to_json
from corels.model.schema import document_of
from corels.options import Option, flag_of, whole
from corels.search import Solver


@command(
    (MODEL, DATA, LABELS),
    (
        BUILT_IN,
        LABEL,
        WEIGHT,
        Option.text("proof", "a file of `corels run --proof`: also check the proof"),
        Option.text(
            "checker",
            "checker of the proof (default: c for large proofs, if built)",
            metavar="python|c",
        ),
        Option.time_limit("end the check of the proof after so many seconds"),
        Option.whole(
            "threads",
            "threads of the compiled checker, for rule lists (default: 1)",
            low=1,
            high=256,
        ),
        ENCODED,
        JSON,
    ),
)
def check(asked: Any) -> int:
    """Say what of a model file is proved, what is counted, and what the file only claims.

    The check is independent of the search: it counts the rows of DATA, from which the model was
    learned, one by one. That no model is better is only claimed, unless --proof names a proof: then
    every step of it is checked, too. Exit code 6 if something contradicts the file, 8 if the proof
    leaves the stated bound unproved, 3 if the time limit ends the check.

    $ corels check model.json people.csv
    $ corels check model.json people.csv --proof run.proof
    $ corels check model.json people.csv --json
    """
    found = read_document(asked.model)
    family = family_of(asked.model, found)
    with located(asked.model):  # entries that do not agree are for the check to say
        kind = family.model_type()
        kind.read(document_of(found, kind))
    if asked.proof is not None and not found.get("certificate"):
        raise InputError(f"{asked.model}: the model has no certificate that a proof could prove")
    rows = Reread.of(found, vars(asked))
    with rows.naming():
        watch = Watch(report=ProgressLines("checking: "))
        findings = check_model(found, rows.table, family, watch)
    if rows.as_trained is not None or not rows.once:
        findings += same_data(rows)
    unfinished, code = None, Exit.CERTIFIED
    if asked.proof is not None:
        more, unfinished, code = _proof_findings(asked, found, rows, family)
        findings += more
    else:
        for name in ("checker", "threads", "time_limit"):
            if (value := whole(getattr(asked, name))) is not None:
                raise OptionError(
                    f"{flag_of(name)} {value} is for the check of a proof: give --proof FILE, too"
                )
    if (other := _another_table(found, findings)) is not None:
        findings.insert(0, other)
    findings += claimed_only(found, findings)
    report = Report(findings, asked.proof is not None, unfinished)
    emit(to_json(report.to_document()) if asked.json else report.to_text())
    if not report.holds:
        return Exit.CHECK_FAILED
    return Exit.NOT_PROVED if report.unproved and unfinished is None else code


def _proof_findings(
    asked: Any, document: Mapping[str, Any], rows: Reread, family: Solver
) -> tuple[list[Finding], str | None, Exit]:
    """What a proof shows of a model (`corels.check.proof`).

    asked: has `proof`, its file, and `checker`, `threads` and `time_limit`. If the time limit or
    a signal ends the check: what was checked until then, in words, and the exit code. Progress goes
    to stderr.
    """
    from corels.check.opening import opened
    from corels.check.proof import check_proof, proof_findings, refuse_other_family, unknown_records
    from corels.check.verdict import UnknownRecordError
    from corels.tables.files import read_raw

    watch = Watch(asked.time_limit, ProgressLines("checking: "))
    proof = opened(read_raw(asked.proof), asked.proof)
    refuse_other_family(proof, family, str(document.get("schema")))
    of = family.model_type()
    try:
        table, here = rows.table, rows.problem.statement_like(rows.stated)
        how = {"checker": asked.checker, "threads": asked.threads or 1, "watch": watch}
        verdict = check_proof(proof, table, here, **how)
        model = of.read(document_of(document, of))
        return proof_findings(proof, verdict, document, model), None, Exit.CERTIFIED
    except UnknownRecordError as unknown:
        return [unknown_records(unknown, document)], None, Exit.NOT_PROVED
    except EndedError as ended:
        return [], f"{ended}; {watch.summary()}", Exit.STOPPED
    except KeyboardInterrupt:
        return [], f"interrupted; {watch.summary()}", Exit.INTERRUPTED


def _another_table(found: Mapping[str, Any], findings: Sequence[Finding]) -> Finding | None:
    """A finding that says it first, if the data is not what the model was learned from."""
    wrong = {finding.what for finding in findings if not finding.holds}
    if not {"rows", "problem"} <= wrong:
        return None
    name, weight = found["data"]["name"] or "the model's data", found["data"]["weight"]
    rows = found["data"].get("rows", weight)
    detail = (
        f"the model was learned from {name}, {rows:,} rows; what follows compares the two "
        "(corels monitor says what the model does on new rows)"
    )
    return Finding("this is another table", False, detail)
