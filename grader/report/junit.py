"""`junit.xml`: one suite a student, one test case a case, valid against the schema that Jenkins checks.

junit-xml is used behind a filter, because by itself it loses a whole report over one bad character, drops characters in
silence, and counts a failure without a text as a pass. So every text it gets is printable, every failure has a message,
what the schema does not know is taken out again, and at the end the file is read back and counted. If the counts are
not those of the report, there is no file but a `HostError`.

Students may see this file: of a test that is not `visible` it tells what a case of it came to and nothing else.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from junit_xml import TestCase, TestSuite

from grader.errors import HostError
from grader.model import VERSION, BuildResult, CaseResult, Judgement, TestResult, Verdict
from grader.report.names import safe_name
from grader.report.view import can_repeat, drawings, evidence, headline, is_shown, story
from grader.text import one_line, points, sentence, show

OUTPUT_LIMIT = 8 * 2**10
"""bytes of each stream that are kept of a case that did not pass; CI systems refuse files above some 30 MB"""

LOG_LIMIT = 2 * 2**10
"""bytes of the build's log; it is repeated in every case"""

NAME_LIMIT = 200

_HIDDEN = "This test is hidden."
_ELEMENTS = {Verdict.PASSED: None, Verdict.SKIPPED: "skipped", Verdict.UNGRADED: "error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One `testcase`; all its texts are safe for XML."""

    name: str
    verdict: Verdict
    type: str
    message: str
    body: str
    time: float = 0.0
    stdout: str = ""
    stderr: str = ""


def to_junit(report: Judgement, *, after_due: bool = False) -> bytes:
    """Render the report as JUnit XML; raises `HostError` when what was rendered does not say what the report says."""
    entries = _entries(report, after_due=after_due)
    names = unique([entry.name for entry in entries])
    classname = class_name(report.spec.id, report.submission.id)
    cases = [_case(entry, shown, classname) for entry, shown in zip(entries, names, strict=True)]
    name = one_line(report.submission.id, NAME_LIMIT) or "(no name)"
    suite = TestSuite(name, cases, properties=_properties(report))
    data = _render(suite.build_xml_doc(), [entry.time for entry in entries])
    _verify(data, entries)
    return data


def _entries(report: Judgement, *, after_due: bool) -> list[_Entry]:
    entries = [entry for test in report.tests for entry in _of_test(test, report.build, after_due=after_due)]
    if report.verdict is not Verdict.PASSED and all(entry.verdict is Verdict.PASSED for entry in entries):
        # Points can be lost nowhere else, and if they are all the same it must not look like a pass.
        entries.append(_whole("submission", report.verdict, sentence(headline(report))))
    return entries


def _of_test(result: TestResult, build: BuildResult, *, after_due: bool) -> Iterator[_Entry]:
    if not result.cases:
        yield _whole(one_line(result.test.name, NAME_LIMIT), result.verdict, f"The test is {result.verdict}.")
    for number, case in enumerate(result.cases, 1):
        if is_shown(result.test, after_due=after_due):
            yield _shown(case, build)
        else:
            name = f"{one_line(result.test.name, NAME_LIMIT)}[{number}]"
            yield _Entry(name=name, verdict=case.verdict, type="hidden", message=_HIDDEN, body=_HIDDEN)


def _whole(name: str, verdict: Verdict, message: str) -> _Entry:
    return _Entry(name=name, verdict=verdict, type=verdict, message=message, body=message)


def _shown(case: CaseResult, build: BuildResult) -> _Entry:
    run, message = case.execution, story(case)
    keeps = run is not None and case.verdict is not Verdict.PASSED
    return _Entry(
        name=one_line(case.id, NAME_LIMIT),
        verdict=case.verdict,
        type=", ".join(dict.fromkeys(one_line(one.kind) for one in case.deviations)) or case.verdict,
        message=message,
        body="\n".join(_body(case, message, build)),
        time=run.time if run else 0.0,
        stdout=show(run.stdout, OUTPUT_LIMIT) if run and keeps else "",
        stderr=show(run.stderr, OUTPUT_LIMIT) if run and keeps else "",
    )


def _body(case: CaseResult, message: str, build: BuildResult) -> Iterator[str]:
    yield message
    yield from drawings(case)
    if can_repeat(case):
        yield f"To repeat it: {show(case.command)}"
    for part in evidence(case):
        yield from ("", f"{part.title}:", *part.lines)
    if case.verdict is Verdict.BUILD_FAILED and build.log:
        yield from ("", show(build.command), show(build.log, LOG_LIMIT))


def class_name(spec: str, student: str) -> str:
    """Name the "class" of a submission's cases: no other dot than the one, at which CI systems make a package."""
    return f"{one_line(spec)}.{safe_name(student).replace('.', '%2E')}"


def unique(names: list[str]) -> list[str]:
    """Tell names apart that come again: GitLab keeps only the first of two cases with one name."""
    taken: dict[str, None] = {}
    for name in names:
        free = name
        number = 1
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        taken[free] = None
    return list(taken)


def _case(entry: _Entry, name: str, classname: str) -> TestCase:
    case = TestCase(name, classname=classname, stdout=entry.stdout, stderr=entry.stderr)
    match _ELEMENTS.get(entry.verdict, "failure"):
        case "failure":
            case.add_failure_info(entry.message, entry.body, entry.type)
        case "error":
            case.add_error_info(entry.message, entry.body, entry.type)
        case "skipped":
            case.add_skipped_info(entry.message, entry.body)
    return case


def _properties(report: Judgement) -> dict[str, str]:
    score = "" if report.score is None else points(report.score)
    return {
        "grader": VERSION,
        "spec.digest": one_line(report.spec.digest),
        "submission.digest": one_line(report.submission_digest),
        "sandbox": one_line(report.sandbox.level),
        "verdict": report.verdict,
        "score": score,
        "max_score": points(report.max_score),
    }


def _render(suite: ET.Element, times: list[float]) -> bytes:
    """Put right what junit-xml writes: no attribute that the schema lacks, times as plain decimals, an encoding."""
    del suite.attrib["disabled"]
    for case, time in zip(suite.iter("testcase"), times, strict=True):
        case.set("time", f"{time:.3f}")
    suite.set("time", f"{sum(times):.3f}")
    totals = {key: suite.attrib[key] for key in ("tests", "failures", "errors", "time")}
    root = ET.Element("testsuites", totals)
    root.append(suite)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _verify(data: bytes, entries: list[_Entry]) -> None:
    """Read back what was written, and count."""
    wanted = Counter(_ELEMENTS.get(entry.verdict, "failure") for entry in entries)
    try:
        root = ET.fromstring(data)  # noqa: S314  our own text, without a document type
    except ET.ParseError as error:
        raise HostError(f"junit.xml would not be readable ({error}): report this as an error of grader's") from error
    suite = root[0]
    found = Counter(_outcome(case) for case in suite.iter("testcase"))
    told = [int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")]
    if found != wanted or told != [len(entries), wanted["failure"], wanted["error"], wanted["skipped"]]:
        raise HostError(
            f"junit.xml would tell {told} where the report has {wanted}: report this as an error of grader's"
        )


def _outcome(case: ET.Element) -> str | None:
    outcomes = [child.tag for child in case if child.tag in {"failure", "error", "skipped"}]
    return "+".join(outcomes) or None
