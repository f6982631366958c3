"""`source` of a test: rules on the source of a submission. Each is a case of the test, and nothing is run for it."""

from collections.abc import Iterator, Mapping
from functools import partial

from grader.core.model import Case
from grader.core.text import joined
from grader.core.yaml.value import (
    Key,
    Keys,
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
from grader.kinds.source_rules.model import GRAMMARS, Demand, SourceRule
from grader.kinds.style.reader import STYLE, style_case

SOURCE: Keys = {
    "files": Key(
        about="Names or globs of the files that are looked at. Without it, all of the language that were handed in.",
        kind="names",
    ),
    "forbid": Key(about="What the source must not have; each is a case.", kind="source-rules"),
    "require": Key(about="What the source has to have; each is a case.", kind="source-rules"),
    "most": Key(about="What there may be so much of and no more; each is a case.", kind="source-bounds"),
}
SOURCE_RULE: Keys = {
    "call": Key(
        about="A call of this name, or a glob; what is in front of it may be left out.",
        kind="source-name",
        examples=("System.exit", "std::sort"),
        alternative=True,
    ),
    "import": Key(
        about="An import of this name, or a glob, or of a part of it; in C, what is included.",
        kind="source-name",
        examples=("java.util.*", "os"),
        alternative=True,
    ),
    "loop": Key(
        about="A loop: anywhere, or in a function.",
        kind="source-loop",
        examples=("in findSolutions", "anywhere"),
        alternative=True,
    ),
    "recursion": Key(
        about="A function of this name that calls itself, directly or through others of its file.",
        kind="source-name",
        examples=("findSolutions", "*"),
        alternative=True,
    ),
    "function": Key(
        about="A function of this name that is defined.",
        kind="source-name",
        examples=("placeQueen", "Queens.main"),
        alternative=True,
    ),
    "in": Key(about="The function in which alone a call counts.", kind="source-name", beside="call"),
}
SOURCE_BOUNDS: Keys = {
    "lines-of-function": Key(about="Lines of each function, with its heading.", kind="count", examples=(60,)),
    "lines-of-file": Key(about="Lines of each file.", kind="count", examples=(500,)),
}
KEYS_OF_SOURCES: Keys = {
    "source": Key(
        about="Rules on the source instead of runs of the program: what it must not have, and what it has to have.",
        kind="source-test",
        examples=({"forbid": [{"call": "System.exit"}], "require": [{"recursion": "solve"}]},),
    ),
    "style": Key(
        about="A tool that looks at the style of the source, instead of runs of the program; each finding may cost.",
        kind="style-test",
        examples=({"run": "ruff", "select": ["E", "F"], "free": 3, "costs": 0.5},),
    ),
}
"""those of a test that is about the source"""
TABLES_OF_SOURCES: Mapping[str, Keys] = {
    "source-test": SOURCE,
    "source-rule": SOURCE_RULE,
    "source-bounds": SOURCE_BOUNDS,
    "style-test": STYLE,
}
_KINDS = tuple(name for name, key in SOURCE_RULE.items() if key.alternative)
_DEMANDS: tuple[Demand, ...] = ("forbid", "require")
_COUNT = parsed(parse_count, "a number of lines, 1 or more", 1)
_ANYWHERE, _IN = "anywhere", "in "
_SHARED = frozenset({"cases", "each", "functions", "repeat", "patience"})
"""keys of a test that have no meaning beside `source`, and are none of a case"""


def source_cases(name: str, found: Mapping[str, Value], case_keys: Mapping[str, object]) -> Iterator[Case]:
    """Iterate over the cases of a test with `source` or `style`; a key beside it that is about runs is a mistake."""
    if "style" in found:
        yield style_case(name, found, case_keys)
        return
    for key in (*sorted(_SHARED), *case_keys):
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
