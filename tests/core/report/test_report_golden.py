"""What the reporters make of one report, as kept in `tests/golden/`; GRADER_GOLDEN=write keeps it anew."""

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grader.core.report.formats import FORMATS, Rendering
from grader.core.report.json import to_report
from grader.core.report.terminal import to_renderable
from tests.support.report_samples import full_report

GOLDEN = Path(__file__).parents[2] / "golden"


def rendered(name: str) -> bytes:
    if name in FORMATS:
        return FORMATS[name](Rendering(to_report(full_report())))
    file = StringIO()
    width = int(name.removeprefix("terminal-").removesuffix(".txt"))
    Console(file=file, width=width, color_system=None).print(to_renderable(to_report(full_report())))
    return file.getvalue().encode()


@pytest.mark.parametrize("name", [*FORMATS, "terminal-80.txt", "terminal-40.txt"])
def test_a_report_looks_as_it_is_kept(name: str) -> None:
    if os.environ.get("GRADER_GOLDEN") == "write":
        (GOLDEN / name).write_bytes(rendered(name))
    assert rendered(name).decode() == (GOLDEN / name).read_text(encoding="utf-8")
