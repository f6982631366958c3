"""`report.json`, format 1: everything known about one submission, for programs and for the instructor.

Here a judgement becomes what is written down (`to_report`), and that becomes bytes and is read again. Nothing is hidden
in it, whatever a test's `visibility`: this file is the course's own. Texts are strict UTF-8, with what cannot be shown
escaped as everywhere, and cut to `TEXT_LIMIT` bytes, which they then say at their end.
"""

import hashlib
from fractions import Fraction
from math import prod

import msgspec

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
    SandboxInfo,
    TestResult,
    Verdict,
)
from grader.core.model.report import (
    Report,
    ReportedBuild,
    ReportedCase,
    ReportedDeviation,
    ReportedFailedRepair,
    ReportedInput,
    ReportedOnTop,
    ReportedRepair,
    ReportedRun,
    ReportedSpec,
    ReportedSpot,
    ReportedSubmission,
    ReportedTest,
    ReportedTurn,
    ReportedValue,
    Speaker,
)
from grader.core.model.source_findings import Spot
from grader.core.model.spec import KEYS, Case, Spec
from grader.core.model.submission import BuildResult, Finding, Repaired
from grader.core.text import count, count_points, points, show
from grader.kinds import kind_of

REPORT_FORMAT = 1
"""the version of the format: it changes when a key changes its meaning or goes"""

_with_cause = lazy_call("grader.core.report.causes", "with_cause")
_KEY_NAMES = {key: name for name, key in KEYS.items()}


def to_json(report: Report) -> bytes:
    """Render the report as indented JSON."""
    return _without_commands(msgspec.json.format(msgspec.json.encode(report), indent=2)) + b"\n"


def to_json_line(report: Report) -> bytes:
    """Render the same on one line."""
    return on_one_line(msgspec.json.encode(report))


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
    tests = tuple(to_reported_test(result) for result in judgement.tests)
    report = Report(
        format=REPORT_FORMAT,
        grader=VERSION,
        spec=ReportedSpec(id=show(spec.id), title=show(spec.title), digest=show(spec.digest), seed=_seed_of(spec)),
        submission=ReportedSubmission(id=show(judgement.submission.id), digest=show(judgement.submission_digest)),
        verdict=judgement.verdict,
        score=None if judgement.score is None else _rounded(judgement.score, judgement.max_score),
        max_score=_rounded(judgement.max_score),
        sandbox=SandboxInfo(
            level=show(judgement.sandbox.level),
            warnings=tuple(show(text) for text in judgement.sandbox.warnings),
            memory=show(judgement.sandbox.memory),
        ),
        toolchain={show(tool): show(version) for tool, version in judgement.toolchain.items()},
        findings=tuple(Finding(kind=show(one.kind), message=show(one.message)) for one in judgement.findings),
        build=_reported_build(judgement.build),
        tests=tests,
        on_top=tuple(
            ReportedOnTop(kind=show(one.kind), message=show(one.message), points=_rounded(one.points))
            for one in judgement.on_top
        )
        or msgspec.UNSET,
    )
    if judgement.verdict is Verdict.PASSED:
        return report
    crashes = [
        [(case.cause, case.message.key) if case.cause else None for case in result.cases] for result in judgement.tests
    ]
    found: Report = _with_cause(report, crashes)
    return found


def _reported_build(build: BuildResult) -> ReportedBuild:
    return ReportedBuild(
        ok=build.ok,
        command=show(build.command),
        log=show(build.log),
        message=show(build.message),
        time=build.time,
        repair=_reported_repair(build.repaired) if build.repaired else msgspec.UNSET,
        tried=tuple(
            ReportedFailedRepair(names=tuple(map(show, one.names)), message=show(one.message)) for one in build.tried
        )
        or msgspec.UNSET,
    )


def _reported_repair(repaired: Repaired) -> ReportedRepair:
    names = tuple(one.name for one in repaired.repairs)
    return ReportedRepair(
        name=" + ".join(names),
        names=names if len(names) > 1 else msgspec.UNSET,
        message=show(" ".join(repaired.messages)),
        keeps=_exact_share(prod((one.keeps for one in repaired.repairs), start=Fraction(1))),
        costs=_rounded(sum((one.costs for one in repaired.repairs), Fraction(0))),
        command=show(repaired.command),
        log=show(repaired.log),
        time=repaired.time,
    )


def _seed_of(spec: Spec) -> str | msgspec.UnsetType:
    """Return a value that identifies a seed, and shows nothing else of it."""
    return hashlib.sha256(spec.drawn_from.encode()).hexdigest() if spec.drawn_from else msgspec.UNSET


def to_reported_test(result: TestResult) -> ReportedTest:
    """Convert one test, for output before there is a whole report."""
    test = result.test
    given = {case.id: _reported_input(case) for case in test.cases}
    weights = {case.id: float(case.weight) for case in test.cases if case.weight != 1}
    return ReportedTest(
        name=show(test.name),
        points=_rounded(test.points),
        score=None if result.score is None else _rounded(result.score, test.points),
        verdict=result.verdict,
        visibility=test.visibility,
        bonus=test.bonus,
        about=show(test.about),
        hint=show("\n\n".join(_fitting_hints(result))),
        note=_describe_steps(result) or msgspec.UNSET,
        cases=tuple(
            msgspec.structs.replace(
                _reported_case(case),
                input=given.get(case.id, msgspec.UNSET),
                weight=weights.get(case.id, msgspec.UNSET),
            )
            for case in result.cases
        ),
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


def _reported_case(case: CaseResult) -> ReportedCase:
    run = case.run
    judged = ReportedCase(
        id=show(case.id),
        verdict=case.verdict,
        credit=_exact_share(case.credit),
        command=show(case.command),
        message=show(case.message.text),
        deviations=tuple(map(_reported_deviation, case.deviations)),
        spots=tuple(map(_reported_spot, case.spots)) or msgspec.UNSET,
        runs=tuple(_reported_run(run) for run in case.runs) or msgspec.UNSET,
        likeness=_likeness(case, run) if run else "",
        expected_stdout=case.expected_stdout,
        expected_stderr=case.expected_stderr,
        values=tuple(
            ReportedValue(name=show(one.name), expected=one.expected, actual=one.actual) for one in case.contrasts
        ),
    )
    return _with_run(judged, run) if run else judged


def _reported_deviation(one: Deviation) -> ReportedDeviation:
    return ReportedDeviation(
        kind=one.kind,
        stream=one.stream,
        message=show(f"{one.message}\n{one.drawing}" if one.drawing else one.message),
        keeps=_exact_share(one.keeps),
        counted_in=show(one.counted_in) if one.counted_in else msgspec.UNSET,
    )


def _reported_spot(one: Spot) -> ReportedSpot:
    return ReportedSpot(
        file=show(one.file),
        line=one.line,
        what=show(one.what),
        source=show(one.source),
        rule=show(one.rule),
    )


def _with_run(judged: ReportedCase, run: ExecutionSummary) -> ReportedCase:
    """Return a case with the reported facts of its run."""
    return msgspec.structs.replace(
        judged,
        exit=_reported_end(run),
        limit=run.limit,
        limits=run.limits,
        roles=run.roles or msgspec.UNSET,
        time=run.time,
        cpu=run.cpu,
        memory=run.memory,
        measured=run.measured or msgspec.UNSET,
        watched=run.watched or msgspec.UNSET,
        stdout=run.stdout,
        stderr=run.stderr,
        screen=run.screen or msgspec.UNSET,
        transcript=tuple(
            ReportedTurn(
                time=turn.time,
                who=speaker(turn),
                role=turn.role or msgspec.UNSET,
                stream=turn.stream,
                text=turn_text(turn),
            )
            for turn in run.transcript
        ),
    )


def _reported_end(run: ExecutionSummary) -> dict[str, int | None]:
    if run.signal is None:
        return {"status": run.status}
    return {"status": SIGNAL_STATUS + run.signal, "signal": run.signal} if run.by_status else {"signal": run.signal}


def _reported_input(case: Case) -> ReportedInput | msgspec.UnsetType:
    try:
        if not (kind_of(case).is_typed and (case.args or case.stdin or case.env or case.files)):
            return msgspec.UNSET
        return ReportedInput(
            args=tuple(map(show, case.args)),
            stdin=show(case.stdin),
            env={show(name): show(value) for name, value in case.env.items()},
            files={show(name): show(content) for name, content in case.files.items()},
        )
    except HostError:  # the case is ungraded, and says why
        return msgspec.UNSET


def _reported_run(run: CaseResult) -> ReportedRun:
    return ReportedRun(
        on="terminal" if run.terminal else "pipe",
        verdict=run.verdict,
        credit=_exact_share(run.credit),
        message=show(run.message.text),
        time=run.run.time if run.run else None,
    )


def speaker(turn: Turn) -> Speaker:
    """Return the writer of a turn."""
    return "grader" if turn.stream == "stdin" else "program"


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


def _exact_share(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)


def to_json_file(value: object) -> bytes:
    """Write JSON in lines, in which no CI system finds a command of its own (`##[command]`)."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).replace(b"##", rb"#\u0023") + b"\n"
