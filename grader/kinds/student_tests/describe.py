"""The tests of students in a handout and in reports."""

from collections.abc import Iterator, Sequence

from grader.core.model.spec import Case, Spec
from grader.core.text import count
from grader.kinds.student_tests.model import program_of
from grader.kinds.student_tests.suites import script_of


def describe_cases(cases: Sequence[Case], _spec: Spec) -> Iterator[str]:
    """Describe with what the tests are run, as lines of Markdown."""
    wrong = sum(1 for case in cases if (program := program_of(case)) and program.name)
    yield f"Your tests are run with a right program of ours, and with {count(wrong, 'wrong program')}."
    yield "A test that fails with the right program does not count; each wrong program that fails another test does."


def command_text(case: Case, _spec: Spec) -> str:
    """Return the command that runs the tests by hand, with one's own program."""
    program = program_of(case)
    if program is None:
        return ""
    suite = program.suite
    if suite.framework == "unittest":
        return f"python3 -m unittest {' '.join(suite.has_files)}"
    if suite.framework == "junit":
        names = " ".join(f"--select-class {file.removesuffix('.java')}" for file in suite.has_files)
        return f"java org.junit.platform.console.ConsoleLauncher {names}"
    if suite.framework == "pytest":
        return f"pytest {' '.join(suite.has_files)}"
    return script_of(suite.commands).replace("exec ", "")
