"""What stands on a terminal of 80x24 and of 120x40: a panel that stands still, and nothing of it
afterwards."""

import fcntl
import os
import re
import select
import struct
import sys
import termios
import time
from functools import partial

import pytest
from waiting import PATIENCE

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
rich = pytest.importorskip("rich", reason="the panel needs rich")

PROGRAM = [sys.executable, "-c", "from corels.cli import main; main()"]
ROWS = (
    "now", "seconds", "objective", "lower bound", "gap", "settled", "time left", "open",
    "evaluated/s", "log10 left", "memory", "Ctrl-C stops the search and keeps the best so far",
)  # fmt: skip
LONG_SEARCH = ("--dataset", "heart", "--max-cardinality", "2", "-r", "0.001")


class Terminal:
    """A program on a pseudo-terminal, and what stands on the screen. It knows the few control codes
    that a live display writes; a line that is too long goes on in the next one."""

    def __init__(self, arguments, width, height):
        self.width, self.height = width, height
        self.lines, self.row, self.column = [""], 0, 0
        self.process, self.device = pty.fork()
        if not self.process:
            os.environ.update(TERM="xterm", COLUMNS=str(width), LINES=str(height))
            os.execv(sys.executable, [*PROGRAM, *arguments])
        size = struct.pack("HHHH", height, width, 0, 0)
        fcntl.ioctl(self.device, termios.TIOCSWINSZ, size)
        self._left, self.code = b"", None

    def read(self, until):
        """Follow the program until this holds of the screen, or it ends; whether it held."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            if until(self.screen):
                return True
            if select.select([self.device], [], [], 0.1)[0]:
                try:
                    read = os.read(self.device, 65536)
                except OSError:  # as Linux says that the other end is closed
                    read = b""
                if not read:
                    self.code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
                    return until(self.screen)
                self._write(self._left + read)
        raise AssertionError("\n".join(self.screen))

    @property
    def screen(self):
        """The lines that are in sight."""
        return [line.rstrip() for line in self.lines[-self.height :]]

    def type(self, text):
        os.write(self.device, text.encode())

    def _write(self, content):
        whole = content.rfind(b"\x1b", max(0, len(content) - 12))
        cut = whole if whole >= 0 and not re.search(rb"[A-Za-z]", content[whole + 1 :]) else None
        self._left = b"" if cut is None else content[cut:]
        text = content[:cut].decode(errors="replace")
        for code, plain in re.findall(r"(\x1b\[\??[0-9;]*[A-Za-z])|(.|\n)", text):
            self._code(code) if code else self._put(plain)

    def _code(self, code):
        number = int(re.sub(r"\D", "", code) or 1)
        if code.endswith("A"):
            self.row = max(0, len(self.lines) - self.height, self.row - number)
        elif code.endswith("K"):
            self.lines[self.row] = ""
        else:
            assert code[-1] in "mhl", code

    def _put(self, sign):
        if sign == "\r":
            self.column = 0
        elif sign == "\n":
            self._next()
        else:
            if self.column == self.width:
                self.column = 0
                self._next()
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + sign + line[self.column + 1 :]
            self.column += 1

    def _next(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")


def beyond(seconds, screen):
    """Whether the panel stands there whole, after so many seconds."""
    shown = [float(line.split()[1]) for line in screen if line.startswith("seconds")]
    return ROWS[-1] in screen and any(one > seconds for one in shown)


def places(screen):
    """Where each row of the panel stands, and in which column its value begins."""
    first = screen.index(ROWS[-1]) - len(ROWS) + 1
    shown = screen[first : first + len(ROWS) - 1]
    return [
        (name, line.startswith(name), line[13:14] != " ")
        for name, line in zip(ROWS, shown, strict=False)
    ]


def test_a_panel_stands_still_and_leaves_nothing():
    width, height = 80, 24
    terminal = Terminal(["run", *LONG_SEARCH], width, height)
    for seconds in (0.5, 1.0):
        assert terminal.read(partial(beyond, seconds))
        screen = terminal.screen
        assert len(screen) <= height and all(len(line) <= width for line in screen)
        assert all(named and begins for _, named, begins in places(screen)), screen
    terminal.type("\x03")
    assert not terminal.read(lambda _: False)
    assert terminal.code in (3, 130)
    whole = "\n".join(terminal.lines)
    assert "evaluated/s" not in whole and ROWS[-1] not in whole, whole
    assert "Stopped early" in whole and "lower bound" in whole
    assert all(len(line) <= width for line in terminal.lines)


def test_the_panel_says_what_a_search_is_for():
    terminal = Terminal(["run", *LONG_SEARCH[:4], "-r", "auto:0.001"], 80, 24)
    assert terminal.read(
        lambda s: any(line.startswith("now          choosing lambda, fold 1 of 5") for line in s)
    )
    terminal.type("\x03")
    assert not terminal.read(lambda _: False)
    assert terminal.code in (3, 130)
    assert any("disease = " in line for line in terminal.lines)


def test_near_says_so_and_at_a_limit_gives_the_list_that_it_has():
    terminal = Terminal(["near", *LONG_SEARCH, "--time-limit", "1"], 80, 24)
    assert terminal.read(
        lambda s: any(line.startswith("now          looking for the optimum first") for line in s)
    )
    assert not terminal.read(lambda _: False)
    whole = "\n".join(terminal.lines)
    assert "Nothing is certain yet" in whole and "\nif " in whole and "\nelse" in whole


def test_progress_of_an_experiment_is_one_line_and_its_table_fits():
    command = ["compare", "--dataset", "titanic", "--policy", "bfs", "--policy", "objective"]
    terminal = Terminal([*command, "--repeats", "2"], 80, 24)
    assert not terminal.read(lambda _: False)
    assert terminal.code == 0
    lines = [line.rstrip() for line in terminal.lines]
    assert all(len(line) <= 80 for line in lines)
    assert not any(re.match(r" +\d+ of 4", line) for line in lines), lines
    assert sum(line.startswith("bfs") for line in lines) > 1, "the columns go on below"
    assert any("timed several times" in line for line in lines)
