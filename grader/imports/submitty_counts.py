"""Counts by Submitty's `submitty_count` and `submitty_count_ts` -> rules on the source.

Both tools, and the rules, count in syntax trees; what they call a node without a word of its own, such as `for`, is a
token here.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.core.text import one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import text_or_word
from grader.imports.folder import safe_glob
from grader.imports.submitty_config import NoCounterpartError, number_of

_TOOL = re.compile(r"(?:/\S*/)?submitty_count(?:_(?P<what>ts|token|node|call))?(?=\s|$)")
_LANGUAGES = {"python": "python", "py": "python", "c": "c", "cpp": "cpp", "c++": "cpp", "java": "java"}
_ENDINGS = {".py": "python", ".c": "c", ".cpp": "cpp", ".cc": "cpp", ".hpp": "cpp", ".java": "java"}
_SIGNS = {"Equal": "=", "Asterisk": "*", "Plus": "+", "Minus": "-", "Slash": "/", "Percent": "%"}
"""names of tokens that the older tool has"""
_WORDS = frozenset(
    (
        "while",
        "for",
        "do",
        "if",
        "elif",
        "else",
        "switch",
        "case",
        "break",
        "continue",
        "goto",
        "return",
        "def",
        "lambda",
    )
).union(("class", "import", "from", "try", "except", "with", "global", "pass", "yield", "in", "is", "not", "and", "or"))
_NODES = {
    "For": {"loop": "for"},
    "While": {"loop": "while"},
    "for_statement": {"loop": "for"},
    "while_statement": {"loop": "while"},
    "do_statement": {"loop": "do"},
    "goto_statement": {"token": "goto"},
    "return_statement": {"token": "return"},
    "function_definition": {"function": "*"},
}
"""nodes with a word of their own that a rule counts in the same way"""
_BOUNDS: Mapping[str, tuple[int | None, int | None]] = {
    "ge": (0, None),
    "gt": (1, None),
    "le": (None, 0),
    "lt": (None, -1),
    "eq": (0, 0),
}
"""comparison -> what is added to the term for the least, and for the most"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCount:
    """What a command counts, and in which files."""

    language: str
    rule: Mapping[str, str]
    """`{call: print}`, as a rule on the source says it; `{depth: loop}` for how deep loops are in one another"""
    files: Sequence[str]


def is_count(line: str) -> bool:
    """Whether a command counts what a source has, by a tool of Submitty's."""
    return bool(_TOOL.match(line.strip()))


def read_count(line: str) -> SourceCount:
    """Read a command that counts; NoCounterpartError where no rule counts the same."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise NoCounterpartError(f"`{one_line(line, 80)}` is no command: {error}") from error
    tool = _TOOL.fullmatch(words[0])
    language = ""
    if "-l" in words:
        place = words.index("-l")
        language = _LANGUAGES.get(words[place + 1].lower(), "?") if place + 1 < len(words) else "?"
        del words[place : place + 2]
    what = tool["what"] if tool else "?"
    kind = what if what in ("token", "node", "call") else ""
    rest = words[1:] if kind else words[2:]
    kind = kind or (words[1] if len(words) > 1 else "")
    if tool is None or len(rest) < 2:  # noqa: PLR2004 - what is counted, and a file
        raise NoCounterpartError(f"`{one_line(line, 80)}` does not say what to count, and in which files")
    files = [safe_glob(name) for name in rest[1:]]
    language = language or next((_ENDINGS[end] for end in _ENDINGS if files[0].endswith(end)), "?")
    if language == "?":
        raise NoCounterpartError(f"`{one_line(line, 80)}`: there are no rules on the source for this language")
    return SourceCount(language=language, rule=_rule(kind, rest[0], line), files=files)


def _rule(kind: str, feature: str, line: str) -> Mapping[str, str]:
    if kind in ("call", "function") and re.fullmatch(r"[A-Za-z_]\w*", feature):
        return {kind: feature}
    if kind == "identifier" or (kind == "depth" and feature == "loop"):
        return {"token" if kind == "identifier" else kind: feature}
    if kind == "node" and feature in _NODES:
        return _NODES[feature]
    if kind in ("token", "node"):
        if (sign := _SIGNS.get(feature)) or feature.lower() in _WORDS:
            return {"token": sign or feature.lower()}
        if re.fullmatch(r"[a-z]+|[^\w\s]{1,3}", feature):
            return {"token": feature}
    raise NoCounterpartError(
        f"`{one_line(line, 80)}`: no rule on the source counts this {one_line(kind or 'kind', 20)}"
    )


def source_of_count(count: SourceCount, comparison: object, term: object) -> Mapping[str, Node] | None:
    """Return what stands under `source` for a count that is compared with a number; None where that always holds."""
    number = int(number_of(term, -1.5))
    least: int | None = 1
    most: int | None = None
    if comparison == "ne" and number == 0:
        pass
    elif isinstance(comparison, str) and comparison in _BOUNDS and number_of(term, -1.5) == number:
        low, high = _BOUNDS[comparison]
        least, most = (None if bound is None else number + bound for bound in (low, high))
    else:
        raise NoCounterpartError("a count that is compared in no way that a rule on the source has")
    if most is not None and most < 0:
        raise NoCounterpartError("a count below 0, which no program has")
    forbid, require = _bounded(count.rule, least or 0, most)
    rules = {key: listing([table(rule)]) for key, rule in (("forbid", forbid), ("require", require)) if rule}
    return {**rules, "files": listing(map(quoted, count.files))} if rules else None


def _bounded(rule: Mapping[str, str], least: int, most: int | None) -> tuple[Mapping[str, Node], Mapping[str, Node]]:
    """Return what is forbidden and what is required."""
    if "depth" in rule:
        loop = {"loop": plain("anywhere")}
        forbid = {**loop, "depth": plain(str(most + 1))} if most is not None else {}
        return forbid, {**loop, "depth": plain(str(least))} if least > 0 else {}
    node = {key: text_or_word(value) if key == "loop" else quoted(escaped(value)) for key, value in rule.items()}
    if most == 0:
        return node, {}
    bounds = {"at-least": least, "at-most": most or 0}
    return {}, {**node, **{key: plain(str(value)) for key, value in bounds.items() if value > 0}} if any(
        value > 0 for value in bounds.values()
    ) else {}
