"""The script `run_autograder` of an autograder: what it copies where, what it compiles, where the tests are started.

Nothing of it is run. Variables, arrays, and loops over them are expanded; of two branches the first assignment counts.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from posixpath import basename, join, normpath, splitext

from grader.imports.command_lines import COMPILERS, first_word
from grader.imports.shell_lines import joined_commands

_ROOT = "/autograder"
_SUBMISSION, _SOURCE = f"{_ROOT}/submission", f"{_ROOT}/source"
_ASSIGNMENT = re.compile(r"(?:export\s+|local\s+)?(\w+)=(\([^)]*\)|\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_LOOP = re.compile(r"for\s+(\w+)\s+in\s+([^;]*?)\s*(?:;\s*do)?")
_VARIABLE = re.compile(r"\$(?:\{(\w+)(?:\[[@*]\])?\}|(\w+))")
_CONTROL = re.compile(r"#.*|(?:if|elif|while)\b.*|then|else|fi|do|done|set\s.*|[{}]|\w+\s*\(\)\s*\{?|exit\b.*|")
_WITHOUT_EFFECT = re.compile(
    r"\A(?:echo|printf|mkdir|touch|chmod|ls|pwd|rm|shopt|export|tree|source|\.)\s|\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b"
)
_STARTS_TESTS = re.compile(r"(?:\S*/)?(?:python[\d.]*|pytest|bash|sh|java)\b")
_MAX_COMMANDS = 1_000


@dataclass(slots=True, kw_only=True)
class GradingScript:
    """What was read of a script; `handed_in` are the names under which the tests see what students hand in."""

    handed_in: list[str] = field(default_factory=list)
    copied: list[tuple[str, str]] = field(default_factory=list)
    """files and folders of the course, and where they are put"""
    build: list[str] = field(default_factory=list)
    folder: str = _SOURCE
    """where the tests are started"""
    unread: list[str] = field(default_factory=list)

    def place_of(self, name: str) -> str:
        """Return where the tests find a file of the course."""
        for source, place in reversed(self.copied):
            own = _below(f"/{name}", f"/{source}" if source else "")
            if own is not None and (inside := _below(normpath(join(place, own)), self.folder)):
                return inside
        return _below(f"{_SOURCE}/{name}", self.folder) or name


def read_grading_script(text: str) -> GradingScript:
    """Read a script; commands that are not understood are told."""
    script, here, copies = GradingScript(), _ROOT, list[tuple[str, str]]()
    commands = (part for one in _commands(text.splitlines(), {}) for part in joined_commands(one))
    for command in islice(commands, _MAX_COMMANDS):
        words = _words(command)
        if words[:1] == ["cd"] and len(words) > 1:
            here = normpath(join(here, words[1]))
        elif words[:1] == ["cp"]:
            copies += _copy(words, here, script)
        elif first_word(command) in COMPILERS:
            script.build.append(command)
        elif _STARTS_TESTS.match(command) and not _WITHOUT_EFFECT.search(command):
            script.folder = here if here != _ROOT else _SOURCE
        elif not _WITHOUT_EFFECT.search(f"{command} "):
            script.unread.append(command)
    for name, place in copies:
        seen = _below(place, script.folder) or name
        if basename(seen) != basename(name):
            script.unread.append(f"cp {name} {seen}, so students hand in {seen} here")
        script.handed_in += [seen] if seen not in script.handed_in else []
    return script


def _copy(words: Sequence[str], here: str, script: GradingScript) -> Iterator[tuple[str, str]]:
    """Take note of what a `cp` copies of the course; yield each file of the submission with its place."""
    *sources, target = [join(here, word) for word in words[1:] if not word.startswith("-")] or [here]
    is_folder = target.endswith(("/", "/.")) or not splitext(target)[1]
    for source in sources:
        name = _below(normpath(source), _SUBMISSION)
        if name and re.fullmatch(r"[\w+-][\w.+/-]*\.\w+", name):
            yield name, normpath(join(target, basename(name)) if is_folder else target)
        elif (own := _below(normpath(source.rstrip("*")), _SOURCE)) is not None:
            inside = source.endswith(("*", "/."))  # else a folder comes into the target under its own name
            place = target if inside or not is_folder else join(target, basename(own))
            script.copied.append((own, normpath(place)))


def _below(path: str, folder: str) -> str | None:
    """Return a path as it is seen from a folder; None outside it, "" for itself."""
    return path[len(folder) + 1 :] if f"{path}/".startswith(f"{folder}/") else None


def _commands(lines: Sequence[str], names: MutableMapping[str, str]) -> Iterator[str]:
    rest = iter(lines)
    for line in map(str.strip, rest):
        if found := _LOOP.fullmatch(line):
            body = list(takewhile(lambda one: one.strip() != "done", rest))
            for value in _words(_expanded(found[2], names)):
                yield from _commands(body, {**names, found[1]: value})
        elif found := _ASSIGNMENT.fullmatch(line):
            names.setdefault(found[1], _expanded(found[2].strip("()\"' \t"), names).replace('"', ""))
        elif not _CONTROL.fullmatch(line):
            yield _expanded(line, names)


def _expanded(text: str, names: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: names.get(found[1] or found[2], found[0]), text)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that is not closed
        return command.split()
