"""What is examined, a spec with where its parts are written and what was found out about it; and what a rule is."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Self

from msgspec import Struct, convert

from grader.check.expected_results import ReferenceResult, given
from grader.check.samples import read_samples
from grader.core.errors import GraderError
from grader.core.lazy import lazy_call
from grader.core.model.spec import Case, Spec, Test
from grader.core.pipeline import Course
from grader.core.reader.files import nodes_by_path, read_data
from grader.core.text import one_line
from grader.core.yaml.nodes import Node, Scalar
from grader.kinds import Flaw

Level = Literal["error", "warning", "note"]
_template_of = lazy_call("grader.core.report.html", "template_of")  # not before something is found
_MESSAGE_LIMIT = 1000  # bytes of a message: names in it may be anything


class Remark(Struct, frozen=True, kw_only=True, order=True):
    """What is wrong, or good to know: where (`line` and `column` count from 1), by which rule, and what to do."""

    file: str
    line: int
    column: int
    path: str
    level: Level
    rule: str
    message: str

    def __str__(self) -> str:
        """`specs/x.yaml:14:7: warning: tests[2]: ... [rule]`, as compilers write it, so that editors can jump there."""
        path = f"{self.path}: " if self.path else ""
        return f"{self.file}:{self.line}:{self.column}: {self.level}: {path}{self.message} [{self.rule}]"


class Subject(Struct, frozen=True, kw_only=True, dict=True):
    """A spec without mistakes of the language, and all that is known about it."""

    spec: Spec
    file: str  # its name for messages
    nodes: Mapping[str, Node]  # all that is written in it, by path
    course: Course | None = None  # None when nothing could be run
    answers: tuple[ReferenceResult, ...] = ()  # what the reference did in each case, if it could be asked
    faults: list[GraderError] = []  # of the machine, of which no rule tells

    given = staticmethod(given)
    has_right_sample = property(lambda self: any(sample.is_right(self.spec) for sample in read_samples(self.spec)))

    @classmethod
    def of(cls, spec: Spec, file: str, **known: Any) -> Self:
        """Return the spec that is written in a file, with what is known about it."""
        return cls(spec=spec, file=file, nodes=nodes_by_path(spec.source_text, file), **known)

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Iterate over the tests, each with its path."""
        return ((f"tests[{index}]", test) for index, test in enumerate(self.spec.tests))

    @property
    def cases(self) -> Iterator[Case]:
        """All cases of all tests."""
        return (case for test in self.spec.tests for case in test.cases)

    def below(self, above: str) -> list[Case]:
        """Return the cases whose paths begin so."""
        return [case for case in self.cases if f"{case.path}.".startswith(above)]

    def holders(self) -> Iterator[tuple[Case, tuple[str, ...]]]:
        """Iterate over the cases, each with the paths of all that its keys may be written in."""
        for case in self.cases:
            yield case, (*(case.path[: dot.start()] for dot in re.finditer(r"\.", case.path)), case.path)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The characters of each single value in the file, by path."""
        return {path: node.text for path, node in self.nodes.items() if isinstance(node, Scalar)}

    @cached_property
    def _lines(self) -> Sequence[str]:
        return [*self.spec.source_text.decode("utf-8-sig").splitlines(), "", ""]

    def written(self, path: str) -> Sequence[str]:
        """Return what the file has at a path, to the end of the line, and the two lines below."""
        line, column = self.nodes[path].line, self.nodes[path].column
        return [self._lines[line - 1][column - 1 :], *self._lines[line : line + 2]]

    @cached_property
    def shown_right(self) -> tuple[str, ...]:
        """The paths of expectations that the reference meets, so that they are as they were meant."""
        met = {(self.path(answer.case, "expect"), answer.shows_right) for answer in self.answers}
        return tuple(path for path, is_right in met if is_right and (path, False) not in met)

    def path(self, case: Case, *below: str) -> str:
        """Return the path of a case, or of the first of the keys `below` written in it or above it."""
        for key in below:
            for holder in (case.path, case.path.partition(".")[0], "defaults"):
                if f"{holder}.{key}" in self.nodes:
                    return f"{holder}.{key}"
        return case.path

    def expect(self, case: Case, key: str) -> str:
        """Return the path of what is expected of a case under a key, or of the nearest written above it."""
        return self.path(case, f"expect.{key}", "expect")

    def remark(self, name: str, found: Flaw, level: Level | None = None) -> Remark:
        """Say what breaks a rule, where its path is or the nearest above it that is written in the file."""
        rule, (path, sentence, values) = RULE_TABLE[name], found
        written = path
        while written not in self.nodes:
            written = written[: max(written.rfind("."), written.rfind("["), 0)]
        line, column = self.nodes[written].line, self.nodes[written].column
        message, level = one_line(rule.say(sentence, **values), _MESSAGE_LIMIT), level or rule.level
        return Remark(file=self.file, line=line, column=column, path=path, level=level, rule=name, message=message)


class LintRule(Struct, frozen=True, kw_only=True, rename="kebab"):
    """A rule for specs, as `rules.yaml` says it."""

    level: Level
    about: str  # what is wrong with a spec that breaks it, and why that matters
    says: str | Mapping[str, str] = ""  # templates of what is wrong and what to do; by key, if there are several
    asks: Literal["nothing", "functions", "reference", "all"] = "nothing"
    """what has to be run for it: the instructor's functions, or the reference in the sandbox; all by `verify` alone"""
    takes_course: bool = False  # whether it looks at what was run, and at the course also where there is no reference
    words: Mapping[str, str] = {}

    lists = property(lambda self: {name: text.split() for name, text in self.words.items()})
    runs = property(lambda self: self.asks != "nothing" or self.takes_course)  # whether it looks at what was run

    def say(self, sentence: str = "", /, **values: Any) -> str:
        """Return one of its sentences with these values, which may be anything: none is read as a template."""
        template = self.says if isinstance(self.says, str) else self.says[sentence]
        return str(_template_of(text=template).render(values, words=self.words))


RULE_TABLE = convert(read_data(Path(__file__).with_name("rules.yaml")), dict[str, LintRule])
"""name -> rule, in the order in which they are listed"""


def finders_in(*modules: ModuleType | None) -> Sequence[tuple[str, Callable[[Subject], Iterable[Remark]]]]:
    """Return what finds flaws in some modules, each with the name of the rule that a spec breaks by them."""
    values = (value for module in modules if module for value in vars(module).values())
    marked = (value for value in values if hasattr(value, "lint_rule"))
    return [(find.lint_rule["name"], partial(_find, find, **find.lint_rule)) for find in marked]


def _find(
    function: Callable[..., Iterable[Flaw]], subject: Subject, *, name: str, each: str, once: bool
) -> Iterable[Remark]:
    with_paths = {"": [()], "tests": subject.tests(), "texts": subject.texts.items()}
    items = with_paths[each] if each in with_paths else [(item,) for item in getattr(subject, each)]
    remarks = [subject.remark(name, flaw) for item in items for flaw in function(subject, *item)]
    return {remark.path: remark for remark in remarks[::-1]}.values() if once else remarks
