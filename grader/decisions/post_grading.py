"""Post-grading, from the graded score to the final one: scores by hand, lateness, then what is added by hand.

None of it is part of the grading, so a change of it runs nothing again. A `grader.yaml` has the due dates;
`adjustments.yaml` at the course's root has the adjustments (`adjustments.py`). Both belong to the course: they are
never read from a submission. `resolve_post_grading` resolves them for each student, once for a class;
`apply_post_grading` then is arithmetic on the resolved values.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

from msgspec import UNSET, UnsetType
from msgspec.structs import replace as change

from grader.core.errors import UsageError
from grader.core.model.gradebook import Afterwards, Entry, Grade, Student
from grader.core.model.report import ByHand, Lateness, Report, ReportedFinal, fraction
from grader.core.model.spec import Spec
from grader.core.reader.files import CONFIGURATION, read_top, unless_wrong
from grader.core.reader.locate import course_folders
from grader.core.text import points, show
from grader.core.yaml.value import fields, get, in_quotes, is_file, suggestion, text
from grader.decisions.adjustments import BY_HAND_NAME, COURSE_FILE, Line, RubricItem, read_adjustments
from grader.decisions.lateness import LateRule, compute_lateness, read_due_dates, read_late_rule
from grader.people.columns import PARTICIPANT
from grader.people.people import fold_name
from grader.people.times import Moment, parse_moment, to_zone

_UNUSED = f"what {BY_HAND_NAME} says of it is not used: nothing of it was graded"
_NEVER = "nothing of the course's is taken from there, since it may have been handed in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The course's rules for an assignment outside its spec: due date, late rule and adjustments."""

    file: Path  # the `adjustments.yaml`, whether or not it is there
    due: Moment | None = None
    late: LateRule | None = None
    course_file: Path | None = None  # the `grader.yaml` with the due date
    dues: Mapping[str, Moment] = field(default_factory=dict)  # of all assignments of that file, by their ids
    lines: tuple[Line, ...] = ()
    rubric: tuple[RubricItem, ...] = ()


def find_rules(
    spec: Spec, spec_file: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None
) -> Rules:
    """Read the course's files about a spec; they lie at or above `start`, or at the course's root.

    Raises SpecError for one with mistakes, UsageError for an `adjustments.yaml` that may have been handed in.
    """
    folders = course_folders(spec.root, submissions, start, among=among)
    rules = Rules(file=Path(os.path.relpath(spec.root / BY_HAND_NAME)))
    for folder in (folder for folder in folders if is_file(folder / COURSE_FILE)):
        top = read_top(folder / COURSE_FILE)
        keys = fields(top, CONFIGURATION)
        if "due" in keys:
            named = get(keys, "spec", text, "")
            is_named = named == spec.id or (bool(named) and (folder / named).resolve() == spec_file.resolve())
            dues = read_due_dates(keys["due"], spec.id, is_named=is_named, names_one=bool(named))
            late = get(keys, "late", read_late_rule, None)
            rules = replace(rules, due=dues.get(spec.id), dues=dues, late=late, course_file=folder / COURSE_FILE)
        unless_wrong(top, None)
        if rules.course_file:
            break
    if is_file(rules.file):
        if spec.root not in folders:
            where = f"{rules.file} lies among what was handed in, or right above"
            raise UsageError(f"{where}: {_NEVER}; move it, or the course")
        lines, rubric = read_adjustments(rules.file, spec, rules.due)
        rules = replace(rules, lines=lines, rubric=rubric)
    return rules


# ---------------------------------------------------------------- what holds for whom


DaysUsed = Mapping[str, int]  # a student's `bank_key` -> the free late days taken by assignments due earlier


def resolve_post_grading(entries: Sequence[Entry], rules: Rules, used: DaysUsed) -> tuple[Entry, ...]:
    """Resolve the post-grading of each entry; `used` are the free late days that earlier assignments have taken."""
    zone = rules.due.time.tzinfo if rules.due else None
    resolved = []
    for entry in entries:
        free = free_days_left(map(bank_key, entry.students), rules.late, used)
        after = afterwards_of(show(entry.id), submitted := to_zone(entry.submitted, zone), rules, free=free)
        is_unused = entry.path is None and after.by_hand and final_without_report(after) is None
        notes = (*(note for note in entry.notes if note != _UNUSED), *([_UNUSED] if is_unused else ()))
        resolved.append(replace(entry, submitted=submitted, after=after, notes=notes))
    return tuple(resolved)


def bank_key(student: Student) -> str:
    """Return what identifies a student over the assignments of a course; Moodle's numbers are other ones in each."""
    known = (student.email or student.login) if PARTICIPANT.fullmatch(student.id) else ""
    return fold_name(show(known or student.id))


def free_days_left(students: Iterable[str], rule: LateRule | None, used: DaysUsed) -> int:
    """Return the free late days that a submission of these may take: of a team, those of the member with the fewest."""
    taken = max((used.get(student, 0) for student in students), default=0)
    return max(rule.free_days - taken, 0) if rule else 0


def own_due(student: str, rules: Rules) -> Moment | None:
    """Return the due date that was put off for one student alone; None without one."""
    return next((line.due for line in rules.lines if line.student == student and line.due), None)


def unknown_students(entries: Sequence[Entry], rules: Rules) -> tuple[str, ...]:
    """Return a sentence for each line about somebody who is none of the entries: a drop-out, or a mistyped id."""
    names = dict.fromkeys(show(entry.id) for entry in entries)
    lines = [(line, get_close_matches(line.student, names, 1)) for line in rules.lines if line.student not in names]
    return tuple(
        f"{BY_HAND_NAME}, line {line.number}, is not used: there is no {in_quotes(line.student)} in this class"
        f"{suggestion(line.student, near) if near else ''}"  # all would be too many
        for line, near in lines
    )


def afterwards_of(student: str, submitted: str, rules: Rules, *, free: int | None = None) -> Afterwards:
    """Return the post-grading of one submission; `student` is the id as reports show it.

    `free` is how many free late days are left; None stands for all. An excused student takes none.
    """
    lines = [line for line in rules.lines if line.student == student]
    due = own_due(student, rules) or rules.due
    free = 0 if any(line.by_hand.excused for line in lines) else free
    return Afterwards(
        due=due.instant if due else "",
        late=compute_lateness(submitted, due, rules.late, free) if due and rules.late else None,
        by_hand=tuple(
            change(line.by_hand, why=f"Due at {line.due.written} instead: {line.by_hand.why}")
            if line.due
            else line.by_hand
            for line in lines
        ),
    )


def is_open(after: Afterwards) -> bool:
    """Whether the work is due by now, so that tests hidden until then are shown."""
    return bool(after.due) and parse_moment(after.due).time <= datetime.now(UTC)


# ---------------------------------------------------------------- the final score


def apply_post_grading(report: Report, after: Afterwards) -> Report:
    """Return the report with its final score: the graded score, less the deduction for lateness, plus the adjustments.

    A score by hand stands in the place of a graded one, so lateness is deducted from it as well. There is no final
    score while a test is neither graded nor decided by hand. The deduction is rounded once, so that the lines add up.
    A final score is never below 0; it may exceed the maximum, as with bonus points.
    """
    if not after.late and not after.by_hand:
        return report
    graded = _with_scores_by_hand(report, after.by_hand)
    late, final = after.late, graded
    if late and graded is not None:
        final = fraction(float(points(graded * (1 - fraction(late.takes)), graded)))
        late = change(late, points=float(final - graded))
    by_hand = tuple(change(line, changed=_changed_since(line, report)) for line in after.by_hand)
    return change(report, final=_finish(final, by_hand, late or UNSET))


def grade_with(grade: Grade, after: Afterwards) -> Grade:
    """Return a grade with this post-grading in place of its own."""
    entry, bare = replace(grade.entry, after=after), grade.report and change(grade.report, final=UNSET)
    decided = final_without_report(after) if entry.path is None else None
    return replace(grade, entry=entry, report=bare and apply_post_grading(bare, after), decided=decided)


def final_without_report(after: Afterwards) -> ReportedFinal | None:
    """Return what was decided by hand where nothing was handed in; None without a score for the whole or an excuse."""
    score = _score_by_hand("", after.by_hand)
    if score is None and not any(line.excused for line in after.by_hand):
        return None
    return _finish(score, after.by_hand, UNSET)  # nothing was handed in late


def _finish(score: Fraction | None, by_hand: tuple[ByHand, ...], late: Lateness | UnsetType) -> ReportedFinal:
    """Return the final score: with what is added by hand, unless there is none."""
    total = sum((fraction(line.points or 0) for line in by_hand), Fraction(0))
    is_known = score is not None and not any(line.excused for line in by_hand)
    final = max(Fraction(0), (score or 0) + total)
    number = int(final) if final.denominator == 1 else float(final)
    return ReportedFinal(score=number if is_known else None, late=late, by_hand=by_hand)


def _score_by_hand(test: str, by_hand: Sequence[ByHand]) -> Fraction | None:
    """Return the score that was given by hand to a test, or to the whole; None when none was."""
    return next((fraction(line.score) for line in by_hand if line.test == test and line.score is not UNSET), None)


def _with_scores_by_hand(report: Report, by_hand: Sequence[ByHand]) -> Fraction | None:
    """Return the graded score with the scores that were given by hand; None when something has neither."""
    if (whole := _score_by_hand("", by_hand)) is not None:
        return whole
    decided = {test.name: score for test in report.tests if (score := _score_by_hand(test.name, by_hand)) is not None}
    if report.score is not None:  # it was rounded once, so only what differs is added to it
        differences = (decided[test.name] - fraction(test.score or 0) for test in report.tests if test.name in decided)
        return max(Fraction(0), fraction(report.score) + sum(differences))
    scores = [decided.get(test.name, None if test.score is None else fraction(test.score)) for test in report.tests]
    known = [score for score in scores if score is not None]
    on_top = (fraction(extra.points) for extra in report.on_top or ())
    return max(Fraction(0), sum((*known, *on_top), Fraction(0))) if decided and len(known) == len(scores) else None


def _changed_since(decided: ByHand, report: Report) -> str:
    if decided.points is None and decided.score is UNSET:
        return ""
    tests = {test.name: (test.score, test.points) for test in report.tests}
    score, most = tests.get(decided.test, (None, 0)) if decided.test else (report.score, report.max_score)
    what = f"`{decided.test}`" if decided.test else "the whole"
    now = "" if score is None else f"{points(fraction(score))} of {points(most)}"
    if decided.graded is None:
        is_news = decided.score is not UNSET and score is not None
        return f"When this was decided, {what} was not graded, and now it is: {now}." if is_news else ""
    if score is None or fraction(score) == fraction(decided.graded):
        return ""
    return f"When this was decided, {what} was graded {points(fraction(decided.graded))}, and now {now}."
