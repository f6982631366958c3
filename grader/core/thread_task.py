"""A call in a thread of its own, without `concurrent.futures`, which takes longer to import than a program to run."""

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

TaskResult = TypeVar("TaskResult")


class ThreadTask(Generic[TaskResult]):
    """Runs `action` in another thread, started at once, and then `then(result)`."""

    def __init__(self, action: Callable[[], TaskResult], then: Callable[[TaskResult], None] | None = None) -> None:
        """Start it in a new thread; the process waits at its end for that thread, unless there is a `then`."""
        self._over, self._ended = Event(), Event()
        self._error: BaseException | None = None
        run = partial(self._run, action, then)
        Thread(target=run, daemon=then is not None).start()

    def _run(self, action: Callable[[], TaskResult], then: Callable[[TaskResult], None] | None) -> None:
        try:
            self._done = action()
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            self._error = error
        self._over.set()
        try:
            if then and not self._error:
                then(self._done)
        finally:
            self._ended.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until `action` and `then` have ended, at most `timeout` seconds; return whether they have."""
        return self._ended.wait(timeout)

    def result(self) -> TaskResult:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._done
