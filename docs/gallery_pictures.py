"""The pictures of the gallery, one for each question: a bar for each rule, from the search itself.

`docs/pictures.py` draws them with the others, when the documentation is built.
"""

from textwrap import wrap

from matplotlib import pyplot

import corels
from corels.tables import TableOptions, load, load_columns

RIGHT, WRONG, SILENT = "C0", "C1", "C7"  # of the palette, in light or in dark
LETTERS = 24  # of a line of a label


def wrapped(label):
    """A label in lines that leave room for the bars."""
    return "\n".join(wrap(label, LETTERS))


def bars(lines, right="rows predicted rightly", wrong="wrongly"):
    """A bar for each (label, right, wrong), the first one on top."""
    labels, good, bad = zip(*lines, strict=True)
    names = [wrapped(label) for label in labels]
    rows = sum(0.25 + 0.22 * (1 + name.count("\n")) for name in names)
    figure, axes = pyplot.subplots(figsize=(5.4, 1.1 + rows), layout="constrained")
    places = range(len(lines))
    axes.barh(places, good, color=RIGHT, label=right)
    colors = [SILENT if label.endswith("don't know") else WRONG for label in labels]
    axes.barh(places, bad, left=good, color=colors, label=wrong)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower right", ncols=2, frameon=False)
    return figure


def rules(dataset, regularization, options=None, **search):
    """The best rule list of a built-in table: what each rule captures."""
    problem = corels.Problem.from_dataset(load(dataset, options), regularization)
    return lines(corels.solve(problem, **search).model)


def lines(model):
    """(label, right, wrong) of each rule and of the default rule."""
    found, says = [], [*model.classes, "don't know"]
    for rule in model:
        condition = rule.antecedent or "otherwise"
        label = f"{condition}: {says[rule.prediction]}"
        found.append((label, rule.correct, rule.captured - rule.correct))
    return found


def gallery_plain():
    return bars(rules("heart", "0.015"))


def gallery_costs():
    return bars(rules("heart", "0.02", TableOptions(cost="fp=1,fn=5", positive="yes")))


def gallery_abstain():
    return bars(rules("titanic", "0.005", TableOptions(abstain="0.25")))


def gallery_fair():
    """Of the diseased of each sex: found and missed, without and with the constraint."""
    columns, _ = load_columns("heart")
    words = {name: columns[name].cells() for name in ("sex", "disease")}
    found = []
    for name, fair in (
        ("no constraint", ()),
        ("at most 0.05", ("equal-opportunity by sex within 0.05",)),
    ):
        options = TableOptions(constraints=fair) if fair else TableOptions(ignore=("sex",))
        problem = corels.Problem.from_dataset(load("heart", options), "0.02")
        said = corels.solve(problem).model.predict(columns)
        for sex in "female", "male":
            ill = [
                at
                for at, truth in enumerate(words["disease"])
                if truth == "yes" and words["sex"][at] == sex
            ]
            right = sum(said[at] == "yes" for at in ill) / len(ill)
            found.append((f"{sex}, {name}", right, 1 - right))
    return bars(found, "share of the diseased that is found", "missed")


def gallery_falling():
    problem = corels.Problem.from_dataset(load("blood-donors"))
    model = corels.solve(problem, "falling", positive_weight=3, rule_cost="0.005").model
    found = [(str(r.antecedent or "otherwise"), r.positives, r.negatives) for r in model]
    return bars(found, "came back", "did not")


def gallery_set():
    problem = corels.Problem.from_dataset(load("tic-tac-toe", TableOptions(negations=True)))
    model = corels.solve(problem, "rule-set", complexity=32).model
    clauses = model.deciders()[0].clauses
    found = [(" and ".join(map(str, c.antecedents)), c.counts[1], c.counts[0]) for c in clauses]
    return bars(found, "boards that x has won", "others")


def gallery_near():
    return bars(rules("heart", "0.02", TableOptions(ignore=("vessels",))))


def gallery_missing():
    """The counted vessels by class."""
    columns, label = load_columns("heart")
    names = {0: "none", 1: "one", 2: "two", 3: "three", None: "not counted"}
    pairs = list(zip(columns["vessels"].cells(), columns[label].cells(), strict=True))
    found = [(name, *(pairs.count((v, d)) for d in ("yes", "no"))) for v, name in names.items()]
    return bars(found, "diseased", "healthy")


def gallery_short():
    """The best list of at most K rules, for each K."""
    problem = corels.Problem.from_dataset(load("breast-cancer"), 0)
    found = []
    for most in range(3):
        model = corels.solve(problem, max_rules=most).model
        rows = sum(rule.captured for rule in model)
        found.append((f"at most {most} rules", rows - model.errors, model.errors))
    return bars(found)


def gallery_evaluate():
    """The accuracy on held-out rows."""
    from corels_workbench import evaluate
    from corels_workbench.evaluating import summary
    from corels_workbench.labelled import Labelled

    table = evaluate(
        {"heart": Labelled.of(*load_columns("heart"), "heart")},
        models=["rule-list", "CART", "random forest"],
        folds=3,
    )
    found = [(row["model"], row["accuracy"], 1 - row["accuracy"]) for row in summary(table).rows]
    return bars(found, "share of new rows predicted rightly", "wrongly")


PICTURES = tuple(draw for name, draw in list(globals().items()) if name.startswith("gallery_"))
