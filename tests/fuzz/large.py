"""A search in so many points that the price bound cuts cells of many points first, and makes their
prices again. No oracle knows its optimum; it is there to be run twice."""

import numpy as np
from engine import FRONTIERS, Engine
from inside import tell

POINTS, FLAGS, STEPS = 4200, 6, 8
STAGES = (2, 5, 10, 20, 40, 80, 120, 160)


def random_problem(rng):
    """Conjunctions of two flags, and labels with a chance of their own for each pattern of flags,
    so that bounds tell little: bool[M, N], int[2, N]."""
    flags = rng.random((FLAGS, POINTS)) < rng.uniform(0.2, 0.6, size=(FLAGS, 1))
    captures = np.array([flags[i] & flags[j] for i in range(FLAGS) for j in range(i + 1)])
    pattern = (flags * (1 << np.arange(FLAGS))[:, None]).sum(axis=0)
    label = rng.random(POINTS) < rng.uniform(0.2, 0.8, 1 << FLAGS)[pattern]
    return captures, np.array([label, ~label]).astype(np.int32)


def run(rng, told):
    """Tells `told`, a hash, all events and figures of the first steps."""
    search = str(rng.choice(list(FRONTIERS)))
    captures, wrong = random_problem(rng)
    engine = Engine(
        captures,
        wrong,
        int(rng.integers(4, 30)),
        search=search,
        map={"best-first": "captured", "depth-first": "memo"}[search],
        fine=True,
        price_stages=STAGES,
        seed=int(rng.integers(1 << 30)),
    )
    for _ in range(STEPS):
        done, now = engine.step(50), engine.look()
        tell(told, engine, now)
        if done:
            break
    return now
