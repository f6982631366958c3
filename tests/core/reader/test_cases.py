from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.model.spec import ANYTHING, Case, Expectation, Leaf, Repeat, Test
from grader.core.reader.spec import load
from tests.support.rows import each_row, read_data

DEFAULTS = read_data(__file__)["DEFAULTS"]
TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\n"


def _tests(written: str, folder: Path, top: str = TOP) -> tuple[Test, ...]:
    path = folder / "x.yaml"
    path.write_text(top + "tests:\n" + written)
    return load(path).tests


def _cases(written: str, folder: Path, top: str = TOP) -> tuple[Case, ...]:
    (test,) = _tests(f"- name: t\n  expect: {{exit: 0}}\n{written}", folder, top)
    return test.cases


@each_row
def test_the_names_of_cases(written: str, ids: list[str], tmp_path: Path) -> None:
    assert [case.id for case in _cases(written, tmp_path)] == ids


def test_a_hint_is_under_the_name_of_its_deviation_as_a_report_has_it(tmp_path: Path) -> None:
    (test,) = _tests("- {name: t, expect: {exit: 0}, hint: {final-newline: End it, default: Look}}\n", tmp_path)
    assert test.hint == {"final-newline": "End it", "default": "Look"}


def test_texts_are_the_characters_that_were_written(tmp_path: Path) -> None:
    (case,) = _cases("  args: [-v, 08, no, 1:30, ~, null, '', 1_000, 0x1F, 2024-01-01, =, y]\n", tmp_path)
    assert case.args == ("-v", "08", "no", "1:30", "~", "null", "", "1_000", "0x1F", "2024-01-01", "=", "y")


def test_a_variable_is_filled_into_every_text_of_the_test(tmp_path: Path) -> None:
    (test,) = _tests(
        """
        - name: t-{n}
          about: about {n}
          hint: hint {n}
          each: {n: [a 'b]}
          args: [x, "{n}"]
          stdin: "in {n} {3} {{n}}"
          env: {N: "{n}", "{n}": z}
          files: {"{n}.txt": "{n}!"}
          command: run "-{n}" {n}
          expect: {stdout: "out {n}"}
        """,
        tmp_path,
    )
    value = "a 'b"
    assert (test.name, test.about, test.hint) == ("t-{n}", "about {n}", {"default": "hint {n}"})
    assert test.cases == (
        Case(
            id="t-{n}[n=a 'b]",
            path="tests[0]",
            args=("x", value),
            stdin=b"in a 'b {3} {n}",
            env={"N": value, value: "z"},
            files={"a 'b.txt": b"a 'b!"},
            command=("run", "-a 'b", value),
            expect=Expectation(stdout=Leaf(how="text", want=("out a 'b",))),
        ),
    )


def test_two_names_that_become_one_are_a_duplicate(tmp_path: Path) -> None:
    message = r"x\.yaml:10:15: tests\[0\]\.env\.\{n\}: this key is here twice, first in line 10: keep one"
    with pytest.raises(SpecError, match=message):
        _cases("  each: {n: [A]}\n  env: {A: x, '{n}': y}\n", tmp_path)


def test_a_case_is_laid_over_its_test(tmp_path: Path) -> None:
    one, two = _cases(
        """
  args: [a]
  stdin: a
  env: {A: a}
  files: {a: a}
  terminal: true
  command: a
  cases:
    - {}
    - {args: [], stdin: b, env: {B: b}, files: {b: b}, terminal: false, command: [b, c d], expect: {stdout: b}}
""",
        tmp_path,
    )
    assert one == Case(
        id="t[1]",
        path="tests[0].cases[0]",
        args=("a",),
        stdin=b"a",
        env={"A": "a"},
        files={"a": b"a"},
        terminal=True,
        command=("a",),
        expect=Expectation(exit=(0,)),
    )
    assert two == Case(
        id="t[2]",
        path="tests[0].cases[1]",
        stdin=b"b",
        env={"B": "b"},
        files={"b": b"b"},
        command=("b", "c d"),
        expect=Expectation(exit=(0,), stdout=Leaf(how="text", want=("b",))),
    )


@each_row
def test_the_way_of_a_case_is_the_last_that_is_written(
    test: str,
    case: str,
    terminal: bool,  # noqa: FBT001 - a parameter of the table
    both: bool,  # noqa: FBT001 - a parameter of the table
    tmp_path: Path,
) -> None:
    (one,) = _cases(f"  {test}\n  cases:\n    - {{{case}}}\n", tmp_path)
    assert (one.terminal, one.both) == (terminal, both)


@each_row
def test_a_case_is_repeated_as_was_written_last(top: str, test: str, case: str, repeat: Repeat, tmp_path: Path) -> None:
    (one,) = _cases(f"  {test or 'args: []'}\n  cases:\n    - {{{case}}}\n", tmp_path, TOP + top)
    assert one.repeat == repeat


def test_limits_and_tolerances_are_laid_over_key_by_key(tmp_path: Path) -> None:
    top = TOP + "limits: {time: 10 s, memory: 1 MiB, output: 1 kB}\ntolerate: {order: 50%, prompt: 1%, wording: 2%}\n"
    written = """
  limits: {memory: 2 MiB, processes: 3}
  tolerate: {prompt: 12.5%, reversed: 4%}
  cases:
    - limits: {output: 2 kB}
      tolerate: {wording: 0%}
"""
    (case,) = _cases(written, tmp_path, top)
    assert case.limits == {"time": 10, "memory": 2**21, "output": 2000, "processes": 3}
    assert case.tolerate == {
        "order": Fraction(1, 2),
        "prompt": Fraction(1, 8),
        "wording": Fraction(0),
        "reversed": Fraction(1, 25),
    }


def test_an_expectation_is_laid_over_key_by_key(tmp_path: Path) -> None:
    (test,) = _tests(
        "- name: t\n  expect: reference\n  cases:\n    - expect: {stderr: any, exit: 1}\n    - expect: {stdout: ''}\n",
        tmp_path,
    )
    reference, nothing = Leaf(how="text"), Leaf(how="text", want=("",))
    assert [case.expect for case in test.cases] == [
        Expectation(stdout=reference, stderr=ANYTHING, exit=(1,)),
        Expectation(stdout=nothing, stderr=reference),
    ]


def test_the_keys_of_a_test(tmp_path: Path) -> None:
    plain, full = _tests(
        """
- name: plain
  expect: {stdout: any}
- name: full
  about: "*"
  points: 2.1
  bonus: true
  needs: [plain]
  visibility: after-due
  hint: Look.
  all_or_nothing: true
  expect: {exit: any}
""",
        tmp_path,
    )
    any_stdout = Case(id="plain", path="tests[0]", expect=Expectation(stdout=ANYTHING))
    assert plain == Test(name="plain", points=Fraction(1), cases=(any_stdout,))
    assert full == Test(
        name="full",
        about="*",
        points=Fraction(21, 10),
        bonus=True,
        needs=("plain",),
        visibility="after-due",
        hint={"default": "Look."},
        all_or_nothing=True,
        cases=(Case(id="full", path="tests[1]"),),
    )


@pytest.mark.slow
def test_ten_thousand_cases_are_allowed(tmp_path: Path) -> None:
    assert len(_cases("  each: {n: 1..100, m: 1..100}\n  args: ['{n}', '{m}']\n", tmp_path)) == 10_000


def test_a_mistake_in_one_value_of_a_variable_is_found(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        _cases("  each: {name: [a, b, /c, ../d]}\n  files: {'{name}': ''}\n", tmp_path)
    assert len(raised.value.problems) == 1
    assert raised.value.problems[0].path == "tests[0].files.{name}"


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("expect: {stdout: b}", {}),
        ("command: ./x\n  args: []\n  stdin: ''", {"command": ("./x",), "args": (), "stdin": b""}),
        ("env: {TERM: vt100, A: b}", {"env": {"LANG": "C", "TERM": "vt100", "A": "b"}}),
        # A case's map takes the place of its test's, as ever, and both lie over the spec's.
        (
            "files: {in.txt: '2', b: ''}\n  cases: [{files: {c: ''}}]",
            {"files": {"in.txt": b"1", "out.txt": b"", "c": b""}},
        ),
        ("run: pipe", {"both": False}),
        ("terminal: true", {"both": False, "terminal": True}),
        ("expect: {exit: any}", {"expect": Expectation(stderr=Leaf(how="text", want=("",)))}),
    ],
)
def test_a_case_has_the_defaults_that_it_does_not_replace(test: str, wanted: dict[str, object], tmp_path: Path) -> None:
    ((case,),) = (one.cases for one in _tests(f"- name: t\n  {test}\n", tmp_path, TOP + DEFAULTS))
    usual: dict[str, object] = {
        "command": ("./ask",),
        "args": ("a",),
        "stdin": b"all",
        "env": {"LANG": "C", "TERM": "dumb"},
        "files": {"in.txt": b"1", "out.txt": b""},
        "both": True,
    }
    for key, value in {**usual, **wanted}.items():
        assert getattr(case, key) == value, key
    if "expect" not in wanted:
        assert (case.expect.stderr, case.expect.exit) == (Leaf(how="text", want=("",)), "success")


def test_calls_and_dialogues_have_the_defaults_that_they_can_use(tmp_path: Path) -> None:
    top = TOP + "language: python\n" + DEFAULTS.replace("  run: both\n", "")
    written = """
- name: t
  cases:
    - functions: {in: m, declare: def f(a), calls: [{args: [0], expect: {returns: 1}}]}
    - dialogue: [{expect: a}, {eof: true}]
"""
    ((call, said),) = (test.cases for test in _tests(written, tmp_path, top))
    assert (call.command, call.args, call.stdin, call.env["LANG"]) == (None, (), b"all", "C")
    assert (said.command, said.args, said.stdin, said.expect.exit) == (("./ask",), ("a",), b"", "success")
