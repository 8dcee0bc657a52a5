"""Threads of Python, where there may be no room for one more."""

from threading import Thread

from corels.errors import ResourceError


def started(thread: Thread) -> Thread:
    """The thread, begun. Raises ResourceError where the system has no room for it."""
    try:
        thread.start()
    except RuntimeError as error:
        raise ResourceError(
            "no thread can be started: there is not enough memory, or too many threads run"
        ) from error
    return thread
