"""At home in scikit-learn."""

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from corels.sklearn.base import CertifiedClassifier


@dataclass(eq=False, repr=False)
class MyPartClassifier(CertifiedClassifier):
    """The best list of at most two rules; parameters as in `corels.RuleListClassifier`."""

    _solver = "my-part"
    _model_name = "model_"

    regularization: float | Fraction | str = 0.01
    _: KW_ONLY
    proof: str | None = None
