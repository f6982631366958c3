"""The findings of a rule in the source -> verdict and sentence: the place, and the line itself."""

from fractions import Fraction

from grader.core.model.report import CaseResult, Examined
from grader.core.model.spec import Case
from grader.core.notebook import file_of, place_text
from grader.core.text import count, joined, listed, one_line, quote
from grader.kinds.source_rules.model import SourceRule, name_counted, name_one
from grader.kinds.sources import describe_no_file, source_result

_MAX_PLACES, _MAX_LINES = 3, 6  # further places, and lines, that a sentence names
_UNITS = {"lines": "line", "depth": "block", "comments": "comment"}


def judge_rule(case: Case, facts: Examined) -> CaseResult:
    """Judge what a rule found in the source."""
    message = facts.refused or _describe_breach(SourceRule.required(case), facts)
    return source_result(case, facts, message=message, credit=Fraction(0 if message else 1))


def _describe_breach(rule: SourceRule, facts: Examined) -> str:
    """Describe the breach of a rule, in a sentence; "" when there is none."""
    if not facts.files:
        return describe_no_file(rule.files, f"of {rule.language}")
    if rule.demand != "require":
        return _describe_spots(rule, facts) if facts.total else ""
    if facts.total < rule.needed or (rule.within and not facts.defines):
        return _describe_lack(rule, facts)
    is_over = rule.most and facts.total > rule.most
    return f"{_describe_number(rule, facts)}; the assignment allows at most {rule.most}." if is_over else ""


def _describe_lack(rule: SourceRule, facts: Examined) -> str:
    files = listed([quote(name) for name in facts.files], most=_MAX_PLACES)
    is_one = len(facts.files) == 1
    has, name, within = "has" if is_one else "have", quote(rule.name), quote(rule.within)
    if rule.within and not facts.defines:
        return f"{files} {has} no function {within}; the assignment requires {name_one(rule, quote)} in it."
    if facts.total:
        return f"{_describe_number(rule, facts)}; the assignment asks for at least {rule.needed}."
    if rule.what == "recursion" and facts.defines:
        return f"Neither {name} nor a function that it calls calls itself; the assignment requires recursion."
    where, s = (f"The function {within}", "s") if rule.within else (files, "s" if is_one else "")
    asks = f"asks for at least {rule.needed}" if rule.needed > 1 else "requires it"
    if rule.what in ("call", "import"):
        return f"{where} never {rule.what}{s} {name}; the assignment {asks}."
    if rule.what == "loop" and rule.needed == 1:
        asks = "requires one"
    what = f"function {name}" if rule.what == "recursion" else name_counted(rule, 1, quote)
    return f"{where} {'has' if s else 'have'} no {what}; the assignment {asks}."


def _describe_number(rule: SourceRule, facts: Examined) -> str:
    """Say how many there are, and in which lines."""
    files = listed([quote(name) for name in facts.files], most=_MAX_PLACES)
    where = f"The function {quote(rule.within)}" if rule.within else files
    has = "has" if rule.within or len(facts.files) < 2 else "have"  # noqa: PLR2004 - a single file
    is_one = len(facts.files) == 1 and not rule.within and all(spot.file in facts.files for spot in facts.spots)
    lines = [str(spot.line) if is_one else place_text(one_line(spot.file), spot.line) for spot in facts.spots]
    places = list(dict.fromkeys(lines))
    is_whole = len(places) <= _MAX_LINES and facts.total == len(facts.spots)
    shown = joined(places if is_whole else [*places[:_MAX_LINES], "others"])
    s = "" if len(places) == 1 else "s"
    number = "one" if facts.total == 1 else str(facts.total)
    return f"{where} {has} {number} {name_counted(rule, facts.total, quote)} ({f'line{s} ' if is_one else ''}{shown})"


def _describe_spots(rule: SourceRule, facts: Examined) -> str:
    first = facts.spots[0]
    place = place_text(one_line(first.file), first.line)
    if unit := _UNITS.get(rule.what.partition("-of-")[0]):
        number, _, name = first.what.partition(" ")
        where = f"{place}: {f'the function {quote(name)}' if name else 'the code outside of functions'}"
        has = f"{count(int(number), unit) if int(number) else f'no {unit}'}{' within one another' * (unit == 'block')}"
        asks = f"the assignment asks for {f'at least {rule.least}' if rule.least > 1 else 'one'}"
        where = one_line(file_of(first.file)) if rule.what == "lines-of-file" else where
        message = f"{where} has {has}; {f'{rule.most} are allowed' if rule.most else asks}"
    else:
        verb = {"call": "calls", "import": "names", "function": "defines"}.get(rule.what, "has")
        what = name_one(rule, quote) if rule.what == "loop" else quote(first.what)
        what += ", which calls itself, directly or through others" if rule.what == "recursion" else ""
        within = f" in {quote(rule.within)}" if rule.within else ""
        message = f"{place} {verb} {what}{within}, which the assignment forbids: {quote(first.source)}"
    if facts.total == 1 or rule.what == "lines-of-file":
        return f"{message}."
    others = [place_text(one_line(spot.file), spot.line) for spot in facts.spots[1 : _MAX_PLACES + 1]]
    more = facts.total - 1 - len(others)
    return f"{message}; the same in {joined([*others, *([count(more, 'more place')] if more else [])])}."
