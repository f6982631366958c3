"""`source` of a test: rules on the source of a submission. Each is a case of the test, and nothing is run for it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from grader.core.model import Case
from grader.core.reader.language import CASE
from grader.core.text import joined
from grader.core.yaml.value import (
    Value,
    each_of,
    fields,
    in_quotes,
    inner_name,
    is_understood,
    items,
    parse_count,
    parsed,
    text,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts
from grader.kinds.source_rules.keys import SOURCE, SOURCE_BOUNDS, SOURCE_RULE
from grader.kinds.source_rules.model import GRAMMARS, Demand, SourceRule

_KINDS = tuple(name for name, key in SOURCE_RULE.items() if key.alternative)
_DEMANDS: tuple[Demand, ...] = ("forbid", "require")
_COUNT = parsed(parse_count, "a number of lines, 1 or more", 1)
_ANYWHERE, _IN = "anywhere", "in "
_SHARED = frozenset({"cases", "each", "functions", "repeat", "patience"})
"""keys of a test that have no meaning together with `source`, and do not belong to a case"""


def read_test(name: str, found: Mapping[str, Value], _read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Iterate over the cases of a test with `source`; a key of runs next to it is a mistake."""
    for key in (*sorted(_SHARED), *CASE):
        if key in found and key != "source":
            wrong(found[key], f"{key} has no meaning beside source, for which nothing is run: make a test of its own")
    rules = list(_read_rules(found["source"]))
    for rule in rules:
        yield Case(id=f"{name}[{rule.text}]" if len(rules) > 1 else name, kind="source", payload=rule)


def _read_rules(value: Value) -> Iterator[SourceRule]:
    language, found = value.context.language, fields(value, SOURCE)
    if language not in GRAMMARS:
        known = joined(GRAMMARS)
        wrong(value, f"there are rules on the source for {known}, and none for {language}: take source out")
    files = each_of(inner_name)(found["files"]) if "files" in found else ()
    rule = partial(SourceRule, language=language, files=files)
    mistakes = len(value.context.problems)
    made = False
    for demand in _DEMANDS:
        for item in items(found[demand]) if demand in found else ():
            made = True
            parts = fields(item, SOURCE_RULE)
            kinds = [kind for kind in _KINDS if kind in parts]
            if len(kinds) == 1:
                called, within = _read_names(kinds[0], parts)
                yield rule(demand=demand, what=kinds[0], name=called, within=within)
            elif is_understood(item, parts):
                unwanted(item, f"one of {joined(_KINDS, 'or')}, such as {{call: System.exit}}")
    bounds = fields(found["most"], SOURCE_BOUNDS) if "most" in found else {}
    for what, bound in bounds.items():
        yield rule(demand="most", what=what, most=_COUNT(bound))
    if not (made or bounds) and len(value.context.problems) == mistakes and is_understood(value, found):
        unwanted(value, "at least one rule under forbid, require or most")


def _read_names(kind: str, parts: Mapping[str, Value]) -> tuple[str, str]:
    """Return the name that a rule asks about, and the function in which alone it counts."""
    if "in" in parts and kind != "call":
        wrong(parts["in"], f"in belongs to call, and not to {kind}")
    if kind != "loop":
        return _read_name(parts[kind]), _read_name(parts["in"]) if "in" in parts else ""
    where = text(parts[kind]).strip()
    within = where.removeprefix(_IN).strip() if where.startswith(_IN) else ""
    if not within and where != _ANYWHERE:
        unwanted(parts[kind], "anywhere, or in and the name of a function, such as in findSolutions")
    return "*", within


def _read_name(value: Value) -> str:
    name = text(value).strip().removesuffix("()")
    if not name or not name.isprintable() or " " in name:
        unwanted(value, "a name, or a glob, in one word")
        return "*"
    if "(" in name:
        wrong(value, f"{in_quotes(name)} is no name: leave the arguments out")
    return name
