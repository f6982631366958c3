"""Specs with one mistake each. The first line of each is what `grader lint` says of it, after the name of the file.

There `…` stands for any text, and `{folder}` for the course root. Where the second line is `# schema: no`, an editor
with the JSON Schema cannot see the mistake; everywhere else it has to.
"""

import re
from pathlib import Path

import pytest

from grader.check.runner import RULE_DESCRIPTIONS, asking, examine
from tests.support.editors import complaints

FOLDER = Path(__file__).parent / "wrong"
WRONG = sorted(FOLDER.glob("*.yaml"))
UNSEEN = "# schema: no"
COMPILED = {"344-unit-test-that-lacks-an-archive"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in COMPILED else []) for path in WRONG],
)
def test_it_gets_the_message_that_its_first_line_promises(path: Path) -> None:
    first, *lines = path.read_text().splitlines()
    promised = re.escape(first.removeprefix("# ")).replace(re.escape("{folder}"), re.escape(str(FOLDER)))
    has_reference = any(line.startswith("reference:") for line in lines)
    runs = has_reference or first.endswith(
        ("[course-function]", "[unsteady-draw]", "[unit-test-broken]", "[wrong-program]")
    )
    remarks = examine(path, asking("auto", 1) if runs else None).remarks
    (said,) = [str(remark).removeprefix(f"{path}:") for remark in remarks]
    assert re.fullmatch(promised.replace("…", ".*"), said), said


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_an_editor_sees_it_unless_it_is_beyond_a_schema(path: Path) -> None:
    text = path.read_text()
    told = list(complaints(text))
    assert (not told) == (text.splitlines()[1] == UNSEEN), told


def test_there_are_many_and_one_for_every_rule() -> None:
    assert len(WRONG) >= 100
    promised = {re.findall(r"\[([a-z-]+)\]$", path.read_text().splitlines()[0])[0] for path in WRONG}
    assert promised == {*RULE_DESCRIPTIONS}
