"""The words for what comes after the grading: from the graded score to the final one, a line each."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from grader.core.model.report import ByHand, Report, ReportedFinal, fraction
from grader.core.report.view import NAME_LIMIT, out_of_points
from grader.core.text import count_points, full_sentence, joined, one_line, point_word, points, sentence, show, signed


def describe_after_grading(report: Report) -> list[str]:
    """Say what came after the grading, a line each, from the graded score to the final one; nothing if nothing did."""
    return describe_final(report.final or None, report.max_score, report)


def describe_with_code(report: Report) -> list[tuple[str, str]]:
    """Say the same, in the lines that somebody typed, each with the line of code that it is about, or "" for none."""
    return _describe(report.final or None, report.max_score, report)


def describe_final(final: ReportedFinal | None, most: float, report: Report | None) -> list[str]:
    """Say how a final score came about, a line each, also where nothing was handed in; nothing without one."""
    return [sentence(line) for line, _code in _describe(final, most, report)]


def _describe(final: ReportedFinal | None, most: float, report: Report | None) -> list[tuple[str, str]]:
    if not final:
        return []
    lines = [(_describe_graded(report) if report else "Nothing was handed in.", "")]
    if late := final.late:
        points_lost = f"{signed(fraction(late.points))} {point_word(abs(late.points))}"
        taken = f"Late: {points_lost}." if late.points else "Late work:"
        lines.append((f"{taken} {sentence(late.message)}", ""))
    for one in sorted(final.by_hand, key=_place_in_source):
        said = f"{_about(one)}: {_effect(one, report)}{_prose(one.why)}"
        lines.append((" ".join(filter(None, (said, sentence(one.changed)))), one_line(one.code) if one.code else ""))
    if final.is_excused:
        return [*lines, ("Final: excused, so there is no score.", "")]
    still = _undecided(report, final) if report and final.score is None else []
    missing = f"; {joined(still)} {'is' if len(still) == 1 else 'are'} still to be decided" if still else ""
    return [*lines, (f"Final: {out_of_points(final.score, most)}{missing}.", "")]


def _place_in_source(one: ByHand) -> tuple[str, int]:
    """Return by what adjustments are sorted: first what is about no file, then by files and lines."""
    return one.file or "", one.line or 0


def _describe_graded(report: Report) -> str:
    open_tests = [test for test in report.tests if test.score is None]
    if report.score is not None or len(open_tests) == len(report.tests):
        return f"Graded: {out_of_points(report.score, report.max_score)}."
    graded = [test for test in report.tests if test.score is not None]
    known = _total(test.score or 0.0 for test in graded)
    most = _total(test.points for test in graded if not test.bonus)
    names = joined([f"`{one_line(test.name, NAME_LIMIT)}` ({count_points(test.points)})" for test in open_tests])
    return f"Graded: {points(known)} of {count_points(most)}, without {names}."


def _total(values: Iterable[float]) -> Fraction:
    return sum((fraction(value) for value in values), Fraction(0))


def _about(one: ByHand) -> str:
    place = f"{one_line(one.file, NAME_LIMIT)}{f':{one.line}' if one.line else ''}" if one.file else ""
    return ", ".join(filter(None, ("By hand", one_line(one.test, NAME_LIMIT), place)))


def _prose(text: str) -> str:
    """End a text with a full stop where it has no end; its line breaks stay."""
    *lines, last = show(text).split("\n")
    return "\n".join([*map(sentence, lines), full_sentence(last)])


def _effect(one: ByHand, report: Report | None) -> str:
    """Say what a decision changes; empty for a comment."""
    if one.points is not None:
        return f"{signed(fraction(one.points))} point{'s' * (abs(one.points) != 1)}. "
    if one.excused:
        return "excused. "
    if one.score is msgspec.UNSET:
        return ""
    most = {test.name: test.points for test in report.tests}.get(one.test) if report and one.test else None
    amount = f"{count_points(one.score)} in all" if most is None else f"{out_of_points(one.score, most)}"
    return f"{amount}{', in place of what was graded' if one.graded is not None else ''}. "


def _undecided(report: Report, final: ReportedFinal) -> list[str]:
    """Return the names of the tests that are neither graded nor decided by hand."""
    decided = {one.test for one in final.by_hand if one.score is not msgspec.UNSET}
    return [
        f"`{one_line(test.name, NAME_LIMIT)}`"
        for test in report.tests
        if test.score is None and test.name not in decided
    ]
