"""The runner of shown commands: it sees what a page has, and it sees when that is not true."""

from pathlib import Path

import pytest

from tests.support.rows import each_row, read_data
from tests.support.shown_commands import fits, read, run

DATA = read_data(__file__)
PAGE = DATA["PAGE"]


def outcome(page: str, folder: Path) -> list[str]:
    (scene,) = read(page).scenes
    return run(scene, folder, folder / "cache", lambda course: (course / "greeting").write_text("hello there\n"))


TALK = DATA["TALK"]


def test_a_command_is_ended_when_it_has_answered(tmp_path: Path) -> None:
    comments = "<!-- in: x -->\n<!-- meanwhile: touch saved -->\n<!-- exit: 7 -->\n"
    (scene,) = read(f"{comments}```console\n$ bash talk.sh\none, Ctrl-C\ntwo, Ctrl-C\n```\n").scenes
    assert run(scene, tmp_path, tmp_path / "cache", lambda folder: (folder / "talk.sh").write_text(TALK)) == []


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
