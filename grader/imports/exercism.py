"""An exercise of Exercism (Python, Java) -> a spec: its tests are unit tests, its example is the reference."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import joined, one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, identifier, text_or_word
from grader.imports.folder import Folder, read_folder, safe_path

_CONFIG = ".meta/config.json"
_TRACKS = {".py": "python", ".java": "java"}
_DISABLED = re.compile(r'^[ \t]*@Disabled(?:\("[^"\n]*"\))?[ \t]*\n', re.MULTILINE)
_METHODS = {"python": re.compile(r"^\s+def test", re.MULTILINE), "java": re.compile(r"@(?:Test|ParameterizedTest)\b")}
_EXAMPLE_FOLDER = re.compile(r"^\.meta/(?:src/reference/java/)?")
_STANDARD = re.compile(r"^\s*import\s+(?:static\s+)?(org\.(?!junit)\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exercise:
    """An exercise, by the files that its configuration names."""

    id: str
    folder: Folder
    language: str
    solution: Sequence[str]
    tests: Sequence[str]
    example: Sequence[str]
    others: Sequence[str]
    blurb: str


def import_exercism(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of an exercise to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no exercise, or of a track that cannot be read.
    """
    exercise = _read_exercise(path, name)
    files: dict[str, bytes] = {}
    tests: list[Node] = []
    notes: list[str] = []
    for inner in exercise.tests:
        place = f"data/{exercise.id}/{PurePosixPath(inner).name}"
        text = exercise.folder.text(inner)
        if exercise.language == "java":
            text = _DISABLED.sub("", text)
            if packages := sorted(set(_STANDARD.findall(text))):
                notes.append(
                    f"The tests need {joined(packages)}: a library that JUnit does not bring; see use-unit-tests."
                )
        files[place] = text.encode()
        methods = len(_METHODS[exercise.language].findall(text))
        title = PurePosixPath(inner).stem
        unit = table({_framework(exercise.language, text): text_or_word(place)})
        tests.append(table({"name": text_or_word(title), "points": plain(str(max(1, methods))), "unit": unit}))
    reference = _reference(exercise, files)
    if not reference:
        notes.append("Reference: the exercise has no example of its own; put a solution below reference/ and name it.")
    if exercise.others:
        notes.append(f"Left out: {joined(list(exercise.others))}; where a test needs them, name them under `files`.")
    notes.append("Points: Exercism has none; each method is worth 1 here.")
    notes.append("The statement in .docs is left out: write what students need under `about`.")
    return Imported(
        id=exercise.id,
        spec={**_keys_before_tests(exercise), **reference, "tests": listing(tests)},
        files=files,
        origin=f"the exercise {exercise.folder.path.name} of Exercism",
        notes=notes,
    )


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
    language = _TRACKS.get(PurePosixPath(solution[0]).suffix)
    if language is None:
        raise UsageError(
            f"{folder.path}: exercises in {one_line(PurePosixPath(solution[0]).suffix or '?')} cannot be read, only "
            f"{joined(list(_TRACKS), 'and')}: their tests need a framework of the track; write them as `unit` by hand"
        )
    others = [one for one in tests if PurePosixPath(one).suffix != PurePosixPath(solution[0]).suffix]
    return _Exercise(
        id=identifier(name, folder.path.name),
        folder=folder,
        language=language,
        solution=solution,
        tests=[one for one in tests if one not in others],
        example=_names(files.get("example")) or _names(files.get("exemplar")),
        others=[*others, *_names(files.get("editor"))],
        blurb=one_line(str(config.get("blurb", "")), 400),
    )


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


def _keys_before_tests(exercise: _Exercise) -> dict[str, Node]:
    first = PurePosixPath(exercise.solution[0])
    keys: dict[str, Node] = {
        "spec": plain("1"),
        "id": plain(exercise.id),
        "title": text_or_word(exercise.id),
        "language": plain(exercise.language),
        "files": table({"required": listing(map(text_or_word, exercise.solution))}),
    }
    if exercise.blurb:
        keys["about"] = quoted(escaped(exercise.blurb))
    if exercise.language == "java":
        pattern = str(first.with_name("*.java"))
        run = listing([plain("sh"), quoted("-c"), quoted(f"javac -d . {pattern}")])
        keys["build"] = table({"run": listing([run]), "produces": listing([quoted("*.class")])})
        keys["program"] = listing([plain("java"), text_or_word(first.stem)])
    else:
        keys["program"] = listing([plain("python3"), text_or_word(str(first))])
    return keys


def _reference(exercise: _Exercise, files: dict[str, bytes]) -> dict[str, Node]:
    """Add the example of the exercise as its reference; return the key that names it."""
    names = [name for name in exercise.example if PurePosixPath(name).suffix in _TRACKS]
    if not names:
        return {}
    root = f"reference/{exercise.id}"
    if exercise.language == "java":
        above = str(PurePosixPath(exercise.solution[0]).parent)
        for name in names:
            target = safe_path(f"{above}/{_EXAMPLE_FOLDER.sub('', name)}")
            files[f"{root}/{target}"] = exercise.folder.content(name)
        return {"reference": table({"files": text_or_word(root), "language": plain("java")})}
    targets = exercise.solution if len(names) == len(exercise.solution) else [exercise.solution[0], *names[1:]]
    for name, target in zip(names, targets, strict=True):
        files[f"{root}/{safe_path(_EXAMPLE_FOLDER.sub('', target))}"] = exercise.folder.content(name)
    return {"reference": listing([plain("python3"), text_or_word(f"{root}/{exercise.solution[0]}")])}
