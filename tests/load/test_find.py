import os
from pathlib import Path

import pytest

from grader.errors import SpecError, UsageError
from grader.load import find_named, find_spec

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests: [{name: t, expect: {exit: 0}}]\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = tmp_path / "course"
    for name, required in (("queens", "Queens.java, Makefile"), ("rooks", "'Rook*.py'"), ("kings", "src/kings.c")):
        _write(root / "specs" / f"{name}.yaml", SPEC + f"files: {{required: [{required}]}}\n")
    return root


def _write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _submission(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        _write(folder / name)
    return folder


def test_a_path_is_taken_as_it_is_given(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    assert find_spec("specs/rooks.yaml", Path("alice"), course) == Path("specs/rooks.yaml")


@pytest.mark.parametrize("start", [".", "work", "work/deep"])
def test_an_id_is_looked_up_above_the_working_folder(start: str, course: Path) -> None:
    _submission(course / "work" / "deep")
    assert find_spec("rooks", course.parent / "alice", course / start) == course / "specs" / "rooks.yaml"


def test_an_id_is_looked_up_above_the_submission(course: Path, tmp_path: Path) -> None:
    assert find_spec("rooks", course / "handed-in" / "alice", tmp_path) == course / "specs" / "rooks.yaml"


def test_the_nearest_specs_come_first(course: Path) -> None:
    inner = _write(course / "inner" / "specs" / "rooks.yaml", SPEC)
    assert find_spec("rooks", course / "alice", course / "inner") == inner


def test_without_a_submission_the_working_folder_counts(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_submission(course / "work"))
    assert find_named("rooks", Path()) == course / "specs" / "rooks.yaml"
    assert find_named("rooks", course) == course / "specs" / "rooks.yaml"
    assert find_named("../specs/rooks.yaml", Path()) == Path("../specs/rooks.yaml")
    with pytest.raises(UsageError, match=r'no such spec: "rocks" .*; did you mean "rooks"'):
        find_named("rocks", Path())


@pytest.mark.parametrize("name", ["pawns", "x" * 5000, "\0", "rook"])
def test_a_name_that_is_no_spec(name: str, course: Path) -> None:
    with pytest.raises(
        UsageError,
        match=r"no such spec: .* is neither a file nor an id; (did you mean|there are: kings, queens, rooks)",
    ):
        find_spec(name, course / "alice", course)


def test_the_configured_spec(course: Path) -> None:
    submission = _submission(course / "queens" / "alice", "Queens.java", "Makefile")
    _write(course / "grader.yaml", "spec: rooks\n")
    assert find_spec(None, submission, course / "queens") == course / "specs" / "rooks.yaml"
    _write(course / "queens" / "grader.yaml", "spec: ../specs/kings.yaml\n")
    found = find_spec(None, submission, course / "queens")
    assert found.resolve() == course / "specs" / "kings.yaml"


def test_a_configuration_with_mistakes(course: Path) -> None:
    _write(course / "grader.yaml", "spec: pawns\n")
    with pytest.raises(UsageError, match=r'no such spec: "pawns", which .*/grader\.yaml names, is neither'):
        find_spec(None, course / "alice", course)
    _write(course / "grader.yaml", "spek: rooks\n")
    with pytest.raises(SpecError, match=r'grader\.yaml:1:1: spek: unknown key; did you mean "spec"\?'):
        find_spec(None, course / "alice", course)


def test_the_folder_above_is_named_like_the_spec(course: Path, tmp_path: Path) -> None:
    submission = _submission(course / "handed-in" / "rooks" / "alice", "Queens.java", "Makefile")
    assert find_spec(None, submission, tmp_path) == course / "specs" / "rooks.yaml"


def test_the_folder_above_a_submission_that_is_the_working_folder(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_submission(course / "handed-in" / "rooks" / "alice"))
    assert find_spec(None, Path(), Path()) == course / "specs" / "rooks.yaml"


@pytest.mark.parametrize(
    ("names", "spec"),
    [
        (["Queens.java", "Makefile", "x"], "queens"),
        (["hw/Queens.java", "hw/Makefile", "__MACOSX/x", ".DS_Store"], "queens"),
        (["Rooks2.py"], "rooks"),
        (["src/kings.c", "README"], "kings"),
    ],
)
def test_the_required_files_tell_the_spec(names: list[str], spec: str, course: Path) -> None:
    submission = _submission(course / "handed-in" / "alice", *names)
    assert find_spec(None, submission, course) == course / "specs" / f"{spec}.yaml"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "no spec; choose with --spec: kings, queens, rooks"),
        (["Queens.java"], "no spec; choose with --spec: kings, queens, rooks"),
        (["Rook.py", "Queens.java", "Makefile"], "several specs; choose with --spec: queens, rooks"),
    ],
)
def test_in_doubt_the_candidates_are_told(names: list[str], message: str, course: Path) -> None:
    submission = _submission(course / "handed-in" / "alice", *names)
    with pytest.raises(UsageError) as raised:
        find_spec(None, submission, course)
    assert str(raised.value) == f'which spec is meant for "alice"? It has the required files of {message}'


@pytest.mark.parametrize("kind", ["archive", "link to itself", "nothing"])
def test_what_is_no_folder_has_no_required_files(kind: str, course: Path) -> None:
    submission = course / "alice"
    if kind == "archive":
        _write(submission)
    elif kind == "link to itself":
        submission.symlink_to(submission)
    with pytest.raises(UsageError, match="the required files of no spec"):
        find_spec(None, submission, course)


@pytest.mark.parametrize("spec", ["files: [\n", "files: {required: [[Pawn.java]]}\n"])
def test_a_spec_with_mistakes_may_be_the_one_that_is_meant(spec: str, course: Path) -> None:
    submission = _submission(course / "alice", "Rook.py")
    _write(course / "specs" / "pawns.yaml", spec)
    with pytest.raises(UsageError, match="several specs; choose with --spec: pawns, rooks"):
        find_spec(None, submission, course)


def test_nothing_that_a_student_hands_in_is_taken_for_a_spec(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = _submission(course / "handed-in" / "rooks" / "alice", "work/x")
    _write(submission / "grader.yaml", "spec: easy.yaml\n")
    _write(submission / "easy.yaml", SPEC)
    _write(submission / "specs" / "rooks.yaml", SPEC)
    (course / "link").symlink_to(submission)
    for folder in (submission, submission / "work", course / "link"):
        monkeypatch.chdir(folder)
        assert find_spec(None, submission, Path()) == course / "specs" / "rooks.yaml"
        assert find_spec("rooks", submission, Path()) == course / "specs" / "rooks.yaml"


def test_no_specs_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no specs/ folder in or above .*: name the spec's file with --spec"):
        find_spec(None, _submission(tmp_path / "alice"), tmp_path)


def test_a_hostile_name_of_a_submission_is_shown_escaped(course: Path) -> None:
    submission = _submission(course / os.fsdecode(b"al\nice\xff"))
    with pytest.raises(UsageError) as raised:
        find_spec(None, submission, course)
    assert r'"al\nice\udcff"' in str(raised.value)
