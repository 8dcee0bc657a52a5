"""At home in scikit-learn: what the estimators of all families share, and `Binarizer`.

`TRUSTED_TYPES` names what a file of skops may hold of an estimator: `skops.io.load(..., trusted=)`.
"""

from typing import Any

from corels.installed import install_command
from corels.plugins import registry

try:
    from sklearn.utils.validation import validate_data  # noqa: F401 - came with 1.6
except ImportError as error:
    raise ImportError(
        f"the estimators need scikit-learn 1.6 or later: {install_command('sklearn')}"
    ) from error


OF_THE_CORE = (
    "corels.clock.Clock",
    "corels.model.certificate.Certificate",
    "corels.sklearn.binarizer.Binarizer",
    "corels.tables.condition.Antecedent",
    "corels.tables.condition.Condition",
    "corels.tables.use.ColumnUse",
    "fractions.Fraction",
)


def __getattr__(name: str) -> Any:
    """`TRUSTED_TYPES`: those of the core, and of each family that is installed its estimator, and
    what this names as `_trusted`."""
    if name != "TRUSTED_TYPES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = set(OF_THE_CORE)
    for solver in registry().names("solver"):
        family = registry().get("solver", solver)()
        if (estimator := family.estimator()) is not None:
            own = f"{estimator.__module__}.{estimator.__qualname__}"
            found |= {own, *estimator._trusted}
    return tuple(sorted(found))
