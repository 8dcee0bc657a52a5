"""Programs that start at once: forked from a process that has imported what they need.

Most of the time of a short command goes into imports. If the process itself is not what is
tested, a test starts its programs by `Starter.script`: a script that hands its arguments,
environment, directory and streams to a waiting process, which forks. A process as a user starts it
is tested in tests/core/cli/test_cli_process.py, tests/docs/test_demo.py and tests/house.
"""

import atexit
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import runpy
import select
import shutil
import site
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import types
import weakref
from pathlib import Path

CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    given = [{site!r}, {python!r}, sys.argv, os.getcwd(), dict(os.environ)]
    socket.send_fds(line, [json.dumps(given).encode()], [0, 1, 2])
    line.shutdown(socket.SHUT_WR)
    sys.exit(int(line.recv(9) or 70))
"""


MODULES = (
    "numpy",
    "sklearn.datasets",
    "sklearn.model_selection",
    "pandas",
    "polars",
    "matplotlib.figure",
    "jinja2",
    "typer",
    "rich.console",
    "msgspec.json",
    "corels.cli.run",
    "corels.cli.apply",
    "corels_c",
    "corels_rule_list",
    "corels_falling",
)


class Starter:
    """A process that has imported `modules`, and waits to fork into a program."""

    def __init__(self, *modules: str) -> None:
        place = tempfile.mkdtemp(prefix="corels-starter-")
        self.address = f"{place}/line"
        with socket.socket(socket.AF_UNIX) as line:
            line.bind(self.address)
            line.listen(64)
            command = [sys.executable, __file__, str(line.fileno()), *modules]
            process = subprocess.Popen(
                command,
                pass_fds=[line.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            )
        weakref.finalize(self, self._end, process, place)

    @staticmethod
    def _end(process: subprocess.Popen, place: str) -> None:
        process.communicate()  # it ends with its input
        shutil.rmtree(place)

    def script(self, path: Path, python: Path, packages: Path) -> None:
        """Write a script that starts the program with an environment's Python and packages."""
        text = CLIENT.format(python=str(python), address=self.address, site=str(packages))
        path.write_text(text)
        path.chmod(0o755)


class Starters:
    """For `corels` and files of Python, with all that they may need, and for pip."""

    def __init__(self) -> None:
        found = [name for name in MODULES if importlib.util.find_spec(name.partition(".")[0])]
        self.python = self.corels = Starter(*found)
        self.pip = Starter("pip._internal.cli.main", "pip._internal.commands.install")


def import_all(modules: list[str]) -> None:
    """Import what programs need, without the exit functions of compiled libraries.

    These may wait for a thread, which a forked process does not have: that of polars 1.44 waited
    for ever. Exit functions in Python are kept.
    """
    register = atexit.register

    def in_python(function, *arguments, **named):
        if not isinstance(function, types.BuiltinFunctionType):
            register(function, *arguments, **named)
        return function

    atexit.register = in_python
    try:
        for module in modules:
            importlib.import_module(module)
    finally:
        atexit.register = register


def serve(number: int) -> None:
    """Answer until the input ends; return only in a forked process, which then is the program."""
    with socket.socket(fileno=number) as line:
        while True:
            ready, _, _ = select.select([line, 0], [], [])
            if 0 in ready:
                sys.exit()
            asked, _ = line.accept()
            if os.fork() == 0:
                break
            asked.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    with asked:
        content, streams, _, _ = socket.recv_fds(asked, 1 << 16, 3)
        while more := asked.recv(1 << 16):
            content += more
        child = os.fork()
        if child:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            asked.send(b"%d" % (code if code >= 0 else 128 - code))
            os._exit(0)
    for stream, own in zip(streams, (0, 1, 2), strict=True):
        os.dup2(stream, own)
        os.close(stream)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, closefd=False)
    packages, sys.executable, sys.argv, directory, environment = json.loads(content)
    sys.prefix = sys.exec_prefix = str(Path(sys.executable).parents[1])
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    site.addsitedir(packages)
    importlib.invalidate_caches()


def end(code: object) -> None:
    """End the program as Python does, without a look at all that was imported."""
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
    threading._shutdown()
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    os._exit(int(code is not None) if not isinstance(code, int) else code)


def program() -> None:
    """Run `corels` or pip, or else the file that the first argument names."""
    name = Path(sys.argv[0]).name
    if name == "corels":
        from corels.cli import main

        main()
    elif name == "pip":
        from pip._internal.cli.main import main as pip

        sys.exit(pip())
    else:
        sys.path[0] = ""
        del sys.argv[0]
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    import_all(sys.argv[2:])
    gc.freeze()
    serve(int(sys.argv[1]))
    try:
        program()
    except SystemExit as ended:
        end(ended.code)
    except BaseException:
        traceback.print_exc()
        end(1)
    end(0)
