"""The keys of `random` and `generate`: inputs that are generated from a seed."""

from collections.abc import Mapping

from grader.core.yaml.types import INNER_PATH, Type, any_of, any_text, mapping_of, ref
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import KindKeys

RANDOM: Keys = {
    "random": Key(
        about="A range, both ends included, of which numbers are drawn; no two cases of a test get the same.",
        kind="range",
        required=True,
        examples=("4..9",),
    ),
    "count": Key(about="How many cases that makes.", kind="draw-count", default=1, beside="random"),
}
GENERATED: Keys = {
    "generate": Key(
        about="What draws it: a function of the course, FILE.py:FUNCTION, which gets a seeded generator, or a program, "
        "which gets a seed as its argument and prints it.",
        kind="maker",
        required=True,
        examples=("reference/make.py:numbers", "reference/make_input.py"),
    ),
    "count": Key(about="How many cases that makes.", kind="draw-count", default=1, beside="generate"),
    "shrink": Key(
        about="Whether it is as good without some of its lines, so that a smaller one may be looked for.",
        kind="boolean",
        default=False,
        beside="generate",
    ),
}
_TYPES: Mapping[str, Type] = {
    "given-arguments": Type(
        any_of({"type": "array", "items": any_of(ref("argument"), ref("random-number"))}, ref("generated")),
        "a list of texts and [drawn numbers](#random-number); or [generated](#generated)",
    ),
    "input": Type(any_of(ref("text"), ref("file-content"), ref("generated"))),
    "given-files": Type(mapping_of("input", INNER_PATH + ".*[^/]$")),
    "draw-count": Type({"type": "integer", "minimum": 1, "maximum": 1000}, "a whole number, 1 to 1000"),
    "maker": Type(any_text(minLength=1), "`FILE.py:FUNCTION`, or a program in a folder, below the course root"),
}


def keys() -> KindKeys:
    """Return what generated inputs add to the language."""
    return KindKeys(
        tables={"random-number": RANDOM, "generated": GENERATED},
        types=_TYPES,
    )
