"""What stands in `classroom.yml` around its tests: each of it is carried over, or told."""

import pytest

from grader.imports.github_classroom import parse_workflow
from tests.support.rows import read_data

DATA = read_data(__file__)
_JOBS = DATA["_JOBS"]


def test_what_stands_around_the_tests_is_carried_over_or_told() -> None:
    found = parse_workflow(_JOBS.encode(), "classroom.yml")
    assert {test.name: test.points for test in found.tests} == {"one": 2, "two": 0, "three": 1}
    assert found.env == {"MODE": "fast", "LEVEL": "3"}
    assert [[loss.rule, loss.where, loss.detail] for loss in found.losses] == DATA["LOSSES"]


@pytest.mark.parametrize("reporter", ["", "    - uses: education/autograding-grading-reporter@v1\n"])
def test_without_runners_each_test_counts(reporter: str) -> None:
    step = "uses: education/autograding-command-grader@v1\n      with: {test-name: a, command: ./a, max-score: 3}"
    found = parse_workflow(f"jobs:\n  grade:\n    steps:\n    - {step}\n{reporter}".encode(), "classroom.yml")
    assert [test.points for test in found.tests] == [3]
    assert not found.losses


def test_what_a_step_gives_and_its_action_does_not_take_counts_nothing() -> None:
    given = "command: ./a, input: '1', expected-output: b, comparison-method: exact, timeout: '2', output: c, run: ./d"
    step = f"uses: education/autograding-io-grader@v1\n      with: {{{given}}}"
    (test,) = parse_workflow(f"jobs:\n  grade:\n    steps:\n    - {step}\n".encode(), "classroom.yml").tests
    assert (test.run, test.input, test.output, test.seconds) == ("./a", "1", "b", 120)
