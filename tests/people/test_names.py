import pytest
from msgspec.structs import asdict

from grader.people.names import bare_name, name_forms, plain_name, read_name, without_copy
from grader.people.people import RosterIndex
from grader.people.uploads import read_download
from tests.support.rows import each_row, from_data, read_data

NAMES = from_data(read_data(__file__)["NAMES"], dict[str, dict[str, str | int | bool]])
"""a name of a file -> what it tells"""


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_what_a_name_tells(name: str) -> None:
    wanted = NAMES[name]
    named = asdict(read_name(name))
    assert {key: named[key] for key in wanted} == wanted


def test_every_pattern_is_used() -> None:
    fitting = {
        next((i for i, (_, whole, _) in enumerate(name_forms()) if whole.fullmatch(name)), None) for name in NAMES
    }
    assert fitting == {None, *range(len(name_forms()))}


def test_canvas_numbers_a_file_once() -> None:
    people = [f"doecarol_7_{part}_x.zip" for part in range(4)]
    _, read = read_download(["hw_10_2020_alice.zip", "hw_10_2020_bob.zip", *people], "", RosterIndex())
    assert [named.who for named in read] == ["hw_10_2020_alice", "hw_10_2020_bob", *4 * ["doecarol"]]


@each_row
def test_a_name_loses_its_ending(name: str, bare: str) -> None:
    assert bare_name(name) == bare


def test_a_folder_has_no_ending() -> None:
    assert plain_name("alice.zip", is_folder=True).who == "alice.zip"


@each_row
def test_a_name_before_canvas_numbered_it(name: str, before: str) -> None:
    assert without_copy(name) == before
