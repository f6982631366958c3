"""Each language for real: an uncaught exception, or a program that cannot be read, earns nothing for its status."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from grader.core.build.artifact import add_crashes_by_name
from grader.core.diagnosis import no_lines
from grader.core.judge.case import judge
from grader.core.judge.ending import crashed
from grader.core.model.execution import Execution
from grader.core.model.layout import Submission
from grader.core.model.report import CaseResult, Job
from grader.core.model.spec import LANGUAGES, Case, Expectation, Spec
from grader.core.pipeline import Course, Ran, bench, prepare, run_test
from tests.support.languages import TOOLCHAINS, is_here
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
CRASHES: Any = DATA["CRASHES"]
SPEC = DATA["SPEC"]
VERDICTS = {
    "right": ("passed", "passed", "passed"),
    "signal": ("passed", "crashed", "passed"),  # it is no exit, but its very status may be named
    "crash": ("crashed", "crashed", "passed"),
    "memory": ("memory", "memory", "passed"),
    "unreadable": ("crashed", "crashed", "crashed"),
}
"""of a kind of program the verdict in each of these tests"""
LANGUAGE_OF = {name: told.get("language", name) for name, told in CRASHES.items()}


def test_every_language_of_whose_crashes_we_know_is_tried() -> None:
    others = {"c", "typescript", "kotlin", "notebook"}  # as cpp, javascript, java, python
    assert set(LANGUAGES) - set(LANGUAGE_OF.values()) == others


def judged(work: Path, course: Course) -> list[CaseResult]:
    """Run a program once, and judge by each of the tests what it did."""
    job = Job(spec=course.spec.root / "specs/one.yaml", submission=Submission(id=work.name, path=work))
    with bench(job, course) as ready:
        (ran,) = run_test(course.spec.tests[0], ready.artifact, (), ready.course)
        assert isinstance(ran, Ran), ran
        cases = [test.cases[0] for test in course.spec.tests]
        return [judge(case, ran.execution, None, toolchain=ready.course.toolchain, command="") for case in cases]


def named(names: Iterable[str]) -> pytest.MarkDecorator:
    skip = {name: pytest.mark.skip(f"there is no {name} here") for name in CRASHES if not is_here(LANGUAGE_OF[name])}
    params = [pytest.param(name, marks=[skip[name]] if name in skip else []) for name in names]
    return pytest.mark.parametrize("name", params)


@named(CRASHES)
def test_a_crash_earns_nothing_for_its_status(name: str, tmp_path: Path) -> None:
    told = CRASHES[name]
    build = f"build: {{run: {told['build']}, produces: [{told.get('produces', 'main')}]}}\n" if "build" in told else ""
    text = SPEC.format(**told | {"language": LANGUAGE_OF[name], "build": build, "required": told["file"]})
    course = prepare(lay(tmp_path, {"specs/one.yaml": text}) / "specs/one.yaml")
    for kind, verdicts in VERDICTS.items():
        for number, text in enumerate(told.get(kind, ())):
            found = judged(lay(tmp_path / f"{kind}-{number}", {told["file"]: text}), course)
            assert (text, *(case.verdict for case in found)) == (text, *verdicts), found[0].message


@named(name for name in CRASHES if "build" not in CRASHES[name])
def test_a_program_whose_file_is_missing_earns_nothing_for_its_status(name: str, tmp_path: Path) -> None:
    told = CRASHES[name]
    text = SPEC.format(**told | {"language": LANGUAGE_OF[name], "build": "", "required": "notes.txt"})
    lay(tmp_path, {"specs/one.yaml": text, "work/notes.txt": "The program is not here.\n"})
    found = judged(tmp_path / "work", prepare(tmp_path / "specs/one.yaml"))
    assert "passed" not in [case.verdict for case in found]


@each_row
def test_what_an_uncaught_exception_looks_like(
    tmp_path: Path, *, language: str, program: str, source: str, errors: str, is_crash: bool
) -> None:
    (tmp_path / "main.hs").write_text(source)
    (tmp_path / "main").write_bytes(b"\0main: compiled")
    (tmp_path / "link.hs").symlink_to("/etc/passwd")
    command = tuple(program.split())
    spec = Spec(id="one", title="One", program=command, language=language, root=tmp_path, digest="", tests=())
    found = crashed(
        Case(id="t", expect=Expectation(exit="failure")),
        Execution(status=1, stderr=errors.encode()),
        add_crashes_by_name(TOOLCHAINS[language], spec, tmp_path),
        no_lines,
    )
    assert (found is not None) is is_crash


def test_rscript_says_on_standard_output_that_there_is_no_program() -> None:
    said = b"Fatal error: cannot open file 'main.R': No such file or directory\n"
    case = Case(id="t", expect=Expectation(exit="failure"))
    found = crashed(case, Execution(status=2, stdout=said), TOOLCHAINS["r"], no_lines)
    assert found
    assert found[1].text.startswith("Your program cannot be started: `Fatal error: cannot open file 'main.R'")
    assert crashed(case, Execution(status=2, stdout=b"It goes wrong.\n" + said), TOOLCHAINS["r"], no_lines) is None
    assert crashed(case, Execution(status=2, stdout=said, stderr=b"no\n"), TOOLCHAINS["r"], no_lines) is None
