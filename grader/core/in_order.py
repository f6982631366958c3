"""Run tasks in threads, a few at a time, and yield their results in the order of the tasks."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from threading import Event, Semaphore
from typing import TypeVar

from grader.core.errors import GradingStoppedError
from grader.core.thread_task import ThreadTask

Result = TypeVar("Result")

MAX_WAITING_RESULTS = 32
"""results that wait until one before them is there: a report may have megabytes"""


def in_order(
    tasks: Iterable[Callable[[], Result]], slots: int, cancel: Callable[[], object] = lambda: None
) -> Generator[Result, None, None]:
    """Run the tasks, `slots` at a time, and yield what they return in their order.

    A single slot is this thread itself. Tasks begin in their order, so a task may wait for one before it. When a task
    fails, or the caller stops or is interrupted, no other task begins, `cancel` is called so that the running ones end
    soon, and these are waited for. Of several failures the earliest is raised: the others may have followed from it.
    """
    if slots == 1:
        yield from (task() for task in tasks)
        return
    queue, left = _Queue(slots), iter(tasks)
    running: deque[ThreadTask[Result]] = deque()
    try:
        while True:
            for task in islice(left, MAX_WAITING_RESULTS + slots - len(running)):
                running.append(queue.start(task))
            if not running:
                return
            yield running.popleft().result()  # and forget it
    except BaseException as error:  # noqa: BLE001 - raised again
        queue.stopped.set()
        cancel()
        for errand in running:
            errand.join()
        raise queue.failures[0] if error in queue.failures else error  # noqa: B904 - it is one of them, or itself


class _Queue:
    """The slots, and who waits for one: whoever came first gets the first that is free."""

    def __init__(self, slots: int) -> None:
        self._free, self._last_started = Semaphore(slots), Event()
        self._last_started.set()
        self.failures: list[BaseException] = []
        """in the order of time"""
        self.stopped = Event()
        """after which nothing begins"""

    def start(self, task: Callable[[], Result]) -> ThreadTask[Result]:
        """Start a thread that runs the task when its turn has come."""
        before, self._last_started = self._last_started, Event()
        return ThreadTask(partial(self._run, task, before, self._last_started))

    def _run(self, task: Callable[[], Result], before: Event, started: Event) -> Result:
        before.wait()
        with self._free:
            started.set()
            if self.stopped.is_set():
                raise GradingStoppedError
            try:
                return task()
            except BaseException as error:
                self.failures.append(error)
                self.stopped.set()
                raise
