import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from threading import Lock

import pytest

from grader.grading_class.grading import as_completed


def test_every_task_comes_with_its_result_or_its_error() -> None:
    def work(number: int) -> int:
        if number % 3 == 0:
            raise ValueError(str(number))
        return number * 10

    with ThreadPoolExecutor(2) as pool:
        results = dict(chain.from_iterable(as_completed(lambda number: pool.submit(work, number), range(10), 2)))
    errors = {number: str(result) for number, result in results.items() if isinstance(result, Exception)}
    assert errors == {0: "0", 3: "3", 6: "6", 9: "9"}
    assert {number: result for number, result in results.items() if number % 3} == {
        n: n * 10 for n in (1, 2, 4, 5, 7, 8)
    }


def test_few_tasks_wait_at_a_time_and_no_more_than_the_places_run() -> None:
    drawn, running, most = 0, 0, 0
    lock = Lock()

    def tasks() -> Iterator[int]:
        nonlocal drawn
        for number in range(50):
            drawn += 1
            yield number

    def work(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.002)
        with lock:
            running -= 1
        return number

    with ThreadPoolExecutor(3) as pool:
        for done, _ in enumerate(
            chain.from_iterable(as_completed(lambda number: pool.submit(work, number), tasks(), 3))
        ):
            assert drawn <= done + 6
    assert (drawn, most <= 3) == (50, True)


def test_what_ended_at_once_comes_in_its_order_and_not_all_together() -> None:
    def submit(number: int) -> Future[int]:
        future = Future[int]()
        future.set_result(number)
        return future

    batches = list(as_completed(submit, range(100), 40))  # on a machine with many cores
    assert max(map(len, batches)) <= 16  # whose files are in memory until they are written
    assert [number for batch in batches for number, _ in batch] == [*range(100)]


def test_an_interruption_in_a_worker_is_not_taken_for_a_result() -> None:
    def work(_: int) -> int:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyboardInterrupt):
        list(as_completed(lambda number: pool.submit(work, number), range(3), 1))
