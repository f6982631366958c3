"""Post-grading, from the graded score to the final one: first lateness, then adjustments by hand.

Neither is part of the grading, so a change of them runs nothing again. A `grader.yaml` has the due dates;
`adjustments.yaml` at the course's root has the adjustments, written by `grader adjust` or by people. Both belong to the
course: they are never read from a submission. `resolve_post_grading` resolves them for each student, once for a class;
`apply_post_grading` then is arithmetic on the resolved values.

These adjustments change points. Those of a spec (`adjustments:`) change the work before it is built.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import msgspec

from grader.classroom.lateness import (
    LateRule,
    Moment,
    compute_lateness,
    parse_moment,
    read_due,
    read_late_rule,
    read_moment,
)
from grader.classroom.platform_times import to_zone
from grader.core.errors import HostError, SpecError, UsageError
from grader.core.model import Report, Spec
from grader.core.model.gradebook import Afterwards, Entry
from grader.core.model.report import ByHand, ReportedFinal, fraction
from grader.core.reader import course_folders, is_file, read_top
from grader.core.reader.language import BY_HAND, BY_HAND_FILE, CONFIGURATION
from grader.core.text import points, show, signed
from grader.core.yaml.dumping import dump
from grader.core.yaml.editing import with_item
from grader.core.yaml.value import (
    Value,
    fields,
    get,
    in_quotes,
    items,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.core.yaml.writing import in_line, listing, plain, quoted, table

BY_HAND_NAME = "adjustments.yaml"
_COURSE_FILE = "grader.yaml"
_HEAD = "# What was decided by hand, on top of what was graded: `grader adjust` writes it, and so may you.\n"
_UNUSED = f"what {BY_HAND_NAME} says of it is not used: nothing of it was graded"
_NEVER = "nothing of the course's is taken from there, since it may have been handed in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of `adjustments.yaml`."""

    student: str
    """an id, as reports show it"""
    by_hand: ByHand
    due: Moment | None
    where: Value
    keys: Mapping[str, Value]
    """positions of its keys, for error messages"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The course's rules for an assignment outside its spec: due date, late rule and adjustments."""

    file: Path
    """the `adjustments.yaml`, whether or not it is there"""
    due: Moment | None = None
    late: LateRule | None = None
    lines: tuple[Line, ...] = ()


def find_rules(
    spec: Spec, spec_file: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None
) -> Rules:
    """Read the course's files about a spec; they lie at or above `start`, or at the course's root.

    Raises SpecError for one with mistakes, UsageError for an `adjustments.yaml` that may have been handed in.
    """
    folders = course_folders(spec.root, submissions, start, among=among)
    file = Path(os.path.relpath(spec.root / BY_HAND_NAME))
    if spec.root not in folders and is_file(file):
        raise UsageError(f"{file} lies among what was handed in, or right above: {_NEVER}; move it, or the course")
    rules = Rules(file=file, lines=_read_lines(file, spec) if spec.root in folders and is_file(file) else ())
    for folder in folders:
        if is_file(folder / _COURSE_FILE):
            top = read_top(folder / _COURSE_FILE)
            found = fields(top, CONFIGURATION)
            if found.keys() & {"due", "late"}:
                rules = _with_dates(rules, found, spec, spec_file, folder)
            if top.context.problems:
                raise SpecError(tuple(top.context.problems.values()))
            if found.keys() & {"due", "late"}:
                break
    _check_dates(rules)
    return rules


def _check_dates(rules: Rules) -> None:
    """Raise SpecError where a line postpones a due date that does not exist, or does not postpone it."""
    for line in rules.lines:
        if line.due and rules.due is None:
            wrong(
                line.keys["due"], f"there is no due date of this assignment in a {_COURSE_FILE} that could be put off"
            )
        elif line.due and rules.due and line.due.time <= rules.due.time:
            wrong(line.keys["due"], f"this is no later than the due date of all, {rules.due.written}")
    _raise_problems(rules)


def _raise_problems(rules: Rules) -> None:
    problems = {key: one for line in rules.lines for key, one in line.where.context.problems.items()}
    if problems:
        raise SpecError(tuple(problems.values()))


def _with_dates(rules: Rules, found: Mapping[str, Value], spec: Spec, spec_file: Path, folder: Path) -> Rules:
    named = get(found, "spec", text, "")
    is_named = named == spec.id or (bool(named) and (folder / named).resolve() == spec_file.resolve())
    if "due" not in found:
        wrong(found["late"], 'it is not told when the work is due: add "due"')
        return rules
    due = read_due(found["due"], spec.id, is_named=is_named, names_one=bool(named))
    return replace(rules, due=due, late=get(found, "late", read_late_rule, None))


# ---------------------------------------------------------------- adjustments.yaml


def _two_places(written: str) -> float | None:
    number = parse_points(written.removeprefix("-").removeprefix("+"))
    if not number or number * 100 % 1:
        return None
    return float(-number if written.startswith("-") else number)


_CHANGE = parsed(
    _two_places, "a number of points with two decimals at most, such as +2 or -0.5; without any it is a comment", 0.0
)
_GRADED = parsed(
    lambda written: float(parse_points(written) or 0) if parse_points(written) is not None else None,
    "a number of points",
    0.0,
)


def read_change(written: str) -> float:
    """Parse a number of points that is added or deducted, `+2`; raises UsageError for anything else."""
    if (change := _two_places(written)) is None:
        raise UsageError(
            f"points are a number other than 0 with two decimals at most, +2 or -0.5, and not {in_quotes(written)}"
        )
    return change


def _read_lines(path: Path, spec: Spec) -> tuple[Line, ...]:
    """Read the lines about a spec; raises SpecError with the mistakes of all lines."""
    top = read_top(path)
    found = fields(top, BY_HAND_FILE)
    lines = [_read_line(item) for item in (items(found["adjustments"]) if "adjustments" in found else ())]
    about: list[Line] = []
    for name, line in lines:
        if name != spec.id:
            continue
        test = line.by_hand.test
        if test and test not in (names := [show(one.name) for one in spec.tests]):
            wrong(line.keys["test"], f"there is no test {in_quotes(test)} in {spec.id}{suggestion(test, names)}")
        for other in about:
            if _line_content(other) == _line_content(line):
                wrong(line.where, f"this is in line {other.where.node.line} already: keep one, or tell another reason")
            elif other.student == line.student and other.due and line.due:
                wrong(
                    line.keys["due"],
                    f"there is another due date for {in_quotes(line.student)} in line {other.where.node.line}",
                )
        about.append(line)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return tuple(about)


def _read_line(item: Value) -> tuple[str, Line]:
    found = fields(item, BY_HAND)
    why = " ".join(get(found, "why", text, "").split())
    if "why" in found and not why:
        unwanted(found["why"], "a reason, which the student reads")
    by_hand = ByHand(
        why=show(why),
        test=show(get(found, "test", text, "")),
        points=get(found, "points", _CHANGE, None),
        graded=get(found, "graded", _GRADED, None),
    )
    if by_hand.points is None and by_hand.graded is not None:
        wrong(found["graded"], 'this is what points are added to: it means nothing without "points"')
    due = get(found, "due", read_moment, None)
    for key in ("test", "points") if "due" in found else ():
        if key in found:
            wrong(found[key], "a due date is of the whole, and changes no points: write two lines")
    line = Line(student=show(get(found, "student", text, "")), by_hand=by_hand, due=due, where=item, keys=found)
    return get(found, "spec", text, ""), line


def _line_content(line: Line) -> tuple[object, ...]:
    return line.student, line.by_hand.test, line.by_hand.points, line.by_hand.why, line.due and line.due.time


@contextmanager
def lock_file(file: Path) -> Iterator[None]:
    """Wait for the lock on a file, and hold it in the block; the kernel releases it even if we are killed."""
    try:
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise HostError(f"{file.parent}: {error.strerror}") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def add_line(rules: Rules, spec: Spec, student: str, by_hand: ByHand, due: str = "") -> int:
    """Write one more line into the `adjustments.yaml` of the rules, whose comments and layout stay; return its number.

    Raises UsageError for an invalid `due`, or a layout of the file that cannot be edited, and SpecError for a line that
    is there already; the file is then unchanged.
    """
    file = rules.file
    cells = {"spec": plain(spec.id), "student": quoted(student)}
    cells |= {"test": quoted(by_hand.test)} if by_hand.test else {}
    cells |= {"points": plain(signed(fraction(by_hand.points)))} if by_hand.points is not None else {}
    cells |= {"graded": plain(points(by_hand.graded))} if by_hand.graded is not None else {}
    cells |= {"due": plain(_checked_time(due))} if due else {}
    item = table({**cells, "why": quoted(by_hand.why)})
    before = file.read_bytes() if is_file(file) else _HEAD.encode()
    if any(line.strip() and not line.lstrip().startswith(b"#") for line in before.splitlines()):
        after = with_item(before, ("adjustments",), item)
    else:
        gap = b"" if before.endswith(b"\n") else b"\n"
        after = before + gap + dump(table({"adjustments": listing([item])}), open_levels=2).encode()
    if after is None:
        what = f"write it there yourself: {in_line(item)}"
        raise UsageError(f"{file} is laid out so that nothing can be added to it; {what}")
    return _replace_file(rules, after, spec)[-1].where.node.line


def _checked_time(written: str) -> str:
    try:
        return parse_moment(written).written
    except ValueError as error:
        raise UsageError(f"--due: {error}") from None


def _replace_file(rules: Rules, content: bytes, spec: Spec) -> tuple[Line, ...]:
    """Write a temporary file, validate it, and only then replace the original; return its lines."""
    file = rules.file
    temporary = file.with_name(f".{file.name}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        mode = file.stat().st_mode & 0o777 if is_file(file) else 0o644
        with os.fdopen(os.open(temporary, flags, mode), "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        lines = _read_lines(temporary, spec)
        _check_dates(replace(rules, lines=lines))
        temporary.replace(file)
    except SpecError as error:
        raise SpecError(tuple(one._replace(file=str(file)) for one in error.problems)) from None
    except OSError as error:
        advice = "look at the disk and at who may write there"
        raise HostError(f"{file} cannot be written: {error.strerror}; {advice}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return lines


# ---------------------------------------------------------------- what holds for whom


def resolve_post_grading(entries: Sequence[Entry], rules: Rules, *, is_all: bool = True) -> tuple[Entry, ...]:
    """Resolve the post-grading of each entry; with `is_all`, raises SpecError for a line about an unknown student."""
    names = [show(entry.id) for entry in entries]
    ids = set(names)
    for line in rules.lines if is_all else ():
        if line.student not in ids:
            hint = suggestion(line.student, names)
            wrong(line.keys["student"], f"there is no {in_quotes(line.student)} in this class{hint}")
    _raise_problems(rules)
    return tuple(_with_post_grading(entry, rules) for entry in entries)


def _with_post_grading(entry: Entry, rules: Rules) -> Entry:
    entry = replace(entry, submitted=to_zone(entry.submitted, rules.due.time.tzinfo if rules.due else None))
    after = afterwards_of(show(entry.id), entry.submitted, rules)
    notes = dict.fromkeys(entry.notes) | dict.fromkeys([_UNUSED] if after.by_hand and entry.path is None else [])
    return replace(entry, after=after, notes=tuple(notes))


def afterwards_of(student: str, submitted: str, rules: Rules) -> Afterwards:
    """Return the post-grading of one submission; `student` is the id as reports show it."""
    lines = [line for line in rules.lines if line.student == student]
    put_off = next((line for line in lines if line.due), None)
    due = put_off.due if put_off else rules.due
    return Afterwards(
        due=due.instant if due else "",
        late=compute_lateness(submitted, due, rules.late) if due and rules.late else None,
        by_hand=tuple(
            msgspec.structs.replace(line.by_hand, why=f"Due at {line.due.written} instead: {line.by_hand.why}")
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

    The deduction is rounded once, so that the lines add up. A final score is never below 0; it may exceed the maximum,
    as with bonus points.
    """
    if not after.late and not after.by_hand:
        return report
    graded = None if report.score is None else fraction(report.score)
    late, final = after.late, graded
    if late and graded is not None:
        final = fraction(float(points(graded * (1 - fraction(late.takes)))))
        late = msgspec.structs.replace(late, points=float(final - graded))
    by_hand = tuple(msgspec.structs.replace(one, changed=_changed_since(one, report)) for one in after.by_hand)
    if final is not None:
        final = max(Fraction(0), final + sum((fraction(one.points or 0) for one in by_hand), Fraction(0)))
    return msgspec.structs.replace(
        report,
        final=ReportedFinal(
            score=None if final is None else _number(final), late=late or msgspec.UNSET, by_hand=by_hand
        ),
    )


def _changed_since(decided: ByHand, report: Report) -> str:
    if decided.graded is None:
        return ""
    tests = {test.name: (test.score, test.points) for test in report.tests}
    score, most = tests.get(decided.test, (None, 0)) if decided.test else (report.score, report.max_score)
    if score is None or fraction(score) == fraction(decided.graded):
        return ""
    what = f"`{decided.test}`" if decided.test else "the whole"
    then = points(fraction(decided.graded))
    return f"When this was decided, {what} was graded {then}, and now {points(fraction(score))} of {points(most)}."


def _number(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)
