"""Proofs as files, for every family: a search tells its log what it has proved, the log is written.

format   ProofFormat, what a family defines: header, records, check; describe, resume
writer   the log as a file, while the search runs
records  the bytes of records (docs/reference/proof-format.md)

Whose proof a file is, and what it shows, is in `corels.check.proof`. What a family's proofs say is
in its plugin, with its checkers. Names are imported when they are first asked for: most searches
write no proof.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.proof.format import ProofFormat
    from corels.proof.records import header_line, record
    from corels.search.events import ProofLog

__all__ = ["ProofFormat", "ProofLog", "header_line", "record"]

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels.proof.format": "ProofFormat",
        "corels.search.events": "ProofLog",
        "corels.proof.records": "header_line record",
    },
)
