"""A program of the course that speaks with the student's, around the runs that `scenarios/interactive/` shows."""

import json
from pathlib import Path

import pytest

from grader.check.verification import verify_spec
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Course, assess, grade, prepare
from grader.core.reader.spec import load
from grader.core.report.json import to_json
from tests.support.courses import course, submission
from tests.support.packages import lay
from tests.support.payloads import interactor_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
OTHER = DATA["OTHER"]
HELPER = "def twice(number): return str(2 * int(number))\n"
PLAYER = "import sys\nfor line in sys.stdin:\n    print(2 * int(line), flush=True)\n"


def laid_out(folder: Path, spec: str = SPEC, other: str = OTHER) -> tuple[Path, Course]:
    path = course(folder, spec)
    lay(folder / "reference", {"other.py": other, "helper.py": HELPER, "player.py": PLAYER})
    return path, prepare(path)


def test_the_interactor_belongs_to_what_a_report_depends_on(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC)
    digests = set()
    for name, text in (("other.py", "1"), ("other.py", "2"), ("helper.py", "3")):
        (tmp_path / "reference" / name).write_text(text)
        digests.add(load(path).digest)
    assert len(digests) == 3


def test_what_cases_say_is_laid_over_what_their_test_says(tmp_path: Path) -> None:
    path = course(tmp_path, f"{SPEC}\n{DATA['CASES']}")
    (tmp_path / "reference" / "other.py").write_text("")

    def given(case: Case) -> tuple[object, ...]:
        assert interactor_in(case)
        return interactor_in(case).args, interactor_in(case).input, dict(interactor_in(case).limits)

    found = [given(case) for case in load(path).tests[0].cases]
    assert found == [(("a",), b"SECRET 21 4", {}), (("input",), b"other", {"time": 3.0})]


@each_row
def test_wrong_players_show_what_an_interactor_forgets(tmp_path: Path, other: str, survivors: set[str]) -> None:
    path, ready = laid_out(tmp_path, other=other)
    found = verify_spec(path, ready, most=0)
    assert not any(one.is_wrong for one in found.answered)
    told = {trial.mutant.name.rpartition("/")[2] for trial in found.trials if trial.outcome == "survived"}
    assert survivors <= told
    assert bool(survivors) == (not found.is_right)


def test_an_interactor_in_a_compiled_language_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    spec = SPEC.replace("other.py", "other.c").replace("reference: python3 reference/player.py\n", "")
    path = lay(tmp_path / "course", {"specs/echo.yaml": spec, "reference/other.c": DATA["IN_C"]}) / "specs/echo.yaml"
    ready = prepare(path)
    job = Job(spec=path, submission=Submission(id="a", path=submission(tmp_path, program=PLAYER)))
    assert assess(job, ready).verdict == Verdict.PASSED
    kept = sorted((tmp_path / "cache").rglob("*"))
    prepare(path)
    assert sorted((tmp_path / "cache").rglob("*")) == kept
    json.loads(to_json(grade(job, ready)))
