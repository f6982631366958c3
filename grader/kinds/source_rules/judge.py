"""The findings of a rule in the source -> verdict and sentence: the place, and the line itself."""

from fractions import Fraction

from grader.core.model import Case, CaseResult, Examined
from grader.core.text import count, joined, listed, one_line, quote
from grader.kinds.source_rules.model import SourceRule, source_rule_of
from grader.kinds.sources import describe_no_file, source_result

_MAX_PLACES = 3
"""further places that a sentence names"""
_FOUND = {"call": "calls", "import": "names", "function": "defines"}
_REPEATS = "calls itself, directly or through others"


def judge_source(case: Case, found: Examined, command: str) -> CaseResult:
    """Judge what a rule found in the source."""
    rule = source_rule_of(case)
    message = found.refused or (_describe_breach(rule, found) if rule else "")
    return source_result(case, found, command, message=message, credit=Fraction(0 if message else 1))


def _describe_breach(rule: SourceRule, found: Examined) -> str:
    """Describe the breach of a rule, in a sentence; "" when there is none."""
    if not found.files:
        return describe_no_file(rule.files, f"of {rule.language}")
    if rule.demand == "require":
        return "" if found.total else _describe_lack(rule, found)
    return _describe_spots(rule, found) if found.total else ""


def _describe_lack(rule: SourceRule, found: Examined) -> str:
    files = listed([quote(name) for name in found.files], most=_MAX_PLACES)
    is_one = len(found.files) == 1
    has, name, within = "has" if is_one else "have", quote(rule.name), quote(rule.within)
    if rule.within and not found.defines:
        return f"{files} {has} no function {within}; the assignment requires {_thing(rule)} in it."
    if rule.what == "function" or (rule.what == "recursion" and not found.defines):
        return f"{files} {has} no function {name}; the assignment requires it."
    if rule.what == "recursion":
        return f"Neither {name} nor a function that it calls calls itself; the assignment requires recursion."
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
        return f"{one_line(first.file)} has {count(int(first.what), 'line')}; {rule.most} are allowed."
    if rule.what == "lines-of-function":
        lines, _, name = first.what.partition(" ")
        message = f"{place}: the function {quote(name)} has {count(int(lines), 'line')}; {rule.most} are allowed"
    else:
        what = {"loop": "has a loop", "recursion": f"has {quote(first.what)}, which {_REPEATS}"}.get(rule.what)
        what = what or f"{_FOUND[rule.what]} {quote(first.what)}"
        message = f"{place} {what}{within}, which the assignment forbids: {quote(first.source)}"
    if found.total == 1:
        return f"{message}."
    others = [f"{one_line(spot.file)}:{spot.line}" for spot in found.spots[1 : _MAX_PLACES + 1]]
    more = found.total - 1 - len(others)
    return f"{message}; the same in {joined([*others, *([count(more, 'more place')] if more else [])])}."
