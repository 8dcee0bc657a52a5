"""The pictures of the documentation: python docs/pictures.py DIRECTORY

    path      the regularization path of the games of tic-tac-toe
    gap       objective and proven lower bound while a search runs
    rates     what the lists reach that are best for some cost
    falling   a falling rule list: the probability of each rule
    gallery_* those of docs/gallery.md

The repository keeps NAME-light.svg and NAME-dark.svg in docs/_pictures, so that a page shows the
light one on any Git host; `make docs` draws what is missing there, and shows each where it fits.
They are small, in the palette of all pictures, so that their text can be read on a telephone.
"""

import sys
from pathlib import Path

import gallery_pictures
import matplotlib as mpl
from corels_rule_list.path.path import regularization_path
from cycler import cycler
from gallery_pictures import wrapped
from matplotlib import pyplot

import corels
from corels.plots.figure import COLOURS
from corels.search import Sink
from corels.tables import TableOptions, load


def path():
    """Objective, accuracy and length over lambda."""
    problem = corels.Problem.from_dataset(load("tic-tac-toe"))
    figure, axes = pyplot.subplots(2, 1, sharex=True, figsize=(5.4, 5), layout="constrained")
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
    figure, axes = pyplot.subplots(figsize=(5.4, 3.2), layout="constrained")
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
    figure, axes = pyplot.subplots(figsize=(5.4, 4), layout="constrained")
    corels.front(data, "cost", "0.005").plot(axes)
    return figure


def falling():
    """A bar a rule: the share of positives among what it captures."""
    problem = corels.Problem.from_dataset(load("titanic"))
    model = corels.solve(problem, "falling", rule_cost="0.002", positive_weight=2).model
    rules = list(model)
    labels = [wrapped(str(rule.antecedent) if rule.antecedent else "else") for rule in rules]
    shares = [float(share) for share in model.proportions]
    figure, axes = pyplot.subplots(figsize=(5.4, 0.8 + 0.55 * len(rules)), layout="constrained")
    bars = axes.barh(range(len(rules)), shares, color="C0")
    counts = [f"{rule.positives} of {rule.positives + rule.negatives}" for rule in rules]
    axes.bar_label(bars, counts, padding=4)
    axes.set_yticks(range(len(rules)), labels)
    axes.invert_yaxis()
    event = f"{model.label_name} = {model.classes[1]}"
    axes.set(xlim=(0, 1.15), xlabel=f"probability of {event}")
    return figure


PICTURES = (path, gap, rates, falling, *gallery_pictures.PICTURES)


def draw(place):
    """All pictures, into a directory."""
    place.mkdir(parents=True, exist_ok=True)
    pyplot.switch_backend("svg")
    mpl.rcParams["svg.hashsalt"] = "corels"  # the same file every time
    for name, style in (("light", "default"), ("dark", "dark_background")):
        own = {"font.size": 11, "axes.prop_cycle": cycler(color=COLOURS[name])}
        for picture in PICTURES:
            with pyplot.style.context([style, own]):
                figure = picture()
                file = place / f"{picture.__name__}-{name}.svg"
                figure.savefig(file, metadata={"Date": None}, transparent=name == "dark")
                pyplot.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
