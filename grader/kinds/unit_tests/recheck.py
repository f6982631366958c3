"""A method that passed is run again with one of its assertions turned round.

What ends the second run otherwise than with a pass (an assertion, an exception, a limit, a machine without room) leaves
the first result as it is. What passes is tried once more in both ways: a program that answers at random must not be
taken for one that lies.
"""

import hashlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model import Case, Launch
from grader.kinds.unit_tests.model import unit_of
from grader.kinds.unit_tests.probe import test_file_of, with_new_secret
from grader.kinds.unit_tests.turned import turn_python

if TYPE_CHECKING:
    from grader.core.course import Course

_CONFIRMATIONS = 2


def recheck(case: Case, launch: Launch, _course: "Course", passes: Callable[[Launch], bool]) -> str:
    """Return why the pass of a method is not believed; empty when it is, or when nothing is known."""
    unit = unit_of(case)
    if unit is None or unit.framework == "junit":
        return ""
    turned = turn_python(unit.source, unit.method, chooser(launch.stdin))
    if turned is None:
        return ""
    other = replace(launch, files={**launch.files, test_file_of(unit): turned.source})
    if not passes(with_new_secret(other, "first")) or not _is_confirmed(launch, other, passes):
        return ""
    place = f"{PurePosixPath(unit.file).name}:{turned.line}"
    return (
        f"passed, and passes too with the assertion at {place} turned round: the submission makes up the result of its "
        "test, or compares as equal to everything"
    )


def _is_confirmed(launch: Launch, other: Launch, passes: Callable[[Launch], bool]) -> bool:
    """Whether a method passes both ways again; so it is too where there is no time for it, which liars could use up."""
    try:
        return all(
            passes(with_new_secret(launch, f"as it is {number}")) and passes(with_new_secret(other, f"turned {number}"))
            for number in range(_CONFIRMATIONS)
        )
    except GradingStoppedError:
        raise
    except HostError:
        return True


def chooser(seed: bytes) -> Callable[[int], int]:
    """Return what chooses a number below another, as the seed has it, which nobody knows who is tested."""
    state = hashlib.sha256(b"turned " + seed).digest()

    def choose(below: int) -> int:
        nonlocal state
        state = hashlib.sha256(state).digest()
        return int.from_bytes(state, "big") % below

    return choose
