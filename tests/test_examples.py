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

GUESSING = EXAMPLES / "guessing-game" / "specs" / "guessing-game.yaml"


SOME_OR_ALL = pytest.mark.parametrize("least", [0, pytest.param(13, marks=pytest.mark.soak)], ids=["some", "all"])


@SOME_OR_ALL
def test_each_player_of_the_guessing_game_gets_what_is_stated(least: int) -> None:
    course = prepare(GUESSING)
    last = course.spec.tests[-1].name
    told = {}
    for sample in telling(read_samples(course.spec), least=least):
        # Who fails everything for one reason shows it in one test, and who never ends takes all the time of each.
        only = (last,) if len(sample.tests) == len(course.spec.tests) else ()
        report = grade(Job(spec=GUESSING, submission=sample.submission, only=only), course)
        told[sample.submission.id] = sample_differences(report, sample)
    assert len(told) == (least or 5)
    assert {name: differences for name, differences in told.items() if differences} == {}


def test_each_way_of_giving_change_gets_what_is_stated() -> None:
    course = prepare(EXAMPLES / "giving-change" / "specs" / "giving-change.yaml")
    samples = read_samples(course.spec)
    told = {one.submission.id: grade(Job(spec=Path(), submission=one.submission), course) for one in samples}
    assert len(told) == 4
    assert not any(sample_differences(told[one.submission.id], one) for one in samples)


ALONE = {("bank", "deaf"): ("menu",)}
"""the tests of a sample in which it has other files than the right one; each of its unit tests takes a second"""


@SOME_OR_ALL
@pytest.mark.parametrize("name", ["change", "weather", "bank"])
def test_each_sample_of_a_course_gets_what_is_stated(name: str, least: int) -> None:
    path = EXAMPLES / name / "specs" / f"{name}.yaml"
    course = prepare(path)
    for sample in telling(read_samples(course.spec), least=least):
        only = ALONE.get((name, sample.submission.id), ())
        report = grade(Job(spec=path, submission=sample.submission, only=only), course)
        partial_score = expected_score(course.spec, sample, only) if only else None
        assert sample_differences(report, sample, partial_score) == (), sample.submission.id


@each_row
def test_no_course_is_longer_than_the_same_elsewhere(name: str, others: list[str]) -> None:
    folder = EXAMPLES / name
    own = sum(map(own_lines, [folder / "specs" / f"{name}.yaml", *folder.glob("tests/*")]))
    assert own <= sum(own_lines(folder / "for-comparison" / other) for other in others)


def own_lines(path: Path) -> int:
    """The lines that say something: neither blank nor a comment."""
    written = [line.strip() for line in path.read_text().splitlines()]
    return sum(not (line == "" or line.startswith(("#", "//", '"""The same'))) for line in written)


def test_each_sample_gets_what_its_source_deserves() -> None:
    spec = EXAMPLES / "source-rules" / "specs" / "subset-sum.yaml"
    course = prepare(spec)
    reports = {
        sample.submission.id: (sample, grade(Job(spec=spec, submission=sample.submission), course))
        for sample in read_samples(course.spec)
    }
    assert {name: sample_differences(report, sample) for name, (sample, report) in reports.items()} == dict.fromkeys(
        ("ada", "ben", "cleo", "dora"), ()
    )
    found = {case.id: case for case in reports["ben"][1].tests[1].cases}
    assert found["the source[forbid loop in count]"].message == (
        "subsets.py:7 has a loop in `count`, which the assignment forbids: `for size in range(len(numbers) + 1):`."
    )
    assert [spot.line for spot in found["the source[forbid import itertools]"].spots or ()] == [2]
    lacks = [case for case in reports["dora"][1].tests[1].cases if case.message]
    assert [case.message for case in lacks] == ["`subsets.py` has no function `count`; the assignment requires it."]


def test_a_linked_list_in_c_is_held_to_its_memory() -> None:
    spec = EXAMPLES / "linked-list" / "specs" / "linked-list.yaml"
    course = prepare(spec)
    reports = {
        sample.submission.id: (sample, grade(Job(spec=spec, submission=sample.submission), course))
        for sample in read_samples(course.spec)
    }
    assert {name: sample_differences(report, sample) for name, (sample, report) in reports.items()} == dict.fromkeys(
        ("ada", "ben", "cleo"), ()
    )
    told = {name: report.tests[0].cases[0].message for name, (_, report) in reports.items()}
    assert told == {
        "ada": "",
        "ben": "list.c:14 (`strcpy(node->word, word);`) writes 1 byte right after a block of 5 bytes that list.c:13 "
        "allocated; more in list.c:27.",
        "cleo": "15 bytes in 3 blocks that list.c:13 allocated are never freed. This costs 30 % of the credit.",
    }
