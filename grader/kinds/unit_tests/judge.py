"""The judgement of a method of a unit test: one sentence for each result of its framework."""

from fractions import Fraction

from msgspec.structs import replace

from grader.core.diagnosis import ReadLine
from grader.core.errors import HostError
from grader.core.judge.unstarted import describe_line
from grader.core.lazy import lazy_regex
from grader.core.model import Case, Execution, Verdict
from grader.core.text import count, percent, quote
from grader.kinds.base import Ending, JudgeContext, Judged
from grader.kinds.unit_tests.model import UnitFailure, UnitMethod, UnitRun, unit_of, unit_run_of

_MAX_VALUE_LENGTH, _MAX_MESSAGE_LENGTH = 100, 160
MAX_FAILURES = 20
"""failures that a record has at most"""
_IN_SANDBOX = lazy_regex(r" \(/\S+\)$")
"""a module's path in Python's message"""
_WITHHELD = (
    *(
        "sun.misc.",
        "sun.reflect.",
        "com.sun.management.",
        "com.sun.tools.attach.",
        "com.sun.tools.jdi.",
        "com.sun.jdi.",
    ),
    *(
        "com.sun.nio.sctp.",
        "jdk.jfr.",
        "jdk.jshell.",
        "jdk.management.jfr.",
        "sun.jvm.hotspot.",
    ),
)
"""the packages of the modules that `probe` leaves out"""
_ADDRESS = lazy_regex(r" at 0x[0-9a-fA-F]{4,16}\b")
_NOT_RAISED = lazy_regex(
    r"(?:DID NOT RAISE <class '(?:\w+\.)*(?P<python>\w+)'>|(?P<unittest>\w+) not raised(?: by .*)?"
    r"|(?:.* ==> )?[Ee]xpected (?:\w+\.)*(?P<java>\w+) to be thrown, but nothing was thrown\.?"
    r"|Expected exception: (?:[\w$]+[.$])*(?P<junit4>\w+))"
)
_TIMED_OUT = lazy_regex(r"(?:test|.*\(.*\)) timed out after (?P<time>\d+ \w+)")


def settle(
    case: Case, execution: Execution, _expected: Execution | None, stopped: Ending | None, context: JudgeContext
) -> Ending | None:
    """Return verdict and sentence of a method that was stopped or did not pass; None when it passed."""
    unit = unit_of(case)
    return stopped or (judge_unit(unit, execution, context.read_line) if unit else None)


def judge_unit(unit: UnitMethod, execution: Execution, read_line: ReadLine) -> Ending | None:
    """Return verdict and sentence of a method that did not pass; None when it did."""
    run = unit_run_of(execution)
    if run is None:
        raise HostError(f"{unit.file}: the runner told nothing of {unit.method}")
    run = _without_skips(unit, run)
    name = quote(unit.name)
    ending: tuple[Verdict, str] | None = None
    if not run.is_recorded:
        how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
        ending = Verdict.CRASHED, f"{name} did not finish: your program ended in it, with {how}."
    elif run.changed:
        ending = Verdict.FAILED, f"Your program changes {quote(run.changed)}, which its tests use."
    elif module := _missing_module(unit, run):
        why = "which unit tests run without because it can change what they say"
        ending = Verdict.UNGRADED, f"{name} needs {quote(module)} of Java, {why}; the staff of the course look at it."
    elif run.loading:
        ending = Verdict.CRASHED, _describe_loading(unit, run.loading, read_line)
    elif _set_share(run) is not None:
        ending = None
    elif run.failures:
        others = len(run.failures) - 1
        more = f" The same happens in {others} more of its runs." if others else ""
        kinds = {failure.kind for failure in run.failures}
        verdict = Verdict.CRASHED if kinds == {"exception"} else Verdict.FAILED
        ending = verdict, _describe_failure(unit, run.failures[0], read_line) + more
    elif not run.runs or run.done < run.runs:
        ending = Verdict.FAILED, _describe_unfinished(unit, run)
    elif execution.status != 0:
        ending = Verdict.CRASHED, f"{name} passed, but then your program broke the code that tests it."
    return ending


def _without_skips(unit: UnitMethod, run: UnitRun) -> UnitRun:
    """Return the run without what the course itself skips, as long as no failure was left out of the record."""
    if not unit.skips or len(run.failures) >= MAX_FAILURES:
        return run
    rest = [one for one in run.failures if one.kind != "skipped" or one.given not in unit.skips]
    return replace(run, failures=tuple(rest))


def _set_share(run: UnitRun) -> Fraction | None:
    """Return the part of its points that a method has set for itself; None where it set none, or all.

    One that was skipped has set nothing, and one that fails after it set all has failed.
    """
    if not run.share or not run.runs or any(failure.kind == "skipped" for failure in run.failures):
        return None
    share = Fraction(run.share)
    return share if 0 <= share < 1 else None


def judge(case: Case, execution: Execution, _expected: Execution | None, context: JudgeContext) -> Judged:
    """Return the share that a method sets for itself, with what it says of the rest."""
    unit, run = unit_of(case), unit_run_of(execution)
    share = _set_share(run) if run else None
    if unit is None or run is None or share is None:
        return Judged()
    why = f"{_describe_failure(unit, run.failures[0], context.read_line)} " if run.failures else ""
    return Judged(share=share, remark=f"{why}{quote(unit.name)} gives {percent(share)} of its points.")


def _missing_module(unit: UnitMethod, run: UnitRun) -> str:
    """Return the package that a program needs and that the Java machine of unit tests has not; empty for none."""
    if unit.framework != "junit":
        return ""
    for failure in (*run.failures, *((run.loading,) if run.loading else ())):
        if (name := failure.lacks.replace("/", ".")).startswith(_WITHHELD):
            return str(name.rpartition(".")[0])
    return ""


def _describe_unfinished(unit: UnitMethod, run: UnitRun) -> str:
    name = quote(unit.name)
    if run.runs:
        return f"{name} did not finish: {run.done} of {count(run.runs, 'run')} did."
    if unit.framework == "junit":  # a `@TestFactory` that makes none
        return f"{name} ran no test."
    return f"{name} did not finish: it was not found."


def _describe_loading(unit: UnitMethod, failure: UnitFailure, read_line: ReadLine) -> str:
    if failure.kind == "skipped":
        return f"{quote(unit.file.rpartition('/')[2])} was skipped: {quote(failure.message, most=_MAX_MESSAGE_LENGTH)}."
    return f"Loading {quote(unit.file.rpartition('/')[2])} {_ended(failure, read_line)}."


def _describe_failure(unit: UnitMethod, failure: UnitFailure, read_line: ReadLine) -> str:
    name = quote(unit.name)
    given = f" with {quote(failure.given, most=_MAX_VALUE_LENGTH)}" if failure.given else ""
    if failure.kind == "skipped":
        why = f": {quote(failure.message, most=_MAX_MESSAGE_LENGTH)}" if failure.message else ""
        return f"{name}{given} was skipped{why}; a skipped test does not pass."
    if failure.kind == "exception":
        return f"{name}{given} {_ended(failure, read_line)}."
    return f"{name}{given}: {_describe_assertion(failure)}."


def _describe_assertion(failure: UnitFailure) -> str:
    """Describe an assertion's finding and its purpose."""
    message = quote(failure.message, most=_MAX_MESSAGE_LENGTH)
    remark = f" ({message})" if failure.message else ""
    place = f" ({failure.test_place})" if failure.test_place else ""
    if late := _TIMED_OUT.fullmatch(failure.message):
        return f"it did not end within {late['time']}{place}"
    if missing := _NOT_RAISED.fullmatch(failure.message):
        raised = quote(next(filter(None, missing.groups())))
        return f"{raised} is expected, but nothing was raised{place}"
    if failure.found is not None and failure.wanted is not None:  # an object's address has no meaning
        found, wanted = (_ADDRESS.sub("", text) for text in (failure.found, failure.wanted))
        if failure.how == "==":
            values = [quote(text, most=_MAX_VALUE_LENGTH) for text in (found, wanted)]
            return f"{values[0]} was found; {values[1]} is expected{remark}{place}"
        compared = f"{found} {failure.how} {wanted}"
        return f"{quote(compared, most=_MAX_MESSAGE_LENGTH)} does not hold{remark}{place}"
    if failure.asserted:
        return f"{quote(failure.asserted, most=_MAX_MESSAGE_LENGTH)} does not hold{remark}{place}"
    return f"{message if failure.message else 'an assertion'} does not hold{place}"


def _ended(failure: UnitFailure, read_line: ReadLine) -> str:
    """Describe the exception that ended something, and its place."""
    kind = failure.type.rpartition(".")[2]
    if kind in ("SystemExit", "KeyboardInterrupt"):
        return f"ended the program with {quote(kind)}{_at(failure, read_line)}"
    text = _IN_SANDBOX.sub("", failure.message)
    message = f": {quote(text, most=_MAX_MESSAGE_LENGTH)}" if text else ""
    return f"ended with {quote(kind)}{_at(failure, read_line)}{message}"


def _at(failure: UnitFailure, read_line: ReadLine) -> str:
    if not failure.place:
        return f" at {failure.test_place}" if failure.test_place else ""
    return describe_line(failure.place, read_line) or f" at {failure.place}"
