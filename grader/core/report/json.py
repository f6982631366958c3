"""`report.json`, format 1: everything known about one submission, for programs and for the instructor.

Here a judgement becomes what is written down (`to_report`), and that becomes bytes and is read again. Nothing is hidden
in it, whatever a test's `visibility`: this file is the course's own. Texts are strict UTF-8, with what cannot be shown
escaped as everywhere, and cut to `TEXT_LIMIT` bytes, which they then say at their end.
"""

import hashlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from grader.core.errors import HostError
from grader.core.lazy import lazy_call
from grader.core.model import VERSION
from grader.core.model.decoding import decodable
from grader.core.model.execution import SIGNAL_STATUS, Turn
from grader.core.model.judgement import (
    CaseResult,
    Deviation,
    ExecutionSummary,
    Judgement,
    Message,
    OnTop,
    TestResult,
    Verdict,
)
from grader.core.model.report import (
    Report,
    ReportedBuild,
    ReportedCase,
    ReportedDeviation,
    ReportedInput,
    ReportedOnTop,
    ReportedRepair,
    ReportedRun,
    ReportedSpec,
    ReportedSubmission,
    ReportedTest,
    ReportedTurn,
)
from grader.core.model.spec import KEYS, Case
from grader.core.model.submission import BuildResult, Repaired
from grader.core.text import count, count_points, points, show
from grader.kinds import kind_of

REPORT_FORMAT = 1
"""the version of the format: it changes when a key changes its meaning or goes"""

_with_cause = lazy_call("grader.core.report.causes", "with_cause")
_KEY_NAMES = {key: name for name, key in KEYS.items()}


def to_json(value: object) -> bytes:
    """Render a report, or what else is for programs, as indented JSON."""
    return _without_commands(msgspec.json.format(msgspec.json.encode(value), indent=2)) + b"\n"


def on_one_line(data: bytes) -> bytes:
    """Lay written JSON out on one line, for standard output."""
    return _without_commands(msgspec.json.format(data, indent=-1))


def _without_commands(data: bytes) -> bytes:
    """Write JSON so that CI systems, whose logs show any file, read no `##[command]` in it; it means the same."""
    return data.replace(b"##", rb"#\u0023")


def from_json(data: bytes) -> Report:
    """Read a report back. Raises `HostError` for what is no report of this format."""
    try:
        report = msgspec.json.decode(data, type=decodable(Report))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HostError(f"this is no report of grader's: {error}") from error
    if report.format != REPORT_FORMAT:
        raise HostError(f"the report has format {report.format}, and this grader reads format {REPORT_FORMAT}")
    return report


def to_report(judgement: Judgement) -> Report:
    """Write a judgement down: its texts as they may be shown, its points as they are rounded."""
    spec = judgement.spec
    seed = hashlib.sha256(spec.drawn_from.encode()).hexdigest() if spec.drawn_from else UNSET  # tells seeds apart
    report = _written(
        Report,
        judgement,
        format=REPORT_FORMAT,
        grader=VERSION,
        spec=_written(ReportedSpec, spec, seed=seed),
        submission=_written(ReportedSubmission, judgement.submission, digest=show(judgement.submission_digest)),
        score=None if judgement.score is None else _rounded(judgement.score, judgement.max_score),
        max_score=_rounded(judgement.max_score),
    )
    if judgement.verdict is Verdict.PASSED:
        return report
    crashes = [
        [(case.cause, case.message.key) if case.cause else None for case in result.cases] for result in judgement.tests
    ]
    found: Report = _with_cause(report, crashes)
    return found


# ---------------------------------------------------------------- one walk writes all records

_Written = TypeVar("_Written", bound=Struct)
_CUT = frozenset({"stdout", "stderr", "expected_stdout", "expected_stderr", "expected", "actual"})
"""keys whose texts were made to be shown when the case was judged: a text that was cut says so and is not cut again"""


def _written(kind: type[_Written], *sources: object, **given: Any) -> _Written:
    """Make a record of the report: under each key what is given, or what the first of the sources with that name has.

    A key that may be omitted is, when a source has nothing under it.
    """
    found = dict(given)
    for key in kind.__struct_fields__:
        if key not in given:
            value = next((one for source in sources if (one := getattr(source, key, UNSET)) is not UNSET), UNSET)
            if value or (value is not UNSET and key not in _omitted(kind)):
                found[key] = value if key in _CUT else _shown(value)
    return kind(**found)


@cache
def _omitted(kind: type[Struct]) -> frozenset[str]:
    """Return the keys of a record that may be omitted."""
    defaults = zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False)
    return frozenset(key for key, default in defaults if default is UNSET)


def _shown(value: Any) -> Any:
    """Return a value as a report has it: a text as it may be shown, a share as a number, each record as its own."""
    if isinstance(value, bytes) or type(value) is str:
        return show(value)
    if isinstance(value, tuple):
        return tuple(map(_shown, value))
    if isinstance(value, Mapping):
        return {show(name): _shown(one) for name, one in value.items()}
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, Struct):
        write = _WRITERS.get(type(value))
        return write(value) if write else _written(type(value), value)
    return value


def _write_repair(repaired: Repaired) -> ReportedRepair:
    names = tuple(one.name for one in repaired.repairs)
    return _written(
        ReportedRepair,
        repaired,
        name=" + ".join(names),
        names=names if len(names) > 1 else UNSET,
        message=show(" ".join(repaired.messages)),
        keeps=_shown(prod((one.keeps for one in repaired.repairs), start=Fraction(1))),
        costs=_rounded(sum((one.costs for one in repaired.repairs), Fraction(0))),
    )


def to_reported_test(result: TestResult) -> ReportedTest:
    """Convert one test, for output before there is a whole report."""
    test = result.test
    of_case = {case.id: case for case in test.cases}
    return _written(
        ReportedTest,
        result,
        test,
        points=_rounded(test.points),
        score=None if result.score is None else _rounded(result.score, test.points),
        hint=show("\n\n".join(_fitting_hints(result))),
        note=_describe_steps(result) or UNSET,
        cases=tuple(_write_case(case, of_case.get(case.id)) for case in result.cases),
    )


def _describe_steps(result: TestResult) -> str:
    """Say how many cases are right, and what that gives, where a test has steps of credit and not all points."""
    counted = {case.id for case in result.test.cases if case.weight}
    right = sum(case.is_right for case in result.cases if case.id in counted)
    if not result.test.credit or result.score is None or result.verdict is Verdict.PASSED:
        return ""
    following = next((step.right for step in result.test.credit if step.right > right), None)
    most = result.test.points
    gives = "no points" if not result.score else f"{points(result.score, most)} of {count_points(most)}"
    more = f"; the next step is at {following}" if following else ""
    return f"{right} of {count(len(counted), 'case')} {'is' if right == 1 else 'are'} right, which gives {gives}{more}."


_NOT_ITS_OWN = (Verdict.PASSED, Verdict.BUILD_FAILED, Verdict.SKIPPED, Verdict.UNGRADED)
"""verdicts that say nothing about what the program does wrong in a case"""


def _fitting_hints(result: TestResult) -> list[str]:
    """Return the hints of a test that are for how one of its cases ended or deviated, in the order of the spec."""
    hints = result.test.hint
    fitting: set[str] = set()
    for case in result.cases:
        matching = {case.verdict.value, *(one.kind for one in case.deviations)} & hints.keys()
        fitting |= matching or ({"default"} if case.verdict not in _NOT_ITS_OWN else set())
    return [text for name, text in hints.items() if name in fitting]


def _write_case(result: CaseResult, case: Case | None) -> ReportedCase:
    run = result.run
    return _written(
        ReportedCase,
        result,
        run,
        weight=float(case.weight) if case and case.weight != 1 else UNSET,
        cause=UNSET,  # known when all tests are
        input=_write_input(case) if case else UNSET,
        values=_shown(result.contrasts),
        exit=_write_end(run) if run else None,
        likeness=_likeness(result, run) if run else "",
    )


def _write_end(run: ExecutionSummary) -> dict[str, int | None]:
    if run.signal is None:
        return {"status": run.status}
    return {"status": SIGNAL_STATUS + run.signal, "signal": run.signal} if run.by_status else {"signal": run.signal}


def _write_input(case: Case) -> ReportedInput | UnsetType:
    try:
        if kind_of(case).is_typed and (case.args or case.stdin or case.env or case.files):
            return _written(ReportedInput, case)
    except HostError:  # the case is ungraded, and says why
        pass
    return UNSET


_WRITERS: Mapping[type, Callable[[Any], Struct | str]] = {
    BuildResult: lambda one: _written(ReportedBuild, one, repair=_shown(one.repaired) or UNSET),
    CaseResult: lambda one: _written(
        ReportedRun, one, on="terminal" if one.terminal else "pipe", time=one.run.time if one.run else None
    ),
    Deviation: lambda one: _written(
        ReportedDeviation, one, message=show(f"{one.message}\n{one.drawing}" if one.drawing else one.message)
    ),
    Message: lambda one: show(one.text),
    OnTop: lambda one: _written(ReportedOnTop, one, points=_rounded(one.points)),
    Repaired: _write_repair,
    TestResult: to_reported_test,
    Turn: lambda one: _written(
        ReportedTurn, one, who="grader" if one.stream == "stdin" else "program", text=turn_text(one)
    ),
}
"""the records that are written in a form of their own; all others as they are"""


def turn_text(turn: Turn) -> str:
    """Show the text of a turn; a key by its name, `[ctrl-d]`."""
    if turn.stream != "stdin":
        return show(turn.text)
    if not turn.text:
        return "[end of input]"
    return f"[{_KEY_NAMES[turn.text]}]" if turn.text in _KEY_NAMES else show(turn.text)


def _likeness(case: CaseResult, run: ExecutionSummary) -> str:
    """Return what is the same for outputs that are the same up to blanks; empty where there is nothing to compare.

    How it ended counts too, or else all programs without output would be alike; what a function returned or raised, and
    what is wrong with files. Where a function is missing, or a limit ended it, nothing but that counts.
    """
    if case.verdict is Verdict.PASSED or _is_mute(case, run):
        return ""
    parts = [case.verdict, run.limit or "", str(run.signal) if run.signal and not run.limit else "status"]
    if run.limit or run.lacking:
        parts.append(f"missing {run.lacking}" if run.lacking else "")
    else:
        parts.append((run.stdout_mark + run.stderr_mark + run.facts_mark).hex())
        parts += [one.message for one in case.deviations if one.stream == "files"]
    return hashlib.sha256(msgspec.json.encode(list(map(show, parts)))).hexdigest()[:32]


def _is_mute(case: CaseResult, run: ExecutionSummary) -> bool:
    """Whether all that is known is that nothing was printed where something was to be, which has many causes."""
    wrong = [one.stream for one in case.deviations if one.kind == "wrong"]
    is_alone = bool(wrong) and {"stdout", "stderr"}.issuperset(wrong)
    return case.verdict is Verdict.FAILED and is_alone and run.is_mute


def _rounded(value: Fraction, most: Fraction | None = None) -> float:
    """Round points to what is shown. A whole number is an `int`, so that JSON has it without `.0`."""
    text = points(value, most)
    return float(text) if "." in text else int(text)
