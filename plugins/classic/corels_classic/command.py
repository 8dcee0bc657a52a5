"""`corels legacy`: the old program's options, as they were."""

from __future__ import annotations

import typer

from corels.cli.exits import Exit
from corels.cli.streams import emit

PROGRAM = "corels legacy"


def legacy(context: typer.Context) -> int:
    """Run as the original program: corels legacy [-b] [-n N] [-r R] ... data.out data.label."""
    from corels_classic.legacy import USAGE, main

    if context.args == ["--help"]:
        emit(USAGE.format(PROGRAM))
        return Exit.CERTIFIED
    return main(context.args, PROGRAM)
