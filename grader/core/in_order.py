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
    """Run the tasks, `slots` at a time, and yield what they return in their order; one slot is this thread itself.

    Each begins after the one before. After a failure or a stop no other begins, and `cancel` ends the running ones.
    """
    if slots == 1:
        return (yield from (task() for task in tasks))
    free, stopped, failures = Semaphore(slots), Event(), list[BaseException]()

    def run(task: Callable[[], Result], before: Event, started: Event) -> Result:
        before.wait()
        with free:
            started.set()
            if stopped.is_set():
                raise GradingStoppedError
            try:
                return task()
            except BaseException as error:
                failures.append(error)
                stopped.set()
                raise

    last, left, running = Event(), iter(tasks), deque[ThreadTask[Result]]()
    last.set()
    try:
        while True:
            for task in islice(left, MAX_WAITING_RESULTS + slots - len(running)):
                before, last = last, Event()
                running.append(ThreadTask(partial(run, task, before, last)))
            if not running:
                return
            yield running.popleft().result()  # and forget it
    except BaseException as error:  # noqa: BLE001 - raised again
        stopped.set()
        cancel()
        for one in running:
            one.join()
        raise failures[0] if error in failures else error  # noqa: B904 - it is one of them, or itself
