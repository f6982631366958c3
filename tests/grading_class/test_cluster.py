"""A class on a Dask cluster: a real scheduler and real workers, on the loopback interface."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.core import build
from grader.core.cache import Cache
from tests.support.classes import finals, grader, small_class
from tests.support.courses import course, submission
from tests.support.rows import read_data

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="`distributed` is not installed")
OUT = Path("reports/echo")
SECONDS = 60
ROOT = Path(__file__).parents[2]
DATA = read_data(__file__)
CHECKED = DATA["CHECKED"]
FILES = DATA["FILES"]
"""a check with what it imports, and files that the spec names"""
ASK_TOKEN = re.compile(rb'[0-9a-f]{16,32} |"likeness": "[0-9a-f]*"')
"""what ask_queens.pl draws at random for each run, and the digest of an output"""
SAMPLES = DATA["SAMPLES"]
"""a spec -> one of its samples"""


@contextmanager
def started(folder: Path, name: str, *arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", *map(str, arguments)], stdout=log, stderr=log, cwd=folder)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=20)


def awaited(log: Path, pattern: str) -> re.Match[str]:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if log.exists() and (match := re.search(pattern, log.read_text(errors="replace"))):
            return match
        time.sleep(0.05)
    raise AssertionError(f"{pattern} does not come in {log.read_text(errors='replace')}")


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with started(folder, "scheduler", "distributed.cli.dask_scheduler", *arguments):
        yield awaited(folder / "scheduler.log", r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)")[1]


@contextmanager
def worker(folder: Path, name: str, address: str) -> Iterator[subprocess.Popen[bytes]]:
    arguments = ("--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard", "--name", name)
    space = ("--local-directory", folder / name)
    with started(folder, name, "distributed.cli.dask_worker", address, *arguments, *space) as process:
        awaited(folder / f"{name}.log", "Registered to")
        yield process


@pytest.mark.timeout(240)
def test_two_workers_of_which_one_is_killed_give_what_one_machine_does(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    here, folder = (small_class(tmp_path / name, 10) for name in ("here", "there"))
    for submissions in (here, folder):
        (submissions / "s007" / "link").symlink_to("/etc/passwd")
    assert grader(tmp_path / "here", "class", here).returncode == 0
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(tmp_path))
        first = stack.enter_context(worker(tmp_path, "first", address))
        stack.enter_context(worker(tmp_path, "second", address))
        arguments = ("grader", "class", folder, "--dask", address)
        running = stack.enter_context(started(tmp_path / "there", "class", *arguments))
        awaited(tmp_path / "there" / "class.log", r"(?m)^\[ *3/10\]")
        first.send_signal(signal.SIGKILL)
        assert running.wait(timeout=120) == 0
    assert finals(tmp_path / "there" / OUT) == finals(tmp_path / "here" / OUT)


@pytest.mark.timeout(240)
def test_a_class_whose_last_worker_dies_says_so_and_goes_on_with_the_next(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 10)
    with ExitStack() as stack:
        address = stack.enter_context(scheduler(tmp_path))
        first = stack.enter_context(worker(tmp_path, "first", address))
        running = stack.enter_context(started(tmp_path, "class", "grader", "class", folder, "--dask", address))
        awaited(tmp_path / "class.log", r"(?m)^\[ *3/10\]")
        first.send_signal(signal.SIGKILL)
        awaited(tmp_path / "class.log", rf"no Dask worker is left at {address}, so the class waits: start one with")
        stack.enter_context(worker(tmp_path, "second", address))
        assert running.wait(timeout=120) == 0
    assert (tmp_path / "class.log").read_text().count("no Dask worker is left") == 1


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with one worker, for the tests that end neither; its address."""
    folder = tmp_path_factory.mktemp("cluster")
    with scheduler(folder) as address, worker(folder, "worker", address):
        yield address


def test_a_check_and_the_files_that_a_spec_names_get_to_the_workers(tmp_path: Path, cluster: str) -> None:
    course(tmp_path, CHECKED)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    submission(tmp_path, "right")
    submission(tmp_path, "odd", "print(3)\n")
    assert grader(tmp_path, "class", "echo", "--out", "here").returncode == 0
    there = grader(tmp_path, "class", "echo", "--out", "there", "--dask", cluster)
    assert (there.returncode, there.stderr) == (0, "")
    assert finals(tmp_path / "there") == finals(tmp_path / "here")
    assert b"right,,,,,,right,passed,10,10,4,6," in finals(tmp_path / "there")["grades.csv"]
    assert b"odd,,,,,,odd,failed,0,10,0,0," in finals(tmp_path / "there")["grades.csv"]


@pytest.mark.timeout(240)
@pytest.mark.parametrize("spec", SAMPLES)
def test_every_shipped_spec_is_graded_on_a_cluster_as_it_is_here(tmp_path: Path, cluster: str, spec: str) -> None:
    folder = tmp_path / spec
    name = SAMPLES[spec]
    shutil.copytree(ROOT / "sample_submissions" / spec / name, folder / name, symlinks=True)
    shutil.copytree(ROOT / "reference", tmp_path / "reference", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "specs" / f"{spec}.yaml"
    path.parent.mkdir()
    text = (ROOT / "specs" / path.name).read_text()
    if "language: java" in text:  # of what is slow one case of each series: what gets to the workers is the same
        text = re.sub(r"each: \{n: .*\}", "each: {n: [4]}", text)
        text = text.partition("  - name: setQueenPosition\n")[0]  # the first three of ten functions
    path.write_text(text)
    assert grader(tmp_path, "class", folder, "--spec", path, "--out", "here").returncode == 0
    there = grader(tmp_path, "class", folder, "--spec", path, "--out", "there", "--dask", cluster)
    assert (there.returncode, there.stderr) == (0, "")
    there_files, here_files = (
        {name: ASK_TOKEN.sub(b"", content) for name, content in finals(tmp_path / place).items()}
        for place in ("there", "here")
    )
    assert there_files == here_files


def test_a_scheduler_without_workers_is_told(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1)
    with scheduler(tmp_path) as address:
        done = grader(tmp_path, "class", folder, "--dask", address)
    assert done.returncode == 2
    assert f"the Dask scheduler at {address} has no workers" in done.stderr


def test_a_submission_that_is_unpacked_elsewhere_has_the_same_digest(tmp_path: Path) -> None:
    folder = small_class(tmp_path, 1) / "s000"
    (folder / "run.sh").write_text("true")
    (folder / "run.sh").chmod(0o755)
    (folder / "empty" / "inner").mkdir(parents=True)
    (folder / "empty" / "b\udcff").write_bytes(b"\0")
    (folder / "link").symlink_to("/etc")
    (tmp_path / "copy").mkdir()
    build.tree.write_tree(build.staging.read_submission(folder), tmp_path / "copy", with_links=True)
    cache = Cache(folder=tmp_path / "cache")
    assert build.staging.submission_digest(tmp_path / "copy", cache) == build.staging.submission_digest(folder, cache)
