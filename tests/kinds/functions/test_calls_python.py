"""The Python probe in the sandbox: records, values and names. `scenarios/functions/python.yaml` has the rest."""

import math
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.model.values import Argument, PlainValue, SetValue
from grader.kinds.functions.model import Calls, Missing
from grader.kinds.functions.run import read_record
from tests.support.functions import ASKED, call, function, plain, python, recorded, sealed
from tests.support.payloads import calls_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
NUMPY = DATA["NUMPY"]
SCRIPT = DATA["SCRIPT"]


def returned(source: str, folder: Path, *args: PlainValue) -> PlainValue:
    """Return what the function f of a module returns."""
    names = ", ".join(f"a{number}" for number in range(len(args)))
    calls = calls_in(python(source, function(f"def f({names})", *args), folder))
    assert not calls.raised
    assert len(calls.returned) == 1
    return calls.returned[0]


def test_a_function_that_keeps_open_all_that_it_may(tmp_path: Path) -> None:
    loop = "def f():\n try:\n  while True: kept.append(open(sys.executable))\n except OSError: return 1"
    assert returned(f"import sys\nkept = []\n{loop}", tmp_path) == 1


def test_a_script_without_a_main_guard(tmp_path: Path) -> None:
    execution = python(SCRIPT, function("def noConflicts(board, current)", (1, 2), 3), tmp_path)
    assert calls_in(execution) == Calls(loaded=True, returned=(True,), args=((1, 2, 3), 3))
    assert execution.stdout == b"row 3\n"
    assert execution.status == 0


@each_row
def test_what_ends_the_loading_leaves_the_functions_that_there_are(last: str, type_: str, tmp_path: Path) -> None:
    execution = python(f"{SCRIPT}{last}\n", function("def noConflicts(board, current)", (1, 2), 3), tmp_path)
    calls = calls_in(execution)
    assert calls.load_error
    assert (calls.load_error.type, calls.load_error.place.partition(":")[0] in ("four.py", "")) == (type_, True)
    assert calls.returned == (True,)


def test_a_main_guard_keeps_its_block(tmp_path: Path) -> None:
    source = "def f():\n    return __name__\nif __name__ == '__main__':\n    raise SystemExit\n"
    assert returned(source, tmp_path) == "four"


def test_modules_beside_it_can_be_imported_and_do_not_replace_the_probes_own(tmp_path: Path) -> None:
    (tmp_path / "boards.py").write_text("SIZE = 8\n")
    (tmp_path / "json.py").write_text("raise SystemExit\n")
    assert returned("import boards\ndef f():\n    return boards.SIZE\n", tmp_path) == 8


def test_a_function_may_come_from_another_of_the_students_files(tmp_path: Path) -> None:
    (tmp_path / "boards.py").write_text("def f():\n    return 8\n")
    assert returned("from boards import f\n", tmp_path) == 8


def test_standard_input_belongs_to_the_function(tmp_path: Path) -> None:
    execution = python("def f():\n    return input()\n", function("def f()"), tmp_path, stdin=b"eight\n")
    assert calls_in(execution).returned == ("eight",)


VALUES: tuple[tuple[str, PlainValue], ...] = (
    *((written, plain(value)) for written, value in DATA["VALUES"]),
    ("[set()] * 90_000", (SetValue(),) * 90_000),
)


def test_values(tmp_path: Path) -> None:
    """All in one process."""
    source = f"import dataclasses, fractions\n{NUMPY}def recursive():\n    a = []\n    a.append(a)\n    return a\n"
    source += "".join(f"def f{number}():\n    return {written}\n" for number, (written, _) in enumerate(VALUES))
    *before, last = (f"def f{number}()" for number in range(len(VALUES)))
    found = calls_in(python(source, function(last, before=[call(heading) for heading in before]), tmp_path)).returned
    assert found == tuple(value for _, value in VALUES)
    assert [*map(type, found)] == [type(value) for _, value in VALUES]


def test_not_a_number(tmp_path: Path) -> None:
    assert math.isnan(returned("def f():\n    return float('nan')\n", tmp_path))


def test_calls_around_it_share_the_module_and_the_arguments(tmp_path: Path) -> None:
    source = "def init(k):\n  global n\n  n = k\ndef place(b, i):\n  b[i] += n\ndef remove(b, i):\n  b[i] = 0\n"
    case = function(
        "def place(b, i)",
        (5, 5),
        1,
        before=[call("def init(k)", 3), call("def remove(b, i)", Argument(position=0), 0)],
        then=[call("def place(b, i)", Argument(position=0), Argument(position=1))],
    )
    calls = calls_in(python(source, case, tmp_path))
    assert (calls.returned, calls.args) == ((None,) * 4, ((0, 11), 1))


# ---------------------------------------------------------------- what is missing


@each_row
def test_a_function_with_other_parameters(source: str, heading: str, found: list[str], tmp_path: Path) -> None:
    case = function(heading, *range(heading.count(",") + 1))
    assert calls_in(python(source, case, tmp_path)).missing == Missing(call=0, found=tuple(found), same_name=True)


@each_row
def test_a_function_that_is_not_there(source: str, found: list[str], tmp_path: Path) -> None:
    calls = calls_in(python(source, function("def noConflicts(b, c)", 1, 2), tmp_path))
    assert calls.missing == Missing(call=0, found=tuple(found))
    assert calls.loaded


def test_a_further_function_that_is_not_there_is_found_before_anything_is_called(tmp_path: Path) -> None:
    case = function("def f()", then=[call("def g()")])
    execution = python("def f():\n    print('called')\n", case, tmp_path)
    assert calls_in(execution).missing == Missing(call=1, found=("def f()",))
    assert execution.stdout == b""


@each_row
def test_what_a_case_is_about_is_named_first(there: str, missing: int, of_steps: int, tmp_path: Path) -> None:
    source = "".join(f"def {name}(): ...\n" for name in there)
    case = function("def f()", before=[call("def g()")], then=[call("def h()")])
    for asked, place in ((case, missing), (replace(case, steps=2), of_steps)):
        found = calls_in(python(source, asked, tmp_path)).missing
        assert found
        assert found.call == place


def test_names_in_any_letter_case(tmp_path: Path) -> None:
    source = "def NOCONFLICTS(b):\n    return 1\ndef noConflicts(b):\n    return 2\n"
    for name, value in (("noConflicts", 2), ("noconflicts", 1)):
        case = function(f"def {name}(b)", 0, any_case=True)
        assert calls_in(python(source, case, tmp_path)).returned == (value,)


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    execution = python("", function("def f()", within="five"), tmp_path)
    assert calls_in(execution) == Calls(missing=Missing(found=("four.py",)))


def test_what_cannot_be_compiled(tmp_path: Path) -> None:
    calls = calls_in(python("def f():\n  return (\n", function("def f()"), tmp_path))
    assert calls.missing
    assert calls.load_error
    assert (calls.load_error.type, calls.load_error.place) == ("SyntaxError", "four.py:2")


# ---------------------------------------------------------------- exceptions, and what ends the process


@each_row
def test_exceptions(line: str, type_: str, message: str, tmp_path: Path) -> None:
    calls = calls_in(python(f"def f():\n  {line}\n", function("def f()"), tmp_path))
    assert calls.raised
    assert (calls.raised.type, calls.raised.message) == (type_, message)
    assert calls.raised.place.startswith("four.py:")
    assert "BaseException" in calls.raised.kinds


def test_a_loop_without_end_while_loading(tmp_path: Path) -> None:
    execution = python("def f(): ...\nwhile True: pass\n", function("def f()"), tmp_path, time=1)
    assert (execution.limit, calls_in(execution)) == ("time", Calls())


# ---------------------------------------------------------------- those who try


def test_the_descriptor_of_standard_output_is_captured_too(tmp_path: Path) -> None:
    source = (
        "import os, subprocess\ndef f():\n    os.write(1, b'a\\n')\n    subprocess.run(['echo', 'b'])\n    print('c')\n"
    )
    assert python(source, function("def f()"), tmp_path).stdout == b"a\nb\nc\n"


def test_a_request_is_out_of_reach_when_the_module_is_loaded(tmp_path: Path) -> None:
    source = "import sys\nx = sys.stdin.read()\ndef f():\n    return x\n"
    assert returned(source, tmp_path) == ""


@each_row
def test_lines_that_are_no_records_are_left_out(line: bytes) -> None:
    returned = b'{"event": "returned", "value": 1}'
    record = sealed(b'{"event": "loaded"}', line, returned) + returned + b'\nkey{"ev'
    execution = recorded(function("def f()"), record)
    assert calls_in(execution) == Calls(loaded=True, returned=(1,))


def test_a_probe_that_does_not_start_is_our_fault() -> None:
    with pytest.raises(HostError, match="did not start: no python"):
        read_record(Execution(stderr=b"no python"), Case(id="t", kind="functions", payload=function("def f()")), ASKED)
