"""The parts of a report that people read, and their wording: shared by all views of a report and of a class.

All functions here read the written report. The groups of cases with the same sentence, the sentence of a case, the
drawing below it and the evidence for it are computed once, here.

A difference is bounded whatever the size of the outputs, and its blanks can be seen. No more is looked at than a window
of lines behind the first difference, which is found by halving; only that window goes to difflib, which is quadratic.
A line is cut to the part around its first differing column.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest

import msgspec

from grader.core.lazy import lazy_regex
from grader.core.model import (
    FORGED,
    SCREEN,
    STREAMS,
    Finding,
    Report,
    ReportedCase,
    ReportedDeviation,
    ReportedSmallest,
    ReportedTest,
    ReportedTurn,
    Test,
    Verdict,
)
from grader.core.text import (
    align,
    common_length,
    count,
    full_sentence,
    joined,
    listed,
    one_line,
    points,
    sentence,
    show,
)

DRAWING = 40
"""lines of a drawing"""

CASE_NAMES = 3
"""case names that are written out before "and 4 more\""""

NUMBERS_SHOWN = 8
"""numbers that are written out before "and 4 more\""""

SHORT_VALUE = 40
"""bytes of a value that a sentence quotes as a whole"""

COMMAND_LIMIT = 1000
"""bytes of a command"""

SHORT_INPUT = 80
"""characters of an input that only the command shows"""

NAME_LIMIT = 80
"""bytes of a name of the student's"""

TURNS = 16
"""turns of a dialogue that are shown, the last ones: a dialogue that stops, stops at its end"""

TURN_LINES = 6

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

QUOTATION = lazy_regex(r"(`[^`]*`)")
_NUMBER = lazy_regex(r"\d+(?:\.\d+)?")
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
_CALLED = lazy_regex(r"[A-Za-z_]\w*")
_MISSING = lazy_regex(
    r"(?P<asked>There is no [^;]*|[^;]* has no `[^`]*`; the assignment asks for `[^`]*`); there is (?P<found>.*)",
    re.DOTALL,
)
"""of a class or a function that is not there: what is, is the same for all of them"""

_SAME = "The cause is the same as in the test `{}`."
_REFERENCE = lazy_regex(re.escape(_SAME).replace(r"\{\}", "(.*)"))
_REMARK = lazy_regex(r" Your program reads input\b| Its input \(")
"""how a remark about a crash begins that is another for each case with other arguments or input"""

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


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A few lines that show what a sentence says, of a stream that `title` names."""

    title: str
    lines: Sequence[str]
    turns: Sequence[ReportedTurn] = ()
    """of a dialogue, for layouts other than lines"""


def is_shown(test: ReportedTest | Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


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
    return word_for(test.verdict, test.score, test.points)


def word_for_case(case: ReportedCase, test: ReportedTest) -> str:
    """Say for people what came of a case: where a test gives all or nothing, its credit may be worth no points."""
    return word_for(case.verdict, 0 if test.score == 0 else case.credit, 1)


def headline(report: Report) -> str:
    """`alice  87.5 of 100  part of the points`; the name is shown escaped."""
    name = one_line(report.submission.id, NAME_LIMIT)
    score = "" if report.is_excused else f"{out_of(report.counted, report.max_score)}  "
    return f"{name}  {score}{word_for_report(report)}"


def out_of(score: float | None, most: float) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def test_points(test: ReportedTest) -> str:
    """The points of one test as a table shows them."""
    if not test.points:
        return "not scored"
    return out_of(test.score, test.points) + (" (bonus)" if test.bonus else "")


def title_of_problem(verdict: str) -> str:
    """Say in a few words what `build_problem` explains."""
    return "The submission cannot be read" if verdict == Verdict.NOT_READABLE else "The build failed"


def build_problem(report: Report, *, after_due: bool = False) -> str:
    """Why there is nothing to run, in one sentence; empty when there is. What hidden tests ask for is not told."""
    if not report.build.ok:
        return sentence(report.build.message) or "The build failed."
    failed = [(test, case) for test in report.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED]
    shown = (sentence(case.message) for test, case in failed if is_shown(test, after_due=after_due))
    return next(shown, _HIDDEN_BUILD if failed else "")


def findings_for_student(report: Report) -> list[Finding]:
    """Return what was noticed in a submission, without what is for the staff alone."""
    return [finding for finding in report.findings if finding.kind != FORGED]


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


def describe_groups(test: ReportedTest) -> list[tuple[ReportedCase, ...]]:
    """Group the cases with something to report; a failed build is none of them: `build_problem` reports it once."""
    return grouped(case for case in test.cases if case.verdict not in {Verdict.BUILD_FAILED, Verdict.NOT_READABLE})


def grouped(cases: Iterable[ReportedCase], *, by_credit: bool = False) -> list[tuple[ReportedCase, ...]]:
    """Group the cases that are not simply right by their cause, in the order of the first of each.

    With `by_credit`, cases with different credits are separate, for views that show the credit.
    """
    groups: dict[tuple[float | None, CauseKey], list[ReportedCase]] = {}
    for case in cases:
        deviations = case.deviations if by_credit else own_deviations(case)
        if not deviations and (case.verdict is Verdict.PASSED or case.deviations):
            continue
        groups.setdefault((case.credit if by_credit else None, cause_of(case)), []).append(case)
    return [tuple(group) for group in groups.values()]


def own_deviations(case: ReportedCase) -> list[ReportedDeviation]:
    """Return the deviations of the case itself: a repair is one of the whole work, and reported there."""
    return [deviation for deviation in case.deviations if deviation.stream != "build"]


def cause_of(case: ReportedCase) -> CauseKey:
    """Return what is the same for cases with one cause, of which one sentence is enough.

    That is the limit that ended it, or its named deviations, whatever line they quote; or else its sentence without
    numbers and without what it quotes, but for the names of exceptions and, where functions are called, of functions.
    """
    if case.limit:
        return case.verdict, case.limit
    deviations = own_deviations(case)
    kinds = tuple(f"{deviation.kind} {deviation.stream}" for deviation in deviations)
    if kinds and not any(deviation.kind == "wrong" for deviation in deviations):
        return case.verdict, *kinds
    quoted_names = _CALLED if any(deviation.stream == "call" for deviation in deviations) else _THROWN
    text = QUOTATION.sub(lambda quoted: " ".join(quoted_names.findall(quoted[0])), _without_remark(case_summary(case)))
    return case.verdict, _NUMBER.sub("0", text)


def case_summary(case: ReportedCase) -> str:
    """Summarise one case in a sentence; never empty."""
    text = case.message or " ".join(deviation.sentence for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def describe_once(report: Report, *, after_due: bool = False) -> Report:
    """Return the report as people read it: a problem of an earlier test is not described again at full length."""
    known: dict[tuple[str, str], str] = {}
    tests = []
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            causes = {case.id: _cause_anywhere(case) for case in test.cases}
            cases = tuple(_referring(case, known.get(causes[case.id])) for case in test.cases)
            known = {cause: one_line(test.name, NAME_LIMIT) for cause in causes.values() if any(cause)} | known
            shown = msgspec.structs.replace(test, cases=cases)
            # What a hint is about is something else than what went wrong in another test.
            tests.append(msgspec.structs.replace(shown, hint="") if description_in(shown) else shown)
        else:
            tests.append(test)
    return msgspec.structs.replace(report, tests=tuple(tests))


def description_in(test: ReportedTest) -> str:
    """Return the test that describes all there is to say of this one, as `describe_once` left it; empty if none."""
    references = {_REFERENCE.fullmatch(case_summary(case)) for group in describe_groups(test) for case in group}
    found = {match[1] if match else "" for match in references}
    return found.pop() if len(found) == 1 else ""


def _without_remark(summary: str) -> str:
    remark = _REMARK.search(summary)
    return summary[: remark.start()] if remark else summary


def _cause_anywhere(case: ReportedCase) -> tuple[str, str]:
    """Return what is the same for cases of any test with one cause: the line that throws, or what is there instead."""
    summary = _without_remark(case_summary(case))
    missing = _MISSING.fullmatch(summary)
    if missing and any(deviation.stream == "call" for deviation in case.deviations):
        return "missing", missing["found"]
    if case.verdict is Verdict.CRASHED and (" in line " in summary or summary.startswith("There is no ")):
        return "crashed", QUOTATION.sub(lambda quoted: " ".join(_THROWN.findall(quoted[0])), summary)
    return "", ""


def without_listing(summary: str) -> str:
    """Return a sentence about a missing class or function without what is there, which is another in every program."""
    missing = _MISSING.fullmatch(summary)
    return f"{missing['asked']}." if missing else summary


def _referring(case: ReportedCase, test: str | None) -> ReportedCase:
    """Return the case with a reference to the test that shows its cause, if one does."""
    if test is None:
        return case
    missing = _MISSING.fullmatch(case_summary(case))
    message = f"{missing['asked']}; for what there is, see the test `{test}`." if missing else _SAME.format(test)
    return msgspec.structs.replace(case, message=message, exit=None)


def describe_group(group: Sequence[ReportedCase], test: ReportedTest) -> str:
    """Describe the cases of a test with one cause: where it shows, and the summary of the first."""
    first = group[0]
    summary = case_summary(first)
    if any(case_summary(case) != summary for case in group[1:]):
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


def drawings(case: ReportedCase) -> list[str]:
    """Return the lines that go with the sentence, such as a board; bounded, also when a check drew them."""
    drawn = (one.drawing for one in case.deviations if one.drawing)
    return [line for drawing in drawn for line in excerpt(drawing.encode(), most=DRAWING)]


def names(cases: Sequence[ReportedCase]) -> str:
    """`usage[2], usage[3], usage[4] and 3 more`."""
    return listed([one_line(case.id, NAME_LIMIT) for case in cases[:CASE_NAMES]], total=len(cases))


def can_repeat(case: ReportedCase) -> bool:
    """Whether it helps to know the command: something ran, and it was not right."""
    return case.exit is not None and case.verdict is not Verdict.PASSED and bool(case.command)


def evidence(case: ReportedCase) -> list[Evidence]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    if case.exit is None or case.verdict is Verdict.PASSED:
        return []
    turns = case.transcript or ()
    shown = [
        *_describe_input(case),
        Evidence(title="the dialogue", lines=transcript(turns), turns=turns),
    ]
    for one in case.values:
        wanted, got = one.expected.encode(), one.actual.encode()
        # Of two short ones the sentence says it all.
        if max(len(wanted), len(got)) >= SHORT_VALUE or not wanted.count(b"\n") == got.count(b"\n") == 1:
            shown.append(Evidence(title=f"{one.name} (- expected, + yours)", lines=diff_lines(wanted, got)))
    concerned = {deviation.stream for deviation in case.deviations}
    both = any(deviation.kind in {"wrong-stream", "split-streams"} for deviation in case.deviations)
    for stream, title, expected, actual in (
        ("stdout", SCREEN if case.screen is True else STREAMS["stdout"], case.expected_stdout, case.stdout or ""),
        ("stderr", STREAMS["stderr"], case.expected_stderr, case.stderr or ""),
    ):
        if expected is not None:
            if stream in concerned or both or not concerned:
                lines = diff_lines(expected.encode(), actual.encode())
                shown.append(Evidence(title=f"{title} (- expected, + yours)", lines=lines))
        elif stream in concerned or (stream == "stderr" and case.verdict is Verdict.CRASHED):
            shown.append(Evidence(title=title, lines=[f"  {line}" for line in excerpt(actual.encode())]))
    if case.smallest:
        shown.append(Evidence(title="the smallest input that shows it", lines=list(_describe_smallest(case.smallest))))
    return [part for part in shown if part.lines]


def _describe_input(case: ReportedCase) -> Iterator[Evidence]:
    """Show what a program was given, where that is more than a line: the command then has it in one, or not at all."""
    if case.input is msgspec.UNSET:
        return
    is_typed = "< stdin.txt" not in case.command
    given = [("its standard input" if is_typed else "its standard input, here stdin.txt", case.input.stdin)]
    given += [(f"the file {one_line(name, NAME_LIMIT)}", text) for name, text in case.input.files.items()]
    for title, text in given:
        if text.count("\n") > 1 or len(text) > SHORT_INPUT:
            lines = [f"  {line}" for line in excerpt(text.encode())]
            is_whole = "  …" not in lines and len(text) <= SHORT_INPUT * len(lines)
            yield Evidence(title=title if is_whole else f"{title} (all of it is in report.json)", lines=lines)


def _describe_smallest(smallest: ReportedSmallest) -> Iterator[str]:
    yield f"  $ {one_line(smallest.command)}"
    if smallest.stdin:
        yield "  given on standard input:"
        yield from (f"    {line}" for line in excerpt(smallest.stdin.encode()))
    yield f"  {sentence(smallest.message)}"


# ---------------------------------------------------------------- dialogues


def transcript_lines(turns: Sequence[ReportedTurn]) -> list[tuple[str, str, list[str]]]:
    """Show the end of a dialogue: `4.13 s`, `program`, and the lines of the text, `…` for omitted ones."""
    return [
        (f"{turn.time:.2f} s", turn.who, excerpt(turn.text.encode(), most=TURN_LINES, width=60) or [""])
        for turn in turns[-TURNS:]
    ]


def earlier(turns: Sequence[ReportedTurn]) -> str:
    """Say how much of a dialogue is not shown; empty when all of it is."""
    left_out = len(turns) - TURNS
    return f"… {left_out} earlier turns" if left_out > 0 else ""


def transcript(turns: Sequence[ReportedTurn]) -> list[str]:
    """Lay out the end of a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    lines = [f"  {left_out}"] if (left_out := earlier(turns)) else []
    for time, who, texts in transcript_lines(turns):
        head = f"{time:>8}  {who:7}  "
        for line in texts:
            lines.append(head + line)
            head = " " * len(head)
    return lines


# ---------------------------------------------------------------- differences

LINES_COMPARED = 60
"""lines of each side that are compared"""

BLOCK = 4
"""lines of one side that are shown of one change"""

_BLANK_BYTES = b" \t\r\n\v\f"
# Written down, a carriage return or a form feed is an escape; for the judge it was a blank, and so it is here.
_ESCAPED_BLANK = lazy_regex(rb"\\r|\\x0[bc]")


def diff_lines(expected: bytes, actual: bytes, *, context: int = 2, most: int = 16, width: int = 160) -> list[str]:
    """At most `most` lines, each starting with `-` expected, `+` actual, a space, `@@ line 12 @@`, or `…` for "more".

    `·` is a space and `→` a tab where they matter, `⏎` a newline. Empty only when both are the same.
    """
    if expected == actual:
        return []
    start = expected.rfind(b"\n", 0, common_length(expected, actual)) + 1
    for _ in range(context):
        start = expected.rfind(b"\n", 0, max(start - 1, 0)) + 1
    number = expected.count(b"\n", 0, start) + 1
    wanted, got = _window(expected, start), _window(actual, start)
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    matcher = difflib.SequenceMatcher(None, wanted, got, autojunk=False)
    groups = [list(group) for group in matcher.get_grouped_opcodes(context)]
    changes = sum(opcode[0] != "equal" for group in groups for opcode in group)
    if is_cut and changes > 1 and groups[-1][-1][0] != "equal":
        # Where the window ends, lines may look missing that only lie behind it.
        groups[-1].pop()
        if all(opcode[0] == "equal" for opcode in groups[-1]):
            groups.pop()
    # A line that is elsewhere the last one, without its newline, shows that it has one.
    unended = frozenset(text for last in (wanted[-1:], got[-1:]) for text in last if not text.endswith(b"\n"))
    lines: list[str] = []
    for group in groups:
        if number > 1 or len(groups) > 1:
            lines.append(f"@@ line {number + group[0][1]} @@")
        for kind, left, left_end, right, right_end in group:
            removed, added = wanted[left:left_end], got[right:right_end]
            if kind == "equal":
                lines.extend(f"  {_clipped(line, 0, width)}" for line in removed)
            else:
                lines += [*_side("-", removed, added, width, unended), *_side("+", added, removed, width, unended)]
    if is_cut or len(lines) > most:
        lines = [*lines[: most - 1], "…"]
    return lines


def excerpt(data: bytes, *, most: int = 8, width: int = 160) -> list[str]:
    """Take the first and the last lines of an output, where there is nothing to compare it with."""
    body = data.removesuffix(b"\n")
    if body.count(b"\n") < most:
        return [_clipped(line, 0, width) for line in body.split(b"\n") if body]
    half = most // 2
    head, tail = body.split(b"\n", half)[:half], body.rsplit(b"\n", half)[-half:]
    return [*(_clipped(line, 0, width) for line in head), "…", *(_clipped(line, 0, width) for line in tail)]


def _window(text: bytes, start: int) -> list[bytes]:
    """Return the lines from `start` on, as many as are compared."""
    lines: list[bytes] = []
    while start < len(text) and len(lines) < LINES_COMPARED:
        end = text.find(b"\n", start) + 1 or len(text)
        lines.append(text[start:end])
        start = end
    return lines


def _side(
    mark: str, lines: Sequence[bytes], others: Sequence[bytes], width: int, unended: frozenset[bytes]
) -> Iterator[str]:
    """Show the changed lines of one side; one that differs by nothing but blanks has all of them visible."""
    for line, other in islice(zip_longest(lines, others[: len(lines)]), BLOCK):
        same = 0 if other is None else common_length(line, other)
        ink = _without_blanks(line)
        only_blanks = other is not None and ink == _without_blanks(other)
        # The part around the first difference, of a line whose start is long and the same.
        start = align(line, same - width // 2) if same > width * 3 // 4 else 0
        shown = _clipped(line, start, width, every_blank=not ink or only_blanks)
        has_end = not shown.endswith(("⏎", "…")) and line.endswith(b"\n") and line[:-1] in unended
        yield f"{mark} {shown}{'⏎' * has_end}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _without_blanks(line: bytes) -> bytes:
    return _ESCAPED_BLANK.sub(b"", line.translate(None, _BLANK_BYTES))


def _clipped(line: bytes, start: int, width: int, *, every_blank: bool = False) -> str:
    """Cut a line, and show its blanks: all of them, or those at the end."""
    end = align(line, start + width)
    raw = line[start:end]
    body = raw.removesuffix(b"\n")
    text = show(body, len(body)).replace("\t", "→")
    if every_blank:
        text = text.replace(" ", "·") + "⏎" * (len(raw) - len(body))
    else:
        stripped = text.rstrip(" ")
        text = stripped + "·" * (len(text) - len(stripped))
    return ("…" if start else "") + text + ("…" if end < len(line) else "")
