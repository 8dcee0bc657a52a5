"""Compile the native code for other machines, and run it if an emulator is at hand.

    python tools/cross.py [TARGET ...]

For each target whose compiler is installed: every C file of the engine, the plugins and the proof
checker, with warnings as errors, linked into one program (tests/c/cross_main.c) that holds the
kernels against the portable one and prints the figures of some searches. If the machine or an
emulator can run it, the figures must be those of this machine. `make cross` runs it. On Debian the
compilers are

    gcc-aarch64-linux-gnu gcc-i686-linux-gnu gcc-powerpc64-linux-gnu gcc-s390x-linux-gnu
    gcc-mingw-w64 musl-tools qemu-user-static

The target `plain-avx512` is this machine with the kernels of 512-bit registers in plain C, for
processors that have none: SIMDe (libsimde-dev) has most of their instructions, `tools/simde` the
rest.

Ends with 1 if anything failed, or if no target but this machine's own could be tried.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDES = (
    "backends/c/include",
    "plugins/falling/include",
    "plugins/leaf_bound/include",
    "plugins/leaf_bound/src",
    "plugins/rule_set/include",
    *sorted(
        str(place.relative_to(ROOT))
        for place in (ROOT / "backends/c/src").rglob("*")
        if place.is_dir()
    ),
)
PLUGINS = (
    "plugins/falling/src",
    "plugins/leaf_bound/src",
    "plugins/rule_set/src",
    "backends/checker",
)
FLAGS = (
    *("-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wshadow=local"),
    *("-Wstrict-prototypes", "-Wmissing-prototypes", "-Werror"),
)
X86 = {"popcnt": ["-mpopcnt"], "avx2": ["-mavx2", "-mpopcnt"]}
WIDE = ["-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mpopcnt"]
X86_WIDE = {**X86, "avx512": [*WIDE, "-mavx512vpopcntdq"]}
SPECIAL = {*X86_WIDE, "neon"}
# AVX-512 in plain C: whatever the processor says, the dispatcher takes it.
PLAIN = ["-mavx2", "-mbmi2", "-mpopcnt", f"-I{ROOT / 'tools/simde'}", "-w"]
PLAIN_WIDE = {**X86, "avx512": PLAIN, "dispatch": ["-D__builtin_cpu_supports(x)=1"]}


@dataclass(frozen=True)
class Target:
    """A compiler, what the build files define for its machine, and how its programs are run."""

    name: str
    compiler: str
    kernels: dict[str, list[str]]  # file of a kernel, or of what chooses one -> its flags
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    runner: tuple[str, ...] | None = ()  # None: cannot be run here
    needs: str = ""  # a header that must be installed


NATIVE = platform.machine() in ("x86_64", "AMD64")
TARGETS = (
    Target("linux-x86_64", "x86_64-linux-gnu-gcc", X86_WIDE, ("CORELS_X86", "CORELS_X86_WIDE")),
    Target(
        "musl-x86_64", "musl-gcc", X86_WIDE, ("CORELS_X86", "CORELS_X86_WIDE"), ("-static",)
    ),
    Target("plain-avx512", "x86_64-linux-gnu-gcc", PLAIN_WIDE, ("CORELS_X86", "CORELS_X86_WIDE"),
           needs="simde/x86/avx512.h"),
    Target("linux-i686", "i686-linux-gnu-gcc", {}, (), ("-static", "-msse2", "-mfpmath=sse"),
           ("qemu-i386-static",)),
    Target("linux-aarch64", "aarch64-linux-gnu-gcc", {"neon": []}, ("CORELS_ARM64",), ("-static",),
           ("qemu-aarch64-static",)),
    Target("linux-ppc64-big-endian", "powerpc64-linux-gnu-gcc", {}, (), ("-static",),
           ("qemu-ppc64-static",)),
    Target("linux-s390x-big-endian", "s390x-linux-gnu-gcc", {}, (), ("-static",),
           ("qemu-s390x-static",)),
    Target("windows-x86_64", "x86_64-w64-mingw32-gcc", {"popcnt": X86["popcnt"]}, ("CORELS_X86",),
           ("-static",), None),
    Target("windows-i686", "i686-w64-mingw32-gcc", {}, (),
           ("-static", "-msse2", "-mfpmath=sse"), None),
)  # fmt: skip


def sources(target: Target, main: str) -> list[tuple[Path, list[str]]]:
    """Every C file that this machine's build has, and its own flags."""
    found: list[tuple[Path, list[str]]] = []
    for path in sorted((ROOT / "backends/c/src").rglob("*.c")):
        flags = target.kernels.get(path.stem) if path.parent.name == "kernels" else []
        if flags is not None or path.stem not in SPECIAL:
            found.append((path, flags or []))
    for own in PLUGINS:
        # Each is a module of its own there, and several have a function of this name.
        flags = [f"-I{ROOT / own}", f"-Dtable_free={own.replace('/', '_')}_table_free"]
        # checker_avx2.c and the like are for processors that not every target may have.
        for path in sorted((ROOT / own).glob("*.c")):
            kernel_flags = target.kernels.get(path.stem.partition("_")[2] or path.stem, [])
            found.append((path, [*flags, *kernel_flags]))
    return [*found, (ROOT / main, [])]


def compiled(target: Target, place: Path, main: str = "tests/c/cross_main.c") -> tuple[Path, str]:
    """The program, and the compiler's complaints (none if it is there)."""
    defines = [f"-D{name}" for name in target.defines]
    common = [target.compiler, *FLAGS, *target.flags, *defines]
    common += [f"-I{ROOT / name}" for name in INCLUDES]
    objects: list[Path] = []
    complaints = []
    for number, (path, flags) in enumerate(sources(target, main)):
        objects.append(place / f"{number}.o")
        done = run([common[0], *flags, *common[1:], "-c", str(path), "-o", str(objects[-1])])
        if done.returncode:
            complaints.append(done.stderr)
    program = place / f"{target.name}.exe"
    if not complaints:
        link = [target.compiler, *target.flags, *map(str, objects), "-lm", "-lpthread"]
        done = run([*link, "-o", str(program)])
        if done.returncode:
            complaints.append(done.stderr)
    return program, "\n".join(complaints)


def lacks(target: Target) -> str | None:
    """What must be installed before the target can be tried, or None."""
    if not shutil.which(target.compiler):
        return f"compiler {target.compiler}"
    if not target.needs:
        return None
    asked = run([target.compiler, "-E", "-include", target.needs, "-xc", "/dev/null"])
    return f"header {target.needs}" if asked.returncode else None


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def tried(target: Target) -> tuple[str, str | None]:
    """What happened, in a word or with all complaints, and the figures if it could be run."""
    with tempfile.TemporaryDirectory() as place:
        program, complaints = compiled(target, Path(place))
        if complaints:
            return f"FAILED to compile\n{complaints}", None
        runner = target.runner
        runs = NATIVE if runner == () else runner is not None and shutil.which(runner[0])
        if not runs or runner is None:
            return "compiles and links", None
        done = run([*runner, str(program)])
        kernels = ", ".join(done.stderr.split("\n")).strip(", ")
        if done.returncode:
            return f"FAILED when run ({done.returncode}) {kernels}", None
        return f"compiles, links and runs; {kernels or 'portable kernel'}", done.stdout


def main(arguments: Sequence[str]) -> int:
    """A line for each target."""
    wanted = [t for t in TARGETS if not arguments or t.name in arguments]
    missing = {target.name: lacks(target) for target in wanted}
    here = [target for target in wanted if not missing[target.name]]
    for target in wanted:
        if target not in here:
            print(f"{target.name}: no {missing[target.name]}, left out")
    figures: list[str] = []
    failed = len(here) < 2 and not arguments
    with ThreadPoolExecutor(2) as pool:
        for target, (said, found) in zip(here, pool.map(tried, here), strict=True):
            figures += [] if found is None else [found]
            other = found is not None and found != figures[0]
            failed = failed or other or "FAILED" in said
            wrong = f"; FAILED: other figures\n{found}" if other else ""
            print(f"{target.name}: {said}{wrong}", flush=True)
    if not failed:
        print(f"{len(figures)} of {len(here)} were run, all with the same figures")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
