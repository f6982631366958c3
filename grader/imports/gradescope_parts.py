"""What autograders for Gradescope in Python and in Java have in common: their files, and methods with points."""

import re
import shlex
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, takewhile
from posixpath import basename, join, normpath, splitext
from typing import NamedTuple

from grader.core.text import one_line
from grader.imports.draft import CourseFile, Data, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.shell_lines import COMPILERS, first_word, joined_commands, with_python3_in_file
from grader.kinds.unit_tests.model import case_label

_VISIBILITIES = {"visible": None, "after_due_date": "after-due"}
_ABSOLUTE = re.compile(rb"/autograder/(?:source|submission)(?=[/'\"])")
_INSTALL = re.compile(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b")
_SOLUTION_FOLDERS = ("solution/", "solutions/", "reference/", "sample_solution/")
_MAX_WEIGHT = 1e6
_COMPILED_BEFORE = (
    "a method of its class compiles, and each is run in a folder of its own: name both under `only` of one `unit` with "
    "`together: true`, or let the build compile"
)


class GradedMethod(NamedTuple):
    """A method of a test file, and what its decorators say."""

    file: str
    name: str  # with its class
    title: str
    said: Mapping[str, object]  # decorator -> its first argument; None where that is not known
    compiles: bool = False
    """whether it starts a compiler, so that the other methods of its class may need what it makes"""

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None

    @property
    def owner(self) -> tuple[str, str]:
        """The class that it is in, with its file."""
        return self.file, self.name.rpartition(".")[0]

    @property
    def losses(self) -> Sequence[Loss]:
        """What it asks for that is otherwise here."""
        rules = {
            "after-published": self.said.get("visibility") == "after_published",
            "hide-errors": "hide_errors" in self.said,
            "tags": "tags" in self.said,
            "no-points": "partial_credit" in self.said and self.points == 0,
            "negative": (self.points or 0) < 0,
        }
        return [Loss(rule=rule, where=self.name) for rule, holds in rules.items() if holds]


@dataclass(slots=True)
class Autograder:
    """An autograder that is converted: its id, its files by their paths, and what is otherwise here."""

    id: str
    files: Mapping[str, bytes]
    losses: list[Loss] = field(default_factory=list)

    def lose(self, rule: str, detail: str = "", where: str = "") -> None:
        """Take note of what is otherwise here."""
        self.losses.append(Loss(rule=rule, detail=detail, where=where))

    def file(self, name: str, folder: str = "data") -> CourseFile:
        """Return a file that is carried over, in which commands and paths are those that are here."""
        content = self.files[name]
        moved = _ABSOLUTE.sub(b".", content) if name.endswith(".py") else content
        adapted = with_python3_in_file(name, moved)
        rules = {"places": moved != content, "python3": adapted != moved}
        self.losses += [Loss(rule=rule, where=name) for rule, holds in rules.items() if holds]
        return CourseFile(name=name, content=adapted, folder=folder)

    @staticmethod
    def is_of_solution(name: str) -> bool:
        """Whether a file lies in a folder of solutions."""
        return name.startswith(_SOLUTION_FOLDERS)

    def solution(self) -> Mapping[str, bytes]:
        """Return the files of the solution, by their names in its folder; none where it has only folders."""
        inside = {name.partition("/")[2]: text for name, text in self.files.items() if self.is_of_solution(name)}
        return inside if any("/" not in name for name in inside) else {}

    def tests(self, methods: Sequence[GradedMethod], units: Mapping[str, Mapping[str, Data]]) -> Iterator[DraftTest]:
        """Yield a test for each method; `units` are by their files."""
        have_points = any(method.points is not None for method in methods)
        self.losses += losses_where({"no-weights": not have_points, "afresh": True})
        self.losses += [loss for method in methods for loss in method.losses]
        compiling = {one.owner for one in methods if one.compiles}
        if all(one.said.get("number") is not None for one in methods):
            methods = sorted(methods, key=_place)
        for one in methods:
            points = Fraction(str(max(one.points or 0, 0))) if have_points else Fraction(1)
            label, stated = case_label(one.name, one.file), one.said.get("number")
            unit = {**units[one.file], "only": [label], "weights": None if one.points else {label: points or 1}}
            # What is unknown before the file is run is hidden.
            keys = {"visibility": _VISIBILITIES.get(str(one.said.get("visibility", "visible")), "hidden")}
            needs_more = one.owner in compiling and not one.compiles
            yield DraftTest(
                name=f"{'' if stated is None else f'{stated}) '}{one.title or one.name}",
                points=points,
                cases=OpenCheck(name=one.name, reason=_COMPILED_BEFORE) if needs_more else (),
                keys=keys if needs_more else {**keys, "unit": unit},
            )

    def lose_scripts(self, unread: Sequence[str]) -> None:
        """Take note of what the scripts of an autograder do that is not done here; `unread` are commands of it."""
        texts = {name: content.decode(errors="replace") for name, content in self.files.items() if "/" not in name}
        lines = f"{texts.get('setup.sh', '')}\n{texts.get('run_autograder', '')}".splitlines()
        packages = [one.strip() for one in texts.get("requirements.txt", "").splitlines()]
        packages = [one for one in packages if one and not one.startswith(("#", "gradescope"))]
        told = [("install", line.strip()) for line in lines if _INSTALL.search(line)]
        told += [("unread-line", command) for command in unread]
        told += [("packages", ", ".join(packages))] if packages else []
        told += [("post-processor", "")] if "post_processor" in texts.get("run_tests.py", "") else []
        self.losses += [Loss(rule=rule, detail=one_line(detail, 300)) for rule, detail in told]


def _place(method: GradedMethod) -> list[int]:
    """Return the parts of the number of a method, such as 1.2."""
    return [int(part) if re.fullmatch("[0-9]{1,9}", part) else 0 for part in str(method.said["number"]).split(".")]


# ---------------------------------------------------------------- the script run_autograder

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
    folder: str = _SOURCE  # where the tests are started
    unread: list[str] = field(default_factory=list)

    def place_of(self, name: str) -> str:
        """Return where the tests find a file of the course."""
        return self.copy_of(name) or _below(f"{_SOURCE}/{name}", self.folder) or name

    def copy_of(self, name: str, *, of_all: bool = True) -> str:
        """Return where a file of the course is copied to; empty for nowhere, or `of_all` the autograder alone."""
        for source, place in reversed(self.copied):
            own = _below(f"/{name}", f"/{source}" if source else "") if source or of_all else None
            if own is not None and (inside := _below(normpath(join(place, own)), self.folder)):
                return inside
        return ""


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
