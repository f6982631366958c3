"""What all importers have in common."""

from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.imports.registry import IMPORTERS


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_path_that_is_not_there_is_told_with_what_to_name(name: str, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(UsageError) as raised:
        IMPORTERS[name](missing, None)
    told = str(raised.value)
    assert told.startswith(f"{missing}")
    assert any(why in told for why in ("does not exist", "No such file"))
    assert "; name " in told


@pytest.mark.parametrize("name", ["check50", "submitty", "exercism", "prairielearn"])
def test_a_file_is_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is no folder; name the folder of the assignment"):
        IMPORTERS[name](tmp_path / "file", None)
