"""The parts of a document: what `to_document` makes of a report, and what a format renders.

Every text is printable already, and none is quoted for a format: a renderer does that. A format knows these records
and nothing of reports.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct


class Heading(Struct, frozen=True):
    """A title: of the document at level 1, of its parts at level 2, of cases at level 3."""

    text: str
    level: int = 2
    points: str = ""
    word: str = ""  # what came of it
    anchor: str = ""  # a name that is unique in the document


class Text(Struct, frozen=True):
    """A paragraph, with a word before it; quotations in it stand between backticks."""

    text: str
    role: Literal["", "sentence", "item", "command", "hint", "about", "quiet", "ours", "warning"] = ""
    label: str = ""


class Lines(Struct, frozen=True):
    """Lines in which every character counts."""

    lines: Sequence[str]
    title: str = ""
    label: str = ""  # what it is, where no title is shown
    indent: str = ""  # what stands before each line where nothing else sets them apart


class TableCell(Struct, frozen=True):
    """A cell of a table."""

    text: str
    is_word: bool = False  # it says what came of something
    anchor: str = ""  # of the heading that it leads to
    share: tuple[str, str] | None = None  # points and the most that there are, for a bar


class TextTable(Struct, frozen=True):
    """Rows below a head, which may be empty; with a title, the first cell of a row names it."""

    head: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    title: str = ""


Block = Heading | Text | Lines | TextTable


class Document(Struct, frozen=True, kw_only=True):
    """A report as people read it."""

    title: str  # whose it is, and of what assignment
    parts: Mapping[str, Sequence[Block]]  # those that are empty have nothing to say
    tests: Sequence[Sequence[Block]]  # a part for each test that has something to report

    def of(self, *names: str) -> list[Block]:
        """Return parts one after the other; `tests` is that of all tests."""
        tests = [block for test in self.tests for block in test]
        return [block for name in names for block in (tests if name == "tests" else self.parts[name])]
