"""PMML and DMN held against engines of others:  python tests/engines [--count N] [--keep]

Sets up build/engines (an environment with JPMML and PMML4S, Node packages for DMN), writes random
models, lets the engines decide random rows, and compares with `predict`. --keep writes the first
cases with what the engines answered into golden.json.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cases import random_cases

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / "build" / "engines"
PYTHON = ["jpmml_evaluator[jpype]==0.16.0", "pypmml==1.5.8"]
NODE = ["dmn-moddle@12", "@bpmn-io/feelin@6"]
KEPT = 12


def install() -> None:
    """What the engines need, once."""
    if (PLACE / "ready").exists():
        return
    print(f"installing the engines into {PLACE} ...")
    subprocess.run([sys.executable, "-m", "venv", PLACE / "venv"], check=True)
    pip = [PLACE / "venv/bin/python", "-m", "pip", "-q", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, *PYTHON], check=True)
    (PLACE / "package.json").write_text('{"private": true}\n')
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", *NODE]
    subprocess.run(npm, cwd=PLACE, check=True)
    (PLACE / "ready").touch()


def answered(*command: str | Path) -> list[dict[str, Any]]:
    """What an engine answers to each case, by its name."""
    target = PLACE / "answers.json"
    subprocess.run([*command, PLACE / "cases.json", target], cwd=PLACE, check=True)
    found: list[dict[str, Any]] = json.loads(target.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python tests/engines", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    install()
    cases = random_cases(options.count)
    (PLACE / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    pmml = answered(PLACE / "venv/bin/python", HERE / "pmml_engines.py")
    dmn = answered("node", HERE / "dmn_engine.mjs")
    answers = [{**one, **other} for one, other in zip(pmml, dmn, strict=True)]
    passed = failed = 0
    for case, found in zip(cases, answers, strict=True):
        for engine, said in found.items():
            passed += said == case["said"]
            if said != case["said"]:
                failed += 1
                print(f"{engine} says {said}\ninstead of {case['said']} of\n{case['model']}")
                print(json.dumps(case["rows"]))
    if options.keep:
        kept = [{**case, "answers": found} for case, found in zip(cases, answers, strict=True)]
        text = json.dumps(kept[:KEPT], indent=1) + "\n"
        (HERE / "golden.json").write_text(text, encoding="utf-8")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
