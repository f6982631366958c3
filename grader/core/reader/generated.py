"""Generated inputs in a spec: `random`, numbers that are generated here, and `generate`, which runs before grading.

The numbers depend on the seed in the context and on the test, but not on the place in the file. A variable may stand
wherever a number can, so they are drawn before the values are read.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import CaseParts
from grader.core.model.layout import LazyBytes, StoredFile
from grader.core.model.spec import INTERACTOR_STARTS, GeneratedInput, GeneratedNumber
from grader.core.reader.types import read_file_name, read_program_word
from grader.core.seeded_random import SeededRandom, derive
from grader.core.text import joined as listed_words
from grader.core.yaml import types as of
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Value, each_of, entries, fields, inner_name, parsed, unwanted, wrong


class Span(Struct, frozen=True, kw_only=True):
    """A range of random numbers, `{random: 4..9, count: 3}`; `count` is None when the spec has none."""

    numbers: range = range(1)
    count: int | None = None

    def number(self, name: str, place: int) -> GeneratedNumber:
        """Return the number at that place in the range, drawn for what has that name."""
        return GeneratedNumber(name=name, value=self.numbers[place], low=self.numbers[0], high=self.numbers[-1])


class Generated(Struct, frozen=True, kw_only=True):
    """What a function or program of the course generates, `{generate: reference/make.py, count: 3}`."""

    source: GeneratedInput
    count: int | None


# ---------------------------------------------------------------- readers


def _read_span(value: Value) -> Span | None:
    """Read a range of random numbers; None without the key `random` or a misspelling of it."""
    if not isinstance(value.node, Table) or {"random", "count"}.isdisjoint(entries(value)):
        return None
    return Span(**of.read_given(fields(value, "random-number")))


def read_variable(value: Value, test: str, name: str) -> Mapping[str, GeneratedNumber] | None:
    """Read the numbers of a variable, `{random: 4..9, count: 3}`; None where nothing is random."""
    if (span := _read_span(value)) is None:
        return None
    size, count = len(span.numbers), span.count or 1
    if count > size:
        shown = f"{span.numbers[0]}..{span.numbers[-1]}"
        wrong(value, f"there are only {size} numbers in {shown}: ask for that many at most")
        return {}
    drawn = SeededRandom(derive(value.context.seed, test, name)).distinct(size, count)
    return {str(span.numbers[at]): span.number(name, at) for at in drawn}


def read_arguments(value: Value) -> "tuple[str | Span, ...] | Generated":
    """Read the arguments of a program, some or all of which may be generated."""
    if isinstance(value.node, Table):
        return _read_generated(value)
    return each_of(lambda item: _read_span(item) or read_program_word(item))(value)


def read_input(value: Value) -> LazyBytes | Generated:
    """Read what a program is given to read: a text, a file, or what is generated."""
    is_generated = isinstance(value.node, Table) and "generate" in entries(value)
    return _read_generated(value) if is_generated else of.read_as("content")(value)


def read_given_files(value: Value) -> dict[str, bytes | Generated]:
    """Read names of files with their contents, which may be generated."""
    inputs = {read_file_name(key): read_input(entry) for key, entry in entries(value).values()}
    return {name: data.read() if isinstance(data, StoredFile) else data for name, data in inputs.items()}


def _read_generated(value: Value) -> Generated:
    read = {"function": "", "count": None, **of.read_given(fields(value, "generated"))}
    own_files = {} if ":" in read["function"] else yaml.attach_with_folder(value, read["function"])()
    count = read.pop("count")
    return Generated(source=GeneratedInput(**read, seed="", index=0, files=own_files, by_chance=True), count=count)


def read_maker(value: Value) -> str:
    """Read `FILE.py:FUNCTION`, or the name of a program in a folder of its own."""
    if isinstance(value.node, Table) or ":" in getattr(value.node, "text", ""):
        return yaml.named_function(value)
    name = inner_name(value)
    if name and (PurePosixPath(name).suffix not in INTERACTOR_STARTS or "/" not in name):
        endings = listed_words(list(INTERACTOR_STARTS), "or")
        unwanted(value, f"a function, reference/make.py:input, or a program in a folder whose name ends in {endings}")
        return ""
    yaml.attach_with_folder(value, name)
    return name


# ---------------------------------------------------------------- cases


def write_out_generated(value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of each case that these expand into, with its `id`; a single one where nothing is generated."""
    args, files = parts.get("args", ()), parts.get("files", {})
    spans = {place: arg for place, arg in enumerate(args) if isinstance(arg, Span)} if isinstance(args, tuple) else {}
    given = {"args": args, "stdin": parts.get("stdin"), **{f"files.{name}": data for name, data in files.items()}}
    generated = {place: data for place, data in given.items() if isinstance(data, Generated)}
    asked: Sequence[Span | Generated] = [*spans.values(), *generated.values()]
    counts = sorted({part.count for part in asked if part.count is not None})
    if len(counts) > 1:
        times = listed_words([str(count) for count in counts], "or")
        wrong(value, f"is this case to be drawn {times} times? Say the same count everywhere, or only once")
    whole = {
        **parts,
        **{key: empty for key, empty in (("args", ()), ("stdin", b"")) if key in generated},
        "files": {name: b"" if isinstance(data, Generated) else data for name, data in files.items()},
    }
    return list(_draw(value, whole, spans, generated, counts)) if asked else [parts]


def _draw(
    value: Value, parts: CaseParts, spans: Mapping[int, Span], generated: Mapping[str, Generated], counts: Sequence[int]
) -> Iterator[CaseParts]:
    """Iterate over the cases; no two get the same numbers."""
    identity, args, count = parts["id"], list(parts.get("args", ())), max(counts, default=1)
    seed, size = derive(value.context.seed, identity), math.prod(len(span.numbers) for span in spans.values())
    if spans and count > size:
        problem = f"{count} cases are asked for, and there are only {size} choices of these numbers"
        wrong(value, f"{problem}, so that some would be the same: ask for fewer")
        return
    for index, drawn in enumerate(SeededRandom(seed).distinct(size, count) if spans else [0] * count):
        numbers, rest = [*parts.get("generated_numbers", ())], drawn
        for place, span in spans.items():
            rest, offset = divmod(rest, len(span.numbers))
            numbers.append(span.number(f"args[{place}]", offset))
            args[place] = str(span.numbers[offset])
        yield {
            **parts,
            "id": f"{identity}[#{index + 1}]" if counts else identity,
            "args": tuple(args),
            "generated_numbers": tuple(numbers),
            "generated_inputs": {
                place: replace(data.source, seed=derive(seed, place), index=index) for place, data in generated.items()
            },
        }


# ---------------- The keys of both, for the tables of the language


MAX_COUNT = 1000  # the most cases that one case is expanded into
_COUNT = "How many cases that makes."
types: Mapping[str, of.Type] = {
    "given-arguments": of.Type(
        of.any_of(
            {"type": "array", "items": of.any_of(of.ref("argument"), of.ref("random-number"))}, of.ref("generated")
        ),
        "a list of texts and [drawn numbers](#random-number); or [generated](#generated)",
        read_arguments,
    ),
    "input": of.Type(of.any_of(of.ref("text"), of.ref("file-content"), of.ref("generated")), read=read_input),
    "given-files": of.mapping_of("input", of.INNER_PATH + ".*[^/]$", read=read_given_files),
    "draw-count": of.Type(
        {"type": "integer", "minimum": 1, "maximum": MAX_COUNT},
        f"a whole number, 1 to {MAX_COUNT}",
        parsed({str(n): n for n in range(1, MAX_COUNT + 1)}.get, f"a number from 1 to {MAX_COUNT}", 1),
    ),
    "maker": of.Type(
        of.any_text(minLength=1),
        "`FILE.py:FUNCTION`, or a program in a folder, below the course root",
        read_maker,
    ),
}
tables = of.tables_of(
    of.Begin("random-number"),
    of.key("random", "range", into="numbers", required=True, examples=("4..9",)),
    "A range, both ends included, of which numbers are drawn; no two cases of a test get the same.",
    of.key("count", "draw-count", _COUNT, default=1, beside="random"),
    of.Begin("generated", of=GeneratedInput),
    of.key("generate", "maker", into="function", required=True),
    ("reference/make.py:numbers", "reference/make_input.py"),
    "What draws it: a function of the course, FILE.py:FUNCTION, which gets a seeded generator, or a program, which "
    "gets a seed as its argument and prints it.",
    of.key("count", "draw-count", _COUNT, default=1, beside="generate"),
    of.key("shrink", "boolean", into="shrinks", beside="generate"),
    "Whether it is as good without some of its lines, so that a smaller one may be looked for.",
)
