"""`lines`: these lines; their order may be free, and a newline may end the last."""

from grader.core.comparators.base import Comparator, Siblings, Wanted, read_or_reference, text_nodes, write_mapping
from grader.core.comparators.text import TEXT_DEVIATIONS, name_difference, reachable_in, tell_wrong
from grader.core.deviations.normalise import TEXT_KINDS, Kinds, ended
from grader.core.deviations.search import explain_difference
from grader.core.deviations.sentences import wrong_lines
from grader.core.model import Deviation, Expected
from grader.core.yaml.json_schema_parts import REFERENCE, any_of, any_text, one_word_of, ref
from grader.core.yaml.value import Key, Value, choice, each_of, text, wrong
from grader.core.yaml.writing import plain


def _read_lines(value: Value, siblings: Siblings) -> Expected:
    def read_line(item: Value) -> str:
        line = text(item)
        if "\n" in line:
            wrong(item, "a line has no line break in it: make it several")
        return line

    want = read_or_reference(each_of(read_line))(value)
    is_free = "order" in siblings and choice(("same", "any"), "order")(siblings["order"][1]) == "any"
    return Expected(how="lines", want=want, ordered=not is_free)


def _compare_lines(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    actual, expected = ended(output), ended(wanted.values[0])

    def explained(other: bytes, asked: bytes, most: int | None) -> Kinds | None:
        kinds = TEXT_KINDS - {"final-newline"}
        means = None if wanted.ordered else lambda shape: shape - {"order"}
        return explain_difference(ended(other), ended(asked), wanted.tolerate, kinds, means, most=most)

    return name_difference(actual, expected, wanted, explained, tell_wrong(wanted) if wanted.ordered else wrong_lines)


LINES = Comparator(
    name="lines",
    key=Key(about="These lines; a newline may end the last.", kind="lines", alternative=True),
    options={
        "order": Key(about="Whether the lines may come in any order.", kind="order", default="same", beside="lines")
    },
    kinds={
        "lines": any_of(REFERENCE, ref("file-content"), {"type": "array", "items": any_text(pattern=r"^[^\n]*$")}),
        "order": one_word_of({"same": "In this order.", "any": "In any order."}),
    },
    example="{lines: ['1 5', '2 4'], order: any}",
    read=_read_lines,
    compare=_compare_lines,
    reachable=lambda expected: reachable_in(
        TEXT_DEVIATIONS - ({"final-newline"} if expected.ordered else {"final-newline", "order"}), expected.want
    ),
    words=lambda expected, shown: f"the lines {shown}{'' if expected.ordered else ', in any order'}",
    write=lambda expected: write_mapping(expected, text_nodes, **({} if expected.ordered else {"order": plain("any")})),
    freeze=lambda output: tuple(output.decode().removesuffix("\n").split("\n")) if output else (),
    join=lambda values: b"".join(value + b"\n" for value in values),
    linewise=True,
    whole=True,
    shown=True,
)
