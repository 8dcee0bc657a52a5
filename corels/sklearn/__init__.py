"""At home in scikit-learn: what the estimators of all families share, `Binarizer`, callbacks.

`TRUSTED_TYPES` names what a file of skops may hold of an estimator: `skops.io.load(..., trusted=)`.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "TRUSTED_TYPES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corels.sklearn.trusted import trusted_types

    return trusted_types()
