"""Unit tests in a handout: the names of their methods."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from grader.core.model.spec import Case, Spec
from grader.core.report.document import code
from grader.kinds.unit_tests.junit_jars import is_junit_4
from grader.kinds.unit_tests.model import ALL_METHODS, unit_of

_FRAMEWORKS = {"junit": "JUnit 5", "pytest": "pytest", "unittest": "`unittest`"}


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe the methods of a unit test, as lines of Markdown."""
    methods = [method for case in cases if (method := unit_of(case))]
    file = code(methods[0].file.rpartition("/")[2])
    if any(method.method == ALL_METHODS for method in methods):
        yield f"A unit test of ours, {file}, which makes its methods when it is loaded."
        return
    named = "JUnit 4" if is_junit_4(methods[0]) else _FRAMEWORKS[methods[0].framework]
    jars = ", ".join(code(PurePosixPath(name).name) for name in methods[0].jars)
    beside = f" with {jars}" if jars else ""
    yield f"Methods of a unit test of ours, {file} for {named}{beside}:"
    yield from ("", *(f"- {code(method.name)}" for method in methods))
    if methods[0].by_value:
        yield from (
            "",
            "A method that is run with several values gives a share of its points for each with which it passes.",
        )
