"""The keys of `student-tests`: the tests that a student wrote, run with the programs of the course."""

from collections.abc import Mapping

from grader.core.yaml.types import Begin, Type, any_of, key, keys_of, list_of, mapping_of, tables_of
from grader.core.yaml.value import Keys

tables = tables_of(
    Begin("student-tests"),
    key("pytest", "path", alternative=True, examples=("test_bank.py",)),
    "The file with the tests, for pytest, as students hand it in.",
    key("unittest", "path", "The file with the tests, for the `unittest` of Python.", alternative=True),
    key("junit", "path", "The file with the tests, for JUnit 5 or 4.", alternative=True, examples=("BankTest.java",)),
    key("command", "commands", into="commands", alternative=True, examples=("sh test.sh",)),
    "The command that runs the tests, or several, one after the other. With status 0 all of them passed.",
    key("report", "report-format", into="format", beside="command"),
    "What the command reports in, so that each test counts by itself; as for `unit`.",
    key("from", "report-files", "The files to which the command writes its report.", into="source", beside="command"),
    key("right", "right-programs", required=True),
    ("reference/bank.py", ["reference/bank.py", "reference/other/bank.py"]),
    "The right program: a file that is put into the working folder by its name, or a folder whose files are. Several "
    "are written in different ways, and the tests have to pass with each.",
    key("wrong", "path", required=True, examples=("wrong",)),
    "The folder with the wrong programs: each is a folder in it, whose files take the place of those of the right "
    "program, or a file that takes the place of its only one.",
    key("about", "program-descriptions", examples=({"negative": "a negative amount is taken"},)),
    "What is wrong with the wrong programs, by the names of their files or folders. Students read it where their "
    "tests miss one, after the words: they miss one in which.",
)
types: Mapping[str, Type] = {
    "right-programs": Type(any_of("path", list_of("path", 1))),
    "program-descriptions": mapping_of("text", least=1),
}
goes_with = ("env", "limits")
beside = {"*": "{key} has no meaning beside student-tests, which runs them itself: take it out"}
_EXAMPLE = {"pytest": "test_bank.py", "right": "reference/bank.py", "wrong": "wrong"}
_ADDED: Keys = keys_of(
    key("student-tests", examples=(_EXAMPLE,), after="cases"),
    "The tests that a student wrote: they have to pass with the right program of the course, and to fail with each "
    "wrong one, which is a case.",
)
added = {"test": _ADDED}
