"""HiGHS at work in a thread of its own.

So the search can look at limits and Ctrl-C, however long HiGHS takes; nothing has to be cut into
pieces that HiGHS would have to begin anew. One run at a time; another one may follow.
"""

from __future__ import annotations

from functools import cache
from threading import Event, Thread
from typing import Any

from corels.clock import Clock

GRACE_SECONDS = 0.3


def quiet_highs() -> Any:
    """A `highspy.Highs` that prints nothing."""
    highs = _quiet_class()()
    highs.setOptionValue("output_flag", False)
    return highs


@cache
def _quiet_class() -> Any:
    import highspy

    class Quiet(highspy.Highs):
        def enableCallbacks(self) -> None:  # noqa: N802 - its name in highspy
            """Called while it is made, if HiGHS 1.16 prints its name and its copyright."""
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()  # type: ignore[no-untyped-call]

    return Quiet


class Running:
    """One model of HiGHS: `start` it, `wait` for it, `cancel` it.

    seconds: of all runs so far. finished: whether `wait` has seen the end of the last run.
    """

    def __init__(self, highs: Any) -> None:
        self._highs = highs
        # Set at the end of a run. Not the thread's `join`: in Python 3.11 a Ctrl-C in it may mark a
        # thread as ended that goes on.
        self._over: Event | None = None
        self._stop = False
        self._clock = Clock()
        self._failure: BaseException | None = None
        self.finished = False
        self.seconds = self._earlier = 0.0
        highs.cbSimplexInterrupt.subscribe(self._asked)

    def _asked(self, event: Any) -> None:
        """Called whenever HiGHS asks whether to go on."""
        if self._stop:
            event.data_in.user_interrupt = True

    def may_start(self) -> None:
        """Raise RuntimeError if no run may begin: after `cancel`, and while one goes on."""
        if self._stop:
            raise RuntimeError("this model of HiGHS was cancelled: it cannot run again")
        if self._over is not None and not self._over.is_set():
            raise RuntimeError("this model of HiGHS still runs: wait for its end first")

    def start(self) -> None:
        """Run the model. Raises RuntimeError if `may_start` does."""
        self.may_start()
        over = self._over = Event()
        self.finished = False
        self._earlier = self.seconds
        self._clock.restart()
        # highspy's own startSolve lets one model run in a process; ours may be leaving still.
        Thread(target=self._run, args=(over,), name="corels highs", daemon=False).start()

    def _run(self, over: Event) -> None:
        """What the thread does."""
        try:
            if not self._stop:
                self._highs.run()
        except BaseException as failure:  # it is raised in the thread that waits
            self._failure = failure
        finally:
            over.set()

    def wait(self, seconds: float) -> bool:
        """Give the thread some time; True if the run is over.

        Raises what the thread raised, unless it was cancelled: then it is not asked for any more.
        """
        if self._over is not None and not self.finished:
            self.finished = self._over.wait(seconds)
            self.seconds = self._earlier + self._clock.elapsed
            if self.finished and self._failure is None:
                self._read()
        if self._failure is not None and not self._stop:
            raise self._failure
        return self.finished

    def _read(self) -> None:
        """Take what a run has found, once it is over."""

    def cancel(self) -> None:
        """Ask the thread to end for good, and give it a moment.

        HiGHS looks up only now and then, at worst after many seconds: the thread is then left to
        itself. It touches nothing but its own model, and ends at its next look. Python waits for
        that when the process ends, as it aborts if it throws away a thread inside C++; the program
        `corels` does not wait.
        """
        self._stop = True
        self.wait(GRACE_SECONDS)
