"""Scikit-learn's callbacks and `verbose`, as sinks of the event stream.

scikit-learn 1.9 lets estimators call back while they fit. One fit is a task whose subtasks are the
moments at which the search reports: whenever a better list is found, and about ten times a second.
A callback may ask for the model so far, and may stop the search, which then ends with the best
model and its gap. Without scikit-learn 1.9 the estimators simply have no `set_callbacks`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from numpy.typing import NDArray

from corels.errors import OF_PLUGINS
from corels.model import Stopped
from corels.model.certificate_text import provided
from corels.problem import Problem
from corels.run.certifying import best_so_far
from corels.run.result import Result
from corels.search import Kind, Progress, Search, Sink

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # before scikit-learn 1.9

    class CallbackSupport:  # type: ignore[no-redef]
        """Nothing to support."""

    def _with_callbacks(method: Method) -> Method:
        return method


def with_callbacks(method: Method) -> Method:
    """Have callbacks torn down when the method ends, however it ends."""
    managed: Method = _with_callbacks(method)
    return managed


class Callbacks(CallbackSupport):  # type: ignore[misc]
    """What an estimator's `fit` tells scikit-learn's callbacks at its beginning and its end."""

    @contextmanager
    def _fit_task(self, X: Any, y: Any, sample_weight: Any) -> Iterator[Any]:
        """Around a fit: the root context of scikit-learn's callbacks, or None where there is none.
        They do not hear of the end of one that fails."""
        if not hasattr(self, "_init_callback_context"):
            yield None
            return
        context = self._init_callback_context(max_subtasks=None)
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        task = {"estimator": self, "X": X, "y": y, "metadata": metadata}
        context.call_on_fit_task_begin(**task)
        yield context
        context.call_on_fit_task_end(reconstruction_attributes={}, **task)


class StopRequestedError(KeyboardInterrupt):
    """A callback asked to stop; ends the search as Ctrl-C does, with its best model."""


class CallbackSink(Sink):
    """Reports incumbents and progress to the callbacks of an estimator."""

    def __init__(self, estimator: Any, context: Any) -> None:
        self._estimator = estimator
        self._context = context
        self._active = bool(getattr(estimator, "_skl_callbacks", None))
        self._stopped = False
        self._error: BaseException | None = None

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A better list is a subtask."""
        if self._active and (records["kind"] == Kind.INCUMBENT).any():
            self._report("incumbent", search)

    def progress(self, snapshot: Progress, search: Search) -> None:
        """So is each look at the progress."""
        if self._active:
            self._report("progress", search)

    def _report(self, name: str, search: Search) -> None:
        attributes = {self._estimator._model_name: search.model()}
        try:
            task = self._context.subcontext(task_name=name)
            task.call_on_fit_task_begin(estimator=self._estimator)
            stop = task.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes=lambda: attributes
            )
        except KeyboardInterrupt:
            raise
        except OF_PLUGINS as error:  # raised again when the search has been put in order
            self._error, stop = error, True
        if stop:
            self._active, self._stopped = False, True
            raise StopRequestedError

    def concluded(self, result: Result) -> Result:
        """The result, saying that a callback stopped it. Raises what a callback has raised."""
        if self._error is not None:
            raise self._error
        if self._stopped and not result.certificate.optimal:
            certificate = replace(result.certificate, stopped=Stopped.CALLBACK)
            return replace(result, certificate=certificate)
        return result


class VerboseSink(Sink):
    """One line on stderr for each better list, and one at the end."""

    def __init__(self, problem: Problem, solver: str) -> None:
        self._problem = problem
        self._solver = solver

    def events(self, records: NDArray[Any], search: Search) -> None:
        if (records["kind"] == Kind.INCUMBENT).any():
            snapshot = search.progress()
            objective, lower_bound = best_so_far(snapshot, self._problem, search)
            self._say(f"objective {objective:.6f}  lower bound {lower_bound:.6f}")

    def finish(self, result: Result) -> None:
        found = result.certificate
        state = "certified optimal" if found.optimal else f"{found.why_stopped}, gap {found.gap}"
        if given := provided(found):
            state += f", {given}"
        self._say(
            f"objective {float(found.objective):.6f}  {state}  "
            f"({found.expanded} prefixes, {found.seconds:.3f} s)"
        )

    def _say(self, line: str) -> None:
        print(f"[{self._solver}] {line}", file=sys.stderr)
