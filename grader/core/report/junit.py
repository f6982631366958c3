"""`junit.xml`: one suite a student, one test case a case, valid against the schema that Jenkins checks.

junit-xml is used behind a filter, because by itself it loses a whole report over one bad character, drops characters in
silence, and counts a failure without a text as a pass. So every text it gets is printable, every failure has a message,
what the schema does not know is taken out again, and at the end the file is read back and counted. If the counts are
not those of the report, there is no file but a `HostError`.

The file of a class is written without it.

Students may see this file: of a test that is not `visible` it has the result of each case and nothing else.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from junit_xml import TestCase, TestSuite

from grader.core.errors import HostError
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedBuild, ReportedCase, ReportedTest
from grader.core.report.document import case_blocks
from grader.core.report.files import safe_name
from grader.core.report.final_score import describe_final
from grader.core.report.plain import plain_lines
from grader.core.report.view import (
    case_summary,
    describe_cause,
    describe_groups,
    describe_work,
    extent,
    headline,
    is_shown,
)
from grader.core.text import cut_again, one_line, points, sentence

JUNIT_OUTPUT_LIMIT = 8 * 2**10
"""bytes of each stream that are written for a case that did not pass; CI systems refuse files above some 30 MB"""

LOG_LIMIT = 2 * 2**10
"""bytes of the build's log; it is repeated in every case"""

JUNIT_NAME_LIMIT = 200

_ELEMENTS = {
    Verdict.PASSED: "",
    Verdict.SKIPPED: "skipped",
    Verdict.NOT_READABLE: "skipped",
    Verdict.UNGRADED: "error",
}


_Entry = tuple[TestCase, str, float]
"""a `testcase`, all whose texts are safe for XML, the element that it has to have, and its time"""


def to_junit(report: Report, *, after_due: bool = False) -> bytes:
    """Render the report as JUnit XML; raises `HostError` when what was rendered does not say what the report says."""
    entries = [*_entries(report, after_due=after_due)]
    cases = [case for case, _, _ in entries]
    for case, name in zip(cases, unique(case.name for case in cases), strict=True):
        case.name, case.classname = name, class_name(report.spec.id, report.submission.id)
    name = one_line(report.submission.id, JUNIT_NAME_LIMIT) or "(no name)"
    suite = TestSuite(name, cases, properties=_properties(report, after_due=after_due))
    data = _render(suite.build_xml_doc(), [time for _, _, time in entries])
    _check_counts(data, [element for _, element, _ in entries])
    return data


def _properties(report: Report, *, after_due: bool) -> dict[str, str]:
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
        told = describe_final(final, report.max_score, report)[1:-1]
        properties |= {f"after_grading.{n}": line for n, line in enumerate(told, 1)}
    return properties


def _entries(report: Report, *, after_due: bool) -> Iterator[_Entry]:
    elements = set[str]()
    for test in report.tests:
        for entry in _entries_of(test, report.build, is_shown=is_shown(test, after_due=after_due)):
            elements.add(entry[1])
            yield entry
    if report.verdict is not Verdict.PASSED and elements <= {""}:
        # Points can be lost nowhere else, and if they are all the same it must not look like a pass.
        yield _entry("submission", report.verdict, sentence(headline(report)), describe_work(report))


def _entries_of(test: ReportedTest, build: ReportedBuild, *, is_shown: bool) -> Iterator[_Entry]:
    name = one_line(test.name, JUNIT_NAME_LIMIT)
    extents = {case.id: extent(group, test) for group in describe_groups(test) for case in group} if is_shown else {}
    if not test.cases:
        yield _entry(name, test.verdict, f"The test is {test.verdict}.")
    for number, case in enumerate(test.cases, 1):
        if is_shown:
            yield _entry_of_case(case, build, extents.get(case.id, ""))
        else:
            yield _entry(f"{name}[{number}]", case.verdict, "This test is hidden.", kind="hidden")


def _entry_of_case(case: ReportedCase, build: ReportedBuild, where: str) -> _Entry:
    is_broken = case.verdict is Verdict.BUILD_FAILED and build.log
    log = [build.command, cut_again(build.log, LOG_LIMIT)] if is_broken else []
    kinds = dict.fromkeys([*([case.cause] if case.cause else []), *(one_line(one.kind) for one in case.deviations)])
    message, name = f"{where} {case_summary(case)}".strip(), one_line(case.id, JUNIT_NAME_LIMIT)
    found, element, _ = _entry(
        name, case.verdict, message, [*plain_lines([*case_blocks(case)]), *log], ", ".join(kinds)
    )
    if case.exit is not None and element:
        found.stdout, found.stderr = (cut_again(text or "", JUNIT_OUTPUT_LIMIT) for text in (case.stdout, case.stderr))
    return found, element, case.time or 0.0


def _entry(name: str, verdict: Verdict, message: str, body: Sequence[str] = (), kind: str = "") -> _Entry:
    """Make a case, with further lines; without a kind it is the verdict."""
    case, element = TestCase(name, stdout="", stderr=""), _ELEMENTS.get(verdict, "failure")
    told = message, "\n".join([message, *body])
    if element == "skipped":
        case.add_skipped_info(*told)
    elif element:
        add = case.add_failure_info if element == "failure" else case.add_error_info
        add(*told, kind or verdict)
    return case, element, 0.0


def class_name(spec: str, student: str) -> str:
    """Name the "class" of a submission's cases: no other dot than the one, at which CI systems make a package."""
    return f"{one_line(spec)}.{safe_name(student).replace('.', '%2E')}"


def unique(names: Iterable[str]) -> list[str]:
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


def _render(suite: ET.Element, times: Sequence[float]) -> bytes:
    """Put right what junit-xml writes: no attribute that the schema lacks, times as plain decimals, an encoding."""
    del suite.attrib["disabled"]
    for case, time in zip(suite.iter("testcase"), times, strict=True):
        case.set("time", f"{time:.3f}")
    suite.set("time", f"{sum(times):.3f}")
    root = ET.Element("testsuites", {key: suite.attrib[key] for key in ("tests", "failures", "errors", "time")})
    root.append(suite)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _check_counts(data: bytes, elements: Sequence[str]) -> None:
    """Read back what was written, and count."""
    wanted = Counter(elements)
    try:
        suite = ET.fromstring(data)[0]  # noqa: S314  our own text, without a document type
    except ET.ParseError as error:
        raise HostError(f"junit.xml would not be readable ({error}): report this as an error of grader's") from error
    found = Counter(outcome(case) or "" for case in suite.iter("testcase"))
    totals = [int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")]
    if found != wanted or totals != [len(elements), wanted["failure"], wanted["error"], wanted["skipped"]]:
        raise HostError(
            f"junit.xml would tell {totals} where the report has {wanted}: report this as an error of grader's"
        )


def outcome(case: ET.Element) -> str | None:
    """Return what a written case says that it came to; None for a pass."""
    outcomes = [child.tag for child in case if child.tag in {"failure", "error", "skipped"}]
    return "+".join(outcomes) or None
