from pathlib import Path

import pytest

from grader.core.comparators.lines import LineOptions
from grader.core.comparators.tokens import Closeness
from grader.core.model.spec import ANYTHING, Case, Expectation, Expected, ExpectedFiles, Leaf
from grader.core.reader.spec import load

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n  each: {n: ['8']}\n  expect: "


def _expectation(written: str, folder: Path) -> Expectation:
    path = folder / "x.yaml"
    path.write_text(SPEC + written)
    return load(path).tests[0].cases[0].expect


@pytest.mark.parametrize(
    ("written", "stream"),
    [
        ("''", Leaf(how="text", want=("",))),
        ("no", Leaf(how="text", want=("no",))),
        ("'n is {n}'", Leaf(how="text", want=("n is 8",))),
        ("reference", Leaf(how="text")),
        ("any", ANYTHING),
        ("'reference'", Leaf(how="text", want=("reference",))),
        ('"any"', Leaf(how="text", want=("any",))),
        ("{text: reference}", Leaf(how="text")),
        ("{text: reference, skip: ^Enter}", Leaf(how="text", skip="^Enter")),
        ("{text: 'reference'}", Leaf(how="text", want=("reference",))),
        ("{text: any}", Leaf(how="text", want=("any",))),
        ("{contains: reference}", Leaf(how="contains")),
        ("{contains: 'reference'}", Leaf(how="contains", want=("reference",))),
        ("{contains: [a, 'reference']}", Leaf(how="contains", want=("a", "reference"))),
        ("{regex: 'reference'}", Leaf(how="regex", want=("reference",))),
        ("{contains: [a, '{n}']}", Leaf(how="contains", want=("a", "8"))),
        (r"{regex: '^{n}\d{3}[[a]$'}", Leaf(how="regex", want=(r"^8\d{3}[[a]$",))),
        ("{lines: reference}", Leaf(how="lines")),
        ("{lines: reference, order: any}", Leaf(how="lines", options=LineOptions(ordered=False))),
        ("{lines: [a, '', reference], order: same}", Leaf(how="lines", want=("a", "", "reference"))),
        ("{lines: []}", Leaf(how="lines", want=())),
        ("{tokens: reference}", Leaf(how="tokens")),
        ("{tokens: ' a  b '}", Leaf(how="tokens", want=("a", "b"))),
        ("{tokens: [a, '{n}']}", Leaf(how="tokens", want=("a", "8"))),
        ("{numbers: reference, tolerance: 1e-6}", Leaf(how="numbers", options=Closeness(tolerance=1e-6))),
        ("{numbers: [1, 2.50, '{n}']}", Leaf(how="numbers", want=("1", "2.50", "8"))),
        ("{numbers: -1 .5}", Leaf(how="numbers", want=("-1", ".5"))),
        ("{json: reference}", Leaf(how="json")),
        ("{json: 'reference'}", Leaf(how="json", want=('"reference"',))),
        ("{json: {}}", Leaf(how="json", want=("{}",))),
        (
            "{json: {n: '{n}', 'm{n}': '1{n}', 'a b': [1, 2.50, +3., -.5, 1e3, 08, 0x1F, 0o17]}}",
            Leaf(how="json", want=('{"n": 8, "m8": "18", "a b": [1, 2.50, 3, -0.5, 1E+3, 8, 31, 15]}',)),
        ),
        (
            "{json: [true, False, null, ~, no, '1', 1:30, é, \"\\t\"]}",
            Leaf(how="json", want=('[true, false, null, null, "no", "1", "1:30", "é", "\\t"]',)),
        ),
        ("{json: {zeros: [1], n: -0}}", Leaf(how="json", want=('{"zeros": [1], "n": -0}',))),
    ],
)
def test_a_stream(written: str, stream: Expected, tmp_path: Path) -> None:
    assert _expectation(f"{{stdout: {written}}}", tmp_path) == Expectation(stdout=stream)
    assert _expectation(f"{{stderr: {written}}}", tmp_path) == Expectation(stderr=stream)


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("0", (0,)),
        ("[1, 255]", (1, 255)),
        ("any", "any"),
        ("success", "success"),
        ("failure", "failure"),
        ("reference", "reference"),
    ],
)
def test_exit(written: str, status: object, tmp_path: Path) -> None:
    assert _expectation(f"{{exit: {written}}}", tmp_path) == Expectation(exit=status)  # type: ignore[arg-type]


def test_files(tmp_path: Path) -> None:
    written = "{files: {present: ['out{n}', bin/], absent: ['*.class'], same: {'a{n}': '{n}', b: reference}}}"
    assert _expectation(written, tmp_path).files == ExpectedFiles(
        present=("out8", "bin/"),
        absent=("*.class",),
        contents={"a8": Leaf(how="text", want=("8",)), "b": Leaf(how="text")},
    )


def test_reference_alone_stands_for_both_streams(tmp_path: Path) -> None:
    both = Leaf(how="text")
    assert _expectation("reference", tmp_path) == Expectation(stdout=both, stderr=both)


@pytest.mark.parametrize(
    ("written", "asks"),
    [("reference", True), ("{exit: reference}", True), ("{files: {same: {a: reference}}}", True), ("{exit: 0}", False)],
)
def test_what_asks_the_reference(written: str, *, asks: bool, tmp_path: Path) -> None:
    assert Case(id="a", expect=_expectation(written, tmp_path)).asks_reference is asks
