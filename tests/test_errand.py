"""A call in a thread of its own: what it returns or raises comes to whoever asks."""

from threading import current_thread

import pytest

from grader.core.threads import ThreadTask


def test_what_an_action_returns_comes_from_another_thread() -> None:
    errand = ThreadTask(lambda: current_thread().name)
    assert errand.result() != current_thread().name
    assert errand.join(0)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_what_an_action_raises_is_raised_where_it_is_asked_for(error: type[BaseException]) -> None:
    def fail() -> None:
        raise error("oh")

    errand = ThreadTask(fail)
    errand.join()
    for _ in range(2):
        with pytest.raises(error, match="oh"):
            errand.result()
