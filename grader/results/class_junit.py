"""`junit.xml` of a class: the suites of all submissions' `junit.xml` in one file that CI systems accept.

GitLab accepts files below 30 MB, and shows only the first of two cases with the same class and name. So suites and
classes have unique names. If the file would be too large, its longest texts are cut to the greatest length that fits,
with a mark. If it is still too large, each suite is folded into one case with a remark: no submission is left out.

The suites are read one at a time, and twice: to measure, and to write. At the end the file is read back and its cases
are counted, as for one submission.
"""

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from xml.sax.saxutils import escape, unescape

from grader.core.errors import HostError
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.judgement import Verdict
from grader.core.report.junit import class_name, outcome, unique
from grader.core.report.view import out_of_points
from grader.core.text import align, one_line, sentence
from grader.results.view import ReportFile, grade_view

LIMIT = 29 * 10**6
"""bytes of the file; GitLab takes less than 30 MB"""

_OUTCOMES = {"failure": "failures", "error": "errors", "skipped": "skipped"}
_CUT_MARK = " … (cut: the file of the class would be too large)"
_FOLDED = "{}. This submission has a report of its own; all cases of the class are too many for one file."
_ENTITIES = {'"': "&quot;", "\t": "&#09;"}
_CHARACTERS = {entity: character for character, entity in _ENTITIES.items()}
_END_TAG = len("</system-out>")


@dataclass(slots=True, kw_only=True)
class _Survey:
    """Counts and sizes of all suites, which are needed before the first is written."""

    counts: list[Counter[str]] = field(default_factory=list)
    """of each suite, in order"""
    seconds: float = 0.0
    size: int = 0
    """bytes without the texts that can be cut"""
    lengths: list[int] = field(default_factory=list)
    """bytes of each of those texts"""


def to_class_junit(book: Gradebook, file: ReportFile, *, limit: int = LIMIT) -> bytes:
    """Render the class as JUnit XML of at most `limit` bytes.

    Raises HostError when one case for each submission is too much, or the file would differ from the suites.
    """
    for is_folded in (False, True):
        survey = _survey_suites(_suites(book, file, is_folded=is_folded))
        total = sum(survey.counts, Counter[str]())
        root = ET.Element("testsuites", {"name": one_line(book.spec.id) or "(no name)", "tests": str(total.total())})
        root.set("failures", str(total["failure"]))
        root.set("errors", str(total["error"]))
        root.set("time", f"{survey.seconds:.3f}")
        opened = ET.tostring(root, encoding="unicode", short_empty_elements=False).removesuffix("</testsuites>")
        head, end = f"<?xml version='1.0' encoding='utf-8'?>\n{opened}\n".encode(), b"</testsuites>\n"
        most = _fitting_length(survey.lengths, limit - survey.size - len(head) - len(end))
        if most is not None:
            written = BytesIO()  # keeps no list of pieces, and is read without a copy
            written.write(head)
            for suite in _suites(book, file, is_folded=is_folded):
                for element, attribute, text in _texts(suite):
                    _set_text(element, attribute, _cut_text(text, most))
                written.write(_serialise(suite))
            written.write(end)
            _check_written(written, survey.counts)
            return written.getvalue()
    raise HostError(f"junit.xml of {len(book.grades)} submissions needs more than {limit} bytes: grade in shards")


# ---------------------------------------------------------------- suites


def _suites(book: Gradebook, file: ReportFile, *, is_folded: bool) -> Iterator[ET.Element]:
    """Yield the suites, with unique names."""
    names = unique([one_line(grade.entry.id) or "(no name)" for grade in book.grades])
    classes = unique([class_name(book.spec.id, grade.entry.id) for grade in book.grades])
    for grade, name, class_ in zip(book.grades, names, classes, strict=True):
        data = file(grade, "junit.xml") if grade.report and not is_folded else None
        suite = _suite_of_one(grade) if data is None else ET.fromstring(data)[0]  # noqa: S314  our own, without a document type
        suite.set("name", name)
        suite.tail = None
        for case in suite.iter("testcase"):
            case.set("classname", class_)
        yield suite


def _suite_of_one(grade: Grade) -> ET.Element:
    """Make a suite of one case, for a submission with no cases or too many."""
    record, word = grade.report, grade_view(grade).outcome
    elements = {Verdict.PASSED: None, Verdict.UNGRADED: "error", Verdict.NOT_READABLE: "skipped"}
    found = elements.get(record.verdict, "failure") if record else "skipped"
    counts = {key: str(int(key == _OUTCOMES.get(found or ""))) for key in _OUTCOMES.values()}
    suite = ET.Element("testsuite", {"name": "", "tests": "1", **counts, "time": "0.000"})
    case = ET.SubElement(suite, "testcase", {"name": "submission", "classname": "", "time": "0.000"})
    if found:
        text = "; ".join((word, *grade.entry.notes))
        if record:
            score = out_of_points(record.counted, record.max_score)
            text = _FOLDED.format(f"{score}, {record.verdict}")
        message = sentence(text)
        ET.SubElement(case, found, {"type": word, "message": message}).text = message
    ET.indent(suite, level=1)
    return suite


# ---------------------------------------------------------------- size


def _survey_suites(suites: Iterable[ET.Element]) -> _Survey:
    survey = _Survey()
    for suite in suites:
        survey.counts.append(Counter(outcome(case) or "passed" for case in suite.iter("testcase")))
        survey.seconds += float(suite.get("time", "0"))
        for element, attribute, text in _texts(suite):
            survey.lengths.append(len(_escaped(text)))
            _set_text(element, attribute, "")
            survey.size += _END_TAG
        survey.size += len(_serialise(suite))
    return survey


def _texts(suite: ET.Element) -> list[tuple[ET.Element, str, str]]:
    """List the texts that can be cut: the element, its attribute (empty for the body), the text."""
    found: list[tuple[ET.Element, str, str]] = []
    for case in suite.iter("testcase"):
        for child in case:
            found.append((child, "", child.text or ""))
            if message := child.get("message"):
                found.append((child, "message", message))
    return found


def _set_text(element: ET.Element, attribute: str, text: str) -> None:
    if attribute:
        element.set(attribute, text)
    else:
        element.text = text


def _fitting_length(lengths: Iterable[int], room: int) -> int | None:
    """Return the greatest length, in bytes, to which texts can be cut so that all fit; None if there is none."""
    ordered = sorted(lengths)
    for place, length in enumerate(ordered):
        share = room // (len(ordered) - place)
        if length > share:
            return share if share >= len(_CUT_MARK.encode()) else None
        room -= length
    return sys.maxsize if room >= 0 else None


def _cut_text(text: str, most: int) -> str:
    """Cut a text so that, written as XML, it has at most so many bytes; no entity and no character is torn."""
    raw = _escaped(text)
    if len(raw) <= most:
        return text
    cut = raw[: align(raw, most - len(_CUT_MARK.encode()))].decode()
    if cut.rfind("&") > cut.rfind(";"):
        cut = cut[: cut.rfind("&")]
    return unescape(cut, _CHARACTERS) + _CUT_MARK


def _escaped(text: str) -> bytes:
    return escape(text, _ENTITIES).encode()


# ---------------------------------------------------------------- the file


def _serialise(suite: ET.Element) -> bytes:
    return f"  {ET.tostring(suite, encoding='unicode')}\n".encode()


def _check_written(written: BytesIO, counts: list[Counter[str]]) -> None:
    """Read the file back, and count the cases of each suite and the names, which have to be unique."""
    suites: list[Counter[str]] = []
    names: set[tuple[str, str]] = set()
    written.seek(0)
    try:
        for _, element in ET.iterparse(written):  # noqa: S314  our own text, without a document type
            if element.tag == "testsuite":
                cases = list(element.iter("testcase"))
                found = Counter(outcome(case) or "passed" for case in cases)
                suites.append(found)
                stated = {key: int(element.get(key, "0")) for key in ("tests", *_OUTCOMES.values())}
                wanted = {"tests": found.total(), **{key: found[tag] for tag, key in _OUTCOMES.items()}}
                if stated != wanted:
                    raise HostError(
                        f"junit.xml would state {stated} where there are {wanted}: report this as a bug of grader"
                    )
                names.add(("suite", element.get("name", "")))
                names.update(("class", case.get("classname", "")) for case in cases)
                element.clear()
    except ET.ParseError as error:
        raise HostError(f"junit.xml would not be readable ({error}): report this as a bug of grader") from error
    if suites != counts or len(names) != len(counts) + sum(map(bool, counts)):
        raise HostError("junit.xml of the class would differ from its suites: report this as a bug of grader")
