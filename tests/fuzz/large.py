"""A search in so many points that the price bound cuts cells of many points first, and makes their
prices again. No oracle knows its optimum; it is there to be run twice."""

from engine import FRONTIERS, Engine, hard_table
from inside import tell

POINTS, FLAGS, STEPS = 4200, 6, 8
STAGES = (2, 5, 10, 20, 40, 80, 120, 160)


def run(rng, told):
    """Tells `told`, a hash, all events and figures of the first steps."""
    search = str(rng.choice(list(FRONTIERS)))
    captures, wrong = hard_table(rng, POINTS, FLAGS)
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
