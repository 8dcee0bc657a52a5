"""Random trials of everything against the oracle:  python tests/fuzz [--count N] [--first N] ...

Prints a line a minute and every failure as it comes; killed and called again it goes on where it
was. Exit code 1: some trial failed. `make fuzz` runs 50,000.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FURTHER = (".", "c", "fair", "plugins/falling", "plugins/colgen")
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in FURTHER)]


def main():
    import runner

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("--count", type=int, default=50_000, help="how many trials")
    parser.add_argument("--trial", type=int, help="run this one alone, and show what fails")
    parser.add_argument("--digests", action="store_true", help="print what each search found")
    parser.add_argument("--results", type=Path, default=Path("build/fuzz.jsonl"))
    options = parser.parse_args()
    if options.trial is not None:
        print(runner.trial(options.trial))
        return 0
    if options.digests:
        for number, digest in runner.digests(options.first, options.count):
            print(number, digest)
        return 0
    return 1 if runner.run(options.first, options.count, options.results) else 0


if __name__ == "__main__":
    sys.exit(main())
