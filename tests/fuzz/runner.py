"""Many trials, in chunks that can be gone on with: each chunk leaves a line in a file.

Trial n is drawn from its number alone, so a failure repeats: `python tests/fuzz --trial n`.
"""

import hashlib
import itertools
import json
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

import handed
import inside
import large
import numpy as np
import rule_sets
import whole

CHUNK = 250
KINDS = (whole, inside, handed, rule_sets)


def trial(number):
    """One trial by its number: what it tried. Raises AssertionError."""
    kind = KINDS[number % len(KINDS)]
    return {"trial": kind.__name__, **kind.run(np.random.default_rng([2026, 11, number]))}


def digests(first, count):
    """A number for each trial of the engine itself, every tenth in many points: it depends on all
    events and figures of a search that promises to repeat."""
    for number in range(first, first + count):
        told, kind = hashlib.sha256(), inside if number % 10 else large
        kind.run(np.random.default_rng([2026, 11, number]), told)
        yield number, told.hexdigest()[:16]


def run_chunk(first, count):
    """The line of one chunk: numbers, failures, and how often each pair of choices came."""
    began, failures, pairs = time.process_time(), [], Counter()
    for number in range(first, first + count):
        try:
            features = trial(number)
        except Exception:  # whatever goes wrong is a failed trial, and the next one goes on
            failures.append({"trial": number, "error": traceback.format_exc(limit=-3)})
        else:
            pairs.update(map(json.dumps, itertools.combinations(sorted(features.items()), 2)))
    seconds = round(time.process_time() - began, 2)
    return {"first": first, "count": count, "seconds": seconds, "failures": failures}, pairs


def run(first, count, results, say=sys.stderr):
    """All chunks that `results` does not have; how many trials failed, in all that it has."""
    results.parent.mkdir(parents=True, exist_ok=True)
    lines = kept(results)
    results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = {line["first"] for line in lines}
    told = time.monotonic()
    for begin in range(first, first + count, CHUNK):
        if begin in done:
            continue
        line, pairs = run_chunk(begin, min(CHUNK, first + count - begin))
        add_pairs(results, pairs)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        for failure in line["failures"]:
            print(f"trial {failure['trial']} failed:\n{failure['error']}", file=say, flush=True)
        if time.monotonic() - told > 60 or begin + CHUNK >= first + count:
            told = time.monotonic()
            print(summary(results), file=say, flush=True)
    return sum(len(line["failures"]) for line in kept(results))


def kept(results):
    """The lines of the chunks that are done; the last may have been cut off by a kill."""
    lines = []
    for text in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return lines


def pairs_file(results):
    return Path(f"{results}.pairs")


def pairs_of(results):
    """How often each pair of choices came."""
    file = pairs_file(results)
    return Counter(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else Counter()


def add_pairs(results, pairs):
    total = pairs_of(results) + pairs
    new = Path(f"{results}.new")
    new.write_text(json.dumps(total), encoding="utf-8")
    new.replace(pairs_file(results))


def summary(results):
    """One line."""
    lines, pairs = kept(results), pairs_of(results)
    trials = sum(line["count"] for line in lines)
    failed = sum(len(line["failures"]) for line in lines)
    seconds = sum(line["seconds"] for line in lines)
    return (
        f"{trials:,} trials, {failed} failed, {len(pairs):,} pairs of choices, "
        f"{seconds:,.0f} s of processor time"
    )
