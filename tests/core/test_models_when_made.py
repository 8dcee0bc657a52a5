"""A model is looked at when it is made, by hand or from a file, whatever its family."""

import pytest
from corels_colgen.ruleset import ClauseSet, RuleSet
from corels_falling.model import FallingRule, FallingRuleList

from corels import InputError, Rule, RuleList
from corels.model import Clause, Decider, ListedModel
from corels.model.coherence import keeps
from corels.tables import Antecedent, Condition

ASKED = Antecedent.of(Condition("a", "true"))
CLASSES = ("no", "yes")
REST, ELSE = Rule(None, 0, (3, 1)), FallingRule(None, 1, 3)


class Short(ListedModel):
    schema = "tests/short"


def rules(*listed, default=REST, classes=CLASSES):
    return RuleList(listed, default, classes, "y")


def falling(*listed, rest=ELSE, classes=CLASSES, weight=1):
    return FallingRuleList(listed, rest, classes, "y", weight)


def sets(target=1, default=0, form="dnf", counts=(1, 2)):
    one = ClauseSet(target, (), counts, 0)
    return RuleSet(form, (one,), default, (3, 1), CLASSES, "y")


def short(*listed):
    return Short(listed, CLASSES, "y")


WRONG = {
    "a rule without counts": (lambda: rules(Rule(ASKED, 1, ())), "expected 2 numbers"),
    "counts below 0": (lambda: rules(Rule(ASKED, 1, (-1, 2))), "of at least 0"),
    "no default": (lambda: rules(default=None), "exactly one default rule"),
    "a rule as default": (lambda: rules(default=Rule(ASKED, 0, (1, 1))), "exactly one default"),
    "two defaults": (lambda: rules(REST), "exactly one default rule"),
    "an outcome of nobody": (lambda: rules(Rule(ASKED, 2, (1, 1))), "outcome 2: expected 0 to 1"),
    "costs without outcomes": (lambda: rules(Rule(ASKED, 0, (1, 1), (0, 1))), "expected none"),
    "no else": (lambda: falling(rest=FallingRule(ASKED, 1, 1)), "exactly one else"),
    "fewer than no rows": (lambda: falling(FallingRule(ASKED, -1, 3)), "of at least 0"),
    "three classes": (lambda: falling(classes=("a", "b", "c")), "has 3 classes"),
    "no weight": (lambda: falling(weight=0), "the positive_weight 0"),
    "a set of nobody": (lambda: sets(target=-1), "class -1: expected 0 to 1"),
    "a default of nobody": (lambda: sets(default=2), "class 2: expected 0 to 1"),
    "another form": (lambda: sets(form="xor"), "form of a rule set is 'xor'"),
    "other classes": (lambda: sets(counts=(1, 2, 3)), "expected 2 numbers"),
    "nothing": (short, "has no default"),
    "only a rule": (lambda: short(Decider.rule(ASKED, 0, (1, 1))), "has no default"),
    "clauses of others": (
        lambda: short(
            Decider(0, (1, 1), (Clause((ASKED,), "and", (1,)),), "any"),
            Decider.rule(None, 0, (1, 1)),
        ),
        "part 1 of the model has the counts (1,)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_model_is_refused_when_it_is_made(name):
    make, sentence = WRONG[name]
    with pytest.raises(InputError) as refused:
        make()
    assert sentence in str(refused.value)


def test_what_is_one_is_made():
    for model in (rules(Rule(ASKED, 1, (0, 4))), falling(), sets(), short(REST.decider)):
        assert str(model)


def test_a_limit_is_the_last_number_that_keeps_to_it():
    kept = [
        (name, n) for name in ("max_rules", "min_support") for n in (1, 2, 3) if keeps(name, n, 2)
    ]
    assert kept == [("max_rules", 1), ("max_rules", 2), ("min_support", 2), ("min_support", 3)]
