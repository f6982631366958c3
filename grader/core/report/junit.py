"""`junit.xml`: one suite a student, one test case a case, valid against the schema that Jenkins checks.

Every text is printable, every failure has a message, and at the end the file is read back and counted. Students may see
it: of a test that is not `visible` it has the result of each case and nothing else.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.core.errors import HostError
from grader.core.model.report import Report, Verdict
from grader.core.report.document import cause_blocks, describe_cause, describe_work
from grader.core.report.json import safe_name
from grader.core.report.plain import plain_lines
from grader.core.report.view import case_blocks, case_summary, describe_final, headline, is_shown
from grader.core.text import one_line, points, sentence, show

_MAX_OUTPUT = 8 * 2**10  # bytes of each stream for a case that did not pass; CI systems refuse files above some 30 MB

_ELEMENTS = {Verdict.PASSED: "", Verdict.SKIPPED: "skipped", Verdict.NOT_READABLE: "skipped", Verdict.UNGRADED: "error"}


def to_junit(report: Report, *, after_due: bool = False) -> bytes:
    """Render the report as JUnit XML; raises `HostError` when what was rendered does not say what the report says."""
    cases = [*_cases(report, after_due=after_due)]
    if report.verdict is not Verdict.PASSED and not any(map(len, cases)):
        # Points can be lost nowhere else, and if they are all the same it must not look like a pass.
        cases.append(_case("submission", report.verdict, sentence(headline(report)), describe_work(report)))
    for case, name in zip(cases, unique(case.get("name", "") for case in cases), strict=True):
        case.attrib |= {"name": name, "classname": class_name(report.spec.id, report.submission.id)}
    data = _render(report, cases, _properties(report, after_due=after_due))
    _check_counts(data, [outcome(case) or "" for case in cases])
    return data


def _properties(report: Report, *, after_due: bool) -> dict[str, str]:
    cause, final = describe_cause(report, after_due=after_due), report.final or None
    scores = {"score": report.score, "max_score": report.max_score} | ({"final_score": final.score} if final else {})
    after = describe_final(final, report.max_score, report)[1:-1]
    return {
        "grader": report.grader,
        "spec.digest": one_line(report.spec.digest),
        "submission.digest": one_line(report.submission.digest),
        "sandbox": one_line(report.sandbox.level),
        "verdict": report.verdict,
        **{name: "" if score is None else points(score) for name, score in scores.items()},
        **({"cause": one_line(f"{cause.title}: {cause.sentence}")} if cause else {}),
        **{f"after_grading.{n}": line for n, line in enumerate(after, 1)},
    }


def _cases(report: Report, *, after_due: bool) -> Iterator[ET.Element]:
    cause = cause_blocks(describe_cause(report, after_due=after_due))
    for test in report.tests:
        name = one_line(test.name)
        if not test.cases:
            yield _case(name, test.verdict, f"The test is {test.verdict}.")
        for number, case in enumerate(test.cases, 1):
            if not is_shown(test, after_due=after_due):
                yield _case(f"{name}[{number}]", case.verdict, "This test is hidden.", kind="hidden")
                continue
            body = plain_lines(cause if case.verdict is Verdict.BUILD_FAILED else case_blocks(case))
            kind = ", ".join(filter(None, dict.fromkeys([case.cause or "", *(one.kind for one in case.deviations)])))
            element = _case(one_line(case.id), case.verdict, case_summary(case), body, kind, seconds=case.time or 0)
            if case.exit is not None and len(element):
                for tag, text in (("system-out", case.stdout), ("system-err", case.stderr)):
                    if text:
                        ET.SubElement(element, tag).text = show(text, _MAX_OUTPUT)
            yield element


def _case(
    name: str, verdict: Verdict, message: str, body: Sequence[str] = (), kind: str = "", *, seconds: float = 0
) -> ET.Element:
    """Make a case with the element of its verdict, and further lines; without a kind, the verdict is its type."""
    case = ET.Element("testcase", name=name, time=str(seconds))
    if element := _ELEMENTS.get(verdict, "failure"):
        kind = element if element == "skipped" else kind or verdict
        ET.SubElement(case, element, type=kind, message=message).text = "\n".join([message, *body])
    return case


def class_name(spec: str, student: str) -> str:
    """Name the "class" of a submission's cases: no other dot than the one, at which CI systems make a package."""
    return f"{one_line(spec)}.{safe_name(student).replace('.', '%2E')}"


def unique(names: Iterable[str]) -> list[str]:
    """Make repeated names unique: GitLab keeps only the first of two cases with one name."""
    taken: dict[str, int] = {}
    for name in names:
        free = name
        while free in taken:
            taken[name] += 1
            free = f"{name} ({taken[name]})"
        taken[free] = 1
    return list(taken)


def _render(report: Report, cases: Sequence[ET.Element], properties: Mapping[str, str]) -> bytes:
    tags = [*map(outcome, cases)]
    attributes = {f"{tag}s": str(tags.count(tag)) for tag in ("error", "failure")}
    attributes |= {"name": one_line(report.submission.id) or "(no name)", "skipped": str(tags.count("skipped"))}
    attributes |= {"tests": str(len(cases)), "time": f"{sum(float(case.attrib['time']) for case in cases):.3f}"}
    for case in cases:
        case.set("time", f"{float(case.attrib['time']):.3f}")
    root = ET.Element("testsuites", {key: attributes[key] for key in ("tests", "failures", "errors", "time")})
    suite = ET.SubElement(root, "testsuite", attributes)
    ET.SubElement(suite, "properties").extend(ET.Element("property", name=n, value=v) for n, v in properties.items())
    suite.extend(cases)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _check_counts(data: bytes, elements: Sequence[str]) -> None:
    """Read back what was written, and count."""
    try:
        suite = ET.fromstring(data)[0]  # noqa: S314  our own text, without a document type
    except ET.ParseError:
        suite = ET.Element("unreadable")
    outcomes = [outcome(case) or "" for case in suite.iter("testcase")]
    totals = [suite.get(key) for key in ("tests", "failures", "errors", "skipped")]
    wanted = [len(elements), *map(elements.count, ("failure", "error", "skipped"))]
    if outcomes != elements or totals != [*map(str, wanted)]:
        raise HostError(f"junit.xml would tell {totals}, not {wanted}: report this as an error of grader's")


def outcome(case: ET.Element) -> str | None:
    """Return what a written case says that it came to; None for a pass."""
    return "+".join(child.tag for child in case if child.tag in {"failure", "error", "skipped"}) or None
