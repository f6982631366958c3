"""What all importers have in common."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.registry import IMPORTERS, find_importer
from tests.support.notebooks import otter_assignment
from tests.support.other_graders import CHECK50, EXERCISM_JAVA, EXERCISM_PYTHON, PRAIRIELEARN, SUBMITTY
from tests.support.packages import GRADESCOPE, PAIRS, SCORED, classroom_repository, io_tests, lay

VPL = "Case = a\nGrade reduction = 4\nOutput = 1\nCase = b\nOutput = 2\nExpected exit code = 1\n"
SAMPLES: Mapping[str, Sequence[Callable[[Path], Path]]] = {
    "kattis": [lambda path: lay(path, PAIRS), lambda path: lay(path, SCORED)],
    "io-tests": [io_tests],
    "check50": [lambda path: lay(path, CHECK50)],
    "submitty": [lambda path: lay(path, SUBMITTY)],
    "exercism": [lambda path: lay(path, EXERCISM_PYTHON), lambda path: lay(path, EXERCISM_JAVA)],
    "prairielearn": [lambda path: lay(path, PRAIRIELEARN)],
    "github-classroom": [classroom_repository],
    "gradescope": [lambda path: lay(path, GRADESCOPE)],
    "otter": [lambda path: lay(path, otter_assignment()) / "hw"],
    "vpl": [lambda path: lay(path, {"vpl_evaluate.cases": VPL})],
}


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_path_that_is_not_there_is_told_with_what_to_name(name: str, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(UsageError) as raised:
        find_importer(name)(missing, None)
    told = str(raised.value)
    assert told.startswith(f"{missing}")
    assert any(why in told for why in ("does not exist", "No such file"))
    assert "; name " in told


@pytest.mark.parametrize("name", ["check50", "submitty", "exercism", "prairielearn"])
def test_a_file_is_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is no folder; name the folder of the assignment"):
        find_importer(name)(tmp_path / "file", None)


@pytest.mark.parametrize("name", IMPORTERS)
def test_points_here_and_declared_losses_make_the_points_there(name: str, tmp_path: Path) -> None:
    for number, sample in enumerate(SAMPLES[name]):
        imported = find_importer(name)(sample(tmp_path / f"sample-{number}"), None)
        spec = load(write_assignment(imported, tmp_path / f"course-{number}").spec)
        if imported.points is not None:  # Exercism has no points
            assert abs(spec.max_score + imported.lost - Fraction(imported.points)) < Fraction(1, 1000)
