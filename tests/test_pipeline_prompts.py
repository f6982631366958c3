"""Prompts of a reference that no word shows: a run without input ends where the first of them waits."""

from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import Course, grade, prepare

SPEC = """\
spec: 1
id: guess
title: Guess
language: python
files: {required: [guess.py]}
program: python3 guess.py
reference: python3 reference.py
limits: {time: 10 s}
tolerate: {final-newline: 100%, prompt: 100%}
tests: [{name: guessed, points: 1, stdin: "a\\nb\\n", expect: {stdout: reference}}]
"""
ASKS = "for n in range(2):\n    print(n * '_')\n    print('Right' if input('Letter: ') == 'a' else 'Wrong')\n"
OTHER = ASKS.replace("Letter: ", "Your next guess > ")
SILENT = ASKS.replace("Letter: ", "")
WRONG = OTHER.replace("'Right' if", "'Wright' if")
MORE = OTHER.replace("'Right' if", "'not Right' if")


def course(reference: str, folder: Path) -> Course:
    (folder / "reference.py").write_text(reference)
    (folder / "guess.yaml").write_text(SPEC)
    return prepare(folder / "guess.yaml")


def scored(program: str, course: Course) -> bool:
    work = course.spec.root / "work"
    work.mkdir(exist_ok=True)
    (work / "guess.py").write_text(program)
    report = grade(Job(spec=course.spec.root / "guess.yaml", submission=Submission(id="x", path=work)), course)
    assert report.score is not None, report
    return report.score == 1


@pytest.mark.parametrize(
    ("program", "is_right"), [(ASKS, True), (OTHER, True), (SILENT, True), (WRONG, False), (MORE, False)]
)
def test_the_words_of_a_reference_that_waits_behind_them_are_free(
    program: str, tmp_path: Path, *, is_right: bool
) -> None:
    assert scored(program, course(ASKS, tmp_path)) is is_right


def test_what_a_reference_writes_after_it_has_read_is_its_answer(tmp_path: Path) -> None:
    answers = "import sys\nfor row in sys.stdin:\n    print(f'Letter: {row}', end='')\n"
    ready = course(answers, tmp_path)
    assert scored(answers, ready)
    assert not scored(answers.replace("Letter: ", ""), ready)
    assert not scored(answers.replace("Letter: ", "Other: "), ready)


def test_nothing_is_known_of_a_reference_that_never_ends_without_input(tmp_path: Path) -> None:
    endless = "import sys\nwhile (row := sys.stdin.readline()) != 'b\\n':\n    print('Got:', row)\n"
    ready = course(endless, tmp_path)
    assert scored(endless, ready)
    assert not scored(endless.replace("Got:", "Had:"), ready)
