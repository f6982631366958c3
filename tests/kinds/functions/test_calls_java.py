"""The Java probe in the sandbox: records, values, exceptions. `scenarios/functions/java-names.yaml` has the names."""

import math
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.values import Argument, NewObject, Opaque, PlainValue
from grader.kinds.functions import run as calls
from grader.kinds.functions.headings import java_constructor
from grader.kinds.functions.model import Calls, FunctionCall, FunctionCase
from tests.support.functions import LIMITS, call, called, function, made, plain, probe, run_full
from tests.support.payloads import calls_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
PACKAGED = "package pa2;\npublic class Board { public static int size() { return 8; } }\n"


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    shutil.copy(Path(__file__).with_name("Queens.java"), folder)
    (folder / "Board.java").write_text(PACKAGED)
    subprocess.run(["/usr/bin/javac", "-d", ".", "Queens.java", "Board.java"], cwd=folder, check=True)
    return folder


def ask(classes: Path, case: FunctionCase, limits: Limits = LIMITS, stdin: bytes = b"") -> Execution:
    return called(case, classes, limits=limits, stdin=stdin)


def act(classes: Path, what: str, limits: Limits = LIMITS, stdin: bytes = b"") -> Execution:
    return ask(classes, function("static int act(String what)", what), limits, stdin)


def test_a_static_method_and_what_it_prints(classes: Path) -> None:
    execution = ask(classes, function("static void placeQueen(int[][] B, int i, int j)", ((0, 0), (0, 0)), 1, 0))
    assert calls_in(execution) == Calls(loaded=True, returned=(None,), args=(((0, 0), (1, 0)), 1, 0))
    assert (execution.stdout, execution.status) == (b"placed\n", 0)


def test_calls_around_it_share_the_class_and_the_arguments(classes: Path) -> None:
    case = function(
        "static void placeQueen(int[][] B, int i, int j)",
        ((0,),),
        0,
        0,
        before=[call("int add(int k)", 3), call("int add(int k)", 4)],
        then=[call("static void removeQueen(int[][] B, int i, int j)", Argument(position=0), 0, 0)],
    )
    assert calls_in(ask(classes, case)) == Calls(loaded=True, returned=(3, 7, None, None), args=(((0,),), 0, 0))


def test_instance_methods_share_one_object(classes: Path) -> None:
    case = function("int getSize()", before=[call("void setSize(int n)", 8)])
    execution = ask(classes, case)
    assert calls_in(execution).returned == (None, 8)
    assert execution.stdout == b""


def test_values(classes: Path) -> None:
    """All in one virtual machine."""
    values: dict[str, PlainValue] = {name: plain(value) for name, value in DATA["VALUES"].items()}
    heading = "static Object value(String name)"
    *before, last = values
    case = function(heading, last, before=[call(heading, name) for name in before])
    found = dict(zip(values, calls_in(ask(classes, case)).returned, strict=True))
    assert found == values
    assert [*map(type, found.values())] == [*map(type, values.values())]


def test_an_object_and_its_methods(classes: Path) -> None:
    maker = java_constructor("BankAccount(String owner, double initial)")
    assert maker
    values: dict[str, PlainValue] = {name: plain(value) for name, value in DATA["HELD"].items()}
    steps = [
        call("void deposit(double amount)", 5),
        call("double withdraw(double amount)", 100),
        call("double withdraw(double amount)", 3),
        call("boolean equals(BankAccount other)", NewObject(args=("Ann", 0))),
        *(call("Object value(String name)", name) for name in values),
    ]
    made = FunctionCall(signature=maker, args=("Ann", 10), makes=True)
    own = call("BankAccount self()")
    case = FunctionCase(within=("BankAccount",), calls=(made, *steps, own), main=len(steps) + 1, steps=len(steps) + 1)
    execution = ask(classes, case)
    found = calls_in(execution)
    ann = Opaque(type="BankAccount", text="Ann: 12.0")
    first = Opaque(type="BankAccount", text="Ann: 10.0")
    assert found.returned == (first, None, None, 12.0, True, *values.values(), ann)
    assert {at: one.message for at, one in found.caught.items()} == {2: "only 15.0 there"}
    assert execution.stdout == b"deposit\n"


@each_row
def test_an_object_that_cannot_be_made(heading: str, raised: str, headings: tuple[str, ...], classes: Path) -> None:
    maker = java_constructor(heading)
    assert maker
    made = FunctionCall(signature=maker, args=(1,), makes=True)
    case = FunctionCase(within=("BankAccount",), calls=(made, call("BankAccount self()")), main=1, steps=1)
    found = calls_in(ask(classes, case))
    assert (found.raised.type if found.raised else "", found.missing.found if found.missing else ()) == (
        raised,
        headings,
    )
    assert not found.returned


def test_not_a_number(classes: Path) -> None:
    (found,) = calls_in(ask(classes, function("static Object value(String name)", "nan"))).returned
    assert math.isnan(found)


def test_arguments_of_every_type(classes: Path) -> None:
    heading = (
        "String given(long l, double d, boolean b, char c, String s, int[] a, int[][] m, String[] t, Boolean none)"
    )
    text = 'é"\\\n{[,: \U0001f600'
    args = (2**62, 2, True, "'", text, (-1, 2), ((), (3,)), ("a", ""), None)
    calls = calls_in(ask(classes, function(heading, *args)))
    assert calls.returned == (f"{2**62} 2.0 true ' {text} [-1, 2][[], [3]][a, ]null",)
    assert calls.args == args


def test_archives_that_the_build_made_come_first(classes: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "jar"), "zip", classes, "pa2"))
    archive.rename(tmp_path / "Queens")
    (tmp_path / "other").write_bytes(b"PK\x03\x04 but no archive")
    shutil.copytree(classes / "pa2", tmp_path / "pa2")
    (tmp_path / "pa2" / "Board.class").write_bytes(b"broken")
    case = function("static int size()", within="Board")
    assert calls_in(called(case, tmp_path, produces=("Queens", "other"))).returned == (8,)
    broken = calls_in(called(case, tmp_path))
    assert broken.load_error
    assert broken.load_error.type == "java.lang.ClassFormatError"


# ---------------------------------------------------------------- exceptions, and those who try


@each_row
def test_exceptions(what: str, type_: str, message: str, classes: Path) -> None:
    calls = calls_in(act(classes, what))
    assert calls.raised
    assert (calls.raised.type, calls.raised.message) == (type_, message)
    assert calls.raised.place.startswith("Queens.java:")
    assert "java.lang.Throwable" in calls.raised.kinds
    assert not calls.returned


def test_an_exception_that_knows_no_frames(classes: Path) -> None:
    calls = calls_in(act(classes, "frames"))
    assert calls.raised
    assert (calls.raised.type, calls.raised.place) == ("Queens$3", "")


@pytest.mark.parametrize(("what", "status"), [("exit", 0), ("halt", 7)])
def test_what_ends_the_machine_leaves_what_was_before(what: str, status: int, classes: Path) -> None:
    execution = act(classes, what)
    assert (calls_in(execution), execution.status, execution.stdout) == (Calls(loaded=True), status, b"here")


def test_a_loop_without_end(classes: Path) -> None:
    execution = act(classes, "loop", replace(LIMITS, time=2))
    assert (execution.limit, execution.stdout) == ("time", b"here")
    assert calls_in(execution) == Calls(loaded=True)


@each_row
def test_what_a_method_starts_or_replaces_changes_nothing_of_what_is_told(what: str, classes: Path) -> None:
    execution = act(classes, what)
    assert execution.limit is None
    if what == "remove":
        assert calls_in(execution) == Calls(is_recorded=False)
    else:
        assert calls_in(execution).returned == (3,)
        assert execution.stdout.startswith(b"here")


def test_standard_input_and_the_descriptor_of_standard_output(classes: Path) -> None:
    assert calls_in(act(classes, "read", stdin=b"12345\n")).returned == (5,)
    assert calls_in(act(classes, "keep")).returned == (1,)
    assert act(classes, "descriptor").stdout == b"here!"


def test_a_compiler_that_fails_is_our_fault() -> None:
    with pytest.raises(HostError, match="the probe for java cannot be compiled: no javac"):
        made("java", lambda _launch: Execution(stderr=b"no javac", status=1))


def test_a_probe_is_the_same_each_time_and_kept_for_its_language_and_version(tmp_path: Path) -> None:
    runs: list[Launch] = []

    def counted(launch: Launch) -> Execution:
        runs.append(launch)
        return run_full(launch)

    cache = Cache(folder=tmp_path)
    for language, version, compiled in [("java", "1", 1), ("java", "1", 1), ("python", "1", 1), ("java", "2", 2)]:
        found = calls.ready_calls(language, {"javac": version}, cache, counted)
        assert found == probe(language)
        assert len(runs) == compiled
