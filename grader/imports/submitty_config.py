"""A `config.json` of Submitty as real ones are: JSON with comments and directives of the C preprocessor."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.reader.files import read_data
from grader.core.text import one_line
from grader.imports.command_lines import first_word, with_python3
from grader.imports.draft import Data
from grader.imports.folder import Folder, safe_glob, safe_path, unique_keys
from grader.imports.losses import LOSSES

SUBMITTY: Mapping[str, Any] = read_data(Path(__file__).with_name("submitty.yaml"))
_MAX_DEPTH = 10
_MAX_NUMBER = 10**9
_MAX_TEXT = 4 * 2**20
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*?)[ \t]*$")
_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|\b[A-Za-z_]\w*\b')
LEFT_OUT = {rule: rule.removeprefix("config.") for rule in LOSSES["submitty"] if rule.startswith("config.")}
_COMPILER_NAMES = {"clang++": "g++", "clang": "gcc"}
_SUBMITTY_JARS = re.compile(r"(?:-cp|-classpath)\s+\S*submitty\S*\s*")


class NoCounterpartError(Exception):
    """Why a part of a configuration cannot be carried over."""


def read_config(folder: Folder, name: str = "config.json") -> Mapping[str, Any]:
    """Read the configuration of an assignment; UsageError with the reason when it is none."""
    path = folder.path / name
    text = _preprocessed(folder, name, {}, 0)
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
    path = folder.path / name
    if depth > _MAX_DEPTH:
        raise UsageError(f"{path}: #include goes round, or is nested more than {_MAX_DEPTH} deep")
    text = _TOKEN.sub(
        lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n") or " ", folder.text(name)
    )
    lines: list[str] = []
    shown, size = [True], 0
    for line in text.split("\n"):
        made = ""
        if (found := _DIRECTIVE.match(line)) is None:
            made = _WORD.sub(lambda word: defined.get(word[0], word[0]), line) if all(shown) else ""
        elif found[1] in ("ifdef", "ifndef"):
            shown.append((found[2] in defined) == (found[1] == "ifdef"))
        elif found[1] in ("else", "endif") and len(shown) > 1:
            was = shown.pop()
            shown += [not was] if found[1] == "else" else []
        elif all(shown):
            made = _carried_out(folder, name, (found[1], found[2]), defined, depth)
        lines.append(made)
        size += len(made)
        if size > _MAX_TEXT:
            raise UsageError(f"{path} has more than {_MAX_TEXT // 2**20} MiB with what it includes")
    return "\n".join(lines)


def _carried_out(folder: Folder, name: str, directive: tuple[str, str], defined: dict[str, str], depth: int) -> str:
    word, rest = directive
    if word == "include" and re.fullmatch(r'["<][^">]+[">]', rest):
        inner = safe_path(f"{name.rpartition('/')[0]}/{rest[1:-1]}".lstrip("/"))
        return _preprocessed(folder, inner, defined, depth + 1)
    if word == "define" and (parts := re.fullmatch(r"(\w+)(?:[ \t]+(.*))?", rest)):
        defined[parts[1]] = parts[2] or ""
    elif word == "undef":
        defined.pop(rest, None)
    else:
        raise UsageError(f"{folder.path / name}: `#{word} {one_line(rest)}` cannot be carried out; write what it makes")
    return ""


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
    known = SUBMITTY["keys"]
    parts: list[tuple[str, Mapping[str, Any], str]] = [("config.json", config, "config.json")]
    for number, case in enumerate(cases):
        place = f"testcases[{number}]"
        parts.append(("case", case, place))
        for kind, key in (("validator", "validation"), ("container", "containers")):
            inner = case[key] if isinstance(case.get(key), list) else ()
            parts += [(kind, one, f"{place}.{key}[{n}]") for n, one in enumerate(inner) if isinstance(one, dict)]
    for kind, values, place in parts:
        if values.get("method") == "custom_validator":  # whose keys are its own
            continue
        names = values.keys() - {*known[kind], *(LEFT_OUT.values() if kind == "config.json" else ())}
        yield from (f"`{one_line(name, 40)}` of {place}" for name in sorted(names))


# ---------------------------------------------------------------- commands of a test case


def is_compilation_case(case: Mapping[str, Any]) -> bool:
    """Whether a test case compiles what is handed in."""
    return case.get("type") == "Compilation"


def case_commands(case: Mapping[str, Any]) -> list[str]:
    """Return the commands of a test case, also those of its only container, for the programs that are here."""
    containers = case.get("containers")
    if isinstance(containers, list) and len(containers) == 1 and isinstance(containers[0], dict):
        case = {"command": containers[0].get("commands")}
    return [_plain_command(line) for line in words_of(case.get("command"))]


def _plain_command(line: str) -> str:
    """Return a command line without the path of an interpreter or a compiler, or the tool that watches its memory."""
    line = re.sub(r"^(?:drmemory\s.*?--\s+|valgrind(?:\s+-\S+)*\s+)", "", line.strip())
    word, _, rest = line.partition(" ")
    base = word.rpartition("/")[2] if word.startswith("/usr/") else word
    base = "python3" if re.fullmatch(r"python(?:3(?:\.\d+)?)?", base) else base
    return with_python3(f"{base} {rest}".strip())


def build_lines(case: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands of a compilation, for the compilers that are here."""
    for line in case_commands(case):
        without_jars = _SUBMITTY_JARS.sub("", line)
        word = first_word(without_jars)
        rest = without_jars[len(word) :].replace(" -- ", " ").replace(" *cpp", " *.cpp").replace(" -m32 ", " ")
        yield f"{_COMPILER_NAMES.get(word, word)}{rest}"


# ---------------------------------------------------------------- counts by submitty_count, as rules on the source

_TOOL = re.compile(r"(?:/\S*/)?submitty_count(?:_(?P<what>ts|token|node|call))?(?=\s|$)")
_BOUNDS = {"ge": (0, None), "gt": (1, None), "le": (None, 0), "lt": (None, -1), "eq": (0, 0)}
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
        language = SUBMITTY["languages"].get(" ".join(words[place + 1 : place + 2]).lower(), "?")
        del words[place : place + 2]
    tool = _TOOL.fullmatch(first)
    if tool and tool["what"] in ("token", "node", "call"):
        words = [tool["what"], *words]
    if tool is None or len(words) < 3:  # noqa: PLR2004 - a kind, what is counted, and a file
        raise NoCounterpartError(f"{shown} does not say what to count, and in which files")
    kind, feature, *files = words
    language = language or SUBMITTY["endings"].get(PurePosixPath(files[0]).suffix, "?")
    if language == "?":
        raise NoCounterpartError(f"{shown}: there are no rules on the source for this language")
    return SourceCount(language, _rule(kind, feature, shown), [safe_glob(name) for name in files])


def _rule(kind: str, feature: str, shown: str) -> Mapping[str, str]:
    if kind in ("call", "function") and re.fullmatch(r"[A-Za-z_]\w*", feature):
        return {kind: feature}
    if kind == "identifier" or (kind == "depth" and feature == "loop"):
        return {"token" if kind == "identifier" else kind: feature}
    if kind == "node" and feature in SUBMITTY["nodes"]:
        return dict(SUBMITTY["nodes"][feature])
    if kind in ("token", "node"):
        if (sign := SUBMITTY["tokens"].get(feature)) or feature.lower() in SUBMITTY["words"]:
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
