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
from tests.support.rows import Loader, read_data

pytestmark = pytest.mark.usefixtures("shared_cache")
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
    assert interactor
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
REFUSED = [
    ({**data(two="10 1", one="2 2"), "domjudge-problem.ini": ""}, "secret: is accept_score of each input, as for"),
    ({"submissions/accepted/a.py": "# @EXPECTED_SCORE@: 70\n"}, "has 70 points there, and none has so many of 50"),
    ({"submissions/accepted/a.py": "# @EXPECTED_SCORE@: 25\n"}, "has 25 points there, and none has so many of 50"),
    ({"data/secret/testdata.yaml": "grading: custom\n"}, "programs give its points, and nothing says how many"),
    ({"data/secret/testdata.yaml": "grading: best\n"}, "grading: best, and what is in graders/ is no single program"),
    ({"data/secret/testdata.yaml": "prize: 7\n"}, "'prize' in the settings"),
    ({"data/secret/testdata.yaml": "max_score: 7\n"}, "'max_score' in the settings"),
    ({"data/secret/testdata.yaml": f"{LENIENT}accept_score: 0\n"}, "its tests have 0 points in all"),
    ({"data/secret/deep/1.in": "1 1", "data/secret/deep/1.ans": "2"}, "secret has inputs as well as groups"),
    ({"problem.yaml": "name: x\ntype: scoring\ngrading: {objective: min}\n"}, "the fewest points"),
    ({"problem.yaml": "name: x\n", "data/testdata.yaml": LENIENT}, "although inputs fail"),
    ({"data/secret/testdata.yaml": f"{LENIENT}reject_score: 3\n"}, "an input that fails has points"),
    ({**NEWER, "data/secret/testdata.yaml": "static_validation_score: 3\n"}, "a static validator judges the source"),
    ({**NEWER, "data/secret/testdata.yaml": "max_score: unbounded\n"}, "secret says no highest score"),
    ({**NEWER, "data/secret/testdata.yaml": "score_aggregation: max\n"}, "adds up by 'max', which is not known"),
    ({**NEWER, "data/secret/testdata.yaml": "require_pass: secret/x\n"}, "secret requires secret/x, which is no test"),
    ({**NEWER, "data/secret/testdata.yaml": "accept_score: 3\n"}, "'accept_score' in the settings"),
    ({**NEWER, "data/secret/testdata.yaml": "scoring: {score: 3}\n"}, "'scoring' in the settings"),
    ({**NEWER, **data(g__a="1 1"), "data/secret/g/test_group.yaml": "max_score: 7\n"}, "has inputs as well as groups"),
    (
        {**NEWER, "output_validator/v.py": "open('score_multiplier.txt')\n"},
        "gives points .score_multiplier.txt., which",
    ),
    ({**DEEP, "data/secret/g/deep/test_group.yaml": "max_score: 7\n"}, "secret/g/deep is a group in a group"),
    ({**DEEP, "data/secret/test_group.yaml": "score_aggregation: min\n"}, "has the least of its groups' points"),
    ({**DEEP, "data/secret/test_group.yaml": "max_score: 60\n"}, "more than the 60 points of secret"),
    (
        {**LEGACY, "output_validators/v.py": "open('score.txt')\n"}
        | {"problem.yaml": "name: x\ntype: scoring\nvalidation: custom score\n"},
        "programs give its points, and nothing says how many|its validator writes points",
    ),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_points_that_no_tests_can_have_are_refused(tmp_path: Path, changes: Mapping[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {name: text for name, text in {**GROUP, **changes}.items() if text is not None})
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
