"""What the reporters make of one report, as kept in `tests/golden/`; GRADER_GOLDEN=write keeps it anew."""

import os
from pathlib import Path

import pytest

from grader.core.report.document import Rendering
from grader.core.report.formats import FORMATS
from grader.core.report.json import to_report
from tests.support.report_samples import full_report, on_screen

GOLDEN = Path(__file__).parents[2] / "golden"


def rendered(name: str) -> bytes:
    if name in FORMATS:
        return FORMATS[name](Rendering(to_report(full_report())))
    return on_screen(full_report(), int(name.removeprefix("terminal-").removesuffix(".txt"))).encode()


@pytest.mark.parametrize("name", [*FORMATS, "terminal-80.txt", "terminal-40.txt"])
def test_a_report_looks_as_it_is_kept(name: str) -> None:
    if os.environ.get("GRADER_GOLDEN") == "write":
        (GOLDEN / name).write_bytes(rendered(name))
    assert rendered(name).decode() == (GOLDEN / name).read_text(encoding="utf-8")
