"""A course's own `toolchains.yaml`: languages that are nowhere else, used by every command; and mistakes in it."""

import re
import subprocess
from pathlib import Path

import pytest

from grader.core.cache import Cache
from grader.core.errors import SpecError, UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.model.spec import Toolchain
from grader.core.pipeline import grade, prepare
from grader.core.reader.files import OWN_LANGUAGE, languages_of_course
from grader.core.reader.locate import find_spec
from grader.core.reader.spec import load
from grader.core.reader.spec_cache import load_cached
from grader.exports.gradescope_zip import packages
from tests.support.commands import run_grader_text
from tests.support.courses import SPEC, course, submission
from tests.support.rows import each_row

PAGE = (Path(__file__).parents[3] / "docs/how-to/add-a-language.md").read_text()
AWK = PAGE.partition('```yaml title="toolchains.yaml"\n')[2].partition("```")[0]
ONLY_AWK = SPEC.replace("language: python", "language: awk").replace("python3 echo.py", "awk -f echo.py --", 1)


def own(folder: Path, text: str = AWK) -> Path:
    path = course(folder, ONLY_AWK)
    (folder / "toolchains.yaml").write_text(text)
    return path


def call(*args: str, at: Path) -> subprocess.CompletedProcess[str]:
    return run_grader_text(*args, cwd=at)


def test_every_field_of_a_toolchain_is_a_key_but_its_name() -> None:
    assert set(Toolchain.__struct_fields__) - {"name"} == set(OWN_LANGUAGE)


def test_a_language_of_the_courses_own_is_graded_with_its_limits_and_patterns(tmp_path: Path) -> None:
    path = own(tmp_path)
    found = prepare(path)
    assert found.toolchain.limits == {"memory": 64 * 2**20, "time": 5.0}
    program = 'BEGIN { s = ""; for (i = 1; i < ARGC; i++) s = s (i > 1 ? " " : "") ARGV[i]; print s }'
    texts = {"right": program, "crashing": 'BEGIN { printf "%d" }', "odd": "BEGIN { print ) }"}
    reports = {
        name: grade(Job(spec=path, submission=Submission(id=name, path=submission(tmp_path, name, text))), found)
        for name, text in texts.items()
    }
    assert str(reports["right"].verdict) == "passed"
    messages = {name: report.tests[0].cases[0].message for name, report in reports.items()}
    assert messages["crashing"].startswith(
        "Your program ended with an uncaught exception: `awk: run time error: not enough arguments passed to"
    )
    assert messages["odd"].startswith("AWK cannot read your program: `extra ')'` in line 1 of `echo.py`")


@pytest.mark.slow
def test_every_command_takes_it(tmp_path: Path) -> None:
    (tmp_path / "toolchains.yaml").write_text(AWK)
    for words, shown in (
        (("new", "sum", "--language", "awk"), "specs/sum.yaml"),
        (("lint", "specs/sum.yaml"), "no mistakes"),
        (("handout", "specs/sum.yaml"), "awk -f sum.awk"),
        (("run", "sample_submissions/sum/right"), "full marks"),
    ):
        done = call(*words, at=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), (words, done.stdout)
        assert shown in done.stdout
    assert re.search(r"(?m)^awk +ok .*a small program works$", call("doctor", "awk", at=tmp_path).stdout)
    assert "mawk" in packages(load(tmp_path / "specs/sum.yaml"))


def test_what_is_said_of_a_language_counts_in_the_digest_and_is_seen_by_what_was_kept(tmp_path: Path) -> None:
    path, cache = course(tmp_path), Cache(folder=tmp_path / "cache")
    first = load_cached(path, cache)
    (tmp_path / "toolchains.yaml").write_text("python: {limits: {memory: 64 MiB}}\n")
    second = load_cached(path, cache)
    (tmp_path / "toolchains.yaml").write_text("python: {limits: {memory: 65 MiB}}\n")
    third = load_cached(path, cache)
    assert len({first.digest, second.digest, third.digest}) == 3
    assert (first.languages, third.languages) == ({}, {"python": {"limits": {"memory": 65 * 2**20}}})
    assert third.attached["toolchains.yaml"].startswith(b"python:")


@each_row
def test_a_mistake_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        load(own(tmp_path, text + "\n"))
    assert "toolchains.yaml:" in str(raised.value)
    assert message in str(raised.value)
    with pytest.raises(SpecError):
        languages_of_course(tmp_path)


def test_an_unknown_language_is_told_with_those_of_the_course(tmp_path: Path) -> None:
    path = own(tmp_path)
    path.write_text(path.read_text().replace("language: awk", "language: awkk"))
    with pytest.raises(SpecError, match='did you mean "awk"'):
        load(path)


def test_languages_beside_what_was_handed_in_are_refused(tmp_path: Path) -> None:
    """Whoever hands in a file of that name beside the folders would choose what runs."""
    path = own(tmp_path)
    (tmp_path / "alice").mkdir()
    with pytest.raises(UsageError, match=r"toolchains\.yaml lies among what was handed in"):
        find_spec(str(path), [tmp_path / "alice"], tmp_path)
    work = submission(tmp_path)
    (work.parent / "toolchains.yaml").write_text("python: {limits: {memory: 1 GiB}}\n")
    (work / "toolchains.yaml").write_text("python: {limits: {memory: 1 GiB}}\n")
    assert find_spec("echo", [work], tmp_path) == path
    assert set(load(path).languages) == {"awk"}
