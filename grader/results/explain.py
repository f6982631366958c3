"""Explain one grade: the arithmetic of its points, its inputs, and how to reproduce it.

All texts of an explanation are escaped and printable.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec import Struct

from grader.core.model.gradebook import Entry, Grade
from grader.core.model.layout import Finding
from grader.core.model.report import (
    Report,
    ReportedBuild,
    ReportedCase,
    ReportedDeviation,
    ReportedFinal,
    ReportedTest,
    Verdict,
)
from grader.core.report.document import ShownCause, describe_cause, describe_work
from grader.core.report.json import to_json
from grader.core.report.view import NAME_LIMIT, describe_final, describe_groups
from grader.core.text import count, count_points, one_line, percent, points, posix_word, show
from grader.results.store import Results
from grader.results.view import grade_view, points_text

_ROUNDING = Fraction(1, 100)


class CasesExplained(Struct, frozen=True):
    """Cases of a test with the same summary."""

    ids: tuple[str, ...]
    verdict: str
    credit: float
    message: str  # of the first of them
    deviations: tuple[ReportedDeviation, ...]


class TestExplained(Struct, frozen=True):
    """A test and the arithmetic of its points. A hidden test has its points alone."""

    name: str
    points: float
    score: float | None
    bonus: bool
    visibility: str
    verdict: str | None
    arithmetic: str
    hint: str
    cases: tuple[CasesExplained, ...]  # those that did not pass, or in which a deviation was tolerated


class Explanation(Struct, frozen=True, kw_only=True):
    """Everything about one grade; what the report has is None or empty where nothing was graded."""

    id: str
    students: tuple[str, ...]  # as the roster names them
    headline: str
    words: str  # the verdict, or that nothing was handed in, or that it is not graded yet
    in_words: str  # the same for people
    score: float | None  # as it was graded
    max_score: float
    final: ReportedFinal | None  # None without post-grading
    after: tuple[str, ...]  # the post-grading, a sentence each
    cause: ShownCause | None  # of the submission, before all tests; None where only hidden tests have it
    tests: tuple[TestExplained, ...]
    findings: tuple[Finding, ...]
    build: ReportedBuild | None
    work: tuple[str, ...]  # the repair of the work, and the points that belong to no test
    provenance: Mapping[str, tuple[str, ...]]  # spec, reference, submission, tools, sandbox, grader, reports
    repeat: str  # the command that grades it again; empty when there is nothing to grade
    commands: tuple[str, ...]  # the build, then the failing cases by themselves


def explain_grade(grade: Grade, results: Results, *, hidden: bool = False) -> Explanation:
    """Explain one grade of these results; `hidden` includes details of hidden tests."""
    entry, record, view = grade.entry, grade.report, grade_view(grade)
    score, most = (record.score, record.max_score) if record else (None, results.book.max_score)
    points_now = "" if grade.is_excused else f"{points_text(grade.counted) or '?'} of {points_text(most)}  "
    path = None if results.keys is None else entry.path  # in a folder of `grader run`, that of the report
    spec_id = record.spec.id if record else results.book.spec.id
    word = posix_word(str(path or f"SUBMISSIONS/{entry.id}"))
    return Explanation(
        id=show(entry.id),
        students=tuple(_students(entry)),
        headline=f"{one_line(entry.id, NAME_LIMIT)}  {points_now}{view.outcome}",
        words=view.outcome,
        in_words=view.words,
        score=score,
        max_score=most,
        final=grade.final,
        after=tuple(describe_final(grade.final, most, record)),
        cause=describe_cause(record, hidden=hidden) if record else None,
        tests=tuple(_explain_test(test, shown=hidden or test.visibility == "visible") for test in view.tests),
        findings=record.findings if record else (),
        build=record.build if record else None,
        work=tuple(describe_work(record)) if record else (),
        provenance=dict(_provenance(grade, results, path)),
        repeat=f"grader run {word} --spec {posix_word(spec_id)}" if entry.path else "",
        commands=tuple(dict.fromkeys(_commands(record, hidden=hidden))) if record else (),
    )


def _students(entry: Entry) -> Iterator[str]:
    for student in entry.students:
        more = [show(word) for word in (student.email, student.login, student.section) if word]
        if more or student.name or len(entry.students) > 1:
            yield f"{show(student.name or student.id)} ({', '.join([show(student.id), *more])})"


def explanation_to_json(explanation: Explanation) -> bytes:
    """Render an explanation as JSON, without the time of the build, which does not concern the grade."""
    fields = msgspec.to_builtins(explanation)
    if build := fields["build"]:
        del build["time"]
        if "repair" in build:
            build["repair"]["time"] = 0.0
    return to_json(fields)


# ---------------------------------------------------------------- points


def _explain_test(test: ReportedTest, *, shown: bool) -> TestExplained:
    facts = (test.name, test.points, test.score, test.bonus, test.visibility)
    if not shown:
        return TestExplained(*facts, None, "", "", ())
    has_run = test.verdict is not Verdict.NOT_READABLE
    cases = tuple(map(_explain_cases, describe_groups(test, by_credit=True))) if has_run else ()
    return TestExplained(*facts, test.verdict, arithmetic(test), test.hint if has_run else "", cases)


def _explain_cases(group: Sequence[ReportedCase]) -> CasesExplained:
    """Describe cases with the same outcome by the first of them."""
    ids, first = tuple(case.id for case in group), group[0]
    return CasesExplained(ids, first.verdict, first.credit, first.message, first.deviations)


def arithmetic(test: ReportedTest) -> str:
    """Write out the arithmetic of a test's points; empty where the report does not allow it."""
    if test.score is None:
        return "" if test.verdict is Verdict.NOT_READABLE else "unknown, because something is ungraded"
    credits_ = [Fraction(repr(case.credit)) for case in test.cases]
    if not test.points or not credits_:
        return ""
    full, cases = sum(credit == 1 for credit in credits_), count(len(credits_), "case")
    mean = Fraction(repr(test.points)) * sum(credits_) / len(credits_)
    if abs(mean - Fraction(repr(test.score))) >= _ROUNDING:
        return "" if test.score else f"all or nothing, and {full} of {cases} passed"
    if full == len(credits_):
        return f"{cases} with all the credit"
    counts = sorted(Counter(credits_).items(), reverse=True)
    terms = " + ".join(f"{number} * {percent(credit)}" for credit, number in counts)
    return f"{count_points(test.points)} * ({terms}) / {cases} = {points(mean, test.points)}"


# ---------------------------------------------------------------- where it comes from


def _provenance(grade: Grade, results: Results, path: Path | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    entry, record = grade.entry, grade.report
    spec = record.spec if record else results.book.spec
    digest = record.submission.digest if record else ""
    where = one_line(str(path)) if path else "its path is not recorded" if entry.path else "nothing handed in"
    yield "submission", tuple(filter(None, (where, digest, *map(show, entry.notes))))
    yield "spec", tuple(filter(None, (spec.id, spec.digest)))
    if record is None:
        return
    key = (results.keys or {}).get(entry.id)
    yield "reference", (key.reference if key else "not recorded",)
    yield "tools", tuple(f"{name}: {version}" for name, version in sorted(record.toolchain.items()))
    yield "sandbox", (record.sandbox.level, *record.sandbox.warnings)
    yield "grader", (record.grader,)
    yield "reports", (one_line(str(results.path / grade.folder)),)


def _commands(record: Report, *, hidden: bool) -> Iterator[str]:
    """Return commands that can be run again by hand: the build, then each case that did not pass."""
    without = (Verdict.PASSED, Verdict.SKIPPED, Verdict.BUILD_FAILED)
    shown = (test for test in record.tests if hidden or test.visibility == "visible")
    cases = (case.command for test in shown for case in test.cases if case.verdict not in without)
    return map(one_line, filter(None, (record.build.command, *cases)))
