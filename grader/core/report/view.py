"""The parts of a report that people read, and their wording: shared by all views of a report and of a class.

All functions here read the written report. The groups of cases with the same sentence, the sentence of a case, the
drawing below it and the evidence for it are computed once, here.
"""

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CauseKind, Verdict
from grader.core.model.report import (
    Report,
    ReportedCase,
    ReportedDeviation,
    ReportedTest,
)
from grader.core.model.spec import STREAMS, Test
from grader.core.report.differences import plain_excerpt
from grader.core.text import (
    capital,
    count_points,
    full_sentence,
    joined,
    listed,
    one_line,
    points,
    sentence,
)

CASE_NAMES = 3
"""case names that are written out before "and 4 more\""""

NUMBERS_SHOWN = 8
"""numbers that are written out before "and 4 more\""""

COMMAND_LIMIT = 1000
"""bytes of a command"""

NAME_LIMIT = 80
"""bytes of a name of the student's"""

STDERR_LINES = 8
"""lines of standard error that are shown of a crash"""


FULL_MARKS = "full marks"
PART_OF_POINTS = "part of the points"
NO_POINTS = "no points"
"""what there is to say of a score"""

EXCUSED = "excused"
"""what there is to say of a student who has no score, and lacks none"""

# The verdicts that points say better, and what they are without points.
_BY_POINTS: dict[str, str] = {Verdict.PASSED: "right", Verdict.PARTIAL: "partly right", Verdict.FAILED: "wrong"}


CauseKey = tuple[str, ...]
"""what `cause_of` returns: to be compared, not to be shown"""

_NUMBER = lazy_regex(r"\d+(?:\.\d+)?")
_CALLED = lazy_regex(r"[A-Za-z_]\w*")
QUOTATION = lazy_regex(r"(`[^`]*`)")
"""what a sentence quotes"""
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
_END = lazy_regex(r"(?<=[.!?])(?= )")
_BUSY = 0.8
"""the share of its time that a program works if it never waits"""
_PLAIN_WORD = lazy_regex(r"[a-z]+ ")
_NUMBERED = lazy_regex(r"[^\[\]]*\[(?P<variable>[^\[\],=]+)=(?P<number>-?[0-9]{1,9})\]")
"""the name of a case of a test with one variable"""
_HIDDEN_BUILD = "A hidden test cannot be compiled with what was handed in."
_ENDS = {
    Verdict.PARTIAL: "partly right",
    Verdict.FAILED: "wrong",
    Verdict.CRASHED: "crashed",
    Verdict.TIMEOUT: "stopped",
    Verdict.MEMORY: "out of memory",
    Verdict.OUTPUT: "stopped",
}


def is_shown(test: ReportedTest | Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


def with_hidden_tests(report: Report) -> Report:
    """Return the report as somebody reads it who may see all tests."""
    shown = (msgspec.structs.replace(test, visibility="visible") for test in report.tests)
    return msgspec.structs.replace(report, tests=tuple(shown))


def word_for(verdict: str, score: float | None, most: float) -> str:
    """Say for people what a verdict is, of what reached `score` of `most` points.

    A program that checks looks for `passed`; to people `failed` next to 97 of 100 is false. An end that has a name
    of its own, such as `crashed`, keeps it. Without points there is only right and wrong.
    """
    if verdict not in _BY_POINTS:
        return "not built" if verdict == Verdict.BUILD_FAILED else str(verdict)
    if not most:
        return _BY_POINTS[verdict]
    # Bonus points may make up for what was lost elsewhere.
    if verdict == Verdict.PASSED or (score or 0) >= most:
        return FULL_MARKS
    return PART_OF_POINTS if score else NO_POINTS


def word_for_report(report: Report) -> str:
    """Say for people what came of a submission."""
    if report.is_excused:
        return EXCUSED
    is_changed = report.counted not in {None, report.score}
    return word_for(Verdict.PARTIAL if is_changed else report.verdict, report.counted, report.max_score)


def word_for_test(test: ReportedTest) -> str:
    """Say for people what came of a test."""
    if test.verdict is Verdict.CRASHED and (cause := next((case.cause for case in test.cases if case.cause), None)):
        return _WORDS[cause]
    return word_for(test.verdict, test.score, test.points)


def word_for_case(case: ReportedCase, test: ReportedTest) -> str:
    """Say for people what came of a case: where a test gives all or nothing, its credit may be worth no points."""
    return _WORDS[case.cause] if case.cause else word_for(case.verdict, 0 if test.score == 0 else case.credit, 1)


def headline(report: Report) -> str:
    """`alice  87.5 of 100  part of the points`; the name is shown escaped."""
    name = one_line(report.submission.id, NAME_LIMIT)
    score = "" if report.is_excused else f"{out_of(report.counted, report.max_score)}  "
    return f"{name}  {score}{word_for_report(report)}"


def out_of(score: float | None, most: float) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def out_of_points(score: float | None, most: float) -> str:
    """`87.5 of 100 points`, or `0 of 1 point`, for the middle of a sentence."""
    return f"{'?' if score is None else points(score)} of {count_points(most)}"


def test_points(test: ReportedTest) -> str:
    """The points of one test as a table shows them."""
    if not test.points:
        return "not scored"
    return out_of(test.score, test.points) + (" (bonus)" if test.bonus else "")


_TITLES: dict[CauseKind, str] = {
    "unreadable": "Your program cannot be read",
    "not-built": "Your program cannot be built",
    "cannot-start": "Your program cannot be started",
    "crashed": "Your program crashed",
}
_WORDS: dict[CauseKind, str] = {
    "unreadable": "cannot be read",
    "not-built": "not built",
    "cannot-start": "cannot start",
    "crashed": "crashed",
}


_COMPILED = lazy_regex(r"[\w-]\.\w+:\d+")
"""the place in a source of which a compiler complains"""
_NOT_COMPILED = "Your program does not compile"


class ShownCause(msgspec.Struct, frozen=True, kw_only=True):
    """The one cause of a submission as students read it, before all tests."""

    title: str
    """a few words"""
    sentence: str
    tests: str
    """a sentence that names the tests that it decides; empty where nothing was run at all"""
    command: str
    """what repeats it; empty when nothing does"""
    evidence: Sequence[str]
    """lines of the build's log, or of standard error"""


def _title_of_problem(verdict: str, command: str, problem: str) -> str:
    """Say in a few words what `problem`, of `build_problem`, explains, of a build with this command."""
    if verdict == Verdict.NOT_READABLE:
        return "The submission cannot be read"
    if command and _COMPILED.search(problem):
        return _NOT_COMPILED
    return _TITLES["not-built"] if command else "The program cannot be run"


def describe_cause(report: Report, *, after_due: bool = False, most: int = STDERR_LINES) -> ShownCause | None:
    """Return the cause of a submission, with at most so many lines of evidence; None where students see none."""
    if problem := build_problem(report, after_due=after_due):
        return ShownCause(
            title=_title_of_problem(report.verdict, report.build.command, problem),
            sentence=problem,
            tests="",
            command=one_line(report.build.command, COMMAND_LIMIT),
            evidence=plain_excerpt(report.build.log.encode(), most=most),
        )
    shown = [test for test in report.tests if is_shown(test, after_due=after_due)]
    decided = {test.name: [case for case in test.cases if case.cause] for test in shown}
    names = [f"`{one_line(name, NAME_LIMIT)}`" for name, cases in decided.items() if cases]
    first = next((case for cases in decided.values() for case in cases), None)
    if not report.cause or first is None:
        return None
    is_all = len(names) == len(report.tests) > 1
    return ShownCause(
        title=_TITLES[report.cause.kind],
        sentence=below_title(_TITLES[report.cause.kind], sentence(first.message)),
        tests="No test can pass because of it." if is_all else f"Because of it, points are lost in {joined(names)}.",
        command=one_line(first.command, COMMAND_LIMIT),
        evidence=plain_excerpt((first.stderr or "").encode(), most=min(most, STDERR_LINES)),
    )


def below_title(title: str, text: str) -> str:
    """Return a sentence without the title that it begins with: `It frees memory …` below `Your program crashed`."""
    rest = text.removeprefix(f"{title}: ")
    return capital(rest) if rest != text and _PLAIN_WORD.match(rest) else rest


def build_problem(report: Report, *, after_due: bool = False) -> str:
    """Why there is nothing to run, in one sentence; empty when there is. What hidden tests ask for is not told."""
    if not report.build.ok:
        return sentence(report.build.message) or f"{_TITLES['not-built']}."
    failed = [(test, case) for test in report.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED]
    shown = (sentence(case.message) for test, case in failed if is_shown(test, after_due=after_due))
    return next(shown, _HIDDEN_BUILD if failed else "")


def describe_work(report: Report) -> list[str]:
    """Return the sentences about the work as a whole: how it was repaired, and the points that are in no test."""
    lines = []
    told: set[str] = set()
    if repair := report.build.repair:
        told = set(repair.names or (repair.name,))
        why = full_sentence(report.build.message)
        lines.append(f"{sentence(repair.message)} As it was handed in: {why}")
    elif report.build.tried:
        names = dict.fromkeys(name for one in report.build.tried for name in one.names)
        tried = f"Repairs that were tried and did not help: {joined([one_line(name) for name in names])}."
        last = report.build.tried[-1].message
        lines.append(tried if last == report.build.message else f"{tried} The last attempt: {full_sentence(last)}")
    return [*lines, *(sentence(one.message) for one in report.on_top or () if one.kind not in told)]


def describe_groups(
    test: ReportedTest, key: Callable[[ReportedCase], object] | None = None
) -> list[tuple[ReportedCase, ...]]:
    """Group the cases with something to report; what the submission's cause decides is told once, above all tests."""
    not_built = {Verdict.BUILD_FAILED, Verdict.NOT_READABLE}
    own = (case for case in test.cases if not case.cause)
    return grouped((case for case in own if case.verdict not in not_built), key)


def grouped(
    cases: Iterable[ReportedCase], key: Callable[[ReportedCase], object] | None = None, *, by_credit: bool = False
) -> list[tuple[ReportedCase, ...]]:
    """Group the cases that are not simply right by a key or else by their cause, in the order of the first of each.

    With `by_credit`, cases with different credits are separate, for views that show the credit.
    """
    groups: dict[object, list[ReportedCase]] = {}
    for case in cases:
        deviations = case.deviations if by_credit else own_deviations(case)
        if not deviations and (case.verdict is Verdict.PASSED or case.deviations):
            continue
        groups.setdefault((case.credit if by_credit else None, (key or cause_of)(case)), []).append(case)
    return [tuple(group) for group in groups.values()]


def own_deviations(case: ReportedCase) -> list[ReportedDeviation]:
    """Return the deviations of the case itself: a repair is one of the whole work, and reported there."""
    return [deviation for deviation in case.deviations if deviation.stream != "build"]


def cause_of(case: ReportedCase) -> CauseKey:
    """Return what is the same for cases with one cause, of which one sentence is enough.

    That is the limit that ended it, or its named deviations, whatever line they quote; or else what is the same in its
    sentences whatever they quote and count.
    """
    if case.limit:
        return case.verdict, case.limit
    deviations = own_deviations(case)
    kinds = tuple(f"{deviation.kind} {deviation.stream}" for deviation in deviations)
    if kinds and not any(deviation.kind == "wrong" for deviation in deviations):
        return case.verdict, *kinds
    names = _CALLED if any(deviation.stream == "call" for deviation in deviations) else _THROWN
    sentences = [deviation.sentence for deviation in deviations] or [_own_sentence(case)]
    return case.verdict, *kinds, *(_NUMBER.sub("0", _unquoted(sentence, names)) for sentence in sentences)


def _unquoted(sentence: str, names: re.Pattern[str]) -> str:
    """Return a sentence with nothing of what it quotes but such names."""
    return QUOTATION.sub(lambda quoted: " ".join(names.findall(quoted[0])), sentence)


def _own_sentence(case: ReportedCase) -> str:
    """Return the first sentence of a case without deviations; what stands behind it are remarks."""
    places = [found.start() for found in _END.finditer(case.message)]
    ends = (case.message[:place] for place in places)
    return next((text for text in ends if text.count("`") % 2 == 0), case.message)


def case_summary(case: ReportedCase) -> str:
    """Summarise one case in a sentence; never empty."""
    text = case.message or " ".join(deviation.sentence for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def cause_anywhere(case: ReportedCase) -> CauseKey:
    """Return what is the same for cases of any test with one cause; empty where that is not known.

    That is what stands in front of its sentence, such as what the source shows; a crash, how a program used the time
    that it had, or the named deviations of its output.
    """
    if case.runs or (case.verdict is Verdict.PASSED and not case.deviations):
        return ()
    own = own_deviations(case)
    start = min((place for one in own if (place := case.message.find(one.sentence)) >= 0), default=0)
    if start:
        return "before", case.verdict, case.message[:start]
    sentence = _own_sentence(case)
    if case.verdict is Verdict.CRASHED and not own:
        return ("crashed", _unquoted(sentence, _THROWN)) if "`" in sentence else ()
    if case.verdict is Verdict.TIMEOUT and case.limit:
        is_busy = (case.cpu or 0) >= _BUSY * (case.time or 0)
        return "limit", case.limit, _NUMBER.sub("0", sentence), "busy" if is_busy else "idle"
    return _named_deviations(case)


def _named_deviations(case: ReportedCase) -> CauseKey:
    """Return the deviations of a case and what they cost, if they are named ones of its output; else nothing."""
    named = [
        f"{one.kind} {one.stream} {one.keeps} {one.counted_in or ''}"
        for one in own_deviations(case)
        if one.kind != "wrong" and one.stream in STREAMS and "\n" not in one.message
    ]
    return ("deviations", case.verdict, *named) if named and len(named) == len(own_deviations(case)) else ()


def describe_group(group: Sequence[ReportedCase], test: ReportedTest, referral: str = "") -> str:
    """Describe the cases of a test with one cause: where it shows, and the summary of the first, or who has it."""
    first = group[0]
    summary = referral or case_summary(first)
    if not referral and any(case_summary(case) != summary for case in group[1:]):
        summary = f"In {one_line(first.id, NAME_LIMIT)}: {summary}"
    return f"{extent(group, test)} {summary}".strip()


def extent(group: Sequence[ReportedCase], test: ReportedTest) -> str:
    """`Right for n = 1, 4, 5; wrong from 6 on.`, where all cases of the test differ in one number; else empty."""
    how = _ENDS.get(group[0].verdict)
    found = {case.id: _NUMBERED.fullmatch(case.id) for case in test.cases}
    numbers = {name: int(match["number"]) for name, match in found.items() if match}
    variables = {match["variable"] for match in found.values() if match}
    right = sorted(numbers.get(case.id, 0) for case in test.cases if case.verdict is Verdict.PASSED)
    if len(group) == 1 or how is None or len(numbers) < len(test.cases) or len(variables) > 1 or not right:
        return ""
    own = sorted(numbers[case.id] for case in group)
    is_rest = own == sorted(number for number in numbers.values() if number >= own[0])
    where = f"from {own[0]} on" if is_rest else f"for {_in_short(own)}"
    return f"Right for {one_line(variables.pop(), NAME_LIMIT)} = {_in_short(right)}; {how} {where}."


def _in_short(numbers: Sequence[int]) -> str:
    return listed([str(number) for number in numbers], most=NUMBERS_SHOWN)


def names(cases: Sequence[ReportedCase]) -> str:
    """`usage[2], usage[3], usage[4] and 3 more`."""
    return listed([one_line(case.id, NAME_LIMIT) for case in cases[:CASE_NAMES]], total=len(cases))
