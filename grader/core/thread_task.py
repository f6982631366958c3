"""A call in a thread of its own, without `concurrent.futures`, which takes longer to import than a program to run."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Generic, TypeVar

TaskResult = TypeVar("TaskResult")


class ThreadTask(Generic[TaskResult]):
    """Runs `action` in another thread, started at once, and then `then(result)`."""

    def __init__(self, action: Callable[[], TaskResult], then: Callable[[TaskResult], None] | None = None) -> None:
        """Start it in a new thread; the process waits at its end for that thread, unless there is a `then`."""
        self._over, self._ended, self._error = Event(), Event(), BaseException()
        Thread(target=self._run, args=(action, then), daemon=then is not None).start()

    def _run(self, action: Callable[[], TaskResult], then: Callable[[TaskResult], None] | None) -> None:
        try:
            self._done = action()
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            self._error, then = error, None
        self._over.set()
        try:
            if then:
                then(self._done)
        finally:
            self._ended.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until `action` and `then` have ended, at most `timeout` seconds; return whether they have."""
        return self._ended.wait(timeout)

    def result(self) -> TaskResult:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if hasattr(self, "_done"):
            return self._done
        raise self._error
