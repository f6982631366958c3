"""`memory-clean` without valgrind, or used wrongly. `scenarios/memory-clean/` has the faults that it finds."""

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
from grader.kinds.memory_clean.model import MemoryRule
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
PROGRAM = DATA["PROGRAM"]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def laid_out(folder: Path, text: str) -> Path:
    return lay(folder, {"specs/memory.yaml": text, "work/m.c": PROGRAM}) / "specs/memory.yaml"


def prepared(folder: Path, text: str = SPEC, sandbox: str = "auto") -> Course:
    return prepare(laid_out(folder, text), sandbox=sandbox)


def test_without_the_tool_only_what_it_watches_is_ungraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_valgrind(name: str, package: str = "") -> Path:
        if name == "valgrind":
            raise HostError("valgrind is missing")
        return find_tool(name, package)

    monkeypatch.setattr(artifact, "find_tool", without_valgrind)
    monkeypatch.setattr(valgrind, "TOOL", ("no-valgrind", *valgrind.TOOL[1:]))
    report = grade(Job(spec=Path(), submission=Submission(id="ada", path=tmp_path / "work")), prepared(tmp_path))
    verdicts = {test.name: test.verdict.value for test in report.tests}
    assert verdicts["typed"] == verdicts["other"] == report.verdict.value == "ungraded"
    assert verdicts["unwatched"] == verdicts["command"] == "passed"
    assert report.toolchain["valgrind"] == "missing, or it does not work"


def test_a_level_without_proc_refuses_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="memory-clean needs valgrind, and that needs /proc"):
        prepared(tmp_path, sandbox="container")


@each_row
def test_a_wrong_use_is_an_error_of_the_spec(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = laid_out(tmp_path, SPEC.replace(old, new, 1))
    with pytest.raises(SpecError) as raised:
        load(path)
    assert told in str(raised.value)


def test_a_language_of_the_course_can_have_the_tool(tmp_path: Path) -> None:
    (tmp_path / "toolchains.yaml").write_text("zig: {version: [zig, version], memory_tool: valgrind}\n")
    path = laid_out(tmp_path, SPEC.replace("language: c", "language: zig"))
    assert MemoryRule.required(load(path).tests[0].cases[0])
