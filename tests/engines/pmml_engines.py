"""JPMML and PMML4S decide rows: python pmml_engines.py CASES.json ANSWERS.json

Runs in an environment that has `jpmml_evaluator` and `pypmml`, and nothing of corels.
"""

import json
import sys
import tempfile
from pathlib import Path

from jpmml_evaluator import make_evaluator
from pypmml import Model


def jpmml(file, label, rows):
    evaluator = make_evaluator(str(file)).verify()
    given = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return [evaluator.evaluate(row)[label] for row in given]


def pmml4s(file, label, rows):
    model = Model.load(str(file))
    return [model.predict(row)[f"predicted_{label}"] for row in rows]


def answers(engine, file, case):
    try:
        return [str(one) for one in engine(file, case["label"], case["rows"])]
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:2000]


def main(source, target):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(json.loads(Path(source).read_text("utf-8"))):
            file = Path(folder) / f"{number}.pmml"
            said = {}
            if case["pmml"] is not None:
                file.write_text(case["pmml"], encoding="utf-8")
                said = {engine.__name__: answers(engine, file, case) for engine in (jpmml, pmml4s)}
            found.append(said)
    Path(target).write_text(json.dumps(found), encoding="utf-8")


main(*sys.argv[1:])
