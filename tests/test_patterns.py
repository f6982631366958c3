import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.core.bounded_regex import choose_lines, fault_of, finder, pattern_matches
from grader.core.errors import HostError, Wrong
from grader.core.model.spec import Step
from tests.support.rows import each_row


@each_row
def test_the_first_place_is_found(step: Step, found: Mapping[bytes, tuple[int, int] | None]) -> None:
    with finder(step) as find:
        assert {text: find(text) for text in found} == dict(found)


def test_no_process_is_left() -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **named: object) -> None:
            super().__init__(*arguments, **named)  # type: ignore[call-overload]
            started.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Noted)
        with finder(Step(do="regex", text="b")) as find:
            assert find(b"ab") == (1, 2)
        with pytest.raises(ZeroDivisionError), finder(Step(do="regex", text="b")):
            raise ZeroDivisionError
    assert [process.returncode is None for process in started] == [False, False]


@pytest.mark.slow
@pytest.mark.parametrize("text", [b"a" * 40 + b"c"])
def test_a_search_has_its_time(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.3)
    with finder(Step(do="regex", text="(a|a)+b")) as find:
        assert find(b"ab") == (0, 2)
        with pytest.raises(HostError, match=r"the pattern `\(a\|a\)\+b` of a dialogue took over 0\.3 s"):
            find(text)


def test_what_is_no_pattern_is_our_failure() -> None:
    with finder(Step(do="regex", text="(")) as find, pytest.raises(HostError, match="could not be searched for"):
        find(b"a")


@each_row
def test_a_byte_that_is_no_utf_8_is_one_character(pattern: str, text: bytes, *, found: bool) -> None:
    assert pattern_matches(pattern, text) is found


def test_a_byte_that_is_no_utf_8_is_a_surrogate() -> None:
    assert pattern_matches("[\ud800-\udfff]", b"\xff")


@pytest.mark.parametrize("pattern", ["(", "a{99999999999}", "(?P<a>b)(?P<a>b)"])
def test_what_is_no_pattern_is_said_before_it_is_searched_for(pattern: str) -> None:
    assert fault_of(pattern)
    with pytest.raises(HostError, match=r"is no regular expression: .*; mend it in the spec"):
        pattern_matches(pattern, b"")


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [False, True])
def test_who_is_at_fault_for_a_search_without_end(chosen: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - a parameter of the table
    def search(text: bytes) -> None:
        if chosen:
            choose_lines("(a|a)+b", text, "matching")
        else:
            pattern_matches("(a|a)+b", text)

    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.3)
    with pytest.raises(HostError, match=r"write it with fewer repeats"):
        search(b"a" * 40 + b"c")
    with pytest.raises(Wrong, match=r"too long to search \(70,001 bytes\)"):
        search(b"a" * 70_000 + b"c")


@pytest.mark.slow
def test_a_search_on_an_output_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.3)
    with pytest.raises(HostError, match=r"^the pattern `\(a\|a\)\+b` took over 0\.3 s on an output; write it with"):
        pattern_matches("(a|a)+b", b"a" * 40 + b"c")


def test_a_search_that_gets_no_processor_has_its_time_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.3)
    me = f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children"
    before = set(Path(me).read_text().split())
    with finder(Step(do="regex", text="(a|a)+b")) as find:
        (process,) = set(Path(me).read_text().split()) - before
        os.kill(int(process), signal.SIGSTOP)
        goes_on = threading.Timer(0.6, os.kill, (int(process), signal.SIGCONT))
        goes_on.start()
        assert find(b"ab") == (0, 2)
        goes_on.join()


@pytest.mark.slow
def test_choosing_lines_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.core.bounded_regex.MAX_SEARCH_SECONDS", 0.3)
    with pytest.raises(HostError, match=r"took over 0\.3 s on the lines of an output"):
        choose_lines("(a|a)+b", b"b\n" + b"a" * 40 + b"c", "matching")
