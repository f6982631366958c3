"""The keys of `unit`: a unit test of the course."""

from collections.abc import Mapping

from grader.core.yaml.nodes import plain
from grader.core.yaml.types import Begin, Type, any_of, key, list_of, mapping_of, tables_of
from grader.core.yaml.value import choice
from grader.kinds.reported_tests.keys import REPORTED, REPORTED_TYPES
from grader.kinds.unit_tests.model import UnitMethod

tables = tables_of(
    Begin("unit", of=UnitMethod),
    key("junit", "path", alternative=True, examples=("tests/BankTest.java",)),
    "The file of a test for JUnit 5, 4 or 3, below the course root.",
    key("pytest", "path", alternative=True, examples=("tests/test_bank.py",)),
    "The file of a test for pytest.",
    key("unittest", "path", alternative=True),
    "The file of a test for the `unittest` of Python.",
    key("only", "method-names", examples=(["test_deposit*"],)),
    "Names or globs of the methods that are the cases of this test; without it, all.",
    key(
        "with",
        "unit-files",
        examples=(["tests/conftest.py", "tests/helpers.py"], {"data.csv": {"file": "data/small.csv"}}),
    ),
    "Files and folders of the course that the test imports or reads, such as `conftest.py`. They are put beside "
    "the test by their names, or by their paths where they are below its folder; no file of a submission takes "
    "their place. A mapping says under which names instead, as in `build`.",
    key("weights", "method-weights", examples=({"test_deposit": 3, "TestReport.*": 0.5},)),
    "How much methods count, by names or globs; the points are shared in these proportions. A name comes before a "
    "glob, and the first glob that fits decides. All others count 1, or what `@weight` and `@partial_credit` of "
    "`gradescope_utils` say.",
    key("jars", "jars", examples=(["lib/assertj-core.jar"],)),
    "Archives of classes that a test for JUnit needs, such as AssertJ, below the course root. They are on the "
    "class path of the test alone, before all that was handed in; those that submissions use as well are named by "
    "`jars` of `build`.",
    key("modules", "java-modules", examples=(["jdk.unsupported"],)),
    "Modules of Java that archives of a test for JUnit need. This changes nothing: it has all of them.",
    key("values", "value-points", into="by_value", examples=("share",)),
    "What a method gets that is run with several values (`parametrize`, `subTest`, `@ParameterizedTest`, "
    "`@RepeatedTest`): with `all` its points where it passes with all of them, with `share` the share of them "
    "with which it passes. How many there are, the run of the reference says.",
    key("together", "boolean"),
    "Whether the methods run in one process, in the order of their framework, as those have to that build on each "
    "other. What one of them does can then change what comes of the others.",
    REPORTED,
)
types: Mapping[str, Type] = {
    "method-names": list_of("text", 1),
    "unit-files": Type(any_of(list_of("path", 1), "work-files")),
    "method-weights": mapping_of("points", least=1),
    "value-points": Type(
        {"enum": ["all", "share"]},
        read=lambda value: choice(("all", "share"), "way to count values")(value) == "share",
        write=lambda by_value: plain("share" if by_value else "all"),
    ),
    "java-modules": list_of("text", 1, schema={"uniqueItems": True}),
    **REPORTED_TYPES,
}
goes_with = ("env", "files", "limits", "memory-clean", "patience", "repeat", "stdin", "unlike")
beside = {
    "weights": "unit has weights of its own: put them there",
    "*": "{key} has no meaning beside unit, which says itself what is right: take it out",
}
_EXAMPLES = ({"pytest": "tests/test_bank.py"}, {"junit": "tests/BankTest.java"})
_ABOUT = "A unit test of the course's, each of whose methods is a case."
added = {"test": key("unit", about=_ABOUT, examples=_EXAMPLES, after="cases")}
