"""The record of a comparator: everything that the parts of grader need of one.

A comparator decides whether a text, mostly a stream, meets a spec. The reader uses `read`; the schema and the pages use
its keys; the judge uses `compare`; lint uses `reachable`; handouts use `words`; writers of specs use `write`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, cast

from msgspec import Struct, field

from grader.core.deviations.table import Kinds
from grader.core.lazy import lazy_call
from grader.core.model.report import Deviation
from grader.core.model.spec import Expected, Leaf, Tolerances
from grader.core.model.values import Check
from grader.core.yaml.nodes import Node, plain, table
from grader.core.yaml.types import JsonSchema, node_of
from grader.core.yaml.value import Key, Keys, Value

_lines_that_count: Callable[..., bytes] = lazy_call("grader.core.bounded_regex", "lines_that_count")
WantedPlace = Literal["stdout", "stderr", "files", "call"]
WRONG: Kinds = frozenset({"wrong"})
OWN_ANSWER = "what the course's own solution writes in the same run"
"""what a text is compared with that stands in no spec, in words for students"""


class Wanted(Struct, frozen=True, kw_only=True):
    """The expected content of one stream or file, and the name of that place in sentences."""

    asked: Expected  # what the spec says of it
    parts: tuple["Wanted", ...] = ()  # the content that each part of `asked` expects
    values: tuple[bytes, ...] = ()
    """of a leaf: one text (of lines or words too, joined), or all that `contains` looks for, reduced to what counts"""
    tolerate: Tolerances
    place: WantedPlace
    where: str  # "standard output", "the file `x`"
    check: Check | None = None
    stdin: bytes = b""
    """of the reference's answer: what it read on standard input, so that its own prompts are no part of the answer"""
    prompt: bytes = b""  # of the reference's answer: what it asks with, as far as that is known

    @property
    def leaf(self) -> Leaf:
        """The comparison, where it is a single one."""
        return cast("Leaf", self.asked)

    def chosen(self, text: bytes) -> bytes:
        """Return the lines of a text that are compared; raises like a search if a pattern times out."""
        own = self.leaf
        return _lines_that_count(text, only=own.only, skip=own.skip, part=own.part) if own.is_selective else text

    def deviation(self, kind: str, message: str) -> Deviation:
        """Make a deviation at this place, with the credit that it keeps."""
        return Deviation(kind=kind, stream=self.place, message=message, keeps=self.tolerate.get(kind, Fraction(0)))


Siblings = Mapping[str, tuple[Value, Value]]
"""name -> key and value of the other keys in a comparator's mapping"""


def write_mapping(leaf: Leaf, write_want: Callable[[tuple[str, ...]], Node] = node_of) -> Node:
    """Write a mapping with a comparator, the wanted texts, unless they are the reference's, and the options."""
    want = plain("reference") if leaf.want is None else write_want(leaf.want)
    return table({leaf.how: want, **getattr(leaf.options, "nodes", dict)()})


class Comparator(Struct, frozen=True, kw_only=True):
    """One way to compare a text with what is wanted."""

    name: str
    key: Key
    options: Keys = field(default_factory=dict)
    """the further keys of its mapping, which are only valid with it; `read` puts them into `Leaf.options`"""
    kinds: Mapping[str, JsonSchema] = field(default_factory=dict)
    """kinds of values of its keys that no other key defines"""
    example: str  # YAML that it reads
    read: Callable[[Value, Siblings], Leaf]
    """makes a leaf from the value of its key and its siblings"""
    compare: Callable[[bytes, Wanted], tuple[Deviation, ...]]
    """returns the deviations of a text, none when it is right; takes time linear in its size, as it may be 8 MiB of
    hostile bytes; raises Wrong for a text that is too complex, and HostError for an unusable expectation"""
    reachable: Callable[[Leaf], Kinds] = lambda _leaf: WRONG
    """returns all deviations that it can name; none if every text is right"""
    asks: Callable[[Leaf], bool] = lambda leaf: leaf.want is None or any(text.strip() for text in leaf.want)
    """whether an empty text would be wrong, so that the right one can be on the other stream"""
    words: Callable[[Leaf, str], str]
    """describes the expectation to students; the text lists the wanted texts, or is of `OWN_ANSWER`"""
    write: Callable[[Leaf], Node] = write_mapping
    """the inverse of `read`; raises CannotBeWrittenError for an expectation that no spec can express"""
    why_not_denied: Callable[[Leaf], str] = lambda _leaf: ""  # why it cannot be what a text must `not` be
    freeze: Callable[[bytes], tuple[str, ...]] = lambda output: (output.decode(),)
    """makes wanted texts from the reference's output; raises CannotBeWrittenError if no spec can express them"""
    join: Callable[[tuple[bytes, ...]], bytes] | None = None
    """joins the wanted texts, where they are compared as one"""
    prescribes: Literal["", "content", "words", "lines"] = ""
    """of a whole stream: its lines, or its words or content in a free layout; lines and words are shown in a report"""
