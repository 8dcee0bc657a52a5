"""A broken plugin is a warning that names it; everything else works."""

import json

import pytest

SCRIPT = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from corels.plugins import registry
    found = registry()
import corels
from corels.tables import load
problem = corels.Problem.from_dataset(load("titanic"), "0.01")
for backend in ("c", "python"):
    assert corels.solve(problem, backend=backend).certificate.optimal
print(json.dumps({
    "warnings": [str(w.message) for w in caught],
    "failed": {p.name: p.error for p in found.plugins if p.error},
    "loaded": [p.name for p in found.plugins if not p.error],
    "parts": [(e.kind, e.name, e.distribution) for e in found],
}))
"""

GOOD = """
import corels
class Good(corels.Policy):
    name = "good"
    summary = "as bfs"
    def priority(self, children):
        return children.length.astype(float)
@corels.hookimpl
def register_parts(register):
    register(Good)
"""

LANGUAGE = """
import corels
class Klingon(corels.Export):
    name, summary = "klingon", "a poem"
    def write(self, model, options):
        return "Qapla"
@corels.hookimpl
def register_parts(register):
    register(Klingon)
"""

BROKEN = {
    "import error": (
        "import no_such_module_anywhere\n",
        "No module named 'no_such_module_anywhere'",
    ),
    "syntax error": ("def broken(:\n", "SyntaxError"),
    "exit on import": ("raise SystemExit(3)\n", "SystemExit"),
    "hook that raises": (
        "import corels\n@corels.hookimpl\ndef register_parts(register):\n    1 / 0\n",
        "ZeroDivisionError",
    ),
    "hook that does not exist": (
        "import corels\n@corels.hookimpl\ndef register_nonsense(register):\n    pass\n",
        "register_nonsense",
    ),
    "taken name": (GOOD.replace('"good"', '"bfs"'), "policy 'bfs' is already registered by corels"),
    "nameless part": (GOOD.replace('name = "good"', "title = 1"), "has no name"),
    "empty name": (GOOD.replace('"good"', '""'), "has no name"),
    "no container": (
        "import corels\n@corels.hookimpl\ndef register_parts(register):\n    register(int)\n",
        "is no part: expected a command or a subclass of Policy, Bound, SymmetryMap",
    ),
    "language that is ours": (
        LANGUAGE.replace('"klingon"', '"sql"'),
        "export 'sql' is already registered by corels",
    ),
    "unfinished language": (
        LANGUAGE.replace("def write", "def speak"),
        "export Klingon lacks write",
    ),
    "unfinished policy": (GOOD.replace("def priority", "def priorities"), "lacks priority"),
    "wrong argument": (
        "import corels\n@corels.hookimpl\ndef register_parts(registrar):\n    pass\n",
        "registrar",
    ),
    "no policy": (GOOD.replace("corels.Policy", "corels.Problem"), "is no part"),
    "options that are none": (
        "import corels\nfrom corels.search import Sink\n"
        "class Deaf(Sink):\n    name, summary, options = 'deaf', 'hears nothing', ('level',)\n"
        "@corels.hookimpl\ndef register_parts(register):\n    register(Deaf)\n",
        "sink Deaf: options is ('level',), expected Options",
    ),
    "half a plugin": (GOOD + "    raise OSError('disk')\n", "OSError: disk"),
}


def loaded(environment):
    (environment.site / "script.py").write_text(SCRIPT)
    done = environment.run(environment.bin / "start", environment.site / "script.py")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("case", BROKEN)
def test_it_is_a_warning_that_names_it(case, environment):
    code, reason = BROKEN[case]
    environment.add_distribution("corels-broken", {"broken": "broken_plugin"}, broken_plugin=code)
    environment.add_distribution("corels-good", {"good": "good_plugin"}, good_plugin=GOOD)
    found = loaded(environment)
    (warning,) = found["warnings"]
    assert "plugin 'broken' of corels-broken 1.0 was not loaded" in warning
    assert reason in warning
    assert list(found["failed"]) == ["broken"]
    assert ["policy", "good", "corels-good"] in found["parts"], "the other plugin works"
    assert not [part for part in found["parts"] if part[2] == "corels-broken"], (
        "nothing of a broken plugin stays behind"
    )


def test_of_two_plugins_with_one_name_the_first_stays(environment):
    for number in (1, 2):
        module = f"twin_{number}"
        environment.add_distribution(f"corels-twin-{number}", {"twin": module}, **{module: GOOD})
    found = loaded(environment)
    (warning,) = found["warnings"]
    assert "corels-twin-2" in warning
    assert "policy 'good' is already registered by corels-twin-1" in warning


def test_a_missing_module_is_named(environment):
    environment.add_distribution("corels-gone", {"gone": "module_that_was_deleted"})
    found = loaded(environment)
    (warning,) = found["warnings"]
    assert "plugin 'gone' of corels-gone 1.0" in warning
    assert "module_that_was_deleted" in warning
