"""`line-count`: so many lines, whatever they say."""

import re

from grader.core.comparators.base import Comparator, Siblings, Wanted, write_mapping
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import capital, count
from grader.core.yaml.nodes import Node, plain
from grader.core.yaml.types import any_text, one_word_of
from grader.core.yaml.value import Key, Value, choice, text, unwanted


class LineCountOptions(Options, frozen=True, kw_only=True):
    """Which lines count."""

    counting: str = "all"

    def nodes(self) -> dict[str, Node]:
        """Write it."""
        return {"counting": plain(self.counting)}


def _read_line_count(value: Value, siblings: Siblings) -> Leaf:
    written = text(value)
    if not (written.isascii() and written.isdigit()):
        unwanted(value, "a number of lines")
    options = LineCountOptions()
    if "counting" in siblings:
        options = LineCountOptions(counting=choice(("all", "filled"), "way to count")(siblings["counting"][1]))
    return Leaf(how="line-count", want=(written,), options=options)


def _compare_line_count(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    lines = output.count(b"\n") + (not output.endswith(b"\n") and output != b"")
    noun, asked = "line", int(wanted.values[0])
    if wanted.leaf.get(LineCountOptions).counting == "filled":
        noun, lines = "filled line", sum(1 for _ in re.finditer(rb"(?m)^[ \t\r]*+\S", output))
    if lines == asked:
        return ()
    return (wanted.deviation("wrong", f"{capital(wanted.where)} has {count(lines, noun)}, expected {asked}."),)


LINE_COUNT = Comparator(
    name="line-count",
    key=Key(about="So many lines, whatever they say.", kind="line-count"),
    options={"counting": Key(about="Which lines count.", kind="counting", default="all", beside="line-count")},
    kinds={
        "line-count": any_text(pattern="^[0-9]+$"),
        "counting": one_word_of({"all": "Every line.", "filled": "Lines with text in them."}),
    },
    example="{line-count: 3, counting: filled}",
    read=_read_line_count,
    compare=_compare_line_count,
    words=lambda leaf, shown: f"as many lines as {shown} says; those count: {leaf.get(LineCountOptions).counting}",
    write=lambda leaf: write_mapping(leaf, lambda want: plain(want[0])),
)
