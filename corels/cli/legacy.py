"""`corels legacy`: the old program's options, as they were."""

from __future__ import annotations

import typer


def legacy(context: typer.Context) -> int:
    """Take the old program's options: corels legacy [-b] [-n N] [-r R] ... data.out data.label."""
    from corels.classic.legacy import main

    return main(context.args)
