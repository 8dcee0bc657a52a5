"""Learning again as a model was learned, from other rows: what its file says of the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.cli.auto import chosen_lambda, least_lambda
from corels.cli.progress import SearchProgress
from corels.clock import Clock
from corels.errors import InputError
from corels.model import Certificate, Model, Stopped
from corels.options import Option
from corels.plugins import registry
from corels.problem import Problem
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.deadline import Deadline


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
        self._options, self._solver = dict(options), certificate.solver
        self._price = certificate.regularization
        typed = str(self._options.pop("regularization", ""))
        self._least = least_lambda(typed, self._solver, costed=True)  # checked when it was learned
        typed = self._options.pop("time_limit", None)
        self._each = Option.time_limit("").check(typed)
        self._data = data
        self._clock = Clock(seconds)
        self.settings = self._sentence()

    def _sentence(self) -> str:
        if self._least is not None:
            return "Lambda, the price of a rule, was chosen again in each fold."
        if not registry().get("solver", self._solver).regularized:
            return "All folds were learned with the same options."
        return (
            "All folds were learned with the same lambda; where it was chosen by looking at these "
            "rows, this is a little too good."
        )

    def learn(self, rows: NDArray[np.intp], folds: int) -> tuple[Model, bool]:
        """The model of some rows, and whether its search came to its end.

        folds: how many of them, this one included, share the time that is left. Ctrl-C ends the
        command, as there is nothing to show of half the folds.
        """
        data = self._data(rows)
        deadline = Deadline(self._clock.within(self._each, 1 / folds))
        price = self._price
        if self._least is not None:
            price = chosen_lambda(
                data, self._least, self._solver, self._options, deadline, quiet=True
            )
        problem = Problem.from_dataset(data, *(() if price is None else (price,)))
        search = {**self._options, "time_limit": deadline.left()}
        result = solve(problem, self._solver, sinks=[SearchProgress], **search)
        if result.certificate.stopped is Stopped.INTERRUPTED:
            raise KeyboardInterrupt
        return result.model, result.certificate.stopped is Stopped.CERTIFIED
