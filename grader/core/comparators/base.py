"""What a comparator is: everything that the parts of grader ask of one, in one record.

A comparator decides whether a text, mostly a stream, is what a spec asks for. The loader asks how it is read, the
schema and the pages what its keys take, the judge how it compares, lint what it can find, handouts how it is told of,
and who writes specs how it is written.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.bounded_regex import lines_that_count
from grader.core.deviations.normalise import Kinds
from grader.core.model import Check, Deviation, Expected, Tolerances
from grader.core.yaml.json_schema_parts import JsonSchema
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import Key, Keys, Value, escaped, is_reference
from grader.core.yaml.writing import listing, plain, quoted, table

WantedPlace = Literal["stdout", "stderr", "files", "call"]

WRONG: Kinds = frozenset({"wrong"})


class Wanted(Struct, frozen=True, kw_only=True):
    """What one stream or file is expected to hold, and under which name it is spoken of."""

    how: str
    """the name of a comparator"""
    values: tuple[bytes, ...]
    """one text (of lines or words too, joined), or all that `contains` looks for"""
    tolerate: Tolerances
    place: WantedPlace
    where: str
    """"standard output", "the file `x`" """
    ordered: bool = True
    tolerance: float = 0.0
    relative: float = 0.0
    about: str = ""
    """what is asked for or, of `not`, what must not be, in words for students"""
    parts: tuple["Wanted", ...] = ()
    """of what is made of others: what each of them asks for"""
    check: Check | None = None
    """what to ask, where a function of the instructor decides"""
    only: str = ""
    skip: str = ""
    """patterns that choose the lines which are compared; `values` has no others any more"""

    @property
    def leaves(self) -> tuple["Wanted", ...]:
        """All that is compared in the end: this one, or those of which it is made; a `not` is whole."""
        parts = self.parts if self.how != "not" else ()
        return tuple(leaf for part in parts for leaf in part.leaves) if parts else (self,)

    def of(self, place: WantedPlace, where: str) -> "Wanted":
        """Ask the same of another place."""
        return replace(self, place=place, where=where, parts=tuple(part.of(place, where) for part in self.parts))

    def chosen(self, text: bytes) -> bytes:
        """Return the lines of a text that are compared. Raises as a search does when a pattern takes too long."""
        return lines_that_count(text, only=self.only, skip=self.skip)

    def deviation(self, kind: str, message: str) -> Deviation:
        """Name a deviation here, with what it leaves."""
        return Deviation(kind=kind, stream=self.place, message=message, keeps=self.tolerate.get(kind, Fraction(0)))


Beside = Mapping[str, tuple[Value, Value]]
"""name -> key and value of what stands beside a comparator in its mapping"""
Compare = Callable[[bytes, Wanted], tuple[Deviation, ...]]


def read_or_reference(reader: Callable[[Value], tuple[str, ...]]) -> Callable[[Value], tuple[str, ...] | None]:
    """Make a reader of what is wanted also read the word `reference`, as None."""
    return lambda value: None if is_reference(value) else reader(value)


def text_node(text: str) -> Node:
    """Write a text so that its braces are no variables."""
    return quoted(escaped(text))


def text_nodes(texts: Sequence[str]) -> Node:
    """Write a list of texts."""
    return listing(map(text_node, texts))


def write_mapping(expected: Expected, write_want: Callable[[tuple[str, ...]], Node], **options: Node) -> Node:
    """Write a mapping with a comparator in it; `write_want` writes what is wanted, unless that is the reference's."""
    want = plain("reference") if expected.want is None else write_want(expected.want)
    return table({expected.how: want, **options})


def asks_for_text(expected: Expected) -> bool:
    """Whether something is wanted that an empty text is not."""
    return expected.want is None or any(text.strip() for text in expected.want)


class Comparator(Struct, frozen=True, kw_only=True):
    """One way to compare a text with what is wanted."""

    name: str
    """as it stands in a spec and in `Expected.how`"""
    key: Key | None
    """its key in a mapping, as people are told of it; None for one that is a word alone"""
    options: Keys = field(default_factory=dict)
    """the keys that may stand beside it, and mean nothing without it"""
    kinds: Mapping[str, JsonSchema] = field(default_factory=dict)
    """kinds of values that its keys take and that other keys do not bring along"""
    example: str
    """YAML that it reads"""
    read: Callable[[Value, Beside], Expected]
    """makes an expectation of the value of its key and of what stands beside it"""
    compare: Compare
    """returns the deviations of a text, none when it is right; linear in its size, for 8 MiB of hostile bytes come
    through it; raises Wrong for what is too much, and HostError for an expectation that cannot be used"""
    reachable: Callable[[Expected], Kinds] = lambda _expected: WRONG
    """returns the deviations that it can name, whatever a program writes; none when everything is right"""
    asks: Callable[[Expected], bool] = asks_for_text
    """whether an empty text would be wrong, so that the right one can be on the other stream"""
    words: Callable[[Expected, str], str]
    """tells students what is asked for; the text is what is wanted, listed, or "of the right answer" """
    write: Callable[[Expected], Node]
    """the other way round from `read`; ValueError when that has no form in a spec"""
    freeze: Callable[[bytes], tuple[str, ...]] = lambda output: (output.decode(),)
    """makes what is wanted of the reference's output; ValueError when a spec has no form for it"""
    join: Callable[[tuple[bytes, ...]], bytes] | None = None
    """makes one text of all that is wanted, where that is compared as one"""
    linewise: bool = False
    """whether it says how every line looks; else the layout is the program's"""
    whole: bool = False
    """whether it says all that a stream may hold"""
    shown: bool = False
    """whether a report shows what is wanted beside what was written"""
