"""Level `container`, where all programs share /tmp: one thread at a time has its turn, also of several graders."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.core.sandbox.container import Turns
from grader.core.threads import ThreadTask
from tests.support.classes import grader
from tests.support.rows import read_data

DATA = read_data(__file__)
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
HERE = Path(__file__).parents[3]


@ROOT
@pytest.mark.parametrize(("program", "score"), [(DATA["RIGHT"], 6), (DATA["WRONG"], 0)], ids=["right", "wrong"])
def test_a_submission_gets_the_same_grade_with_two_cases_at_a_time(program: str, score: float, tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text(DATA["SPEC"])
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "words.py").write_text(program)
    for jobs in ("1", "2"):
        how = ("--spec", tmp_path / "words.yaml", "--sandbox", "container", "--jobs", jobs, "--format", "json")
        done = grader(tmp_path, "run", "alice", *how)
        assert done.stdout, done
        assert json.loads(done.stdout)["score"] == score, done.stdout


# ---------------------------------------------------------------- who has a turn


def go_on() -> None:
    """Nothing stops who waits."""


def test_one_thread_has_its_turn_until_its_last_command_gives_it_back(tmp_path: Path) -> None:
    turns = Turns(str(tmp_path))
    for _ in range(2):
        turns.take(go_on)

    def take_turn() -> None:
        turns.take(go_on)
        turns.give_back()

    other = ThreadTask(take_turn)
    turns.give_back()
    assert not other.join(0.1)
    turns.give_back()
    assert other.join(10)


def test_graders_take_turns(tmp_path: Path) -> None:
    """Whoever takes one turn right after the other lets another grader in that waits."""
    ours, mine = Turns(str(tmp_path)), 0
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-c", DATA["TAKES"], str(tmp_path), "30"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"ready\n"
        task = ThreadTask(other.stdout.read)
        while not task.join(0):
            ours.take(go_on)
            mine += 1
            time.sleep(0.002)
            ours.give_back()
    assert task.result() == b"done\n"
    assert mine < 200, "450 and more while it looked again and again whether it may"


def test_who_waits_for_another_grader_can_be_stopped(tmp_path: Path) -> None:
    class StoppedError(Exception): ...

    def stop() -> None:
        raise StoppedError

    held, waiting = Turns(str(tmp_path)), Turns(str(tmp_path))
    held.take(go_on)
    with pytest.raises(StoppedError):
        waiting.take(stop)
    held.give_back()
    time.sleep(0.2)  # for the thread that still waited
    waiting.take(stop)
    waiting.give_back()
