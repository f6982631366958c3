import contextlib
import os
from pathlib import Path

import pytest

from grader.core.cache import content_digest
from grader.core.errors import SpecError, UsageError
from grader.core.reader.locate import find_spec
from tests.support.packages import lay
from tests.support.rows import each_row

SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests: [{name: t, expect: {exit: 0}}]\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = tmp_path / "course"
    for name, required in (("queens", "Queens.java, Makefile"), ("rooks", "'Rook*.py'"), ("kings", "src/kings.c")):
        _write(root / "specs" / f"{name}.yaml", SPEC + f"files: {{required: [{required}]}}\n")
    return root


def _write(path: Path, text: str = "") -> Path:
    return lay(path.parent, {path.name: text}) / path.name


def _submission(folder: Path, *names: str) -> Path:
    return lay(folder, dict.fromkeys(names, ""))


def test_a_path_is_taken_as_it_is_given(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    assert find_spec("specs/rooks.yaml", [Path("alice")], course) == Path("specs/rooks.yaml")


@pytest.mark.parametrize("start", [".", "work", "work/deep"])
def test_an_id_is_looked_up_above_the_working_folder(start: str, course: Path) -> None:
    _submission(course / "work" / "deep")
    assert find_spec("rooks", [course.parent / "alice"], course / start) == course / "specs" / "rooks.yaml"


def test_the_nearest_specs_come_first(course: Path) -> None:
    inner = _write(course / "inner" / "specs" / "rooks.yaml", SPEC)
    _write(course / "grader.yaml", "courses: [inner]\n")
    assert find_spec("rooks", [course / "inner" / "handed-in" / "alice"], course / "inner") == inner


def test_without_a_submission_the_working_folder_counts(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_submission(course / "work"))
    assert find_spec("rooks", (), Path()) == course / "specs" / "rooks.yaml"
    assert find_spec("rooks", (), course) == course / "specs" / "rooks.yaml"
    Path("rooks").mkdir()  # a class often lies in a folder that is named for its spec
    assert find_spec("rooks", (), Path()) == course / "specs" / "rooks.yaml"
    assert find_spec("../specs/rooks.yaml", (), Path()) == Path("../specs/rooks.yaml")
    with pytest.raises(UsageError, match=r'no such spec: "rocks" .*; did you mean "rooks"'):
        find_spec("rocks", (), Path())


@pytest.mark.parametrize("name", ["pawns", "x" * 5000, "\0", "rook"])
def test_a_name_that_is_no_spec(name: str, course: Path) -> None:
    with pytest.raises(
        UsageError,
        match=r"no such spec: .* is neither a file nor an id; (did you mean|there are: kings, queens, rooks)",
    ):
        find_spec(name, [course / "handed-in" / "alice"], course)


def test_the_configured_spec(course: Path) -> None:
    submission = _submission(course / "queens" / "handed-in" / "alice", "Queens.java", "Makefile")
    _write(course / "grader.yaml", "spec: rooks\n")
    assert find_spec(None, [submission], course / "queens") == course / "specs" / "rooks.yaml"
    _write(course / "queens" / "grader.yaml", "spec: ../specs/kings.yaml\n")
    with pytest.raises(UsageError, match="a student may have written them"):
        find_spec(None, [submission], course / "queens")
    _write(course / "grader.yaml", "spec: rooks\ncourses: [queens]\n")
    found = find_spec(None, [submission], course / "queens")
    assert found.resolve() == course / "specs" / "kings.yaml"


def test_a_configuration_is_parsed_again_when_it_has_changed_and_no_sooner(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_in, configuration = [course / "handed-in" / "alice"], _write(course / "grader.yaml", "spec: rooks\n")
    assert find_spec(None, handed_in, course) == course / "specs" / "rooks.yaml"
    configuration.write_text("spec: kings\n")
    assert find_spec(None, handed_in, course) == course / "specs" / "kings.yaml"
    monkeypatch.delattr("grader.core.reader.files.read_configuration")
    assert find_spec(None, handed_in, course) == course / "specs" / "kings.yaml"


def test_a_configuration_saved_while_it_is_read_stays_as_it_was(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed_in, configuration = [course / "handed-in" / "alice"], _write(course / "grader.yaml", "spec: rooks\n")

    def digest_and_save(content: bytes) -> str:
        configuration.write_text("spec: kings\n")
        return content_digest(content)

    with monkeypatch.context() as patched:
        patched.setattr("grader.core.reader.spec_cache.content_digest", digest_and_save)
        find_spec(None, handed_in, course)
    configuration.write_text("spec: rooks\n")
    assert find_spec(None, handed_in, course) == course / "specs" / "rooks.yaml"


def test_a_configuration_with_mistakes(course: Path) -> None:
    _write(course / "grader.yaml", "spec: pawns\n")
    with pytest.raises(UsageError, match=r'no such spec: "pawns", which .*/grader\.yaml names, is neither'):
        find_spec(None, [course / "handed-in" / "alice"], course)
    _write(course / "grader.yaml", "spek: rooks\n")
    with pytest.raises(SpecError, match=r'grader\.yaml:1:1: spek: unknown key; did you mean "spec"\?'):
        find_spec(None, [course / "handed-in" / "alice"], course)


def test_the_folder_above_is_named_like_the_spec(course: Path) -> None:
    submission = _submission(course / "handed-in" / "rooks" / "alice", "Queens.java", "Makefile")
    assert find_spec(None, [submission], course) == course / "specs" / "rooks.yaml"


@each_row
def test_the_required_files_tell_the_spec(names: list[str], spec: str, course: Path) -> None:
    submission = _submission(course / "handed-in" / "alice", *names)
    assert find_spec(None, [submission], course) == course / "specs" / f"{spec}.yaml"


@each_row
def test_in_doubt_the_candidates_are_told(names: list[str], message: str, course: Path) -> None:
    submission = _submission(course / "handed-in" / "alice", *names)
    with pytest.raises(UsageError) as raised:
        find_spec(None, [submission], course)
    assert str(raised.value) == f'which spec is meant for "alice"? It has the required files of {message}'


@pytest.mark.parametrize("kind", ["archive", "link to itself", "nothing"])
def test_what_is_no_folder_has_no_required_files(kind: str, course: Path) -> None:
    submission = course / "handed-in" / "alice"
    submission.parent.mkdir()
    if kind == "archive":
        _write(submission)
    elif kind == "link to itself":
        submission.symlink_to(submission)
    with pytest.raises(UsageError, match="Only the files of a folder show it; choose with --spec: kings, queens"):
        find_spec(None, [submission], course)


@pytest.mark.parametrize("spec", ["files: [\n", "files: {required: [[Pawn.java]]}\n"])
def test_a_spec_with_mistakes_may_be_the_one_that_is_meant(spec: str, course: Path) -> None:
    submission = _submission(course / "handed-in" / "alice", "Rook.py")
    _write(course / "specs" / "pawns.yaml", spec)
    with pytest.raises(UsageError, match="several specs; choose with --spec: pawns, rooks"):
        find_spec(None, [submission], course)


def _hostile_course(tmp_path: Path) -> Path:
    """A course of which two students have handed in specs of their own, wherever one could be looked for."""
    _write(tmp_path / "course" / "specs" / "pa2.yaml", SPEC)
    mallory = _submission(tmp_path / "course" / "repos" / "mallory" / "pa2", "work/x")
    for folder in (mallory, mallory.parent, mallory.parent.parent):
        lay(folder / "specs", dict.fromkeys(("pa2.yaml", "mallory.yaml", "repos.yaml"), SPEC))
        _write(folder / "grader.yaml", "spec: specs/pa2.yaml\n")
        _write(folder / "pa2", SPEC) if not (folder / "pa2").exists() else None
    (tmp_path / "course" / "link").symlink_to(mallory)
    return tmp_path / "course"


@pytest.mark.parametrize("named", [None, "pa2", "mallory", "pa2.yaml"])
@each_row
def test_where_things_were_handed_in_no_spec_is_looked_for(
    folder: str, submission: str, among: str | None, *, named: str | None, tmp_path: Path
) -> None:
    course = _hostile_course(tmp_path)
    start = course / folder
    with (
        contextlib.chdir(start),
        pytest.raises(UsageError, match=r"lies in or right above what was .*--spec") as raised,
    ):
        find_spec(named, [course / submission], start, among=course / among if among else None)
    if named == "pa2":
        right = os.path.relpath(course / "specs" / "pa2.yaml", start)
        assert str(raised.value).endswith(f"--spec, such as {right}")


@pytest.mark.parametrize(("submission", "among"), [("repos/mallory/pa2", None), ("repos/mallory", "repos")])
def test_from_outside_the_course_s_own_spec_is_taken(
    submission: str, among: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = _hostile_course(tmp_path)
    monkeypatch.chdir(course)
    for named in (None, "pa2"):
        found = find_spec(named, [Path(submission)], course, among=Path(among) if among else None)
        assert found == course / "specs" / "pa2.yaml"


@pytest.mark.parametrize("named", ["repos/mallory/pa2/specs/pa2.yaml", "link/specs/pa2.yaml"])
def test_a_path_into_what_was_handed_in_is_refused(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = _hostile_course(tmp_path)
    monkeypatch.chdir(course)
    with pytest.raises(UsageError, match="lies in what was handed in"):
        find_spec(named, [Path("repos/mallory/pa2")], course)
    (course / "grader.yaml").write_text(f"spec: {named}\n")
    with pytest.raises(UsageError, match="lies in what was handed in"):
        find_spec(None, [Path("repos/mallory/pa2")], course)


def test_no_specs_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no specs/\*\.yaml in or above .*: name the spec's file with --spec"):
        find_spec(None, [_submission(tmp_path / "work" / "alice")], tmp_path)


def test_a_hostile_name_of_a_submission_is_shown_escaped(course: Path) -> None:
    submission = _submission(course / "handed-in" / os.fsdecode(b"al\nice\xff"))
    with pytest.raises(UsageError) as raised:
        find_spec(None, [submission], course)
    assert r'"al\nice\udcff"' in str(raised.value)
