"""At home in scikit-learn: what the estimators of all families share, and `Binarizer`.

`TRUSTED_TYPES` names what a file of skops may hold of an estimator: `skops.io.load(..., trusted=)`.
"""

from typing import Any

from corels.installed import install_command

try:
    from sklearn.utils.validation import validate_data  # noqa: F401 - came with 1.6
except ImportError as error:
    raise ImportError(
        f"the estimators need scikit-learn 1.6 or later: {install_command('sklearn')}"
    ) from error


def __getattr__(name: str) -> Any:
    if name != "TRUSTED_TYPES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from corels.sklearn.trusted import trusted_types

    return trusted_types()
