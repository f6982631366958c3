"""A report is laid out once, as a document; what is in it and in which words is the same in every format.

Of a test that students may not see there is its name and its score.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.blocks import Block, Conversation, Document, Heading, Lines, Share, TableCell, Text, TextTable
from grader.core.report.differences import plain_excerpt
from grader.core.report.final_score import describe_with_code
from grader.core.report.prose import hint_blocks
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    CauseKey,
    ShownCause,
    can_repeat,
    case_summary,
    cause_anywhere,
    cause_of,
    describe_cause,
    describe_decided,
    describe_group,
    describe_groups,
    describe_work,
    drawings,
    evidence,
    extent,
    findings_for_student,
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
            "ours": [Text(_FAULT_OF_OURS, "ours")] if report.lacks_score else [],
            "cause": cause_blocks(describe_cause(report, after_due=after_due, most=LOG_LINES)),
            "warnings": [*_warnings(report)],
            "after": [*_after(report)],
            "work": _list("work", "The work as a whole", describe_work(report)),
            "build": [*_build(report)],
            "findings": [*_findings(report, shown.values(), after_due=after_due, brief=brief)],
            "table": [*_table_of_tests(report, shown, tests)],
            "same": [Heading(f"The same as in `{place}`", points=joined(names)) for place, names in same.items()],
            "signs": [*_signs(tests, brief=brief)],
            "costs": _costs(shown.values()),
            "about": [Text(text, "quiet", label=name) for name, text in _about(report).items() if text],
        },
    )


def _tests(shown: Mapping[int, ReportedTest], *, brief: bool) -> tuple[list[Sequence[Block]], dict[str, list[str]]]:
    """Describe each test; if it is brief, return the names of those apart of which an earlier one describes all."""
    tests: list[Sequence[Block]] = []
    same: dict[str, list[str]] = {}
    earlier = Earlier(shown.values())
    for number, test in shown.items():
        if brief and (place := earlier.describes(test)):
            same.setdefault(place, []).append(f"`{one_line(test.name, NAME_LIMIT)}`")
        elif found := [*blocks_of_test(test, f"test-{number}", earlier, brief=brief)]:
            is_cut = brief and len(_lines_in(tests)) >= SCREEN_LINES
            tests.append([block for block in found if not (is_cut and isinstance(block, Lines) and block.title)])
        earlier.add(test)
    return tests, same


_FAULT_OF_OURS = "The grader failed on this submission, so there is no score yet; nothing is lost."


def cause_blocks(cause: ShownCause | None) -> list[Block]:
    """Say first, and once, what kept the program from its work."""
    if cause is None:
        return []
    told = [Text(cause.sentence, "sentence"), *([Text(cause.tests)] if cause.tests else [])]
    behind = [*_command(cause.command), *_listing(cause.evidence, "The messages")]
    return [Heading(cause.title, anchor="cause"), *told, *behind]


class Earlier:
    """What earlier tests of a report describe: of each cause the name of the test, and its first case."""

    def __init__(self, shown: Iterable[ReportedTest] = ()) -> None:
        """Take the tests that students may see."""
        self._names = {test.name for test in shown}
        self._known: dict[CauseKey, tuple[str, ReportedCase]] = {}

    def add(self, test: ReportedTest) -> None:
        """Note the causes that a test describes."""
        for case in test.cases:
            if cause := cause_anywhere(case):
                self._known.setdefault(cause, (one_line(test.name, NAME_LIMIT), case))

    def refer(self, case: ReportedCase) -> str:
        """Name the test that describes the cause of a case, in a sentence; empty if none does."""
        place, _ = self._known.get(cause_anywhere(case), ("", None))
        homes = dict.fromkeys(one.counted_in or "" for one in own_deviations(case))
        if place or not homes or not self._names.issuperset(homes):
            return f"The cause is the same as in the test `{place}`." if place else ""
        named = joined([f"`{one_line(name, NAME_LIMIT)}`" for name in homes])
        return f"The cause is the same as in the test{'s' if len(homes) > 1 else ''} {named}, where it is counted."

    def shows(self, case: ReportedCase) -> bool:
        """Whether the evidence for a case is shown: a stack trace is enough once, another output may show more."""
        _, first = self._known.get(cause_anywhere(case), ("", None))
        return first is not None and (case.verdict is Verdict.CRASHED or evidence(case) == evidence(first))

    def describes(self, test: ReportedTest) -> str:
        """Return the test that describes all there is to say of this one; empty if none does."""
        places = {self._known.get(cause_anywhere(case), ("",))[0] for group in describe_groups(test) for case in group}
        return places.pop() if len(places) == 1 else ""


def blocks_of_test(
    test: ReportedTest, anchor: str = "", earlier: Earlier | None = None, *, brief: bool = False
) -> Iterator[Block]:
    """Describe what is wrong in one test; nothing when nothing is. Callers check `is_shown` first."""
    earlier = earlier or Earlier()
    groups, decided = describe_groups(test, lambda case: earlier.refer(case) or cause_of(case)), describe_decided(test)
    if brief:  # what passed is told elsewhere
        groups = [group for group in groups if group[0].verdict is not Verdict.PASSED]
    if not groups and not (decided and test.hint):
        return
    yield Heading(sentence(test.name), points=test_points(test), anchor=anchor)
    yield from (Text(sentence(test.about), "about"),) if test.about and not brief else ()
    yield from (Text(decided),) if decided else ()
    most = GROUPS if brief else len(groups)
    for group in groups[:most]:
        yield Heading(names(group), 3, word=word_for_case(group[0], test))
        told = f"{extent(group, test)} {earlier.refer(group[0])}".strip()
        yield Text(told if earlier.refer(group[0]) else describe_group(group, test), "sentence")
        yield from () if earlier.shows(group[0]) else case_blocks(group[0])
    yield from _more(len(groups), most)
    # What a hint is about is something else than what went wrong in another test.
    yield from hint_blocks("" if earlier.describes(test) else test.hint)


def case_blocks(case: ReportedCase) -> Iterator[Block]:
    """Show what is behind the sentence about a case: what is drawn, the command, the streams."""
    yield from _listing(drawings(case), "Drawing")
    if can_repeat(case):
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


def _findings(report: Report, shown: Iterable[ReportedTest], *, after_due: bool, brief: bool) -> Iterator[Block]:
    """Say what was noticed; on a screen, that is also what is told of cases that passed."""
    passed = (case for test in shown for case in test.cases if brief and case.verdict is Verdict.PASSED)
    told = [f"{names(group)}: {case_summary(group[0])}" for group in grouped(passed)]
    told += [sentence(one.message) for one in findings_for_student(report, after_due=after_due)]
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


def _costs(tests: Iterable[ReportedTest]) -> list[Block]:
    """Show the time, processor time and memory of each case that was run, with the limits."""
    cases = [case for _, case in run_cases(tests)]
    rows = [tuple(map(TableCell, (one_line(case.id, NAME_LIMIT), *costs_of(case)))) for case in cases[:_MAX_COSTS]]
    head = ("Case", "Time", "Processor time", "Memory")
    table = TextTable(head, rows, title="Time and memory of each case", is_wide=True)
    return [Heading("What each run took", anchor="costs"), table, *_more(len(cases), _MAX_COSTS)] if cases else []


def run_cases(tests: Iterable[ReportedTest]) -> Iterator[tuple[ReportedTest, ReportedCase]]:
    """Iterate over the cases that were run."""
    return ((test, case) for test in tests for case in test.cases if case.time is not None)


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
