"""Packages of our own making in `cases/kattis-*`, one for each feature: what is imported agrees with their labels.

`package.yaml` has the points of each test, the samples that are `agreed` on, by the language of their spec, and a part
of each note that matters.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from grader.check.samples import read_samples, sample_differences
from grader.core.errors import UsageError
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.kattis import import_kattis
from tests.support.packages import SUM, lay
from tests.support.payloads import interactor_in
from tests.support.rows import Loader, each_row, read_data

CASES = sorted((Path(__file__).parent / "cases").glob("kattis-*/package.yaml"))


def data(**inputs: str) -> dict[str, str]:
    """Inputs for a sum, by their names below secret/ with `__` for `/`."""
    files: dict[str, str] = {}
    for name, numbers in inputs.items():
        path = f"data/secret/{name.replace('__', '/')}"
        files |= {f"{path}.in": f"{numbers}\n", f"{path}.ans": f"{sum(map(int, numbers.split()))}\n"}
    return files


def given(name: str) -> dict[str, str]:
    folder = Path(__file__).parent / f"cases/kattis-{name}/given"
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def imported(folder: Path, files: Mapping[str, str]) -> Written:
    return write_assignment(import_kattis(lay(folder / "sums", files)), folder / "course")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_what_is_imported_agrees_with_the_labels(tmp_path: Path, case: Path) -> None:
    told = yaml.load(case.read_text(), Loader)  # noqa: S506
    assert told.keys() <= {"tests", "agreed", "notes"}
    written = imported(tmp_path, given(case.parent.name.removeprefix("kattis-")))
    assert {test.name: test.points for test in load(written.spec).tests} == told["tests"]
    notes = "\n".join(written.notes)
    assert [one for one in told.get("notes", []) if one not in notes] == []
    agreed = []
    for path in written.spec.parent.glob("*.yaml"):
        course = prepare(path)
        for sample in read_samples(course.spec):
            report = grade(Job(spec=path, submission=sample.submission), course)
            assert sample_differences(report, sample) == (), (path.stem, sample.submission.id)
            agreed.append(f"{course.spec.language}: {sample.submission.id}")
    assert sorted(agreed) == told["agreed"]


def test_limits_are_those_of_the_format(tmp_path: Path) -> None:
    case = load(imported(tmp_path, {**given("labels"), "problem.yaml": "name: Sums\n"}).spec).tests[0].cases[0]
    assert case.limits == {"cpu": 1, "time": 7, "memory": 2048 * 2**20}


def test_arguments_and_passes_are_those_of_the_package(tmp_path: Path) -> None:
    spec = load(imported(tmp_path / "a", given("given-inputs")).spec)
    assert [case.args for case in spec.tests[1].cases] == [(), ("40 1", "2")]
    interactor = interactor_in(load(imported(tmp_path / "b", given("passes")).spec).tests[0].cases[0])
    assert (interactor.passes, dict(interactor.limits)) == (3, {})


def test_a_program_of_the_judges_own_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"special_run in domjudge-problem\.ini names a program of the"):
        imported(tmp_path, {**given("given-inputs"), "domjudge-problem.ini": "special_run='talk'\n"})


DATA = read_data(__file__)
PLAIN = DATA["PLAIN"]
LENIENT = "on_reject: continue\ngrader_flags: accept_if_any_accepted\n"
LEGACY = {"problem.yaml": "name: x\ntype: scoring\nproblem_format_version: legacy\n"}
NEWER = DATA["NEWER"]
DEEP = {
    **NEWER,
    **dict.fromkeys(data(one="1 1", two="10 1")),
    **data(g__deep__a="1 1"),
    "data/secret/g/test_group.yaml": "max_score: 70\n",
}
GROUP = {
    **PLAIN,
    "problem.yaml": "name: Sums\ntype: scoring\n",
    "data/testdata.yaml": "grader_flags: ignore_sample\n",
    **data(one="1 1", two="10 1"),
    "data/secret/testdata.yaml": f"{LENIENT}accept_score: 25\n",
}
BASES = {"": {}, "NEWER": NEWER, "DEEP": DEEP, "LEGACY": LEGACY}


@each_row
def test_points_that_no_tests_can_have_are_refused(
    tmp_path: Path, base: str, changes: Mapping[str, str | None], message: str
) -> None:
    files = {**GROUP, **BASES[base], **changes}
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {name: text for name, text in files.items() if text is not None})
    assert not (tmp_path / "course").exists()


def test_links_inside_the_package_are_what_they_lead_to(tmp_path: Path) -> None:
    files = {**PLAIN, **data(a="1 1"), "submissions/accepted/a.py": SUM, "x/b.in": "2 2\n", "x/b.ans": "4\n"}
    folder = lay(tmp_path / "sums", files)
    (folder / "data/secret/b.in").symlink_to("../../x/b.in")
    (folder / "data/secret/b.ans").symlink_to("../../x/b.ans")
    (folder / "submissions/rejected").symlink_to("accepted")
    (folder / "x/round").symlink_to("..")
    written = imported(tmp_path, {})
    assert [case.stdin for case in load(written.spec).tests[1].cases] == [b"1 1\n", b"2 2\n"]
    assert any("are left out: x/round" in note for note in written.notes)
