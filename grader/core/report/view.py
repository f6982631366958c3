"""Words, names, causes and sentences that all views of a report and of a class share, from the written report."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CauseKind, Verdict
from grader.core.model.report import Report, ReportedCase, ReportedDeviation, ReportedTest
from grader.core.model.spec import STREAMS, Test
from grader.core.report.differences import excerpt
from grader.core.text import capital, count_points, full_sentence, joined, listed, one_line, points, sentence

CASE_NAMES, NUMBERS_SHOWN = 3, 8  # names of cases, and numbers, that are written out before "and 4 more"
COMMAND_LIMIT, NAME_LIMIT = 1000, 80  # bytes of a command, and of a name of the student's
LOG_LINES = 20  # lines of the build's log
FULL_MARKS, PART_OF_POINTS, NO_POINTS = "full marks", "part of the points", "no points"
EXCUSED = "excused"  # of a student who has no score, and lacks none

# The verdicts that points say better, and what they are without points.
_BY_POINTS: dict[str, str] = {Verdict.PASSED: "right", Verdict.PARTIAL: "partly right", Verdict.FAILED: "wrong"}
_ENDS = _BY_POINTS | {"crashed": "crashed", "timeout": "stopped", "memory": "stopped", "output": "stopped"}
_PREDICATES: dict[CauseKind, str] = {
    "unreadable": "cannot be read",
    "not-built": "cannot be built",
    "cannot-start": "cannot be started",
    "crashed": "crashed",
}

CauseKey = tuple[str, ...]  # what `cause_of` returns: to be compared, not to be shown
QUOTATION = lazy_regex(r"(`[^`]*`)")  # what a sentence quotes
_FIRST_SENTENCE = lazy_regex(r"(?:[^`.!?]|`[^`]*`|[.!?](?! ))*[.!?]?")
_NUMBER = lazy_regex(r"\d+(?:\.\d+)?")
_CALLED = lazy_regex(r"[A-Za-z_]\w*")
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
_PLAIN_WORD = lazy_regex(r"[a-z]+ ")
_COMPILED = lazy_regex(r"[\w-]\.\w+:\d+")  # the place in a source of which a compiler complains
_NUMBERED = lazy_regex(r"[^\[\]]*\[([^\[\],=]+)=(-?[0-9]{1,9})\]")  # a case of a test with one variable


def is_shown(test: ReportedTest | Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


def word_for(verdict: str, score: float | None, most: float) -> str:
    """Say for people what a verdict is, of `score` of `most` points; without points, only right and wrong."""
    if verdict not in _BY_POINTS:
        return "not built" if verdict == Verdict.BUILD_FAILED else str(verdict)
    if not most:
        return _BY_POINTS[verdict]
    if verdict == Verdict.PASSED or (score or 0) >= most:  # a bonus may make up for what was lost elsewhere
        return FULL_MARKS
    return PART_OF_POINTS if score else NO_POINTS


def word_for_report(report: Report) -> str:
    """Say for people what came of a submission."""
    verdict = report.verdict if report.counted in {None, report.score} else Verdict.PARTIAL
    return EXCUSED if report.is_excused else word_for(verdict, report.counted, report.max_score)


def word_for_test(test: ReportedTest) -> str:
    """Say for people what came of a test."""
    cause = next((case.cause for case in test.cases if case.cause and test.verdict is Verdict.CRASHED), None)
    return _PREDICATES[cause] if cause else word_for(test.verdict, test.score, test.points)


def word_for_case(case: ReportedCase, test: ReportedTest) -> str:
    """Say for people what came of a case: where a test gives all or nothing, its credit may be worth no points."""
    return _PREDICATES[case.cause] if case.cause else word_for(case.verdict, 0 if test.score == 0 else case.credit, 1)


def headline(report: Report) -> str:
    """`alice  87.5 of 100  part of the points`; the name is shown escaped."""
    score = "" if report.is_excused else out_of(report.counted, report.max_score)
    return "  ".join(filter(None, (one_line(report.submission.id, NAME_LIMIT), score, word_for_report(report))))


def out_of(score: float | None, most: float) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def out_of_points(score: float | None, most: float) -> str:
    """`87.5 of 100 points`, or `0 of 1 point`, for the middle of a sentence."""
    return f"{'?' if score is None else points(score)} of {count_points(most)}"


def test_points(test: ReportedTest) -> str:
    """The points of one test as a table shows them."""
    return out_of(test.score, test.points) + " (bonus)" * test.bonus if test.points else "not scored"


class ShownCause(Struct, frozen=True):
    """The one cause of a submission as students read it, before all tests."""

    title: str
    sentence: str
    tests: str  # a sentence that names the tests that it decides; empty where nothing was run at all
    command: str
    evidence: Sequence[str]  # lines of the build's log, or of standard error


def describe_cause(report: Report, *, after_due: bool = False, hidden: bool = False) -> ShownCause | None:
    """Return the cause of a submission, with `hidden` also of hidden tests; None where students see none."""
    shown = [test for test in report.tests if hidden or is_shown(test, after_due=after_due)]
    build = report.build
    if problem := build_problem(report, shown):
        is_compiled = build.command and _COMPILED.search(problem)
        title = "Your program does not compile" if is_compiled else "Your program cannot be built or run"
        title = "The submission cannot be read" if report.verdict is Verdict.NOT_READABLE else title
        log = excerpt(build.log, most=LOG_LINES, plain=True)
        return ShownCause(title, problem, "", one_line(build.command, COMMAND_LIMIT), log)
    decided = [(test.name, case) for test in shown for case in test.cases if case.cause]
    if not report.cause or not decided:
        return None
    names = [f"`{one_line(name, NAME_LIMIT)}`" for name in dict(decided)]
    is_all = len(names) == len(report.tests) > 1
    tests = "No test can pass because of it." if is_all else f"Because of it, points are lost in {joined(names)}."
    title, first = f"Your program {_PREDICATES[report.cause.kind]}", decided[0][1]
    told, trace = below_title(title, sentence(first.message)), excerpt(first.stderr or "", plain=True)
    return ShownCause(title, told, tests, one_line(first.command, COMMAND_LIMIT), trace)


def below_title(title: str, text: str) -> str:
    """Return a sentence without the title that it begins with: `It frees memory …` below `Your program crashed`."""
    rest = text.removeprefix(f"{title}: ")
    return capital(rest) if rest != text and _PLAIN_WORD.match(rest) else rest


def build_problem(report: Report, shown: Iterable[ReportedTest] = ()) -> str:
    """Why there is nothing to run, in one sentence; empty when there is. Only what `shown` tests ask for is told."""
    if not report.build.ok:
        return sentence(report.build.message) or "Your program cannot be built."
    failed = {
        case.id: case.message for test in report.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED
    }
    told = [case.message for test in shown for case in test.cases if case.id in failed]
    return sentence((told or ["A hidden test cannot be compiled with what was handed in."])[0]) if failed else ""


def describe_work(report: Report) -> list[str]:
    """Return the sentences about the work as a whole: how it was repaired, and the points that are in no test."""
    lines, told = list[str](), tuple[str, ...]()
    if repair := report.build.repair:
        told = repair.names or (repair.name,)
        lines.append(f"{sentence(repair.message)} As it was handed in: {full_sentence(report.build.message)}")
    return [*lines, *(sentence(one.message) for one in report.on_top or () if one.kind not in told)]


def describe_groups(test: ReportedTest, *, by_credit: bool = False) -> list[tuple[ReportedCase, ...]]:
    """Group the cases with something to report by their cause; what the submission's cause decides is told once, above.

    With `by_credit` these are there too, and cases with different credits are separate: for views that show the credit.
    """
    groups: dict[object, list[ReportedCase]] = {}
    for case in test.cases:
        deviations = case.deviations if by_credit else own_deviations(case)
        is_told = not by_credit and (case.cause or case.verdict in {Verdict.BUILD_FAILED, Verdict.NOT_READABLE})
        if not is_told and (deviations or not (case.verdict is Verdict.PASSED or case.deviations)):
            groups.setdefault((case.credit if by_credit else None, cause_of(case)), []).append(case)
    return [tuple(group) for group in groups.values()]


def own_deviations(case: ReportedCase) -> list[ReportedDeviation]:
    """Return the deviations of the case itself: a repair is one of the whole work, and reported there."""
    return [deviation for deviation in case.deviations if deviation.stream != "build"]


def cause_of(case: ReportedCase) -> CauseKey:
    """Return what is the same for cases of a test with one cause, of which one sentence is enough.

    Where its first text is not empty, it is the same in any test: a crash, a limit, named deviations of its output, or
    what stands before its sentence. Else it is what is the same in its sentences whatever they quote and count.
    """
    own = own_deviations(case)
    text = next(_FIRST_SENTENCE.finditer(case.message))[0]  # what stands behind it are remarks
    if case.verdict is Verdict.CRASHED and not own and "`" in text:
        return "crash", _unquoted(text, _THROWN)
    if case.limit:
        return "limit", case.limit, case.verdict, _NUMBER.sub("0", text)
    kinds = [f"{one.kind} {one.stream} {one.keeps} {one.counted_in or ''}" for one in own]
    if own and all(one.kind != "wrong" for one in own):
        is_output = all(one.stream in STREAMS and "\n" not in one.message for one in own)
        return "named" if is_output else "", case.verdict, *kinds
    if start := min((place for one in own if (place := case.message.find(one.sentence)) >= 0), default=0):
        return "before", case.verdict, case.message[:start]
    names = _CALLED if any(one.stream == "call" for one in own) else _THROWN
    told = (_unquoted(text, names) for text in [one.sentence for one in own] or [text])
    return "", case.verdict, *kinds, *(_NUMBER.sub("0", text) for text in told)


def _unquoted(sentence: str, names: re.Pattern[str]) -> str:
    """Return a sentence with nothing of what it quotes but such names."""
    return QUOTATION.sub(lambda quoted: " ".join(names.findall(quoted[0])), sentence)


def case_summary(case: ReportedCase) -> str:
    """Summarise one case in a sentence; never empty."""
    text = case.message or " ".join(deviation.sentence for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def describe_group(group: Sequence[ReportedCase], test: ReportedTest, referral: str = "") -> str:
    """Describe the cases of a test with one cause: where it shows, and the summary of the first, or who has it."""
    summary = referral or case_summary(group[0])
    if not referral and any(case_summary(case) != summary for case in group[1:]):
        summary = f"In {one_line(group[0].id, NAME_LIMIT)}: {summary}"
    return f"{extent(group, test)} {summary}".strip()


def extent(group: Sequence[ReportedCase], test: ReportedTest) -> str:
    """`Right for n = 1, 4, 5; wrong from 6 on.`, where all cases of the test differ in one number; else empty."""
    found = {case.id: match.groups() for case in test.cases if (match := _NUMBERED.fullmatch(case.id))}
    numbers = {name: int(number) for name, (_, number) in found.items()}
    variables = {variable for variable, _ in found.values()}
    right = sorted(numbers.get(case.id, 0) for case in test.cases if case.verdict is Verdict.PASSED)
    how = _ENDS.get(group[0].verdict)
    if len(group) == 1 or not how or not right or len(found) < len(test.cases) or len(variables) > 1:
        return ""
    own = sorted(numbers[case.id] for case in group)
    is_rest = own == sorted(number for number in numbers.values() if number >= own[0])
    ours, others = (listed([*map(str, some)], most=NUMBERS_SHOWN) for some in (own, right))
    where = f"from {own[0]} on" if is_rest else f"for {ours}"
    return f"Right for {one_line(variables.pop(), NAME_LIMIT)} = {others}; {how} {where}."


def names(cases: Sequence[ReportedCase]) -> str:
    """`usage[2], usage[3], usage[4] and 3 more`."""
    return listed([one_line(case.id, NAME_LIMIT) for case in cases[:CASE_NAMES]], total=len(cases))
