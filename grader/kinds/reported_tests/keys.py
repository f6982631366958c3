"""The keys of `unit` for tests that a command runs and reports."""

from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.yaml.types import Type, any_text, key, keys_of, word
from grader.core.yaml.value import Keys
from grader.kinds.reported_tests.model import REPORT_FORMATS

REPORTED: Keys = keys_of(
    key("command", "commands", into="commands", alternative=True),
    (
        "node --test --test-reporter=tap tests/sum.test.js",
        ["g++ -o tests tests.cpp -lgtest -lgtest_main", "./tests --gtest_output=xml:{report}"],
    ),
    "The command that runs tests of another framework together with the submission, or several, one after the other. "
    "`{report}` stands for a file to write the report to.",
    key("report", "report-format", into="format", beside="command"),
    "What the command reports in: the file `{report}`, the files of `from`, or else standard output.",
    key("from", "report-files", into="source", beside="command", examples=("build/results/*.xml",)),
    "The files to which the command writes its report, where it cannot be told `{report}`. What a submission has "
    "there is taken away first.",
    key("tests", "method-names", beside="command", examples=(["adds two numbers", "refuses words"],)),
    "The names of the tests, as the report has them; without it, those in the report of the reference.",
)
REPORTED_TYPES: Mapping[str, Type] = {
    "report-format": word("format of a report", known={str(name): about for name, about in REPORT_FORMATS.items()}),
    "report-files": Type(
        any_text(pattern=r"^[\w.*-][\w./*-]*$"),
        "the path of a file in the working folder, or a glob such as `build/*.xml`",
        lazy_call("grader.kinds.reported_tests.reader", "read_report_files"),
    ),
}
