from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.model.spec import CheckOptions, Interactor, Leaf, Spec
from grader.core.reader.spec import load
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ASKING = DATA["ASKING"]


def loaded(folder: Path, written: str, top: str = "") -> Spec:
    names = ("checks.py", "reference/checks.py", "reference/queens.py")
    lay(folder, {name: f"# {name}\n" for name in names if not (folder / name).exists()})
    text = DATA["SPEC"].replace("WRITTEN", written).replace("tests:", f"{top}tests:")
    return load(lay(folder, {"specs/x.yaml": text}) / "specs/x.yaml")


def streams(spec: Spec) -> list[Leaf]:
    return [leaf for case in spec.tests[0].cases if case.expect.stdout for leaf in case.expect.stdout.leaves]


def test_options_are_text_with_the_variables_filled_in(tmp_path: Path) -> None:
    spec = loaded(tmp_path, "{check: 'reference/checks.py:boards', n: '{n}', size: 08, order: any}")
    assert streams(spec) == [
        Leaf(how="check", want=(), options=CheckOptions(function="reference/checks.py:boards", arguments=options))
        for options in ({"n": "4", "size": "08", "order": "any"}, {"n": "6", "size": "08", "order": "any"})
    ]
    assert not any(case.asks_reference for case in spec.tests[0].cases)


def test_the_function_may_have_a_variable_in_its_name(tmp_path: Path) -> None:
    found = [stream.get(CheckOptions) for stream in streams(loaded(tmp_path, "{check: 'reference/checks.py:of_{n}'}"))]
    assert [check.function for check in found] == ["reference/checks.py:of_4", "reference/checks.py:of_6"]


@each_row
def test_what_the_file_can_import_counts_in_the_digest(
    written: str, changed: str, tmp_path: Path, *, differs: bool
) -> None:
    before = loaded(tmp_path, written).digest
    assert loaded(tmp_path, written).digest == before
    lay(tmp_path / "reference/__pycache__", {"queens.pyc": b"x"})
    assert loaded(tmp_path, written).digest == before
    (tmp_path / changed).write_text("# another\n")
    assert (loaded(tmp_path, written).digest != before) is differs


@each_row
def test_a_mistake_has_its_place(written: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "out.py").symlink_to("/etc/passwd")
    with pytest.raises(SpecError) as raised:
        loaded(tmp_path, written)
    assert len(raised.value.problems) == 1
    assert message in str(raised.value)


@each_row
def test_what_a_function_gets_is_read_off_its_heading(written: str, takes: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(ASKING)
    spec = loaded(tmp_path, f"{{check: 'checks.py:{written}'}}", "reference: ./right\n")
    assert [stream.get(CheckOptions).takes for stream in streams(spec)] == [takes] * 2
    assert {case.asks_reference for case in spec.tests[0].cases} == {"expected" in takes}


@each_row
def test_a_function_that_is_still_to_be_written_is_known_by_its_line(function: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(ASKING)
    checks = streams(loaded(tmp_path, f"{{check: 'checks.py:{function}'}}"))
    assert [check.get(CheckOptions).unwritten for check in checks] == [line] * 2


@each_row
def test_a_wrong_name_or_program_has_its_place(written: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(ASKING)
    with pytest.raises(SpecError) as raised:
        loaded(tmp_path, f"{{check: {written}}}")
    assert len(raised.value.problems) == 1
    assert message in str(raised.value)


@each_row
def test_a_validator_gets_the_answer_of_whoever_has_one(
    top: str, more: str, takes: tuple[str, ...], answer: bytes, tmp_path: Path
) -> None:
    [first, _] = streams(loaded(tmp_path, f"{{check: {{validator: checks.py, args: [x]{more}}}}}", top))
    files = {"checks.py": b"# checks.py\n"}
    validator = Interactor(program="checks.py", files=files, args=("x",), answer=answer)
    assert first == Leaf(how="check", want=(), options=CheckOptions(takes=takes, validator=validator))
