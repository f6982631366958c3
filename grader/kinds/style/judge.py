"""The findings of a style tool -> verdict and sentence: their number, their cost, and the first one."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from grader.core.model.judgement import CaseResult, Examined, Spot
from grader.core.model.spec import Case
from grader.core.notebook.linear import place_text
from grader.core.text import capital, count, count_points, one_line, quote
from grader.kinds.sources import describe_no_file, source_result
from grader.kinds.style.model import StyleCheck


def judge_style(case: Case, found: Examined) -> CaseResult:
    """Judge what a style tool found."""
    check = StyleCheck.required(case)
    message = found.refused or _describe_style(check, found)
    credit = Fraction(0) if found.refused or not found.files else check.credit(found.total)
    return source_result(case, found, message=message, credit=credit, drawing="\n".join(_list_findings(found)))


def _describe_style(check: StyleCheck, found: Examined) -> str:
    """Describe a tool's first finding and the cost of all, in a sentence; "" without findings."""
    if not found.files:
        return describe_no_file(check.files, f"for {check.tool.name}")
    if not found.total:
        return ""
    which = "; the first is" if found.total > 1 else ":"
    message = f"{check.tool.name} has {count(found.total, 'finding')}{_describe_costs(check, found.total)}{which}"
    line = found.spots[0].source
    return f"{capital(message)} {_describe_finding(found.spots[0])}{f': {quote(line)}' if line else ''}."


def _describe_costs(check: StyleCheck, total: int) -> str:
    taken = (1 - check.credit(total)) * check.points
    cost = count_points(taken)
    if not check.points:
        return ""
    if not taken:
        return ", which cost nothing" if total > 1 else ", which costs nothing"
    if not check.free:
        return f", which {'costs' if total == 1 else 'cost'} {cost}"
    rest = "the other costs" if total - check.free == 1 else "the others cost"
    return f", of which {check.free} {'is' if check.free == 1 else 'are'} free and {rest} {cost}"


def _list_findings(found: Examined) -> Iterator[str]:
    for message, times in Counter(map(_describe_finding, found.spots)).items():
        yield f"{message}, {times} times" if times > 1 else message
    if found.total > len(found.spots):
        yield f"and {found.total - len(found.spots)} more"


def _describe_finding(spot: Spot) -> str:
    # The tool's own words, in which a backtick begins no code of ours.
    message = one_line(spot.what).replace("`", "'").rstrip(".")
    rule = f" ({one_line(spot.rule)})" if spot.rule else ""
    return f"{place_text(one_line(spot.file), spot.line)}: {message}{rule}"
