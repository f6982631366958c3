"""The files in `examples/`, checked as far as that goes without the platforms: schemas, linters, the steps run here."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.check.samples import expected_score, read_samples, sample_differences
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.files import read_data
from tests.support.classes import small_class
from tests.support.commands import bin_folder
from tests.support.rows import each_row
from tests.support.telling import telling

EXAMPLES = Path(__file__).parent.parent / "examples"
GITHUB = sorted((EXAMPLES / "ci" / "github").glob("*.yml"))
GITLAB = EXAMPLES / "ci" / "gitlab" / ".gitlab-ci.yml"
DOCKERFILE = EXAMPLES / "docker" / "Dockerfile"
BIN = Path(sys.executable).parent
OURS = re.compile("grader (class|merge|export|doctor)|summary")
"""steps that work on any machine; the others change the machine"""


def github_steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in read_data(path)["jobs"].values():
        yield from job["steps"]


def gitlab_jobs() -> dict[str, dict[str, Any]]:
    jobs: dict[str, dict[str, Any]] = read_data(GITLAB)
    extended = {name: {**jobs[job["extends"]], **job} for name, job in jobs.items() if "extends" in job}
    assert set(extended) == {"part", "grades"}
    return extended


def gitlab_script(job: dict[str, Any]) -> str:
    return "\n".join([*job["before_script"], *job["script"]])


def scripts() -> dict[str, str]:
    """Each script with a name for it."""
    github = {
        f"{path.name}: {step['name']}": step["run"] for path in GITHUB for step in github_steps(path) if "run" in step
    }
    return github | {f"gitlab: {name}": gitlab_script(job) for name, job in gitlab_jobs().items()}


def check(tool: str, *arguments: str | Path, text: str = "") -> None:
    done = subprocess.run([BIN / tool, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_are_what_github_takes() -> None:
    assert len(GITHUB) == 2
    check("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *GITHUB)


def test_the_pipeline_is_what_gitlab_takes() -> None:
    check("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", GITLAB)


def test_the_dockerfile_is_sound() -> None:
    check("hadolint", DOCKERFILE)


@pytest.mark.parametrize(("name", "script"), scripts().items(), ids=list(scripts()))
def test_scripts_are_sound(name: str, script: str) -> None:
    assert "${{" not in script, f"{name}: what is pasted into a script can be anybody's"
    check("shellcheck", "--shell=bash", "--severity=style", "-", text=script)


@pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.name)
def test_workflows_ask_for_little_and_name_exact_versions(path: Path) -> None:
    workflow = read_data(path)
    assert workflow["permissions"]["contents"] == "read"
    assert "pull_request" not in str(workflow["on"])
    used = [step["uses"] for step in github_steps(path) if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+\.\d+\.\d+", action) for action in used), used


def test_scripts_install_the_packages_of_every_toolchain() -> None:
    wanted = {"bubblewrap", "default-jdk-headless", "g++", "gcc", "make", "swi-prolog-nox", "python3-venv"}
    texts = [step["run"] for path in GITHUB for step in github_steps(path) if "apt-get" in step.get("run", "")]
    part = gitlab_jobs()["part"]
    texts += [DOCKERFILE.read_text(), gitlab_script(part) + part["variables"]["PACKAGES"]]
    assert len(texts) == 4
    assert all(wanted <= set(re.findall(r"[\w.+-]+", text)) for text in texts)


def test_the_image_is_made_of_what_there_is() -> None:
    ignored = (DOCKERFILE.parent / "Dockerfile.dockerignore").read_text().splitlines()
    kept = [line[1:] for line in ignored if line.startswith("!")]
    assert {"grader", "pyproject.toml", "README.md"} <= set(kept)
    assert all((EXAMPLES.parent / name).exists() for name in kept)


# ---------------------------------------------------------------- the steps, run here


def lay_out(folder: Path, size: int) -> None:
    """A course as the examples expect it: specs/, reference/ and submissions/."""
    small_class(folder, size).rename(folder / "submissions")


def bash(folder: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{bin_folder()}:{BIN}:{os.environ['PATH']}"
    return subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],  # as GitHub's runner does
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def ours(path: Path) -> list[str]:
    return [step["run"] for step in github_steps(path) if OURS.search(step.get("run", ""))]


def lines(junit: Path) -> int:
    return junit.read_text().count("<testsuite ")


def test_a_machine_without_a_name_for_grader_is_told(tmp_path: Path) -> None:
    (install,) = (step["run"] for step in github_steps(GITHUB[1]) if step.get("name") == "Install grader")
    done = bash(tmp_path, install, GRADER="", RUNNER_TEMP=str(tmp_path))
    assert done.returncode != 0
    assert "set the repository variable GRADER" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_workflow_grades_a_class_and_goes_on_from_there(tmp_path: Path) -> None:
    lay_out(tmp_path, 6)
    summary = tmp_path / "summary"
    doctor, *steps = ours(EXAMPLES / "ci" / "github" / "grade.yml")
    assert [step.split()[0] for step in steps] == ["grader", "cat", "grader"]
    assert bash(tmp_path, f"{doctor} python").returncode == 0  # test_doctor.py tries every language
    for step in steps:
        done = bash(tmp_path, step, GITHUB_STEP_SUMMARY=str(summary))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "6 graded" in summary.read_text()
    assert lines(tmp_path / "reports" / "junit.xml") == 6
    # The next run has a new machine, and of the last one only what was cached.
    (tmp_path / "reports" / "grades.db").rename(tmp_path / "grades.db")
    shutil.rmtree(tmp_path / "reports")
    (tmp_path / "reports").mkdir()
    (tmp_path / "grades.db").rename(tmp_path / "reports" / "grades.db")
    (tmp_path / "submissions" / "s000" / "echo.py").write_text("print('other')\n")
    done = bash(tmp_path, steps[0])
    assert done.returncode == 0
    assert "5 of them are unchanged" in done.stdout
    assert lines(tmp_path / "reports" / "junit.xml") == 6


def test_the_workflow_in_parts_comes_to_the_same(tmp_path: Path) -> None:
    lay_out(tmp_path, 6)
    summary = tmp_path / "summary"
    part, merge, show, annotate = ours(EXAMPLES / "ci" / "github" / "grade-in-parts.yml")
    for number in (1, 2, 3, 4):
        assert bash(tmp_path, part, SHARD=f"{number}/4").returncode == 0
        (tmp_path / "parts").mkdir(exist_ok=True)
        (tmp_path / "reports").rename(tmp_path / "parts" / f"part-{number}")
    assert bash(tmp_path, merge).returncode == 0
    assert bash(tmp_path, show, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    assert bash(tmp_path, annotate).returncode == 0
    assert "6 graded" in summary.read_text()
    assert lines(tmp_path / "reports" / "junit.xml") == 6


def test_the_pipeline_grades_in_parts_and_keeps_going_when_one_fails(tmp_path: Path) -> None:
    lay_out(tmp_path, 6)
    jobs = gitlab_jobs()
    (part,), (merge, summary, quality) = jobs["part"]["script"], jobs["grades"]["script"]
    level = jobs["part"]["variables"]["SANDBOX"] if os.geteuid() == 0 else "auto"  # in the job's container one is root
    for number in ("1", "2", "3", "4"):
        assert bash(tmp_path, part, CI_NODE_INDEX=number, CI_NODE_TOTAL="4", SANDBOX=level).returncode == 0
    assert bash(tmp_path, merge).returncode == 0
    assert "6 graded" in bash(tmp_path, summary).stdout
    assert bash(tmp_path, quality).returncode == 0
    assert all((tmp_path / file).is_file() for file in jobs["grades"]["artifacts"]["reports"].values())
    shutil.rmtree(tmp_path / "part-3")
    assert bash(tmp_path, merge).returncode == 3


# ---------------------------------------------------------------- whole assignments

FAILING = ("dora", "emil", "fay", "gus", "hana", "ivo", "jane", "kim", "lars", "mona")
ALONE = {
    ("bank", "deaf"): (
        "menu",
    ),  # in which it has other files than the right one; each of its unit tests takes a second
    # Who fails everything for one reason shows it in one test, and who never ends takes all the time of each.
    **{("guessing-game", name): ("few guesses",) for name in FAILING},
}
"""the tests of a sample in which it is told from the others"""


@pytest.mark.parametrize("least", [0, pytest.param(13, marks=pytest.mark.soak)], ids=["some", "all"])
@pytest.mark.parametrize("name", ["change", "weather", "bank", "guessing-game"])
def test_each_sample_of_a_course_gets_what_is_stated(name: str, least: int) -> None:
    path = EXAMPLES / name / "specs" / f"{name}.yaml"
    course = prepare(path)
    for sample in telling(read_samples(course.spec), least=least):
        only = ALONE.get((name, sample.submission.id), ())
        report = grade(Job(spec=path, submission=sample.submission, only=only), course)
        partial_score = expected_score(course.spec, sample, only) if only else None
        assert sample_differences(report, sample, partial_score) == (), sample.submission.id


@each_row
def test_all_samples_of_a_small_course_get_what_is_stated(spec: str, told: dict[str, dict[str, str]]) -> None:
    course = prepare(EXAMPLES / spec)
    samples = {sample.submission.id: sample for sample in read_samples(course.spec)}
    assert samples.keys() == told.keys()
    for name, sample in samples.items():
        report = grade(Job(spec=Path(), submission=sample.submission), course)
        assert sample_differences(report, sample) == ()
        assert {one.id: one.message for test in report.tests for one in test.cases if one.message} == told[name]


@each_row
def test_no_course_is_longer_than_the_same_elsewhere(name: str, others: list[str]) -> None:
    folder = EXAMPLES / name
    own = sum(map(own_lines, [folder / "specs" / f"{name}.yaml", *folder.glob("tests/*")]))
    assert own <= sum(own_lines(folder / "for-comparison" / other) for other in others)


def own_lines(path: Path) -> int:
    """The lines that say something: neither blank nor a comment."""
    written = [line.strip() for line in path.read_text().splitlines()]
    return sum(not (line == "" or line.startswith(("#", "//", '"""The same'))) for line in written)
