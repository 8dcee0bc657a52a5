"""The solver `rule-list`: certifiably optimal rule lists (CORELS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OptionError
from corels.model import RuleList
from corels.options import Option, unknown
from corels.plugins import registry
from corels.problem import Problem, prepare
from corels.search import Backend, Bound, Parts, Policy, Preset, Search, Solver

PAPER_BOUNDS = (
    "support",
    "accurate_support",
    "upper_support",
    "hierarchical",
    "lookahead",
    "prefix_length",
    "rejection",
    "equivalent_points",
)


PRESETS: Mapping[str, Preset] = {
    "fast": Preset(
        policy="objective",
        map="captured",
        bounds=(
            "reduced_support",
            "hierarchical",
            "lookahead",
            "second_rule",
            "dominance",
            "one_rule",
            "rejection",
            "equivalent_points",
        ),
    ),
    "paper": Preset(policy="curiosity", map="permutation", bounds=PAPER_BOUNDS),
    "plain": Preset(policy="bfs", map="none", bounds=()),
}


class RuleListSolver(Solver):
    """Optimal rule lists: minimise errors/N + lambda * length, and prove it."""

    name = "rule-list"
    summary = "certifiably optimal rule lists (CORELS)"
    options = (
        Option(
            "backend",
            "text",
            None,
            "where the search runs: c (the default where it is built) or python (to read)",
            optional=True,
        ),
        Option("preset", "text", "fast", "parts that belong together", choices=tuple(PRESETS)),
        Option("policy", "text", None, "order of exploration (as the preset says)", optional=True),
        Option("map", "text", None, "symmetry map (as the preset says)", optional=True),
        Option("bound", "names", (), "bounds to add to the preset's"),
        Option("no_bound", "names", (), "bounds to take from the preset's; `all` takes every one"),
        Option("queue", "text", "heap", "worklist (other than heap: backend python)"),
        Option("cache", "text", "tree", "prefix tree (other than tree: backend python)"),
        Option("seed", "int", 0, "seed of everything random", low=0, high=2**63 - 1),
        Option("threads", "int", 1, "threads of the C engine", low=1, high=256),
    )

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """Resolve the names, ask the backend whether it can, prepare the instance, build."""
        backend: Backend = registry().get("backend", options["backend"] or default_backend())()
        parts = choose_parts(options, backend, fine_events=fine_events, memory_limit=memory_limit)
        refusal = _wrong_loop(parts, backend) or backend.refuses(parts, problem)
        if refusal is not None:
            raise OptionError(refusal)
        parts.policy.start(parts.seed)
        reduced = "equivalent_points" in parts.bound_names and not parts.reads
        return backend.search(problem, prepare(problem, captured=not reduced), parts)

    def load(self, document: Mapping[str, Any]) -> RuleList:
        """A rule list from its JSON document."""
        return RuleList.from_document(document)


def default_backend() -> str:
    """The C engine where it is installed, else the teaching backend."""
    return "c" if "c" in registry().names("backend") else "python"


def choose_parts(
    options: Mapping[str, Any],
    backend: Backend,
    *,
    fine_events: bool = False,
    memory_limit: int | None = None,
) -> Parts:
    """The parts that the options name. Raises OptionError on a name that does not exist."""
    preset = _preset(options, backend, fine_events)
    policy: type[Policy] = registry().get("policy", options["policy"] or preset.policy)
    map_name = options["map"] or preset.map
    for kind, name in (("map", map_name), ("queue", options["queue"]), ("cache", options["cache"])):
        registry().get(kind, name)  # names that do not exist are refused here
    return Parts(
        policy=policy(),
        map=map_name,
        queue=options["queue"],
        cache=options["cache"],
        bounds=_bounds(preset, options["bound"], options["no_bound"]),
        start=preset.start,
        seed=options["seed"],
        threads=options["threads"],
        memory_limit=memory_limit,
        fine_events=fine_events,
    )


def _preset(options: Mapping[str, Any], backend: Backend, fine_events: bool) -> Preset:
    """What the preset means on this backend, for what else the options want.

    Where they name no policy, `fast` is the backend's own loop, unless only the queue can do what
    they ask for: fine events, another map, bounds of the queue or without those of every cost.
    """
    queue, fastest = PRESETS[options["preset"]], backend.fastest
    if options["preset"] != "fast" or fastest is None:
        return queue
    if options["policy"] is not None:
        return fastest if options["policy"] == fastest.policy else queue
    loop = registry().get("policy", fastest.policy).loop
    known = registry().names("bound")
    bounds = [registry().get("bound", name) for name in options["bound"] if name in known]
    asks_for_queue = (
        fine_events
        or options["map"] not in (None, "none", fastest.map)
        or (options["queue"], options["cache"]) != ("heap", "tree")
        or any(loop not in bound.loops for bound in bounds)
        or not {"all", "hierarchical", "equivalent_points"}.isdisjoint(options["no_bound"])
    )
    return queue if asks_for_queue else fastest


def _wrong_loop(parts: Parts, backend: Backend) -> str | None:
    """Why policy and bounds do not go together or not here, in one sentence."""
    policy = parts.policy
    if policy.loop not in backend.loops:
        return (
            f"policy {policy.name!r} has a loop of its own, which backend {backend.name!r} lacks: "
            "choose another policy, or backend 'c'"
        )
    for bound in parts.bounds:
        if policy.loop not in bound.loops:
            names = registry().names("bound")
            known = [n for n in names if policy.loop in registry().get("bound", n).loops]
            return (
                f"bound {bound.name!r} does not work with policy {policy.name!r}, "
                f"which takes {', '.join(known)}"
            )
    return None


def _bounds(preset: Preset, added: tuple[str, ...], taken: tuple[str, ...]) -> tuple[Bound, ...]:
    """Bounds in the order of registration, those of stage "support" first, then by rank."""
    known = registry().names("bound")
    for name in (*added, *taken):
        if name not in known and not (name == "all" and name in taken):
            raise OptionError(unknown("bound", name, known))
    wanted = (set() if "all" in taken else set(preset.bounds) - set(taken)) | set(added)
    bounds = [registry().get("bound", name)() for name in known if name in wanted]
    return tuple(sorted(bounds, key=lambda bound: (bound.stage != "support", bound.rank)))
