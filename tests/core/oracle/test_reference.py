"""References that are built: a file or a folder, in any language, once for each content."""

from pathlib import Path

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.pipeline import prepare, reference_execution
from grader.core.reader.spec import load
from tests.support.packages import lay
from tests.support.payloads import calls_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)


def course(folder: Path, reference: str, more: str = "") -> Path:
    spec = DATA["SPEC"].format(reference=reference, more=more)
    return lay(folder, {**DATA["FILES"], "specs/twice.yaml": spec}) / "specs/twice.yaml"


@each_row
def test_a_reference_is_built_in_its_language(reference: str, tmp_path: Path) -> None:
    ready = prepare(course(tmp_path, reference))
    found = reference_execution(ready.spec.tests[0].cases[0], ready)
    assert isinstance(found, Execution), found
    assert found.stdout == b"42\n"


@each_row
def test_a_command_of_a_case_starts_a_reference_that_is_like_a_submission_or_is_named_for_it(
    reference: str, written: bytes, tmp_path: Path
) -> None:
    ready = prepare(course(tmp_path, reference, DATA["COMMAND"]))
    found = reference_execution(ready.spec.tests[1].cases[0], ready)
    assert isinstance(found, Execution), found
    assert found.stdout == written


def test_what_names_its_interpreter_is_started_by_it(tmp_path: Path) -> None:
    assert load(course(tmp_path, "start.sh")).reference == ("./start.sh",)


def test_functions_are_called_in_the_language_of_the_submissions(tmp_path: Path) -> None:
    ready = prepare(course(tmp_path, "model", DATA["CALLS"]))
    found = reference_execution(ready.spec.tests[1].cases[0], ready)
    assert isinstance(found, Execution)
    assert calls_in(found)
    assert calls_in(found).returned == (8,)


@each_row
def test_a_reference_that_fails_is_told_with_its_place(reference: str, told: str, said: str, tmp_path: Path) -> None:
    ready = prepare(course(tmp_path, reference))
    found = reference_execution(ready.spec.tests[0].cases[0], ready)
    assert isinstance(found, HostError)
    with pytest.raises(HostError, match=told):
        raise found
    assert said in getattr(found, "output", "")
    assert "\n" not in str(found), "a report shows the sentence alone"


def test_what_is_built_is_kept_by_its_content(tmp_path: Path) -> None:
    path = course(tmp_path, "model")
    built = prepare(path).built[""]
    assert prepare(path).built[""] == built
    (tmp_path / "model" / "twice.c").write_text(DATA["C"].replace("2 *", "3 *"))
    ready = prepare(path)
    assert ready.built[""] != built
    found = reference_execution(ready.spec.tests[0].cases[0], ready)
    assert isinstance(found, Execution)
    assert found.stdout == b"63\n"
