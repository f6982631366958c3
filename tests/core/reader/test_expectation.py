from pathlib import Path

from grader.core.model.spec import Case, Expectation, Expected, ExpectedFiles, Leaf
from tests.support.courses import load_text
from tests.support.functions import plain
from tests.support.rows import each_row

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nreference: ./y\ntests:\n- name: t\n  each: {n: ['8']}\n  expect: "


def _expectation(written: str, folder: Path) -> Expectation:
    return load_text(folder, SPEC + written).tests[0].cases[0].expect


@each_row
def test_a_stream(written: str, stream: Expected, tmp_path: Path) -> None:
    assert _expectation(f"{{stdout: {written}}}", tmp_path) == Expectation(stdout=stream)
    assert _expectation(f"{{stderr: {written}}}", tmp_path) == Expectation(stderr=stream)


@each_row
def test_exit(written: str, status: object, tmp_path: Path) -> None:
    status = plain(status)
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


@each_row
def test_what_asks_the_reference(written: str, *, asks: bool, tmp_path: Path) -> None:
    assert Case(id="a", expect=_expectation(written, tmp_path)).asks_reference is asks
