"""Problem packages that a program scores: a grader of their own, or a validator that writes points.

All their data becomes one test. The groups in it are those of the package, each with its grader and flags, so that the
points are what the package's judge computes, also where they are no sum of shares.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import default_grader, text_or_word
from grader.imports.kattis_package import Datum, Group, Package, ScoredGroup, as_mapping, as_number, as_words
from grader.imports.kattis_validator import score_files, single_program

_GRADERS = "graders/"
_POINTS_FILE = "score.txt"
_DEFAULT = "default_grader.py"
_OVERRIDES = ("accept_score", "reject_score", "range")
_ON_REJECT = {"first_error": "break", "grade": "continue"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Graders:
    """The programs that score, by the word that `grading` has for them, and their files."""

    programs: Mapping[str, str]
    files: Mapping[str, bytes]


def is_scored_by_programs(package: Package, everywhere: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a grader of the package's own gives points, or its validator does, in the older form."""
    is_custom = any(own.get("grading", "default") == "custom" for own in everywhere)
    return package.is_scoring and package.is_legacy and (is_custom or _POINTS_FILE in score_files(package))


def scored_groups(package: Package, root: ScoredGroup, most: Fraction | None = None) -> Sequence[Group]:
    """Return the tests: the samples without points, and all data as it is scored.

    `most` is the score of a program that is right everywhere, where that is known; else `range` says it.
    """
    most = most or _end_of_range(root.settings)
    if not most:
        raise UsageError(
            f"{package.path}: programs give its points, and nothing says how many: say range: 0 100 in "
            "data/testdata.yaml, with the most that there are"
        )
    if "custom" in {one.settings.get("grading") for one in _every(root)}:
        _grader_of(package)
    gives_points = _POINTS_FILE in score_files(package)
    root = _with_defaults(package, root, gives_points=gives_points)
    samples = tuple(datum for part in root.parts if part.name == "sample" for datum in _data_in(part))
    tests = [Group(name="sample", data=samples, points=Fraction(0), all_or_nothing=False)] if samples else []
    return [*tests, Group(name="secret", data=_data_in(root), points=most, all_or_nothing=False, scoring=root)]


def _data_in(group: ScoredGroup) -> tuple[Datum, ...]:
    return tuple(datum for one in _every(group) for datum in one.data)


def _with_defaults(package: Package, group: ScoredGroup, *, gives_points: bool) -> ScoredGroup:
    """Return a group with what `grading` of problem.yaml says, and with the most that each case may be given."""
    if group.data and group.parts:
        raise UsageError(f"{package.path}: {group.name} has inputs as well as groups: put the inputs into a group")
    older = as_mapping(package.problem.get("grading"))
    over = {key: older[key] for key in _OVERRIDES if key in older}
    if older.get("on_reject") in _ON_REJECT:
        over["on_reject"] = _ON_REJECT[older["on_reject"]]
    settings = {**group.settings, **over}
    most = _end_of_range(settings) if gives_points else None
    if gives_points and not most and group.data:
        problem = "its validator writes points, and range in testdata.yaml does not say how many there are"
        raise UsageError(f"{package.path}: {group.name}: {problem}")
    return replace(
        group,
        settings=settings,
        data=tuple(replace(datum, max_score=most) for datum in group.data),
        parts=tuple(_with_defaults(package, part, gives_points=gives_points) for part in group.parts),
    )


def _every(group: ScoredGroup) -> Iterator[ScoredGroup]:
    yield group
    for part in group.parts:
        yield from _every(part)


def _end_of_range(settings: Mapping[str, Any]) -> Fraction | None:
    words = as_words(settings.get("range"))
    return as_number(words[1]) if len(words) == 2 else None  # noqa: PLR2004 - two ends


def find_graders(package: Package, folder: str, group: ScoredGroup) -> Graders:
    """Return the programs that score the groups, as files for a folder of the course."""
    asked = {str(one.settings.get("grading", "default")) for one in _every(group)}
    programs, files = {}, {}
    if "default" in asked:
        programs["default"] = f"{folder}/default-grader/{_DEFAULT}"
        files[programs["default"]] = Path(default_grader.__file__).read_bytes()
    if "custom" in asked:
        where = f"{folder}/grader"
        main, own = _grader_of(package)
        programs["custom"] = f"{where}/{main}"
        files |= {f"{where}/{name}": content for name, content in own.items()}
    return Graders(programs=programs, files=files)


def _grader_of(package: Package) -> tuple[str, Mapping[str, bytes]]:
    files: Mapping[str, bytes] = package.below(_GRADERS)
    folders = {PurePosixPath(name).parts[0] for name in files if "/" in name}
    if len(folders) == 1 and all("/" in name for name in files):
        files = {name.partition("/")[2]: content for name, content in files.items()}
    if not files:
        raise UsageError(f"{package.path}: grading: custom needs a program in graders/, which is not there")
    found = single_program(files)
    if found is None:
        problem = f"its grader is no single program in Python, a shell, Java, C or C++: {listed(sorted(files), most=3)}"
        raise UsageError(f"{package.path}: {problem}")
    return found


def scoring_of(group: ScoredGroup, most: Fraction, programs: Mapping[str, str]) -> Node:
    """Return `scoring` of a test with these groups, each with a program of its own."""
    return table({"max": plain(points(most)), **_keys_of(group, programs)})


def _keys_of(group: ScoredGroup, programs: Mapping[str, str]) -> dict[str, Node]:
    settings = group.settings
    keys: dict[str, Node] = {"program": text_or_word(programs[str(settings.get("grading", "default"))])}
    if flags := as_words(settings.get("grader_flags")):
        keys["args"] = listing([quoted(escaped(word)) for word in flags])
    if settings.get("on_reject", "break") == "break":
        keys["stop"] = plain("first-failure")
    if group.parts:
        keys["groups"] = listing([table(_keys_of(part, programs)) for part in group.parts])
        return keys
    for name, key, usual in (("accept", "accept_score", 1), ("reject", "reject_score", 0)):
        score = as_number(settings.get(key, usual))
        if score is None:
            raise UsageError(f"{group.name}: {key} is no number of points, 0 or more")
        if score != usual:
            keys[name] = plain(f"{float(score):.12g}")
    return {**keys, "cases": plain(str(len(group.data)))}
