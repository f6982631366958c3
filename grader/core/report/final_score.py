"""The words for what comes after the grading: from the graded score to the final one, a line each."""

from msgspec import UNSET

from grader.core.model.report import ByHand, Report, ReportedFinal, fraction
from grader.core.report.view import NAME_LIMIT, out_of_points
from grader.core.text import count_points, full_sentence, joined, one_line, point_word, points, sentence, show, signed


def describe_final(
    final: ReportedFinal | None, most: float, report: Report | None, *, in_lines: bool = False
) -> list[str]:
    """Say how a final score came about, a sentence each, also where nothing was handed in; nothing without one.

    With `in_lines`, what somebody typed keeps its line breaks.
    """
    if not final:
        return []
    told = [f"Graded: {out_of_points(report.score, report.max_score)}." if report else "Nothing was handed in."]
    tests = report.tests if report else ()
    if report and report.score is None and (graded := [test for test in tests if test.score is not None]):
        known = points(sum(fraction(test.score or 0) for test in graded))
        there = count_points(sum(fraction(test.points) for test in graded if not test.bonus))
        left = [f"{_quoted(test.name)} ({count_points(test.points)})" for test in tests if test.score is None]
        told = [f"Graded: {known} of {there}, without {joined(left)}."]
    if late := final.late:
        lost = f": {signed(fraction(late.points))} {point_word(abs(late.points))}." if late.points else " work:"
        told.append(f"Late{lost} {sentence(late.message)}")
    for one in sorted(final.by_hand, key=lambda one: (one.file or "", one.line or 0)):  # what is about no file first
        *lines, last = show(one.why).split("\n")
        why = "\n".join([*map(sentence, lines), full_sentence(last)])
        code = f"This is about {_quoted(one.code)}." if one.code else ""
        told.append(" ".join(filter(None, (_describe_by_hand(one, report) + why, code, sentence(one.changed)))))
    decided = {one.test for one in final.by_hand if one.score is not UNSET}
    still = [_quoted(test.name) for test in tests if test.score is None and test.name not in decided]
    still = still if final.score is None else []
    missing = f"; {joined(still)} {'is' if len(still) == 1 else 'are'} still to be decided" if still else ""
    end = "excused, so there is no score" if final.is_excused else f"{out_of_points(final.score, most)}{missing}"
    told.append(f"Final: {end}.")
    return told if in_lines else [*map(sentence, told)]


def _quoted(name: str) -> str:
    return f"`{one_line(name, NAME_LIMIT)}`"


def _describe_by_hand(one: ByHand, report: Report | None) -> str:
    """Say what a decision is about, and what it changes."""
    place = f"{one_line(one.file, NAME_LIMIT)}{f':{one.line}' if one.line else ''}" if one.file else ""
    about = ", ".join(filter(None, ("By hand", one_line(one.test, NAME_LIMIT), place)))
    most = next((test.points for test in report.tests if test.name == one.test), None) if report else None
    if one.points is not None:
        return f"{about}: {signed(fraction(one.points))} point{'s' * (abs(one.points) != 1)}. "
    if one.excused or one.score is UNSET:
        return f"{about}: excused. " if one.excused else f"{about}: "
    amount = f"{count_points(one.score)} in all" if most is None else out_of_points(one.score, most)
    return f"{about}: {amount}{', in place of what was graded' if one.graded is not None else ''}. "
