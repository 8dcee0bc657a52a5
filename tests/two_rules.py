"""The family of the guide, `corels_two_rules`, as `corels new-plugin` writes it, to be imported."""

import sys
from pathlib import Path
from tempfile import mkdtemp

from corels_template.command import files_of, write_files

FAMILY = Path(mkdtemp(prefix="corels-")) / "two-rules"
write_files(FAMILY, files_of("family", "two-rules", full=True))
sys.path.append(str(FAMILY))
