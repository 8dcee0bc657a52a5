"""A signal that comes before a search has begun: one line, and the exit code that names it."""

from __future__ import annotations

import signal
import subprocess
import time

import pytest
from cli_program import CORELS

from corels.cli.exits import Exit

ONE_LINE = "error: interrupted before there was a result\n"
# While modules are imported, Python answers Ctrl-C as it does: the test waits for that.
BEGUN = (
    "import corels.cli, corels.cli.app, corels.run.interrupts, corels.plugins as plugins; "
    "plugins.registry(); print('begun', flush=True); corels.cli.main()"
)


def interrupted(environment, words, moment, place=None):
    """(exit code, stdout, stderr) of a program that gets Ctrl-C so many seconds after it began."""
    running = subprocess.Popen(
        [*CORELS[:2], BEGUN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # `communicate` would not see what else `readline` has read
        env=environment,
        cwd=place,
    )
    assert running.stdout.readline() == b"begun\n"
    time.sleep(moment)
    running.send_signal(signal.SIGINT)
    out, err = (piece.decode() for piece in running.communicate(timeout=500))
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    return running.returncode, out, err


# Minutes of work: near its end, a signal would come while Python takes itself down.
PAIRS = ("--dataset", "tic-tac-toe", "--max-cardinality", "2", "-r", "0.01")
LATER = {"near": ("near", *PAIRS), "compare": ("compare", *PAIRS), "why": ("why", *PAIRS)}


@pytest.mark.parametrize(("command", "moment"), [("near", 0.2), ("compare", 0.6), ("why", 0.2)])
def test_later_commands(environment, tmp_path, command, moment):
    code, out, err = interrupted(environment, LATER[command], moment, tmp_path)
    assert code in (Exit.INTERRUPTED, Exit.CERTIFIED)
    if not out:
        # `compare` says how runs are kept, from its first moment.
        begun = ["interrupted: --results FILE keeps runs\n"] * (command == "compare")
        assert code == Exit.INTERRUPTED
        assert f"{err.splitlines()[-1]}\n" in (ONE_LINE, *begun)


SLOWLY = """
import time
from corels.tables import pieces, stored

def slow(*asked, frame=pieces.csv_cells, **how):
    found = frame(*asked, **how)
    print("piece", flush=True)
    time.sleep(0.2)
    return found

pieces.PIECE, stored.LARGE, pieces.csv_cells = 100, 100, slow
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_table_that_is_read_piece_by_piece(environment, tmp_path, sent):
    table = tmp_path / "table.csv"
    table.write_text("x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(2000)))
    running = subprocess.Popen(
        [*CORELS[:2], f"import corels.cli{SLOWLY}corels.cli.main()", "run", table, "--label=y"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert [running.stdout.readline() for _ in range(3)] == ["piece\n"] * 3
    running.send_signal(sent)
    err = running.communicate(timeout=500)[1]
    assert (running.returncode, err.splitlines()[-1]) == (128 + sent, ONE_LINE.strip())
