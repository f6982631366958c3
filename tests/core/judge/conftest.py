"""`judged(...)`: what the judge says of an execution, with everything that a test does not speak of left out."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Case, Expectation, Leaf, Toolchain

TOOLCHAIN = Toolchain(
    name="any",
    crash=(r'(?m)^Exception in thread "', r"(?m)^Traceback \(most recent call last\):", r"(?m)^terminate called "),
    out_of_memory=(r"\bjava\.lang\.OutOfMemoryError\b", r"(?m)^MemoryError\b"),
)


def _judged(
    execution: Execution,
    expect: Expectation,
    tolerate: Mapping[str, Fraction] | None = None,
    reference: Execution | None = None,
) -> CaseResult:
    case = Case(id="case", tolerate=tolerate or {}, expect=expect)
    return judge(case, execution, reference, toolchain=TOOLCHAIN, command="./program")


def _held(actual: bytes, expected: bytes, tolerate: Mapping[str, Fraction] | None = None) -> CaseResult:
    reference = Execution(stdout=expected, status=0)
    return _judged(
        Execution(stdout=actual, status=0), Expectation(stdout=Leaf(how="text")), tolerate, reference=reference
    )


@pytest.fixture(scope="session")
def judged() -> Callable[..., CaseResult]:
    """Judge an execution: `judged(execution, expectation, tolerate, reference)`."""
    return _judged


@pytest.fixture(scope="session")
def held() -> Callable[..., CaseResult]:
    """Hold standard output against a text: `held(actual, expected, tolerate)`."""
    return _held
