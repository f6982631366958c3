"""The keys of `student-tests`: the tests that a student wrote, run with the programs of the course."""

from collections.abc import Mapping

from grader.core.yaml.types import Type, list_of, mapping_of
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

STUDENT_TESTS: Keys = {
    "pytest": Key(
        about="The file with the tests, for pytest, as students hand it in.",
        kind="path",
        alternative=True,
        examples=("test_bank.py",),
    ),
    "unittest": Key(about="The file with the tests, for the `unittest` of Python.", kind="path", alternative=True),
    "junit": Key(
        about="The file with the tests, for JUnit 5 or 4.", kind="path", alternative=True, examples=("BankTest.java",)
    ),
    "command": Key(
        about="The command that runs the tests, or several, one after the other. With status 0 all of them passed.",
        kind="commands",
        alternative=True,
        examples=("sh test.sh",),
    ),
    "report": Key(
        about="What the command reports in, so that each test counts by itself; as for `unit`.",
        kind="report-format",
        beside="command",
    ),
    "from": Key(about="The files to which the command writes its report.", kind="report-files", beside="command"),
    "right": Key(
        about="The right program: a file that is put into the working folder by its name, or a folder whose files are. "
        "Several are written in different ways, and the tests have to pass with each.",
        kind="right-programs",
        required=True,
        examples=("reference/bank.py", ["reference/bank.py", "reference/other/bank.py"]),
    ),
    "wrong": Key(
        about="The folder with the wrong programs: each is a folder in it, whose files take the place of those of the "
        "right program, or a file that takes the place of its only one.",
        kind="path",
        required=True,
        examples=("wrong",),
    ),
    "about": Key(
        about="What is wrong with the wrong programs, by the names of their files or folders. Students read it where "
        "their tests miss one, after the words: they miss one in which.",
        kind="program-descriptions",
        examples=({"negative": "a negative amount is taken"},),
    ),
}
_TYPES: Mapping[str, Type] = {
    "right-programs": Type({"anyOf": [{"$ref": "#/$defs/path"}, list_of("path", 1)]}),
    "program-descriptions": Type({**mapping_of("text"), "minProperties": 1}),
}


def keys() -> KindKeys:
    """Return what the tests of students add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="test",
                name="student-tests",
                after="cases",
                key=Key(
                    about="The tests that a student wrote: they have to pass with the right program of the course, and "
                    "to fail with each wrong one, which is a case.",
                    kind="student-tests",
                    examples=({"pytest": "test_bank.py", "right": "reference/bank.py", "wrong": "wrong"},),
                ),
            ),
        ),
        tables={"student-tests": STUDENT_TESTS},
        types=_TYPES,
    )
