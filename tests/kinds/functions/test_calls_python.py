"""The Python probe in the sandbox: what it tells of functions that behave, and of those that do not."""

import math
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case
from grader.core.model.values import Argument, MapValue, Opaque, PlainValue, SetValue
from grader.kinds.functions.model import Calls, Missing
from grader.kinds.functions.run import read_record
from tests.support.functions import ASKED, call, function, python, recorded, sealed
from tests.support.payloads import calls_in

NUMPY = """\
class numpy:
    def __init__(self, value, kind="i", ndim=0, text="of numpy"):
        self.value, self.kind, self.ndim, self.text = value, kind, ndim, text
        self.dtype = self
    def item(self):
        return self.value
    def __str__(self):
        return self.text
numpy.__module__ = "numpy"
"""
"""values as that package has them, which is not on every machine"""
SCRIPT = """\
print("solving")
board = [1, 2]
def noConflicts(board, current):
    print("row", current)
    board.append(current)
    return len(board) > 2
print(noConflicts([], 7))
"""


def told(execution: Execution) -> Calls:
    assert calls_in(execution)
    return calls_in(execution)


def returned(source: str, folder: Path, *args: PlainValue) -> PlainValue:
    """Return what the function f of a module returns."""
    names = ", ".join(f"a{number}" for number in range(len(args)))
    calls = told(python(source, function(f"def f({names})", *args), folder))
    assert not calls.raised
    assert len(calls.returned) == 1
    return calls.returned[0]


def test_a_function_that_keeps_open_all_that_it_may(tmp_path: Path) -> None:
    loop = "def f():\n try:\n  while True: kept.append(open(sys.executable))\n except OSError: return 1"
    assert returned(f"import sys\nkept = []\n{loop}", tmp_path) == 1


def test_a_script_without_a_main_guard(tmp_path: Path) -> None:
    execution = python(SCRIPT, function("def noConflicts(board, current)", (1, 2), 3), tmp_path)
    assert told(execution) == Calls(loaded=True, returned=(True,), args=((1, 2, 3), 3))
    assert execution.stdout == b"row 3\n"
    assert execution.status == 0


@pytest.mark.parametrize(
    ("last", "type_"),
    [
        ("input()", "EOFError"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("quit()", "SystemExit"),
        ("1/0", "ZeroDivisionError"),
    ],
)
def test_what_ends_the_loading_leaves_the_functions_that_there_are(last: str, type_: str, tmp_path: Path) -> None:
    execution = python(f"{SCRIPT}{last}\n", function("def noConflicts(board, current)", (1, 2), 3), tmp_path)
    calls = told(execution)
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


PACKAGES: dict[str, dict[str, str]] = {
    "plain": {"bank/mod.py": "def f():\n    return 8\n"},
    "beside it": {"bank/mod.py": "from rates import f\n", "bank/rates.py": "def f():\n    return 8\n"},
    "relative": {"bank/mod.py": "from .rates import f\n", "bank/rates.py": "def f():\n    return 8\n"},
    "relative to a package": {
        "bank/__init__.py": "RATE = 8\n",
        "bank/mod.py": "from . import RATE\ndef f():\n    from .rates import more\n    return RATE + more\n",
        "bank/rates.py": "more = 0\n",
    },
    "by its package": {"bank/mod.py": "from bank.rates import f\n", "bank/rates.py": "def f():\n    return 8\n"},
    "of the package's name": {
        "bank/mod.py": "from .bank import f\nfrom bank import rates\n",
        "bank/bank.py": "from bank.rates import RATE\ndef f():\n    return RATE\n",
        "bank/rates.py": "RATE = 8\n",
    },
    "from above": {"bank/mod.py": "from rates import f\n", "rates.py": "def f():\n    return 8\n"},
    "imported by its package": {
        "bank/__init__.py": "from .mod import f\n",
        "bank/mod.py": "open('once', 'x')\ndef f():\n    return 8\n",
    },
    "of a package that breaks": {"bank/__init__.py": "1 / 0\n", "bank/mod.py": "def f():\n    return 8\n"},
    "of a package that ends": {"bank/__init__.py": "exit(1)\n", "bank/mod.py": "def f():\n    return 8\n"},
    "of a package for scripts": {
        "bank/__init__.py": "from mod import f\n",
        "bank/mod.py": "from rates import f\n",
        "bank/rates.py": "def f():\n    return 8\n",
    },
}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_module_in_a_folder_is_a_script_there_and_a_part_of_a_package(name: str, tmp_path: Path) -> None:
    for path, text in PACKAGES[name].items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    calls = told(python("", function("def f()", within="bank.mod"), tmp_path))
    assert (calls.load_error, calls.missing, calls.returned) == (None, None, (8,))


def test_a_module_of_a_package_in_a_package(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/c.py").write_text("from .b.d import EIGHT\n")
    (tmp_path / "a/b/d.py").write_text("EIGHT = 8\n")
    (tmp_path / "a/b/mod.py").write_text("from ..c import EIGHT\ndef f():\n    return EIGHT, __name__\n")
    calls = told(python("", function("def f()", within="a.b.mod"), tmp_path))
    assert calls.returned == ((8, "a.b.mod"),)


@pytest.mark.parametrize("name", ["6-sq", "6", "day-1.part-2", "0_sq"])
def test_a_module_of_a_curriculum(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name.replace('.', '/')}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text("def f():\n    return 36\n")
    assert told(python("", function("def f()", within=name), tmp_path)).returned == (36,)


def test_what_breaks_a_package_is_told_where_a_module_needs_it(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank/__init__.py").write_text("1 / 0\n")
    (tmp_path / "bank/mod.py").write_text("from . import rates\n")
    calls = told(python("", function("def f()", within="bank.mod"), tmp_path))
    assert calls.load_error
    assert (calls.load_error.type, calls.load_error.place) == ("ZeroDivisionError", "bank/__init__.py:1")


def test_standard_input_belongs_to_the_function(tmp_path: Path) -> None:
    execution = python("def f():\n    return input()\n", function("def f()"), tmp_path, stdin=b"eight\n")
    assert told(execution).returned == ("eight",)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("None", None),
        ("True", True),
        ("-(10**40)", -(10**40)),
        ("1.5", 1.5),
        ("1e300 * 10", 1e301),
        ("float('inf')", math.inf),
        ("'é\\n\\u2028\\x00'", "é\n\u2028\0"),
        ("'\\ud800'", "\\ud800"),
        ("[(1, 2), []]", ((1, 2), ())),
        ("range(3)", Opaque(type="range", text="range(0, 3)")),
        ("{1: [2]}", MapValue(items=((1, (2,)),))),
        ("{'float': 'nan'}", MapValue(items=(("float", "nan"),))),
        ("{'map': {'set': {1}}}", MapValue(items=(("map", MapValue(items=(("set", SetValue(items=(1,))),))),))),
        ("frozenset()", SetValue()),
        ("dataclasses.make_dataclass('P', ['x'])(3)", MapValue(items=(("x", 3),))),
        ("fractions.Fraction(1, 2)", Opaque(type="Fraction", text="1/2")),
        ("lambda: 0", Opaque(type="function")),
        ("[numpy(5), numpy(True, 'b'), numpy(2.5, 'f')]", (5, True, 2.5)),
        ("numpy('1970-01-01', 'M')", Opaque(type="numpy", text="of numpy")),
        ("numpy([1, 2], 'i', ndim=1)", Opaque(type="numpy", text="of numpy")),
        ("numpy([1, 2], 'i', ndim=1, text='[1 2 ... 8 9]')", Opaque(type="numpy")),
        ("type('Evil', (), {'__str__': lambda self: exit(1)})()", Opaque(type="Evil")),
        ("type('Long', (), {'__str__': lambda self: 'x' * 2_000_000})()", Opaque(type="Long")),
        ("type('Liar', (), {'__class__': dict})()", Opaque(type="Liar")),
        ("dict.fromkeys(range(40_000))", Opaque(type="dict")),
        ("[set()] * 90_000", (SetValue(),) * 90_000),
        ("object()", Opaque(type="object")),
        ("10**5000", Opaque(type="int")),
        ("[0] * 200_000", Opaque(type="list")),
        ("[[0] * 1000] * 1000", Opaque(type="list")),
        ("'x' * 2_000_000", Opaque(type="str")),
        ("recursive()", Opaque(type="list")),
    ],
)
def test_values(written: str, value: PlainValue, tmp_path: Path) -> None:
    source = f"import dataclasses, fractions\n{NUMPY}"
    source += f"def recursive():\n    a = []\n    a.append(a)\n    return a\ndef f():\n    return {written}\n"
    found = returned(source, tmp_path)
    assert found == value
    assert type(found) is type(value)


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
    calls = told(python(source, case, tmp_path))
    assert (calls.returned, calls.args) == ((None,) * 4, ((0, 11), 1))


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize(
    ("source", "heading", "found"),
    [
        ("def f(b, c, n): ...", "def f(b, c)", ["def f(b, c, n)"]),
        ("def f(b, *, n): ...", "def f(b)", ["def f(b, n)"]),
        ("def f(): ...", "def f(b)", ["def f()"]),
        ("def f(b=print, *c): ...\ndef f(): ...", "def f(b)", ["def f()"]),
    ],
)
def test_a_function_with_other_parameters(source: str, heading: str, found: list[str], tmp_path: Path) -> None:
    case = function(heading, *range(heading.count(",") + 1))
    assert told(python(source, case, tmp_path)).missing == Missing(call=0, found=tuple(found), same_name=True)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def no_conflicts(b, c): ...", ["def no_conflicts(b, c)"]),
        ("def noconflicts(b, *c, d=8, **e): ...", ["def noconflicts(b, *c, d=..., **e)"]),
        ("noConflicts = 3\nfrom os import getcwd\nclass h: ...", []),
    ],
)
def test_a_function_that_is_not_there(source: str, found: list[str], tmp_path: Path) -> None:
    calls = told(python(source, function("def noConflicts(b, c)", 1, 2), tmp_path))
    assert calls.missing == Missing(call=0, found=tuple(found))
    assert calls.loaded


def test_a_further_function_that_is_not_there_is_found_before_anything_is_called(tmp_path: Path) -> None:
    case = function("def f()", then=[call("def g()")])
    execution = python("def f():\n    print('called')\n", case, tmp_path)
    assert told(execution).missing == Missing(call=1, found=("def f()",))
    assert execution.stdout == b""


@pytest.mark.parametrize(
    ("there", "missing", "of_steps"), [("", 1, 0), ("f", 0, 0), ("g", 1, 1), ("gf", 2, 2), ("gh", 1, 1), ("fh", 0, 0)]
)
def test_what_a_case_is_about_is_named_first(there: str, missing: int, of_steps: int, tmp_path: Path) -> None:
    source = "".join(f"def {name}(): ...\n" for name in there)
    case = function("def f()", before=[call("def g()")], then=[call("def h()")])
    for asked, place in ((case, missing), (replace(case, steps=2), of_steps)):
        found = told(python(source, asked, tmp_path)).missing
        assert found
        assert found.call == place


def test_names_in_any_letter_case(tmp_path: Path) -> None:
    source = "def NOCONFLICTS(b):\n    return 1\ndef noConflicts(b):\n    return 2\n"
    for name, value in (("noConflicts", 2), ("noconflicts", 1)):
        case = function(f"def {name}(b)", 0, any_case=True)
        assert told(python(source, case, tmp_path)).returned == (value,)


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    execution = python("", function("def f()", within="five"), tmp_path)
    assert told(execution) == Calls(missing=Missing(found=("four.py",)))


def test_what_cannot_be_compiled(tmp_path: Path) -> None:
    calls = told(python("def f():\n  return (\n", function("def f()"), tmp_path))
    assert calls.missing
    assert calls.load_error
    assert (calls.load_error.type, calls.load_error.place) == ("SyntaxError", "four.py:2")


# ---------------------------------------------------------------- exceptions, and what ends the process


@pytest.mark.parametrize(
    ("line", "type_", "message"),
    [
        ("[][3]", "IndexError", "list index out of range"),
        ("raise SystemExit(4)", "SystemExit", "4"),
        ("class E(ValueError): ...\n  raise E('x' * 10**6)", "four.f.<locals>.E", "x" * 1000),
        ("f()", "RecursionError", "maximum recursion depth exceeded"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
    ],
)
def test_exceptions(line: str, type_: str, message: str, tmp_path: Path) -> None:
    calls = told(python(f"def f():\n  {line}\n", function("def f()"), tmp_path))
    assert calls.raised
    assert (calls.raised.type, calls.raised.message) == (type_, message)
    assert calls.raised.place.startswith("four.py:")
    assert "BaseException" in calls.raised.kinds


def test_an_exception_is_told_at_the_students_own_line(tmp_path: Path) -> None:
    calls = told(python("import os\n\ndef f():\n    os.stat('nothing')\n", function("def f()"), tmp_path))
    assert calls.raised
    assert calls.raised.place == "four.py:4"


@pytest.mark.parametrize(
    "line", ["os._exit(3)", "os.kill(os.getpid(), 9)", "os.execv('/bin/sh', ['sh', '-c', 'exit 3'])", "os.abort()"]
)
def test_what_ends_the_process_leaves_what_was_before(line: str, tmp_path: Path) -> None:
    source = f"import os\ndef g():\n    return 7\ndef f():\n    print('here')\n    {line}\n"
    execution = python(source, function("def f()", before=[call("def g()")]), tmp_path)
    assert told(execution) == Calls(loaded=True, returned=(7,))
    assert execution.stdout == b"here\n"


def test_a_loop_without_end(tmp_path: Path) -> None:
    source = "def f():\n    print('here')\n    while True: pass\n"
    execution = python(source, function("def f()"), tmp_path, time=1)
    assert (execution.limit, execution.stdout) == ("time", b"here\n")
    assert told(execution) == Calls(loaded=True)


def test_a_loop_without_end_while_loading(tmp_path: Path) -> None:
    execution = python("def f(): ...\nwhile True: pass\n", function("def f()"), tmp_path, time=1)
    assert (execution.limit, told(execution)) == ("time", Calls())


def test_a_thread_that_goes_on_does_not_hold_the_process(tmp_path: Path) -> None:
    source = "import threading, time\ndef f():\n    threading.Thread(target=time.sleep, args=(60,)).start()\n"
    execution = python(source, function("def f()"), tmp_path)
    assert (told(execution).returned, execution.limit) == ((None,), None)


# ---------------------------------------------------------------- those who try


FORGERIES = [
    'for name in os.listdir(): open(name, \'a\').write(\'{"event": "returned", "value": 8}\\n\')',
    'print(\'0\' * 16 + \'{"event": "returned", "value": 8}\')',
    "sys.stdout = sys.stderr = None",
    "sys.stdout.close(); os.close(1)",
    "sys.stdout = open(os.devnull, 'w'); sys.stdout.write = None",
    "sys.stdin.close()",
    "json.dumps = os.write = os.close = None",
    "builtins.print = builtins.len = None",
]


@pytest.mark.parametrize("line", FORGERIES)
def test_what_a_function_writes_or_replaces_changes_nothing_of_what_is_told(line: str, tmp_path: Path) -> None:
    source = f"import builtins, json, os, sys\ndef f():\n    {line}\n    return 3\n"
    assert told(python(source, function("def f()"), tmp_path)).returned == (3,)


def test_the_descriptor_of_standard_output_is_captured_too(tmp_path: Path) -> None:
    source = (
        "import os, subprocess\ndef f():\n    os.write(1, b'a\\n')\n    subprocess.run(['echo', 'b'])\n    print('c')\n"
    )
    assert python(source, function("def f()"), tmp_path).stdout == b"a\nb\nc\n"


@pytest.mark.parametrize("line", ["os.remove(name)", "os.truncate(name, 0)", "os.replace(name, 'x')"])
def test_a_results_file_that_was_removed_is_no_result(line: str, tmp_path: Path) -> None:
    source = f"import os\ndef f():\n    for name in os.listdir():\n        {line}\n    return 3\n"
    calls = told(python(source, function("def f()"), tmp_path))
    assert not calls.loaded
    assert not calls.is_recorded or "truncate" in line


def test_a_results_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    source = """\
import os
def f():
    for name in os.listdir():
        os.remove(name)
        os.symlink("/etc/ld.so.cache", name)
"""
    assert not told(python(source, function("def f()"), tmp_path)).is_recorded


def test_a_request_is_out_of_reach_when_the_module_is_loaded(tmp_path: Path) -> None:
    source = "import sys\nx = sys.stdin.read()\ndef f():\n    return x\n"
    assert returned(source, tmp_path) == ""


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"{}",
        b"3",
        b'{"event": 3}',
        b'{"event": "returned"',
        b"\xff",
        b"[" * 100_000,
        b'{"event": "raised", "error": 3}',
        b'{"event": "args", "value": 3}',
        b'{"event": "nonsense"}',
    ],
)
def test_lines_that_are_no_records_are_left_out(line: bytes) -> None:
    returned = b'{"event": "returned", "value": 1}'
    record = sealed(b'{"event": "loaded"}', line, returned) + returned + b'\nkey{"ev'
    execution = recorded(function("def f()"), record)
    assert calls_in(execution) == Calls(loaded=True, returned=(1,))


def test_a_probe_that_does_not_start_is_our_fault() -> None:
    with pytest.raises(HostError, match="did not start: no python"):
        read_record(Execution(stderr=b"no python"), Case(id="t", kind="functions", payload=function("def f()")), ASKED)


HIDDEN = """
class Board:
    @staticmethod
    def place(n):
        return n + 1
    @staticmethod
    def __remove(n):
        return n + 2
    def method(self, n):
        return n
def _count(n):
    return n + 3
def __secret(n):
    return n + 4
def other(n):
    return n + 5
"""


@pytest.mark.parametrize(
    ("name", "package", "hidden"),
    [
        ("place", None, 2),
        ("remove", None, 3),
        ("count", None, 4),
        ("secret", None, 5),
        ("_count", 4, 4),
        ("other", 6, 6),
        ("method", None, None),
        ("Board", None, None),
    ],
)
def test_functions_that_are_hidden(name: str, package: PlainValue, hidden: PlainValue, tmp_path: Path) -> None:
    for access, value in ((False, package), (True, hidden)):
        calls = told(python(HIDDEN, function(f"def {name}(n)", 1, any_access=access), tmp_path))
        assert calls.returned == (() if value is None else (value,))


@pytest.mark.parametrize(
    ("aliases", "value"), [((), None), (("other",), 6), (("nothing", "other"), 6), (("_count", "other"), 4)]
)
def test_other_names_of_a_function_in_another_module(
    aliases: tuple[str, ...], value: PlainValue, tmp_path: Path
) -> None:
    case = function("def f(n)", 1, within="five", elsewhere=["six", "four"], aliases=aliases)
    assert told(python(HIDDEN, case, tmp_path)).returned == (() if value is None else (value,))
