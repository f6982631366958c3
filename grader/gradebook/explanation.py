"""`grader explain`: a grade of a gradebook -> everything about it, with the arithmetic and the commands behind it."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from grader.gradebook.grades_csv import number, verdict
from grader.model import Verdict
from grader.model.explanation import CasesExplained, Explanation, TestExplained
from grader.model.gradebook import Entry, Grade, Gradebook
from grader.model.report import Report, ReportedTest
from grader.report.view import NAME_LIMIT, grouped
from grader.text import inert, is_visible, one_line, points, show, to_bytes

_ROUNDING = Fraction(1, 100)


def explain(
    grade: Grade, book: Gradebook, folder: Path, *, reference: str = "", handed_in: bool = True, hidden: bool = False
) -> Explanation:
    """Explain one grade of the results in `folder`.

    `reference` is the digest of the reference, empty when it is not known. `handed_in` tells whether the entry's path
    is that of the submission; else it is that of its report. `hidden` tells also what students may not see.
    """
    entry, record = grade.entry, grade.report
    score, most = (record.score, record.max_score) if record else (None, book.max_score)
    path = entry.path if handed_in else None
    spec_id = record.spec.id if record else book.spec.id
    tests = record.tests if record else ()
    return Explanation(
        id=show(entry.id),
        students=tuple(_students(entry)),
        headline=f"{one_line(entry.id, NAME_LIMIT)}  {number(score) or '?'} of {number(most)}  {verdict(grade)}",
        words=verdict(grade),
        score=score,
        max_score=most,
        tests=tuple(_test(test, shown=hidden or test.visibility == "visible") for test in tests),
        findings=record.findings if record else (),
        build=record.build if record else None,
        provenance=dict(_provenance(grade, book, folder / grade.folder, path=path, reference=reference)),
        repeat=f"grader run {shell_word(path or f'SUBMISSIONS/{entry.id}')} --spec {spec_id}" if entry.path else "",
        commands=tuple(dict.fromkeys(_commands(record, hidden=hidden))) if record else (),
    )


def shell_word(path: Path | str) -> str:
    r"""Quote a path so that it can be shown, and pasted into bash: what cannot be seen becomes `$'\x1b'`."""
    raw = to_bytes(str(path))
    text = raw.decode("utf-8", "surrogateescape")
    if all(is_visible(character) for character in text) and inert(text, anywhere=True) == text:
        return shlex.quote(text)
    plain = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /,-_.+@()")
    return "$'" + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in raw) + "'"


def _students(entry: Entry) -> Iterator[str]:
    for student in entry.students:
        more = [show(word) for word in (student.email, student.login, student.section) if word]
        name = show(student.name or student.id)
        if more or student.name or len(entry.students) > 1:
            yield f"{name} ({', '.join([show(student.id), *more])})"


# ---------------------------------------------------------------- points


def _test(test: ReportedTest, *, shown: bool) -> TestExplained:
    known = TestExplained(
        name=test.name, points=test.points, score=test.score, bonus=test.bonus, visibility=test.visibility
    )
    if not shown:
        return known
    return replace(
        known,
        verdict=test.verdict,
        arithmetic=arithmetic(test),
        hint=test.hint if test.verdict is not Verdict.PASSED else "",
        cases=tuple(
            CasesExplained(
                ids=tuple(case.id for case in group),
                verdict=group[0].verdict,
                credit=group[0].credit,
                message=group[0].message,
                deviations=group[0].deviations,
            )
            for group in grouped(test.cases, by_credit=True)
        ),
    )


def arithmetic(test: ReportedTest) -> str:
    """Write out how the points of a test came about; empty where the report does not tell."""
    if test.score is None:
        return "unknown, because something is ungraded"
    credits_ = [Fraction(repr(case.credit)) for case in test.cases]
    if not test.points or not credits_:
        return ""
    full = sum(credit == 1 for credit in credits_)
    mean = Fraction(repr(test.points)) * sum(credits_) / len(credits_)
    if abs(mean - Fraction(repr(test.score))) >= _ROUNDING:
        return "" if test.score else f"all or nothing, and {full} of {_cases(credits_)} passed"
    if full == len(credits_):
        return f"{_cases(credits_)} with all the credit"
    counts = sorted(Counter(credits_).items(), reverse=True)
    terms = " + ".join(f"{count} * {points(credit * 100)} %" for credit, count in counts)
    return f"{number(test.points)} points * ({terms}) / {_cases(credits_)} = {points(mean)}"


def _cases(credits_: Sequence[Fraction]) -> str:
    return "1 case" if len(credits_) == 1 else f"{len(credits_)} cases"


# ---------------------------------------------------------------- where it comes from


def _provenance(
    grade: Grade, book: Gradebook, folder: Path, *, path: Path | None, reference: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    entry, record = grade.entry, grade.report
    digest = record.submission.digest if record else ""
    where = one_line(str(path)) if path else "its path is not recorded" if entry.path else "nothing handed in"
    spec = record.spec if record else book.spec
    yield "submission", tuple(filter(None, (where, digest, *map(show, entry.notes))))
    yield "spec", tuple(filter(None, (spec.id, spec.digest)))
    if record is None:
        return
    yield "reference", (reference or "not recorded",)
    yield "tools", tuple(f"{name}: {version}" for name, version in sorted(record.toolchain.items()))
    yield "sandbox", (record.sandbox.level, *record.sandbox.warnings)
    yield "grader", (record.grader,)
    yield "reports", (one_line(str(folder)),)


def _commands(record: Report, *, hidden: bool) -> Iterator[str]:
    """Yield what was run and can be run again by hand: the build, then each case that did not pass."""
    if record.build.command:
        yield one_line(record.build.command)
    for test in record.tests:
        if hidden or test.visibility == "visible":
            yield from (
                one_line(case.command)
                for case in test.cases
                if case.verdict not in (Verdict.PASSED, Verdict.SKIPPED, Verdict.BUILD_FAILED) and case.command
            )
