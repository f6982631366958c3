"""What a check of a course says of a wrong output."""

from collections.abc import Callable

import pytest

from grader import Wrong


def complaint(check: Callable[..., object], *asked: object) -> str:
    """Return the sentence of a check that an output is wrong, and what stands below it."""
    with pytest.raises(Wrong) as wrong:
        check(*asked)
    return str(wrong.value)
