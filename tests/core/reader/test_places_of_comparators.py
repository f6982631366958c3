"""Each comparator in each place where something is compared: it is refused with its line, or it decides.

The places are the keys of the language's tables that take a comparator, and `files.same`, where one might be
looked for.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.author.to_yaml import with_answer
from grader.core import oracle
from grader.core.comparators import COMPARATORS
from grader.core.errors import SpecError
from grader.core.judge.case import judge, reachable
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.core.model.values import Opaque, PlainValue
from grader.core.reader.language import TABLES, make_schema
from grader.core.reader.spec import load
from grader.core.yaml.nodes import in_line
from grader.kinds.functions.author import describe_result
from grader.kinds.functions.language import call_node
from grader.kinds.functions.model import Calls
from tests.support.courses import load_text
from tests.support.payloads import functions_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
EXAMPLES = DATA["EXAMPLES"]
PLACES = DATA["PLACES"]
TOP = "spec: 1\nid: x\ntitle: T\nlanguage: python\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n"
VALUES = ("functions.returns", "functions.args")
COMBINED: Mapping[str, str] = {
    "all": "{all: [{lines: reference}, {numbers: reference, tolerance: 0.1}, {not: {contains: Error}}]}",
    "not": "{not: {any: [{contains: Error}, {regex: '^debug', about: a debug line}]}}",
}


def case_with(folder: Path, place: str, written: str) -> Case:
    text = TOP + PLACES[place].replace("WRITTEN", written)
    return load_text(folder, text, {"reference/checks.py": DATA["CHECKS"]}).tests[0].cases[0]


def came(place: str, value: PlainValue) -> Execution:
    """What a program did that came to `value` in a place."""
    calls = None
    if place.startswith("functions."):
        come_to = (0, value, 0) if place.endswith(".cells") else value
        returned, left = (come_to if place.startswith(wanted) else 0 for wanted in VALUES)
        calls = Calls(loaded=True, returned=(returned,), args=(left,))
    text = value.encode() if isinstance(value, str) else b""
    stdout, stderr = (text if stream in place else b"" for stream in ("stdout", "stderr"))
    stdout = text if place == "screen" else stdout
    files = {"out.txt": text} if place == "files" else {}
    return Execution(status=0, facts=calls, stdout=stdout, stderr=stderr, files=files, names=tuple(files))


def judged(folder: Path, case: Case, place: str, value: PlainValue, right: PlainValue) -> CaseResult:
    execution, answer = came(place, value), came(place, right)
    checks = oracle.checks.load_checks(folder)
    return judge(case, execution, answer, toolchain=Toolchain(name="any"), command="x", checks=checks)


def test_every_place_is_walked() -> None:
    definitions = make_schema()["$defs"]

    def takes_comparator(kind: str) -> bool:
        schema = str(definitions.get(kind, ""))
        return kind not in TABLES and any(f"$defs/{inner}'" in schema for inner in ("compared", "expected-value"))

    found = {key for keys in TABLES.values() for key, of in keys.items() if takes_comparator(of.kind)}
    assert found == {place.rpartition(".")[2] for place in PLACES} - {"same", "all", "files"} | {"not", "message"}
    assert EXAMPLES.keys() == COMPARATORS.keys() | COMBINED.keys()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_comparator_is_refused_or_decides(name: str, place: str, tmp_path: Path) -> None:
    written, (right, wrong) = COMBINED.get(name) or COMPARATORS[name].example, EXAMPLES[name]
    if place == "files.same":
        with pytest.raises(
            SpecError, match=r"x\.yaml:9:\d+: tests\[0\]\.expect\.files\.same\.out\.txt: wanted text, found"
        ):
            case_with(tmp_path, place, written)
        return
    case = case_with(tmp_path, place, written)
    assert judged(tmp_path, case, place, right, right).verdict == Verdict.PASSED
    result = judged(tmp_path, case, place, wrong, right)
    assert result.verdict == Verdict.FAILED
    kinds = {deviation.kind for deviation in result.deviations}
    assert kinds
    assert kinds <= reachable(case)
    assert result.message


AS_JSON: tuple[tuple[str, PlainValue, PlainValue, str], ...] = (
    ("{numbers: [0, 1, 2, 3.5], tolerance: 0.1}", ((0, 1), (2, 3.45)), ((0, 1), (2, 4)), "`4`"),
    ("{numbers: 1}", 1, 2, "`2`"),
    ("{json: [[0, 1], []]}", ((0, 1), ()), ((0, 2), ()), "`$[0][1]` is `2`; expected `1`."),
    ("{json: true}", True, 1, "is `1`; expected `true`."),
    ("{json: null}", None, "", "is not JSON: it is empty."),
    ('{json: ["é"]}', ("é",), ("e",), "`$[0]`"),
    ("{contains: [true, false]}", (False, True), (True, True), "`false` does not occur in"),
    (r"{regex: '^\[-?\d, .*\]$'}", (-1, "x"), "x", "matches the pattern"),
    ("{lines: ['[1, 2]']}", (1, 2), (2, 1), "`[2, 1]`"),
    ("{tokens: '[1, 2]'}", (1, 2), (1, 3), "`3]`"),
    ("{text: 'null'}", None, False, "`false`"),
    ("{tokens: reference}", (1, 2), "[1, 2, 3]", "expected `2]`"),
    ("{json: reference}", ("\ud800",), ("\ud801",), "`$[0]`"),
    ("{check: 'reference/checks.py:board', row: 1}", ((7, 7), (2, 3)), ((7, 7), (2, 4)), "Row 1 is not right."),
    ("{check: 'reference/checks.py:board', row: 1}", "[[0, 1], [2, 3]]", ((),), "Row 1 is not right."),
)
"""what is written, a right value, a wrong one, and what its sentence says"""


@pytest.mark.parametrize("place", VALUES)
@pytest.mark.parametrize("row", AS_JSON, ids=str)
def test_a_value_that_is_no_text_is_compared_as_json(
    place: str, row: tuple[str, PlainValue, PlainValue, str], tmp_path: Path
) -> None:
    written, right, wrong, message = row
    case = case_with(tmp_path, place, written)
    assert judged(tmp_path, case, place, right, right).message.text == ""
    result = judged(tmp_path, case, place, wrong, right)
    assert result.verdict == Verdict.FAILED
    assert message in result.message.text


@pytest.mark.parametrize("place", VALUES)
def test_what_is_no_plain_data_is_wrong(place: str, tmp_path: Path) -> None:
    case = case_with(tmp_path, place, "{numbers: [1, 2]}")
    result = judged(tmp_path, case, place, (1, 2, Opaque(type="object")), None)
    beginning = "`f(0)` returned" if place == "functions.returns" else "After `f`, `a` is"
    assert result.message.text == f"{beginning} `[1, 2, <object>]`; plain data is expected."


@pytest.mark.parametrize("place", VALUES)
def test_where_the_reference_comes_to_a_text_a_text_is_expected(place: str, tmp_path: Path) -> None:
    case = case_with(tmp_path, place, "{tokens: reference}")
    result = judged(tmp_path, case, place, 12, "12")
    beginning = "`f(0)` returned" if place == "functions.returns" else "After `f`, `a` is"
    assert result.message.text == f"{beginning} 12; a text is expected."


@pytest.mark.parametrize("place", VALUES)
@each_row
def test_it_is_written_and_told_as_it_is_read(place: str, written: str, tmp_path: Path) -> None:
    case = case_with(tmp_path, place, written)
    for one in (case, with_answer(case, came(place, (1,)))):
        assert functions_in(one) is not None
        (value,) = functions_in(one).expected.values()
        assert value.text is not None
        node = call_node(functions_in(one), None)
        path = tmp_path / "again.yaml"
        path.write_text(TOP + f"  functions: {{in: m, declare: def f(a), calls: [{in_line(node)}]}}\n")
        assert functions_in(load(path).tests[0].cases[0]) == functions_in(one)
        assert "None" not in describe_result(functions_in(one), None, "python")
    assert judged(tmp_path, with_answer(case, came(place, (1,))), place, (1,), None).verdict == Verdict.PASSED
