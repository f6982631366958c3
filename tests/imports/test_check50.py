from pathlib import Path

import pytest

from grader.check.runner import examine
from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.check50 import import_check50
from grader.kinds.dialogue.model import dialogue_of
from tests.support.other_graders import CHECK50, CHECK50_SIMPLE, HALVE
from tests.support.packages import lay
from tests.support.rows import each_row

pytestmark = pytest.mark.usefixtures("shared_cache")


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_check50(lay(folder / "problem", files)), folder / "course")


def python_checks(body: str) -> dict[str, str]:
    return {".cs50.yml": "check50: true\n", "__init__.py": f"import check50\n@check50.check()\ndef one():\n{body}"}


def steps(folder: Path, chain: str) -> list[tuple[str, str]]:
    """The dialogue that a chain becomes."""
    case = load(imported(folder, python_checks(f"    check50.run('./x'){chain}\n")).spec).tests[0].cases[0]
    return [(step.do, step.text) for step in dialogue_of(case)]


def test_checks_in_python_become_tests(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(CHECK50))
    spec = load(written.spec)
    assert (spec.language, spec.program, spec.files.required_names) == (
        "python",
        ("python3", "halve.py"),
        ("halve.py",),
    )
    assert [(test.name, tuple(test.needs), len(test.cases)) for test in spec.tests] == [
        ("exists", (), 1),
        ("halves_eight", ("exists",), 1),
        ("says_no_more", ("exists",), 1),
        ("rejects_words", ("halves_eight",), 1),
        ("helps", ("exists",), 1),
        ("hidden_one", ("exists",), 1),
        ("with_file", ("exists",), 1),
    ]
    assert spec.tests[4].cases[0].kind == "unit"
    assert any("Run as they are" in note for note in written.notes)
    assert any("numpy" in note for note in written.notes)
    assert not [remark for remark in examine(written.spec, None).remarks if remark.level == "error"]


@pytest.mark.slow
def test_they_grade_as_check50_does(tmp_path: Path) -> None:
    files = dict(CHECK50)
    files["__init__.py"] = files["__init__.py"].replace('["two", ""]', '["two"]')
    files[".cs50.yml"] = files[".cs50.yml"].replace("  dependencies:\n    - numpy\n", "")  # a machine may not have it
    spec = imported(tmp_path, files).spec
    wrong = HALVE.replace("if text.isdigit():\n        break", "break").replace('"done."', '"done.\\nbye"')
    for name, program, failed in (("ada", HALVE, []), ("bo", wrong, ["says_no_more", "rejects_words"])):
        work = lay(tmp_path / name, {"halve.py": program})
        report = grade(Job(spec=spec, submission=Submission(id=name, path=work)))
        graded = {test.name: test.verdict for test in report.tests if test.name != "helps"}
        assert [test for test, verdict in graded.items() if verdict is not Verdict.PASSED] == failed


def test_the_simple_form_is_read(tmp_path: Path) -> None:
    spec = load(imported(tmp_path, dict(CHECK50_SIMPLE)).spec)
    assert [(test.name, test.about) for test in spec.tests] == [
        ("greets_Ada", "greets Ada"),
        ("counts_letters", "counts letters"),
    ]
    first, second = (test.cases[0] for test in spec.tests)
    assert [(step.do, step.text) for step in dialogue_of(first)] == [
        ("send", "Ada"),
        ("expect", "Hello, Ada"),
        ("eof", ""),
    ]
    assert (first.expect.exit, second.args) == ((0,), ("-n",))
    assert dialogue_of(second)[1].text == "Hello, Bo\n2"


def test_braces_stay_as_they_are_everywhere(tmp_path: Path) -> None:
    files = python_checks(
        "    'says {all} and {{some}}'\n"
        "    check50.exists('a.txt')\n"
        "    check50.run('./x {b}').stdin('{c}', prompt=False).stdout('{{d}}', regex=False).exit(0)\n"
    )
    spec = load(imported(tmp_path, files).spec)
    (test,) = spec.tests
    assert test.about == "says {all} and {{some}}"
    exists, run = test.cases
    assert exists.expect.files
    assert exists.expect.files.present == ("a.txt",)
    assert "{b}" in " ".join((*spec.program, *run.args))
    assert [step.text for step in dialogue_of(run)][:2] == ["{c}", "{{d}}"]


@each_row
def test_a_chain_becomes_a_dialogue(tmp_path: Path, chain: str, expected: list[tuple[str, str]]) -> None:
    assert steps(tmp_path, chain) == expected


@each_row
def test_what_is_no_chain_is_run_as_it_is(tmp_path: Path, body: str) -> None:
    written = imported(tmp_path, python_checks(body))
    assert any("processes that they start: one." in note for note in written.notes)
    assert not Path("ran").exists()


@each_row
def test_a_check_is_hidden_by_another_name_as_well(tmp_path: Path, head: str, check: str, hidden: str) -> None:
    text = (
        f"import check50\n{head}\n@{check}()\n@{hidden}('no')\ndef one():\n    check50.run('./x').stdout('a').exit(0)\n"
    )
    test = load(imported(tmp_path, {".cs50.yml": "check50: true\n", "__init__.py": text}).spec).tests[0]
    assert (test.name, test.visibility, test.cases[0].kind) == ("one", "hidden", "dialogue")


@pytest.mark.parametrize("asked", ["str(a)", "f'{a}'", "a.join(['b'])", "{'b': 'c', **{'b': 'd'}}['b']"])
def test_a_text_of_lists_without_end_is_not_made(tmp_path: Path, asked: str) -> None:
    files = python_checks(f"    check50.run('./x').stdout(TEXT).exit(0)\nTEXT = {asked}\n")
    files["__init__.py"] = "a = ['x']\n" + "a = [a, a]\n" * 40 + files["__init__.py"]
    assert load(imported(tmp_path, files).spec).tests[0].cases[0].kind == "unit"


def test_files_with_odd_names_and_modules_of_students_hold_up_no_check(tmp_path: Path) -> None:
    body = "    import project\n    check50.log(project)\n"
    files = {**python_checks(body), "my data.txt": "", ".cs50.yml": "check50:\n  files:\n    - !require project.py\n"}
    spec = load(imported(tmp_path, files).spec)
    assert (spec.tests[0].cases[0].kind, spec.requires) == ("unit", ())
    files["__init__.py"] += "    check50.include('my data.txt')\n"
    files[".cs50.yml"] = "check50:\n  files: true\n"
    imported(tmp_path / "included", files)
    assert "includes my data.txt" in (tmp_path / "included/course/data/problem/to_do.py").read_text()


def test_without_a_command_the_program_is_the_script_that_has_to_be_there(tmp_path: Path) -> None:
    tried = "    try:\n        pass\n    except OSError:\n        pass\n"
    body = f"    check50.exists('snake.py')\n\n@check50.check(one)\ndef two():\n{tried}"
    spec = load(imported(tmp_path, python_checks(body)).spec)
    assert (spec.language, spec.program) == ("python", ("python3", "snake.py"))


@each_row
def test_what_is_no_problem_is_refused_with_words(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, files)


def test_checks_of_the_simple_form_keep_their_names_where_one_begins_as_another(tmp_path: Path) -> None:
    runs = "[{run: python3 a.py, stdout: '1'}]"
    checks = "".join(f"    {name!r}: {runs}\n" for name in ("line 10", "line 1", "line-1", "line_1"))
    spec = load(imported(tmp_path, {".cs50.yml": f"check50:\n  checks:\n{checks}"}).spec)
    assert [test.name for test in spec.tests] == ["line_10", "line_1", "line_1_", "line_1__"]
