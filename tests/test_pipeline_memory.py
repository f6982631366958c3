"""`memory-clean`, with real programs under the real valgrind: each of the ways to be wrong, or to hide it."""

from pathlib import Path

import pytest

from grader.core.build import artifact
from grader.core.errors import HostError, SpecError
from grader.core.languages import find_tool
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import Course, grade, prepare
from grader.core.reader.spec import load
from grader.kinds.memory_clean import watch as valgrind
from tests.support.payloads import memory_rule_in

SPEC = """\
spec: 1
id: memory
title: Memory
language: c
files: {required: [m.c]}
build: {run: [gcc -g -pthread -o m m.c, cp m other], produces: [m, other]}
program: ./m
memory-clean: true
tests:
  - name: ways
    points: 8
    each: {way: [behind, null, child, hide, forge]}
    args: ["{way}"]
    expect: {stdout: "{way}\\n"}
  - {name: typed, points: 1, dialogue: [expect: "way?", send: right, expect: right, eof: true]}
  - {name: unwatched, points: 1, args: [behind], memory-clean: false, expect: {stdout: "behind\\n"}}
  - {name: command, points: 0, command: ls, expect: {stdout: {contains: m.c}}}
  - {name: other, points: 0, command: ./other, args: [behind], expect: {stdout: "behind\\n"}}
"""
PROGRAM = r"""#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *work(void *block) { return memset(block, 1, 10 << 20); }
int main(int argc, char *argv[]) {
    char typed[20] = "", *way = argc > 1 ? argv[1] : typed;
    if (argc < 2) { printf("way? "); fflush(stdout); if (scanf("%19s", typed) < 1) return 1; }
    puts(way);
    fflush(stdout);
    int *block = malloc(40), big[1000000];
    big[999999] = 0;
    pthread_t thread;
    void *much = malloc(10 << 20);
    pthread_create(&thread, NULL, work, much);
    pthread_join(thread, NULL);
    free(much);
    if (strcmp(way, "behind") == 0)
        block[10] = 1;
    if (strcmp(way, "null") == 0)
        return *(volatile int *)(long)big[999999];
    if (strcmp(way, "child") == 0) { if (fork() == 0) {
        block[-1] = 1;
        _exit(0); } wait(NULL); }
    if (strcmp(way, "hide") == 0) { FILE *maps = fopen("/proc/self/maps", "r"); char line[999];
        while (fgets(line, 999, maps)) if (strstr(line, "valgrind")) kill(getpid(), SIGKILL);
        block[10] = 1; }
    if (strcmp(way, "forge") == 0) {
        block[10] = 1;
        for (int at = 3; at < 1100; at++) { char name[40]; sprintf(name, "/proc/self/fd/%d", at);
            int again = open(name, O_WRONLY | O_TRUNC); if (write(again < 0 ? at : again, "<!--", 4) < 4) close(at); } }
    free(block);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def prepared(folder: Path, text: str = SPEC, sandbox: str = "auto") -> Course:
    (folder / "specs").mkdir()
    (folder / "specs" / "memory.yaml").write_text(text)
    return prepare(folder / "specs" / "memory.yaml", sandbox=sandbox)


@pytest.mark.slow  # ten programs under valgrind
def test_a_fault_is_found_and_told_with_its_line_however_it_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "m.c").write_text(PROGRAM)
    (tmp_path / "work" / ".valgrindrc").write_text("--tool=none\n")
    report = grade(Job(spec=Path(), submission=Submission(id="ada", path=tmp_path / "work")), prepared(tmp_path))
    cases = {case.id: case for test in report.tests for case in test.cases}
    lines = [line.strip() for line in PROGRAM.splitlines()]

    def place(text: str) -> str:
        return f"m.c:{lines.index(text) + 1}"

    behind, allocated = place("block[10] = 1;"), place("int *block = malloc(40), big[1000000];")
    written = f"{behind} (`block[10] = 1;`) writes 4 bytes right after a block of 40 bytes that {allocated} allocated."
    told = {name.removeprefix("ways[way=").removesuffix("]"): case for name, case in cases.items()}
    assert {name: case.verdict.value for name, case in told.items()} == {
        "behind": "failed",
        "null": "crashed",
        "child": "failed",
        "hide": "ungraded",
        "forge": "failed",
        "typed": "passed",
        "unwatched": "passed",
        "command": "passed",
        "other": "failed",
    }
    assert told["behind"].message == told["other"].message == written
    assert told["null"].message.endswith(" reads 4 bytes through a null pointer (SIGSEGV).")
    in_front = f"{place('block[-1] = 1;')} (`block[-1] = 1;`) writes 4 bytes starting 4 bytes before a block"
    assert told["child"].message.startswith(in_front)
    assert "valgrind found no fault, but the program behaved differently" in told["hide"].message
    assert told["forge"].message.partition(" ")[2] == written.partition(" ")[2]
    assert [(spot.file, spot.line) for spot in told["behind"].spots or ()] == [("m.c", int(behind[4:]))]
    assert all(bool(case.watched) == (name not in {"unwatched", "command", "hide"}) for name, case in told.items())
    assert report.toolchain["valgrind"].startswith("valgrind-3.")


def test_without_the_tool_only_what_it_watches_is_ungraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_valgrind(name: str, package: str = "") -> Path:
        if name == "valgrind":
            raise HostError("valgrind is missing")
        return find_tool(name, package)

    monkeypatch.setattr(artifact, "find_tool", without_valgrind)
    monkeypatch.setattr(valgrind, "TOOL", ("no-valgrind", *valgrind.TOOL[1:]))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "m.c").write_text(PROGRAM)
    report = grade(Job(spec=Path(), submission=Submission(id="ada", path=tmp_path / "work")), prepared(tmp_path))
    verdicts = {test.name: test.verdict.value for test in report.tests}
    assert verdicts["typed"] == verdicts["other"] == report.verdict.value == "ungraded"
    assert verdicts["unwatched"] == verdicts["command"] == "passed"
    assert report.toolchain["valgrind"] == "missing, or it does not work"


def test_a_level_without_proc_refuses_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="memory-clean needs valgrind, and that needs /proc"):
        prepared(tmp_path, sandbox="container")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param("language: c", "language: java", 'nothing watches the memory of a program in "java"', id="java"),
        pytest.param("./m\n", "make m\n", 'watches a program, and not "make": start it as ./NAME', id="make"),
        pytest.param(
            "command: ls,", "command: ls, memory-clean: true,", 'watches a program, and not "ls"', id="command"
        ),
        pytest.param(
            "args: [behind], memory-clean: false", "interactor: {program: i.py}", "interactor", id="interactor"
        ),
        pytest.param("memory-clean: true", "memory-clean: {leaks: no}", "unknown key", id="unknown"),
        pytest.param("memory-clean: true", "memory-clean: twice", "true or false", id="no word"),
    ],
)
def test_a_wrong_use_is_an_error_of_the_spec(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "specs").mkdir()
    path = tmp_path / "specs" / "memory.yaml"
    path.write_text(SPEC.replace(old, new, 1))
    with pytest.raises(SpecError) as raised:
        load(path)
    assert told in str(raised.value)


def test_a_language_of_the_course_can_have_the_tool(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "toolchains.yaml").write_text("zig: {version: [zig, version], memory_tool: valgrind}\n")
    path = tmp_path / "specs" / "memory.yaml"
    path.write_text(SPEC.replace("language: c", "language: zig"))
    assert memory_rule_in(load(path).tests[0].cases[0])
