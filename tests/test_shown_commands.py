"""The runner of shown commands: it sees what a page has, and it sees when that is not true."""

from pathlib import Path

import pytest

from tests.support.rows import each_row, read_data
from tests.support.shown_commands import Command, NewFile, fits, read, run

DATA = read_data(__file__)
PAGE = DATA["PAGE"]


def outcome(page: str, folder: Path) -> list[str]:
    (scene,) = read(page).scenes
    return run(scene, folder, folder / "cache", lambda course: (course / "greeting").write_text("hello there\n"))


def test_a_page_is_read_in_its_order() -> None:
    page = read(PAGE)
    assert page.not_run == ["an editor"]
    assert [scene.name for scene in page.scenes] == ["an empty folder"]
    assert page.scenes[0].steps == [
        Command(line=3, text="cat greeting", shown="hello..."),
        Command(line=3, text="mkdir -p a/b && cd a \\\n&& exit_with() { return 3; }; exit_with", code=3),
        NewFile(line=12, name="c.txt", content="one\n  two\n"),
        Command(line=22, text="test -f c.txt && test -d b"),
    ]


def test_a_line_of_output_may_look_like_a_command() -> None:
    page = read("<!-- in: x -->\n<!-- commands: 1 -->\n```console\n$ echo '$ ls'\n$ ls\n```\n")
    assert page.scenes[0].steps == [Command(line=3, text="echo '$ ls'", shown="$ ls")]


TALK = DATA["TALK"]


def test_a_command_is_ended_when_it_has_answered(tmp_path: Path) -> None:
    comments = "<!-- in: x -->\n<!-- meanwhile: touch saved -->\n<!-- exit: 7 -->\n"
    (scene,) = read(f"{comments}```console\n$ bash talk.sh\none, Ctrl-C\ntwo, Ctrl-C\n```\n").scenes
    assert run(scene, tmp_path, tmp_path / "cache", lambda folder: (folder / "talk.sh").write_text(TALK)) == []


def test_steps_of_a_workflow_are_run_and_builds_of_specs_are_not() -> None:
    page = read("<!-- in: x -->\n```yaml\nbuild:\n  run: make\n- run: grader lint a.yaml\n```\n")
    assert page.scenes[0].steps == [Command(line=2, text="grader lint a.yaml")]


@each_row
def test_a_page_with_mistakes_is_refused(page: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(page)


def test_a_true_page_holds(tmp_path: Path) -> None:
    assert outcome(PAGE, tmp_path) == []


@each_row
def test_what_is_not_true_is_told(tmp_path: Path, true: str, wrong: str, told: str) -> None:
    assert true in PAGE
    (message,) = outcome(PAGE.replace(true, wrong), tmp_path)
    assert told in message


@each_row
def test_outputs_fit_what_is_shown(said: str, shown: str, is_right: bool) -> None:  # noqa: FBT001 - a table
    assert fits(said, shown) is is_right
