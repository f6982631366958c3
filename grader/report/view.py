"""What of a report people are told, and in which words: shared by the terminal and the feedback file."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.model import CaseResult, Contrast, Judgement, Test, TestResult, Turn, Verdict
from grader.report.diff import diff, excerpt
from grader.report.transcript import transcript
from grader.text import one_line, points, sentence, to_bytes

DRAWING = 40
"""lines of a drawing"""

NAMES = 3
"""case names that are written out before "and 4 more\""""

SHORT = 40
"""bytes of a value that a sentence tells as a whole"""

NAME_LIMIT = 80
"""bytes of a name of the student's"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A few lines that show what a sentence says, of a stream that `title` names."""

    title: str
    lines: Sequence[str]
    turns: Sequence[Turn] = ()
    """of a dialogue, for whoever lays it out otherwise than in lines"""


def is_shown(test: Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


def headline(report: Judgement) -> str:
    """`alice  87.5 of 100  failed`; the name is shown escaped."""
    name = one_line(report.submission.id, NAME_LIMIT)
    return f"{name}  {out_of(report.score, report.max_score)}  {report.verdict}"


def out_of(score: Fraction | None, most: Fraction) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def test_points(result: TestResult) -> str:
    """The points of one test as a table shows them."""
    if not result.test.points:
        return "not scored"
    return out_of(result.score, result.test.points) + (" (bonus)" if result.test.bonus else "")


def build_problem(report: Judgement) -> str:
    """Why there is nothing to run, in one sentence; empty when there is."""
    if not report.build.ok:
        return sentence(report.build.message) or "The build failed."
    cases = (case for test in report.tests for case in test.cases)
    return next((sentence(case.message) for case in cases if case.verdict is Verdict.BUILD_FAILED), "")


def told(result: TestResult) -> list[tuple[CaseResult, ...]]:
    """Group the cases with something to tell, in the order of the first: what is said of one is true of its group.

    Named deviations are the same story in every case that has them, whatever line it quotes; `wrong` is another story
    each time. A failed build is no case's own: it is told once for all (`build_problem`).
    """
    groups: dict[tuple[Verdict, tuple[str, ...]], list[CaseResult]] = {}
    for case in result.cases:
        if case.verdict is Verdict.BUILD_FAILED or (case.verdict is Verdict.PASSED and not case.deviations):
            continue
        groups.setdefault((case.verdict, _matter(case)), []).append(case)
    return [tuple(group) for group in groups.values()]


def _matter(case: CaseResult) -> tuple[str, ...]:
    kinds = tuple(f"{deviation.kind} {deviation.stream}" for deviation in case.deviations)
    return kinds if kinds and not any(kind.startswith("wrong ") for kind in kinds) else (story(case),)


def story(case: CaseResult) -> str:
    """Say what is to be said about one case, in one sentence, never empty."""
    text = case.message or " ".join(deviation.message for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def drawings(case: CaseResult) -> list[str]:
    """Return the lines that go with the sentence, such as a board; bounded, whoever drew them."""
    drawn = (one.drawing for one in case.deviations if one.drawing)
    return [line for drawing in drawn for line in excerpt(to_bytes(drawing), most=DRAWING)]


def names(cases: Sequence[CaseResult]) -> str:
    """`usage[2], usage[3], usage[4] and 3 more`."""
    shown = ", ".join(one_line(case.id, NAME_LIMIT) for case in cases[:NAMES])
    return f"{shown} and {len(cases) - NAMES} more" if len(cases) > NAMES else shown


def can_repeat(case: CaseResult) -> bool:
    """Whether it helps to know the command: something ran, and it was not right."""
    return case.execution is not None and case.verdict is not Verdict.PASSED and bool(case.command)


def evidence(case: CaseResult) -> list[Evidence]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    run = case.execution
    if run is None or case.verdict is Verdict.PASSED:
        return []
    shown = [
        Evidence(title="the dialogue", lines=transcript(run.transcript), turns=run.transcript),
        *(_contrast(one) for one in case.contrasts),
        _stream(case, "stdout", case.expected_stdout, run.stdout),
        _stream(case, "stderr", case.expected_stderr, run.stderr),
    ]
    return [part for part in shown if part is not None and part.lines]


def _contrast(one: Contrast) -> Evidence | None:
    if max(len(one.expected), len(one.actual)) < SHORT and one.expected.count(b"\n") == one.actual.count(b"\n") == 1:
        return None  # the sentence says it all
    return Evidence(title=f"{one.name} (- expected, + yours)", lines=diff(one.expected, one.actual))


def _stream(case: CaseResult, stream: str, expected: bytes | None, actual: bytes) -> Evidence | None:
    title = {"stdout": "standard output", "stderr": "standard error"}[stream]
    named = {deviation.stream for deviation in case.deviations}
    both = any(deviation.kind in {"wrong-stream", "split-streams"} for deviation in case.deviations)
    if expected is not None:
        if stream in named or both or not named:
            return Evidence(title=f"{title} (- expected, + yours)", lines=diff(expected, actual))
        return None
    if stream in named or (stream == "stderr" and case.verdict is Verdict.CRASHED):
        return Evidence(title=title, lines=[f"  {line}" for line in excerpt(actual)])
    return None
