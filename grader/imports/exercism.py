"""An exercise of Exercism -> a spec: its tests are unit tests or run by a command, its example is the reference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import joined, one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.exercism_tracks import TRACKS, Track, build_of, crates_of, reported_unit, track_notes, track_of
from grader.imports.folder import Folder, places_of, read_folder, safe_path
from grader.kinds.unit_tests.junit_jars import JAVA_LIBRARIES

_CONFIG = ".meta/config.json"
_EXAMPLE_FOLDER = re.compile(r"^\.meta/(?:src/reference/java/)?")
_JAVA_EXAMPLES = ".meta/src/reference/java/"
_JAVA_SOURCES = "src/main/java/"
_LIBRARY = re.compile(r"^\s*import\s+(?:static\s+)?((?:org\.(?!junit)|com\.|io\.|net\.)\w+)", re.MULTILINE)
_ASSERTJ = "org.assertj"
_NO_PART = re.compile(
    r"(?:^|/)(?:\.[^/]*|node_modules|target|build|bin|__pycache__|gradle|approaches|articles)(?:/|$)"
    r"|(?:^|/)(?:(?:README|HELP|HINTS|LICENSE|CHANGELOG|description)(?:\.\w+)?|makefile|CMakeLists\.txt|metadata\.yml"
    r"|gradlew(?:\.bat)?|[^/]*\.(?:gradle|properties|lock|pyc|class)|package(?:-lock)?\.json|[^/]*\.config\.[cm]?[jt]s"
    r"|[tj]sconfig\.json|go\.(?:mod|sum)|Cargo\.toml|(?:[^/]*[.-])?(?:example|exemplar)(?:[._-][^/]*)?|proof\.ci[^/]*)$",
    re.IGNORECASE,
)
"""what an exercise has for its learners' tools and readers, and solutions of the track: no test needs it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exercise:
    """An exercise, by the files that its configuration names."""

    id: str
    folder: Folder
    track: Track
    solution: Sequence[str]
    tests: Sequence[str]
    example: Sequence[str]
    helpers: Sequence[str]
    """beside the tests, which need them"""
    editor: Sequence[str]
    """beside the solution, which learners get and do not change"""
    blurb: str


def import_exercism(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of an exercise to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no exercise, or of a track that cannot be read.
    """
    exercise = _read_exercise(path, name)
    track, files, shared = exercise.track, dict[str, bytes](), dict[str, bytes]()
    notes = [*track_notes(track)]
    if track.command:
        tests = list(_tests_of_command(exercise, files, notes))
    else:
        tests = list(_unit_tests(exercise, files, shared, notes))
    reference = _reference(exercise, files)
    if not reference:
        notes.append("Reference: the exercise has no example of its own; put a solution below reference/ and name it.")
    others = [one for one in (*exercise.helpers, *exercise.editor) if not _NO_PART.search(one)]
    if left_out := [one for one in others if not any(place.endswith(f"/{PurePosixPath(one).name}") for place in files)]:
        notes.append(f"Left out: {joined(left_out)}; where a test needs them, name them under `files`.")
    notes.append("Points: Exercism has none; each method is worth 1 here.")
    notes.append("The statement in .docs is left out: write what students need under `about`.")
    return Imported(
        id=exercise.id,
        spec={**_keys_before_tests(exercise, files), **reference, "tests": listing(tests)},
        files=files,
        shared=shared,
        origin=f"the exercise {exercise.folder.path.name} of Exercism",
        notes=notes,
    )


def _unit_tests(
    exercise: _Exercise, files: dict[str, bytes], shared: dict[str, bytes], notes: list[str]
) -> Iterator[Node]:
    """Add the tests' files, their helpers and libraries; yield a test of the spec for each."""
    root, content = f"data/{exercise.id}", exercise.folder.files
    editor = [one for one in exercise.editor if one in content]
    if exercise.track.build:  # compiled with the solution, not with the tests
        files |= {f"{root}/{safe_path(one)}": content[one] for one in editor if one.endswith(exercise.track.suffix)}
        editor = []
    helpers = [*(one for one in exercise.helpers if one in content), *editor]
    places = {inner: f"{root}/{place}" for inner, place in places_of((*exercise.tests, *helpers)).items()}
    beside = {places[inner]: content[inner] for inner in helpers}
    files |= beside
    for inner in exercise.tests:
        place = places[inner]
        text = _enabled_text(exercise, inner)
        files[place] = text.encode()
        unit: dict[str, Node] = {_framework(exercise.track.language, text): text_or_word(place)}
        if exercise.track.language == "java":
            packages = set(_LIBRARY.findall(text))
            jars = _assertj_jars() if _ASSERTJ in packages else {}
            if others := sorted(packages - {_ASSERTJ} if jars else packages):
                how = " (Debian: libassertj-core-java, which is found then)" if _ASSERTJ in others else ""
                notes.append(f"The tests need {joined(others)}{how}: name its archive under jars; see use-unit-tests.")
            if jars:
                shared |= jars
                unit["jars"] = listing(map(text_or_word, jars))
        if beside:
            unit["with"] = listing(map(text_or_word, beside))
        yield _test(exercise, inner, unit)


def _assertj_jars() -> dict[str, bytes]:
    """Return the archives of AssertJ on this machine by where they lie in the course; none where one is missing."""
    found = {f"lib/{name}": JAVA_LIBRARIES / name for name in ("assertj-core.jar", "byte-buddy.jar")}
    if not all(path.is_file() for path in found.values()):
        return {}
    return {place: path.read_bytes() for place, path in found.items()}


def _tests_of_command(exercise: _Exercise, files: dict[str, bytes], notes: list[str]) -> Iterator[Node]:
    """Add the tests' files and what they need; yield the one test of the spec that runs them."""
    track, folder = exercise.track, exercise.folder
    root = f"data/{exercise.id}"
    files |= {f"{root}/{safe_path(inner)}": _enabled_text(exercise, inner).encode() for inner in exercise.tests}
    others = (*exercise.helpers, *exercise.editor)
    for name in (*track.beside, *(one for one in others if one in folder.files)):
        inside = {name: folder.files[name]} if name in folder.files else folder.below(name)
        prefix = "" if name in folder.files else f"{name}/"
        files |= {f"{root}/{safe_path(f'{prefix}{inner}')}": content for inner, content in inside.items()}
        if not inside:
            notes.append(f"Missing: {name}, which the tests need; put it below {root} and name it under `with`.")
    if track.own:
        files |= {f"{root}/{name}": text.encode() for name, text in track.own(folder.files).items()}
    if crates := crates_of(folder.files.get("Cargo.toml", b"")):
        notes.append(f"The tests need the crates {joined(crates, 'and')}: cargo has to find them on the machine.")
    unit = reported_unit(track, exercise.tests, _beside(exercise, files))
    yield _test(exercise, exercise.tests[0], unit, exercise.tests)


def _beside(exercise: _Exercise, files: Mapping[str, bytes]) -> dict[str, Node]:
    """Return the names, in the working folder, of the course's files of the exercise, each with its place."""
    root = f"data/{exercise.id}/"
    names = [place.removeprefix(root) for place in files if place.startswith(root)]
    wanted = names if exercise.track.command else [name for name in names if name in exercise.editor]
    return {name: table({"file": text_or_word(f"{root}{name}")}) for name in wanted}


def _enabled_text(exercise: _Exercise, inner: str) -> str:
    """Return a file of tests without what keeps them from being run until a learner removes it."""
    text, disabled = exercise.folder.text(inner), exercise.track.disabled
    return disabled.sub("", text) if disabled else text


def _test(exercise: _Exercise, first: str, unit: Mapping[str, Node], counted: Sequence[str] = ()) -> Node:
    methods = exercise.track.methods
    points = sum(len(methods.findall(_enabled_text(exercise, inner))) for inner in counted or (first,))
    keys = {"name": text_or_word(PurePosixPath(first).stem), "points": plain(str(max(1, points)))}
    env = {name: quoted(value) for name, value in exercise.track.env.items()}
    return table({**keys, **({"env": table(env)} if env else {}), "unit": table(unit)})


def _read_exercise(path: Path, name: str | None) -> _Exercise:
    folder = read_folder(path, _CONFIG)
    where = folder.path / _CONFIG
    config = folder.json(_CONFIG)
    files = config.get("files") if isinstance(config, dict) else None
    if not isinstance(files, dict):
        raise UsageError(f"{where} names no files: name the folder of an exercise, such as exercises/practice/bob")
    solution, tests = _names(files.get("solution")), _names(files.get("test"))
    if not solution or not tests:
        raise UsageError(f"{where}: files.solution and files.test have to name a file each")
    suffix = PurePosixPath(solution[0]).suffix
    track = track_of(suffix)
    if track is None:
        raise UsageError(
            f"{folder.path}: exercises in {one_line(suffix or '?')} cannot be read, only "
            f"{joined([one.suffix for one in TRACKS], 'and')}; write their tests as `unit` by hand: "
            "`command` and `report` run any framework"
        )
    helpers = [one for one in tests if not _has_tests(track, folder, one)]
    solution = [one for one in solution if one not in track.beside]
    editor = [one for one in _names(files.get("editor")) if one not in solution]
    if track.command and not any(track.methods.search(folder.text(one)) for one in tests if one not in helpers):
        raise UsageError(f"{folder.path}: there is no test in {joined(tests, 'and')}, so nothing can be graded")
    unnamed = _unnamed_files(track, folder, (*solution, *tests, *editor))
    return _Exercise(
        id=identifier(name, folder.path.name),
        folder=folder,
        track=track,
        solution=solution,
        tests=[one for one in tests if one not in helpers] or tests,
        example=_names(files.get("example")) or _names(files.get("exemplar")),
        helpers=[
            *(helpers if len(helpers) < len(tests) else []),
            *(one for one in unnamed if one.startswith("src/test/")),
        ],
        editor=[*editor, *(one for one in unnamed if not one.startswith("src/test/"))],
        blurb=one_line(str(config.get("blurb", "")), 400),
    )


def _unnamed_files(track: Track, folder: Folder, named: Sequence[str]) -> list[str]:
    """Return the files that learners get with the exercise though its configuration does not name them."""
    known = {*named, *track.beside}
    found = [one for one in folder.files if one not in known and not _NO_PART.search(one)]
    found = [one for one in found if PurePosixPath(one).parts[0] not in track.beside]
    if track.language == "java":  # the sources of two folders, and what tests read
        return [one for one in found if one.endswith(".java") or one.startswith("src/test/resources/")]
    return found


def _has_tests(track: Track, folder: Folder, name: str) -> bool:
    """Tell whether a file of the exercise's tests has tests; what a command builds or runs with them counts as well."""
    if PurePosixPath(name).suffix != track.suffix:
        return False
    return bool(track.command) or name not in folder.files or bool(track.methods.search(folder.text(name)))


def _names(value: Any) -> list[str]:
    found = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    for name in found:
        safe_path(name.removeprefix(".meta/"))
    return found


def _framework(language: str, text: str) -> str:
    if language == "java":
        return "junit"
    uses_pytest = re.search(r"^\s*(?:import pytest|from pytest|@pytest)", text, re.MULTILINE)
    return "pytest" if uses_pytest or "TestCase" not in text else "unittest"


def _keys_before_tests(exercise: _Exercise, files: Mapping[str, bytes]) -> dict[str, Node]:
    keys = first_keys(exercise.id, exercise.track.language, required=exercise.solution)
    if exercise.blurb:
        keys["about"] = quoted(exercise.blurb)
    return {
        **keys,
        **build_of(exercise.track, exercise.solution, exercise.editor, exercise.tests, _beside(exercise, files)),
    }


def _reference(exercise: _Exercise, files: dict[str, bytes]) -> dict[str, Node]:
    """Add the example of the exercise as its reference; return the key that names it."""
    track, root = exercise.track, f"reference/{exercise.id}"
    examples = [name for name in exercise.example if PurePosixPath(name).suffix in _suffixes(exercise.solution)]
    if not examples:
        return {}
    if track.language == "java":
        first = exercise.solution[0]
        above = _JAVA_SOURCES if first.startswith(_JAVA_SOURCES) else f"{PurePosixPath(first).parent}/"
        more = [one for one in exercise.folder.files if one.startswith(_JAVA_EXAMPLES) and one.endswith(".java")]
        placed = {above + _EXAMPLE_FOLDER.sub("", name): name for name in dict.fromkeys([*examples, *more])}
    else:
        placed = _place_examples(exercise.solution, examples)
    for target in exercise.solution:  # a header that is complete as it is handed out has no example
        if target not in placed and target in exercise.folder.files:
            placed[target] = target
    for target, name in placed.items():
        files[f"{root}/{safe_path(target)}"] = exercise.folder.content(name)
    if track.build or "{first}" not in track.program:
        return {"reference": table({"files": text_or_word(root), "language": plain(track.language)})}
    program = track.program.format(first=f"{root}/{exercise.solution[0]}").split()
    return {"reference": listing(map(text_or_word, program))}


def _suffixes(names: Sequence[str]) -> set[str]:
    return {PurePosixPath(name).suffix for name in names}


def _place_examples(solution: Sequence[str], examples: Sequence[str]) -> dict[str, str]:
    """Return which example stands in which place: each for the next file of the solution with its suffix."""
    left = list(solution)
    placed: dict[str, str] = {}
    for name in examples:
        target = next((one for one in left if PurePosixPath(one).suffix == PurePosixPath(name).suffix), None)
        if target is None:
            target = _EXAMPLE_FOLDER.sub("", name)
        else:
            left.remove(target)
        placed[target] = name
    return placed
