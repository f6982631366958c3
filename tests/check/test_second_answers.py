"""The reference is asked twice: what it says must not depend on time, chance, order, place, processors or locale."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.check.expected_results import MAX_GENERATED, reference_results
from grader.check.runner import asking, examine
from grader.check.subject import Remark
from grader.core.errors import GraderError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.oracle.answers import AskingConditions
from grader.core.pipeline import Course, prepare, reference_execution
from grader.kinds.unit_tests.model import method_of
from tests.support.courses import course
from tests.support.packages import lay
from tests.support.rows import read_data

pytestmark = pytest.mark.slow

DATA = read_data(__file__)
HEAD = DATA["HEAD"]
CHANCE = "the time, on chance, on an address in memory or on the order of a hash table"
ORDER, TIME = "the order of a hash table", "the time"
PROCESSORS = "the number of processors" if len(os.sched_getaffinity(0)) > 1 else ""

CAUSES = {"TIME": TIME, "CHANCE": CHANCE, "PROCESSORS": PROCESSORS}


def programs(key: str) -> dict[str, tuple[str, str]]:
    """Return pieces of a program, and what their answer depends on."""
    return {name: (code, CAUSES.get(cause, cause)) for name, (code, cause) in DATA[key].items()}


PYTHON, C, PERL, RUBY = map(programs, ("PYTHON", "C", "PERL", "RUBY"))
MODULES = ("datetime", "getpass", "os", "random", "socket", "tempfile", "threading", "time")


def remarks_of(path: Path) -> Mapping[str, Remark]:
    """Examine a spec; return the remarks on answers that differ, by the path of the test."""
    remarks = [one for one in examine(path, asking("auto", 2)).remarks if one.level == "error"]
    assert {one.rule for one in remarks} <= {"unsteady-reference"}, remarks
    return {one.path.partition(".")[0]: one for one in remarks}


def causes_in(found: Mapping[str, Remark], names: list[str]) -> Mapping[str, str]:
    """Return, by the names of the tests of a spec, on what the answers depend; empty where they are the same."""
    told = {name: found.get(f"tests[{place}]") for place, name in enumerate(names)}
    return {
        name: one.message.partition("The answer depends on ")[2].partition(":")[0] if one else ""
        for name, one in told.items()
    }


def with_tests(*names: str) -> str:
    """A test for each argument of the program."""
    return "tests:\n" + "".join(
        f"  - {{name: {name}, args: [{name}], expect: {{stdout: reference, exit: reference}}}}\n" for name in names
    )


@pytest.mark.slow
def test_a_reference_in_python(tmp_path: Path) -> None:
    program = "import sys\n"
    for name, (code, _) in PYTHON.items():  # each imports its own: all of them together take longer than it does
        imports = [f"import {module}" for module in MODULES if f"{module}." in code]
        program += "\n    ".join([f"if sys.argv[1] == {name!r}:", *imports, *code.split("\n")]) + "\n"
    path = course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + with_tests(*PYTHON), program)
    for name in ("red", "green", "blue"):
        (tmp_path / "reference" / name).touch()
    found = remarks_of(path)
    causes = {**causes_in(found, list(PYTHON))}
    assert causes["time-seed"] in (TIME, CHANCE)  # by whether all runs fall into one second
    assert causes | {"time-seed": TIME} == {name: cause for name, (_, cause) in PYTHON.items()}
    said = found["tests[0]"].message
    assert said.startswith(
        "`folder`: asked twice, the reference gives two answers: first `/box`, then `/work/elsewhere`. "
        "The answer depends on the working folder: "
    )
    assert "write a check or a pattern" in said
    crash = found[f"tests[{list(PYTHON).index('crash')}]"].message
    assert "ValueError: not here" in crash


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="all processors are one")
def test_on_one_of_several_processors_their_number_is_told_and_no_time(tmp_path: Path) -> None:
    program = "import os, time\nprint(os.cpu_count(), 'jobs')\n"
    path = course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + with_tests("a"), program)
    one = str(min(os.sched_getaffinity(0)))
    command = ("taskset", "--cpu-list", one, sys.executable, "-m", "grader", "lint", str(path))
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert "The answer depends on the number of processors: " in done.stderr


def test_what_a_coin_decides_is_chance_though_it_fell_otherwise_under_some_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = prepare(course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + with_tests("a", "b")))
    told = []
    for salt in range(40):

        def toss(case: Case, _course: Course, conditions: object = None, salt: int = salt) -> Execution:
            found = sha256(f"{salt} {case.id} {conditions!r}".encode()).digest()[0] % 2
            return Execution(stdout=b"heads\n" if found else b"tails\n", status=0)

        monkeypatch.setattr("grader.check.expected_results.reference_execution", toss)
        told += [one.doubt.causes for one in reference_results(prepared, 1) if one.doubt]
    assert len(told) > 30
    assert sum(causes != (CHANCE,) for causes in told) <= len(told) / 10


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no compiler for C")
def test_a_reference_in_c(tmp_path: Path) -> None:
    chosen = "\n".join(f'if (!strcmp(argv[1], "{name}")) {{ {code} }}' for name, (code, _) in C.items())
    includes = "".join(f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "string", "time", "unistd"))
    path = course(tmp_path, HEAD + "reference: reference/echo.c\n" + with_tests(*C))
    (tmp_path / "reference" / "echo.py").unlink()
    (tmp_path / "reference" / "echo.c").write_text(
        f"{includes}int main(int argc, char **argv) {{ (void)argc; {chosen} }}"
    )
    causes = {**causes_in(remarks_of(path), list(C))}
    assert causes["seed"] in (TIME, CHANCE)  # by whether all runs fall into one second
    assert causes | {"seed": TIME} == {name: cause for name, (_, cause) in C.items()}


TOOLS = {**dict.fromkeys(PERL, "perl"), **dict.fromkeys(RUBY, "ruby")}


def test_references_in_perl_and_ruby_for_several_programs(tmp_path: Path) -> None:
    for tool in ("perl", "ruby"):
        if not shutil.which(tool, path="/usr/bin:/bin"):
            pytest.skip(f"there is no {tool}")
    tests = "".join(
        f"  - {{name: {name}, command: [{tool}, {name}], expect: {{stdout: reference}}}}\n"
        for name, tool in TOOLS.items()
    )
    named = "".join(f"  {name}: {tool} reference/{name}\n" for name, tool in TOOLS.items())
    spec = HEAD + "reference: python3 reference/echo.py\nreferences:\n" + named + "tests:\n" + tests
    path = course(tmp_path, spec)
    lay(tmp_path / "reference", {name: f"{code}\n" for name, (code, _) in {**PERL, **RUBY}.items()})
    found = causes_in(remarks_of(path), list(TOOLS))
    assert found == {name: cause for name, (_, cause) in {**PERL, **RUBY}.items()}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("java"), reason="there is no Java")
def test_a_reference_in_java(tmp_path: Path) -> None:
    path = course(tmp_path, HEAD + "reference: reference/Echo.java\n" + with_tests("object", "string"))
    (tmp_path / "reference" / "Echo.java").write_text(DATA["JAVA"])
    # The virtual machine gives an object the same code in each run, and another one after any change of the program.
    assert causes_in(remarks_of(path), ["object", "string"]) == {"object": ORDER, "string": ""}


TOLERANT = DATA["TOLERANT"]
TOLERANT_REFERENCE = DATA["TOLERANT_REFERENCE"]


def test_what_a_case_tolerates_is_no_difference(tmp_path: Path) -> None:
    path = course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + TOLERANT, TOLERANT_REFERENCE)
    names = ["ordered", "pattern", "near", "tolerated", "charged", "status", "fixed", "left", "typed"]
    found = remarks_of(path)
    assert causes_in(found, names) == {
        **dict.fromkeys(["ordered", "pattern", "near", "tolerated"], ""),
        "charged": ORDER,
        **dict.fromkeys(["status", "fixed", "typed"], "the user"),
        "left": "the working folder",
    }
    assert "first `exit status 6`, then `exit status 2`" in found["tests[5]"].message


FUNCTIONS = DATA["FUNCTIONS"]


def test_functions_and_unit_tests(tmp_path: Path) -> None:
    path = course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + FUNCTIONS, DATA["WITH_FUNCTIONS"])
    lay(tmp_path / "tests", {"test_echo.py": DATA["UNIT_TESTS"]})
    found = [one for one in examine(path, asking("auto", 2)).remarks if one.level == "error"]
    assert [(one.rule, one.path.partition(".")[0]) for one in found] == [
        ("unsteady-reference", "tests[0]"),
        ("unsteady-reference", "tests[2]"),
    ]
    assert all("on the working folder" in one.message for one in found)
    assert "/work/elsewhere" in found[0].message


SHARED_RUNS = DATA["SHARED_RUNS"]


@pytest.mark.parametrize("name", list(SHARED_RUNS))
def test_methods_are_asked_again_in_one_run_unless_one_depends_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = course(tmp_path, f"{HEAD}reference: python3 reference/echo.py\n{DATA['METHODS']}", "seen = []\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_echo.py").write_text(SHARED_RUNS[name])
    again: list[bool] = []

    def ask(case: Case, prepared: Course, conditions: AskingConditions | None = None) -> Execution | GraderError:
        again.extend([method_of(case).together] if conditions else [])
        return reference_execution(case, prepared, conditions)

    monkeypatch.setattr("grader.check.expected_results.reference_execution", ask)
    answers = reference_results(prepare(path), 1)
    assert [(one.is_right, one.is_asked_twice, one.doubt) for one in answers] == 3 * [(True, True, None)]
    assert again == {"apart": [True, True, False, True, False], "alike": [True, True, True]}[name]


def test_of_generated_cases_a_few_are_asked_twice(tmp_path: Path) -> None:
    draws = "tests:\n  - {name: drawn, each: {n: {random: 1..1000, count: 23}}, args: ['{n}'], expect: reference}\n"
    path = course(tmp_path, HEAD + "seed: course\nreference: python3 reference/echo.py\n" + draws)
    prepared = prepare(path)
    answers = reference_results(prepared, 2)
    assert (sum(one.is_asked_twice for one in answers), len(answers)) == (MAX_GENERATED, 23)
    assert not any(one.doubt for one in answers)


def test_without_a_sandbox_chance_and_folder_are_one(tmp_path: Path) -> None:
    spec = HEAD + "reference: python3 reference/echo.py\n" + with_tests("a")
    program = "import os, time\nprint(os.getcwd(), time.time())\n"
    (remark,) = examine(course(tmp_path, spec, program), asking("none", 1)).remarks
    assert f"on {CHANCE}, or on the folder in which it runs: give" in remark.message


@pytest.mark.parametrize(
    ("program", "waits"), [("print(3)  # unknown, updated\n", 0), ("import time\nprint(int(time.time()))\n", 1)]
)
def test_another_second_is_waited_for_where_the_reference_names_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, waits: int
) -> None:
    waited: list[float] = []

    def sleep_as_asked(seconds: float) -> None:
        waited.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr("grader.check.expected_results.time", SimpleNamespace(time=time.time, sleep=sleep_as_asked))
    path = course(tmp_path, HEAD + "reference: python3 reference/echo.py\n" + with_tests("a"), program)
    remarks = examine(path, asking("none", 1)).remarks
    assert len(waited) == len([one for one in remarks if one.rule == "unsteady-reference"]) == waits


def test_what_is_added_for_another_clock_is_no_file_of_the_program() -> None:
    conditions = AskingConditions(clock="past", clock_library=b"library")
    found = Execution(names=(".grader-clock.so", "a"), files={".grader-clock.so": b"", "a": b"1"})
    assert conditions.restore(found) == Execution(names=("a",), files={"a": b"1"})


def test_only_what_a_program_has_seen_is_taken_back() -> None:
    asked = AskingConditions(hash_seed=1, fill=165, locale="C", clock="past", clock_library=b"library")
    assert asked.hidden_from(b"a\nb\n") == asked
    listed = asked.hidden_from(b"a\n.grader-clock.so\n")
    assert (listed.clock, listed.clock_library, listed.fill, listed.locale) == (None, b"", 165, "C")
    shown = asked.hidden_from(b"PYTHONHASHSEED=1\n")
    assert (shown.clock, shown.hash_seed, shown.fill, shown.locale) == ("past", None, None, "")
