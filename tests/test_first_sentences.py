"""`tests/first_sentences`: the first sentence of 234 broken programs names the cause, as `wanted.yaml` states it.

What is wanted was written before any of them was graded. `MISSES` names those whose first sentence does not name it.
"""

import pytest

from grader.core.model.report import Verdict
from tests.support.first_sentences import COURSE, grade_program, said_first, wanted

MISSES = frozenset(
    f"{spec}/{name}"
    for spec, names in {
        "c-marks": "own-file",
        "c-words": "waits-for-a-word",
        "c-route": "longest-not-set room-for-four no-braces",
        "js-votes": "counts-as-texts header-counts",
        "py-stock": "count-as-text",
    }.items()
    for name in names.split()
)
PROGRAMS = [
    pytest.param(*program, marks=[pytest.mark.soak] if place % 3 else []) for place, program in enumerate(wanted())
]
"""each third one each time, the others by `make soak`"""

pytestmark = pytest.mark.usefixtures("shared_cache")
TOO_BUSY = "The machine was too busy"


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("spec", "name"), PROGRAMS, ids=lambda word: word)
def test_the_first_sentence_names_the_cause(spec: str, name: str) -> None:
    report = grade_program(spec, name)
    told = [case.message for test in report.tests for case in test.cases if case.verdict is Verdict.UNGRADED]
    if told and all(message.startswith(TOO_BUSY) for message in told):
        pytest.skip("the machine is too busy for a program that never ends")
    one = wanted()[spec, name]
    assert one.is_fair(report.score), report.score
    said = said_first(report)
    if f"{spec}/{name}" not in MISSES:
        assert one.differences(said) == [], said


def test_all_but_eight_name_the_cause() -> None:
    assert len(wanted()) == 234
    assert len(MISSES) <= 8


def test_there_are_programs_in_each_language() -> None:
    for language, number in (("c", 50), ("java", 50), ("py", 58), ("js", 28), ("cpp", 28), ("rb", 20)):
        assert len([spec for spec, _ in wanted() if spec.startswith(f"{language}-")]) == number
    there = {(path.parent.name, path.name) for path in (COURSE / "submissions").glob("*/*")}
    assert there == set(wanted())
    assert {f"{spec}/{name}" for spec, name in wanted()} >= MISSES
