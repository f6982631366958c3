"""A call in a thread of its own: what it returns or raises comes to whoever asks, also when that goes on."""

from threading import Event, current_thread

import pytest

from grader.core.threads import ThreadTask


def test_what_an_action_returns_can_be_had_while_its_thread_goes_on() -> None:
    free, heard = Event(), list[object]()

    def go_on(done: str) -> None:
        assert free.wait(20)
        heard.append(done)

    errand = ThreadTask(lambda: current_thread().name, go_on)
    name = errand.result()
    assert (name != current_thread().name, heard) == (True, [])
    free.set()
    errand.join()
    assert heard == [errand.result()] == [name]


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_what_an_action_raises_is_raised_where_it_is_asked_for(error: type[BaseException]) -> None:
    def fail() -> None:
        raise error("oh")

    heard = list[object]()
    errand = ThreadTask(fail, heard.append)
    errand.join()
    for _ in range(2):
        with pytest.raises(error, match="oh"):
            errand.result()
    assert heard == []
