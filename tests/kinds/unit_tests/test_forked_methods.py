"""Methods of unit tests are forked from one process: what one of them does is nothing to the others.

These are some of the class of attackers that `make attacks` runs whole, `tests/attacks/forked/`.
"""

import shutil

import pytest

from tests.support.attack_room import an_attack_room
from tests.support.attackers import HARM, grade_class, promise_of, shown
from tests.support.rows import read_data

FEW = read_data(__file__)["FEW"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_method_takes_nothing_from_its_neighbours_and_gives_them_nothing() -> None:
    with an_attack_room(["forked"]) as room:
        folder = room.folder / "course" / "forked"
        for one in folder.iterdir():
            if one.name not in FEW:
                shutil.rmtree(one)
        wanted = {one.name: promise_of(one) for one in folder.iterdir()}
        got = shown(grade_class(room, "forked", "full").out)
    assert got.keys() == {*FEW}
    for name, (score, verdicts, text) in got.items():
        assert score in wanted[name].points, (name, score)
        assert {*verdicts} <= {*wanted[name].verdicts}, (name, verdicts)
        assert not HARM.search(text), name
