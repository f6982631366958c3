"""Tasks a few at a time: their results come in order, few of them wait, and whatever goes wrong ends the rest."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from threading import Barrier, Event, Lock, Thread, current_thread

import pytest

from grader.core.threads import MAX_WAITING_RESULTS, in_order


@pytest.mark.parametrize("slots", [1, 2, 5])
def test_results_come_in_the_order_of_the_tasks(slots: int) -> None:
    assert list(in_order((partial(int, str(number)) for number in range(100)), slots)) == list(range(100))


def test_a_single_slot_is_this_thread_and_begins_nothing_before_it_is_asked_for() -> None:
    begun = list[int]()

    def work(number: int) -> str:
        begun.append(number)
        return current_thread().name

    results = in_order((partial(work, number) for number in range(3)), 1)
    assert (next(results), begun) == (current_thread().name, [0])
    assert [*results] == [current_thread().name] * 2


def test_as_many_run_as_there_are_slots_and_few_results_wait() -> None:
    drawn, running, most = 0, 0, 0
    lock, full = Lock(), Barrier(3)

    def tasks() -> Iterator[Callable[[], None]]:
        nonlocal drawn
        for _ in range(201):
            drawn += 1
            yield work

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        full.wait(20)
        with lock:
            running -= 1

    for done, _ in enumerate(in_order(tasks(), 3)):
        assert drawn <= done + 1 + MAX_WAITING_RESULTS + 3
    assert (drawn, most) == (201, 3)


def test_tasks_begin_in_order_so_one_may_wait_for_those_before_it() -> None:
    done = [Event() for _ in range(100)]

    def work(number: int) -> int:
        assert all(one.wait(20) for one in done[:number])
        done[number].set()
        return number

    assert list(in_order((partial(work, number) for number in range(100)), 2)) == list(range(100))


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_a_failure_comes_behind_the_results_before_it_and_ends_the_rest(error: type[BaseException]) -> None:
    cancelled, begun, seen = Event(), list[int](), list[int]()

    def work(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise error("oh")
        if number == 4:
            assert cancelled.wait(20)  # a running program is ended by nothing else
        return number

    with pytest.raises(error, match="oh"):
        seen.extend(in_order((partial(work, number) for number in range(30)), 2, cancelled.set))
    assert seen == [0, 1, 2]
    assert set(begun) <= {0, 1, 2, 3, 4}


def test_of_several_failures_the_earliest_is_raised() -> None:
    threads, failing = list[Thread](), Event()

    def follow() -> None:
        assert failing.wait(20)
        threads[0].join(20)
        raise ValueError("stopped by the other")

    def fail() -> None:
        threads.append(current_thread())
        failing.set()
        raise ZeroDivisionError("the cause")

    with pytest.raises(ZeroDivisionError, match="the cause"):
        list(in_order([follow, fail], 2))


def test_who_stops_early_ends_what_runs() -> None:
    cancelled, ended = Event(), list[bool]()

    def work(number: int) -> int:
        if number:
            ended.append(cancelled.wait(20))
        return number

    with closing(in_order((partial(work, number) for number in range(9)), 2, cancelled.set)) as results:
        assert next(results) == 0
    assert cancelled.is_set()
    assert ended in ([], [True], [True, True])
