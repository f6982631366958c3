"""Classes for the tests of what comes out of a class: any size, the same for the same seed, hostile students included.

Every record is what the real reporters wrote and read back; the files of a report are rendered when they are asked for.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.model.report import (
    CaseResult,
    Deviation,
    Judgement,
    ReportedSpec,
    TestResult,
    Verdict,
    without_outputs,
)
from grader.core.report.document import Rendering
from grader.core.report.formats import FORMATS
from grader.core.report.json import from_json, safe_name, to_json, to_report
from grader.core.text import show
from tests.support.report_samples import (
    HOSTILE,
    TRACE,
    USAGE,
    broken_report,
    case_result,
    deviation,
    report_of,
    scored_test,
)

SIZES = (4, 5, 6, 7, 8)
COUNTS = {4: 2, 5: 10, 6: 4, 7: 40, 8: 92}
STDOUT_SENTENCE = "The usage message is right, but it is on standard output; standard error is asked for."
SECRET = b"2680 secret boards\n"
NOTHING = 0.03
NAMES = ("Ada", "Ben", "Chloé", "Dario", "Elif", "Femi", "Greta", "Hana", "Ivo", "Jun", "Kofi", "Lea", "Mei", "Noor")

Mistake = Callable[[random.Random], "tuple[TestResult, ...] | Judgement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSample:
    """A gradebook, with the files behind it."""

    book: Gradebook
    reports: dict[str, Judgement]

    def file(self, grade: Grade, name: str) -> bytes | None:
        report = self.reports.get(grade.entry.id)
        return None if report is None else FORMATS[name](Rendering(to_report(report)))


def sample_class(size: int, seed: int = 1, hostile: Sequence[bytes] = HOSTILE) -> ClassSample:
    """Make a class of `size` students; each of the `hostile` texts is one student's name and output."""
    dice = random.Random(seed)  # noqa: S311 - the same class each time
    ids = [f"s{number:04}" for number in range(size - len(hostile))]
    reports = {name: _report(dice, name) for name in ids}
    for data in hostile:
        name = data.decode("utf-8", "surrogateescape").replace("\0", "").replace("/", "")
        reports[name] = _hostile(name, data)
    return class_of(reports, nothing=[name for name in ids if dice.random() < NOTHING])


def class_of(reports: dict[str, Judgement], nothing: Sequence[str] = (), waiting: Sequence[str] = ()) -> ClassSample:
    """Make a class of these reports, by the students' ids; of some there is nothing, or no grade yet."""
    kept = {name: report for name, report in reports.items() if name not in nothing and name not in waiting}
    grades = [_grade(name, kept.get(name), name in nothing) for name in sorted({*reports, *nothing, *waiting})]
    records = [grade.report for grade in grades if grade.report]
    spec = records[0].spec if records else ReportedSpec(id="queens", title="Queens", digest="5bec" * 16)
    book = Gradebook(spec=spec, max_score=max((r.max_score for r in records), default=100), grades=tuple(grades))
    return ClassSample(book=book, reports=kept)


def _grade(name: str, report: Judgement | None, is_nothing: bool) -> Grade:  # noqa: FBT001 - private
    number = sum(name.encode("utf-8", "surrogatepass"))
    person = Student(
        id=name,
        name=f"{NAMES[number % len(NAMES)]} {name.upper()}",
        email=f"{name}@example.org",
        section="ABC"[number % 3],
    )
    entry = Entry(id=name, path=None if is_nothing else Path("class") / (name or "x"), students=(person,))
    if report is None:
        return Grade(entry=entry, report=None)
    return Grade(entry=entry, report=without_outputs(from_json(to_json(to_report(report)))), folder=safe_name(name))


# ---------------------------------------------------------------- a student


def _report(dice: random.Random, name: str) -> Judgement:
    kind = dice.choices(("built", "unbuilt", "ungraded"), (94, 5, 1))[0]
    if kind == "unbuilt":
        return _whole(name, _all(Verdict.BUILD_FAILED, "There is no `Makefile`."), broken_report().build.message)
    if kind == "ungraded":
        return _whole(name, _all(Verdict.UNGRADED, "The reference did not end within 10 s."), "")
    skill = dice.random()
    tests = (_usage(dice, skill), _count(dice, skill), _listing(dice, skill), _secret(dice, skill), _style(dice))
    return _whole(name, tests, "")


def _whole(name: str, tests: tuple[TestResult, ...], problem: str) -> Judgement:
    known = [test.score for test in tests if test.score is not None]
    score = sum(known, Fraction(0)) if len(known) == len(tests) else None
    most = sum((test.test.points for test in tests if not test.test.bonus), Fraction(0))
    verdict = Verdict.UNGRADED if score is None else Verdict.PASSED if score >= most else Verdict.FAILED
    report = replace(report_of(*tests, student=name, verdict=verdict, score=score), max_score=most)
    return replace(report, build=broken_report().build) if problem else report


def _all(verdict: Verdict, message: str) -> tuple[TestResult, ...]:
    ids = {"usage": ("usage[1]", "usage[2]"), "count": ("count[n=4]",), "listing": ("listing[n=4]",)}
    return tuple(
        scored_test(
            name,
            tuple(replace(case_result(case, verdict, message), run=None) for case in cases),
            verdict,
            None if verdict is Verdict.UNGRADED else 0,
            30,
        )
        for name, cases in ids.items()
    )


def _tested(name: str, points: int, cases: tuple[CaseResult, ...]) -> TestResult:
    share = sum((case.credit for case in cases), Fraction(0)) / len(cases)
    verdict = Verdict.PASSED if share == 1 else Verdict.PARTIAL if share else Verdict.FAILED
    return scored_test(name, cases, verdict, share * points, points)


def _usage(dice: random.Random, skill: float) -> TestResult:
    mistake = dice.choices(("none", "stdout", "wording", "crash"), (0.3 + skill, 0.25, 0.15, 0.2 - skill / 10))[0]
    return _tested("usage", 20, tuple(_usage_case(number, mistake) for number in (1, 2, 3, 4)))


def _usage_case(number: int, mistake: str) -> CaseResult:
    name, command = f"usage[{number}]", "java -jar Queens" + " blah" * (number - 1)
    if mistake == "stdout":
        wrong = Deviation(kind="wrong-stream", stream="stderr", message=STDOUT_SENTENCE, keeps=Fraction(1, 2))
        case = case_result(name, Verdict.PARTIAL, STDOUT_SENTENCE, stdout=USAGE, expected=b"", deviations=(wrong,))
        return replace(case, command=command, credit=Fraction(1, 2), expected_stderr=show(USAGE))
    if mistake == "wording":
        said = "Line 1 of standard error is `usage: queens [-v] number`; `Usage: Queens [-v] number` is expected."
        wrong = Deviation(kind="wording", stream="stderr", message=said)
        case = case_result(name, Verdict.FAILED, said, stderr=USAGE.lower(), deviations=(wrong,), command=command)
        return replace(case, expected_stderr=show(USAGE))
    if mistake == "crash" and number > 1:
        said = "NumberFormatException at Queens.java:12, not caught."
        return case_result(name, Verdict.CRASHED, said, stderr=TRACE, command=command)
    return case_result(name, Verdict.PASSED, "", stderr=USAGE, command=command)


def _count(dice: random.Random, skill: float) -> TestResult:
    mistake = dice.choices(("none", "one less", "own", "slow"), (0.2 + 2 * skill, 0.2, 0.2, 0.3 * (1 - skill)))[0]
    return _tested("count", 40, tuple(_count_case(n, mistake, dice) for n in SIZES))


def _count_case(n: int, mistake: str, dice: random.Random) -> CaseResult:
    right = f"{n}-Queens has {COUNTS[n]} solutions\n".encode()
    name, command = f"count[n={n}]", f"java -jar Queens {n}"
    if mistake == "slow" and n > SIZES[2]:
        said = f"It did not end within 10 s ({dice.uniform(9, 10):.2f} s of processor time)."
        return case_result(name, Verdict.TIMEOUT, said, expected=right, command=command)
    if mistake in {"one less", "own"}:
        found = COUNTS[n] - 1 if mistake == "one less" else dice.randrange(10**6)
        said = f"The count is {found}; {COUNTS[n]} is expected."
        output = f"{n}-Queens has {found} solutions\n".encode()
        wrong = deviation("wrong-count", said)
        return case_result(
            name, Verdict.FAILED, said, stdout=output, expected=right, deviations=(wrong,), command=command
        )
    return case_result(name, Verdict.PASSED, "", stdout=right, expected=right, command=command)


def _listing(dice: random.Random, skill: float) -> TestResult:
    mistake = dice.choices(("none", "blanks", "reversed"), (0.3 + skill, 0.4, 0.2))[0]
    return _tested("listing", 30, tuple(_listing_case(n, mistake, dice) for n in SIZES[:3]))


def _listing_case(n: int, mistake: str, dice: random.Random) -> CaseResult:
    lines = [f"({', '.join(str((row * step) % n + 1) for row in range(n))})\n" for step in range(1, n)]
    right = "".join(lines).encode()
    name, command = f"listing[n={n}]", f"java -jar Queens -v {n}"
    if mistake == "blanks":
        said = f"Spaces within lines differ: line 1 of standard output is `{lines[0].replace(', ', ',').strip()}`."
        output = right.replace(b", ", dice.choice((b",", b",  ")))
        wrong = deviation("inner-space", said, Fraction(9, 10))
        case = case_result(name, Verdict.PARTIAL, said, stdout=output, expected=right, deviations=(wrong,))
        return replace(case, command=command, credit=Fraction(9, 10))
    if mistake == "reversed":
        said = "The lines are right, but in the reverse order."
        output, wrong = "".join(reversed(lines)).encode(), deviation("reversed", said)
        return case_result(
            name, Verdict.FAILED, said, stdout=output, expected=right, deviations=(wrong,), command=command
        )
    return case_result(name, Verdict.PASSED, "", stdout=right, expected=right, command=command)


def _secret(dice: random.Random, skill: float) -> TestResult:
    is_right = dice.random() < skill
    said = "2679 secret boards are not 2680."
    case = case_result(
        "secret[n=11]",
        Verdict.PASSED if is_right else Verdict.FAILED,
        "" if is_right else said,
        stdout=SECRET if is_right else b"2679 secret boards\n",
        expected=SECRET,
        deviations=() if is_right else (deviation("wrong", said),),
        command="java -jar Queens 11",
    )
    result = _tested("boards", 10, (case,))
    return replace(result, test=replace(result.test, visibility="hidden"))


def _style(dice: random.Random) -> TestResult:
    is_right = dice.random() < 0.4
    said = "" if is_right else "`make clean` leaves `Queens.class` behind."
    case = case_result("clean", Verdict.PASSED if is_right else Verdict.FAILED, said, command="make clean")
    result = _tested("clean", 5, (case,))
    return replace(result, test=replace(result.test, bonus=True))


def _hostile(name: str, data: bytes) -> Judgement:
    text = data.decode("utf-8", "surrogateescape")
    case = case_result(
        "count[n=4]",
        message=text,
        stdout=data,
        stderr=data,
        expected=b"4-Queens has 2 solutions\n",
        deviations=(deviation(message=text),),
        command=f"java -jar {text}",
    )
    usage = _tested("usage", 20, tuple(_usage_case(number, "none") for number in (1, 2, 3, 4)))
    return _whole(name, (usage, _tested("count", 40, (case,))), "")
