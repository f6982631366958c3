"""A draft -> a spec and its files: the one place that escapes, quotes, names tests and places files.

Two rules hold for all importers: what the assignment is worth here and what its losses say make what it is worth there,
and no two files take one place.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from grader.core.errors import UsageError
from grader.core.kind import KINDS
from grader.core.model.layout import LazyBytes
from grader.core.reader.files import read_data
from grader.core.reader.language import CASE, TYPES
from grader.core.text import listed, one_line
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, entries_of, listing, plain, table
from grader.core.yaml.types import node_of
from grader.imports import Imported
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.folder import harmless_name

# keys beside which no key of a test is filled, so that `{` is a brace
_NOT_FILLED = {kind.key for kind in KINDS.values() if kind.read_test}
_MAX_POINTS_APART = Fraction(1, 1000)
_CHECKS_HEAD = '''\
"""What of the imported assignment remains to be written. Until then its cases are ungraded, and nobody has a score.

A check looks at `output` and returns nothing when that is right; it raises grader.Wrong("why") when it is wrong.
"""
'''


# ---------------------------------------------------------------- what is lost

_MAX_NAMED = 5


class LossRule(NamedTuple):
    """How something is lost, with a sentence in which `{}` stands for the detail of one loss."""

    how: Literal["approximated", "dropped", "to-do", "install", "note"]
    sentence: str
    always: str = ""  # not empty for a rule of every import of its format


LOSSES: Mapping[str, Mapping[str, LossRule]] = {  # name of an importer, or `any` -> rule -> how it is lost
    name: {rule: LossRule(*row) for rule, row in rules.items()}
    for name, rules in read_data(Path(__file__).with_name("losses.yaml")).items()
}


def to_notes(draft: Draft) -> Iterator[str]:
    """Yield a sentence for each loss; one for all tests and files of which the same is to say."""
    together: dict[tuple[str, str], list[Loss]] = {}
    rules = {**LOSSES["any"], **LOSSES.get(draft.format, {})}
    for loss in (*draft.losses, *(Loss(rule=rule) for rule, row in rules.items() if row.always)):
        together.setdefault((loss.rule, loss.detail), []).append(loss)
    for (rule, detail), losses in together.items():
        sentence = rules[rule].sentence.replace("{}", one_line(detail, 400))
        lost = sum(loss.points for loss in losses)
        cost = f" Points: {float(lost):g}." if lost else ""
        names = list(dict.fromkeys(one_line(loss.where) for loss in losses if loss.where))
        yield f"{listed(names, most=_MAX_NAMED)}: {sentence}{cost}" if names else f"{sentence}{cost}"


# ---------------------------------------------------------------- the spec


def to_imported(draft: Draft) -> Imported:
    """Return the specs and files of a draft; UsageError where its points are not those of the other grader."""
    assignments = (draft, *draft.others)
    files = {path: content for assignment in assignments for path, content in assignment.files.items()}
    writings = {assignment.id: _Writing(assignment.id, files) for assignment in assignments}
    if len(writings) < len(assignments):
        raise UsageError(f"{draft.origin}: two assignments of it would have one id, of {', '.join(writings)}")
    for assignment in assignments:
        counted = (Fraction(test.points or 0) for test in assignment.tests if not test.keys.get("bonus"))
        here, there, lost = sum(counted, Fraction(0)), assignment.points, assignment.lost
        if there is not None and abs(Fraction(there) - here - lost) > _MAX_POINTS_APART:
            amounts = f"worth {float(there):g} there, {float(here):g} here; {float(lost):g} declared as lost"
            raise UsageError(f"{assignment.origin}: {amounts} (a mistake of the import)")
    specs = {assignment.id: writings[assignment.id].spec(assignment) for assignment in assignments}
    further = filter(None, map(_Writing.finish, writings.values()))
    return Imported(
        id=draft.id,
        spec=specs.pop(draft.id),
        files=files,
        shared={path: content for assignment in assignments for path, content in assignment.shared.items()},
        origin=draft.origin,
        notes=list(dict.fromkeys([*(note for assignment in assignments for note in to_notes(assignment)), *further])),
        others=specs,
        points=draft.points,
        lost=draft.lost,
    )


@dataclass(slots=True)
class _Writing:
    """The files that were placed, and the checks that remain to be written, while a draft is written."""

    id: str
    files: dict[str, LazyBytes]
    folders: set[str] = field(default_factory=set)
    placed: dict[str, dict[LazyBytes, str]] = field(default_factory=dict)  # where it belongs -> content -> its place
    checks: dict[str, str] = field(default_factory=dict)  # name of a function -> its text
    to_do: str = ""  # the file with these functions

    def spec(self, draft: Draft) -> dict[str, Node]:
        """Return the keys of the spec, and place its samples."""
        rules = draft.keys.get("files")
        files = {"required": draft.required, **(rules if isinstance(rules, Mapping) else {})}
        head: dict[str, Data] = {
            "spec": 1,
            "id": plain(draft.id),
            "title": draft.title or draft.id,
            "language": plain(draft.language),
            **draft.keys,
            "files": {name: listed for name, listed in files.items() if listed} or None,
            "program": draft.program or None,
        }
        shared = self.entries({"defaults": head.pop("defaults", None)}, filled=True)
        names = _unique_names(draft.tests)
        tests = [self.test(test, name, draft) for test, name in zip(draft.tests, names, strict=True)]
        root = f"sample_submissions/{self.id}"
        for name, sample in draft.samples.items():
            self.files |= {f"{root}/{name}/{inner}": content for inner, content in sample.files.items()}
        known = {name: {"score": sample.score, "about": sample.about or None} for name, sample in draft.samples.items()}
        if written := self.entries(known, filled=False):
            self.files[f"{root}/expected.yaml"] = dump(table(written), open_levels=1).encode()
        keys = {**self.entries(head, filled=False), **shared, "tests": listing(tests)}
        return dict(entries_of(TYPES["spec"].write(keys)))

    def test(self, test: DraftTest, name: str, draft: Draft) -> Node:
        """Write a test; what all of its cases share stands in the test."""
        filled = not _NOT_FILLED & test.keys.keys()
        keys: dict[str, Data] = {"name": name, "about": test.about or None, "points": test.points}
        keys |= {"visibility": "hidden" if test.hidden else None, "needs": test.needs or None}
        of_case = {key: value for key, value in test.keys.items() if key in CASE}
        head = self.entries({**keys, **test.keys, **dict.fromkeys(of_case)}, filled=False)
        head |= self.entries(of_case, filled=filled)
        cases = test.cases
        if isinstance(cases, OpenCheck):
            cases = [DraftCase(expect={"stdout": cases})]
        written = [self.entries(_case_keys(case, draft.program), filled=filled) for case in cases]
        first = written[0] if written else {}
        shared = {key: node for key, node in first.items() if all(test.get(key) == node for test in written)}
        own = [{key: node for key, node in test.items() if key not in shared} for test in written]
        if len(written) > 1 and not all(own):  # a case is not empty
            shared, own = {}, written
        listed = {"cases": listing(map(TYPES["case"].write, own))} if len(own) > 1 else {}
        return TYPES["test"].write({**head, **shared, **listed})

    def entries(self, values: Mapping[str, Data], *, filled: bool) -> dict[str, Node]:
        """Write the entries of a mapping, without those that are None; `{n}` means a variable where they are filled."""
        return {name: node_of(value, filled=filled) for name, value in self._with_places(values).items()}

    def _with_places(self, value: Data) -> Any:
        """Return data in which places stand for files and open checks, and nodes for values with a type in core."""
        match value:
            case CourseFile():
                return self.place(value)
            case OpenCheck():
                return {"check": self._leave_open(value)}
            case Mapping():
                given = ((name, inner) for name, inner in value.items() if inner is not None)
                formed = {name: _FORMS[name](inner) if name in _FORMS else inner for name, inner in given}
                return {name: self._with_places(inner) for name, inner in formed.items()}
            case list() | tuple():
                return [self._with_places(part) for part in value]
        return Fraction(value) if isinstance(value, float) else value

    def place(self, file: CourseFile) -> str:
        """Return the path of a file below the course root: its own, or a folder deeper where another file is."""
        own = safe_inner_path(file.name)
        path = f"{file.folder}/{self.id}/{own}"
        placed = self.placed.setdefault(path, {})
        number = max(1, len(placed))
        while file.content not in placed and self.files.get(path) != file.content and self._is_taken(path):
            number += 1
            path = f"{file.folder}/{self.id}/{number}/{own}"
        path = placed.setdefault(file.content, path)
        self.files[path] = file.content
        self.folders.update(map(str, PurePosixPath(path).parents))
        return path

    def _is_taken(self, path: str) -> bool:
        return path in self.folders or any(str(place) in self.files for place in (path, *PurePosixPath(path).parents))

    def _leave_open(self, check: OpenCheck) -> str:
        """Add a function that is to be written; return its place."""
        self.to_do = self.to_do or self.place(CourseFile(name="to_do.py", content=_CHECKS_HEAD.encode()))
        function = f"todo_{harmless_name(check.name)}"
        reason = one_line(check.reason, 400).replace("\\", "\\\\").replace('"', "'")
        doc = textwrap.indent(textwrap.fill(f'"""To be written: {reason}."""', 100), "    ")
        lines = [one_line(line, 400) for line in check.source.splitlines()[:200]]
        comment = "".join(f"    # {line}".rstrip() + "\n" for line in lines)
        raised = 'raise NotImplementedError("still to be written")'
        text = f"(output: bytes) -> None:\n{doc}\n{comment}    {raised}\n"
        while self.checks.get(function, text) != text:
            function += "_"
        self.checks[function] = text
        return f"{self.to_do}:{function}"

    def finish(self) -> str:
        """Place the checks that remain to be written, and return a note on them; empty without any."""
        if not self.checks:
            return ""
        functions = (f"def {name}{text}" for name, text in self.checks.items())
        self.files[self.to_do] = "\n\n".join([_CHECKS_HEAD, *functions]).encode()
        names = ", ".join(self.checks)
        return f"To be written, in {self.to_do}: {names}. Until then their cases are ungraded; see grader lint."


def _case_keys(case: DraftCase, program: Sequence[str]) -> dict[str, Data]:
    """Return the keys of a case; of a command that begins with the program, its arguments."""
    words, start = list(case.command), list(program)
    is_program = not words or words[: len(start)] == start
    return {
        "args": words[len(start) :] or None if is_program else None,
        "command": None if is_program else words,
        "stdin": case.stdin or None,
        "files": case.files or None,
        "limits": case.limits or None,
        "tolerate": case.tolerate or None,
        **case.keys,
        "expect": case.expect,
    }


def _as_contents(data: Data) -> Data:
    """Write files as `{file: PATH}`: a single one, or those that a mapping names."""
    named = data if isinstance(data, Mapping) else {"": data}
    written = {name: {"file": value} if isinstance(value, CourseFile) else value for name, value in named.items()}
    return written if isinstance(data, Mapping) else written[""]


_FORMS: Mapping[str, Callable[[Data], Data]] = {  # a key -> how its data are completed before they are written
    "limits": TYPES["limits"].write,
    **dict.fromkeys(("stdin", "files", "with"), _as_contents),
}


def _unique_names(tests: Sequence[DraftTest]) -> Iterator[str]:
    """Yield the names of tests: on one line, and each once."""
    taken: set[str] = set()
    for test in tests:
        name = own = one_line(test.name.strip()) or "test"
        number = 1
        while name in taken:
            number += 1
            name = f"{own} ({number})"
        taken.add(name)
        yield name


def safe_inner_path(name: str) -> str:
    """Return the course path for another grader's file; UsageError when it leads out of the folder."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or not parts:
        raise UsageError(f"the file {one_line(name)!r} lies outside the assignment's folder: put it there")
    cleaned = (re.sub(r"[^A-Za-z0-9_.+-]", "_", part).lstrip(".+-")[:200].rstrip(".") for part in parts)
    return "/".join(part or "_" for part in cleaned)
