"""A `config.json` of Submitty as real ones are: JSON with comments and directives of the C preprocessor."""

import json
import re
from collections.abc import Mapping
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.folder import Folder, safe_path, unique_keys

_MAX_DEPTH = 10
_MAX_NUMBER = 10**9
_MAX_TEXT = 4 * 2**20
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*?)[ \t]*$")
_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|\b[A-Za-z_]\w*\b')


class NoCounterpartError(Exception):
    """Why a part of a configuration cannot be carried over."""


def read_config(folder: Folder, name: str = "config.json") -> Mapping[str, Any]:
    """Read the configuration of an assignment; UsageError with the reason when it is none."""
    path = folder.path / name
    defined: dict[str, str] = {}
    text = _preprocessed(folder, name, defined, 0)
    try:
        found = json.loads(text, object_pairs_hook=unique_keys, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        near = one_line(text[max(0, error.pos - 30) : error.pos + 30])
        raise UsageError(f"{path} is not JSON: {error.msg} near {near!r}") from error
    except RecursionError as error:
        raise UsageError(f"{path} is nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {one_line(str(error))}") from error
    if not isinstance(found, dict) or not isinstance(found.get("testcases"), list):
        raise UsageError(f"{path} has no list of testcases: name the config folder of an assignment of Submitty")
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _preprocessed(folder: Folder, name: str, defined: dict[str, str], depth: int) -> str:
    """Return the text of a file without comments, and with its directives carried out."""
    if depth > _MAX_DEPTH:
        raise UsageError(f"{folder.path / name}: #include goes round, or is nested more than {_MAX_DEPTH} deep")
    text = _TOKEN.sub(lambda found: found[0] if found[0][0] == '"' else _as_blank(found[0]), folder.text(name))
    lines: list[str] = []
    shown = [True]
    for line in text.split("\n"):
        if (found := _DIRECTIVE.match(line)) is None:
            if all(shown):
                lines.append(_WORD.sub(lambda word: defined.get(word[0], word[0]), line))
        elif found[1] in ("ifdef", "ifndef"):
            shown.append((found[2] in defined) == (found[1] == "ifdef"))
        elif found[1] in ("else", "endif") and len(shown) > 1:
            was = shown.pop()
            shown += [not was] if found[1] == "else" else []
        elif all(shown):
            lines.append(_carried_out(folder, name, found, defined, depth))
        if sum(map(len, lines)) > _MAX_TEXT:
            raise UsageError(f"{folder.path / name} has more than {_MAX_TEXT // 2**20} MiB with what it includes")
    return "\n".join(lines)


def _as_blank(comment: str) -> str:
    return "\n" * comment.count("\n") or " "


def _carried_out(folder: Folder, name: str, found: re.Match[str], defined: dict[str, str], depth: int) -> str:
    word, rest = found[1], found[2]
    if word == "include" and re.fullmatch(r'["<][^">]+[">]', rest):
        above = name.rpartition("/")[0]
        return _preprocessed(folder, safe_path(f"{above}/{rest[1:-1]}" if above else rest[1:-1]), defined, depth + 1)
    if word == "define" and (parts := re.fullmatch(r"(\w+)(?:[ \t]+(.*))?", rest)):
        defined[parts[1]] = parts[2] or ""
        return ""
    if word == "undef":
        defined.pop(rest, None)
        return ""
    raise UsageError(f"{folder.path / name}: `#{word} {one_line(rest)}` cannot be carried out; write what it makes")


def words_of(value: Any) -> list[str]:
    """Return a text, or a list of texts, as a list."""
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list) else []


def number_of(value: Any, otherwise: float) -> float:
    """Return a number of the configuration."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER
    return float(value) if is_number else otherwise
