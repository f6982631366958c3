from pathlib import Path

import pytest

from grader.core.model.report import Verdict
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.check50 import import_check50
from grader.kinds.dialogue.run import dialogue_of
from tests.support.courses import grade_files
from tests.support.other_graders import CHECK50, HALVE
from tests.support.packages import lay
from tests.support.rows import each_row


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_check50(lay(folder / "problem", files)), folder / "course")


def python_checks(body: str) -> dict[str, str]:
    return {".cs50.yml": "check50: true\n", "__init__.py": f"import check50\n@check50.check()\ndef one():\n{body}"}


def steps(folder: Path, chain: str) -> list[tuple[str, str]]:
    """The dialogue that a chain becomes."""
    case = load(imported(folder, python_checks(f"    check50.run('./x'){chain}\n")).spec).tests[0].cases[0]
    return [(step.do, step.text) for step in dialogue_of(case)]


@pytest.mark.slow
def test_they_grade_as_check50_does(tmp_path: Path) -> None:
    files = dict(CHECK50)
    files["__init__.py"] = files["__init__.py"].replace('["two", ""]', '["two"]')
    files[".cs50.yml"] = files[".cs50.yml"].replace("  dependencies:\n    - numpy\n", "")  # a machine may not have it
    spec = imported(tmp_path, files).spec
    wrong = HALVE.replace("if text.isdigit():\n        break", "break").replace('"done."', '"done.\\nbye"')
    for name, program, failed in (("ada", HALVE, []), ("bo", wrong, ["says_no_more", "rejects_words"])):
        report = grade_files(spec, tmp_path / name, {"halve.py": program})
        graded = {test.name: test.verdict for test in report.tests if test.name != "helps"}
        assert [test for test, verdict in graded.items() if verdict is not Verdict.PASSED] == failed


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
