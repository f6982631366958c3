"""The probes in the sandbox set fields: static ones and those of an object, private ones, arrays that are final."""

import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.model.values import PlainValue
from grader.kinds.functions.headings import java_field, python_field
from grader.kinds.functions.model import Calls, FunctionCall, Missing
from tests.support.functions import called, function, plain, python
from tests.support.payloads import calls_in
from tests.support.rows import each_row, read_data

SOURCE = read_data(__file__)["SOURCE"]


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Queens.java").write_text(SOURCE)
    subprocess.run([str(shutil.which("javac")), "-d", ".", "Queens.java"], cwd=folder, check=True)
    return folder


def field(declared: str, value: PlainValue, *, language: str = "java") -> FunctionCall:
    signature = (java_field if language == "java" else python_field)(declared)
    assert signature
    return FunctionCall(signature=signature, args=(value,), sets=True)


@each_row
@pytest.mark.parametrize("within", ["Queens", "Below"])
@pytest.mark.slow
def test_a_field_of_java_is_set(  # noqa: PLR0917 - columns of the table
    declared: str, value: PlainValue, heading: str, returned: int, within: str, classes: Path
) -> None:
    value = plain(value)
    case = function(heading, within=within, before=[field(declared, value)])
    assert calls_in(called(case, classes)) == Calls(loaded=True, returned=(None, returned), args=())


@each_row
def test_a_field_that_is_missing_or_another_one(declared: str, found: tuple[str, ...], classes: Path) -> None:
    value = 1 if "[" not in declared else (1,)
    missing = calls_in(called(function("int first()", before=[field(declared, value)]), classes)).missing
    assert missing
    assert (missing.call, missing.same_name) == (0, bool(found))
    assert missing.found == found or ("static int[] rows" in missing.found and not found)


def test_letter_case_is_free_when_it_is_said(classes: Path) -> None:
    case = function("int FIRST()", before=[field("int[] ROWS", (2,))], any_case=True)
    assert calls_in(called(case, classes)).returned == (None, 2)


def optional(call: FunctionCall, *aliases: str) -> FunctionCall:
    return replace(call, signature=replace(call.signature, aliases=aliases), optional=True)


def test_a_field_may_have_another_name_or_be_missing_where_that_is_said(classes: Path) -> None:
    for name, aliases, first in (("lines", ("rows",), 2), ("lines", (), 9), ("rows", ("wide",), 2)):
        before = [optional(field(f"static int[] {name}", (2,)), *aliases)]
        assert calls_in(called(function("int first()", before=before), classes)).returned == (None, first)


def test_a_variable_of_python_may_have_another_name_or_be_missing(tmp_path: Path) -> None:
    source = "size = 3\ndef nc(a):\n    return size\n"
    for aliases, returned in ((("size",), 8), ((), 3)):
        before = [optional(field("n", 8, language="python"), *aliases)]
        assert calls_in(python(source, function("def nc(a)", 1, before=before), tmp_path)).returned == (None, returned)


def test_a_variable_of_python_is_set(tmp_path: Path) -> None:
    source = "queenPos = []\ndef nc(a):\n    return queenPos[a]\n"
    before = [field("queenPos", (0, 4), language="python")]
    assert calls_in(python(source, function("def nc(a)", 1, before=before), tmp_path)).returned == (None, 4)
    before = [field("positions", (0, 4), language="python")]
    calls = calls_in(python(source, function("def nc(a)", 1, before=before), tmp_path))
    assert calls.missing == Missing(call=0, found=("queenPos",))
