"""Unit tests of the course: the methods that an instructor names, and the result of a method."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from msgspec.structs import replace

from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.execution import CaseFacts
from grader.core.model.spec import Payload
from grader.kinds.harness.host import Outcome

UnitFramework = Literal["junit", "pytest", "unittest"]
_CLASS = lazy_regex(r"\b[A-Z]\w*")
_IMPORT = lazy_regex(r"(?m)^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))")
ALL_METHODS = "*"  # stands for the methods of a file whose text shows none, until the framework has collected them
UNIT_LANGUAGES: Mapping[UnitFramework, str] = {"junit": "java", "pytest": "python", "unittest": "python"}
"""The frameworks in which unit tests may be written, and the language that they test."""
UNIT_PACKAGES = {"junit": "junit5", "pytest": "python3-pytest"}  # of Debian; unittest comes with its language
_command_text = lazy_call("grader.kinds.unit_tests.probe", "unit_by_hand")


class UnitMethod(Payload, frozen=True, kw_only=True):
    """A method of a unit test, which runs together with the student's code."""

    framework: UnitFramework
    file: str  # the name of the test's file, below the course root
    source: bytes
    method: str
    """`BankTest.deposits`, `TestBank.test_deposit` or `test_deposit`; a class within a package is in it by full name"""
    helpers: Mapping[str, bytes] = {}  # files of the course beside the test: path from the test's folder -> content
    jars: Mapping[str, bytes] = {}  # the course's archives for a test in Java: name below the course root -> content
    is_chosen: bool = False  # whether `only` names it; otherwise its test has all methods of the file
    weights: Mapping[str, Fraction] = {}  # names and globs -> the weights of methods that only the framework finds
    fault: str = ""  # why it runs with no submission, by the course's own fault; known when the course is prepared
    skips: tuple[str, ...] = ()  # the values with which the course itself skips it, or expects it to fail
    together: bool = False  # whether it shares its process with the other methods of its test
    by_value: bool = False  # whether it gives a share of its points for each value of the reference's
    is_counted: bool = False  # whether there are as many as pytest collects, for want of a reference
    values: int = 0
    idle: tuple[int, ...] = ()  # how many there are then, and which the course skips

    given = property(lambda self: (self.file, self.method))
    why_not_public = property(lambda _: "its unit test is a file of the course's own")
    is_timed = property(lambda self: self.framework != "junit")  # which compiles a test with the reference each time
    packages = property(lambda self: tuple(filter(None, [UNIT_PACKAGES.get(self.framework)])))
    command_text = property(lambda self: lambda spec: _command_text(self, spec))
    name = property(lambda self: self.method.rpartition(".")[2])  # its last part, as a sentence has it
    asks_reference = property(lambda self: self.by_value and not self.is_counted)  # with how many values it is run
    for_one_run = property(lambda self: None if self.framework == "junit" else replace(self, together=True))

    @property
    def programs(self) -> tuple[str, ...]:
        """The modules that the test imports, or the classes that it names."""
        text = self.source.decode(errors="replace")
        return tuple(dict.fromkeys(_CLASS.findall(text))) if self.framework == "junit" else modules_imported_by(text)


class UnitFailure(Outcome, frozen=True, kw_only=True):
    """Why a method, or one of its runs with other values, did not pass."""

    kind: Literal["assertion", "exception", "skipped"]  # the message of an assertion is its author's, if any
    given: str = ""  # with which values it was run, of several; empty for a method that is run once
    asserted: str = ""  # the asserted expression, as the test has it; empty where it is unknown
    found: str | None = None
    wanted: str | None = None
    how: str = "=="  # the two values that were compared, written out, where they are known, and how
    test_place: str = ""
    lacks: str = ""  # the class of Java whose absence is the cause


class UnitRun(CaseFacts, frozen=True, kw_only=True):
    """The result of a method, as recorded when it was over."""

    is_recorded: bool = True  # False when the process ended before, or the record is not ours
    runs: int = 0
    done: int = 0  # how many runs of the method there are, and how many of them came to an end
    time: int = 0
    cpu: int = 0  # milliseconds that it took, as the probe measured them: by the clock, and of the processor
    failures: tuple[UnitFailure, ...] = ()
    loading: UnitFailure | None = None  # what ended the loading of the test, or what is done before it
    share: str = ""  # of its points, 0 to 1, as set by `set_score` of `gradescope_utils`; empty where it set none
    values: int = 0  # with how many values it was run: the runs, or the subtests of `unittest`
    passed: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()  # the values with which it passed, by their places from 0, and was skipped
    failed_outside: bool = False  # whether something failed that belongs to none of its values
    silent = property(lambda _: UnitRun(is_recorded=False))


@lru_cache(maxsize=64)
def modules_imported_by(text: str) -> tuple[str, ...]:
    """Return the modules that files in Python import, as far as their lines show it."""
    clauses = (clause.strip() for names in _IMPORT.findall(text) for clause in ",".join(names).split(","))
    return tuple(dict.fromkeys(word for clause in clauses if (word := clause.partition(".")[0].partition(" ")[0])))


def case_label(method: str, file: str) -> str:
    """Return what a method is called among the cases: without the class that the file is named for."""
    owner, _, name = method.rpartition(".")
    inner = owner.rpartition(".")[2].removeprefix(PurePosixPath(file).stem).lstrip("$")
    return f"{inner.replace('$', '.')}.{name}" if inner else name


unit_of, method_of, unit_run_of = UnitMethod.of, UnitMethod.required, UnitRun.of
"""the method of a case, which may or may not be of another kind; and the result of a method"""
