"""A call in a thread of its own: what `concurrent.futures` has for it takes longer to import than a program to run."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Generic, TypeVar

Brought = TypeVar("Brought")


class Errand(Generic[Brought]):
    """Somebody else does `action`, begun at once, and goes on with `then` when what it returned can be had."""

    def __init__(self, action: Callable[[], Brought], then: Callable[[Brought], None] | None = None) -> None:
        """Send a thread. The end of our process waits for it, unless it goes on with something."""
        self._over = Event()
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, args=(action, then), daemon=then is not None)
        self._thread.start()

    def _run(self, action: Callable[[], Brought], then: Callable[[Brought], None] | None) -> None:
        try:
            self._done = action()
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            self._error = error
            return
        finally:
            self._over.set()
        if then:
            then(self._done)

    def join(self) -> None:
        """Wait until the thread has ended, whatever came of it."""
        self._thread.join()

    def result(self) -> Brought:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._done
