"""What a grade came to, computed once: all pages, files, exports and commands read it here.

A failure of the grader is `ungraded` and never a score. What cannot be read is `unreadable`: platforms treat it like
a missing submission. A decision by hand counts before both.

What is wrong at a line of the source is the same for SARIF, GitHub's annotations and GitLab's code quality: each place
that a visible test found, the first error of a build or of an interpreter that cannot read the program, and each line
in which the program crashed, however many cases did. The last two have their place in the sentence alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

import msgspec

from grader.core.errors import UsageError
from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.layout import FORGED
from grader.core.model.report import ByHand, Report, ReportedCase, ReportedTest, Spot, Verdict, fraction
from grader.core.notebook import file_of, place_text
from grader.core.reader.files import read_data
from grader.core.report import view as shown
from grader.core.report.document import build_problem, describe_cause
from grader.core.report.json import from_json
from grader.core.text import one_line, sentence
from grader.decisions.post_grading import is_open

State = Literal["scored", "excused", "unreadable", "ungraded", "missing", "doubtful", "waiting"]
"""`doubtful` if it is ambiguous which of several uploads counts, `waiting` if it is not graded yet"""

ReportFile = Callable[[Grade, str], bytes | None]
"""a file of a grade's report, such as `report.json`; None when there is none"""

NOTHING = "nothing handed in"
WAITING = "not graded yet"
DOUBTFUL = "in doubt"  # outcomes of entries without a report

DECIDED = "decided by hand"  # the outcome of an entry whose score somebody gave by hand, where the grading gave none


class PlacedFinding(NamedTuple):
    """A sentence about a place; `file` is relative to the submission, and empty where no place is known."""

    rule: str  # one of `finding_rules`
    message: str
    file: str = ""
    line: int = 0
    level: str = "error"
    column: int = 1


class GradeView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A grade as all who show it need it; its whole report is read when something of it is asked for."""

    grade: Grade
    state: State
    outcome: str  # for programs: the verdict, or one of the words above
    was_handed_in: bool  # whether there is work, even if it is ambiguous which
    awaits_grade: bool  # whether a grade is still due: ungraded, in doubt, or not graded yet
    days_late: int  # how many days late it was handed in; 0 where that is not known
    share: float | None  # of the points that counts, 1 for full marks; None without a score or without points
    tests: Sequence[ReportedTest]  # as they were graded; none without a report
    show_all: bool  # whether tests that are hidden until the due date are shown before it
    read: ReportFile | None

    @property
    def after_due(self) -> bool:
        """Whether tests that are hidden until the due date are shown."""
        return self.show_all or is_open(self.grade.entry.after)

    @property
    def name(self) -> str:
        """The name of the entry, escaped."""
        return one_line(self.grade.entry.id)

    @property
    def words(self) -> str:
        """The outcome, for people."""
        return shown.word_for_report(self.grade.report) if self.grade.report else self.outcome

    @property
    def scores(self) -> Mapping[str, float | None]:
        """The scores of the tests, by their names."""
        return {test.name: test.score for test in self.tests}

    @property
    def reason(self) -> str:
        """Why there is no score; empty when there is one."""
        if self.state == "unreadable" and self.grade.report:
            return f"what was handed in cannot be read ({build_problem(self.grade.report)})"
        if self.state == "ungraded":
            return "ungraded, by a fault of the grader and not of the student"
        if self.state == "excused":
            return "the student is excused"
        return "" if self.state == "scored" else self.reason_without_report

    @property
    def reason_without_report(self) -> str:
        """Why there is no report; empty when there is one."""
        entry = self.grade.entry
        if self.grade.report:
            return ""
        if entry.is_doubtful:
            return f"it is in doubt which submission counts ({entry.notes[0]})"
        return "nothing was handed in" if entry.path is None else "it is not graded yet"

    @property
    def changes(self) -> list[str]:
        """What came after the grading, a line each, without the scores before and after it."""
        most = self.grade.report.max_score if self.grade.report else 0.0
        return shown.describe_final(self.grade.final, most, self.grade.report)[1:-1]

    @property
    def late_points(self) -> float | None:
        """The deduction for lateness; None where it is not known whether it was late."""
        final = self.grade.final
        return final.late.points if final and final.late and final.late.submitted else None

    @property
    def points_by_hand(self) -> float | None:
        """The points that were given or taken by hand, beside the graded ones; None when none were."""
        changes = [change for change in self.grade.final.by_hand if _is_change(change)] if self.grade.final else []
        graded = {**self.scores, "": self.grade.report.score if self.grade.report else None}
        scores = [(it.score, graded.get(it.test) or 0) for it in changes if it.score is not msgspec.UNSET]
        added = [fraction(change.points or 0) for change in changes if change.score is msgspec.UNSET]
        total = sum((fraction(score) - fraction(before) for score, before in scores), sum(added, Fraction(0)))
        return float(total) if changes else None

    @cached_property
    def report(self) -> Report:
        """The whole report; raises UsageError when there is none."""
        data = self.read(self.grade, "report.json") if self.read and self.grade.report else None
        if data is None:
            raise UsageError(f"there is no report of {self.name}: {self.reason_without_report or self.reason}")
        return from_json(data)

    @cached_property
    def effective(self) -> Report:
        """The whole report, with the scores that were given by hand to tests in place of graded ones."""
        by_hand = self.report.final.by_hand if self.report.final else ()
        given = {change.test: change.score for change in by_hand if change.test and change.score is not msgspec.UNSET}
        tests = (msgspec.structs.replace(test, score=given.get(test.name, test.score)) for test in self.report.tests)
        return msgspec.structs.replace(self.report, tests=tuple(tests))

    @cached_property
    def findings(self) -> list[PlacedFinding]:
        """What the student may know of the findings in their files, each once; one in a cell says where it is."""
        return list(dict.fromkeys(map(_place_at_file, placed_findings(self.report, after_due=self.after_due))))

    def headline(self, most: float) -> str:
        """`alice  87.5 of 100  part of the points`, also where nothing was handed in; the name is shown escaped."""
        if self.grade.report:
            return shown.headline(self.grade.report)
        score = "" if self.state == "excused" else f"{shown.out_of(self.grade.counted, most)}  "
        return f"{one_line(self.grade.entry.id, shown.NAME_LIMIT)}  {score}{self.outcome}"


def grade_view(grade: Grade, read: ReportFile | None = None, *, after_due: bool = False) -> GradeView:
    """Return the view of a grade; `read` reads its files, and `after_due` shows what is hidden until the due date."""
    entry, report, (state, outcome) = grade.entry, grade.report, _state_and_outcome(grade)
    most = report.max_score if report else 0
    return GradeView(
        grade=grade,
        state=state,
        outcome=outcome,
        was_handed_in=entry.path is not None or entry.is_doubtful,
        awaits_grade=state in {"ungraded", "doubtful", "waiting"},
        days_late=entry.after.late.days if entry.after.late else 0,
        share=None if grade.counted is None or not most else grade.counted / most,
        tests=report.tests if report else (),
        show_all=after_due,
        read=read,
    )


def _state_and_outcome(grade: Grade) -> tuple[State, str]:
    report = grade.report
    if grade.is_excused:
        return "excused", shown.EXCUSED
    if grade.counted is not None:
        return "scored", report.verdict if report and report.score is not None else DECIDED
    if report:
        return "unreadable" if report.verdict is Verdict.NOT_READABLE else "ungraded", report.verdict
    if grade.entry.is_doubtful:
        return "doubtful", DOUBTFUL
    return ("missing", NOTHING) if grade.entry.path is None else ("waiting", WAITING)


def _is_change(change: ByHand) -> bool:
    return change.points is not None or change.score is not msgspec.UNSET


def why_not_graded(record: Report) -> str:
    """Return why there is no score, for the staff: a pass that is not believed, or the first case without a grade."""
    forged = [sentence(finding.message) for finding in record.findings if finding.kind == FORGED]
    cases = (case for test in record.tests for case in test.cases)
    messages = (sentence(case.message) for case in cases if case.verdict in {Verdict.UNGRADED, Verdict.NOT_READABLE})
    return next(filter(None, (*forged, *messages)), "")


def points_text(value: float | None) -> str:
    """Format points with at most two decimals; empty when they are not known."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


# ---------------------------------------------------------------- all grades of a class


def with_outcome(book: Gradebook, word: str) -> list[Grade]:
    """List the grades with this outcome."""
    return [grade for grade in book.grades if _state_and_outcome(grade)[1] == word]


def names_of_tests(book: Gradebook) -> list[str]:
    """List the names of all tests, in the order of the spec."""
    return list(dict.fromkeys(test.name for grade in book.grades if grade.report for test in grade.report.tests))


def count_outcomes(grades: Iterable[Grade]) -> str:
    """Count the outcomes of submissions, the best first: "1 with full marks, 2 with no points, 1 ungraded"."""
    counts = Counter(grade_view(grade).words for grade in grades)
    by_points = [word for word in (shown.FULL_MARKS, shown.PART_OF_POINTS, shown.NO_POINTS) if word in counts]
    rest = sorted(counts.keys() - by_points)
    return ", ".join(
        [*(f"{counts[word]} with {word}" for word in by_points), *(f"{counts[word]} {word}" for word in rest)]
    )


def describe_changes(book: Gradebook) -> str:
    """Count the grades with post-grading: "2 late, 1 changed by hand"; empty if there are none."""
    finals = [grade.final for grade in book.grades if grade.final]
    late = [final.late for final in finals if final.late]
    comments = [any(not _is_change(change) and not change.excused for change in final.by_hand) for final in finals]
    counts = {
        "late": sum(bool(lateness.submitted and lateness.days) for lateness in late),
        "late within the time of grace": sum(bool(lateness.submitted and not lateness.days) for lateness in late),
        "changed by hand": sum(any(map(_is_change, final.by_hand)) for final in finals),
        "excused": sum(final.is_excused for final in finals),
        "with a comment by hand": sum(comments),
        "whose time of submission is not known": sum(not lateness.submitted for lateness in late),
    }
    return ", ".join(f"{number} {what}" for what, number in counts.items() if number)


# ---------------------------------------------------------------- what is wrong at a line of the source

_PLACE = re.compile(r"([\w./+-]+\.\w+):([0-9]{1,9})\b")
_WORDED_PLACE = re.compile(r"\bin line ([0-9]{1,9}) of `([^`]+)`")
_CANNOT_READ = " cannot read your program: "


def finding_rules() -> dict[str, str]:
    """Return what a finding is, and for each what that means."""
    return dict(read_data(Path(__file__).with_name("findings.yaml")))


def placed_findings(report: Report, *, after_due: bool) -> list[PlacedFinding]:
    """Return what a student may know of the findings in their work, each once."""
    return list(dict.fromkeys(_findings(report, after_due=after_due)))


def _place_at_file(finding: PlacedFinding) -> PlacedFinding:
    """Return a finding at a file that is there: one in a cell is put at the top of its notebook."""
    file, place = file_of(finding.file), place_text(finding.file, finding.line)
    message = finding.message if place in finding.message else f"{place}: {finding.message}"
    return finding if file == finding.file else finding._replace(message=message, file=file, line=1)


def _findings(report: Report, *, after_due: bool) -> Iterator[PlacedFinding]:
    if not report.build.ok or report.verdict is Verdict.NOT_READABLE:
        message = sentence(build_problem(report))
        yield PlacedFinding("build", message, *_place_in(message))
    elif (cause := describe_cause(report, after_due=after_due)) and not _place_in(cause.sentence)[0]:
        yield PlacedFinding("start", sentence(f"{cause.title}: {cause.sentence}"))
    crashed: set[tuple[str, int]] = set()
    for case in (case for test in report.tests if shown.is_shown(test, after_due=after_due) for case in test.cases):
        if not case.spots and any(deviation.stream == "source" for deviation in case.deviations):
            yield PlacedFinding("source", sentence(case.message))  # a missing construct has no line
        yield from (_finding_of_spot(case, number, spot) for number, spot in enumerate(case.spots or ()))
        cannot_be_read = _CANNOT_READ in case.message
        is_at_end = not case.spots and (cannot_be_read or case.verdict is Verdict.CRASHED)
        place = _place_in(case.message) if is_at_end else ("", 0)
        if place[0] and place not in crashed:
            crashed.add(place)
            yield PlacedFinding("syntax" if cannot_be_read else "crash", sentence(case.message), *place)


def _finding_of_spot(case: ReportedCase, number: int, spot: Spot) -> PlacedFinding:
    is_memory = spot.rule.startswith("memory-")
    if spot.rule and not is_memory:
        return PlacedFinding("style", one_line(f"{spot.rule}: {spot.what}"), spot.file, spot.line)
    # The case's message is about the first place; the others have their own text.
    message = f"{case.id}: {spot.what or spot.source}" if number else case.message
    return PlacedFinding("memory" if is_memory else "source", sentence(message), spot.file, spot.line)


def _place_in(message: str) -> tuple[str, int]:
    """Return the file and the line that a sentence names; an empty file when it names none in the submission."""
    worded, place = _WORDED_PLACE.findall(message), _PLACE.search(message)
    file, line = worded[-1][::-1] if worded else place.groups() if place else ("", "0")
    is_outside = PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts
    return ("", 0) if is_outside else (file, int(line))
