"""The writer of drafts: what it escapes, how it names tests, and where it places files."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.model.spec import Spec
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment, writer
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.writer import to_imported
from tests.support.rows import each_row


def write(draft: Draft, root: Path) -> Written:
    return write_assignment(to_imported(draft), root)


def written(tmp_path: Path, *tests: DraftTest, points: int | None = None, lost: tuple[Loss, ...] = ()) -> Spec:
    draft = Draft(
        id="a",
        format="io-tests",
        origin="a draft",
        language="python",
        program=("python3", "a.py"),
        tests=tests,
        points=points,
        losses=lost,
    )
    return load(write(draft, tmp_path).spec)


def test_a_brace_is_a_brace_everywhere(tmp_path: Path) -> None:
    case = DraftCase(
        command=("python3", "a.py", "{x}"),
        stdin="{{y}}",
        keys={"env": {"Z": "{z}"}},
        files={"{f}.txt": "{}"},
        expect={"stdout": {"contains": ["{n}", "a}}"]}},
    )
    test = written(tmp_path, DraftTest(name="{name}", about="{about}", cases=[case])).tests[0]
    read = test.cases[0]
    assert (test.name, test.about, read.args, read.stdin) == ("{name}", "{about}", ("{x}",), b"{{y}}")
    assert (read.env, dict(read.files)) == ({"Z": "{z}"}, {"{f}.txt": b"{}"})
    assert read.expect.stdout is not None
    assert read.expect.stdout.leaves[0].want == ("{n}", "a}}")


def test_a_brace_in_what_all_tests_share_is_a_brace(tmp_path: Path) -> None:
    case = DraftCase(expect={"exit": 0})
    draft = Draft(
        id="a",
        format="io-tests",
        origin="a draft",
        language="python",
        program=("python3", "{p}.py"),
        tests=[DraftTest(name="t", cases=[case], keys={"env": {"Y": "{y}"}, "hint": "{h}"})],
        keys={"about": "{a}", "defaults": {"env": {"X": "{x}"}}},
    )
    spec = load(write(draft, tmp_path).spec)
    assert (spec.about, spec.program, spec.tests[0].cases[0].env) == (
        "{a}",
        ("python3", "{p}.py"),
        {"X": "{x}", "Y": "{y}"},
    )


@each_row
def test_a_key_that_no_spec_has_is_refused(
    test: dict[str, Data], case: dict[str, Data], told: str, tmp_path: Path
) -> None:
    cases = [DraftCase(keys=case, expect={"exit": 0})]
    with pytest.raises(UsageError) as caught:
        written(tmp_path, DraftTest(name="t", keys=test, cases=cases))
    assert told in str(caught.value)


def test_a_file_takes_no_place_of_a_folder(tmp_path: Path) -> None:
    names = ("a", "a/b", "a/b/c", "to_do.py", "x y.txt")
    files = {name: CourseFile(name=name, content=name.encode()) for name in names}
    cases = [DraftCase(files=files, expect={"stdout": OpenCheck(name="t", reason="r")})]
    spec = written(tmp_path, DraftTest(name="t", cases=cases), DraftTest(name="u", cases=cases))
    assert {name: bytes(data) for name, data in spec.tests[0].cases[0].files.items()} == {n: n.encode() for n in names}


def test_two_files_never_take_one_place_and_one_file_takes_one(tmp_path: Path) -> None:
    names = [(".t/x.txt", b"1"), ("t/x.txt", b"2"), ("t/x.txt", b"2"), ("x.txt", b"3")]
    files = {str(n): {"file": CourseFile(name=name, content=data)} for n, (name, data) in enumerate(names)}
    spec = written(tmp_path, DraftTest(name="t", cases=[DraftCase(files=files, expect={"exit": 0})]))
    assert [*spec.tests[0].cases[0].files.values()] == [b"1", b"2", b"2", b"3"]
    assert sorted(one.read_bytes() for one in (tmp_path / "data").rglob("*.txt")) == [b"1", b"2", b"3"]
    with pytest.raises(UsageError, match="lies outside"):
        written(tmp_path, DraftTest(name="t", cases=[DraftCase(stdin={"file": CourseFile(name="../x", content=b"")})]))


def test_files_of_one_name_are_placed_without_looking_at_all_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    is_taken = writer._Writing._is_taken

    def counted(self: writer._Writing, path: str) -> bool:
        looked.append(path)
        return is_taken(self, path)

    monkeypatch.setattr(writer._Writing, "_is_taken", counted)
    files = {str(n): {"file": CourseFile(name="x", content=str(n // 2).encode())} for n in range(60)}
    spec = written(tmp_path, DraftTest(name="t", cases=[DraftCase(files=files, expect={"exit": 0})]))
    assert {bytes(data) for data in spec.tests[0].cases[0].files.values()} == {str(n).encode() for n in range(30)}
    assert len([*(tmp_path / "data").rglob("x")]) == 30
    assert len(looked) < 3 * 30


def test_what_all_cases_share_stands_in_their_test_once(tmp_path: Path) -> None:
    cases = [DraftCase(command=("ls", one), limits={"time": 2.5}, expect={"exit": 0}) for one in "ab"]
    tests = written(
        tmp_path, DraftTest(name="t\n", cases=cases), DraftTest(name="t", cases=OpenCheck(name="t", reason="r"))
    )
    assert [test.name for test in tests.tests] == ["t", "t (2)"]
    assert (tmp_path / "specs/a.yaml").read_text().count("2.5 s") == 1
    assert {case.limits["time"] for case in tests.tests[0].cases} == {2.5}


def test_points_that_are_lost_have_to_be_declared(tmp_path: Path) -> None:
    test = DraftTest(name="t", points=Fraction(5, 2), cases=[DraftCase(expect={"exit": 0})])
    with pytest.raises(UsageError, match=r"worth 3 there, 2\.5 here"):
        written(tmp_path, test, points=3)
    lost = Loss(rule="exact", points=Fraction(1, 2))
    assert written(tmp_path, test, points=3, lost=(lost,)).max_score == Fraction(5, 2)


def test_each_rule_of_a_loss_has_a_sentence() -> None:
    sources = {path: path.read_text() for path in Path(writer.__file__).parent.glob("*.py")}
    named = {rule for text in sources.values() for rule in re.findall(r"rule=\"([\w-]+)\"", text)}
    known = {rule for rules in writer.LOSSES.values() for rule in rules}
    assert named <= known
