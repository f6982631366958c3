"""`check`: a function of the instructor decides, FILE.py:FUNCTION, whose sentence is the deviation's; or a program.

The first parameter gets the text that is judged, the others an option of the spec or a fact of the case, by their
names. One with a default is an option, and a function that can be called without facts gets none: so nothing changes
for those that were written before there were any. The heading is read, and not run, when the spec is.
"""

import ast
import keyword
from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from grader.core.comparators.base import Beside, Comparator, Wanted, text_node
from grader.core.errors import HostError, Wrong
from grader.core.model import OUTPUT, SHARE, Deviation, Expected, Facts, PartlyRight
from grader.core.text import capital
from grader.core.yaml.json_schema_parts import any_of, ref, strict_text
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import Key, Value, named_function, suggestion, text, unwanted, wrong
from grader.core.yaml.writing import table

FACTS = (OUTPUT, *Facts.__struct_fields__)
"""what a parameter may be called to get it"""

# ---------------------------------------------------------------- the heading of a function


class _Heading:
    """What a function asks for, by its source."""

    def __init__(self, function: ast.FunctionDef) -> None:
        asked = function.args
        plain = [*asked.posonlyargs, *asked.args]
        self.line = function.lineno
        self.names = [one.arg for one in plain]
        self.first = self.names[0] if plain else ""
        without_default = plain[: len(plain) - len(asked.defaults)]
        alone = [one for one, default in zip(asked.kwonlyargs, asked.kw_defaults, strict=True) if default is None]
        self.required = [one.arg for one in (*without_default, *alone)]
        self.read = {node.id for part in function.body for node in ast.walk(part) if isinstance(node, ast.Name)}


@lru_cache(maxsize=64)
def _headings(source: bytes) -> dict[str, _Heading]:
    """Return the functions of a file that can be told from its source: what wraps one may change what it asks for."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # whoever loads it tells
    return {one.name: _Heading(one) for one in body if isinstance(one, ast.FunctionDef) and not one.decorator_list}


def unread_parameters(expected: Expected, source: bytes) -> tuple[int, list[str]]:
    """Return the line of a check's function, and which of the facts that it asks for it never looks at."""
    heading = _headings(source).get(expected.function.rpartition(":")[2])
    if heading is None:
        return 0, []
    asked = [heading.first, *expected.takes] if heading.first else expected.takes
    return heading.line, [name for name in dict.fromkeys(asked) if name not in heading.read and name[0] != "_"]


def _facts_taken(value: Value, function: str, options: Collection[str]) -> tuple[str, ...]:
    """Return the facts that a function asks for; note one that there is not."""
    file, _, name = function.rpartition(":")
    heading = _headings(value.context.attached.get(file, b"")).get(name)
    if heading is None:
        return ()
    asked = [one for one in heading.required if one not in options]
    if set(asked) <= {heading.first}:  # as it was always called
        return ()
    taken = [one for one in asked if one != heading.first or one in FACTS]
    where = f"{file}:{heading.line}: {name} asks for"
    for one in taken:
        if one not in FACTS:
            wrong(value, f"{where} {one}, which is no option here and no fact of a case{suggestion(one, FACTS)}")
        elif one.startswith("expected") and not value.context.has_reference:
            wrong(value, f"{where} {one}, and the spec names no reference that could tell it")
    return tuple(one for one in taken if one in FACTS)


def _read_check(value: Value, beside: Beside) -> Expected:
    """Read the function; all keys beside it are the options that it is called with."""
    options = {}
    for name, (key, entry) in beside.items():
        if not name.isidentifier() or keyword.iskeyword(name):
            unwanted(key, "the name of an option of the function, one word such as n")
        options[name] = text(entry)
    function = named_function(value)
    taken = _facts_taken(value, function, options)
    return Expected(how="check", want=(), function=function, options=options, takes=taken)


# ---------------------------------------------------------------- what it says


def _compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    if wanted.check is None:
        raise HostError("a check is asked for, but nobody has made it ready")
    try:
        wanted.check(output)
    except PartlyRight as partly:
        return (replace(_told(partly, wanted), kind=SHARE, keeps=partly.share),)
    except Wrong as wrong:
        return (_told(wrong, wanted),)
    return ()


def _told(said: Wrong, wanted: Wanted) -> Deviation:
    sentence, _, drawing = str(said).strip("\n").partition("\n")
    told = sentence or f"{capital(wanted.where)} is not what the assignment asks for."
    return replace(wanted.deviation("wrong", told), drawing=drawing.strip("\n"))


def _write_check(expected: Expected) -> Node:
    if expected.validator:
        raise ValueError("a program that judges is not written out")
    options = {name: text_node(option) for name, option in expected.options.items()}
    return table({"check": text_node(expected.function), **options})


CHECK = Comparator(
    name="check",
    key=Key(
        about="A function of the instructor decides, FILE.py:FUNCTION; further keys are its options, as texts. Or a "
        "program does, as output validators of the Kattis problem format.",
        kind="check",
        examples=("reference/checks.py:boards", {"validator": "reference/validate.py"}),
        alternative=True,
        others="text",
    ),
    kinds={"check": any_of(ref("function"), ref("validator")), "function": strict_text(r"\.py:[^:]+$")},
    example="{check: 'reference/checks.py:boards', n: 8}",
    read=_read_check,
    compare=_compare_check,
    asks=lambda _expected: True,
    words=lambda _expected, _shown: "judged by a program, since many answers are right",
    write=_write_check,
)
