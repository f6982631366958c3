import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from grader.core.build.artifact import candidate_toolchains
from grader.core.errors import HostError
from grader.core.languages import TOOLCHAINS_FILE, toolchain, with_own
from grader.core.model.limits import Limits
from grader.core.model.spec import LANGUAGES, Toolchain
from grader.core.pipeline import prepare
from grader.core.reader.files import read_data
from grader.core.run.runner import add_options
from grader.kinds.memory_clean.model import MEMORY_LANGUAGES
from tests.support.languages import each
from tests.support.rows import each_row

DATA: Any = read_data(TOOLCHAINS_FILE)
JAVA = toolchain("java", DATA)
LIMITS = Limits(cpu=10, memory=512 * 2**20)


def test_there_is_a_toolchain_for_each_language() -> None:
    assert tuple(DATA) == LANGUAGES


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_toolchain_is_usable(name: str) -> None:
    found = toolchain(name, DATA)
    assert found.name == name
    assert DATA[name].keys() <= {field.name for field in fields(Toolchain)}
    assert found.version
    assert found.package
    replace(Limits(), **{**found.limits, **found.build_limits})
    for pattern in (
        *found.crash,
        *found.uncaught,
        *found.load_errors,
        *found.out_of_memory,
        *found.noise,
        *found.cannot_start,
        *found.end_of_input,
    ):
        re.compile(pattern.encode())
    for pattern in (*found.unreadable, *found.errors):
        assert {"error", "line"} <= re.compile(pattern.encode()).groupindex.keys()


@each_row
def test_bad_data_is_our_error(data: object) -> None:
    with pytest.raises(HostError, match="java"):
        toolchain("java", data)


def test_a_course_changes_a_language_key_by_key() -> None:
    data = with_own(
        DATA, {"java": {"limits": {"processes": 9}, "title": "J"}, "scala": {"like": "java", "package": "scala"}}
    )
    java, scala = toolchain("java", data), toolchain("scala", data)
    assert java.limits == {**JAVA.limits, "processes": 9}
    assert replace(java, limits=JAVA.limits, title=JAVA.title) == JAVA
    assert (scala.title, scala.package, scala.crash) == ("Scala", "scala", JAVA.crash)
    with pytest.raises(HostError, match="has to stand by itself"):
        toolchain("x", {**data, "x": {"like": "scala"}})


def test_the_reference_is_asked_for_exceptions_of_its_own_language() -> None:
    known = {name: toolchain(name, DATA) for name in DATA}

    def patterns(*command: str) -> tuple[str, ...]:
        return tuple(pattern for one in candidate_toolchains(command, known).values() for pattern in one.crash)

    python = patterns("/usr/bin/python3", "reference/a.py")
    assert not matched(python, b"a letter is wrong at input line 3.\n")
    assert matched(python, b"Traceback (most recent call last):\n")
    assert matched(patterns("./reference/run"), b"died at a.pl line 3.\n")


def test_options_go_behind_the_interpreter() -> None:
    assert add_options(JAVA, ("java", "-jar", "Queens", "-v"), LIMITS) == (
        "java",
        "-Xmx384m",
        "-Xss16m",
        "-XX:-UsePerfData",
        "-XX:TieredStopAtLevel=1",
        "-jar",
        "Queens",
        "-v",
    )


def test_what_only_makes_it_faster_can_be_left_out() -> None:
    argv = add_options(JAVA, ("java", "Queens"), LIMITS, fast=False)
    assert argv == ("java", "-Xmx384m", "-Xss16m", "-XX:-UsePerfData", "Queens")


def test_long_cases_have_the_optimising_compiler() -> None:
    argv = add_options(JAVA, ("/usr/bin/java", "Queens"), Limits(cpu=20, memory=2**30))
    assert argv == ("/usr/bin/java", "-Xmx768m", "-Xss32m", "-XX:-UsePerfData", "Queens")


@pytest.mark.parametrize("argv", [("make", "clean"), ("./java.sh",), ("javac", "A.java")])
def test_other_commands_stay_as_they_are(argv: tuple[str, ...]) -> None:
    assert add_options(JAVA, argv, LIMITS) == argv
    assert add_options(toolchain("c", DATA), argv, LIMITS) == argv


def errors_of(argv: tuple[str, ...], folder: Path) -> bytes:
    return subprocess.run(argv, cwd=folder, capture_output=True, check=False).stderr


def matched(patterns: tuple[str, ...], text: bytes) -> bool:
    return any(re.search(pattern.encode(), text) for pattern in patterns)


@pytest.mark.slow
@each_row
def test_java_patterns(tmp_path: Path, body: str, crash: bool, out_of_memory: bool) -> None:  # noqa: FBT001 - a table
    (tmp_path / "Q.java").write_text(f"class Q {{ public static void main(String[] a) {{ {body} }} }}")
    subprocess.run(("/usr/bin/javac", "-J-XX:TieredStopAtLevel=1", "Q.java"), cwd=tmp_path, check=True)
    said = errors_of(add_options(JAVA, ("java", "Q"), Limits(memory=64 * 2**20)), tmp_path)
    assert (matched(JAVA.crash, said), matched(JAVA.out_of_memory, said)) == (crash, out_of_memory)


def test_java_that_cannot_start_is_a_crash(tmp_path: Path) -> None:
    assert matched(JAVA.crash, errors_of(add_options(JAVA, ("java", "-jar", "Queens"), LIMITS), tmp_path))


@each_row
def test_python_patterns(tmp_path: Path, body: str, crash: bool, out_of_memory: bool) -> None:  # noqa: FBT001 - a table
    (tmp_path / "q.py").write_text(body)
    python = toolchain("python", DATA)
    said = errors_of(add_options(python, ("python3", "q.py"), LIMITS), tmp_path)
    assert (matched(python.crash, said), matched(python.out_of_memory, said)) == (crash, out_of_memory)


@each_row
def test_cpp_patterns(tmp_path: Path, body: str, out_of_memory: bool) -> None:  # noqa: FBT001 - a table
    (tmp_path / "q.cpp").write_text(f"#include <new>\nint main() {{ {body} }}\n")
    subprocess.run(("/usr/bin/g++", "q.cpp", "-o", "q"), cwd=tmp_path, check=True)
    cpp = toolchain("cpp", DATA)
    said = errors_of((str(tmp_path / "q"),), tmp_path)
    assert (matched(cpp.crash, said), matched(cpp.out_of_memory, said)) == (True, out_of_memory)


@each_row
def test_prolog_patterns(
    tmp_path: Path, program: str, argv: tuple[str, ...], status: int, *, crash: bool, out_of_memory: bool
) -> None:
    (tmp_path / "q.pl").write_text(program + "\n")
    prolog = toolchain("prolog", DATA)
    command = add_options(prolog, argv, Limits(memory=64 * 2**20))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, matched(prolog.crash, done.stderr)) == (status, crash), done.stderr
    assert matched(prolog.out_of_memory, done.stderr) == out_of_memory


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_toolchain_has_a_small_program(name: str) -> None:
    hello = toolchain(name, DATA).hello
    assert hello
    assert all("hello" in text for text in hello.files.values())


@each(*LANGUAGES)
def test_versions_are_told(language: str) -> None:
    done = subprocess.run(toolchain(language, DATA).version, capture_output=True, check=True)
    assert done.stdout + done.stderr


def test_the_loader_knows_which_languages_have_a_tool_for_memory() -> None:
    assert {name for name in LANGUAGES if toolchain(name, DATA).memory_tool} == set(MEMORY_LANGUAGES)


@each_row
def test_what_no_submission_can_bring_leaves_nobody_without_points(
    tmp_path: Path, program: str, command: str, missing: str
) -> None:
    case = f"- {{command: {command}, expect: {{stdout: nothing}}}}\n" if command else ""
    text = (
        "spec: 1\nid: tool\ntitle: Tool\nlanguage: python\nfiles: {required: [main.py]}\n"
        f"program: {program}\ntests:\n  - name: one\n    cases:\n      - {{expect: {{stdout: nothing}}}}\n      {case}"
    )
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/tool.yaml").write_text(text)
    if not missing:
        assert prepare(tmp_path / "specs/tool.yaml").versions
        return
    with pytest.raises(HostError, match=f"{missing} is missing from /usr/bin:/bin; install it"):
        prepare(tmp_path / "specs/tool.yaml")
