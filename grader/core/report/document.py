"""A report is laid out once, as a document; what is in it and in which words is the same in every format.

Of a test that students may not see there is its name and its score.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from grader.core.deviations.table import STREAM_KINDS
from grader.core.model.execution import RoleEnd
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedSmallest, ReportedTest, ReportedTurn
from grader.core.model.spec import SCREEN, STREAMS
from grader.core.model.submission import FORGED
from grader.core.report.blocks import (
    Block,
    Document,
    Heading,
    Lines,
    Said,
    Share,
    TableCell,
    Text,
    TextTable,
    dialogue,
)
from grader.core.report.differences import diff_lines, excerpt, plain_excerpt
from grader.core.report.final_score import describe_with_code
from grader.core.report.prose import hint_blocks
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    STDERR_LINES,
    CauseKey,
    ShownCause,
    case_summary,
    cause_anywhere,
    cause_of,
    describe_cause,
    describe_group,
    describe_groups,
    describe_work,
    grouped,
    is_shown,
    names,
    out_of,
    own_deviations,
    test_points,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import joined, one_line, point_word, points, sentence, size

DIGITS = 12
"""digits of a digest: enough to identify a submission"""

LOG_LINES = 20
"""lines of the build's log"""

GROUPS = 3
"""sentences that a screen shows of one test before "and 2 more\""""

REMARKS = 5
"""remarks that cost nothing that a screen shows before "and 2 more\""""

SCREEN_LINES = 24
"""lines of what programs wrote, behind which a screen shows no more of them"""

_DRAWING_LINES = 40

_SHORT_VALUE = 40
"""bytes of a value that a sentence quotes as a whole"""

_SHORT_INPUT = 80
"""characters of an input that only the command shows"""

_TURNS = 16
"""turns of a dialogue that are shown, the last ones: a dialogue that stops, stops at its end"""

_TURN_LINES, _TURN_WIDTH = 6, 60

_MAX_COSTS = 200
"""cases whose costs are shown"""

_SIGNS = {"·": "a space", "→": "a tab", "⏎": "the end of a line"}
"""the signs of `differences.py`, and what they stand for"""


def to_document(report: Report, *, course: str = "", after_due: bool = False, brief: bool = False) -> Document:
    """Lay a report out; `after_due` shows also the tests that are hidden until then.

    For a screen it is `brief`: a problem of an earlier test is only named, and of many the first are shown.
    """
    shown = {number: test for number, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    tests, same = _tests(shown, brief=brief)
    return Document(
        course=sentence(course),
        title=sentence(report.spec.title),
        student=one_line(report.submission.id, NAME_LIMIT),
        score="" if report.is_excused else out_of(report.counted, report.max_score),
        unit=point_word(report.max_score),
        word=word_for_report(report),
        share=_share(report.counted, report.max_score),
        tests=tests,
        parts={
            "ours": [Text(FAULT_OF_OURS, "ours")] if report.lacks_score else [],
            "cause": cause_blocks(describe_cause(report, after_due=after_due, most=LOG_LINES)),
            "warnings": [*_warnings(report)],
            "after": [*_after(report)],
            "work": _list("work", "The work as a whole", describe_work(report)),
            "build": [*_build(report)],
            "findings": [*_findings(report, shown.values(), brief=brief)],
            "table": [*_table_of_tests(report, shown, tests)],
            "same": [Heading(f"The same as in `{place}`", points=joined(names)) for place, names in same.items()],
            "signs": [*_signs(tests, brief=brief)],
            "costs": _costs(report, after_due=after_due),
            "about": [Text(text, "quiet", label=name) for name, text in _about(report).items() if text],
        },
    )


def _tests(shown: Mapping[int, ReportedTest], *, brief: bool) -> tuple[list[Sequence[Block]], dict[str, list[str]]]:
    """Describe each test; if it is brief, return the names of those apart of which an earlier one describes all."""
    tests: list[Sequence[Block]] = []
    same: dict[str, list[str]] = {}
    referrals = _referrals(shown.values())
    for number, test in shown.items():
        own = referrals[test.name]
        if brief and (place := _described_in(test, own)):
            same.setdefault(place, []).append(f"`{one_line(test.name, NAME_LIMIT)}`")
        elif found := [*blocks_of_test(test, f"test-{number}", own, brief=brief)]:
            is_cut = brief and len(_lines_in(tests)) >= SCREEN_LINES
            tests.append([block for block in found if not (is_cut and isinstance(block, Lines) and block.title)])
    return tests, same


FAULT_OF_OURS = "The grader failed on this submission, so there is no score yet; nothing is lost."
"""what is said of an ungraded submission"""


def cause_blocks(cause: ShownCause | None) -> list[Block]:
    """Say first, and once, what kept the program from its work."""
    if cause is None:
        return []
    told = [Text(cause.sentence, "sentence"), *([Text(cause.tests)] if cause.tests else [])]
    behind = [*_command(cause.command), *_listing(cause.evidence, "The messages")]
    return [Heading(cause.title, anchor="cause"), *told, *behind]


class Referral(NamedTuple):
    """How a case refers to the tests that describe its cause; empty where none does."""

    text: str = ""
    test: str = ""
    """the earlier test that does"""
    is_enough: bool = False
    """whether it shows all that there is to see: a stack trace is enough once, another output may show more"""


Referrals = Mapping[str, Referral]
"""the name of a case -> how it refers to others"""


def _referrals(shown: Collection[ReportedTest]) -> dict[str, Referrals]:
    """Refer to the first test that describes a cause, and to those that charge for all deviations of a case."""
    charged = {test.name for test in shown}
    known: dict[CauseKey, tuple[str, ReportedCase]] = {}
    found: dict[str, Referrals] = {}
    for test in shown:
        own: dict[str, Referral] = {}
        causes = {case.id: cause_anywhere(case) for case in test.cases}
        for case in test.cases:
            homes = dict.fromkeys(one.counted_in or "" for one in own_deviations(case))
            if causes[case.id] in known:
                name, first = known[causes[case.id]]
                is_enough = case.verdict is Verdict.CRASHED or evidence(case) == evidence(first)
                own[case.id] = Referral(f"The cause is the same as in the test `{name}`.", name, is_enough)
            elif homes and charged.issuperset(homes):
                named = joined([f"`{one_line(name, NAME_LIMIT)}`" for name in homes])
                text = f"The cause is the same as in the test{'s' * (len(homes) > 1)} {named}, where it is counted."
                own[case.id] = Referral(text)
        name = one_line(test.name, NAME_LIMIT)
        known = {cause: (name, case) for case in reversed(test.cases) if (cause := causes[case.id])} | known
        found[test.name] = own
    return found


_NONE = Referral()


def _described_in(test: ReportedTest, referrals: Referrals) -> str:
    """Return the test that describes all there is to say of this one; empty if none does."""
    places = {referrals.get(case.id, _NONE).test for group in describe_groups(test) for case in group}
    return places.pop() if len(places) == 1 else ""


def blocks_of_test(
    test: ReportedTest, anchor: str = "", referrals: Referrals = MappingProxyType({}), *, brief: bool = False
) -> Iterator[Block]:
    """Describe what is wrong in one test; nothing when nothing is. Callers check `is_shown` first."""
    groups = describe_groups(test, lambda case: referrals.get(case.id, _NONE).text or cause_of(case))
    decided = describe_decided(test)
    if brief:  # what passed is told elsewhere
        groups = [group for group in groups if group[0].verdict is not Verdict.PASSED]
    if not groups and not (decided and test.hint):
        return
    yield Heading(sentence(test.name), points=test_points(test), anchor=anchor)
    yield from (Text(sentence(test.about), "about"),) if test.about and not brief else ()
    yield from (Text(decided),) if decided else ()
    most = GROUPS if brief else len(groups)
    for group in groups[:most]:
        referral = referrals.get(group[0].id, _NONE)
        yield Heading(names(group), 3, word=word_for_case(group[0], test))
        yield Text(describe_group(group, test, referral.text), "sentence")
        yield from () if referral.is_enough else case_blocks(group[0])
    yield from _more(len(groups), most)
    # What a hint is about is something else than what went wrong in another test.
    yield from hint_blocks("" if _described_in(test, referrals) else test.hint)


def describe_decided(test: ReportedTest) -> str:
    """Name the cases of a test that the submission's cause decides, and say in a word how; else what is noted of all.

    Empty for neither.
    """
    own = {case.id for group in describe_groups(test) for case in group}
    decided = [case for case in test.cases if case.cause and case.id not in own]
    if not decided:
        return sentence(test.note or "")
    return f"{names(decided)}: {word_for_case(decided[0], test)}; the cause is at the top."


def case_blocks(case: ReportedCase) -> Iterator[Block]:
    """Show what is behind the sentence about a case: what is drawn, the command, the streams."""
    drawn = (one.drawing for one in case.deviations if one.drawing)
    yield from _listing([line for one in drawn for line in excerpt(one.encode(), most=_DRAWING_LINES)], "Drawing")
    if case.exit is not None and case.verdict is not Verdict.PASSED:
        yield from _command(one_line(case.command, COMMAND_LIMIT))
    yield from evidence(case)


def _command(command: str) -> Iterator[Block]:
    if command:
        yield Text(command, "command", label="To repeat it")


def _listing(lines: Sequence[str], label: str) -> Iterator[Block]:
    if lines:
        yield Lines(lines, label=label)


def _list(anchor: str, title: str, items: Iterable[str]) -> list[Block]:
    told = [Text(item, "item") for item in items]
    return [Heading(title, anchor=anchor), *told] if told else []


def _more(number: int, shown: int) -> Iterator[Block]:
    """Say how many are left out."""
    if number > shown:
        yield Text(f"and {number - shown} more", "quiet")


def _warnings(report: Report) -> Iterator[Block]:
    if report.sandbox.level == "none":
        yield Text("The programs ran without a sandbox.", "warning")
    yield from (Text(sentence(warning), "warning") for warning in report.sandbox.warnings)


def _after(report: Report) -> Iterator[Block]:
    """Say how the final score came about, with the lines of code that decisions are about."""
    told = describe_with_code(report)
    if told:
        yield Heading("After the grading", anchor="after")
    for text, code in told:
        yield Text(text, "item")
        yield from _listing([code] if code else [], "Code")


def _build(report: Report) -> Iterator[Block]:
    """Show the build as it was handed in, of work that was repaired."""
    if report.build.repair:
        yield Heading("The build, as it was handed in", anchor="build")
        yield Text(sentence(report.build.message))
        yield from _command(one_line(report.build.command, COMMAND_LIMIT))
        yield from _listing(plain_excerpt(report.build.log.encode(), most=LOG_LINES), "The build's log")


def _findings(report: Report, shown: Collection[ReportedTest], *, brief: bool) -> Iterator[Block]:
    """Say what was noticed; on a screen, that is also what is told of cases that passed."""
    passed = (case for test in shown for case in test.cases if brief and case.verdict is Verdict.PASSED)
    told = [f"{names(group)}: {case_summary(group[0])}" for group in grouped(passed)]
    told += [sentence(one.message) for one in report.findings if one.kind != FORGED]
    right = (case for test in shown for case in test.cases if case.verdict is Verdict.PASSED and not case.deviations)
    told += dict.fromkeys(sentence(case.message) for case in right if case.message)
    most = REMARKS if brief else len(told)
    yield from _list("findings", "Noticed in the submission", told[:most])
    yield from _more(len(told), most)


def _table_of_tests(
    report: Report, shown: Mapping[int, ReportedTest], tests: Iterable[Sequence[Block]]
) -> Iterator[Block]:
    anchors = {test[0].anchor for test in tests if isinstance(test[0], Heading)}
    rows = [
        (
            TableCell(sentence(test.name), anchor=f"test-{number}" if f"test-{number}" in anchors else ""),
            TableCell(word_for_test(test) if number in shown else "hidden", is_word=True),
            TableCell(test_points(test), share=_share(test.score, test.points)),
        )
        for number, test in enumerate(report.tests, 1)
    ]
    yield TextTable(("Test", "Verdict", "Points"), rows, title="Tests")
    if len(shown) < len(report.tests):
        yield Text("Of a hidden test, only the points are shown.", "quiet")


def _share(score: float | None, most: float) -> Share | None:
    return None if score is None or points(most) == "0" else (points(score), points(most))


def _lines_in(tests: Iterable[Iterable[Block]]) -> list[str]:
    shown = (block.lines for test in tests for block in test if isinstance(block, Lines))
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
    rows = [tuple(map(TableCell, (one_line(case.id, NAME_LIMIT), *costs_of(case)))) for case in cases[:_MAX_COSTS]]
    head = ("Case", "Time", "Processor time", "Memory")
    table = TextTable(head, rows, title="Time and memory of each case", is_wide=True)
    return [Heading("What each run took", anchor="costs"), table, *_more(len(cases), _MAX_COSTS)] if cases else []


def run_cases(report: Report, *, after_due: bool) -> Iterator[tuple[ReportedTest, ReportedCase]]:
    """Iterate over the cases that were run, of tests that students may see."""
    shown = (test for test in report.tests if is_shown(test, after_due=after_due))
    return ((test, case) for test in shown for case in test.cases if case.time is not None)


def costs_of(case: ReportedCase) -> tuple[str, str, str]:
    """Say what a case took of its time, processor time and memory."""
    limits = case.limits
    return (
        f"{case.time or 0:.2f} s" + (f" of {limits.time:g} s" if limits else ""),
        f"{case.cpu or 0:.2f} s" + (f" of {limits.cpu:g} s" if limits else ""),
        (size(case.memory, digits=3) if case.memory else "not known")
        + (f" of {size(limits.memory, digits=6)}" if limits else ""),
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


def evidence(case: ReportedCase) -> list[Lines]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    if case.exit is None or case.verdict is Verdict.PASSED:
        return []
    shown: list[Lines] = [*_describe_input(case)]
    if turns := case.transcript:
        of = f"the last {_TURNS} of {len(turns)} turns of " if len(turns) > _TURNS else ""
        shown.append(dialogue([*map(_said, turns[-_TURNS:])], f"{of}the dialogue"))
    if case.roles:
        shown.append(Lines(_describe_roles(case.roles), "what each program used"))
    for one in case.values:
        wanted, got = one.expected.encode(), one.actual.encode()
        # Of two short ones the sentence says it all.
        if max(len(wanted), len(got)) >= _SHORT_VALUE or not wanted.count(b"\n") == got.count(b"\n") == 1:
            shown.append(_difference(one.name, wanted, got))
    shown += _streams(case)
    if case.smallest:
        shown.append(Lines(list(_describe_smallest(case.smallest)), "the smallest input that shows it"))
    return [part for part in shown if part.lines]


def _said(turn: ReportedTurn) -> Said:
    """Show a turn; of several programs each is named, and `> encoder` for what it was given."""
    name = turn.who if turn.role is msgspec.UNSET else turn.role if turn.who == "program" else f"> {turn.role}"
    lines = excerpt(turn.text.encode(), most=_TURN_LINES, width=_TURN_WIDTH) or [""]
    return f"{turn.time:.2f} s", name, lines


def _describe_roles(roles: Sequence[RoleEnd]) -> list[str]:
    """Show what several programs used that ran at the same time, and all of them together."""
    time, cpu, memory = sum(one.time for one in roles), sum(one.cpu for one in roles), sum(one.memory for one in roles)
    shown = (*roles, RoleEnd(name="together", time=time, cpu=cpu, memory=memory))
    width = max(len(one.name) for one in shown)
    return [
        f"  {one.name:{width}}  {one.time:.2f} s, of which {one.cpu:.2f} s on a processor; {size(one.memory)}"
        for one in shown
    ]


def _difference(title: str, wanted: bytes, got: bytes) -> Lines:
    return Lines(diff_lines(wanted, got), f"{title} (- expected, + yours)")


def _streams(case: ReportedCase) -> Iterator[Lines]:
    """Show the streams that deviate, or all that are compared where none is said to."""
    concerned = {deviation.stream for deviation in case.deviations}
    both = any(deviation.kind in STREAM_KINDS for deviation in case.deviations)
    for stream, title, expected, actual in (
        ("stdout", SCREEN if case.screen is True else STREAMS["stdout"], case.expected_stdout, case.stdout or ""),
        ("stderr", STREAMS["stderr"], case.expected_stderr, case.stderr or ""),
    ):
        if stream == "stderr" and case.verdict is Verdict.CRASHED:  # a stack trace
            yield Lines(_further_in(plain_excerpt(actual.encode(), most=STDERR_LINES)), title)
        elif expected is not None:
            if stream in concerned or both or not concerned:
                yield _difference(title, expected.encode(), actual.encode())
        elif stream in concerned and (stream == "stderr" or case.roles is msgspec.UNSET):
            yield Lines(_further_in(excerpt(actual.encode())), title)


def _further_in(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _describe_input(case: ReportedCase) -> Iterator[Lines]:
    """Show what a program was given, where that is more than a line: the command then has it in one, or not at all."""
    if case.input is msgspec.UNSET:
        return
    is_typed = "< stdin.txt" not in case.command
    given = [("its standard input" if is_typed else "its standard input, here stdin.txt", case.input.stdin)]
    given += [(f"the file {one_line(name, NAME_LIMIT)}", text) for name, text in case.input.files.items()]
    for title, text in given:
        if text.count("\n") > 1 or len(text) > _SHORT_INPUT:
            lines = _further_in(excerpt(text.encode()))
            is_whole = "  …" not in lines and len(text) <= _SHORT_INPUT * len(lines)
            yield Lines(lines, title if is_whole else f"{title} (shortened)")


def _describe_smallest(smallest: ReportedSmallest) -> Iterator[str]:
    yield f"  $ {one_line(smallest.command)}"
    if smallest.stdin:
        yield "  given on standard input:"
        yield from (f"    {line}" for line in excerpt(smallest.stdin.encode()))
    yield f"  {sentence(smallest.message)}"
