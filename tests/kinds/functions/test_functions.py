"""What `functions` says becomes cases; each wrong spec has every message that it must get, as in test_mistakes.py."""
# ruff: noqa: E501 -- messages are compared whole

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import SpecError
from grader.core.model.spec import Case, GeneratedInput, Leaf
from grader.core.model.values import Argument
from grader.core.reader.spec import load
from grader.kinds.functions.model import (
    ExpectedOutcome,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Parameter,
    Signature,
)
from tests.support.payloads import functions_in

TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\nlanguage: {language}\ntests:\n- name: t\n"
JAVA = """\
  functions:
    in: Queens
    declare: static void placeQueen(int[][] B, int i, int j)
"""
PLACE = Signature(
    text="static void placeQueen(int[][] B, int i, int j)",
    name="placeQueen",
    parameters=(
        Parameter(type="int[][]", name="B"),
        Parameter(type="int", name="i"),
        Parameter(type="int", name="j"),
    ),
    returns="void",
    static=True,
)
BOARD = ((0, 0), (0, 0))


def _path(folder: Path, written: str, language: str) -> Path:
    (folder / "reference").mkdir(exist_ok=True)
    (folder / "reference" / "generators.py").write_text("def placements(random): ...\n")
    (folder / "specs").mkdir(exist_ok=True)
    path = folder / "specs" / "x.yaml"
    path.write_text(TOP.format(language=language) + written)
    return path


def cases(folder: Path, written: str, language: str = "java") -> tuple[Case, ...]:
    return load(_path(folder, written, language)).tests[0].cases


def case(folder: Path, written: str, language: str = "java") -> FunctionCase:
    (only,) = cases(folder, written, language)
    assert functions_in(only)
    return functions_in(only)


def test_each_call_is_a_case(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        JAVA
        + """\
    calls:
      - {args: [{zeros: [2, 2]}, 0, 1], expect: {args: {0: [[0, 1], [0, 0]]}, stdout: ""}}
      - {args: [[[0, 0], [0, 0]], 0, 1], expect: {args: {0: reference, 2: 1}, raises: any}}
  limits: {time: 1 s}
""",
    )
    call = FunctionCall(signature=PLACE, args=(BOARD, 0, 1))
    assert [each.id for each in found] == ["t[1]", "t[2]"]
    assert functions_in(found[0]) == FunctionCase(
        within=("Queens",), calls=(call,), args={0: ExpectedValue(want=((0, 1), (0, 0)))}
    )
    assert functions_in(found[1]) == FunctionCase(
        within=("Queens",),
        calls=(replace(call, expect=ExpectedOutcome(raises="any")),),
        args={0: ExpectedValue(reference=True), 2: ExpectedValue(want=1)},
    )
    assert [each.expect.stdout for each in found] == [Leaf(how="text", want=("",)), None]
    assert [each.asks_reference for each in found] == [False, True]
    assert [each.limits for each in found] == [{"time": 1.0}] * 2


def test_calls_before_and_afterwards(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        JAVA
        + """\
    match: any-case
    before: [{declare: "void init()"}]
    calls:
      - args: [{zeros: [2, 2]}, 0, 1]
        then: [{declare: "void removeQueen(int[][] B, int i, int j)", args: [{argument: 0}, 0, 1]}]
        expect: {args: {0: {zeros: [2, 2]}}}
      - {args: [{zeros: [2, 2]}, 0, 1], before: [], expect: {args: {1: 0}}}
""",
    )
    first, second = (functions_in(each) for each in found)
    assert first
    assert second
    assert [call.signature.name for call in first.calls] == ["init", "placeQueen", "removeQueen"]
    assert first.calls[2].args == (Argument(position=0), 0, 1)
    assert first.args == {0: ExpectedValue(want=BOARD)}
    assert first.match == "any-case"
    assert second.calls == (second.call,)


def test_arguments_that_are_drawn_are_cases_too(tmp_path: Path) -> None:
    written = (
        JAVA + "    calls: [{generate: reference/generators.py:placements, count: 3, expect: {args: {0: reference}}}]\n"
    )
    found = cases(tmp_path, written)
    assert [each.id for each in found] == ["t[1]", "t[2]", "t[3]"]
    draws = [functions_in(each).generated_input for each in found if functions_in(each)]
    seed = "x static void placeQueen(int[][] B, int i, int j) reference/generators.py:placements"
    assert draws == [
        GeneratedInput(function="reference/generators.py:placements", seed=seed, index=index) for index in range(3)
    ]


def test_the_file_of_a_generator_counts_in_the_digest(tmp_path: Path) -> None:
    path = _path(
        tmp_path,
        JAVA + "    calls: [{generate: reference/generators.py:placements, expect: {args: {0: reference}}}]\n",
        "java",
    )
    before = load(path).digest
    (tmp_path / "reference" / "generators.py").write_text("def placements(random): yield\n")
    assert load(path).digest != before


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0", 0),
        ("-17", -17),
        ("1.5", 1.5),
        ("true", True),
        ("null", None),
        ("text", "text"),
        ("'8'", "8"),
        ("'true'", "true"),
        ("''", ""),
        ("[]", ()),
        ("[[1, a], [true]]", ((1, "a"), (True,))),
        ("{zeros: [3]}", (0, 0, 0)),
        ("{zeros: [1, 2, 1]}", (((0,), (0,)),)),
        ("{zeros: []}", 0),
        ("{zeros: ['{n}']}", (0, 0)),
        ("'{n}'", 2),
        ("'{n} queens'", "2 queens"),
        ("'{mode}'", "verbose"),
    ],
)
def test_values(written: str, value: object, tmp_path: Path) -> None:
    functions = "in: four, declare: 'def f(a)', calls: [{args: [WRITTEN], expect: {returns: WRITTEN}}]"
    found = case(
        tmp_path,
        f"  each: {{n: [2], mode: [verbose]}}\n  functions: {{{functions.replace('WRITTEN', written)}}}\n",
        "python",
    )
    assert found.call.args == (value,)
    assert found.call.expect.returns == ExpectedValue(want=value)
    assert type(found.call.args[0]) is type(value)


def test_functions_in_a_case_are_instead_of_those_of_the_test(tmp_path: Path) -> None:
    functions = "functions: {{in: {0}, declare: void f(), calls: [{{expect: {{stdout: ''}}}}]}}"
    found = cases(tmp_path, f"  {functions.format('A')}\n  cases: [{{}}, {{{functions.format('B')}}}]\n")
    assert [(each.id, functions_in(each) and functions_in(each).within) for each in found] == [
        ("t[1][1]", ("A",)),
        ("t[2][1]", ("B",)),
    ]


WRONG = r"""
  functions: {}
! 9:14: tests[0].functions.in: this key is missing
! 9:14: tests[0].functions.declare: this key is missing
! 9:14: tests[0].functions.calls: this key is missing

  functions: {in: A B, declare: f, match: some, calls: []}
! 9:19: tests[0].functions.in: wanted the name of a Java class, found "A B"
! 9:33: tests[0].functions.declare: wanted the heading of a method, such as static void placeQueen(int[][] B, int i, int j), found "f"
! 9:43: tests[0].functions.match: unknown match "some"; there are: exact, any-case
! 9:56: tests[0].functions.calls: wanted at least one call, found an empty list

  functions: {in: 6-A, declare: [int f(int i, int j, int k), "int g()"], calls: [{steps: [{f: [1, 2, 3], expect: {returns: 1}}]}]}
! 9:19: tests[0].functions.in: wanted the name of a Java class, found "6-A"
! 9:34: tests[0].functions.declare[0]: wanted the heading of a method, such as static void placeQueen(int[][] B, int i, int j), found "int f(int i" (a text with a comma needs quotes here)

  functions: {in: A, declare: int f(int i, int j, int k), calls: [{args: [1, 2, 3], expect: {returns: 1}}]}
! 9:31: tests[0].functions.declare: this ends in the middle (a text with a comma needs quotes here)

  functions: {in: A, declare: "int f(int i)", cals: , calls: [{args: [1], before: [{declare: void g(int i, int j), args: [1, 2]}], expect: {returns: 1}}]}
! 9:47: tests[0].functions.cals: unknown key; did you mean "calls"?
! 9:94: tests[0].functions.calls[0].before[0].declare: this ends in the middle (a text with a comma needs quotes here)

  functions: {in: A, declare: "void f(Object o)", calls: [{args: [1], expect: {stdout: ""}}]}
! 9:31: tests[0].functions.declare: only numbers, booleans, texts and arrays of them can be given from a spec, and no Object

  functions: {in: A, declare: "void f(int i)", calls: [{args: [], expect: {stdout: ""}}, {expect: {stdout: ""}}]}
! 9:63: tests[0].functions.calls[0].args: wanted 1 arguments, for void f(int i), found 0
! 9:90: tests[0].functions.calls[1]: this call has no arguments: give them under args, or draw them with generate

  functions: {in: A, declare: "void f(int i, boolean b, char c, int[][] B)", calls: [{args: [2147483648, 1, ab, [1]], expect: {stdout: ""}}]}
! 9:94: tests[0].functions.calls[0].args[0]: wanted a value for int i, found "2147483648"
! 9:106: tests[0].functions.calls[0].args[1]: wanted a value for boolean b, found "1"
! 9:109: tests[0].functions.calls[0].args[2]: wanted a value for char c, found "ab"
! 9:113: tests[0].functions.calls[0].args[3]: wanted a value for int[][] B, found a list

  functions: {in: A, declare: "void f(int i)", calls: [{args: [1]}]}
! 9:56: tests[0].functions.calls[0]: this call checks nothing: say under expect what returns, args, stdout, raises must be

  functions: {in: A, declare: "void f(int i)", calls: [{args: [1], expect: {returns: 1, args: {1: 0}, exit: 0}}]}
! 9:86: tests[0].functions.calls[0].expect.returns: void f(int i) returns nothing
! 9:96: tests[0].functions.calls[0].expect.args.1: void f(int i) has no argument "1": they are counted from 0
! 9:103: tests[0].functions.calls[0].expect.exit: unknown key; there are: returns, args, stdout, raises

  functions: {in: A, declare: "int f(int i)", calls: [{args: [{argument: 0}], expect: {raises: "a b"}}]}
! 9:63: tests[0].functions.calls[0].args[0]: {argument: …} is for the calls before and afterwards: give the main call values
! 9:96: tests[0].functions.calls[0].expect.raises: wanted the name of an exception, any or reference, found the text "a b"

  functions: {in: A, declare: "int f(int i)", calls: [{args: [1], then: [{declare: "int g(int i)", args: [{argument: 1}]}], expect: {returns: 1}}]}
! 9:55: tests[0].functions.calls[0]: int f(int i) has no argument 1: they are counted from 0

  functions: {in: A, declare: "int f(int i)", calls: [{args: [1], then: [{declare: "int g(int[] a)", args: [{argument: 0}]}], expect: {returns: 1}}]}
! 9:55: tests[0].functions.calls[0]: int g(int[] a) cannot be given the argument 0 of int f(int i)

  functions: {in: A, declare: "int f(int i)", calls: [{args: [1], generate: 'x', count: 0, expect: {returns: 1}}]}
! 9:55: tests[0].functions.calls[0]: wanted args or generate, found both
! 9:77: tests[0].functions.calls[0].generate: wanted a function of the course's own, such as reference/checks.py:boards, found the text "x"
! 9:89: tests[0].functions.calls[0].count: wanted a whole number that is 1 or more, found "0"

  functions: {in: A, declare: "int f(int i)", calls: [{args: [1], count: 2, expect: {returns: 1}}, {generate: 'reference/generators.py:p', count: 1001, expect: {returns: 1}}]}
! 9:74: tests[0].functions.calls[0].count: count belongs to generate only
! 9:147: tests[0].functions.calls[1].count: wanted at most 1000 calls, found "1001"

  functions: {in: A, declare: "void f(int[] a)", calls: [{args: [{zeros: [2000, 2000]}], expect: {stdout: ""}}, {args: [{zeros: [-1]}], expect: {stdout: ""}}]}
! 9:74: tests[0].functions.calls[0].args[0].zeros: an array has at most 1000000 zeros
! 9:130: tests[0].functions.calls[1].args[0].zeros[0]: wanted a length that is 0 or more, found "-1"

  args: [a]
  terminal: true
  expect: {exit: 0}
  functions: {in: A, declare: "void f()", calls: [{expect: {stdout: ""}}]}
! 8:3: tests[0]: args has no meaning beside functions: each of its calls has args of its own

  run: both
  functions: {in: A, declare: "void f()", calls: [{expect: {stdout: ""}}]}
! 8:3: tests[0]: run: both has no meaning beside functions: make a test of its own for it

  each: {n: 1..20}
  functions: {in: A, declare: "void f()", calls: [{generate: 'reference/generators.py:p', count: 1000, expect: {stdout: ""}}]}
! 8:3: tests[0]: this makes more than 10000 cases in all: shorten each or cases, or draw fewer calls
"""


@pytest.mark.parametrize("block", WRONG.strip("\n").split("\n\n"))
def test_every_mistake_is_told_once(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = block.split("\n")
    written = "".join(f"{line}\n" for line in lines if not line.startswith("! "))
    path = _path(tmp_path, written, "java")
    monkeypatch.chdir(path.parent)
    with pytest.raises(SpecError) as raised:
        load(Path("x.yaml"))
    messages = [line.replace("! ", "x.yaml:") for line in lines if line.startswith("! ")]
    assert sorted(str(raised.value).splitlines()) == sorted(messages)


NODE = "struct node { int value; struct node *next; }"


@pytest.mark.parametrize(
    ("language", "within", "message"),
    [
        ("java", "declare: int f(int a), aliases: [f, g]", 'aliases[0]: "f" is a name of it already: take it out'),
        ("java", "declare: int f(int a), aliases: [g, g]", 'aliases[1]: "g" is a name of it already: take it out'),
        (
            "c",
            f'declare: int f(int a), structures: ["{NODE}", "{NODE}"]',
            'structures[1]: "node" is declared already: keep one',
        ),
        (
            "c",
            'declare: "int f(int **a)"',
            "declare: only numbers, booleans, texts and arrays of them can be given from a spec, and no int**",
        ),
        (  # a name of Java's, and of no type of C
            "c",
            'declare: "int f(byte *a)"',
            "declare: the structure byte is not declared: write its fields under structures",
        ),
    ],
)
def test_names_and_types_of_headings(language: str, within: str, message: str, tmp_path: Path) -> None:
    written = f"  functions: {{in: a.c, {within}, calls: [{{args: [1], expect: {{returns: 1}}}}]}}\n"
    with pytest.raises(SpecError) as raised:
        load(_path(tmp_path, written, language))
    found = [f"{one.path.removeprefix('tests[0].functions.')}: {one.message}" for one in raised.value.problems]
    assert message in found


def test_in_other_languages_there_are_no_functions(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="functions can be called in java, python, c, cpp and javascript only"):
        cases(tmp_path, "  functions: {in: a}\n", "prolog")


def test_values_of_the_reference_need_one(tmp_path: Path) -> None:
    path = _path(
        tmp_path, JAVA + "    calls: [{args: [[], 1, 1], expect: {raises: reference, args: {0: reference}}}]\n", "java"
    )
    path.write_text(path.read_text().replace("reference: ./y\n", ""))
    with pytest.raises(SpecError) as raised:
        load(path)
    assert [problem.path.rpartition("expect.")[2] for problem in raised.value.problems] == ["raises", "args.0"]
