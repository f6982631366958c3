"""A sample session: what the reference does in a few of the visible cases, as if a student had typed them."""

from collections.abc import Iterator, Sequence

from grader import launches
from grader.errors import GraderError
from grader.model import Case, Execution, Test, Turn
from grader.pipeline import Course, answer
from grader.report.json import said, speaker
from grader.report.markdown import fenced
from grader.text import show

_FEW = 8
"""lines of an output that says enough"""
_MOST = 20
"""lines of an output that are shown"""
_CASES = 6
_END = "END"


def sample_session(course: Course, tests: Sequence[Test]) -> list[str]:
    """Show one case of each test that starts the program; nothing when there is no reference.

    Raises HostError when the reference fails.
    """
    if course.spec.reference is None:
        return []
    examples = [shown for test in tests[: _CASES * 2] if (shown := _example(course, test))]
    # What looks the same as one before shows nothing more.
    different = {(run.stdout, run.stderr): (case, run) for case, run in reversed(examples)}
    few = list(reversed(different.values()))[:_CASES]
    if not few:
        return []
    lines = [line for case, execution in few for line in _run(course, case, execution)]
    told = "Lines below `[standard error]` are written to that stream, all others to standard output."
    note = ["", told] if "[standard error]" in lines else []
    return ["## A sample session", "", *fenced(lines), *note]


def _example(course: Course, test: Test) -> tuple[Case, Execution] | None:
    """Return the case of a test that shows the most in a few lines, and what the reference does in it."""
    cases = [case for case in test.cases if case.command is None and case.functions is None]
    found = [(case, _asked(case, course)) for case in cases]
    return max(found, key=lambda pair: _telling(pair[1]), default=None)


def _asked(case: Case, course: Course) -> Execution:
    execution = answer(case, course)
    if isinstance(execution, GraderError):
        raise execution
    return execution


def _telling(execution: Execution) -> tuple[bool, int]:
    lines = len(_lines(execution.stdout)) + len(_lines(execution.stderr))
    return (True, lines) if lines <= _FEW else (False, -lines)


def _run(course: Course, case: Case, execution: Execution) -> Iterator[str]:
    command = show(launches.text(case, course.spec))
    if execution.transcript:
        yield f"$ {command}"
        yield from _talk(execution.transcript)
        return
    if case.stdin:
        yield from (f"$ {command} << {_END}", *_lines(case.stdin), _END)
    else:
        yield f"$ {command}"
    yield from _cut(_lines(execution.stdout))
    if execution.stderr:
        yield "[standard error]"
        yield from _cut(_lines(execution.stderr))


def _talk(turns: Sequence[Turn]) -> Iterator[str]:
    """Show a dialogue as a script: what you say, and what the program says."""
    for turn in turns:
        who = "you" if speaker(turn) == "grader" else "program"
        for number, line in enumerate(said(turn).removesuffix("\n").split("\n")):
            yield f"  {who if not number else '':7}  {line}".rstrip()


def _lines(data: bytes) -> list[str]:
    return show(data.removesuffix(b"\n")).split("\n") if data else []


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST
    return [*lines[:_MOST], f"… and {more} more lines"] if more > 0 else lines
