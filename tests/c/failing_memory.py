"""Run under failing_memory.so: every search, with each of its calls for memory refused in turn.

The argument says how many calls of each search are refused, spread over all of them.
Prints the searches whose result is not what it must be: a result that is true, or a ResourceError.
"""

import ctypes
import importlib
import os
import sys
from fractions import Fraction

import corels_c.parts
from corels_rule_list.near import near

import corels
from corels.errors import ResourceError
from corels.tables import load

AT_ONCE = {  # so that a small search makes all tables
    "prices_fewest": 1, "prices_fewest_time": 1, "effort_prices": 10**9, "deepen_after": 10,
    "effort_improver": 1000, "rule_columns_points": 0, "rule_columns_after": 1,
}  # fmt: skip
NATIVE = ("corels_c", "corels_falling", "corels_colgen", "corels_leaf_bound")
corels_c.parts.STAGES["leaves"] = (0,)

library = ctypes.CDLL(None)
library.failing_in.argtypes = [ctypes.c_size_t] * 2
library.failing_from.argtypes = [ctypes.c_long] * 2
library.failing_from.restype = ctypes.c_long


def watch():
    for name in NATIVE:
        importlib.import_module(f"{name}._native")
    with open("/proc/self/maps") as maps:
        for line in maps:
            place, rights, *_, path = line.split()
            if "x" in rights and any(f"{name}/_native" in path for name in NATIVE):
                library.failing_in(*(int(end, 16) for end in place.split("-")))


def searches():
    """name -> a function that gives a least and a greatest cost."""
    people = corels.Problem.from_dataset(load("titanic"), "0.002")

    def solved(problem, **options):
        def found():
            certificate = corels.solve(problem, **options).certificate
            return certificate.lower_bound, certificate.objective

        return found

    def listed():
        with near(people, within="5%") as found:
            proof = found.certificate
            least = proof.optimum if proof.complete_to is not None else Fraction(0)
            return least, least if proof.complete else Fraction(1)

    return {
        "alone": solved(people, tune=AT_ONCE),
        "two workers": solved(people, threads=2),
        "short lists": solved(people, tune=AT_ONCE, max_rules=2),
        "best-first": solved(people, search="best-first", map="captured", tune=AT_ONCE),
        "falling": solved(people, solver="falling", max_rules=2),
        "rule sets": solved(people, solver="rule-set", complexity=5, node_limit=3),
        "near": listed,
    }


def fault(search, true, refused):
    """What is wrong if these calls are refused, or "". In a process of its own: it may crash."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        library.failing_from(*refused)
        try:
            least, most = search()
            said = "" if least <= true[1] and most >= true[0] else f"{least} to {most}"
        except ResourceError as error:
            found = getattr(error, "result", None)
            proof = None if found is None else found.certificate
            sound = proof is None or (proof.lower_bound <= true[1] and proof.objective >= true[0])
            said = "" if sound else f"{proof}"
        except BaseException as error:
            said = repr(error)
        library.failing_from(-1, -1)
        os.write(mouth, said.encode())
        os._exit(0)
    os.close(mouth)
    with open(ear) as answer:
        said = answer.read()
    ended = os.waitpid(child, 0)[1]
    return said if ended == 0 else f"ended by signal {ended}"


def main():
    watch()
    for name, search in searches().items():
        library.failing_from(-1, -1)
        true = search()
        calls = library.failing_from(-1, -1)
        assert calls, name
        step = max(1, calls // int(sys.argv[1]))
        for first in range(0, calls, step):
            for refused in ((first, first + 1), (first, -1)):
                said = fault(search, true, refused)
                if said:
                    print(f"{name}, {true}, calls {refused} of {calls}: {said}")


if __name__ == "__main__":
    sys.exit(main())
