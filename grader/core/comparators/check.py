"""`check`: a function of the instructor decides, FILE.py:FUNCTION, whose sentence is the deviation's; or a program.

The first parameter receives the text to judge; the others receive an option of the spec or a fact of the case, by name.
A function that can be called without facts gets none, for compatibility with older checks. It is parsed, not executed,
when the spec is read.
"""

import ast
import keyword
from collections.abc import Collection, Mapping
from functools import lru_cache

from msgspec.structs import replace

from grader.core.comparators.base import Comparator, Siblings, Wanted
from grader.core.errors import CannotBeWrittenError, HostError, Wrong
from grader.core.model.layout import content_of
from grader.core.model.report import Deviation
from grader.core.model.spec import CheckOptions, Leaf
from grader.core.model.values import OUTPUT, SHARE, Facts, PartlyRight
from grader.core.text import capital
from grader.core.yaml.nodes import Node
from grader.core.yaml.types import any_of, node_of
from grader.core.yaml.value import Key, Value, named_function, suggestion, text, unwanted, wrong

_FACTS = (OUTPUT, *Facts.__struct_fields__)  # the names of parameters that receive a fact


@lru_cache(maxsize=64)
def _functions_in(source: bytes) -> Mapping[str, ast.FunctionDef]:
    """Return the undecorated functions of a file: a decorator may change the parameters."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # loading the file reports it
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef) and not node.decorator_list}


def _first_parameter(function: ast.FunctionDef) -> str:
    return next((arg.arg for arg in (*function.args.posonlyargs, *function.args.args)), "")


def unread_parameters(asked: CheckOptions, source: bytes) -> tuple[int, list[str]]:
    """Return the line of a check's function, and the facts among its parameters that it never uses."""
    function = _functions_in(source).get(asked.function.rpartition(":")[2])
    if function is None:
        return 0, []
    read = {node.id for part in function.body for node in ast.walk(part) if isinstance(node, ast.Name)}
    taken = dict.fromkeys((_first_parameter(function), *asked.takes))
    return function.lineno, [name for name in taken if name not in read and name and name[0] != "_"]


def _facts_taken(value: Value, name: str, function: ast.FunctionDef, options: Collection[str]) -> tuple[str, ...]:
    """Return the facts among a function's parameters; note an unknown one as a mistake."""
    heading, first = function.args, _first_parameter(function)
    plain = [*heading.posonlyargs, *heading.args]
    alone = [arg for arg, default in zip(heading.kwonlyargs, heading.kw_defaults, strict=True) if default is None]
    required = [arg.arg for arg in (*plain[: len(plain) - len(heading.defaults)], *alone) if arg.arg not in options]
    if set(required) <= {first}:  # a check without facts
        return ()
    for fact in required:
        where = f"{name.replace(':', f':{function.lineno}: ')} asks for {fact}"
        if fact not in (*_FACTS, first):
            wrong(value, f"{where}, which is no option here and no fact of a case{suggestion(fact, _FACTS)}")
        elif fact in _FACTS and fact.startswith("expected") and not value.context.has_reference:
            wrong(value, f"{where}, and the spec names no reference that could tell it")
    return tuple(fact for fact in required if fact in _FACTS)


def _read_check(value: Value, siblings: Siblings) -> Leaf:
    arguments = {}
    for key, (written, entry) in siblings.items():
        if not key.isidentifier() or keyword.iskeyword(key):
            unwanted(written, "the name of an option of the function, one word such as n")
        arguments[key] = text(entry)
    name = named_function(value)
    file, _, own = name.rpartition(":")
    options = CheckOptions(function=name, arguments=arguments)
    if function := _functions_in(content_of(value.context.contents.get(file, b""))).get(own):
        body = function.body[ast.get_docstring(function) is not None :]
        is_unwritten = len(body) == 1 and ast.unparse(body[0]).startswith("raise NotImplementedError")
        takes = _facts_taken(value, name, function, arguments)
        options = replace(options, takes=takes, unwritten=function.lineno * is_unwritten)
    return Leaf(how="check", want=(), options=options)


def _compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    if wanted.check is None:
        raise HostError("the check of this case was not prepared")
    try:
        wanted.check(output)
    except Wrong as error:
        sentence, _, drawing = str(error).strip("\n").partition("\n")
        sentence = sentence or f"{capital(wanted.where)} is not what the assignment asks for."
        deviation = replace(wanted.deviation("wrong", sentence), drawing=drawing.strip("\n"))
        return (replace(deviation, kind=SHARE, keeps=error.share) if isinstance(error, PartlyRight) else deviation,)
    return ()


def _write_check(leaf: Leaf) -> Node:
    options = leaf.get(CheckOptions)
    if options.validator:
        raise CannotBeWrittenError("a program that judges is not written out")
    return node_of({"check": options.function, **options.arguments})


_NO_TURN = "a check tells what is wrong, and cannot be turned round: let it raise Wrong where it did not"
CHECK = Comparator(
    name="check",
    why_not_denied=lambda _: _NO_TURN,
    key=Key(
        about="A function FILE.py:FUNCTION decides, with the other keys as options; or an output validator of Kattis.",
        kind="check",
        examples=("reference/checks.py:boards", {"validator": "reference/validate.py"}),
        others="text",
    ),
    kinds={"check": any_of("function", "validator")},
    example="{check: 'reference/checks.py:boards', n: 8}",
    read=_read_check,
    compare=_compare_check,
    asks=lambda _leaf: True,
    words=lambda _leaf, _shown: "judged by a program, since many answers are right",
    write=_write_check,
)
