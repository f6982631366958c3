"""What was found in the source, by rules or by a tool -> verdict and sentence: where it is, and the line itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.core.model import Case, CaseResult, Deviation, Examined, SourceRule, Spot, StyleCheck, Verdict
from grader.core.text import capital, count, joined, listed, one_line, points, quote

_MAX_PLACES = 3
"""further places that are told"""
_FOUND = {"call": "calls", "import": "names", "function": "defines"}
_REPEATS = "calls itself, directly or through others"


def judge_source(case: Case, found: Examined, command: str) -> CaseResult:
    """Judge what a rule or a style tool found in the source."""
    asked = case.source
    drawing = ""
    if isinstance(asked, StyleCheck):
        told = found.refused or _describe_style(asked, found)
        credit = Fraction(0) if found.refused or not found.files else asked.credit(found.total)
        drawing = "\n".join(_list_findings(found))
    else:
        told = found.refused or (_tell(asked, found) if asked else "")
        credit = Fraction(0 if told else 1)
    wrong = Deviation(kind="wrong", stream="source", message=told, keeps=credit, drawing=drawing)
    return CaseResult(
        id=case.id,
        verdict=Verdict.PASSED if credit == 1 else Verdict.PARTIAL if credit else Verdict.FAILED,
        credit=credit,
        command=command,
        message=told,
        deviations=(wrong,) if told else (),
        spots=found.spots if told else (),
    )


def _tell(rule: SourceRule, found: Examined) -> str:
    """Tell what breaks a rule, in a sentence; "" when nothing does."""
    if not found.files:
        return _describe_none(rule.files, f"of {rule.language}")
    if rule.demand == "require":
        return "" if found.total else _describe_lack(rule, found)
    return _describe_spots(rule, found) if found.total else ""


def _describe_none(files: Sequence[str], otherwise: str) -> str:
    return f"There is no file {joined([quote(name) for name in files], 'or') if files else otherwise} to look at."


def _describe_lack(rule: SourceRule, found: Examined) -> str:
    files = listed([quote(name) for name in found.files], most=_MAX_PLACES)
    is_one = len(found.files) == 1
    has, name, within = "has" if is_one else "have", quote(rule.name), quote(rule.within)
    if rule.within and not found.defines:
        return f"{files} {has} no function {within}; the assignment requires {_thing(rule)} in it."
    if rule.what == "function" or (rule.what == "recursion" and not found.defines):
        return f"{files} {has} no function {name}; the assignment requires it."
    if rule.what == "recursion":
        return f"The function {name} does not call itself, directly or through others; the assignment requires it."
    where, s = (f"The function {within}", "s") if rule.within else (files, "s" if is_one else "")
    if rule.what in ("call", "import"):
        return f"{where} never {rule.what}{s} {name}; the assignment requires it."
    return f"{where} {'has' if s else 'have'} no loop; the assignment requires one."


def _thing(rule: SourceRule) -> str:
    named = {"call": f"a call of {quote(rule.name)}", "import": f"an import of {quote(rule.name)}"}
    return named.get(rule.what, "a loop")


def _describe_spots(rule: SourceRule, found: Examined) -> str:
    first = found.spots[0]
    place = f"{one_line(first.file)}:{first.line}"
    within = f" in {quote(rule.within)}" if rule.within else ""
    if rule.what == "lines-of-file":
        return f"{one_line(first.file)} has {first.what} lines; {rule.most} are allowed."
    if rule.what == "lines-of-function":
        lines, _, name = first.what.partition(" ")
        told = f"{place}: the function {quote(name)} has {lines} lines; {rule.most} are allowed"
    else:
        what = {"loop": "has a loop", "recursion": f"has {quote(first.what)}, which {_REPEATS}"}.get(rule.what)
        what = what or f"{_FOUND[rule.what]} {quote(first.what)}"
        told = f"{place} {what}{within}, which the assignment forbids: {quote(first.source)}"
    if found.total == 1:
        return f"{told}."
    others = [f"{one_line(spot.file)}:{spot.line}" for spot in found.spots[1 : _MAX_PLACES + 1]]
    more = found.total - 1 - len(others)
    return f"{told}; the same in {joined([*others, *([count(more, 'more place')] if more else [])])}."


# ---------------------------------------------------------------- what a tool found


def _describe_style(check: StyleCheck, found: Examined) -> str:
    """Tell what a tool found, the first of it and what all of it costs, in a sentence; "" when it found nothing."""
    if not found.files:
        return _describe_none(check.files, f"for {check.tool.name}")
    if not found.total:
        return ""
    which = "; the first is" if found.total > 1 else ":"
    told = f"{check.tool.name} has {count(found.total, 'finding')}{_describe_costs(check, found.total)}{which}"
    line = found.spots[0].source
    return f"{capital(told)} {_describe_finding(found.spots[0])}{f': {quote(line)}' if line else ''}."


def _describe_costs(check: StyleCheck, total: int) -> str:
    taken = (1 - check.credit(total)) * check.points
    cost = f"{points(taken)} point{'' if taken == 1 else 's'}"
    if not check.points:
        return ""
    if not taken:
        return ", which cost nothing" if total > 1 else ", which costs nothing"
    if not check.free:
        return f", which {'costs' if total == 1 else 'cost'} {cost}"
    rest = "the other costs" if total - check.free == 1 else "the others cost"
    return f", of which {check.free} {'is' if check.free == 1 else 'are'} free and {rest} {cost}"


def _list_findings(found: Examined) -> Iterator[str]:
    for told, times in Counter(map(_describe_finding, found.spots)).items():
        yield f"{told}, {times} times" if times > 1 else told
    if found.total > len(found.spots):
        yield f"and {found.total - len(found.spots)} more"


def _describe_finding(spot: Spot) -> str:
    # The tool's own words, in which a backtick begins no code of ours.
    told = one_line(spot.what).replace("`", "'").rstrip(".")
    return f"{_place(spot)}: {told}{f' ({one_line(spot.rule)})' if spot.rule else ''}"


def _place(spot: Spot) -> str:
    return f"{one_line(spot.file)}:{spot.line}"
