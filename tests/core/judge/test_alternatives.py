"""Any of several: texts and values of which each is right, and values of which only some cells count."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.author.to_yaml import expectation_node, with_answer
from grader.core import oracle
from grader.core.comparators import in_words
from grader.core.judge.case import judge, reachable
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.core.model.values import PlainValue
from grader.core.report.document import code
from grader.core.yaml.nodes import in_line
from grader.kinds.functions.author import describe_result
from grader.kinds.functions.language import call_node
from grader.kinds.functions.model import Calls
from tests.support.courses import load_text
from tests.support.functions import plain
from tests.support.payloads import functions_in
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
CHECKS = DATA["CHECKS"]
HEAD = "spec: 1\nid: x\ntitle: T\nlanguage: python\nprogram: ./x\nreference: ./y\n"
PASSED, PARTIAL, FAILED = Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED


def case_of(folder: Path, written: str) -> Case:
    return load_text(folder, f"{HEAD}tests:\n- name: t\n{written}\n", {"checks.py": CHECKS}).tests[0].cases[0]


def call_of(folder: Path, expect: str) -> Case:
    return case_of(folder, f"  functions: {{in: m, declare: def f(a), calls: [{{args: [0], expect: {expect}}}]}}")


def came_to(case: Case, execution: Execution, answer: Execution | None, folder: Path) -> CaseResult:
    checks = oracle.checks.load_checks(folder)
    return judge(case, execution, answer, toolchain=Toolchain(name="any"), command="x", checks=checks)


ONE = '["1-Queens has 1 solutions\\n", "1-Queens has 1 solution\\n"]'
STREAMS = from_data(DATA["STREAMS"], list[tuple[str, str, str, Fraction, list[str]]])


@pytest.mark.parametrize("row", STREAMS, ids=str)
def test_any_of_several_texts(row: tuple[str, str, str, Fraction | int, list[str]], tmp_path: Path) -> None:
    written, stdout, stderr, share, kinds = row
    tolerate = "{letter-case: 90%, wording: 50%, wrong-stream: 25%, leading-space: 100%}"
    case = case_of(tmp_path, f"  tolerate: {tolerate}\n  expect: {{stdout: {{any: {written}}}}}")
    execution = Execution(status=0, stdout=stdout.encode(), stderr=stderr.encode())
    answer = Execution(status=0, stdout=b"right\n") if case.asks_reference else None
    result = came_to(case, execution, answer, tmp_path)
    assert (result.credit, sorted({one.kind for one in result.deviations})) == (share, kinds)
    assert set(kinds) <= reachable(case)


def test_the_sentence_is_about_the_nearest_and_so_is_what_is_shown(tmp_path: Path) -> None:
    case = case_of(tmp_path, f"  expect: {{stdout: {{any: {ONE}}}}}")
    result = came_to(case, Execution(status=0, stdout=b"2-Queens has 1 solution\n"), None, tmp_path)
    assert result.message.text == (
        "Line 1 of standard output is `2-Queens has 1 solution`, expected `1-Queens has 1 solution`. "
        "2 answers are right; this is about the closest."
    )
    assert result.expected_stdout == "1-Queens has 1 solution\n"


def test_with_two_streams_any_pair_is_right(tmp_path: Path) -> None:
    case = case_of(tmp_path, "  expect: {stdout: {any: [a, b]}, stderr: {any: [c, {contains: d}]}}")
    for stdout, stderr, verdict in ((b"b", b"xdx", PASSED), (b"a", b"c", PASSED), (b"c", b"c", FAILED)):
        assert came_to(case, Execution(status=0, stdout=stdout, stderr=stderr), None, tmp_path).verdict == verdict


VALUES = plain(DATA["VALUES"])


@pytest.mark.parametrize(("written", "value", "message"), VALUES)
def test_values(written: str, value: PlainValue, message: str, tmp_path: Path) -> None:
    for key in ("returns", "args"):
        case = call_of(tmp_path, f"{{{key}: {written if key == 'returns' else f'{{0: {written}}}'}}}")
        ran, right = (
            Execution(status=0, facts=Calls(loaded=True, returned=(one,), args=(one,))) for one in (value, ((1,), (2,)))
        )
        result = came_to(case, ran, right if case.asks_reference else None, tmp_path)
        assert result.verdict == (FAILED if message else PASSED)
        if key == "returns":
            assert message in result.message.text
        assert bool(result.message.text) == bool(message)


def test_an_argument_is_told_by_its_name_and_shown_with_open_cells(tmp_path: Path) -> None:
    case = call_of(tmp_path, "{args: {0: {cells: {'[1][0]': 2, '[2]': [1, 1]}}}}")
    ran = Execution(status=0, facts=Calls(loaded=True, returned=(None,), args=(((0, 0), (3, 0), (0, 1)),)))
    result = came_to(case, ran, None, tmp_path)
    assert result.message.text == "After `f`, `a[1][0]` is 3; 2 is expected. (1 more place is wrong.)"
    (contrast,) = result.contrasts
    assert contrast.expected == "[0, 0]\n[2, 0]\n[1, 1]\n"
    assert contrast.actual == "[0, 0]\n[3, 0]\n[0, 1]\n"


@pytest.mark.parametrize("written", [value for value, _, _ in VALUES])
def test_values_are_written_and_told_as_they_are_read(written: str, tmp_path: Path) -> None:
    case = call_of(tmp_path, f"{{returns: {written}}}")
    answer = Execution(status=0, facts=Calls(loaded=True, returned=(((1,), (2,)),), args=()))
    for one in (case, with_answer(case, answer)):
        assert functions_in(one) is not None
        node = in_line(call_node(functions_in(one), None))
        again = case_of(tmp_path, f"  functions: {{in: m, declare: def f(a), calls: [{node}]}}")
        assert functions_in(again) == functions_in(one)
        assert describe_result(functions_in(one), None, "python").startswith("returns ")
    assert not with_answer(case, answer).asks_reference


@pytest.mark.parametrize("written", sorted({row[0] for row in STREAMS}))
def test_texts_are_written_and_told_as_they_are_read(written: str, tmp_path: Path) -> None:
    case = case_of(tmp_path, f"  expect: {{stdout: {{any: {written}}}}}")
    answer = Execution(status=0, stdout=b"right\n")
    for one in (case, with_answer(case, answer)):
        again = case_of(tmp_path, f"  expect: {in_line(expectation_node(one.expect))}")
        assert again.expect == one.expect
        assert one.expect.stdout is not None
        assert in_words(one.expect.stdout, code).startswith("any of these: ")
    assert not with_answer(case, answer).asks_reference


def test_an_alternative_that_everything_matches_leaves_nothing_to_be_wrong(tmp_path: Path) -> None:
    assert reachable(case_of(tmp_path, "  expect: {stdout: {any: [a, {regex: '.*'}]}}")) <= {"wrong-stream"}
