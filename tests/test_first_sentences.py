"""`tests/first_sentences`: the first sentence of 1307 broken programs names the cause, as `wanted.yaml` states it.

What is wanted was written before any of them was graded. `MISSES` names those whose first sentence does not name it.
"""

from itertools import groupby

import pytest

from grader.core.model.report import Verdict
from tests.support.first_sentences import COURSE, grade_program, said_first, wanted
from tests.support.rows import read_data
from tests.support.sampled import in_sample

MISSES = frozenset(f"{spec}/{name}" for spec, names in read_data(__file__)["MISSES"].items() for name in names.split())


def language_of(program: tuple[str, str]) -> str:
    return program[0].partition("-")[0]


PROGRAMS = [
    pytest.param(*program, marks=[] if in_sample(place, 48) else [pytest.mark.soak])
    for _, programs in groupby(sorted(wanted(), key=language_of), key=language_of)
    for place, program in enumerate(programs)
]
"""of each language the first and each 48th of the others each time, the rest by `make soak`"""

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


def test_all_but_some_name_the_cause() -> None:
    assert len(wanted()) == 1307
    assert len(MISSES) <= 247


def test_there_are_programs_in_each_language() -> None:
    for language, number in (
        ("c", 232),
        ("java", 216),
        ("py", 345),
        ("js", 212),
        ("cpp", 201),
        ("rb", 46),
        ("pas", 32),
        ("lua", 13),
        ("pl", 3),
        ("pro", 3),
        ("sh", 2),
        ("sql", 2),
    ):
        assert len([spec for spec, _ in wanted() if spec.startswith(f"{language}-")]) == number
    there = {(path.parent.name, path.name) for path in (COURSE / "submissions").glob("*/*")}
    assert there == set(wanted())
    assert {f"{spec}/{name}" for spec, name in wanted()} >= MISSES
