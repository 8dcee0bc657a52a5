"""Look for decisions of the C code on memory that was not written.

    python tools/memory.py [--first N] [--count N] [fill | written | emulated ...]

"Runs repeat" is a promise that one read of unwritten memory breaks, and neither the address nor the
undefined-behaviour sanitizer sees such a read. Three ways, each if its tools are installed:

    fill      the C library fills what it hands out with one byte or another (GNU libc), and every
              figure of the random instances of tests/c/repeat_main.c must be the same
    written   clang's memory sanitizer, which follows every bit from where it was written; with the
              portable kernels, because it does not know what the wide instructions write
    emulated  valgrind, which is slower by far, with the kernels that it can run

The last two also run tests/c/cross_main.c, which has the plugins and the proof checker. `make
test-sanitize-memory` does all of it. On Debian: clang libclang-rt-dev valgrind. Ends with 1 if
anything was found, or if none of the three could be tried.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cross import NATIVE, X86_WIDE, Target, compiled, run

REPEAT, CROSS = "tests/c/repeat_main.c", "tests/c/cross_main.c"
WAYS = ("fill", "written", "emulated")
FILLS = (0, 1, 127, 255)
PLAIN = Target("plain", "cc", {})
# What clang warns of and gcc does not is no matter here.
WRITTEN = Target(
    "written",
    next(filter(shutil.which, ("clang", *(f"clang-{n}" for n in range(25, 12, -1)))), "clang"),
    {},
    (),
    ("-w", "-g", "-fsanitize=memory", "-fsanitize-memory-track-origins", "-fno-omit-frame-pointer"),
)
EMULATED = Target(
    "emulated",
    "cc",
    X86_WIDE if NATIVE else {},
    ("CORELS_X86", "CORELS_X86_WIDE") if NATIVE else (),
    ("-g",),
    ("valgrind",),
)
WATCHED = {"written": WRITTEN, "emulated": EMULATED}
SHARE = {"emulated": 10}  # of the instances that a way gets, one in so many


def built(target: Target, main: str, place: Path) -> Path | None:
    """The program, or None if the compiler is not there or cannot do it."""
    if not shutil.which(target.compiler):
        return None
    program, complaints = compiled(target, place, main)
    if complaints:
        print(f"{target.name}: {target.compiler} does not compile it\n{complaints[-2000:]}")
        return None
    return program


def filled(first: int, count: int, place: Path) -> list[str] | None:
    """What differs between two ways of filling memory; None if that cannot be tried."""
    program = built(PLAIN, REPEAT, place)
    if program is None:
        return None
    told: list[str] = []
    found = []
    for byte in FILLS:
        tunables = f"glibc.malloc.perturb={byte}:glibc.malloc.tcache_count=0"
        done = run(["env", f"GLIBC_TUNABLES={tunables}", str(program), str(first), str(count)])
        if done.returncode:
            found.append(f"memory filled with {byte}: ended with {done.returncode}\n{done.stderr}")
        told.append(done.stdout)
        for one, other in zip(told[0].splitlines(), done.stdout.splitlines(), strict=False):
            if one != other:
                found.append(f"memory filled with {FILLS[0]}: {one}; with {byte}: {other}\n")
    return found


def watched(target: Target, first: int, count: int, place: Path) -> list[str] | None:
    """What a tool has to say that knows which memory was written; None if it is not here."""
    runner = [*(target.runner or ())]
    if runner and not shutil.which(runner[0]):
        return None
    found = []
    runner += ["-q", "--error-exitcode=9"] if runner else []
    for main, given in ((REPEAT, [str(first), str(count)]), (CROSS, [])):
        program = built(target, main, place)
        if program is None:
            return None
        done = run([*runner, str(program), *given])
        if done.returncode:
            found.append(f"{main} ended with {done.returncode}\n{done.stderr[:8000]}")
    return found


def main(arguments: Sequence[str]) -> int:
    """A line for each way, and what it found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "ways", nargs="*", metavar="WAY", help=f"{', '.join(WAYS)}; all where none is named"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first instance")
    parser.add_argument("--count", type=int, default=40, help="how many instances")
    given = parser.parse_args(arguments)
    if set(given.ways) - set(WAYS):
        parser.error(f"a way is one of {', '.join(WAYS)}, not {given.ways}")
    tried = bad = 0
    for way in given.ways or WAYS:
        count = -(-given.count // SHARE.get(way, 1))
        with tempfile.TemporaryDirectory() as place:
            tell = filled if way == "fill" else partial(watched, WATCHED[way])
            found = tell(given.first, count, Path(place))
        if found is None:
            print(f"{way}: not here", flush=True)
            continue
        tried, bad = tried + 1, bad + bool(found)
        print(f"{way}: {count} instances, {len(found)} found", *found, sep="\n", flush=True)
    return int(bad or not tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
