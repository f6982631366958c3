"""Generated inputs in a spec: `random`, numbers that are generated here, and `generate`, which runs before grading.

Numbers are generated while a spec is read. So a variable may stand wherever a number can, and the filled-in values are
read as usual. The numbers depend on the seed in the context and on the test, but not on the place in the file. A case
with generated inputs is expanded into as many as its count asks for.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from grader.core.model.generated_inputs import GeneratedInput, GeneratedNumber
from grader.core.model.programs import INTERACTOR_STARTS
from grader.core.model.stored_file import LazyBytes, StoredFile
from grader.core.reader.files_and_build import read_content, read_named_files, read_program_word
from grader.core.seeded_random import SeededRandom, derive
from grader.core.text import joined as listed_words
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import (
    Value,
    attach_with_folder,
    boolean,
    each_of,
    entries,
    fields,
    get,
    inner_name,
    named_function,
    parse_count,
    parse_range,
    parsed,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts
from grader.kinds.generated_inputs.keys import GENERATED, RANDOM

MAX_COUNT = 1000
"""the most cases that one case is expanded into"""

_COUNT = parsed(
    lambda written: count if (count := parse_count(written) or 0) in range(1, MAX_COUNT + 1) else None,
    f"a number from 1 to {MAX_COUNT}",
    1,
)
_RANGE = parsed(
    lambda written: found if (found := parse_range(written)) else None,
    "a range such as 4..9, the smaller end first",
    range(MAX_COUNT),  # not another mistake, whatever the count
)


class Span(Struct, frozen=True, kw_only=True):
    """A range of random numbers, `{random: 4..9, count: 3}`."""

    low: int
    high: int
    count: int | None = None
    """None when the spec has no count"""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.high - self.low + 1


class Generated(Struct, frozen=True, kw_only=True):
    """A generating function or program of the course, `{generate: reference/make.py, count: 3}`."""

    function: str
    count: int | None = None
    files: Mapping[str, bytes]
    shrinks: bool = False


# ---------------------------------------------------------------- readers


def read_span(value: Value) -> Span:
    """Read `{random: 4..9, count: 3}`."""
    found = fields(value, RANDOM)
    numbers = get(found, "random", _RANGE, range(1))
    count = get(found, "count", _COUNT, None)
    return Span(low=numbers[0], high=numbers[-1], count=count)


def _is_span(value: Value) -> bool:
    """Whether a value is meant to be random: a mapping with `random` in it, or with a misspelling of it."""
    return isinstance(value.node, Table) and not {"random", "count"}.isdisjoint(entries(value))


def read_variable(value: Value, test: str, name: str) -> Mapping[str, GeneratedNumber] | None:
    """Read the numbers of a variable, `{random: 4..9, count: 3}`; None where nothing is random."""
    if not _is_span(value):
        return None
    span = read_span(value)
    if (count := span.count or 1) > span.size:
        wrong(value, f"there are only {span.size} numbers in {span.low}..{span.high}: ask for that many at most")
        return {}
    seed = derive(value.context.seed, test, name)
    numbers = [span.low + number for number in SeededRandom(seed).distinct(span.size, count)]
    return {str(number): _random_number(name, span, number) for number in numbers}


def read_arguments(value: Value) -> "tuple[str | Span, ...] | Generated":
    """Read the arguments of a program, some or all of which may be generated."""
    if isinstance(value.node, Table):
        return _read_generated(value)
    return each_of(lambda item: read_span(item) if _is_span(item) else read_program_word(item))(value)


def read_input(value: Value) -> LazyBytes | Generated:
    """Read what a program is given to read: a text, a file, or what is generated."""
    if isinstance(value.node, Table) and "generate" in entries(value):
        return _read_generated(value)
    return read_content(value)


def read_given_files(value: Value) -> dict[str, bytes | Generated]:
    """Read names of files with their contents, which may be generated."""

    def read(entry: Value) -> bytes | Generated:
        content = read_input(entry)
        return content.read() if isinstance(content, StoredFile) else content

    return read_named_files(value, read)


def _read_generated(value: Value) -> Generated:
    found = fields(value, GENERATED)
    count = get(found, "count", _COUNT, None)
    shrinks = get(found, "shrink", boolean, default=False)
    function = get(found, "generate", _read_maker, "")
    folder, _, _ = function.rpartition("/")
    attached = value.context.attached
    own_files = {} if ":" in function else {name: attached[name] for name in attached if name.startswith(f"{folder}/")}
    return Generated(function=function, count=count, files=own_files, shrinks=shrinks)


def _read_maker(value: Value) -> str:
    """Read `FILE.py:FUNCTION`, or the name of a program in a folder of its own."""
    if isinstance(value.node, Table) or ":" in getattr(value.node, "text", ""):
        return named_function(value)
    name = inner_name(value)
    if name and (PurePosixPath(name).suffix not in INTERACTOR_STARTS or "/" not in name):
        endings = listed_words(list(INTERACTOR_STARTS), "or")
        unwanted(value, f"a function, reference/make.py:input, or a program in a folder whose name ends in {endings}")
        return ""
    attach_with_folder(value, name)
    return name


# ---------------------------------------------------------------- cases


def write_out(value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of each case that these expand into, with its `id`; a single one where nothing is generated."""
    identity = parts["id"]
    args, files = parts.get("args", ()), parts.get("files", {})
    spans = {place: arg for place, arg in enumerate(args) if isinstance(arg, Span)} if isinstance(args, tuple) else {}
    given = {"args": args, "stdin": parts.get("stdin"), **{f"files.{name}": data for name, data in files.items()}}
    made = {place: one for place, one in given.items() if isinstance(one, Generated)}
    if not spans and not made:
        return [parts]
    counts = _counts_of(value, (*spans.values(), *made.values()))
    choices = _generate_numbers(value, identity, spans, max(counts, default=1))
    seed = derive(value.context.seed, identity)
    whole = {
        **parts,
        "args": () if "args" in made else args,
        "files": {name: b"" if isinstance(data, Generated) else data for name, data in files.items()},
        **({"stdin": b""} if "stdin" in made else {}),
    }
    return [
        {
            **whole,
            "id": f"{identity}[#{index + 1}]" if counts else identity,
            "args": tuple(str(numbers[place]) if place in spans else arg for place, arg in enumerate(whole["args"])),
            "generated_numbers": (
                *parts.get("generated_numbers", ()),
                *(_random_number(f"args[{place}]", span, numbers[place]) for place, span in spans.items()),
            ),
            "generated_inputs": {place: _generator_of(one, derive(seed, place), index) for place, one in made.items()},
        }
        for index, numbers in enumerate(choices)
    ]


def _generator_of(one: Generated, seed: str, index: int) -> GeneratedInput:
    return GeneratedInput(
        function=one.function, seed=seed, index=index, files=one.files, shrinks=one.shrinks, by_chance=True
    )


def _counts_of(value: Value, asked: Sequence[Span | Generated]) -> set[int]:
    """Return the counts of the generated inputs of a case; more than one count is a mistake."""
    counts = {one.count for one in asked if one.count is not None}
    if len(counts) > 1:
        numbers = listed_words([str(count) for count in sorted(counts)], "or")
        wrong(value, f"is this case to be drawn {numbers} times? Say the same count everywhere, or only once")
    return counts


def _random_number(name: str, span: Span, value: int) -> GeneratedNumber:
    return GeneratedNumber(name=name, value=value, low=span.low, high=span.high)


def _generate_numbers(value: Value, identity: str, spans: Mapping[int, Span], count: int) -> list[dict[int, int]]:
    """Generate for each case a number of each span, by its place; no two cases get the same."""
    size = math.prod(span.size for span in spans.values())
    if spans and count > size:
        problem = f"{count} cases are asked for, and there are only {size} choices of these numbers"
        wrong(value, f"{problem}, so that some would be the same: ask for fewer")
        return []
    seeded_random = SeededRandom(derive(value.context.seed, identity))
    choices = []
    for number in seeded_random.distinct(size, count) if spans else [0] * count:
        chosen, rest = {}, number
        for place, span in spans.items():
            rest, offset = divmod(rest, span.size)
            chosen[place] = span.low + offset
        choices.append(chosen)
    return choices
