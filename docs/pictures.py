"""The pictures of the documentation: python docs/pictures.py DIRECTORY

    path.svg     the regularization path of the games of tic-tac-toe
    gap.svg      objective and proven lower bound while a search runs
    rates.svg    what the lists reach that are best for some cost
    falling.svg  a falling rule list: the probability of each rule
    tree.svg     the prefixes of a small search, and what removed each
    gallery_*    those of docs/gallery.md

The repository keeps them in docs/_pictures, so that a page shows them on any Git host. `make docs`
draws what is missing there.
"""

import sys
from pathlib import Path

import gallery_pictures
import matplotlib as mpl
from corels_rule_list.path.path import regularization_path
from matplotlib import pyplot

import corels
from corels.search import Kind, Recorder, Sink
from corels.tables import TableOptions, load


def path():
    """Objective, accuracy and length over lambda."""
    problem = corels.Problem.from_dataset(load("tic-tac-toe"))
    figure, axes = pyplot.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
    regularization_path(problem, "0.005").plot(axes)
    return figure


class Gap(Sink):
    """Expansions, objective and lower bound at each report."""

    def __init__(self, problem):
        self.problem, self.seen = problem, []

    def progress(self, snapshot, search):
        self._note(snapshot)

    def events(self, records, search):
        self._note(search.progress())

    def _note(self, snapshot):
        pair = (snapshot.objective, snapshot.lower_bound)
        objective, bound = (float(self.problem.objective(cost)) for cost in pair)
        self.seen.append((snapshot.expanded, objective, bound))


def gap():
    """Best-first, the lowest bound first: its bound rises from the beginning."""
    problem = corels.Problem.from_dataset(load("breast-cancer"), "0.01")
    sink = Gap(problem)
    corels.solve(problem, search="best-first", policy="lower_bound", start="none", sinks=[sink])
    figure, axes = pyplot.subplots(figsize=(7, 3.2), layout="constrained")
    expanded, objective, bound = zip(*sink.seen, strict=True)
    axes.step(expanded, objective, where="post", label="objective of the best list")
    axes.step(expanded, bound, where="post", label="proven lower bound")
    axes.fill_between(expanded, bound, objective, step="post", alpha=0.15, label="gap")
    axes.set(xlabel="prefixes expanded", ylabel="objective", ylim=(0, None))
    axes.legend()
    return figure


def rates():
    """Precision, F1 and the share flagged over recall: each list that is best for some cost."""
    data = load("titanic", TableOptions(cost="fp=1,fn=20"))
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    corels.front(data, "cost", "0.005").plot(axes)
    return figure


def falling():
    """A bar a rule: the share of positives among what it captures."""
    problem = corels.Problem.from_dataset(load("titanic"))
    model = corels.solve(problem, "falling", rule_cost="0.002", positive_weight=2).model
    rules = list(model)
    labels = [str(rule.antecedent) if rule.antecedent else "else" for rule in rules]
    shares = [float(share) for share in model.proportions]
    figure, axes = pyplot.subplots(figsize=(7, 0.7 + 0.5 * len(rules)), layout="constrained")
    bars = axes.barh(range(len(rules)), shares, color="#4a7ebb")
    counts = [f"{rule.positives} of {rule.positives + rule.negatives}" for rule in rules]
    axes.bar_label(bars, counts, padding=4)
    axes.set_yticks(range(len(rules)), labels)
    axes.invert_yaxis()
    event = f"{model.label_name} = {model.classes[1]}"
    axes.set(xlim=(0, 1.15), xlabel=f"probability of {event}")
    return figure


def tree():
    """Each prefix below its parent; grey where it was cut off, and by which bound."""
    problem = corels.Problem.from_dataset(load("titanic"), "0.007")
    seen = Recorder()
    parts = {"preset": "paper", "search": "best-first", "policy": "bfs", "start": "none"}
    result = corels.solve(problem, sinks=[seen], **parts)
    bounds = result.certificate.parts["bounds"].split()
    nodes = {0: ((), "start")}
    cut = []
    for record in seen.records:
        kind, node, rule = int(record["kind"]), int(record["node"]), int(record["antecedent"])
        if kind == Kind.PUSH:
            nodes[node] = ((*nodes[int(record["count"])][0], rule), str(problem.antecedents[rule]))
        elif kind == Kind.PRUNE and rule >= 0:
            name = f"{problem.antecedents[rule]}\n({bounds[int(record['part'])]})"
            cut.append(((*nodes[node][0], rule), name))
    return _drawn(sorted([*nodes.values(), *cut]), {trail for trail, _ in cut})


def _drawn(found, cut):
    """Leaves from top to bottom in rising order; a parent in the middle of its children."""
    height, place = 0, {}
    for trail, _ in reversed(found):
        below = [place[other] for other, _ in found if other[:-1] == trail and other]
        place[trail] = sum(below) / len(below) if below else (height := height + 1)
    figure, axes = pyplot.subplots(figsize=(8, 0.42 * height + 0.5), layout="constrained")
    for trail, name in found:
        at, color = place[trail], "#999999" if trail in cut else "#1a4a7a"
        if trail:
            axes.plot([len(trail) - 1, len(trail)], [place[trail[:-1]], at], color=color, lw=1)
        axes.text(
            len(trail), at, name, color=color, fontsize=8, va="center", ha="center",
            bbox={"facecolor": "white", "edgecolor": color, "boxstyle": "round,pad=0.2"},
        )  # fmt: skip
    axes.set(xlim=(-0.5, max(len(trail) for trail, _ in found) + 0.6), ylim=(0, height + 1))
    axes.axis("off")
    return figure


PICTURES = (path, gap, rates, falling, tree, *gallery_pictures.PICTURES)


def draw(place):
    """All pictures, into a directory."""
    place.mkdir(parents=True, exist_ok=True)
    pyplot.switch_backend("svg")
    mpl.rcParams["svg.hashsalt"] = "corels"  # the same file every time
    for picture in PICTURES:
        figure = picture()
        figure.savefig(place / f"{picture.__name__}.svg", metadata={"Date": None})
        pyplot.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
