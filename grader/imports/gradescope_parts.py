"""What autograders for Gradescope in Python and in Java have in common: their files, and methods with points."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from grader.core.text import one_line
from grader.imports.command_lines import with_python3_in_file
from grader.imports.draft import CourseFile, Data, DraftTest, Loss, OpenCheck, losses_where
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
    name: str
    """with its class"""
    title: str
    said: Mapping[str, object]
    """decorator -> its first argument; None where that is not known"""
    compiles: bool = False
    """whether it starts a compiler, so that the other methods of its class may need what it makes"""

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None

    @property
    def owner(self) -> str:
        """The class that it is in."""
        return self.name.rpartition(".")[0]

    @property
    def visibility(self) -> str | None:
        """Who sees it, as a spec has that; None for everybody. What is unknown before the file is run is hidden."""
        return _VISIBILITIES.get(str(self.said.get("visibility", "visible")), "hidden")

    @property
    def number(self) -> str:
        """Its number, also in parts such as 1.2; empty when it has none."""
        return "" if self.said.get("number") is None else str(self.said["number"])

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
        compiling = {(one.file, one.owner) for one in methods if one.compiles}
        for one in sorted(methods, key=_place) if all(one.number for one in methods) else methods:
            points = Fraction(str(max(one.points or 0, 0))) if have_points else Fraction(1)
            label = case_label(one.name, one.file)
            number = f"{one.number}) " if one.number else ""
            unit = {**units[one.file], "only": [label], "weights": None if one.points else {label: points or 1}}
            test = DraftTest(
                name=f"{number}{one.title or one.name}",
                points=points,
                keys={"visibility": one.visibility, "unit": unit},
            )
            if (one.file, one.owner) in compiling and not one.compiles:
                check = OpenCheck(name=one.name, reason=_COMPILED_BEFORE)
                test = replace(test, keys={"visibility": one.visibility}, cases=check)
            yield test

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
    """Return the parts of the number of a method."""
    return [int(part) if re.fullmatch("[0-9]{1,9}", part) else 0 for part in method.number.split(".")]
