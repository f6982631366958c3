"""`junit.xml`: one suite a student, one test case a case, valid against the schema that Jenkins checks.

junit-xml is used behind a filter, because by itself it loses a whole report over one bad character, drops characters in
silence, and counts a failure without a text as a pass. So every text it gets is printable, every failure has a message,
what the schema does not know is taken out again, and at the end the file is read back and counted. If the counts are
not those of the report, there is no file but a `HostError`.

junitparser, which is alive, replaces nothing of that: it writes a bad character as it is, or raises where lxml is
installed, rounds times, and takes two cases of one name. The file of a class is written without either.

Students may see this file: of a test that is not `visible` it has the result of each case and nothing else.
"""

import xml.etree.ElementTree as ET
from collections import Counter

from junit_xml import TestCase, TestSuite

from grader.core.errors import HostError
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedBuild, ReportedCase
from grader.core.report.files import safe_name
from grader.core.report.final_score import describe_after_grading
from grader.core.report.view import (
    NAME_LIMIT,
    can_repeat,
    case_summary,
    describe_cause,
    describe_groups,
    describe_work,
    drawings,
    evidence,
    extent,
    is_shown,
    out_of,
)
from grader.core.text import cut_again, one_line, points, sentence

JUNIT_OUTPUT_LIMIT = 8 * 2**10
"""bytes of each stream that are written for a case that did not pass; CI systems refuse files above some 30 MB"""

LOG_LIMIT = 2 * 2**10
"""bytes of the build's log; it is repeated in every case"""

JUNIT_NAME_LIMIT = 200

_ELEMENTS = {
    Verdict.PASSED: None,
    Verdict.SKIPPED: "skipped",
    Verdict.NOT_READABLE: "skipped",
    Verdict.UNGRADED: "error",
}


_Entry = tuple[TestCase, Verdict, float]
"""a `testcase`, all whose texts are safe for XML, what it has to come to, and its time, which junit-xml would round"""


def to_junit(report: Report, *, after_due: bool = False) -> bytes:
    """Render the report as JUnit XML; raises `HostError` when what was rendered does not say what the report says."""
    entries = _suite_entries(report, after_due=after_due)
    cases = [case for case, _, _ in entries]
    for case, name in zip(cases, unique([case.name for case in cases]), strict=True):
        case.name = name
        case.classname = class_name(report.spec.id, report.submission.id)
    properties = {
        "grader": report.grader,
        "spec.digest": one_line(report.spec.digest),
        "submission.digest": one_line(report.submission.digest),
        "sandbox": one_line(report.sandbox.level),
        "verdict": report.verdict,
        "score": "" if report.score is None else points(report.score),
        "max_score": points(report.max_score),
    }
    if cause := describe_cause(report, after_due=after_due):
        properties["cause"] = one_line(f"{cause.title}: {cause.sentence}")
    if final := report.final:
        properties["final_score"] = "" if final.score is None else points(final.score)
        properties |= {f"after_grading.{n}": line for n, line in enumerate(describe_after_grading(report)[1:-1], 1)}
    suite = TestSuite(one_line(report.submission.id, JUNIT_NAME_LIMIT) or "(no name)", cases, properties=properties)
    data = _render(suite.build_xml_doc(), [time for _, _, time in entries])
    _check_counts_of(data, entries)
    return data


def _suite_entries(report: Report, *, after_due: bool) -> list[_Entry]:
    entries: list[_Entry] = []
    for test in report.tests:
        if not test.cases:
            entries.append(_entry(one_line(test.name, JUNIT_NAME_LIMIT), test.verdict, f"The test is {test.verdict}."))
        elif is_shown(test, after_due=after_due):
            extents = {case.id: extent(group, test) for group in describe_groups(test) for case in group}
            entries += [_entry_of_case(case, report.build, extents.get(case.id, "")) for case in test.cases]
        else:
            name = one_line(test.name, JUNIT_NAME_LIMIT)
            entries += [
                _entry(f"{name}[{number}]", case.verdict, "This test is hidden.", kind="hidden")
                for number, case in enumerate(test.cases, 1)
            ]
    if report.verdict is not Verdict.PASSED and all(verdict is Verdict.PASSED for _, verdict, _ in entries):
        # Points can be lost nowhere else, and if they are all the same it must not look like a pass.
        name, score = one_line(report.submission.id, NAME_LIMIT), out_of(report.score, report.max_score)
        message = sentence(f"{name}  {score}  {report.verdict}")
        entries.append(_entry("submission", report.verdict, message, "\n".join([message, *describe_work(report)])))
    return entries


def _entry_of_case(case: ReportedCase, build: ReportedBuild, where: str) -> _Entry:
    message = f"{where} {case_summary(case)}".strip()
    body = [message, *drawings(case)]
    if can_repeat(case):
        body.append(f"To repeat it: {case.command}")
    for part in evidence(case):
        body += ["", f"{part.title}:", *part.lines]
    if case.verdict is Verdict.BUILD_FAILED and build.log:
        body += ["", build.command, cut_again(build.log, LOG_LIMIT)]
    kinds = dict.fromkeys([*([case.cause] if case.cause else []), *(one_line(one.kind) for one in case.deviations)])
    name = one_line(case.id, JUNIT_NAME_LIMIT)
    found, verdict, _ = _entry(name, case.verdict, message, "\n".join(body), kind=", ".join(kinds))
    if case.exit is not None and case.verdict is not Verdict.PASSED:
        found.stdout = cut_again(case.stdout or "", JUNIT_OUTPUT_LIMIT)
        found.stderr = cut_again(case.stderr or "", JUNIT_OUTPUT_LIMIT)
    return found, verdict, case.time or 0.0


def _entry(name: str, verdict: Verdict, message: str, body: str = "", kind: str = "") -> _Entry:
    """Make a case; without a body it is the message, without a kind the verdict."""
    case = TestCase(name, stdout="", stderr="")
    match _ELEMENTS.get(verdict, "failure"):
        case "failure":
            case.add_failure_info(message, body or message, kind or verdict)
        case "error":
            case.add_error_info(message, body or message, kind or verdict)
        case "skipped":
            case.add_skipped_info(message, body or message)
    return case, verdict, 0.0


def class_name(spec: str, student: str) -> str:
    """Name the "class" of a submission's cases: no other dot than the one, at which CI systems make a package."""
    return f"{one_line(spec)}.{safe_name(student).replace('.', '%2E')}"


def unique(names: list[str]) -> list[str]:
    """Make repeated names unique: GitLab keeps only the first of two cases with one name."""
    taken: dict[str, None] = {}
    numbers = Counter[str]()
    """of each name, the last number that stands behind it"""
    for name in names:
        free = name
        while free in taken:
            numbers[name] += 1
            free = f"{name} ({numbers[name] + 1})"
        taken[free] = None
    return list(taken)


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


def _check_counts_of(data: bytes, entries: list[_Entry]) -> None:
    """Read back what was written, and count."""
    wanted = Counter(_ELEMENTS.get(verdict, "failure") for _, verdict, _ in entries)
    try:
        root = ET.fromstring(data)  # noqa: S314  our own text, without a document type
    except ET.ParseError as error:
        raise HostError(f"junit.xml would not be readable ({error}): report this as an error of grader's") from error
    suite = root[0]
    found = Counter(outcome(case) for case in suite.iter("testcase"))
    totals = [int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")]
    if found != wanted or totals != [len(entries), wanted["failure"], wanted["error"], wanted["skipped"]]:
        raise HostError(
            f"junit.xml would tell {totals} where the report has {wanted}: report this as an error of grader's"
        )


def outcome(case: ET.Element) -> str | None:
    """Return what a written case says that it came to; None for a pass."""
    outcomes = [child.tag for child in case if child.tag in {"failure", "error", "skipped"}]
    return "+".join(outcomes) or None
