"""`report.json`, format 1: everything known about one submission, for programs and for the instructor.

Nothing is hidden in it, whatever a test's `visibility`: this file is the course's own. Texts are strict UTF-8, with
what cannot be shown escaped as everywhere, and cut to `TEXT_LIMIT` bytes, which they then say at their end.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from grader.core.cache import replace_files
from grader.core.errors import HostError
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model import VERSION
from grader.core.model import report as reported
from grader.core.model.execution import TranscriptEntry
from grader.core.model.layout import BuildResult, Repaired
from grader.core.model.report import (
    CaseResult,
    CauseKind,
    Deviation,
    Judgement,
    Message,
    OnTop,
    Report,
    ReportedCause,
    ReportedTest,
    TestResult,
    Verdict,
)
from grader.core.model.spec import KEYS, Case
from grader.core.model.values import decodable
from grader.core.text import count, count_points, full_sentence, is_visible, one_line, points, show, to_bytes

REPORT_FORMAT = 1  # the version of the format: it changes when a key changes its meaning or goes

_NOTHING_RAN: tuple[CauseKind, ...] = ("unreadable", "cannot-start")
# Verdicts that say nothing about what the program does wrong in a case.
_NOT_ITS_OWN = {Verdict.PASSED, Verdict.BUILD_FAILED, Verdict.SKIPPED, Verdict.UNGRADED}
_KEY_NAMES = {key: name for name, key in KEYS.items()}


def to_json(value: object) -> bytes:
    """Render a report, or what else is for programs, as indented JSON."""
    return on_one_line(msgspec.json.encode(value), indent=2) + b"\n"


def on_one_line(data: bytes, *, indent: int = -1) -> bytes:
    """Write JSON on one line, for standard output, so that no CI system reads a `##[command]` in a log."""
    return msgspec.json.format(data, indent=indent).replace(b"##", rb"#\u0023")


def from_json(data: bytes, kind: type[Report] = Report) -> Report:
    """Read a report back. Raises `HostError` for what is no report of this format."""
    try:
        report = msgspec.json.decode(data, type=decodable(kind))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HostError(f"this is no report of grader's: {error}") from error
    if report.format != REPORT_FORMAT:
        raise HostError(f"the report has format {report.format}, and this grader reads format {REPORT_FORMAT}")
    return report


def to_report(judgement: Judgement) -> Report:
    """Write a judgement down: its texts as they may be shown, its points as they are rounded."""
    spec, (crash, cause) = judgement.spec, _find_cause(judgement)
    digest = show(judgement.submission_digest)
    seed = hashlib.sha256(spec.drawn_from.encode()).hexdigest() if spec.drawn_from else UNSET  # distinguishes seeds
    return _to_record(
        Report,
        judgement,
        format=REPORT_FORMAT,
        grader=VERSION,
        spec=_to_record(reported.ReportedSpec, spec, seed=seed),
        submission=_to_record(reported.ReportedSubmission, judgement.submission, digest=digest),
        score=_rounded(judgement.score, judgement.max_score),
        max_score=_rounded(judgement.max_score),
        cause=cause,
        tests=tuple(to_reported_test(result, crash) for result in judgement.tests),
    )


_Crash = tuple[CauseKind, tuple[str, ...]]  # the kind of a cause, and the key of what is said of it


def _find_cause(judgement: Judgement) -> tuple[_Crash | None, ReportedCause | UnsetType]:
    """Return what kept all from running, or else the crash that loses most: at least half of the lost points."""
    build, total, lost, visible = judgement.build, 0.0, dict[_Crash, float](), set[_Crash]()
    messages: dict[_Crash, dict[str, str]] = {}
    failed: CauseKind = "unreadable" if judgement.verdict is Verdict.NOT_READABLE else "not-built"
    for result in judgement.tests if judgement.verdict is not Verdict.PASSED else ():
        weight_of = {case.id: float(case.weight) for case in result.test.cases}
        weights = [weight_of.get(case.id, 1.0) for case in result.cases]
        for case, weight in zip(result.cases, weights, strict=True):
            worth = (_rounded(result.test.points) or 0.01) * weight / (sum(weights) or 1)  # without points a little
            total += worth * (1 - float(case.credit))
            unbuilt = failed if case.verdict in {Verdict.BUILD_FAILED, Verdict.NOT_READABLE} else None
            if kind := case.cause if build.ok else unbuilt:
                crash = kind, case.message.key if build.ok else ()
                lost[crash] = lost.get(crash, 0.0) + worth
                visible |= {crash} if result.test.visibility == "visible" else set()
                messages.setdefault(crash, {}).setdefault(show(result.test.name), case.message.text)
    # A crash that nobody looked into counts with those by the same signal whose place is known.
    lost = {one: sum(n for other, n in lost.items() if other == (one[0], one[1][: len(other[1])])) for one in lost}
    cause = min(lost, key=lambda one: (one[0] not in _NOTHING_RAN, one not in visible, -lost[one]), default=None)
    # A program that is wrong in most cases, and crashes in another, has no one cause.
    if cause is None or (build.ok and cause[0] not in _NOTHING_RAN and 2 * lost[cause] < total):
        return None, UNSET
    message = next(iter(messages[cause].values())) if build.ok else full_sentence(build.message or "the build failed")
    return cause, ReportedCause(kind=cause[0], message=show(message), tests=tuple(messages[cause]))


_Written = TypeVar("_Written", bound=Struct)
# Keys whose texts were made to be shown when the case was judged: a text that was cut says so and is not cut again.
_CUT = frozenset({"stdout", "stderr", "expected_stdout", "expected_stderr", "expected", "actual"})


def _to_record(kind: type[_Written], *sources: object, **given: Any) -> _Written:
    """Make a record of the report: under each key what is given, or what the first of the sources with that name has.

    A key that may be omitted is, when a source has nothing under it.
    """
    values = dict(given)
    defaults = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    for key in kind.__struct_fields__:
        if key not in given:
            value = next((field for source in sources if (field := getattr(source, key, UNSET)) is not UNSET), UNSET)
            if value or (value is not UNSET and defaults.get(key) is not UNSET):
                values[key] = value if key in _CUT else _to_plain(value)
    return kind(**values)


def _to_plain(value: Any) -> Any:
    """Return a value as a report has it: texts escaped, shares as numbers, records as those of the report."""
    if isinstance(value, bytes) or type(value) is str:
        return show(value)
    if isinstance(value, tuple):
        return tuple(map(_to_plain, value))
    if isinstance(value, Mapping):
        return {show(name): _to_plain(item) for name, item in value.items()}
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, Struct):
        write = _WRITERS.get(type(value))
        return write(value) if write else _to_record(type(value), value)
    return value


def to_reported_test(result: TestResult, crash: _Crash | None = None) -> ReportedTest:
    """Convert one test, for output before there is a whole report; `crash` is the cause of the submission."""
    test = result.test
    of_case = {case.id: case for case in test.cases}
    fitting: set[str] = set()  # the hints that are for how one of the cases ended or deviated
    for case in result.cases:
        matching = {case.verdict.value, *(deviation.kind for deviation in case.deviations)} & test.hint.keys()
        fitting |= matching or ({"default"} if case.verdict not in _NOT_ITS_OWN else set())
    return _to_record(
        ReportedTest,
        result,
        test,
        points=_rounded(test.points),
        score=_rounded(result.score, test.points),
        hint=show("\n\n".join(text for name, text in test.hint.items() if name in fitting)),
        note=_describe_steps(result) or UNSET,
        cases=tuple(_write_case(case, of_case.get(case.id), crash) for case in result.cases),
    )


def _describe_steps(result: TestResult) -> str:
    """Say how many cases are right and what that gives, where a test has steps of credit and lost points."""
    test = result.test
    if not test.credit or result.score is None or result.verdict is Verdict.PASSED:
        return ""
    counted = {case.id for case in test.cases if case.weight}
    right = sum(case.is_right for case in result.cases if case.id in counted)
    following = [f"; the next step is at {step.right}" for step in test.credit if step.right > right]
    gives = f"{points(result.score, test.points)} of {count_points(test.points)}" if result.score else "no points"
    what = f"{right} of {count(len(counted), 'case')} {'is' if right == 1 else 'are'} right"
    return f"{what}, which gives {gives}{''.join(following[:1])}."


def _write_case(result: CaseResult, case: Case | None, crash: _Crash | None) -> reported.ReportedCase:
    run = result.run
    end = run and ({"status": run.status} if run.signal is None else {"signal": run.signal})
    given: Struct | UnsetType = UNSET
    with suppress(HostError):  # the case is ungraded, and says why
        if case and kind_of(case).is_typed and (case.args or case.stdin or case.env or case.files):
            given = _to_record(reported.ReportedInput, case)
    return _to_record(
        reported.ReportedCase,
        result,
        run,
        weight=float(case.weight) if case and case.weight != 1 else UNSET,
        cause=crash[0] if crash and crash == (result.cause, result.message.key) else UNSET,
        input=given,
        values=_to_plain(result.contrasts),
        exit=end,
        likeness=_likeness(result),
    )


def _write_repair(repaired: Repaired) -> reported.ReportedRepair:
    names = tuple(repair.name for repair in repaired.repairs)
    return _to_record(
        reported.ReportedRepair,
        repaired,
        name=" + ".join(names),
        names=names if len(names) > 1 else UNSET,
        message=show(" ".join(repaired.messages)),
        keeps=_to_plain(prod((repair.keeps for repair in repaired.repairs), start=Fraction(1))),
        costs=_rounded(sum((repair.costs for repair in repaired.repairs), Fraction(0))),
    )


_WRITERS: Mapping[type, Callable[[Any], Struct | str]] = {  # what is written in a form of its own
    BuildResult: lambda build: _to_record(reported.ReportedBuild, build, repair=_to_plain(build.repaired) or UNSET),
    CaseResult: lambda case: _to_record(
        reported.ReportedRun, case, on="terminal" if case.terminal else "pipe", time=case.run.time if case.run else None
    ),
    Deviation: lambda one: _to_record(
        reported.ReportedDeviation, one, message=show(f"{one.message}\n{one.drawing}" if one.drawing else one.message)
    ),
    Message: lambda message: show(message.text),
    OnTop: lambda on_top: _to_record(reported.ReportedOnTop, on_top, points=_rounded(on_top.points)),
    Repaired: _write_repair,
    TranscriptEntry: lambda turn: _to_record(
        reported.ReportedTurn, turn, who="grader" if turn.stream == "stdin" else "program", text=turn_text(turn)
    ),
}


def turn_text(turn: TranscriptEntry) -> str:
    """Show the text of a turn; a key by its name, `[ctrl-d]`."""
    if turn.stream == "stdin" and (not turn.text or turn.text in _KEY_NAMES):
        return f"[{_KEY_NAMES[turn.text]}]" if turn.text else "[end of input]"
    return show(turn.text)


def _likeness(case: CaseResult) -> str:
    """Return what is the same for runs that ended alike with the same outputs, results and files, up to blanks.

    Where a function is missing, or a limit ended it, nothing but that counts; it is empty where nothing is compared.
    """
    run, wrong = case.run, {deviation.stream for deviation in case.deviations if deviation.kind == "wrong"}
    # That nothing was printed where something was to be has many causes.
    is_mute = run and run.is_mute and case.verdict is Verdict.FAILED and wrong and wrong <= {"stdout", "stderr"}
    if not run or case.verdict is Verdict.PASSED or is_mute:
        return ""
    parts = [case.verdict, run.limit or "", str(run.signal) if run.signal and not run.limit else "status"]
    if run.limit or run.lacking:
        parts.append(f"missing {run.lacking}" if run.lacking else "")
    else:
        parts.append((run.stdout_mark + run.stderr_mark + run.facts_mark).hex())
        parts += [deviation.message for deviation in case.deviations if deviation.stream == "files"]
    return hashlib.sha256(msgspec.json.encode(list(map(show, parts)))).hexdigest()[:32]


def _rounded(value: Fraction | None, most: Fraction | None = None) -> float | None:
    """Round points to what is shown. A whole number is an `int`, so that JSON has it without `.0`."""
    text = "" if value is None else points(value, most)
    return None if not text else float(text) if "." in text else int(text)


# The files of a report: a folder's name for any student, and files that are there whole or not at all.


NAME_BYTES = 200  # bytes of a name; file systems allow 255, and a suffix may come behind it
# What hides a file, looks like an option, a formula or nothing at all at its end, or is a file of a class beside it.
_HARMFUL = lazy_regex(r"\A[ .+@-]|\A(?=(?:grades|index|junit|pages|summary)\.).| \Z|[^a-z0-9 ,_.+@()-]", re.IGNORECASE)
_TEMPORARY = lazy_regex(r"\.(report|feedback|junit|grades|summary|index)\.[a-z]+\.[0-9a-f]{16}")  # of `replace_files`


def safe_name(student: str) -> str:
    """Name a file after any id: what is not plainly harmless becomes `%2F`, what is too long is cut and gets a digest.

    None is a name that a file of the class has. Two ids never share one: `%` and `~`, which the escapes start with,
    are themselves escaped.
    """
    text = to_bytes(student).decode("utf-8", "surrogateescape")
    raw = _HARMFUL.sub(_escape, text).encode()
    if len(raw) > NAME_BYTES:
        return f"{raw[: NAME_BYTES - 33].decode('utf-8', 'ignore')}~{hashlib.sha256(to_bytes(text)).hexdigest()[:32]}"
    return raw.decode() or "%"


def _escape(match: re.Match[str]) -> str:
    is_harmless = not match[0].isascii() and is_visible(match[0])
    return match[0] if is_harmless else "".join(f"%{byte:02X}" for byte in to_bytes(match[0]))


def write_files(files: Mapping[str, bytes], folder: Path, what: str = "the report", mode: int = 0o600) -> None:
    """Write all files into a folder, or none: then raise `HostError` with `what` they are. Make a missing folder."""
    try:
        if folder.is_symlink():
            raise HostError(f"{one_line(str(folder))} is a link: remove it, reports are not written through links")
        make_folders(folder, 0o700 | mode | (mode & 0o444) >> 2)
        replace_files(folder, {name: [data] for name, data in files.items()}, mode)
    except OSError as error:
        may_be_full = not isinstance(error, FileExistsError | NotADirectoryError | PermissionError)
        advice = "make room on that disk, or " * may_be_full + "choose a folder that you may write to"
        raise HostError(f"{what} cannot be written to {one_line(str(folder))}: {error.strerror}; {advice}") from error


def make_folders(folder: Path, mode: int = 0o700) -> None:
    """Make a folder, and with its mode all that are missing above it, or everybody may list them; raises OSError."""
    for part in reversed((folder, *folder.parents)):
        if part is folder or not part.exists():
            part.mkdir(mode=mode, exist_ok=True)  # raises if there is something else


def tidy(folder: Path) -> None:
    """Remove temporary files of a killed grader from a folder of reports; nothing through a link."""
    with suppress(OSError):  # there is no folder yet, or it is not ours: whoever writes there says so
        for path in [] if folder.is_symlink() else [*folder.iterdir()]:
            if _TEMPORARY.fullmatch(path.name):
                path.unlink(missing_ok=True)
