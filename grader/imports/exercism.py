"""An exercise of Exercism -> a spec: its tests are unit tests or run by a command, its example is the reference."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from grader.core.errors import UsageError
from grader.core.languages import locate_tool
from grader.core.model.values import decodable
from grader.core.reader.files import read_data
from grader.core.text import joined, one_line
from grader.imports import Imported, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftTest, Loss, losses_where
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.junit_jars import JAVA_LIBRARIES

_CONFIG = ".meta/config.json"
_EXAMPLE_FOLDER = re.compile(r"^\.meta/(?:src/reference/java/)?")
_JAVA_EXAMPLES, _JAVA_SOURCES = ".meta/src/reference/java/", "src/main/java/"
_JAVA_TESTS = re.compile(r"^src/test/(?:java|resources)/")
_LIBRARY = re.compile(r"^\s*import\s+(?:static\s+)?((?:org\.(?!junit)|com\.|io\.|net\.)\w+)", re.MULTILINE)
# what an exercise has for its learners' tools and readers, and solutions of the track: no test needs it
_NO_PART = re.compile(
    r"(?:^|/)(?:\.[^/]*|node_modules|target|build|bin|__pycache__|gradle|approaches|articles)(?:/|$)"
    r"|(?:^|/)(?:(?:README|HELP|HINTS|LICENSE|CHANGELOG|description)(?:\.\w+)?|makefile|CMakeLists\.txt|metadata\.yml"
    r"|gradlew(?:\.bat)?|[^/]*\.(?:gradle|properties|lock|pyc|class)|package(?:-lock)?\.json|[^/]*\.config\.[cm]?[jt]s"
    r"|[tj]sconfig\.json|go\.(?:mod|sum)|Cargo\.toml|(?:[^/]*[.-])?(?:example|exemplar)(?:[._-][^/]*)?|proof\.ci[^/]*)$",
    re.IGNORECASE,
)
NODE_MODULES = Path("/usr/lib/node_modules")  # where the sandbox shows packages of npm


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """How the exercises of a language are read."""

    language: str
    suffix: str  # of the files that hold solutions and tests
    methods: str  # what each test begins with: so many points are given
    disabled: str = "(?!)"  # what keeps a test from being run until a learner removes it
    # What runs the tests: `{tests}` are their files, `{targets}` cargo's options; empty for unit tests.
    command: str = ""
    report: str = ""
    env: Mapping[str, str] = {}
    beside: tuple[str, ...] = ()  # files and folders of the exercise that the tests need
    build: str = ""  # the command that builds; `{sources}` are all files in the language, `{folders}` those of Java
    produces: tuple[str, ...] = ()
    program: str  # what starts the solution: `{first}` is its first file, `{stem}` that without its suffix
    seconds: int = 0  # of a run that compiles as well, on the wall and of the processor; 0 for the usual limits
    npm: tuple[str, ...] = ()  # the packages that the tests need; the first has the program that runs them


TRACKS = msgspec.convert(read_data(Path(__file__).with_name("exercism_tracks.yaml")), decodable(tuple[Track, ...]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exercise:
    """An exercise, by the files that its configuration names."""

    folder: Folder
    track: Track
    solution: Sequence[str]
    tests: Sequence[str]
    example: Sequence[str]
    helpers: Sequence[str]  # beside the tests, which need them
    editor: Sequence[str]  # beside the solution, which learners get and do not change
    losses: list[Loss] = field(default_factory=list)

    def text(self, inner: str) -> str:
        """Return a file of tests without what keeps them from being run until a learner removes it."""
        return re.sub(self.track.disabled, "", self.folder.text(inner))

    def files(self, names: Sequence[str]) -> dict[str, Data]:
        """Return those of the files that are there, by their paths; the tests as they are run."""
        there = [name for name in names if name in self.folder.files or name in self.tests]
        contents = {name: self.text(name).encode() if name in self.tests else self.folder.files[name] for name in there}
        return {name: CourseFile(name=name, content=content) for name, content in contents.items()}

    def points(self, tests: Sequence[str]) -> int:
        """Return how many methods the tests have."""
        return max(1, sum(len(re.findall(self.track.methods, self.text(inner))) for inner in tests))


def import_exercism(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of an exercise; UsageError for another folder, or a track that cannot be read."""
    folder = read_folder(path, _CONFIG)
    exercise = _read_exercise(folder)
    track, spec_id = exercise.track, identifier(name, folder.path.name)
    first = PurePosixPath(exercise.solution[0])
    keys: dict[str, Data] = {"about": one_line(str(folder.json(_CONFIG).get("blurb", "")), 400) or None}
    keys |= {"limits": {"time": track.seconds, "cpu": track.seconds}} if track.seconds else {}
    shared: dict[str, bytes] = {}
    beside = _course_files(exercise)
    if track.command:
        tests = [_command_test(exercise, beside)]
    else:
        tests = [_unit_test(exercise, inner, shared) for inner in exercise.tests]
    keys |= {"build": _build(exercise, beside)} if track.build else {}
    reference, files = _reference(exercise, spec_id)
    placed = {name for name in folder.files if name in exercise.helpers or name in beside or track.language != "java"}
    gone = [name for name in (*exercise.helpers, *exercise.editor) if not (name in placed or _NO_PART.search(name))]
    details = {"warnings": track.report == "unity", "install": " ".join(lacking_packages(track))}
    details |= {"left-out": joined(gone), "reference": not reference}
    return to_imported(
        Draft(
            id=spec_id,
            format="exercism",
            origin=f"the exercise {folder.path.name} of Exercism",
            language=track.language,
            required=exercise.solution,
            program=track.program.format(first=first, stem=first.stem).split(),
            keys={**keys, "reference": reference},
            tests=tests,
            files=files,
            shared=shared,
            losses=[*exercise.losses, *losses_where(details)],
        )
    )


def _build(exercise: _Exercise, beside: Mapping[str, Data]) -> Data:
    track = exercise.track
    names = [*(exercise.tests if track.command else ()), *exercise.solution, *exercise.editor]
    sources = [name for name in names if name.endswith(track.suffix)]
    parents = dict.fromkeys(PurePosixPath(name).parent for name in sources)
    folders = " ".join(str(parent / "*.java") for parent in parents)
    run = track.build.format(sources=" ".join(sources), folders=folders)
    return {"run": run, "produces": track.produces, "with": beside or None}


def lacking_packages(track: Track) -> list[str]:
    """Return the packages of npm that the tests need and this machine lacks."""
    absent = [name for name in track.npm if not (NODE_MODULES / name).is_dir()]
    return [name for name in absent if name != track.npm[0] or not locate_tool(name)]


def _course_files(exercise: _Exercise) -> dict[str, Data]:
    """Return the course's files that are built with the solution, or lie beside tests that a command runs."""
    track, folder = exercise.track, exercise.folder
    if not track.command:
        return exercise.files([name for name in exercise.editor if name.endswith(track.suffix)] if track.build else [])
    names = [*exercise.tests]
    for place in track.beside:
        inside = [place] if place in folder.files else [name for name in folder.files if name.startswith(f"{place}/")]
        exercise.losses.extend([] if inside else [Loss(rule="missing", detail=place)])
        names += inside
    files = exercise.files([*names, *exercise.helpers, *exercise.editor])
    if track.npm:
        # Jest reads modules as the track does, by Babel; what Node.js itself runs has the exercise's own type.
        is_module = re.search(rb'"type"\s*:\s*"module"', folder.files.get("package.json", b""))
        babel = {**({"type": "module"} if is_module else {}), "babel": {"plugins": [str(NODE_MODULES / track.npm[-1])]}}
        files["package.json"] = CourseFile(name="package.json", content=f"{json.dumps(babel)}\n".encode())
    manifest = folder.files.get("Cargo.toml", b"").decode(errors="replace")
    tables = re.findall(r"(?m)^\[(?:dev-)?dependencies\].*((?:\n(?!\[).*)*)", manifest)
    crates = re.findall(r"(?m)^([\w-]+)(?:\.\w+)?\s*=", "".join(tables))
    exercise.losses.extend(losses_where({"crates": joined(crates, "and")}))
    return files


def _command_test(exercise: _Exercise, beside: Mapping[str, Data]) -> DraftTest:
    """Make the one test that runs all tests of an exercise."""
    track, tests = exercise.track, exercise.tests
    targets = [f"--test {PurePosixPath(test).stem}" for test in tests if PurePosixPath(test).parent.name == "tests"]
    command = track.command.format(tests=" ".join(tests), targets=" ".join(targets))
    unit = {"command": command, "report": track.report, "with": None if track.build else beside}
    keys = {"env": track.env or None, "unit": unit}
    return DraftTest(name=PurePosixPath(tests[0]).stem, points=exercise.points(tests), keys=keys)


def _unit_test(exercise: _Exercise, inner: str, shared: dict[str, bytes]) -> DraftTest:
    """Make the test of a file, with the files that lie beside it and the libraries that it needs."""
    text, is_java = exercise.text(inner), exercise.track.language == "java"
    helpers = [*exercise.helpers, *([] if is_java else exercise.editor)]
    start = f"{PurePosixPath(inner).parent}/"
    beside = {_JAVA_TESTS.sub("", name).removeprefix(start): file for name, file in exercise.files(helpers).items()}
    uses_pytest = re.search(r"^\s*(?:import pytest|from pytest|@pytest)", text, re.MULTILINE)
    framework = "junit" if is_java else "pytest" if uses_pytest or "TestCase" not in text else "unittest"
    file = CourseFile(name=_JAVA_TESTS.sub("", inner), content=text.encode())
    unit: dict[str, Data] = {framework: file, "with": beside or None}
    packages = set(_LIBRARY.findall(text)) if is_java else set()
    jars = {f"lib/{name}": JAVA_LIBRARIES / name for name in ("assertj-core.jar", "byte-buddy.jar")}
    if "org.assertj" in packages and all(jar.is_file() for jar in jars.values()):
        packages.remove("org.assertj")
        shared |= {place: jar.read_bytes() for place, jar in jars.items()}
        unit["jars"] = list(jars)
    rules = {"org.assertj": "assertj"}
    exercise.losses.extend(Loss(rule=rules.get(package, "library"), detail=package) for package in sorted(packages))
    return DraftTest(name=PurePosixPath(inner).stem, points=exercise.points([inner]), keys={"unit": unit})


def _read_exercise(folder: Folder) -> _Exercise:
    config = folder.json(_CONFIG)
    files = config.get("files") if isinstance(config, dict) else None
    where = folder.path / _CONFIG
    if not isinstance(files, dict):
        raise UsageError(f"{where} names no files: name the folder of an exercise, such as exercises/practice/bob")
    solution, tests, editor = (_names(files.get(key)) for key in ("solution", "test", "editor"))
    if not solution or not tests:
        raise UsageError(f"{where}: files.solution and files.test have to name a file each")
    suffix = PurePosixPath(solution[0]).suffix
    track = next((track for track in TRACKS if track.suffix == suffix), None)
    if track is None:
        known = joined([track.suffix for track in TRACKS], "and")
        hint = "write their tests as `unit` by hand: `command` and `report` run any framework"
        raise UsageError(f"{folder.path}: exercises in {one_line(suffix or '?')} cannot be read, only {known}; {hint}")
    named = {*solution, *tests, *editor, *track.beside}
    unnamed = [name for name in folder.files if not (name in named or _NO_PART.search(name))]
    unnamed = [name for name in unnamed if PurePosixPath(name).parts[0] not in track.beside]
    if track.language == "java":  # the sources of two folders, and what tests read
        unnamed = [name for name in unnamed if name.endswith(".java") or name.startswith("src/test/resources/")]
    in_language = [name for name in tests if PurePosixPath(name).suffix == track.suffix]
    with_tests = [name for name in in_language if re.search(track.methods, folder.text(name))]
    if track.command and not with_tests:
        raise UsageError(f"{folder.path}: there is no test in {joined(tests, 'and')}, so nothing can be graded")
    tested = (in_language if track.command else with_tests) or tests
    of_tests = [name for name in unnamed if name.startswith("src/test/")]
    return _Exercise(
        folder=folder,
        track=track,
        solution=[name for name in solution if name not in track.beside],
        tests=tested,
        example=_names(files.get("example")) or _names(files.get("exemplar")),
        helpers=[*(name for name in tests if name not in tested), *of_tests],
        editor=[name for name in (*editor, *unnamed) if name not in {*solution, *of_tests}],
    )


def _names(value: Any) -> list[str]:
    names = [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
    for name in names:
        safe_path(name.removeprefix(".meta/"))
    return names


def _reference(exercise: _Exercise, spec_id: str) -> tuple[Data, Mapping[str, bytes]]:
    """Return the key `reference` for the example of the exercise, and its files; nothing without an example."""
    track, root, solution = exercise.track, f"reference/{spec_id}", exercise.solution
    suffixes = {PurePosixPath(name).suffix for name in solution}
    examples = [name for name in exercise.example if PurePosixPath(name).suffix in suffixes]
    if not examples:
        return None, {}
    if track.language == "java":
        above = _JAVA_SOURCES if solution[0].startswith(_JAVA_SOURCES) else f"{PurePosixPath(solution[0]).parent}/"
        more = [name for name in exercise.folder.files if name.startswith(_JAVA_EXAMPLES) and name.endswith(".java")]
        placed = {above + _EXAMPLE_FOLDER.sub("", name): name for name in (*examples, *more)}
    else:
        placed = dict[str, str]()
        for name in examples:  # in place of the next file of the solution with its suffix
            suffix = PurePosixPath(name).suffix
            same = (target for target in solution if target not in placed and PurePosixPath(target).suffix == suffix)
            placed[next(same, _EXAMPLE_FOLDER.sub("", name))] = name
    # A header that is complete as it is handed out has no example.
    placed |= {name: name for name in solution if name not in placed and name in exercise.folder.files}
    files = {f"{root}/{safe_path(target)}": exercise.folder.content(name) for target, name in placed.items()}
    if track.build or "{first}" not in track.program:
        return {"files": root, "language": track.language}, files
    return track.program.format(first=f"{root}/{solution[0]}").split(), files
