import os
import pty
import termios
from collections.abc import Iterator

import pytest

from grader.core.run.meter import Screen
from tests.support.rows import each_row


@pytest.fixture(name="screen", params=[True, False], ids=["echo", "no echo"])
def _screen(request: pytest.FixtureRequest) -> Iterator[tuple[Screen, bool]]:
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[3] = modes[3] | termios.ECHO if request.param else modes[3] & ~termios.ECHO
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    yield Screen(ours), request.param
    os.close(ours)
    os.close(theirs)


def shown(screen: Screen, *chunks: bytes) -> bytes:
    return b"".join(screen.seen(chunk, last=number == len(chunks)) for number, chunk in enumerate(chunks, start=1))


@each_row
def test_lines_end_alike(screen: tuple[Screen, bool], chunks: tuple[bytes, ...], seen: bytes) -> None:
    assert shown(screen[0], *chunks) == seen


@each_row
def test_the_echo_is_taken_out_when_there_is_one(
    screen: tuple[Screen, bool], typed: tuple[bytes, ...], chunks: tuple[bytes, ...], seen: bytes
) -> None:
    for data in typed:
        screen[0].typed(data)
    everything = b"".join(chunks).replace(b"\r\n", b"\n")
    assert shown(screen[0], *chunks) == (seen if screen[1] else everything)


def test_what_is_typed_is_taken_out_once(screen: tuple[Screen, bool]) -> None:
    screen[0].typed(b"4\n")
    assert shown(screen[0], b"4\n4\n", b"4\n") == (b"4\n4\n" if screen[1] else b"4\n4\n4\n")
