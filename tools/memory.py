"""Look for decisions of the C code on memory that nobody has written.

    python tools/memory.py [--first N] [--count N] [fill | written | emulated ...]

"Runs repeat" is a promise that one read of unwritten memory breaks, and neither the address nor the
undefined-behaviour sanitizer sees such a read. Three ways, each where its tools are installed:

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
from collections.abc import Iterator, Sequence
from pathlib import Path

from cross import X86, Target, compiled, run

REPEAT, CROSS = "tests/c/repeat_main.c", "tests/c/cross_main.c"
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
EMULATED = Target("emulated", "cc", X86, ("CORELS_X86",), ("-g",), ("valgrind",))
SHARE = {"emulated": 10}  # of the instances that a way gets, one in so many


def built(target: Target, main: str, place: Path) -> Path | None:
    """The program, or None where the compiler is not there or cannot do it."""
    if not shutil.which(target.compiler):
        return None
    program, complaints = compiled(target, place, main)
    if complaints:
        print(f"{target.name}: {target.compiler} does not compile it\n{complaints[-2000:]}")
        return None
    return program


def filled(first: int, count: int, place: Path) -> Iterator[str]:
    """What differs between two ways of filling memory."""
    program = built(PLAIN, REPEAT, place)
    if program is None:
        yield ""
        return
    told: list[str] = []
    for byte in FILLS:
        tunables = f"glibc.malloc.perturb={byte}:glibc.malloc.tcache_count=0"
        done = run(["env", f"GLIBC_TUNABLES={tunables}", str(program), str(first), str(count)])
        if done.returncode:
            yield f"memory filled with {byte}: ended with {done.returncode}\n{done.stderr}"
        told.append(done.stdout)
        for one, other in zip(told[0].splitlines(), done.stdout.splitlines(), strict=False):
            if one != other:
                yield f"memory filled with {FILLS[0]}: {one}; with {byte}: {other}\n"


def watched(target: Target, first: int, count: int, place: Path) -> Iterator[str]:
    """What a tool has to say that knows which memory was written."""
    runner = [*(target.runner or ())]
    if runner and not shutil.which(runner[0]):
        yield ""
        return
    runner += ["-q", "--error-exitcode=9"] if runner else []
    for main, given in ((REPEAT, [str(first), str(count)]), (CROSS, [])):
        program = built(target, main, place)
        if program is None:
            yield ""
            return
        done = run([*runner, str(program), *given])
        if done.returncode:
            yield f"{main} ended with {done.returncode}\n{done.stderr[:8000]}"


def main(arguments: Sequence[str]) -> int:
    """A line for each way, and what it found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ways", nargs="*", help="fill, written, emulated; all where none is named")
    parser.add_argument("--first", type=int, default=0, help="number of the first instance")
    parser.add_argument("--count", type=int, default=100, help="how many instances")
    given = parser.parse_args(arguments)
    tried = bad = 0
    for way in given.ways or ("fill", "written", "emulated"):
        count = -(-given.count // SHARE.get(way, 1))
        with tempfile.TemporaryDirectory() as place:
            found = list(
                filled(given.first, count, Path(place))
                if way == "fill"
                else watched(
                    {"written": WRITTEN, "emulated": EMULATED}[way], given.first, count, Path(place)
                )
            )
        tried += "" not in found
        bad += any(found)
        print(f"{way}: " + ("not here" if "" in found else f"{count} instances, {len(found)} found"))
        print("".join(found), end="", flush=True)
    return int(bad or not tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
