"""What another compiler would refuse, found if it is not installed (`make cross` asks it)."""

import re
import shutil
import subprocess
import sys

import pytest
from sources import ROOT, c_files, includes

sys.path.insert(0, str(ROOT / "tools"))
import cross

# Macros and types of windows.h that a name of ours could be, for every file that it gets into.
TAKEN = (
    *("far", "near", "FAR", "NEAR", "CONST", "VOID", "IN", "OUT", "OPTIONAL", "TRUE", "FALSE"),
    *("CHAR", "SHORT", "INT", "UINT", "LONG", "ULONG", "BYTE", "WORD", "BOOL", "BOOLEAN"),
    *("FLOAT", "DOUBLE", "ATOM", "DATE", "ERROR", "DELETE", "IGNORE", "NO_ERROR"),
)
MACROS = re.compile(rf"\b({'|'.join(TAKEN)})\b")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.S)


def reached(path, headers, seen):
    """The names of all headers that a file includes, directly or not."""
    for _, _, name in includes(path):
        if name not in seen:
            seen.add(name)
            for header in headers.get(name.rpartition("/")[2], ()):
                if header.as_posix().endswith(f"/{name}"):  # corels/search.h is not search.h
                    reached(header, headers, seen)
    return seen


def test_no_name_is_one_of_windows():
    headers = {}
    for path in c_files():
        headers.setdefault(path.name, []).append(path)
    on_windows = [path for path in c_files() if "windows.h" in reached(path, headers, set())]
    assert len(on_windows) > 5
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in on_windows
        if (found := MACROS.search(NO_CODE.sub("", path.read_text(encoding="utf-8"))))
    ]
    assert not wrong


@pytest.mark.parametrize("path", sorted((ROOT / "tests/c").glob("*_main.c")), ids=lambda p: p.stem)
def test_programs_that_only_other_commands_compile_fit_the_headers(path):
    """`make cross` and the sanitizers compile these; a struct that has changed is found here."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler named cc")
    places = [f"-I{ROOT / name}" for name in cross.INCLUDES]
    flags = [flag for flag in cross.FLAGS if "shadow" not in flag]  # gcc's own
    command = [compiler, "-fsyntax-only", *flags, *places, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
