"""Learning again as a model was learned, from other rows: what its file says of the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.cli.progress import SearchProgress
from corels.clock import Clock
from corels.errors import InputError
from corels.learning.learn import learn
from corels.model import Certificate, Model, Stopped
from corels.options import Option
from corels.plugins import registry
from corels.tables import Dataset


class Learner:
    """Learns a model of some rows with the solver and the options of a model's document.

    settings: a sentence about the options. Raises InputError for a document that does not say them.
    """

    def __init__(
        self,
        name: str,
        found: Mapping[str, Any],
        data: Callable[[NDArray[np.intp]], Dataset],
        seconds: float | None,
    ) -> None:
        options = found.get("data", {}).get("options")
        if "certificate" not in found or options is None:
            raise InputError(
                f"{name}: it does not say the options that it was learned with, which --folds "
                "needs: learn it with `corels run --output`"
            )
        certificate = Certificate.from_document(found["certificate"])
        self._options = {**options, "solver": certificate.solver}
        self.settings = "All folds were learned with the same options."
        if "regularization" in options:
            self.settings = "Lambda, the price of a rule, was chosen again in each fold."
        elif registry().get("solver", certificate.solver).regularized:
            self._options["regularization"] = certificate.regularization
            self.settings = (
                "All folds were learned with the same lambda; where it was chosen by looking at "
                "these rows, this is a little too good."
            )
        self._each = Option.time_limit("").check(self._options.pop("time_limit", None))
        self._data = data
        self._clock = Clock(seconds)

    def learn(self, rows: NDArray[np.intp], folds: int) -> tuple[Model, bool]:
        """The model of some rows, and whether its search came to its end.

        folds: how many of them, this one included, share the time that is left. Ctrl-C ends the
        command, as there is nothing to show of half the folds.
        """
        limit: dict[str, Any] = {"time_limit": self._clock.within(self._each, 1 / folds)}
        result = learn(self._data(rows), sinks=[SearchProgress], **self._options, **limit)
        if result.certificate.stopped is Stopped.INTERRUPTED:
            raise KeyboardInterrupt
        return result.model, result.certificate.stopped is Stopped.CERTIFIED
