"""`source` of a test: rules on the source of a submission. Each is a case of the test, and nothing is run for it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case
from grader.core.reader.language import CASE
from grader.core.text import joined
from grader.core.yaml.value import (
    Value,
    each_of,
    fields,
    get,
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
from grader.kinds.source_rules.counting import MAX_LOOPS_AROUND
from grader.kinds.source_rules.keys import SOURCE, SOURCE_BOUNDS, SOURCE_LEAST, SOURCE_RULE
from grader.kinds.source_rules.model import GRAMMARS, STATEMENTS, Demand, LoopForm, SourceRule
from grader.kinds.sources import NOTEBOOK_SOURCES

_KINDS = tuple(name for name, key in SOURCE_RULE.items() if key.alternative)
_DEMANDS: tuple[Demand, ...] = ("forbid", "require")
_BOUND = parsed(parse_count, "a number of lines, 1 or more", 1)
_COUNT = parsed(parse_count, "a number, 1 or more", 1)
_LOOP = lazy_regex(r"(?:anywhere|(?P<forms>[a-z]+(?: or [a-z]+)*)?(?:(?:^|\s+)in\s+(?P<within>\S+))?)")
_FORMS: tuple[LoopForm, ...] = (*STATEMENTS, "comprehension")
_ABSENT: Mapping[LoopForm, tuple[str, ...]] = {"do": ("python",), "comprehension": ("java", "c", "cpp")}
"""forms of a loop that a language does not have"""
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
    files = files or (NOTEBOOK_SOURCES if value.context.has_notebooks else ())
    rule = partial(SourceRule, language=language, files=files)
    mistakes = len(value.context.problems)
    made = False
    for demand in _DEMANDS:
        for item in items(found[demand]) if demand in found else ():
            made = True
            parts = fields(item, SOURCE_RULE)
            kinds = [kind for kind in _KINDS if kind in parts]
            if len(kinds) == 1:
                asked = _read_what(kinds[0], parts, language) | _read_counts(demand, kinds[0], parts)
                yield rule(demand=demand, what=kinds[0], **asked)
            elif is_understood(item, parts):
                unwanted(item, f"one of {joined(_KINDS, 'or')}, such as {{call: System.exit}}")
    bounds = fields(found["most"], SOURCE_BOUNDS) if "most" in found else {}
    for what, bound in bounds.items():
        yield rule(demand="most", what=what, most=(_BOUND if what.startswith("lines") else _COUNT)(bound))
    least = fields(found["least"], SOURCE_LEAST) if "least" in found else {}
    for what, bound in least.items():
        yield rule(demand="least", what=what, least=_COUNT(bound))
    if not (made or bounds or least) and len(value.context.problems) == mistakes and is_understood(value, found):
        unwanted(value, "at least one rule under forbid, require, most or least")


def _read_what(kind: str, parts: Mapping[str, Value], language: str) -> dict[str, Any]:
    """Return what a rule asks about: its name, the function in which alone it counts, the forms of a loop."""
    if "in" in parts and kind not in ("call", "token"):
        wrong(parts["in"], f"in belongs to call or token, and not to {kind}")
    if "depth" in parts and kind != "loop":
        wrong(parts["depth"], f"depth belongs to loop, and not to {kind}")
    if kind == "loop":
        return _read_loop(parts[kind], language) | {"depth": get(parts, "depth", _read_depth, 1)}
    within = _read_name(parts["in"]) if "in" in parts else ""
    return {"name": _read_token(parts[kind]) if kind == "token" else _read_name(parts[kind]), "within": within}


def _read_counts(demand: Demand, kind: str, parts: Mapping[str, Value]) -> dict[str, Any]:
    """Return how many there have to be, and how many there may be."""
    if demand == "forbid":
        for key in {"at-least", "at-most"} & parts.keys():
            wrong(parts[key], f"what is forbidden is not there at all: put this rule with {key} under require")
        return {}
    most = get(parts, "at-most", _COUNT, 0)
    least = get(parts, "at-least", _COUNT, 0 if most else 1)
    if most and kind == "recursion":
        wrong(parts["at-most"], "at-most has no meaning for recursion: forbid it, or leave at-most out")
    if most and least > most:
        wrong(parts["at-least"], f"at least {least} and at most {most} is impossible: correct one of them")
    return {"least": least, "most": most}


def _read_depth(value: Value) -> int:
    depth = _COUNT(value)
    if depth > MAX_LOOPS_AROUND:
        unwanted(value, f"a number up to {MAX_LOOPS_AROUND}")
    return depth


def _read_loop(value: Value, language: str) -> dict[str, Any]:
    found = _LOOP.fullmatch(text(value).strip())
    forms = tuple(form for form in _FORMS if form in (found["forms"] or "").split()) if found else ()
    if not found or not found[0] or any(one not in (*_FORMS, "or") for one in (found["forms"] or "").split()):
        unwanted(value, "anywhere, in and the name of a function, such as in findSolutions, or forms: for or while")
    for form in forms:
        if language in _ABSENT.get(form, ()):
            wrong(value, f"{language} has no loop of the form {in_quotes(form)}: leave it out")
    return {"forms": forms or STATEMENTS, "within": (found["within"] if found else "") or ""}


def _read_token(value: Value) -> str:
    token = text(value).strip()
    if not token or not token.isprintable() or " " in token:
        unwanted(value, "a token in one word, such as goto or ++")
        return "*"
    return token


def _read_name(value: Value) -> str:
    name = text(value).strip().removesuffix("()")
    if not name or not name.isprintable() or " " in name:
        unwanted(value, "a name, or a glob, in one word")
        return "*"
    if "(" in name:
        wrong(value, f"{in_quotes(name)} is no name: leave the arguments out")
    return name
