"""`source` of a test: rules on the source of a submission. Each is a case of the test, and nothing is run for it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grader.core.kind import CaseParts
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case
from grader.core.text import joined
from grader.core.yaml.types import read_as, read_given, refuse
from grader.core.yaml.value import Fields, Value, fields, in_quotes, items, text, unwanted, wrong
from grader.kinds.source_rules.model import GRAMMARS, STATEMENTS, LoopForm, SourceRule
from grader.kinds.source_rules.queries import MAX_LOOPS_AROUND
from grader.kinds.sources import NOTEBOOK_SOURCES

_LOOP = lazy_regex(r"(?:anywhere|(?P<forms>[a-z]+(?: or [a-z]+)*)?(?:(?:^|\s+)in\s+(?P<within>\S+))?)")
_FORMS: tuple[LoopForm, ...] = (*STATEMENTS, "comprehension")
_ABSENT: Mapping[LoopForm, tuple[str, ...]] = {"do": ("python",), "comprehension": ("java", "c", "cpp")}
"""forms of a loop that a language does not have"""


def read_test(name: str, test_keys: Fields, _read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Iterate over the cases of a test with `source`."""
    for rule in (rules := list(_read_rules(test_keys["source"]))):
        yield Case(id=f"{name}[{rule.text}]" if len(rules) > 1 else name, kind="source", payload=rule)


def _read_rules(value: Value) -> Iterator[SourceRule]:
    language, keys, mistakes = value.context.language, fields(value, "source-test"), len(value.context.problems)
    if language not in GRAMMARS:
        wrong(value, f"there are rules on the source for {joined(GRAMMARS)}, and none for {language}: take source out")
    files = read_given(keys, "files").get("files") or NOTEBOOK_SOURCES * value.context.has_notebooks
    rules = [
        {"demand": demand, **_read_rule(item, demand)}
        for demand in ("forbid", "require")
        for item in (items(keys[demand]) if demand in keys else ())
    ]
    for demand, table in (("most", "source-bounds"), ("least", "source-least")):
        for what, bound in (fields(keys[demand], table) if demand in keys else {}).items():
            rules.append({"demand": demand, "what": what, demand: read_as("count")(bound)})
    if not rules and len(value.context.problems) == mistakes and keys.are_known:
        unwanted(value, "at least one rule under forbid, require, most or least")
    for rule in (rule for rule in rules if "what" in rule):
        yield SourceRule(**rule, language=language, files=files)


def _read_rule(value: Value, demand: str) -> dict[str, Any]:
    """Read a rule as keyword arguments of `SourceRule`; nothing where that is not known."""
    keys = fields(value, "source-rule")
    if not (what := keys.chosen):
        return {}
    if "in" in keys and what not in ("call", "token"):
        wrong(keys["in"], f"in belongs to call or token, and not to {what}")
    why = "what is forbidden is not there at all: put this rule with {} under require"
    refuse(keys, ("at-least", "at-most") if demand == "forbid" else (), why)
    read = read_given(keys)
    own, most = read.pop(what), read.get("most", 0)
    least = read.setdefault("least", int(demand == "require" and not most))
    if read.get("depth", 1) > MAX_LOOPS_AROUND:
        unwanted(keys["depth"], f"a number up to {MAX_LOOPS_AROUND}")
    if most and what == "recursion":
        wrong(keys["at-most"], "at-most has no meaning for recursion: forbid it, or leave at-most out")
    if most and least > most:
        wrong(keys["at-least"], f"at least {least} and at most {most} is impossible: correct one of them")
    return {"what": what, **(own if what == "loop" else {"name": own}), **read}


def read_loop(value: Value) -> dict[str, Any]:
    """Read which loops are meant, as keyword arguments of `SourceRule`."""
    match, language = _LOOP.fullmatch(text(value).strip()), value.context.language
    written = (match["forms"] or "").split() if match else []
    if not match or not match[0] or any(word not in (*_FORMS, "or") for word in written):
        unwanted(value, "anywhere, in and the name of a function, such as in findSolutions, or forms: for or while")
    forms = tuple(form for form in _FORMS if form in written)
    for form in forms:
        if language in _ABSENT.get(form, ()):
            wrong(value, f"{language} has no loop of the form {in_quotes(form)}: leave it out")
    return {"forms": forms or STATEMENTS, "within": (match["within"] if match else "") or ""}


def read_source_name(value: Value) -> str:
    """Read the name of a function or an import, or a glob."""
    name = text(value).strip().removesuffix("()")
    if not name or not name.isprintable() or " " in name:
        unwanted(value, "a name, or a glob, in one word")
    elif "(" in name:
        wrong(value, f"{in_quotes(name)} is no name: leave the arguments out")
    return name
