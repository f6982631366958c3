"""A `config.json` of Submitty as real ones are: JSON with comments and `#include`."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.reader.files import read_data
from grader.core.text import one_line
from grader.imports.command_lines import with_python3
from grader.imports.draft import Data
from grader.imports.folder import Folder, parse_json, safe_glob, safe_path
from grader.imports.losses import LOSSES

SUBMITTY: Mapping[str, Any] = read_data(Path(__file__).with_name("submitty.yaml"))
_MAX_DEPTH = 10
_MAX_NUMBER = 10**9
_MAX_TEXT = 4 * 2**20
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DIRECTIVE = re.compile(r'#\s*(?:include\s+["<](?P<file>[^">]+)[">]|(?P<other>.*))')
LEFT_OUT = {rule: rule.removeprefix("config.") for rule in LOSSES["submitty"] if rule.startswith("config.")}
_PROGRAMS = (
    (r"^(?:drmemory\s.*?--\s+|valgrind(?:\s+-\S+)*\s+)", ""),
    (r"^/usr/\S*/", ""),
    (r"^python(?:3(?:\.\d+)?)?(?=\s|$)", "python3"),
)
"""what stands before a program, or for it -> what does here"""
_COMPILERS = (
    (r"(?:-cp|-classpath)\s+\S*submitty\S*\s*", ""),
    (r"^clang\+\+(?=\s|$)", "g++"),
    (r"^clang(?=\s|$)", "gcc"),
    (r" -- | -m32 ", " "),
    (r" \*cpp", " *.cpp"),
)


class NoCounterpartError(Exception):
    """Why a part of a configuration cannot be carried over."""


def read_config(folder: Folder) -> Mapping[str, Any]:
    """Read the configuration of an assignment; UsageError with the reason when it is none."""
    path = folder.path / "config.json"
    found = parse_json(_preprocessed(folder, "config.json", 0), path)
    if not isinstance(found, dict) or not isinstance(found.get("testcases"), list):
        raise UsageError(f"{path} has no list of testcases: name the config folder of an assignment of Submitty")
    return found


def _preprocessed(folder: Folder, name: str, depth: int) -> str:
    """Return the text of a file without comments, and with what it includes."""
    path = folder.path / name
    if depth > _MAX_DEPTH:
        raise UsageError(f"{path}: #include goes round, or is nested more than {_MAX_DEPTH} deep")
    text = _TOKEN.sub(
        lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n") or " ", folder.text(name)
    )
    lines = text.split("\n")
    size = len(text)
    for place, line in enumerate(lines):
        if (found := _DIRECTIVE.fullmatch(line.strip())) is None:
            continue
        if not found["file"]:
            raise UsageError(f"{path}: `#{one_line(found['other'])}` cannot be carried out; write what it makes")
        inner = safe_path(f"{name.rpartition('/')[0]}/{found['file']}".lstrip("/"))
        lines[place] = _preprocessed(folder, inner, depth + 1)
        size += len(lines[place])
        if size > _MAX_TEXT:
            raise UsageError(f"{path} has more than {_MAX_TEXT // 2**20} MiB with what it includes")
    return "\n".join(lines)


def words_of(value: Any) -> list[str]:
    """Return a text, or a list of texts, as a list."""
    return [value] if isinstance(value, str) else [str(one) for one in value] if isinstance(value, list) else []


def mappings_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def number_of(value: Any, otherwise: float) -> float:
    """Return a number of the configuration."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER
    return float(value) if is_number else otherwise


def unknown_keys(config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the keys of a configuration that Submitty does not know, each with its place."""
    parts: list[tuple[str, Mapping[str, Any], str]] = [("config.json", config, "config.json")]
    for number, case in enumerate(cases):
        parts.append(("case", case, f"testcases[{number}]"))
        validation = enumerate(mappings_of(case.get("validation")))
        parts += [("validator", one, f"testcases[{number}].validation[{n}]") for n, one in validation]
    for kind, values, place in parts:
        if values.get("method") != "custom_validator":  # whose keys are its own
            names = values.keys() - {*SUBMITTY["keys"][kind], *(LEFT_OUT.values() if kind == "config.json" else ())}
            yield from (f"`{one_line(name, 40)}` of {place}" for name in sorted(names))


# ---------------------------------------------------------------- commands of a test case


def is_compilation_case(case: Mapping[str, Any]) -> bool:
    """Whether a test case compiles what is handed in."""
    return case.get("type") == "Compilation"


def case_commands(case: Mapping[str, Any]) -> list[str]:
    """Return the commands of a test case, also those of its only container, for the programs that are here."""
    containers = case.get("containers")
    if isinstance(containers, list) and len(containers) == 1 and isinstance(containers[0], dict):
        case = {**case, "command": containers[0].get("commands")}
    found = []
    for line in map(str.strip, words_of(case.get("command"))):
        for pattern, text in (*_PROGRAMS, *(_COMPILERS if is_compilation_case(case) else ())):
            line = re.sub(pattern, text, line)  # noqa: PLW2901
        found.append(with_python3(line))
    return found


# ---------------------------------------------------------------- counts by submitty_count, as rules on the source

_TOOL = re.compile(r"(?:/\S*/)?submitty_count(?:_(?:ts|(?P<what>token|node|call)))?(?=\s|$)(?P<rest>.*)", re.DOTALL)


class SourceCount(NamedTuple):
    """What a command counts, and in which files."""

    language: str
    rule: Mapping[str, str]
    """`{call: print}`, as a rule on the source says it"""
    files: Sequence[str]


def is_count(line: str) -> bool:
    """Whether a command counts what a source has, by a tool of Submitty's."""
    return bool(_TOOL.match(line.strip()))


def read_count(line: str) -> SourceCount:
    """Read a command that counts; NoCounterpartError where no rule counts the same."""
    shown, tool = f"`{one_line(line, 80)}`", _TOOL.match(line.strip())
    language = re.search(r"\s-l\s+(\S+)", line)
    try:
        words = shlex.split(re.sub(r"\s-l(?:\s+\S+|$)", " ", tool["rest"] if tool else ""))
    except ValueError as error:
        raise NoCounterpartError(f"{shown} is no command: {error}") from error
    if tool and tool["what"]:
        words = [tool["what"], *words]
    kind, feature, files = "".join(words[:1]), "".join(words[1:2]), [safe_glob(name) for name in words[2:]]
    if not files:
        raise NoCounterpartError(f"{shown} does not say what to count, and in which files")
    if not language or language[1].lower() not in SUBMITTY["languages"]:
        raise NoCounterpartError(f"{shown}: there are no rules on the source for this language")
    return SourceCount(SUBMITTY["languages"][language[1].lower()], _rule(kind, feature, shown), files)


def _rule(kind: str, feature: str, shown: str) -> Mapping[str, str]:
    if kind in ("call", "function") and re.fullmatch(r"[A-Za-z_]\w*", feature):
        return {kind: feature}
    if kind in ("token", "node") and feature in SUBMITTY["features"]:
        return dict(SUBMITTY["features"][feature])
    if kind == "identifier" or (kind in ("token", "node") and re.fullmatch(r"[a-z]+|[^\w\s]{1,3}", feature)):
        return {"token": feature}
    raise NoCounterpartError(f"{shown}: no rule on the source counts this {one_line(kind or 'kind', 20)}")


def source_of_count(count: SourceCount, comparison: object, term: object) -> Mapping[str, Data] | None:
    """Return what stands under `source` for a count that is compared with a number; None where that always holds."""
    number = term if type(term) is int and abs(term) < _MAX_NUMBER else -1
    bounds: Mapping[object, tuple[int, int | None]] = {
        "ge": (number, None),
        "gt": (number + 1, None),
        "le": (0, number),
        "lt": (0, number - 1),
        "eq": (number, number),
    }
    least, most = (1, None) if (comparison, number) == ("ne", 0) else bounds.get(str(comparison), (0, -1))
    if number < 0 or (most is not None and most < 0):
        raise NoCounterpartError("a count that is compared in no way that a rule on the source has")
    if most == 0:
        return {"forbid": [count.rule], "files": count.files}
    if not least and most is None:
        return None
    return {"require": [{**count.rule, "at-least": least or None, "at-most": most}], "files": count.files}
