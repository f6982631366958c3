"""`regex`: a pattern matches somewhere; its flags and anchors are its author's."""

import re

from grader.core.bounded_regex import fault_of, pattern_matches
from grader.core.comparators.base import WRONG, Comparator, Siblings, Wanted, write_mapping
from grader.core.deviations.sentences import describe_empty
from grader.core.lazy import lazy_regex
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import QUOTED, capital, quote
from grader.core.yaml.nodes import Node
from grader.core.yaml.types import node_of
from grader.core.yaml.value import Key, Value, keyword, text, wrong

_ASSERTIONS = lazy_regex(r"\(\?|\\[bBAZ1-9]")
_MANY = "".join(map(chr, range(0x180)))


class RegexOptions(Options, frozen=True, kw_only=True):
    """What `regex` has besides its pattern."""

    about: str = ""  # what students read instead of the pattern

    def nodes(self) -> dict[str, Node]:
        """Write it."""
        return {"about": node_of(self.about)}


def read_pattern(value: Value) -> str:
    """Read a regular expression; the word `reference` is one in quotes only."""
    pattern = text(value)
    if keyword(value) == "reference":
        advice = "did you mean {contains: reference}, or reference alone?"
        wrong(value, f'the reference writes texts, not patterns: {advice} For that word, write "reference" in quotes')
    if fault := fault_of(pattern):
        wrong(value, f"this is no regular expression: {fault}")
    return pattern


def read_line_pattern(value: Value) -> str:
    """Read a regular expression that chooses lines; "" for one with a mistake, which is noted."""
    if not (pattern := read_pattern(value)):
        wrong(value, "an empty pattern matches in every line: write what the lines have")
    return "" if fault_of(pattern) else pattern


def read_part_pattern(value: Value) -> str:
    """Read a regular expression with at most one group, for a part of a line; any other is noted."""
    pattern = read_line_pattern(value)
    if re.compile(pattern).groups > 1:
        wrong(value, "several groups, and one part is compared: write (?:…) for the others")
    return pattern


def _read_regex(value: Value, siblings: Siblings) -> Leaf:
    pattern = read_pattern(value)
    if "about" not in siblings:
        return Leaf(how="regex", want=(pattern,))
    about = text(place := siblings["about"][1])
    if not about.strip(" .") or "\n" in about:
        wrong(place, "say on one line what the pattern asks for, such as: a line with the sum")
    return Leaf(how="regex", want=(pattern,), options=RegexOptions(about=about.strip().removesuffix(".")))


def matches_everything(pattern: str) -> bool:
    """Whether a pattern surely matches in any text: it does in an empty one, and with anchors in odd ones."""
    if not re.search(pattern, "") or _ASSERTIONS.search(pattern.removeprefix("(?s)").removeprefix("(?m)")):
        return False
    odd = ("\n", "a\nb\n", "\n\n", _MANY, f"{_MANY}\n{_MANY}", pattern, pattern * 2 + "\n", "x" * 5000)
    return not re.search(r"[\^$]", pattern) or all(pattern_matches(pattern, text.encode()) for text in odd)


def _compare_regex(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    pattern, about = wanted.values[0], wanted.leaf.get(RegexOptions).about
    if pattern_matches(pattern.decode(errors="surrogatepass"), output):
        return ()
    shown = quote(pattern, most=2 * QUOTED)
    if not output.strip():
        sentence = describe_empty(wanted.where, about or f"what matches the pattern {shown}")
    elif about:
        sentence = f"{capital(wanted.where)} lacks what the assignment asks for: {about}."
    else:
        sentence = f"Nothing in {wanted.where} matches the pattern {shown}."
    return (wanted.deviation("wrong", sentence),)


REGEX = Comparator(
    name="regex",
    key=Key(
        about="A pattern that matches somewhere, as Python's re.search reads it.",
        kind="pattern",
        aliases="pattern match",
    ),
    options={"about": Key(about="It, in words.", kind="text", examples=("a line with the sum",), beside="regex")},
    example=r"{regex: '^\d+ solutions?$'}",
    read=_read_regex,
    compare=_compare_regex,
    reachable=lambda leaf: frozenset() if leaf.want and matches_everything(leaf.want[0]) else WRONG,
    asks=lambda leaf: not (leaf.want and re.search(leaf.want[0], "")),
    words=lambda leaf, shown: leaf.get(RegexOptions).about or f"what matches the pattern {shown}",
    write=lambda leaf: write_mapping(leaf, lambda want: node_of(want[0])),
)
