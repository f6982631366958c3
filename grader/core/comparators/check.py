"""`check`: a function of the instructor decides, FILE.py:FUNCTION, whose sentence is the deviation's; or a program.

The first parameter receives the text to judge; the others receive an option of the spec or a fact of the case, by name.
A parameter with a default is an option, and a function that can be called without facts gets none, for compatibility
with older checks. The function's signature is parsed, not executed, when the spec is read.
"""

import ast
import keyword
from collections.abc import Collection, Mapping
from functools import lru_cache

from msgspec.structs import replace

from grader.core.comparators.base import Comparator, Siblings, Wanted, text_node
from grader.core.errors import HostError, Wrong
from grader.core.model.checks import OUTPUT, SHARE, Facts, PartlyRight
from grader.core.model.judgement import Deviation
from grader.core.model.spec import CheckOptions, Leaf
from grader.core.text import capital
from grader.core.yaml.nodes import Node
from grader.core.yaml.types import any_of, ref, strict_text
from grader.core.yaml.value import Key, Value, named_function, suggestion, text, unwanted, wrong
from grader.core.yaml.writing import table

FACTS = (OUTPUT, *Facts.__struct_fields__)
"""the names of parameters that receive a fact"""

# ---------------------------------------------------------------- the heading of a function


@lru_cache(maxsize=64)
def _functions_in(source: bytes) -> Mapping[str, ast.FunctionDef]:
    """Return the undecorated functions of a file: a decorator may change the parameters."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # loading the file reports it
    return {one.name: one for one in body if isinstance(one, ast.FunctionDef) and not one.decorator_list}


def _parameters(function: ast.FunctionDef) -> tuple[str, list[str]]:
    """Return the first parameter, and all that have no default."""
    asked = function.args
    plain = [one.arg for one in (*asked.posonlyargs, *asked.args)]
    alone = [one.arg for one, default in zip(asked.kwonlyargs, asked.kw_defaults, strict=True) if default is None]
    return next(iter(plain), ""), [*plain[: len(plain) - len(asked.defaults)], *alone]


def _is_unwritten(function: ast.FunctionDef) -> bool:
    """Whether a function only raises NotImplementedError."""
    match function.body[ast.get_docstring(function, clean=False) is not None :]:
        case [ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name)))]:
            return name == "NotImplementedError"
    return False


def unread_parameters(asked: CheckOptions, source: bytes) -> tuple[int, list[str]]:
    """Return the line of a check's function, and the facts among its parameters that it never uses."""
    function = _functions_in(source).get(asked.function.rpartition(":")[2])
    if function is None:
        return 0, []
    read = {node.id for part in function.body for node in ast.walk(part) if isinstance(node, ast.Name)}
    taken = dict.fromkeys(filter(None, (_parameters(function)[0], *asked.takes)))
    return function.lineno, [name for name in taken if name not in read and name[0] != "_"]


def _facts_taken(value: Value, name: str, function: ast.FunctionDef, options: Collection[str]) -> tuple[str, ...]:
    """Return the facts among a function's parameters; note an unknown one as a mistake."""
    first, required = _parameters(function)
    asked = [one for one in required if one not in options]
    if set(asked) <= {first}:  # a check without facts
        return ()
    file, _, own = name.rpartition(":")
    taken = [one for one in asked if one != first or one in FACTS]
    for one in taken:
        where = f"{file}:{function.lineno}: {own} asks for {one}"
        if one not in FACTS:
            wrong(value, f"{where}, which is no option here and no fact of a case{suggestion(one, FACTS)}")
        elif one.startswith("expected") and not value.context.has_reference:
            wrong(value, f"{where}, and the spec names no reference that could tell it")
    return tuple(one for one in taken if one in FACTS)


def _read_check(value: Value, siblings: Siblings) -> Leaf:
    """Read the function; all its siblings are options of the call."""
    arguments = {}
    for key, (written, entry) in siblings.items():
        if not key.isidentifier() or keyword.iskeyword(key):
            unwanted(written, "the name of an option of the function, one word such as n")
        arguments[key] = text(entry)
    name = named_function(value)
    file, _, own = name.rpartition(":")
    function = _functions_in(value.context.attached.get(file, b"")).get(own)
    options = CheckOptions(
        function=name,
        arguments=arguments,
        takes=_facts_taken(value, name, function, arguments) if function else (),
        unwritten=function.lineno if function and _is_unwritten(function) else 0,
    )
    return Leaf(how="check", want=(), options=options)


# ---------------------------------------------------------------- what it says


def _compare_check(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    if wanted.check is None:
        raise HostError("the check of this case was not prepared")
    try:
        wanted.check(output)
    except Wrong as error:
        sentence, _, drawing = str(error).strip("\n").partition("\n")
        message = sentence or f"{capital(wanted.where)} is not what the assignment asks for."
        found = replace(wanted.deviation("wrong", message), drawing=drawing.strip("\n"))
        return (replace(found, kind=SHARE, keeps=error.share) if isinstance(error, PartlyRight) else found,)
    return ()


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
