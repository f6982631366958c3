import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.check.samples import read_samples, sample_differences
from grader.core.errors import SpecError, UsageError
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.kattis import import_kattis
from grader.imports.kattis_package import KattisOptions
from tests.support.courses import grade_files
from tests.support.packages import NEWER, PAIRS, SCORED, lay
from tests.support.rows import each_row


def imported(folder: Path, files: Mapping[str, str | bytes], name: str | None = None) -> Written:
    return write_assignment(import_kattis(lay(folder / "Pair_Sums", files), name), folder / "course")


def test_what_could_not_be_carried_over_is_told_and_stands_in_the_spec(tmp_path: Path) -> None:
    files = {**PAIRS, "data/secret/odd.in": "", "data/secret/x.hint": "", "input_validators/v.py": ""}
    written = imported(tmp_path, files)
    told = "\n".join(written.notes)
    for word in ("odd.in", "statement", "hints", "input validators", "-cpp.yaml", "asleep.py", "Time limit"):
        assert word in told
    comment = " ".join(
        line.removeprefix("#").strip() for line in written.spec.read_text().split("\n\n")[0].splitlines()
    )
    for note in written.notes:
        assert note in comment


@pytest.mark.slow
def test_the_reference_and_the_samples_get_what_is_stated(tmp_path: Path) -> None:
    written = imported(tmp_path, {**PAIRS, "problem.yaml": "name: Sums\nlimits: {time_limit: 1}\n"})
    course = prepare(written.spec)
    assert course.spec.reference == ("python3", "reference/pair-sums/main.py")
    samples = {sample.submission.id: sample for sample in read_samples(course.spec)}
    assert sorted(samples) == [
        "accepted-ann",
        "rejected-who-knows",
        "run-time-error-small",
        "time-limit-exceeded-asleep",
        "wrong-answer-three",
    ]
    for name in ("accepted-ann", "wrong-answer-three"):
        report = grade(Job(spec=written.spec, submission=samples[name].submission), course)
        assert sample_differences(report, samples[name]) == ()
    assert samples["run-time-error-small"].score == "0"


def test_groups_of_a_scoring_problem_have_their_points(tmp_path: Path) -> None:
    written = imported(tmp_path, SCORED)
    spec = load(written.spec)
    assert spec.title == "Sums"
    assert [(t.name, int(t.points), t.all_or_nothing, len(t.cases), str(t.visibility)) for t in spec.tests] == [
        ("sample", 0, True, 1, "visible"),
        ("secret", 100, False, 4, "hidden"),
    ]
    assert [(one.submission.id, one.score) for one in read_samples(spec)] == [
        ("accepted-ann", "100"),
        ("partially-accepted-pat", "partial"),
        ("wrong-answer-none", "0"),
    ]


def test_groups_of_the_newer_form_say_their_points_and_what_they_require(tmp_path: Path) -> None:
    alone = {name: text for name, text in NEWER.items() if not name.startswith("data/secret/")}
    alone |= {f"data/secret/{one}/a.{kind}": "" for one in ("one", "two") for kind in ("in", "ans")}
    with pytest.raises(UsageError, match="secret/one says no highest score"):
        imported(tmp_path, alone, "greeting")
    alone["data/secret/test_group.yaml"] = "score_aggregation: pass-fail\n"
    alone["data/secret/two/test_group.yaml"] = "require_pass: [sample, secret/one]\n"
    spec = load(imported(tmp_path, alone, "greeting").spec)
    assert [(int(t.points), t.needs, len(t.cases)) for t in spec.tests] == [(0, (), 1), (100, ("sample",), 2)]


@each_row
def test_tolerances_are_those_of_the_default_validator(
    tmp_path: Path, flags: str, printed: str, *, passes: bool
) -> None:
    files = {**PAIRS, "problem.yaml": f"name: Sums\nvalidator_flags: {flags}\n"}
    written = imported(tmp_path, files)
    program = {"main.py": f"input()\nprint({printed})\n"}
    report = grade_files(written.spec, tmp_path / "alice", program, only=["sample"])
    assert (report.tests[0].verdict == Verdict.PASSED) is passes


def test_long_answers_and_such_that_are_no_text_are_files(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {**PAIRS, "data/sample/1.ans": "3 " * 2000, "data/secret/big.ans": b"\xff\n"}
    spec = load(imported(tmp_path, files).spec)
    hows = [case.expect.stdout.leaves[0].how for test in spec.tests for case in test.cases if case.expect.stdout]
    assert hows == ["check", "check", "tokens"]
    assert spec.attached["data/pair-sums/secret/big.ans"] == b"\xff\n"


def test_a_validator_of_its_own_leaves_the_cases_ungraded(tmp_path: Path) -> None:
    files = {**PAIRS, "problem.yaml": "name: Sums\nvalidation: custom\n", "output_validators/v.hs": ""}
    written = imported(tmp_path, files)
    assert any("To be written, in data/pair-sums/to_do.py: todo_output_validator" in note for note in written.notes)
    program = {"main.py": PAIRS["submissions/accepted/ann.py"]}
    report = grade_files(written.spec, tmp_path / "alice", program, only=["sample"])
    assert report.verdict == Verdict.UNGRADED
    assert "still to be written" in report.tests[0].cases[0].message


@each_row
def test_the_language_is_one_with_an_accepted_program(
    tmp_path: Path, accepted: Mapping[str, str], language: str, build: str
) -> None:
    data = {name: text for name, text in PAIRS.items() if not name.startswith("submissions/")}
    files = {**data, **{f"submissions/accepted/{name}": text for name, text in accepted.items()}}
    spec = load(imported(tmp_path, files).spec)
    assert (spec.language, spec.reference) == (language, None)
    assert (spec.build.run[0][0] if spec.build else "") == build


@each_row
def test_an_accepted_program_is_accepted_however_its_files_lie(tmp_path: Path, files: Mapping[str, str]) -> None:
    data = {name: text for name, text in PAIRS.items() if not name.startswith("submissions/")}
    written = imported(tmp_path, {**data, **{f"submissions/accepted/ann/{name}": text for name, text in files.items()}})
    (work,) = (written.spec.parent.parent / "sample_submissions/pair-sums").glob("accepted-*")
    report = grade_files(written.spec, work, {})
    assert (report.verdict, report.score) == (Verdict.PASSED, 100), report.tests[0].cases[0].message


def test_files_of_submissions_with_odd_names_are_left_out_and_such_data_is_refused(tmp_path: Path) -> None:
    odd = {"submissions/accepted/é.py": "", "submissions/wrong_answer/$(x).py": "", "data/secret/-rf.in": ""}
    written = imported(tmp_path / "a", {**PAIRS, **odd})
    assert any("left out: submissions/accepted/é.py, submissions/wrong_answer/$(x).py" in one for one in written.notes)
    assert all(re.fullmatch(r"[\w./+-]+", name, re.ASCII) and "-rf" not in name for name in written.files)
    for name in ("a\nb", "a b"):
        with pytest.raises(UsageError, match="is refused: use letters, digits"):
            imported(tmp_path / name, {**PAIRS, f"data/secret/{name}.in": "", f"data/secret/{name}.ans": ""})


def test_links_that_lead_outside_are_not_followed(tmp_path: Path) -> None:
    secret = lay(tmp_path, {"secret.txt": "the key"}) / "secret.txt"
    folder = lay(tmp_path / "Pair_Sums", PAIRS)
    (folder / "data/secret/key.in").symlink_to(secret)
    (folder / "data/secret/key.ans").symlink_to(secret)
    (folder / "submissions/accepted/out").symlink_to(tmp_path)
    written = imported(tmp_path, {})
    assert any("lead to nothing inside the package are left out: data/secret/key.ans" in note for note in written.notes)
    course = written.spec.parent.parent
    assert not any(b"the key" in path.read_bytes() for path in course.rglob("*") if path.is_file())


@each_row
def test_what_no_spec_can_express_is_refused(tmp_path: Path, changes: Mapping[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {**PAIRS, **changes})
    assert not (tmp_path / "course").exists()


def test_a_key_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="this key is here twice"):
        imported(tmp_path, {"problem.yaml": "name: x\nname: y\n"})


@each_row
def test_nothing_is_overwritten_and_then_nothing_is_written(tmp_path: Path, there: str) -> None:
    lay(tmp_path / "course", {there: "mine"})
    with pytest.raises(UsageError, match="is there already"):
        imported(tmp_path, PAIRS)
    assert [path.read_text() for path in (tmp_path / "course").rglob("*") if path.is_file()] == ["mine"]
    assert imported(tmp_path, PAIRS, "other").spec.name == "other.yaml"


@pytest.mark.parametrize("name", ["", "../x", "A", "x/y"])
def test_an_id_is_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--id"):
        imported(tmp_path, PAIRS, name)


def test_a_package_too_large_for_a_spec_leaves_nothing_behind(tmp_path: Path) -> None:
    cases = {f"data/secret/{n}.{end}": "" for n in range(5) for end in ("in", "ans")}
    os.truncate(lay(tmp_path / "Pair_Sums", {**PAIRS, **cases}) / "data/secret/1.in", 70 * 2**20)
    options = KattisOptions(max_bytes=64 * 2**20)
    with pytest.raises(UsageError, match="the package has more than 64 MiB; see --max-size"):
        import_kattis(tmp_path / "Pair_Sums", options=options)
