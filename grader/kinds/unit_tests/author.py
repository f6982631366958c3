"""Unit tests in a handout: the names of their methods."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from grader.core.model.spec import Case, Spec
from grader.core.report.feedback import code
from grader.kinds.unit_tests.junit_jars import is_junit_4
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFramework, unit_of

_FRAMEWORKS: Mapping[UnitFramework, str] = {"junit": "JUnit 5", "pytest": "pytest", "unittest": "`unittest`"}


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe the methods of a unit test, as lines of Markdown."""
    methods = [method for case in cases if (method := unit_of(case))]
    if any(method.method == ALL_METHODS for method in methods):
        file = code(methods[0].file.rpartition("/")[2])
        yield f"A unit test of ours, {file}, which makes its methods when it is loaded."
        return
    file, framework = methods[0].file, methods[0].framework
    named = "JUnit 4" if is_junit_4(methods[0]) else _FRAMEWORKS[framework]
    jars = ", ".join(code(PurePosixPath(name).name) for name in methods[0].jars)
    beside = f" with {jars}" if jars else ""
    yield f"Methods of a unit test of ours, {code(file.rpartition('/')[2])} for {named}{beside}:"
    yield from ("", *(f"- {code(method.name)}" for method in methods))
    if methods[0].by_value:
        yield ""
        yield "A method that is run with several values gives a share of its points for each with which it passes."
