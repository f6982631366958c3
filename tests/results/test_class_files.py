import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from grader.results.class_files import CLASS_FORMATS, write_class
from tests.support.class_samples import ClassSample, class_of, sample_class
from tests.support.courses import course, submission
from tests.support.growth import growth


def test_the_files_of_a_class_are_written_and_what_was_left_behind_is_removed(tmp_path: Path) -> None:
    left = tmp_path / f".index.html.{'0' * 16}"
    left.touch()
    sample = sample_class(20)
    write_class(sample.book, sample.file, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"grades.csv", "junit.xml", "index.html", "summary.md"}
    assert (tmp_path / "index.html").read_bytes() == CLASS_FORMATS["index.html"](sample.book, sample.file)


@pytest.mark.parametrize("name", CLASS_FORMATS)
def test_the_same_grades_give_the_same_bytes(name: str) -> None:
    one, other = sample_class(60, seed=3), sample_class(60, seed=3)
    assert CLASS_FORMATS[name](one.book, one.file) == CLASS_FORMATS[name](other.book, other.file)


def test_they_do_not_depend_on_how_python_hashes(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.support.class_samples import sample_class\n"
        "from grader.results.class_files import write_class\n"
        "sample = sample_class(60); write_class(sample.book, sample.file, Path(sys.argv[1]))\n"
    )
    root = Path(__file__).parents[2]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        subprocess.run([sys.executable, "-c", script, tmp_path / seed], check=True, env=environment, timeout=60)
    for name in CLASS_FORMATS:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


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
    words = [sys.executable, "-m", "grader", "run", "echo/alice", "echo/bob"]
    assert subprocess.run(words, check=False, capture_output=True, timeout=60).returncode == 0
    assert {path.name for path in (tmp_path / "reports/echo").iterdir()} == {"alice", "bob"}
