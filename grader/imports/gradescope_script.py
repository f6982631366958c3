"""The script `run_autograder` of an autograder: what it copies where, what it compiles, where the tests are started.

Nothing of it is run. Variables, arrays, and loops over them are expanded; of two branches the first assignment counts.
"""

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from grader.imports.command_lines import COMPILERS, first_word
from grader.imports.github_lines import joined_commands

_ROOT = "/autograder"
_SUBMISSION, _SOURCE = f"{_ROOT}/submission", f"{_ROOT}/source"
_ASSIGNMENT = re.compile(r"(?:export\s+|local\s+)?(?P<name>\w+)=(?P<value>\([^)]*\)|\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_LOOP = re.compile(r"for\s+(?P<name>\w+)\s+in\s+(?P<words>[^;]*?)\s*(?:;\s*do)?")
_VARIABLE = re.compile(r"\$(?:\{(?P<braced>\w+)(?:\[[@*]\])?\}|(?P<bare>\w+))")
_CONTROL = re.compile(r"(?:if|elif|while)\b.*|then|else|fi|do|done|set\s.*|[{}]|\w+\s*\(\)\s*\{?|exit\b.*")
_WITHOUT_EFFECT = {
    "echo",
    "printf",
    "mkdir",
    "touch",
    "chmod",
    "ls",
    "pwd",
    "rm",
    "shopt",
    "export",
    "tree",
    "source",
    ".",
}
_STARTS_TESTS = re.compile(r"(?:\S*/)?(?:python[\d.]*|pytest|bash|sh|java)\b")
_INSTALLS = re.compile(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b")
_MAX_COMMANDS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A file or folder of the course that the script copies."""

    source: str
    """its path in the autograder"""
    place: str
    """an absolute path"""
    is_given: bool
    """whether it is copied before the submission, which may have another file of the name"""


@dataclass(slots=True, kw_only=True)
class GradingScript:
    """What was read of a script; `handed_in` are the names under which the tests see what students hand in."""

    handed_in: list[str] = field(default_factory=list)
    copied: list[Copied] = field(default_factory=list)
    takes_all: bool = False
    """whether it copies whatever is handed in"""
    build: list[str] = field(default_factory=list)
    folder: str = _SOURCE
    """where the tests are started"""
    notes: list[str] = field(default_factory=list)

    def place_of(self, name: str) -> tuple[str, bool]:
        """Return where the tests find a file of the course, and whether a submission may replace it."""
        for one in reversed(self.copied):
            if name == one.source or name.startswith(f"{one.source}/") or not one.source:
                place = posixpath.join(one.place, posixpath.relpath(name, one.source or "."))
                place = place if name != one.source else one.place
                if inside := _below(posixpath.normpath(place), self.folder):
                    return inside, one.is_given
        return _below(f"{_SOURCE}/{name}", self.folder) or name, False


def read_grading_script(text: str) -> GradingScript:
    """Read a script; commands that are not understood become notes."""
    script = GradingScript()
    copies: list[tuple[str, str]] = []
    here = _ROOT
    commands = [part for one in _commands(text.splitlines(), {}) for part in joined_commands(one)]
    for command in commands[:_MAX_COMMANDS]:
        words = _words(command)
        word = words[0] if words else ""
        if word == "cd" and len(words) > 1:
            here = posixpath.normpath(posixpath.join(here, words[1]))
        elif word == "cp":
            copies += _copy(words, here, script, is_given=not copies)
        elif first_word(command) in COMPILERS:
            script.build.append(command)
        elif _STARTS_TESTS.match(command) and not _INSTALLS.search(command):
            script.folder = here if here != _ROOT else _SOURCE
        elif word not in _WITHOUT_EFFECT and not _INSTALLS.search(command):
            script.notes.append(command)
    for name, place in copies:
        seen = _below(place, script.folder) or name
        if posixpath.basename(seen) != posixpath.basename(name):
            script.notes.append(f"cp {name} {seen}, so students hand in {seen} here")
        script.handed_in += [seen] if seen not in script.handed_in else []
    return script


def _copy(words: Sequence[str], here: str, script: GradingScript, *, is_given: bool) -> Iterator[tuple[str, str]]:
    """Take note of what a `cp` copies of the course; yield each file of the submission with its place."""
    paths = [word for word in words[1:] if not word.startswith("-")]
    if len(paths) < 2:  # noqa: PLR2004
        return
    target = posixpath.join(here, paths[-1])
    for path in paths[:-1]:
        source = posixpath.join(here, path)
        name = _below(posixpath.normpath(source), _SUBMISSION)
        is_folder = target.endswith(("/", "/.")) or not posixpath.splitext(target)[1]
        if name and re.fullmatch(r"[\w+-][\w.+/-]*\.\w+", name):
            place = posixpath.join(target, posixpath.basename(name)) if is_folder else target
            yield name, posixpath.normpath(place)
        elif (own := _below(posixpath.normpath(source.rstrip("*")), _SOURCE)) is not None:
            inside = source.endswith(("*", "/."))  # else a folder comes into the target under its own name
            place = target if inside or not is_folder else posixpath.join(target, posixpath.basename(own))
            given = is_given and not script.takes_all
            script.copied.append(Copied(source=own, place=posixpath.normpath(place), is_given=given))
        elif name is not None:
            script.takes_all = True


def _below(path: str, folder: str) -> str | None:
    """Return a path as it is seen from a folder; None outside it, "" for itself."""
    if path == folder:
        return ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None


def _commands(lines: Iterable[str], names: MutableMapping[str, str]) -> Iterator[str]:
    rest = iter(lines)
    for line in (one.strip() for one in rest):
        if not line or line.startswith("#"):
            continue
        if found := _LOOP.fullmatch(line):
            body = list(takewhile(lambda one: one.strip() != "done", rest))
            for value in _words(_expanded(found["words"], names)):
                yield from _commands(body, {**names, found["name"]: value})
        elif found := _ASSIGNMENT.fullmatch(line):
            names.setdefault(found["name"], _expanded(found["value"].strip("()\"' \t"), names).replace('"', ""))
        elif not _CONTROL.fullmatch(line):
            yield _expanded(line, names)


def _expanded(text: str, names: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: names.get(found["braced"] or found["bare"], found[0]), text)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that is not closed
        return command.split()
