"""Write the C source of a cffi extension module: emit_cffi.py MODULE OUTPUT HEADER...

The declarations are the lines of each HEADER between `/* cffi: begin */` and `/* cffi: end */`;
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
    module, output = sys.argv[1], sys.argv[2]
    headers = [Path(name).resolve() for name in sys.argv[3:]]
    ffi = FFI()
    for header in headers:
        ffi.cdef(declarations(header))
    ffi.set_source(module, "\n".join(f'#include "{header.as_posix()}"' for header in headers))
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
