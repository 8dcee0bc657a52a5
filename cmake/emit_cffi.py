"""Write the C source of a cffi extension module: emit_cffi.py HEADER MODULE OUTPUT.

The declarations are the lines of HEADER between `/* cffi: begin */` and `/* cffi: end */`;
nothing is copied by hand, so the header and the binding cannot drift apart.
"""

import sys
from pathlib import Path

from cffi import FFI

BEGIN, END = "/* cffi: begin */", "/* cffi: end */"


def declarations(header: Path) -> str:
    text = header.read_text(encoding="utf-8")
    return text.partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    header, module, output = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    ffi = FFI()
    ffi.cdef(declarations(header))
    ffi.set_source(module, f'#include "{header.resolve().as_posix()}"')
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
