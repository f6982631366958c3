"""`check`: a function of the instructor decides, FILE.py:FUNCTION, whose sentence is the deviation's; or a program.

The first parameter receives the text to judge; the others receive an option of the spec or a fact of the case, by name.
A parameter with a default is an option, and a function that can be called without facts gets none, for compatibility
with older checks. The function's signature is parsed, not executed, when the spec is read.
"""

import ast
import keyword
from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from grader.core.comparators.base import Comparator, Siblings, Wanted, text_node
from grader.core.errors import HostError, Wrong
from grader.core.model.checks import OUTPUT, SHARE, Facts, PartlyRight
from grader.core.model.judgement import Deviation
from grader.core.model.spec import CheckOptions, Leaf
from grader.core.text import capital
from grader.core.yaml.json_schema_parts import any_of, ref, strict_text
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import Key, Value, named_function, suggestion, text, unwanted, wrong
from grader.core.yaml.writing import table

FACTS = (OUTPUT, *Facts.__struct_fields__)
"""the names of parameters that receive a fact"""

# ---------------------------------------------------------------- the heading of a function


class _Heading:
    """The parameters of a function, from its source."""

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
    """Return the undecorated functions of a file: a decorator may change the parameters."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # loading the file reports it
    return {one.name: _Heading(one) for one in body if isinstance(one, ast.FunctionDef) and not one.decorator_list}


@lru_cache(maxsize=64)
def _unwritten_functions(source: bytes) -> dict[str, int]:
    """Return the functions of a file that only raise NotImplementedError, with their lines."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, int] = {}
    for node in (one for one in body if isinstance(one, ast.FunctionDef)):
        last = node.body[-1]
        is_alone = len(node.body) == 1 + (ast.get_docstring(node, clean=False) is not None)
        raised = last.exc if is_alone and isinstance(last, ast.Raise) else None
        raised = raised.func if isinstance(raised, ast.Call) else raised
        if isinstance(raised, ast.Name) and raised.id == "NotImplementedError":
            found[node.name] = node.lineno
    return found


def unread_parameters(asked: CheckOptions, source: bytes) -> tuple[int, list[str]]:
    """Return the line of a check's function, and the facts among its parameters that it never uses."""
    heading = _headings(source).get(asked.function.rpartition(":")[2])
    if heading is None:
        return 0, []
    taken = [heading.first, *asked.takes] if heading.first else asked.takes
    return heading.line, [name for name in dict.fromkeys(taken) if name not in heading.read and name[0] != "_"]


def _facts_taken(value: Value, function: str, options: Collection[str]) -> tuple[str, ...]:
    """Return the facts among a function's parameters; note an unknown one as a mistake."""
    file, _, name = function.rpartition(":")
    heading = _headings(value.context.attached.get(file, b"")).get(name)
    if heading is None:
        return ()
    asked = [one for one in heading.required if one not in options]
    if set(asked) <= {heading.first}:  # a check without facts
        return ()
    taken = [one for one in asked if one != heading.first or one in FACTS]
    where = f"{file}:{heading.line}: {name} asks for"
    for one in taken:
        if one not in FACTS:
            wrong(value, f"{where} {one}, which is no option here and no fact of a case{suggestion(one, FACTS)}")
        elif one.startswith("expected") and not value.context.has_reference:
            wrong(value, f"{where} {one}, and the spec names no reference that could tell it")
    return tuple(one for one in taken if one in FACTS)


def _read_check(value: Value, siblings: Siblings) -> Leaf:
    """Read the function; all its siblings are options of the call."""
    arguments = {}
    for name, (key, entry) in siblings.items():
        if not name.isidentifier() or keyword.iskeyword(name):
            unwanted(key, "the name of an option of the function, one word such as n")
        arguments[name] = text(entry)
    function = named_function(value)
    taken = _facts_taken(value, function, arguments)
    file, _, name = function.rpartition(":")
    unwritten = _unwritten_functions(value.context.attached.get(file, b"")).get(name, 0)
    options = CheckOptions(function=function, arguments=arguments, takes=taken, unwritten=unwritten)
    return Leaf(how="check", want=(), options=options)


# ---------------------------------------------------------------- what it says


def _compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    if wanted.check is None:
        raise HostError("the check of this case was not prepared")
    try:
        wanted.check(output)
    except PartlyRight as partly:
        return (replace(_to_deviation(partly, wanted), kind=SHARE, keeps=partly.share),)
    except Wrong as wrong:
        return (_to_deviation(wrong, wanted),)
    return ()


def _to_deviation(error: Wrong, wanted: Wanted) -> Deviation:
    sentence, _, drawing = str(error).strip("\n").partition("\n")
    message = sentence or f"{capital(wanted.where)} is not what the assignment asks for."
    return replace(wanted.deviation("wrong", message), drawing=drawing.strip("\n"))


def _write_check(leaf: Leaf) -> Node:
    options = leaf.get(CheckOptions)
    if options.validator:
        raise ValueError("a program that judges is not written out")
    return table({"check": text_node(options.function)} | {k: text_node(v) for k, v in options.arguments.items()})


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
    asks=lambda _leaf: True,
    words=lambda _leaf, _shown: "judged by a program, since many answers are right",
    write=_write_check,
)
