"""What of a report people are told, and in which words: shared by all that show one, and by those who tell of a class.

Whatever is here reads what is written down. The grouping of cases of which the same is to be said, the sentence of a
case, what is drawn below it and the evidence for it are found once, here.
"""

from collections.abc import Iterable, Sequence

import msgspec

from grader.model import Report, ReportedCase, ReportedTest, ReportedTurn, ReportedValue, Test, Verdict
from grader.report.diff import diff, excerpt
from grader.text import listed, one_line, points, sentence

DRAWING = 40
"""lines of a drawing"""

CASE_NAMES = 3
"""case names that are written out before "and 4 more\""""

SHORT_VALUE = 40
"""bytes of a value that a sentence tells as a whole"""

NAME_LIMIT = 80
"""bytes of a name of the student's"""

TURNS = 16
"""turns of a dialogue that are shown, the last ones: a dialogue that stops, stops at its end"""

TURN_LINES = 6


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A few lines that show what a sentence says, of a stream that `title` names."""

    title: str
    lines: Sequence[str]
    turns: Sequence[ReportedTurn] = ()
    """of a dialogue, for whoever lays it out otherwise than in lines"""


class ShownTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as it is shown: `4.13 s`, `program`, and the lines that were said, `…` for those left out."""

    time: str
    who: str
    lines: Sequence[str]


def is_shown(test: ReportedTest | Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


def headline(report: Report) -> str:
    """`alice  87.5 of 100  failed`; the name is shown escaped."""
    name = one_line(report.submission.id, NAME_LIMIT)
    return f"{name}  {out_of(report.score, report.max_score)}  {report.verdict}"


def out_of(score: float | None, most: float) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def test_points(test: ReportedTest) -> str:
    """The points of one test as a table shows them."""
    if not test.points:
        return "not scored"
    return out_of(test.score, test.points) + (" (bonus)" if test.bonus else "")


def build_problem(report: Report) -> str:
    """Why there is nothing to run, in one sentence; empty when there is."""
    if not report.build.ok:
        return sentence(report.build.message) or "The build failed."
    cases = (case for test in report.tests for case in test.cases)
    return next((sentence(case.message) for case in cases if case.verdict is Verdict.BUILD_FAILED), "")


def told_groups(test: ReportedTest) -> list[tuple[ReportedCase, ...]]:
    """Group the cases with something to tell; a failed build is none of them: `build_problem` tells it once."""
    return grouped(case for case in test.cases if case.verdict is not Verdict.BUILD_FAILED)


def grouped(cases: Iterable[ReportedCase], *, by_credit: bool = False) -> list[tuple[ReportedCase, ...]]:
    """Group the cases that are not simply right, in the order of the first: what is said of one is true of its group.

    Named deviations are the same story in every case that has them, whatever line it quotes; `wrong` is another story
    each time. With `by_credit`, cases with other credits are told apart, for whoever tells the credit.
    """
    groups: dict[tuple[Verdict, float | None, tuple[str, ...]], list[ReportedCase]] = {}
    for case in cases:
        if case.verdict is Verdict.PASSED and not case.deviations:
            continue
        kinds = tuple(f"{deviation.kind} {deviation.stream}" for deviation in case.deviations)
        is_named = kinds and not any(deviation.kind == "wrong" for deviation in case.deviations)
        matter = kinds if is_named else (story(case),)
        groups.setdefault((case.verdict, case.credit if by_credit else None, matter), []).append(case)
    return [tuple(group) for group in groups.values()]


def story(case: ReportedCase) -> str:
    """Say what is to be said about one case, in one sentence, never empty."""
    text = case.message or " ".join(deviation.sentence for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def drawings(case: ReportedCase) -> list[str]:
    """Return the lines that go with the sentence, such as a board; bounded, whoever drew them."""
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
        Evidence(title="the dialogue", lines=transcript(turns), turns=turns),
        *(_of_value(one) for one in case.values),
        _of_stream(case, "stdout", case.expected_stdout, case.stdout or ""),
        _of_stream(case, "stderr", case.expected_stderr, case.stderr or ""),
    ]
    return [part for part in shown if part is not None and part.lines]


def _of_value(one: ReportedValue) -> Evidence | None:
    expected, actual = one.expected.encode(), one.actual.encode()
    if max(len(expected), len(actual)) < SHORT_VALUE and expected.count(b"\n") == actual.count(b"\n") == 1:
        return None  # the sentence says it all
    return Evidence(title=f"{one.name} (- expected, + yours)", lines=diff(expected, actual))


def _of_stream(case: ReportedCase, stream: str, expected: str | None, actual: str) -> Evidence | None:
    title = {"stdout": "standard output", "stderr": "standard error"}[stream]
    concerned = {deviation.stream for deviation in case.deviations}
    both = any(deviation.kind in {"wrong-stream", "split-streams"} for deviation in case.deviations)
    if expected is not None:
        if stream in concerned or both or not concerned:
            return Evidence(title=f"{title} (- expected, + yours)", lines=diff(expected.encode(), actual.encode()))
        return None
    if stream in concerned or (stream == "stderr" and case.verdict is Verdict.CRASHED):
        return Evidence(title=title, lines=[f"  {line}" for line in excerpt(actual.encode())])
    return None


# ---------------------------------------------------------------- dialogues


def speeches(turns: Sequence[ReportedTurn]) -> list[ShownTurn]:
    """Show the end of a dialogue."""
    return [
        ShownTurn(
            time=f"{turn.time:.2f} s",
            who=turn.who,
            lines=excerpt(turn.text.encode(), most=TURN_LINES, width=60) or [""],
        )
        for turn in turns[-TURNS:]
    ]


def earlier(turns: Sequence[ReportedTurn]) -> str:
    """Say how much of a dialogue is not shown; empty when all of it is."""
    left_out = len(turns) - TURNS
    return f"… {left_out} earlier turns" if left_out > 0 else ""


def transcript(turns: Sequence[ReportedTurn]) -> list[str]:
    """Lay out the end of a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    lines = [f"  {left_out}"] if (left_out := earlier(turns)) else []
    for speech in speeches(turns):
        head = f"{speech.time:>8}  {speech.who:7}  "
        for line in speech.lines:
            lines.append(head + line)
            head = " " * len(head)
    return lines
