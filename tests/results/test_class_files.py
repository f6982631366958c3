import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from grader.results.class_files import CLASS_FORMATS, update_class_files
from grader.results.store import STORE_NAME, open_store
from tests.support.class_samples import ClassSample, class_of, sample_class
from tests.support.commands import run_grader
from tests.support.courses import course, submission
from tests.support.growth import growth


def test_the_files_of_a_class_are_written_and_what_was_left_behind_is_removed(tmp_path: Path) -> None:
    left = tmp_path / f".index.html.{'0' * 16}"
    left.touch()
    with open_store(tmp_path) as store:
        results = update_class_files(store, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {STORE_NAME, *CLASS_FORMATS}
    for name, render in CLASS_FORMATS.items():
        assert (tmp_path / name).read_bytes() == render(results.book, results.file)


@pytest.mark.parametrize("name", CLASS_FORMATS)
def test_the_same_grades_give_the_same_bytes(name: str) -> None:
    one, other = sample_class(20, seed=3), sample_class(20, seed=3)
    assert CLASS_FORMATS[name](one.book, one.file) == CLASS_FORMATS[name](other.book, other.file)


@pytest.mark.slow
def test_they_do_not_depend_on_how_python_hashes() -> None:
    script = (
        "import hashlib; from tests.support.class_samples import sample_class\n"
        "from grader.results.class_files import CLASS_FORMATS\n"
        "sample = sample_class(60)\n"
        "for name, render in CLASS_FORMATS.items():\n"
        "    print(name, hashlib.sha256(render(sample.book, sample.file)).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    written = [
        subprocess.check_output([sys.executable, "-c", script], env={**environment, "PYTHONHASHSEED": seed}, timeout=60)
        for seed in ("1", "2")
    ]
    assert written[0] == written[1] != b""


@pytest.mark.parametrize("name", CLASS_FORMATS)
@pytest.mark.parametrize("sample", [class_of({}), class_of({}, nothing=["a"], waiting=["b"])], ids=["empty", "nothing"])
def test_a_class_without_a_grade_has_its_files_too(name: str, sample: ClassSample) -> None:
    assert CLASS_FORMATS[name](sample.book, sample.file)
    assert CLASS_FORMATS[name](replace(sample.book, max_score=0.0), sample.file)


@pytest.mark.slow
def test_a_thousand_grades_take_time_in_proportion_and_little_memory() -> None:
    samples = {size: sample_class(size) for size in (100, 1000)}
    formats = {name: CLASS_FORMATS[name] for name in ("grades.csv", "summary.md", "index.html")}

    def render_all(size: int) -> None:
        for render in formats.values():
            render(samples[size].book, samples[size].file)

    assert growth(render_all, 100) < 40
    sample = samples[1000]
    tracemalloc.start()
    try:
        formats["index.html"](sample.book, sample.file)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


def test_several_submissions_by_themselves_are_no_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    course(tmp_path)
    for name in ("alice", "bob"):
        submission(tmp_path, name)
    assert run_grader("run", "echo/alice", "echo/bob").returncode == 0
    assert {path.name for path in (tmp_path / "reports/echo").iterdir()} == {"alice", "bob"}
