"""What no importer takes is refused with words, and nothing is written then."""

from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.imports import write_assignment
from grader.imports.registry import find_importer
from tests.support.packages import lay
from tests.support.rows import each_row


@each_row
def test_what_is_no_assignment_is_refused_with_words(
    importer: str, files: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        write_assignment(find_importer(importer)(lay(tmp_path / "given", files), None), tmp_path / "course")
    assert not (tmp_path / "course").exists()
