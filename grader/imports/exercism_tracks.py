"""The tracks of Exercism: what a test is here, and how a solution is built.

Python and Java have unit tests of their own here. In all other tracks a command runs the tests and its report is read;
the commands are those of the tracks, with a report that can be read.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from grader.core.languages import locate_tool
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import text_or_word

C_FLAGS = (
    "-std=c99 -g -Wall -Wextra -pedantic -Werror -Wmissing-declarations -DUNITY_SUPPORT_64 -DUNITY_USE_FLUSH_STDOUT"
)
"""with which the track compiles, where a warning is an error; each result is written before the next test"""


class Track(Struct, frozen=True, kw_only=True):
    """How the exercises of a language are read."""

    language: str
    suffix: str
    """of the files that hold solutions and tests"""
    methods: re.Pattern[str]
    """what each test begins with: so many points are given"""
    disabled: re.Pattern[str] | None = None
    """what keeps a test from being run until a learner removes it"""
    command: str = ""
    """what runs the tests, with `{tests}` for the names of their files and `{targets}` for cargo's options that name
    them; empty for unit tests"""
    report: str = ""
    env: Mapping[str, str] = {}
    beside: Sequence[str] = ()
    """files and folders of the exercise, beside its tests, that the tests need"""
    own: Callable[[Mapping[str, bytes]], Mapping[str, str]] | None = None
    """makes the files of ours that the tests need, by those of the exercise: name -> text"""
    build: Callable[[Sequence[str], Sequence[str]], tuple[str, Sequence[str]]] | None = None
    """the command that builds and what it leaves behind, by the names of the solution's files with those that learners
    get beside it, and of the tests"""
    program: str = "{first}"
    """what starts the solution, with `{first}` for its first file and `{stem}` for that without its suffix"""
    seconds: int = 0
    """of a run that compiles as well, on the wall and of the processor; 0 for the usual limits"""
    note: str = ""
    """what a course has to know of the framework"""
    npm: Sequence[str] = ()
    """the packages of npm that the tests need; the first has the program that runs them"""


def track_notes(track: Track) -> Iterator[str]:
    """Yield what a course has to know of the framework, and what of it this machine lacks."""
    if track.note:
        yield track.note
    program, *modules = track.npm or ("",)
    lacking = [program] if program and not locate_tool(program) else []
    lacking += [name for name in modules if not (NODE_MODULES / name).is_dir()]
    if lacking:
        needs = "has to be installed" if program in lacking else "needs more packages"
        yield f"{program.capitalize()} {needs}: npm install -g --prefix /usr {' '.join(lacking)}."


def _build_java(sources: Sequence[str], _tests: Sequence[str]) -> tuple[str, Sequence[str]]:
    folders = dict.fromkeys(PurePosixPath(name).parent for name in sources if name.endswith(".java"))
    return f"sh -c 'javac -d . {' '.join(str(one / '*.java') for one in folders)}'", ("*.class",)


def _build_c(code: Sequence[str], tests: Sequence[str]) -> tuple[str, Sequence[str]]:
    sources = " ".join(name for name in (*tests, *code) if name.endswith(".c"))
    return f"gcc {C_FLAGS} -o run-tests {sources} test-framework/unity.c -lm", ("run-tests",)


_JAVA_DISABLED = r"""@(?:Disabled|Ignore)\b(?:\s*\((?:[^()"\n]|"(?:[^"\\\n]|\\.)*")*\))?"""
NODE_MODULES = Path("/usr/lib/node_modules")
"""where the sandbox shows packages of npm"""
_BABEL = "@babel/plugin-transform-modules-commonjs"


def _package_of_node(files: Mapping[str, bytes]) -> Mapping[str, str]:
    """Let Jest read modules as the track does, by Babel; what Node.js itself runs has the exercise's own type."""
    try:
        kind = json.loads(files.get("package.json", b"{}")).get("type")
    except (ValueError, AttributeError, RecursionError):
        kind = None
    babel = {"plugins": [str(NODE_MODULES / _BABEL)]}
    return {"package.json": json.dumps({**({"type": kind} if kind == "module" else {}), "babel": babel}) + "\n"}


TRACKS: tuple[Track, ...] = (
    Track(
        language="python",
        suffix=".py",
        methods=re.compile(r"^\s*(?:async )?def test", re.MULTILINE),
        program="python3 {first}",
    ),
    Track(
        language="java",
        suffix=".java",
        methods=re.compile(r"@(?:Test|ParameterizedTest)\b"),
        disabled=re.compile(rf"^[ \t]*{_JAVA_DISABLED}[ \t]*\n|{_JAVA_DISABLED}[ \t]*", re.MULTILINE),
        build=_build_java,
        program="java {stem}",
    ),
    Track(
        language="c",
        suffix=".c",
        methods=re.compile(r"^[ \t]*RUN_TEST\s*\(", re.MULTILINE),
        disabled=re.compile(r"^[ \t]*TEST_IGNORE\(\);.*\n", re.MULTILINE),
        command="./run-tests",
        report="unity",
        beside=("test-framework",),
        build=_build_c,
        program="./run-tests",
        note="A warning of the compiler is an error, as in the track.",
    ),
    Track(
        language="javascript",
        suffix=".js",
        methods=re.compile(r"^[ \t]*x?(?:test|it)(?:\.\w+)*[(`]", re.MULTILINE),
        disabled=re.compile(r"\bx(?=(?:test|it|describe)(?:\.each)?[(`])"),
        command="jest {tests} --ci --reporters=jest-junit",
        report="junit",
        env={"JEST_JUNIT_OUTPUT_FILE": "{report}", "NODE_PATH": str(NODE_MODULES)},
        own=_package_of_node,
        seconds=30,
        program="node {first}",
        npm=("jest", "jest-junit", _BABEL),
    ),
    Track(
        language="go",
        suffix=".go",
        methods=re.compile(r"^func Test", re.MULTILINE),
        command="go test -json ./...",
        report="go",
        beside=("go.mod",),
        program="go test",
        seconds=60,
    ),
    Track(
        language="rust",
        suffix=".rs",
        methods=re.compile(r"^[ \t]*#\[test\]$(?!(?:\s*#\[.*\])*\s*#\[cfg\(feature\b)", re.MULTILINE),
        disabled=re.compile(r"^[ \t]*#\[ignore(?: = \"[^\"\n]*\")?\][ \t]*\n", re.MULTILINE),
        command="cargo test --offline --no-fail-fast {targets}",
        report="cargo",
        beside=("Cargo.toml",),
        program="cargo test --offline",
        seconds=60,
    ),
)


def crates_of(manifest: bytes) -> list[str]:
    """Return the crates that a Cargo.toml names; none where it cannot be read, which cargo will say."""
    try:
        found = tomllib.loads(manifest.decode())
    except (ValueError, RecursionError):
        return []
    tables = [found.get(key) for key in ("dependencies", "dev-dependencies")]
    return [name for one in tables if isinstance(one, dict) for name in one]


def track_of(suffix: str) -> Track | None:
    """Return the track whose solutions have that suffix."""
    return next((one for one in TRACKS if one.suffix == suffix), None)


def reported_unit(track: Track, tests: Sequence[str], beside: Mapping[str, Node]) -> Mapping[str, Node]:
    """Write `unit` for tests that a command runs; `beside` are the course's files by their names."""
    targets = " ".join(
        f"--test {PurePosixPath(one).stem}" for one in tests if PurePosixPath(one).parent.name == "tests"
    )
    command = track.command.format(tests=" ".join(tests), targets=targets)
    unit = {"command": quoted(command), "report": plain(track.report)}
    return unit if track.build else {**unit, "with": table(beside)}


def build_of(
    track: Track, solution: Sequence[str], editor: Sequence[str], tests: Sequence[str], beside: Mapping[str, Node]
) -> Mapping[str, Node]:
    """Write `build`, `program` and `limits`. What is built together with the tests gets the course's files then.

    `editor` are the files that learners get beside their solution.
    """
    first = PurePosixPath(solution[0])
    program = track.program.format(first=first, stem=first.stem).split()
    keys: dict[str, Node] = {"program": listing(map(text_or_word, program))}
    if track.seconds:
        seconds = plain(f"{track.seconds} s")
        keys["limits"] = table({"time": seconds, "cpu": seconds})
    if not track.build:
        return keys
    run, produces = track.build((*solution, *editor), tests)
    build: dict[str, Node] = {"run": quoted(run), "produces": listing(map(quoted, produces))}
    return {"build": table({**build, "with": table(beside)} if beside else build), **keys}
