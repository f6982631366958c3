"""Counts by Submitty's `submitty_count` and `submitty_count_ts` -> rules on the source.

Both tools, and the rules, count in syntax trees; what they call a node without a word of its own, such as `for`, is a
token here.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grader.core.text import one_line
from grader.imports.draft import Data
from grader.imports.folder import safe_glob
from grader.imports.submitty_config import NoCounterpartError, number_of

_TOOL = re.compile(r"(?:/\S*/)?submitty_count(?:_(?P<what>ts|token|node|call))?(?=\s|$)")
_LANGUAGES = {"python": "python", "py": "python", "c": "c", "cpp": "cpp", "c++": "cpp", "java": "java"}
_ENDINGS = {".py": "python", ".c": "c", ".cpp": "cpp", ".cc": "cpp", ".hpp": "cpp", ".java": "java"}
_SIGNS = {"Equal": "=", "Asterisk": "*", "Plus": "+", "Minus": "-", "Slash": "/", "Percent": "%"}
"""names of tokens that the older tool has"""
_WORDS = """while for do if elif else switch case break continue goto return def lambda class import from try except
with global pass yield in is not and or"""
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
_BOUNDS: Mapping[object, tuple[int | None, int | None]] = {
    "ge": (0, None),
    "gt": (1, None),
    "le": (None, 0),
    "lt": (None, -1),
    "eq": (0, 0),
}
"""comparison -> what is added to the term for the least, and for the most"""


class SourceCount(NamedTuple):
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
    shown = f"`{one_line(line, 80)}`"
    try:
        first, *words = shlex.split(line)
    except ValueError as error:
        raise NoCounterpartError(f"{shown} is no command: {error}") from error
    language = ""
    if "-l" in words:
        place = words.index("-l")
        language = _LANGUAGES.get(" ".join(words[place + 1 : place + 2]).lower(), "?")
        del words[place : place + 2]
    tool = _TOOL.fullmatch(first)
    if tool and tool["what"] in ("token", "node", "call"):
        words = [tool["what"], *words]
    if tool is None or len(words) < 3:  # noqa: PLR2004 - a kind, what is counted, and a file
        raise NoCounterpartError(f"{shown} does not say what to count, and in which files")
    kind, feature, *files = words
    language = language or next((_ENDINGS[end] for end in _ENDINGS if files[0].endswith(end)), "?")
    if language == "?":
        raise NoCounterpartError(f"{shown}: there are no rules on the source for this language")
    return SourceCount(language, _rule(kind, feature, shown), [safe_glob(name) for name in files])


def _rule(kind: str, feature: str, shown: str) -> Mapping[str, str]:
    if kind in ("call", "function") and re.fullmatch(r"[A-Za-z_]\w*", feature):
        return {kind: feature}
    if kind == "identifier" or (kind == "depth" and feature == "loop"):
        return {"token" if kind == "identifier" else kind: feature}
    if kind == "node" and feature in _NODES:
        return _NODES[feature]
    if kind in ("token", "node"):
        if (sign := _SIGNS.get(feature)) or feature.lower() in _WORDS.split():
            return {"token": sign or feature.lower()}
        if re.fullmatch(r"[a-z]+|[^\w\s]{1,3}", feature):
            return {"token": feature}
    raise NoCounterpartError(f"{shown}: no rule on the source counts this {one_line(kind or 'kind', 20)}")


def source_of_count(count: SourceCount, comparison: object, term: object) -> Mapping[str, Data] | None:
    """Return what stands under `source` for a count that is compared with a number; None where that always holds."""
    number = int(number_of(term, -1.5))
    least, most = 0, None
    if comparison == "ne" and number == 0:
        least = 1
    elif comparison in _BOUNDS and number_of(term, -1.5) == number:
        low, high = _BOUNDS[comparison]
        least, most = 0 if low is None else number + low, None if high is None else number + high
    else:
        raise NoCounterpartError("a count that is compared in no way that a rule on the source has")
    if most is not None and most < 0:
        raise NoCounterpartError("a count below 0, which no program has")
    forbid: Mapping[str, Data] = {}
    require: Mapping[str, Data] = {}
    if "depth" in count.rule:
        forbid = {"loop": "anywhere", "depth": most + 1} if most is not None else {}
        require = {"loop": "anywhere", "depth": least} if least > 0 else {}
    elif most == 0:
        forbid = count.rule
    elif least > 0 or most:
        require = {**count.rule, "at-least": least if least > 0 else None, "at-most": most}
    rules = {key: [rule] for key, rule in (("forbid", forbid), ("require", require)) if rule}
    return {**rules, "files": count.files} if rules else None
