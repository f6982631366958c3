"""Packages as public archives have them: what is odd in them is said, and what they state of their programs holds."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.check.samples import read_samples, sample_differences
from grader.core.errors import UsageError
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.kattis import import_kattis
from grader.imports.kattis_package import KattisOptions
from tests.support.packages import SCORED, SUM, lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SECRET = DATA["SECRET"]
ONLY_THREE = "print(3)\n"
LENIENT = "on_reject: continue\ngrader_flags: accept_if_any_accepted\n"


def imported(folder: Path, files: Mapping[str, str], options: KattisOptions | None = None) -> Written:
    package = lay(folder / "sums", files)
    return write_assignment(
        import_kattis(package, options=options) if options else import_kattis(package), folder / "course"
    )


def agreed(written: Written) -> dict[str, str]:
    """Grade the samples of a spec; return what each got where that is what is stated, else what is different."""
    course = prepare(written.spec)
    found = {}
    for sample in read_samples(course.spec):
        report = grade(Job(spec=written.spec, submission=sample.submission), course)
        found[sample.submission.id] = "; ".join(sample_differences(report, sample)) or f"{report.score:g}"
    return found


def test_a_partly_accepted_program_gets_more_than_nothing_and_less_than_all(tmp_path: Path) -> None:
    files = {
        **SCORED,
        "submissions/partially_accepted/all.py": SUM,
        "submissions/partially_accepted/none.py": "print()\n",
    }
    wrong = "the score should be more than 0 and less than full marks, and is"
    assert agreed(imported(tmp_path, files)) == {
        "accepted-ann": "100",
        "partially-accepted-all": f"{wrong} 100",
        "partially-accepted-none": f"{wrong} 0",
        "partially-accepted-pat": "30",
        "wrong-answer-none": "0",
    }


@each_row
def test_a_validator_gives_points_where_it_may(tmp_path: Path, kind: str, *, is_refused: bool) -> None:
    files = {**SCORED, "problem.yaml": f"name: Sums\ntype: scoring\nvalidation: {kind}\n"}
    files |= {"output_validators/v.py": "open('score.txt', 'w')\n", "data/secret/testdata.yaml": LENIENT}
    files = {name: text.replace("range: 0 30\n", "") for name, text in files.items()}
    if is_refused:
        with pytest.raises(UsageError, match="its validator writes points, and range in"):
            imported(tmp_path, files)
    else:
        assert len(load(imported(tmp_path, files).spec).tests) == 2


MISSING = {key: value for key, value in SCORED.items() if not key.endswith((".in", ".ans")) or "sample" in key}


def test_a_scoring_package_without_its_secret_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 points in all: data/secret has no input with an answer"):
        imported(tmp_path, MISSING)


def test_missing_secret_data_and_the_rest_of_a_range_are_said(tmp_path: Path) -> None:
    plain = {"problem.yaml": "name: Sums\n", "data/sample/1.in": "1 2\n", "data/sample/1.ans": "3\n"}
    notes = imported(tmp_path / "a", plain).notes
    assert any("data/secret has no input with an answer: make the data first" in note for note in notes)
    legacy = {**SCORED, "problem.yaml": "name: Sums\ntype: scoring\nproblem_format_version: legacy\n"}
    wide = {**legacy, "data/testdata.yaml": "grader_flags: ignore_sample\nrange: 0 130\n"}
    assert any("range ends at 130, and the groups have 100" in note for note in imported(tmp_path / "b", wide).notes)
    with pytest.raises(UsageError, match="ends at 60, and the groups have 100"):
        imported(tmp_path / "c", {**wide, "data/testdata.yaml": "grader_flags: ignore_sample\nrange: 0 60\n"})


def test_a_wrong_program_ends_at_its_first_failure_with_the_verdict_of_that(tmp_path: Path) -> None:
    more = {f"data/secret/{n}.{end}": text for n in (3, 4) for end, text in (("in", "4 5\n"), ("ans", "9\n"))}
    late = "n = int(input().split()[0])\nif n == 4:\n    raise ValueError\nprint(3 if n == 1 else 0)\n"
    files = {
        **SECRET,
        **more,
        "problem.yaml": "name: Sums\nlimits: {time_limit: 1}\n",
        "submissions/wrong_answer/b.py": late,
    }
    written = imported(tmp_path, files)
    course = prepare(written.spec)
    (sample,) = read_samples(course.spec)
    (test,) = grade(Job(spec=written.spec, submission=sample.submission), course).tests
    assert [str(case.verdict) for case in test.cases] == ["passed", "failed", "skipped", "skipped"]


BUSY = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end:\n    pass\n"


@pytest.mark.slow
def test_a_missing_limit_of_time_is_derived_from_the_accepted_programs(tmp_path: Path) -> None:
    files = {
        **SECRET,
        "problem.yaml": "name: Sums\nproblem_format_version: 2023-07-draft\n"
        "limits: {time_multipliers: {ac_to_time_limit: 3}, time_resolution: 0.1}\n",
        "submissions/accepted/quick.py": SUM,
        "submissions/accepted/slow.py": BUSY.format(0.2) + SUM,
        "submissions/time_limit_exceeded/slower.py": BUSY.format(5) + SUM,
    }
    assert "time-limit-exceeded-slower" not in agreed(imported(tmp_path / "without", files))
    written = imported(tmp_path / "with", files, KattisOptions(measure=True))
    spec = load(written.spec)
    limit = spec.tests[0].cases[0].limits["cpu"]
    assert 0.6 <= limit <= 3
    assert any("of 2 accepted programs the slowest, accepted-slow" in note for note in written.notes)
    assert agreed(written) == {"accepted-quick": "100", "accepted-slow": "100", "time-limit-exceeded-slower": "0"}


def test_no_limit_is_derived_from_an_accepted_program_that_is_wrong_here(tmp_path: Path) -> None:
    files = {**SECRET, "problem.yaml": "name: Sums\n", "submissions/accepted/three.py": ONLY_THREE}
    with pytest.raises(
        UsageError, match=r"accepted-three \(sums\) is not accepted here: Word 1 .* is `3`, expected `12`"
    ):
        imported(tmp_path, files, KattisOptions(measure=True))
    assert not (tmp_path / "course").exists()


@each_row
def test_a_validator_may_be_of_several_files(tmp_path: Path, files: Mapping[str, str], *, is_known: bool) -> None:
    package = {
        **SECRET,
        "problem.yaml": "name: Sums\nvalidation: custom\nlimits: {time_limit: 1}\n",
        **{f"output_validators/v/{name}": text for name, text in files.items()},
        "submissions/accepted/a.py": SUM,
        "submissions/wrong_answer/b.py": ONLY_THREE,
    }
    written = imported(tmp_path, package)
    assert any("todo_output_validator" in note for note in written.notes) is not is_known
    unknown = "the score should be {}, and is none"
    expected = {"accepted-a": "100", "wrong-answer-b": "0"}
    assert {name: got.partition(";")[0] for name, got in agreed(written).items()} == (
        expected if is_known else {name: unknown.format(score) for name, score in expected.items()}
    )
