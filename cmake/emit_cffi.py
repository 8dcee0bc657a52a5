"""Write the C source of a cffi extension module: emit_cffi.py MODULE OUTPUT HEADER...

A file that ends in .cdef is given to cffi whole and not included: it declares the functions that C
calls and Python provides (`extern "Python"`, which is not C).

The declarations are the lines of each HEADER between `/* cffi: begin */` and `/* cffi: end */`;
nothing is copied by hand, so the header and the binding cannot drift apart.
"""

import sys
from pathlib import Path

from cffi import FFI

BEGIN, END = "/* cffi: begin */", "/* cffi: end */"


def declarations(header: Path) -> str:
    text = header.read_text(encoding="utf-8")
    if header.suffix == ".cdef":
        return text
    return text.partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    module, output = sys.argv[1], sys.argv[2]
    headers = [Path(name).resolve() for name in sys.argv[3:]]
    ffi = FFI()
    for header in headers:
        ffi.cdef(declarations(header))
    includes = [f'#include "{h.as_posix()}"' for h in headers if h.suffix == ".h"]
    ffi.set_source(module, "\n".join(includes))
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
