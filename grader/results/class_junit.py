"""`junit.xml` of a class: the suites of all submissions' `junit.xml` in one file for CI systems.

GitLab shows only the first of two cases with the same class and name, so suites and classes have unique names. It takes
files below 30 MB: a class whose file is larger is graded in shards.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.report.junit import class_name, unique
from grader.core.text import one_line, sentence
from grader.results.view import ReportFile, grade_view


def to_class_junit(book: Gradebook, file: ReportFile) -> bytes:
    """Render the class as JUnit XML; one suite is in memory as a tree at a time."""
    total: Counter[str] = Counter()
    written, seconds = [], 0.0
    for suite in _suites(book, file):
        seconds += float(suite.get("time", "0"))
        total.update({key: int(suite.get(key, "0")) for key in ("tests", "failures", "errors")})
        written.append(f"  {ET.tostring(suite, encoding='unicode')}\n".encode())
    counts = {key: str(number) for key, number in total.items()}
    head = {"name": one_line(book.spec.id) or "(no name)", **counts, "time": f"{seconds:.3f}"}
    opened = ET.tostring(ET.Element("testsuites", head), encoding="unicode", short_empty_elements=False)
    opened = opened.removesuffix("</testsuites>")
    return b"".join([f"<?xml version='1.0' encoding='utf-8'?>\n{opened}\n".encode(), *written, b"</testsuites>\n"])


def _suites(book: Gradebook, file: ReportFile) -> Iterator[ET.Element]:
    names = unique([one_line(grade.entry.id) or "(no name)" for grade in book.grades])
    classes = unique([class_name(book.spec.id, grade.entry.id) for grade in book.grades])
    for grade, name, class_ in zip(book.grades, names, classes, strict=True):
        data = file(grade, "junit.xml") if grade.report else None
        suite = _suite_without_cases(grade) if data is None else ET.fromstring(data)[0]  # noqa: S314  our own, without a document type
        suite.set("name", name)
        suite.tail = None
        for case in suite.iter("testcase"):
            case.set("classname", class_)
        yield suite


def _suite_without_cases(grade: Grade) -> ET.Element:
    """Make a suite of one skipped case, for a submission without a report."""
    outcome = grade_view(grade).outcome
    counts = {"tests": "1", "failures": "0", "errors": "0", "skipped": "1"}
    suite = ET.Element("testsuite", {"name": "", **counts, "time": "0.000"})
    case = ET.SubElement(suite, "testcase", {"name": "submission", "classname": "", "time": "0.000"})
    message = sentence("; ".join((outcome, *grade.entry.notes)))
    ET.SubElement(case, "skipped", {"type": outcome, "message": message}).text = message
    ET.indent(suite, level=1)
    return suite
