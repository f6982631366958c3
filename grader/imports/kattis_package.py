"""A problem package as it lies in its folder: its files, its YAML as plain values, its test data, its submissions.

It is read as a student's submission is: by descriptor, links left out, within limits. Every name has to be of the kind
that the format allows, so that none of them leads anywhere when it is written again.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from grader.build import Refused
from grader.build.staging import read_submission
from grader.build.tree import MIB, StagingLimits
from grader.errors import UsageError
from grader.imports import check_name
from grader.load import read_data
from grader.text import listed

Files = Mapping[str, bytes]
"""path -> content"""

_PROBLEM = "problem.yaml"
_PACKAGE_LIMITS = StagingLimits(files=20_000, size=64 * MIB)
_IMPORTED_FOLDERS = ("data/sample/", "data/secret/", "submissions/")
_DATA_LEFT_OUT = {
    ".hint": "hints: a hint belongs to a test, so write one under `hint`",
    ".desc": "descriptions of inputs",
    ".interaction": "sample interactions",
}
_ALL_POINTS = Fraction(100)
"""of a problem that knows no points"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A problem package."""

    path: Path
    problem: Mapping[str, Any]
    """its `problem.yaml`"""
    files: Files
    """by the path in the package, but for names with a dot in front, which do not belong to it"""
    links: Sequence[str]
    """what is neither a file nor a folder"""

    @property
    def is_legacy(self) -> bool:
        """Whether it is of the older form, with `testdata.yaml`."""
        return str(self.problem.get("problem_format_version", "legacy")).startswith("legacy")

    @property
    def is_scoring(self) -> bool:
        """Whether submissions get points, and are not accepted or rejected only."""
        return "scoring" in as_words(self.problem.get("type"))

    @property
    def has_validator(self) -> bool:
        """Whether it has an output validator of its own."""
        if self.is_legacy:
            return as_words(self.problem.get("validation"))[:1] == ["custom"]
        return any(name.startswith(("output_validator/", "output_validators/")) for name in self.files)

    def data(self, name: str) -> Mapping[str, Any]:
        """Return what a YAML file holds; nothing when there is none. Raises SpecError for one with mistakes."""
        return _read_mapping(self.path, name) if name in self.files else {}

    def below(self, folder: str) -> Files:
        """Return the files in a folder, by their path in it, in the order of the names."""
        below = sorted(name for name in self.files if name.startswith(folder))
        return {name.removeprefix(folder): self.files[name] for name in below}


def read_package(path: Path) -> Package:
    """Read the package in a folder; UsageError for what is none, or has a name that is refused."""
    path = path.resolve()
    if not path.is_dir():
        raise UsageError(f"{path} is no folder; unpack the problem package, and name its folder")
    if not (path / _PROBLEM).is_file():
        raise UsageError(f"{path} is no problem package: it has no {_PROBLEM}; name the folder that has it")
    try:
        tree = read_submission(path, _PACKAGE_LIMITS)
    except Refused as refused:
        raise UsageError(f"{path}: {str(refused).replace('submission', 'package')}") from refused
    if _PROBLEM not in tree.files:
        raise UsageError(f"{path}: {_PROBLEM} is a link; put the file itself there")
    own = {name: file.content for name, file in tree.files.items() if not _is_aside(name)}
    for name in (*own, *tree.left_out):
        if name.startswith(_IMPORTED_FOLDERS) and not _is_aside(name):
            check_name(name)
    return Package(path=path, problem=_read_mapping(path, _PROBLEM), files=own, links=tree.left_out)


def as_words(value: Any) -> list[str]:
    """Return the words of a text or of a list; none of anything else."""
    if isinstance(value, str):
        return value.split()
    return [str(item) for item in value] if isinstance(value, list) else []


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _is_aside(name: str) -> bool:
    return name != ".timelimit" and any(part.startswith((".", "-")) for part in name.split("/"))


def _read_mapping(path: Path, name: str) -> Mapping[str, Any]:
    data = read_data(path / name)
    if data is not None and not isinstance(data, dict):
        raise UsageError(f"{path / name}: a mapping is wanted, key by key")
    return data or {}


# ---------------------------------------------------------------- test data: inputs with their answers, in groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Datum:
    """One input with its answer."""

    name: str
    """path below `data/`, without an ending"""
    answer: bytes
    flags: tuple[str, ...] = ()
    """of the output validator"""
    args: tuple[str, ...] = ()
    files: Files
    """put beside the program"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What becomes one test."""

    name: str
    """`sample`, `secret` or `secret/group1`"""
    data: Sequence[Datum]
    points: Fraction
    all_or_nothing: bool
    needs: tuple[str, ...] = ()


def read_groups(package: Package, notes: list[str]) -> Sequence[Group]:
    """Read the test data, the samples first; adds to `notes` what cannot be carried over.

    A problem without points is accepted or rejected: all its secret data is one test, which needs the samples, and is
    all or nothing. A group of a scoring problem is a test with its points. Raises UsageError when there is no data.
    """
    names = ["sample", "secret"]
    if package.is_scoring:
        inputs = [name for name in package.below("data/secret/") if name.endswith(".in")]
        direct = ["secret"] if any("/" not in name for name in inputs) else []
        groups = sorted({name.split("/")[0] for name in inputs if "/" in name})
        names = ["sample", *direct, *(f"secret/{group}" for group in groups)]
    found = {name: data for name in names if (data := tuple(_read_group(package, name, notes)))}
    if not found:
        raise UsageError(f"{package.path}: there is no input with an answer in data/sample and data/secret")
    for ending, told in _DATA_LEFT_OUT.items():
        if any(name.startswith("data/") and name.endswith(ending) for name in package.files):
            notes.append(f"Left out: {told}.")
    if package.is_scoring:
        return [_scored_group(package, name, data, list(found), notes) for name, data in found.items()]
    notes.append("Points: a problem that is accepted or rejected has none. All data has to pass for all points.")
    return [
        Group(
            name=name,
            data=data,
            points=_ALL_POINTS if name == list(found)[-1] else Fraction(0),
            all_or_nothing=True,
            needs=tuple(found)[:1] if name == "secret" and len(found) > 1 else (),
        )
        for name, data in found.items()
    ]


def _read_group(package: Package, group: str, notes: list[str]) -> Iterator[Datum]:
    has_groups = package.is_scoring and group == "secret"
    for name in package.below(f"data/{group}/"):
        if not name.endswith(".in") or (has_groups and "/" in name):
            continue
        full = f"{group}/{name.removesuffix('.in')}"
        if f"data/{full}.ans" not in package.files:
            notes.append(f"The input {full}.in has no answer, {full}.ans, and is left out.")
            continue
        settings = {**_settings_around(package, full), **package.data(f"data/{full}.yaml")}
        flags = settings.get("output_validator_flags")
        yield Datum(
            name=full,
            answer=package.files[f"data/{full}.ans"],
            flags=(  # of either form of the format
                *as_words(package.problem.get("validator_flags")),
                *as_words(as_mapping(flags).get("flags", flags)),
                *as_words(settings.get("output_validator_args")),
            ),
            args=tuple(as_words(settings.get("args"))),
            files=package.below(f"data/{full}.files/"),
        )


def _settings_around(package: Package, name: str) -> dict[str, Any]:
    """Return what the settings of the groups around an input say, the inner ones last."""
    parts = ["data", *name.split("/")[:-1]]
    folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return {key: value for folder in folders for key, value in _settings_of(package, folder).items()}


def _settings_of(package: Package, folder: str) -> Mapping[str, Any]:
    return {**package.data(f"{folder}/testdata.yaml"), **package.data(f"{folder}/test_group.yaml")}


def _scored_group(package: Package, name: str, data: Sequence[Datum], names: Sequence[str], notes: list[str]) -> Group:
    own = _settings_of(package, f"data/{name}")
    count = len(data)
    if package.is_legacy:
        points, is_whole = _legacy_points(name, own, _settings_around(package, f"{name}/x"), count, notes)
    else:
        points, is_whole = _group_points(name, own, count, notes)
    required = as_words(own.get("require_pass"))
    needs = tuple(need for need in required if need in names[: names.index(name)])
    others = [need for need in required if need not in needs]
    notes += [f"{name} requires {need}, which does not come before it: that is left out." for need in others]
    return Group(name=name, data=data, points=points, all_or_nothing=is_whole, needs=needs)


def _group_points(name: str, own: Mapping[str, Any], count: int, notes: list[str]) -> tuple[Fraction, bool]:
    """Return the points of a group, and whether all of it must pass, as `test_group.yaml` says."""
    if name == "sample":
        return Fraction(0), True
    how = own.get("score_aggregation", "sum" if name == "secret" else "pass-fail")
    most = own.get("max_score", 100 if name == "secret" else None)
    if isinstance(most, int):
        return Fraction(max(most, 0)), how != "sum"
    notes.append(f"Points: {name} has no highest score; it has a point for each input.")
    return Fraction(count), how != "sum"


def _legacy_points(
    name: str, own: Mapping[str, Any], merged: Mapping[str, Any], count: int, notes: list[str]
) -> tuple[Fraction, bool]:
    """Return the same as `testdata.yaml` says: the end of the range, else the scores of all inputs together."""
    flags = as_words(own.get("grader_flags"))
    is_whole = not {"accept_if_any_accepted", "always_accept"} & {*flags}
    if merged.get("grading", "default") != "default":
        notes.append(f"Points: {name} has a grader of its own; its inputs share the points here.")
    ends = as_words(own.get("range"))
    if len(ends) == 2 and (most := _finite_points(ends[1])) is not None:  # noqa: PLR2004 - two ends
        return most, is_whole
    if name == "sample":
        return Fraction(0), is_whole
    score = _finite_points(str(merged.get("accept_score", 1))) or Fraction(0)
    return (score if {"min", "max", "avg"} & {*flags} else score * count), is_whole


def _finite_points(written: str) -> Fraction | None:
    """Return a number of points, 0 or more; None for infinity, and what is no number."""
    try:
        number = float(written)
    except ValueError:
        return None
    return max(Fraction(str(number)), Fraction(0)) if math.isfinite(number) else None


# ---------------------------------------------------------------- submissions, in the language of the assignment


class ProgramForm(NamedTuple):
    """How the programs of a language are called, started and built in an assignment."""

    language: str
    endings: tuple[str, ...]
    main: str
    program: str
    build: str = ""
    produces: tuple[str, ...] = ()


_CPP_ENDINGS = (".cpp", ".cc", ".cxx", ".c++")
_PROGRAM_FORMS = (
    ProgramForm("python", (".py", ".py3"), "main.py", "python3 main.py"),
    ProgramForm("java", (".java",), "Main.java", "java Main", "javac -encoding UTF-8 Main.java", ("*.class",)),
    ProgramForm("cpp", _CPP_ENDINGS, "main.cpp", "./main", "g++ -O2 -std=gnu++20 -o main main.cpp", ("main",)),
    ProgramForm("c", (".c",), "main.c", "./main", "gcc -O2 -std=gnu11 -o main main.c -lm", ("main",)),
)
"""the first with an accepted submission is taken"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """The submissions in the language of the assignment."""

    form: ProgramForm
    found: Mapping[tuple[str, str], Files]
    """verdict and name -> the files, the main one under the name that the assignment asks for"""

    @property
    def reference(self) -> Files | None:
        """The first accepted program, if it is in Python: a reference is run without being built."""
        accepted = [files for (verdict, _), files in self.found.items() if verdict == "accepted"]
        return accepted[0] if accepted and self.form.language == "python" else None


def read_programs(package: Package, notes: list[str]) -> Programs:
    """Read the submissions; adds to `notes` which are left out, and why.

    A package takes every language and any file name; an assignment has one language and says what the file is called.
    So the main file of each submission gets that name.
    """
    constants = {f"{{{{{key}}}}}": str(value) for key, value in as_mapping(package.problem.get("constants")).items()}
    submissions: dict[tuple[str, str], dict[str, bytes]] = {}
    for path, content in package.below("submissions/").items():
        verdict, _, rest = path.partition("/")
        if not rest:
            continue  # submissions.yaml
        for constant, value in constants.items():
            content = content.replace(constant.encode(), value.encode())  # noqa: PLW2901 - constant by constant
        name, _, inner = rest.partition("/")
        submissions.setdefault((verdict, name), {})[inner or name] = content
    accepted = [files for (verdict, _), files in submissions.items() if verdict == "accepted"]
    form = next((one for one in _PROGRAM_FORMS if any(_main_file(files, one) for files in accepted)), _PROGRAM_FORMS[0])
    found: dict[tuple[str, str], Files] = {}
    others: list[str] = []
    for (verdict, name), files in submissions.items():
        main = _main_file(files, form)
        if main is None:
            others.append(f"{verdict}/{name}")
        else:
            found[verdict, name] = {form.main: files[main], **{n: c for n, c in files.items() if n != main}}
    notes.append(f"Language: the problem takes any; this takes {form.language}, in a file {form.main}.")
    if others:
        told = listed(others, most=5)
        notes.append(f"Submissions in another language, or without one main file, are left out: {told}.")
    return Programs(form=form, found=found)


def _main_file(files: Files, form: ProgramForm) -> str | None:
    """Return the name of a submission's main file, if it is in this language."""
    own = [name for name in files if name.endswith(form.endings)]
    if form.language == "python":
        own = [name for name in own if not re.match(rb"#!.*python2", files[name])]
    if form.language == "java":
        # Renaming a file does not rename the class in it.
        return next((name for name in own if re.search(rb"\bclass\s+Main\b", files[name])), None)
    usual = [name for name in own if name in {form.main, "__main__.py"}]
    return usual[0] if usual else own[0] if len(own) == 1 else None
