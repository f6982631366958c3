"""What autograders for Gradescope in Python and in Java have in common: their files, and methods with points."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.command_lines import with_python3_in_file
from grader.imports.draft import CourseFile, Data, DraftTest, Loss
from grader.imports.folder import read_tree
from grader.kinds.unit_tests.model import case_label

_VISIBILITIES = {"visible": None, "after_due_date": "after-due"}
_ABSOLUTE = re.compile(rb"/autograder/(?:source|submission)(?=[/'\"])")
_INSTALL = re.compile(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b")
_SOLUTION_FOLDERS = ("solution/", "solutions/", "reference/", "sample_solution/")
_BEST_OF_SEVERAL = ("best/", "full/", "correct/", "right/", "good/", "reference/", "solution/")
_MAX_WEIGHT = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMethod:
    """A method of a test file, and what its decorators say."""

    file: str
    name: str
    """with its class"""
    title: str
    said: Mapping[str, object]
    """decorator -> its first argument; None where that is not known"""
    scores: Sequence[float] = ()
    """what it sets by `set_score`, as far as that is written out"""
    compiles: bool = False
    """whether it starts a compiler, so that the other methods of its class may need what it makes"""

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None

    @property
    def points_off(self) -> float:
        """What it takes off by a score below 0, the largest; 0 for one that has points."""
        return max((-score for score in self.scores if score < 0), default=0.0) if not self.points else 0.0

    @property
    def visibility(self) -> str | None:
        """Who sees it, as a spec has that; None for everybody. What is unknown before the file is run is hidden."""
        return _VISIBILITIES.get(str(self.said.get("visibility", "visible")), "hidden")


@dataclass(slots=True, kw_only=True)
class Autograder:
    """An autograder that is converted."""

    id: str
    files: Mapping[str, bytes]
    """those of the autograder, by their paths"""
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
        """Return the files of the solution, by their names in its folder; of several the best."""
        inside = {name.partition("/")[2]: text for name, text in self.files.items() if self.is_of_solution(name)}
        best = next((one for one in _BEST_OF_SEVERAL if any(name.startswith(one) for name in inside)), "")
        chosen = {name.removeprefix(best): text for name, text in inside.items() if name.startswith(best)}
        return chosen if best or any("/" not in name for name in inside) else {}

    def tests(self, methods: Sequence[GradedMethod], units: Mapping[str, Mapping[str, Data]]) -> Iterator[DraftTest]:
        """Yield a test for each method, or for several of one class that share a folder; `units` are by their files."""
        self._lose_methods(methods)
        have_points = any(method.points is not None for method in methods)
        numbers = [str(method.said.get("number") or "") for method in methods]
        ordered = sorted(methods, key=_place) if all(numbers) else methods
        groups = self._groups(methods)
        for method in ordered:
            owner = method.name.rpartition(".")[0]
            own = groups.get((method.file, owner), [method])
            if method is not own[0]:
                continue
            points = [Fraction(str(max(one.points or 0, 0))) if have_points else Fraction(1) for one in own]
            worth = dict(zip((case_label(one.name, one.file) for one in own), points, strict=True))
            number = f"{method.said['number']}) " if method.said.get("number") is not None else ""
            by_decorators = own == [method] and method.points
            weights = worth if any(points) else dict.fromkeys(worth, 1)
            unit = {"together": own[1:] != [] or None, "weights": None if by_decorators else weights}
            seen = [one.visibility for one in own if one.visibility]
            yield DraftTest(
                name=owner if own[1:] else f"{number}{method.title or method.name}",
                points=None if method.points_off else sum(points),
                keys={
                    "costs": method.points_off or None,
                    "visibility": "hidden" if "hidden" in seen else seen[0] if seen else None,
                    "unit": {**units[method.file], "only": [*worth], **unit},
                },
            )

    def _groups(self, methods: Sequence[GradedMethod]) -> dict[tuple[str, str], list[GradedMethod]]:
        """Return the classes of which a method compiles for the others: these share a folder, and so are one test."""
        found = dict[tuple[str, str], list[GradedMethod]]()
        for method in methods:
            found.setdefault((method.file, method.name.rpartition(".")[0]), []).append(method)
        found = {key: own for key, own in found.items() if {one.compiles for one in own} == {True, False}}
        self.losses += [Loss(rule="one-folder", where=name) for _, name in found]
        return found

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

    def _lose_methods(self, methods: Sequence[GradedMethod]) -> None:
        """Take note of what methods ask for that is otherwise here."""
        if all(method.points is None for method in methods):
            self.lose("no-weights")
        for method in methods:
            points, said, low = method.points or 0, method.said, min(method.scores, default=0) < 0
            rules = {
                "after-published": said.get("visibility") == "after_published",
                "hide-errors": "hide_errors" in said,
                "tags": "tags" in said,
                "points-off": method.points_off,
                "no-points": "partial_credit" in said and method.points == 0 and not method.points_off,
                "more": points and any(score > points for score in method.scores),
                "below": points and low,
                "negative": points < 0,
            }
            self.losses += [Loss(rule=rule, where=method.name) for rule, holds in rules.items() if holds]


def _place(method: GradedMethod) -> list[int]:
    """Return the parts of the number of a method."""
    parts = str(method.said.get("number", "")).split(".")
    return [int(part) if re.fullmatch("[0-9]{1,9}", part) else 0 for part in parts]


def read_autograder(path: Path) -> dict[str, bytes]:
    """Return the files of an autograder, from the folder of its `run_autograder`. Raises UsageError."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name the zip of an autograder, or its folder")
    files = read_tree(path)
    start = next((one[: -len("run_autograder")] for one in files if f"/{one}".endswith("/run_autograder")), "")
    return {name.removeprefix(start): content for name, content in files.items() if name.startswith(start)}
