"""The Java probe in the sandbox: what it tells of methods that behave, and of those that do not."""

import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue
from grader.kinds.functions import run as calls
from grader.kinds.functions.headings import java_constructor
from grader.kinds.functions.model import Calls, FunctionCall, FunctionCase, Missing
from tests.support.functions import LIMITS, call, called, function, made, probe, run_full
from tests.support.payloads import calls_in

PACKAGED = "package pa2;\npublic class Board { public static int size() { return 8; } }\n"


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    shutil.copy(Path(__file__).with_name("Queens.java"), folder)
    (folder / "Board.java").write_text(PACKAGED)
    subprocess.run(["/usr/bin/javac", "-d", ".", "Queens.java", "Board.java"], cwd=folder, check=True)
    return folder


def told(execution: Execution) -> Calls:
    assert calls_in(execution)
    return calls_in(execution)


def ask(classes: Path, case: FunctionCase, limits: Limits = LIMITS, stdin: bytes = b"") -> Execution:
    return called(case, classes, limits=limits, stdin=stdin)


def act(classes: Path, what: str, limits: Limits = LIMITS, stdin: bytes = b"") -> Execution:
    return ask(classes, function("static int act(String what)", what), limits, stdin)


def test_a_static_method_and_what_it_prints(classes: Path) -> None:
    execution = ask(classes, function("static void placeQueen(int[][] B, int i, int j)", ((0, 0), (0, 0)), 1, 0))
    assert told(execution) == Calls(loaded=True, returned=(None,), args=(((0, 0), (1, 0)), 1, 0))
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
    assert told(ask(classes, case)) == Calls(loaded=True, returned=(3, 7, None, None), args=(((0,),), 0, 0))


def test_instance_methods_share_one_object(classes: Path) -> None:
    case = function("int getSize()", before=[call("void setSize(int n)", 8)])
    execution = ask(classes, case)
    assert told(execution).returned == (None, 8)
    assert execution.stdout == b""


@pytest.mark.parametrize(
    ("within", "heading", "args", "value"),
    [
        ("Queens", "int packaged(int i)", [4], 4),
        ("Queens", "int overloaded(int[] a)", [(1,)], 2),
        ("Queens", "int overloaded(String s)", ["a"], 3),
        ("Queens", "int boxed(int i, long l)", [4, 5], 4),
        ("Queens", "void useful(int i)", [4], 4),
        ("Queens", "int varied(int[] all)", [(1, 2)], 2),
        ("Single", "int f()", [], 4),
        ("Child", "int getSize()", [], 5),
        ("Board", "static int size()", [], 8),
        ("pa2.Board", "static int size()", [], 8),
    ],
)
def test_methods_that_fit(within: str, heading: str, args: list[PlainValue], value: PlainValue, classes: Path) -> None:
    assert told(ask(classes, function(heading, *args, within=within))).returned == (value,)


def test_values(classes: Path) -> None:
    """All in one virtual machine."""
    values: dict[str, PlainValue] = {
        "null": None,
        "boolean": True,
        "long": -(2**63),
        "double": 1.5e300,
        "infinite": -math.inf,
        "char": "Q",
        "text": 'é\n\u2028\0"\\',
        "emoji": "\U0001f600",
        "half": "a?",
        "board": ((1, 2), ()),
        "mixed": (1, "a", None, ("b",)),
        "list": (1, (2,)),
        "object": Opaque(type="Queens"),
        "large": Opaque(type="int[][]"),
        "long text": Opaque(type="String"),
        "recursive": Opaque(type="Object[]"),
        "map": MapValue(),
    }
    heading = "static Object value(String name)"
    *before, last = values
    case = function(heading, last, before=[call(heading, name) for name in before])
    found = dict(zip(values, told(ask(classes, case)).returned, strict=True))
    assert found == values
    assert [*map(type, found.values())] == [*map(type, values.values())]


def test_an_object_and_its_methods(classes: Path) -> None:
    maker = java_constructor("BankAccount(String owner, double initial)")
    assert maker
    values: dict[str, PlainValue] = {
        "map": MapValue(items=(("a", SetValue(items=(1, 2))),)),
        "optional": 3,
        "queue": (1,),
        "record": MapValue(items=(("amount", 1), ("name", "n"))),
        "builder": Opaque(type="StringBuilder", text="b"),
        "evil": Opaque(type=""),
        "large": Opaque(type="ArrayList"),
    }
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
    found = told(execution)
    ann = Opaque(type="BankAccount", text="Ann: 12.0")
    first = Opaque(type="BankAccount", text="Ann: 10.0")
    assert found.returned == (first, None, None, 12.0, True, *values.values(), ann)
    assert {at: one.message for at, one in found.caught.items()} == {2: "only 15.0 there"}
    assert execution.stdout == b"deposit\n"


@pytest.mark.parametrize(
    ("heading", "raised", "headings"),
    [
        ("BankAccount(int nothing)", "java.lang.IllegalStateException", ()),
        ("BankAccount(String owner)", "", ("BankAccount(String, double)", "BankAccount(int)")),
    ],
)
def test_an_object_that_cannot_be_made(heading: str, raised: str, headings: tuple[str, ...], classes: Path) -> None:
    maker = java_constructor(heading)
    assert maker
    made = FunctionCall(signature=maker, args=(1,), makes=True)
    case = FunctionCase(within=("BankAccount",), calls=(made, call("BankAccount self()")), main=1, steps=1)
    found = told(ask(classes, case))
    assert (found.raised.type if found.raised else "", found.missing.found if found.missing else ()) == (
        raised,
        headings,
    )
    assert not found.returned


def test_not_a_number(classes: Path) -> None:
    (found,) = told(ask(classes, function("static Object value(String name)", "nan"))).returned
    assert math.isnan(found)


def test_arguments_of_every_type(classes: Path) -> None:
    heading = (
        "String given(long l, double d, boolean b, char c, String s, int[] a, int[][] m, String[] t, Boolean none)"
    )
    text = 'é"\\\n{[,: \U0001f600'
    args = (2**62, 2, True, "'", text, (-1, 2), ((), (3,)), ("a", ""), None)
    calls = told(ask(classes, function(heading, *args)))
    assert calls.returned == (f"{2**62} 2.0 true ' {text} [-1, 2][[], [3]][a, ]null",)
    assert calls.args == args


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("static void hidden(int i)", ["private static void hidden(int)"]),
        ("void placeQueen(int[] B, int i, int j)", ["static void placeQueen(int[][], int, int)"]),
        ("void placeQueen(int[][] B, int i)", ["static void placeQueen(int[][], int, int)"]),
        ("static int getSize()", ["int getSize()"]),
        ("int widened(int i)", ["static long widened(int)"]),
        ("int overloaded(long l)", [f"static int overloaded({each})" for each in ("String", "int", "int[]")]),
    ],
)
def test_a_method_with_another_heading(heading: str, found: list[str], classes: Path) -> None:
    case = function(heading, *[None] * (heading.count(",") + ("()" not in heading)))
    execution = ask(classes, case)
    assert told(execution).missing == Missing(call=0, found=tuple(found), same_name=True)


def test_a_method_that_is_not_there(classes: Path) -> None:
    missing = told(ask(classes, function("int g()", within="Single"))).missing
    assert missing == Missing(call=0, found=("int f()",))


def test_a_further_method_that_is_not_there_is_found_before_anything_is_called(classes: Path) -> None:
    execution = ask(classes, function("static int act(String what)", "", then=[call("int nothing()")]))
    calls = told(execution)
    assert calls.missing
    assert (calls.missing.call, calls.missing.same_name, calls.returned) == (1, False, ())
    assert b"here" not in execution.stdout
    both = told(ask(classes, function("int nothing()", before=[call("int neither()")])))
    assert both.missing
    assert both.missing.call == 1


def test_of_several_methods_that_are_not_there_the_one_that_the_case_is_about_is_named(classes: Path) -> None:
    about = function("int nothing()", before=[call("int none()")], then=[call("int gone()")])
    before = function("static int act(String what)", "", before=[call("int none()")])
    for case, at in ((about, 1), (before, 0)):
        missing = told(ask(classes, case)).missing
        assert missing
        assert missing.call == at


@pytest.mark.parametrize(
    ("heading", "aliases", "found"),
    [
        ("static int hidden(int i)", (), False),
        ("static void hidden(int i)", (), True),
        ("static void nothing(int i)", ("hidden",), True),
        ("static void nothing(int i)", ("neither", "hidden"), True),
        ("void hidden(long i)", (), False),
    ],
)
def test_private_methods_where_the_spec_says_so(
    heading: str,
    aliases: Sequence[str],
    found: bool,  # noqa: FBT001 - a column
    classes: Path,
) -> None:
    assert told(ask(classes, function(heading, 1, aliases=aliases))).missing
    calls = told(ask(classes, function(heading, 1, aliases=aliases, any_access=True)))
    assert (not calls.missing, calls.returned) == (found, (None,) if found else ())


@pytest.mark.parametrize(
    ("heading", "aliases", "value"),
    [
        ("int isNothing(int i)", ("useful",), 4),
        ("int isqueen(int i)", ("useful",), 1),  # the name that is asked for comes first
        ("int isNothing(String i)", ("useful",), None),  # other parameters are another method
    ],
)
def test_other_names_of_a_method(heading: str, aliases: Sequence[str], value: PlainValue, classes: Path) -> None:
    arg = "4" if "String" in heading else 4
    calls = told(ask(classes, function(heading, arg, aliases=aliases)))
    assert calls.returned == (() if value is None else (value,))


def test_other_names_of_a_class_the_first_that_is_there(classes: Path) -> None:
    case = function("int f()", within="Nowhere", elsewhere=["Single", "Broken"])
    assert told(ask(classes, case)).loaded
    missing = told(ask(classes, function("int f()", within="Nowhere", elsewhere=["Nobody"]))).missing
    assert missing
    assert missing.call is None


@pytest.mark.parametrize(("name", "value"), [("isqueen", 1), ("isQUEEN", 2), ("ISWIDE", None), ("USEFUL", 4)])
def test_names_in_any_letter_case(name: str, value: PlainValue, classes: Path) -> None:
    calls = told(ask(classes, function(f"int {name}(int i)", 4, within="queens", any_case=True)))
    assert calls.returned == (() if value is None else (value,))


@pytest.mark.parametrize(("within", "any_case"), [("queens", False), ("Board2", True), ("pa3.Board", False)])
def test_a_class_that_is_not_there(within: str, any_case: bool, classes: Path) -> None:  # noqa: FBT001 - a column
    calls = told(ask(classes, function("int f()", within=within, any_case=any_case)))
    assert not calls.loaded
    assert calls.missing
    assert calls.missing.call is None
    assert {"Queens", "pa2.Board"} < set(calls.missing.found)


@pytest.mark.parametrize(
    ("within", "type_"),
    [("Broken", "java.lang.ArithmeticException"), ("Below", "java.lang.NoSuchMethodException")],
)
def test_a_class_that_cannot_be_loaded_or_made(within: str, type_: str, classes: Path) -> None:
    calls = told(ask(classes, function("static int f()" if within == "Broken" else "int g()", within=within)))
    assert not calls.loaded
    assert calls.load_error
    assert calls.load_error.type == type_
    assert calls.load_error.place.startswith("Queens.java:") or within == "Below"


def test_a_class_that_ends_the_program_while_it_is_loaded(classes: Path) -> None:
    execution = ask(classes, function("static int f()", within="Ends"))
    assert (told(execution), execution.status) == (Calls(), 3)


def test_archives_that_the_build_made_come_first(classes: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "jar"), "zip", classes, "pa2"))
    archive.rename(tmp_path / "Queens")
    (tmp_path / "other").write_bytes(b"PK\x03\x04 but no archive")
    shutil.copytree(classes / "pa2", tmp_path / "pa2")
    (tmp_path / "pa2" / "Board.class").write_bytes(b"broken")
    case = function("static int size()", within="Board")
    assert told(called(case, tmp_path, produces=("Queens", "other"))).returned == (8,)
    broken = told(called(case, tmp_path))
    assert broken.load_error
    assert broken.load_error.type == "java.lang.ClassFormatError"


# ---------------------------------------------------------------- exceptions, and those who try


@pytest.mark.parametrize(
    ("what", "type_", "message"),
    [
        ("index", "java.lang.ArrayIndexOutOfBoundsException", "Index 5 out of bounds for length 2"),
        ("own", "Queens$1", "x" * 1000),
        ("message", "Queens$2", ""),
        ("deep", "java.lang.StackOverflowError", ""),
        ("memory", "java.lang.OutOfMemoryError", "Java heap space"),
    ],
)
def test_exceptions(what: str, type_: str, message: str, classes: Path) -> None:
    calls = told(act(classes, what))
    assert calls.raised
    assert (calls.raised.type, calls.raised.message) == (type_, message)
    assert calls.raised.place.startswith("Queens.java:")
    assert "java.lang.Throwable" in calls.raised.kinds
    assert not calls.returned


def test_an_exception_that_knows_no_frames(classes: Path) -> None:
    calls = told(act(classes, "frames"))
    assert calls.raised
    assert (calls.raised.type, calls.raised.place) == ("Queens$3", "")


@pytest.mark.parametrize(("what", "status"), [("exit", 0), ("halt", 7)])
def test_what_ends_the_machine_leaves_what_was_before(what: str, status: int, classes: Path) -> None:
    execution = act(classes, what)
    assert (told(execution), execution.status, execution.stdout) == (Calls(loaded=True), status, b"here")


def test_a_loop_without_end(classes: Path) -> None:
    execution = act(classes, "loop", replace(LIMITS, time=2))
    assert (execution.limit, execution.stdout) == ("time", b"here")
    assert told(execution) == Calls(loaded=True)


@pytest.mark.parametrize(
    "what",
    ["thread", "hook", "out", "close", "elsewhere", "forge", "remove", "interrupt", "interrupt all", ""],
)
def test_what_a_method_starts_or_replaces_changes_nothing_of_what_is_told(what: str, classes: Path) -> None:
    execution = act(classes, what)
    assert execution.limit is None
    if what == "remove":
        assert told(execution) == Calls(is_recorded=False)
    else:
        assert told(execution).returned == (3,)
        assert execution.stdout.startswith(b"here")


def test_standard_input_and_the_descriptor_of_standard_output(classes: Path) -> None:
    assert told(act(classes, "read", stdin=b"12345\n")).returned == (5,)
    assert told(act(classes, "keep")).returned == (1,)
    assert act(classes, "descriptor").stdout == b"here!"


def test_a_compiler_that_fails_is_our_fault() -> None:
    with pytest.raises(HostError, match="the probe for java cannot be compiled: no javac"):
        made("java", lambda _launch: Execution(stderr=b"no javac", status=1))


def test_a_probe_is_the_same_each_time_it_is_made() -> None:
    assert made("java", run_full) == probe("java")


def test_a_probe_is_kept_for_its_language_and_version(tmp_path: Path) -> None:
    runs: list[Launch] = []

    def counted(launch: Launch) -> Execution:
        runs.append(launch)
        return run_full(launch)

    cache = Cache(folder=tmp_path)
    for language, version, compiled in [("java", "1", 1), ("java", "1", 1), ("python", "1", 1), ("java", "2", 2)]:
        found = calls.ready_calls(language, {"javac": version}, cache, counted)
        assert found == probe(language)
        assert len(runs) == compiled
