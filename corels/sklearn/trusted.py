"""The types that a file of skops may hold of our estimators, so that skops loads it."""

from __future__ import annotations

from corels.plugins import registry

OF_THE_CORE = (
    "corels.clock.Clock",
    "corels.model.certificate.Certificate",
    "corels.sklearn.binarizer.Binarizer",
    "corels.tables.condition.Antecedent",
    "corels.tables.condition.Condition",
    "corels.tables.use.ColumnUse",
    "fractions.Fraction",
)


def trusted_types() -> tuple[str, ...]:
    """Those of the core, and of each family that is installed its estimator, and what this names as
    `_trusted`."""
    found = set(OF_THE_CORE)
    for name in registry().names("solver"):
        family = registry().get("solver", name)()
        if (estimator := family.estimator()) is not None:
            own = f"{estimator.__module__}.{estimator.__qualname__}"
            found |= {own, *estimator._trusted}
    return tuple(sorted(found))
