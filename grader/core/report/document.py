"""A report is laid out once, as a document; what is in it and in which words is the same in every format.

Of a test that students may not see there is its name and its score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import UNSET

from grader.core.deviations.table import STREAM_KINDS
from grader.core.model.judgement import Verdict
from grader.core.model.limits import Limits
from grader.core.model.report import Report, ReportedCase, ReportedTest, ReportedTurn
from grader.core.model.spec import SCREEN, STREAMS
from grader.core.model.submission import FORGED
from grader.core.report import view
from grader.core.report.blocks import Block, Conversation, Document, Heading, Lines, Share, TableCell, Text, TextTable
from grader.core.report.differences import diff_lines, excerpt, plain_excerpt
from grader.core.report.final_score import describe_with_code
from grader.core.report.prose import hint_blocks
from grader.core.report.view import COMMAND_LIMIT, NAME_LIMIT, CauseKey, case_summary, cause_of, is_shown, names
from grader.core.text import joined, one_line, point_word, points, sentence, size

FAULT_OF_OURS = "The grader failed on this submission, so there is no score yet; nothing is lost."
"""what a student reads of an ungraded submission"""

DIGITS = 12
"""digits of a digest: enough to identify a submission"""

GROUPS, REMARKS, SCREEN_LINES = 3, 5, 24
"""sentences of a test, remarks that cost nothing, and lines of what programs wrote that a screen shows"""

_DRAWING_LINES, _TURN_LINES, _TURN_WIDTH = 40, 6, 60
_TURNS = 16
"""turns of a dialogue that are shown, the last ones: a dialogue that stops, stops at its end"""

_SHORT_VALUE, _SHORT_INPUT = 40, 80
"""bytes of a value that a sentence quotes as a whole, and of an input that only the command shows"""

_MAX_COSTS = 200
"""cases whose costs are shown"""

_SIGNS = {"·": "a space", "→": "a tab", "⏎": "the end of a line"}
"""the signs of `differences.py`, and what they stand for"""

Known = dict[CauseKey, tuple[str, ReportedCase]]
"""a cause -> the first test that describes it, and the case of that test"""


def to_document(report: Report, *, course: str = "", after_due: bool = False, brief: bool = False) -> Document:
    """Lay a report out; `after_due` shows also the tests that are hidden until then.

    For a screen it is `brief`: a problem of an earlier test is only named, and of many the first are shown.
    """
    shown = {number: test for number, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    known: Known = {}
    tests: list[list[Block]] = []
    for number, test in shown.items():
        found = [*blocks_of_test(test, f"test-{number}", known, brief=brief)]
        is_cut = brief and len(_lines_in(tests)) >= SCREEN_LINES
        tests += [[block for block in found if not (is_cut and isinstance(block, Lines) and block.title)]]
    tests = [test for test in tests if test]
    return Document(
        course=sentence(course),
        title=sentence(report.spec.title),
        student=one_line(report.submission.id, NAME_LIMIT),
        score="" if report.is_excused else view.out_of(report.counted, report.max_score),
        unit=point_word(report.max_score),
        word=view.word_for_report(report),
        share=_share(report.counted, report.max_score),
        tests=tests,
        parts={
            "ours": [Text(FAULT_OF_OURS, "ours")] if report.lacks_score else [],
            "cause": cause_blocks(view.describe_cause(report, after_due=after_due)),
            "warnings": [*_warnings(report)],
            "after": [*_after(report)],
            "work": _list("work", "The work as a whole", view.describe_work(report)),
            "build": [*_build(report)],
            "findings": _findings(report, [case for test in shown.values() for case in test.cases], brief=brief),
            "table": [*_table_of_tests(report, shown, tests)],
            "signs": [*_signs(tests, brief=brief)],
            "costs": _costs(report, after_due=after_due),
            "about": [Text(text, "quiet", label=name) for name, text in _about(report).items() if text],
        },
    )


def cause_blocks(cause: view.ShownCause | None) -> list[Block]:
    """Say first, and once, what kept the program from its work."""
    if cause is None:
        return []
    told = [Text(cause.sentence, "sentence"), *([Text(cause.tests)] if cause.tests else [])]
    return [Heading(cause.title, anchor="cause"), *told, *_repeat(cause.command, cause.evidence, "The messages")]


def blocks_of_test(
    test: ReportedTest, anchor: str = "", known: Known | None = None, *, brief: bool = False
) -> Iterator[Block]:
    """Describe what is wrong in one test; nothing when nothing is. Callers check `is_shown` first.

    Causes that are `known` from earlier tests are not described again, and those of this one are added.
    """
    known = {} if known is None else known
    told = [(group, known.get(cause_of(group[0]))) for group in view.describe_groups(test)]
    places = {place[0] if place else "" for _, place in told}
    is_told = len(places) == 1 and "" not in places
    causes = {cause_of(group[0]): (one_line(test.name, NAME_LIMIT), group[0]) for group, _ in told}
    known.update({cause: place for cause, place in causes.items() if cause[0] and cause not in known})
    told = [one for one in told if not (brief and one[0][0].verdict is Verdict.PASSED)]  # told elsewhere
    decided, most = describe_decided(test), GROUPS if brief else len(told)
    if not told and not (decided and test.hint):
        return
    total = f"the same as in `{places.pop()}`" if brief and is_told else view.test_points(test)
    yield Heading(sentence(test.name), points=total, anchor=anchor)
    yield from [Text(sentence(test.about), "about")] if test.about and not brief else []
    yield from [Text(decided)] if decided else []
    for group, place in told[: 0 if brief and is_told else most]:
        yield Heading(names(group), 3, word=view.word_for_case(group[0], test))
        where = f"The cause is the same as in the test `{place[0]}`." if place else ""
        yield Text(view.describe_group(group, test, where), "sentence")
        # A stack trace is enough once; another output may show more.
        if not place or (group[0].verdict is not Verdict.CRASHED and evidence(group[0]) != evidence(place[1])):
            yield from case_blocks(group[0])
    yield from _more(len(told), most)
    # What a hint is about is something else than what went wrong in another test.
    yield from hint_blocks("" if is_told else test.hint)


def describe_decided(test: ReportedTest) -> str:
    """Name the cases of a test that the submission's cause decides, and say in a word how; else what is noted of all.

    Empty for neither.
    """
    decided = [case for case in test.cases if case.cause]
    if not decided:
        return sentence(test.note or "")
    return f"{names(decided)}: {view.word_for_case(decided[0], test)}; the cause is at the top."


def case_blocks(case: ReportedCase) -> Iterator[Block]:
    """Show what is behind the sentence about a case: what is drawn, the command, the streams."""
    drawn = (one.message.partition("\n")[2].encode() for one in case.deviations)
    lines = [line for drawing in drawn for line in excerpt(drawing, most=_DRAWING_LINES)]
    has_run = case.exit is not None and case.verdict is not Verdict.PASSED
    yield from ([Lines(lines, label="Drawing")] if lines else [])
    yield from _repeat(one_line(case.command, COMMAND_LIMIT) if has_run else "")
    yield from evidence(case)


def _repeat(command: str, lines: Sequence[str] = (), label: str = "") -> Iterator[Block]:
    yield from [Text(command, "command", label="To repeat it")] if command else []
    yield from [Lines(lines, label=label)] if lines else []


def _list(anchor: str, title: str, items: Sequence[str], most: int | None = None) -> list[Block]:
    told = [Text(item, "item") for item in items[:most]]
    return [Heading(title, anchor=anchor), *told, *_more(len(items), most or len(items))] if told else []


def _more(number: int, shown: int) -> list[Block]:
    return [Text(f"and {number - shown} more", "quiet")] if number > shown else []


def _warnings(report: Report) -> Iterator[Block]:
    if report.sandbox.level == "none":
        yield Text("The programs ran without a sandbox.", "warning")
    yield from (Text(sentence(warning), "warning") for warning in report.sandbox.warnings)


def _after(report: Report) -> Iterator[Block]:
    """Say how the final score came about, with the lines of code that decisions are about."""
    for number, (text, code) in enumerate(describe_with_code(report.final or None, report.max_score, report)):
        yield from [] if number else [Heading("After the grading", anchor="after")]
        yield Text(text, "item")
        yield from [Lines([code], label="Code")] if code else []


def _build(report: Report) -> Iterator[Block]:
    """Show the build as it was handed in, of work that was repaired."""
    build = report.build
    if build.repair:
        yield Heading("The build, as it was handed in", anchor="build")
        yield Text(sentence(build.message))
        log = plain_excerpt(build.log.encode(), most=view.LOG_LINES)
        yield from _repeat(one_line(build.command, COMMAND_LIMIT), log, "The build's log")


def _findings(report: Report, cases: Sequence[ReportedCase], *, brief: bool) -> list[Block]:
    """Say what was noticed; on a screen, that is also what is told of cases that passed."""
    passed = [case for case in cases if case.verdict is Verdict.PASSED]
    told = [f"{names(group)}: {case_summary(group[0])}" for group in view.grouped(passed if brief else ())]
    told += [sentence(one.message) for one in report.findings if one.kind != FORGED]
    told += dict.fromkeys(sentence(case.message) for case in passed if case.message and not case.deviations)
    return _list("findings", "Noticed in the submission", told, REMARKS if brief else None)


def _table_of_tests(
    report: Report, shown: Mapping[int, ReportedTest], tests: Iterable[Sequence[Block]]
) -> Iterator[Block]:
    anchors = {test[0].anchor for test in tests if isinstance(test[0], Heading)}
    rows = [
        (
            TableCell(sentence(test.name), anchor=f"test-{number}" if f"test-{number}" in anchors else ""),
            TableCell(view.word_for_test(test) if number in shown else "hidden", is_word=True),
            TableCell(view.test_points(test), share=_share(test.score, test.points)),
        )
        for number, test in enumerate(report.tests, 1)
    ]
    yield TextTable(("Test", "Verdict", "Points"), rows, title="Tests", last_right=True)
    if len(shown) < len(report.tests):
        yield Text("Of a hidden test, only the points are shown.", "quiet")


def _share(score: float | None, most: float) -> Share | None:
    return None if score is None or points(most) == "0" else (points(score), points(most))


def _lines_in(tests: Iterable[Iterable[Block]]) -> list[str]:
    shown = (block.lines for test in tests for block in test if isinstance(block, Lines | Conversation))
    return [*chain.from_iterable(shown)]


def _signs(tests: Iterable[Iterable[Block]], *, brief: bool) -> Iterator[Block]:
    """Say what the signs mean that stand in what programs wrote, and whether a screen lacks some of it."""
    lines = _lines_in(tests)
    if signs := [f"{sign} is {what}" for sign, what in _SIGNS.items() if any(sign in line for line in lines)]:
        yield Text(f"Here, {joined(signs)}.", "quiet")
    if brief and len(lines) >= SCREEN_LINES:
        yield Text("What the programs wrote in further tests is left out here.", "quiet")


def _costs(report: Report, *, after_due: bool) -> list[Block]:
    """Show the time, processor time and memory of each case that was run, with the limits."""
    cases = [case for _, case in run_cases(report, after_due=after_due)]
    rows = [[*map(TableCell, _costs_of(case))] for case in cases[:_MAX_COSTS]]
    head = ("Case", "Time", "Processor time", "Memory")
    table = TextTable(head, rows, title="Time and memory of each case", is_wide=True)
    return [Heading("What each run took", anchor="costs"), table, *_more(len(cases), _MAX_COSTS)] if cases else []


def run_cases(report: Report, *, after_due: bool) -> Iterator[tuple[ReportedTest, ReportedCase]]:
    """Iterate over the cases that were run, of tests that students may see."""
    shown = (test for test in report.tests if is_shown(test, after_due=after_due))
    return ((test, case) for test in shown for case in test.cases if case.time is not None)


def _costs_of(case: ReportedCase) -> tuple[str, str, str, str]:
    limits = case.limits or Limits()
    return (
        one_line(case.id, NAME_LIMIT),
        f"{case.time or 0:.2f} s of {limits.time:g} s",
        f"{case.cpu or 0:.2f} s of {limits.cpu:g} s",
        f"{size(case.memory, digits=3) if case.memory else 'not known'} of {size(limits.memory, digits=6)}",
    )


def _about(report: Report) -> dict[str, str]:
    """Return enough to find out whether two people talk of the same."""
    return {
        "Submission": one_line(report.submission.digest[:DIGITS]),
        "Assignment": f"{sentence(report.spec.id)} {one_line(report.spec.digest[:DIGITS])}",
        "Tools": ", ".join(one_line(version) for version in report.toolchain.values()),
        "Graded by": f"grader {report.grader}",
    }


# ---------------------------------------------------------------- evidence


def evidence(case: ReportedCase) -> list[Lines | Conversation]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    if case.exit is None or case.verdict is Verdict.PASSED:
        return []
    shown: list[Lines | Conversation] = [*_describe_input(case)]
    if turns := case.transcript:
        left_out = f"… {len(turns) - _TURNS} earlier turns" if len(turns) > _TURNS else ""
        shown.append(Conversation([*map(_said, turns[-_TURNS:])], left_out))
    for one in case.values:
        wanted, got = one.expected.encode(), one.actual.encode()
        # Of two short ones the sentence says it all.
        if max(len(wanted), len(got)) >= _SHORT_VALUE or not wanted.count(b"\n") == got.count(b"\n") == 1:
            shown.append(_difference(one.name, wanted, got))
    shown += _streams(case)
    if smallest := case.smallest:
        given = [f"  {line}" for line in excerpt(smallest.stdin.encode())]
        lines = [f"$ {one_line(smallest.command)}", *(["given on standard input:", *given] if given else [])]
        shown.append(Lines(_further_in([*lines, sentence(smallest.message)]), "the smallest input that shows it"))
    return [part for part in shown if part.lines]


def _said(turn: ReportedTurn) -> tuple[str, str, list[str]]:
    """Show a turn; of several programs each is named, and `> encoder` for what it was given."""
    name = turn.who if turn.role is UNSET else turn.role if turn.who == "program" else f"> {turn.role}"
    lines = excerpt(turn.text.encode(), most=_TURN_LINES, width=_TURN_WIDTH) or [""]
    return f"{turn.time:.2f} s", name, lines


def _difference(title: str, wanted: bytes, got: bytes) -> Lines:
    return Lines(diff_lines(wanted, got), f"{title} (- expected, + yours)")


def _streams(case: ReportedCase) -> Iterator[Lines]:
    """Show the streams that deviate, or all that are compared where none is said to."""
    concerned = {deviation.stream for deviation in case.deviations}
    is_any = not concerned or any(deviation.kind in STREAM_KINDS for deviation in case.deviations)
    for stream, title, expected, actual in (
        ("stdout", SCREEN if case.screen is True else STREAMS["stdout"], case.expected_stdout, case.stdout or ""),
        ("stderr", STREAMS["stderr"], case.expected_stderr, case.stderr or ""),
    ):
        if stream == "stderr" and case.verdict is Verdict.CRASHED:  # a stack trace
            yield Lines(_further_in(plain_excerpt(actual.encode(), most=view.STDERR_LINES)), title)
        elif expected is not None:
            if stream in concerned or is_any:
                yield _difference(title, expected.encode(), actual.encode())
        elif stream in concerned and (stream == "stderr" or case.roles is UNSET):
            yield Lines(_further_in(excerpt(actual.encode())), title)


def _further_in(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _describe_input(case: ReportedCase) -> Iterator[Lines]:
    """Show what a program was given, where that is more than a line: the command then has it in one, or not at all."""
    if case.input is not UNSET:
        place = ", here stdin.txt" if "< stdin.txt" in case.command else ""
        given = {f"its standard input{place}": case.input.stdin}
        given |= {f"the file {one_line(name, NAME_LIMIT)}": text for name, text in case.input.files.items()}
        for title, text in given.items():
            if text.count("\n") > 1 or len(text) > _SHORT_INPUT:
                yield Lines(_further_in(excerpt(text.encode())), title)
