"""The checker: it counts every claim again, and imports nothing of the search."""

from fractions import Fraction

from corels.check.opening import Numbers
from corels.check.points import price, read_points, whole
from corels.check.verdict import Verdict
from corels.errors import InputError


def check(proof, table, watch):
    points, names = read_points(proof.header, table, watch), proof.header["antecedents"]
    lam, scale = price(proof.header, "regularization"), whole(proof.header, "scale") or 1
    claims, rules, bound = read(Numbers(proof.records, proof.name), len(names))

    def cost(*rules):
        free, wrong = points.counts[0] >= 0, 0
        for here in (*(points.captures[rule] for rule in rules), free):
            counts = points.counts[:, free & here].sum(axis=1)
            wrong, free = wrong + int(counts.sum() - counts.max()), free & ~here
        return Fraction(wrong, points.total) + lam * len(rules)

    failure = None
    for first, value in watch.over("claims", list(claims.items())):
        lists = [(first,), *((first, second) for second in range(len(names)))]
        if failure is None and any(value > cost(*tried) * scale for tried in lists):
            failure = f"a list that begins with {names[first]['name']} costs less than is claimed"
    # A list of one rule or more costs lambda at least, also if nothing is claimed of its first.
    shown = [cost() * scale, *(claims.get(first, lam * scale) for first in range(len(names)))]
    if failure is None and bound is not None and bound > min(shown):
        failure = "the claims do not show that every list costs at least the bound"
    lower = None if bound is None else Fraction(bound, scale)
    said = f"no list of at most two rules costs less than {lower}"
    return Verdict(
        failure=failure,
        sentence="the file ends before its conclusion" if bound is None else said,
        checker="python",
        objective=None if rules is None else cost(*rules),
        lower_bound=lower,
        found=None if rules is None else [names[rule]["conditions"] for rule in rules],
        prices={"regularization": str(lam)},
    )


def read(numbers, size):
    """({first: claimed cost}, the list or None, the bound or None); a cut-off file ends early."""
    claims, rules, bound = {}, None, None
    try:
        while bound is None:
            kind = numbers.next()
            if kind == ord("c"):
                first, claimed = numbers.below(size, "an antecedent"), numbers.next()
                claims[first] = max(claimed, claims.get(first, 0))
            elif kind == ord("l"):
                length = range(numbers.below(3, "the number of rules"))
                rules = [numbers.below(size, "an antecedent") for _ in length]
            elif kind == ord("e"):
                bound = numbers.next()
            else:
                raise InputError(f"{numbers.name}: a record of no known kind: {kind}")
        numbers.end()
    except IndexError:
        pass
    return claims, rules, bound
