"""An assignment between the parser of another grader's files and the writer of a spec: records of plain data.

A parser makes no YAML, escapes nothing and chooses no path of the course: `writer` does. So `Data` in these records is
a text, a number, a boolean, a list or a mapping of such, a `CourseFile` or an `OpenCheck` of this module, or a node of
YAML, which is written as it is. None stands for a key that is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grader.core.model.layout import LazyBytes

Data = object
Points = Fraction | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFile:
    """A file of the other grader. Where a spec names it the writer places it, apart from all others.

    As `stdin`, and among `files` and `with`, it is written as `{file: PATH}`, elsewhere as its path.
    """

    name: str  # its path in the assignment of the other grader
    content: LazyBytes
    folder: str = "data"  # the folder of the course: `data`, `tests` or `reference`


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCheck:
    """A check that the course has to write; until then its case is ungraded, and lint reports it."""

    name: str
    reason: str
    source: str = ""  # what it replaces, as the other grader has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What is otherwise here than there, by a rule of `LOSSES`."""

    rule: str
    where: str = ""  # the test or file that it is about; empty for the whole
    detail: str = ""  # what stands for `{}` in the sentence of the rule
    points: Points = 0  # by how much the assignment is worth less here than there


def losses_where(details: Mapping[str, object]) -> list[Loss]:
    """Return a loss for each rule that has a detail, or is true."""
    return [Loss(rule=rule, detail="" if detail is True else str(detail)) for rule, detail in details.items() if detail]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCase:
    """A case: its command, its input and what is expected. All texts are literal: `{` is a brace."""

    command: Sequence[str] = ()  # all words of it; the program of the assignment without arguments where it is empty
    stdin: Data = None
    files: Mapping[str, Data] = field(default_factory=dict)
    limits: Mapping[str, Data] = field(default_factory=dict)  # seconds, bytes or a number; or a text such as `500 ms`
    tolerate: Mapping[str, Data] = field(default_factory=dict)
    expect: Data = None
    keys: Mapping[str, Data] = field(default_factory=dict)  # such as `dialogue`, or those of functions


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTest:
    """A test: its cases, an `OpenCheck` for all of it, or none where a kind makes the cases from `keys`."""

    name: str
    points: Points | None = 1  # None where `keys` say `costs`; a `bonus` is not among those of the assignment
    about: str = ""
    hidden: bool = False
    needs: Sequence[str] = ()
    cases: Sequence[DraftCase] | OpenCheck = ()
    keys: Mapping[str, Data] = field(default_factory=dict)  # such as `unit`, `all_or_nothing`, `weights`


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSample:
    """A submission with a known score, for `grader verify`."""

    files: Mapping[str, LazyBytes]
    score: Points | str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An assignment as it was read."""

    id: str
    format: str  # the name of its importer, under which `LOSSES` has its rules
    origin: str  # what it was made of, as a comment tells it
    language: str
    tests: Sequence[DraftTest]
    title: str = ""
    required: Sequence[str] = ()
    program: Sequence[str] = ()
    # other keys of the spec: `about`, `requires`, `build`, `limits`, `reference`, `defaults`, also more of `files`
    keys: Mapping[str, Data] = field(default_factory=dict)
    points: Points | None = None  # what the assignment is worth there, where that is known
    losses: Sequence[Loss] = ()
    # path below the course root -> content, of what `keys` name by text; nothing else is placed there
    files: Mapping[str, LazyBytes] = field(default_factory=dict)
    shared: Mapping[str, LazyBytes] = field(default_factory=dict)  # for several assignments; one that is there stays
    samples: Mapping[str, DraftSample] = field(default_factory=dict)
    others: Sequence["Draft"] = ()  # of the same source: in other languages, or of other repositories

    @property
    def lost(self) -> Fraction:
        """By how much it is worth less here, as its losses say."""
        return sum((Fraction(loss.points) for loss in self.losses), Fraction(0))
