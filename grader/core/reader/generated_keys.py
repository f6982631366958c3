"""The keys of `random` and `generate`: inputs that are generated from a seed."""

from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.model.spec import GeneratedInput
from grader.core.yaml.types import INNER_PATH, Begin, Type, any_of, any_text, key, mapping_of, ref, tables_of
from grader.core.yaml.value import parsed

MAX_COUNT = 1000  # the most cases that one case is expanded into
_COUNT = "How many cases that makes."
_READER = "grader.core.reader.generated"
types: Mapping[str, Type] = {
    "given-arguments": Type(
        any_of({"type": "array", "items": any_of(ref("argument"), ref("random-number"))}, ref("generated")),
        "a list of texts and [drawn numbers](#random-number); or [generated](#generated)",
        lazy_call(_READER, "read_arguments"),
    ),
    "input": Type(any_of(ref("text"), ref("file-content"), ref("generated")), read=lazy_call(_READER, "read_input")),
    "given-files": mapping_of("input", INNER_PATH + ".*[^/]$", read=lazy_call(_READER, "read_given_files")),
    "draw-count": Type(
        {"type": "integer", "minimum": 1, "maximum": MAX_COUNT},
        f"a whole number, 1 to {MAX_COUNT}",
        parsed({str(n): n for n in range(1, MAX_COUNT + 1)}.get, f"a number from 1 to {MAX_COUNT}", 1),
    ),
    "maker": Type(
        any_text(minLength=1),
        "`FILE.py:FUNCTION`, or a program in a folder, below the course root",
        lazy_call(_READER, "read_maker"),
    ),
}
tables = tables_of(
    Begin("random-number"),
    key("random", "range", into="numbers", required=True, examples=("4..9",)),
    "A range, both ends included, of which numbers are drawn; no two cases of a test get the same.",
    key("count", "draw-count", _COUNT, default=1, beside="random"),
    Begin("generated", of=GeneratedInput),
    key("generate", "maker", into="function", required=True),
    ("reference/make.py:numbers", "reference/make_input.py"),
    "What draws it: a function of the course, FILE.py:FUNCTION, which gets a seeded generator, or a program, which "
    "gets a seed as its argument and prints it.",
    key("count", "draw-count", _COUNT, default=1, beside="generate"),
    key("shrink", "boolean", into="shrinks", beside="generate"),
    "Whether it is as good without some of its lines, so that a smaller one may be looked for.",
)
