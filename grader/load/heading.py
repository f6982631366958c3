"""`declare`: the heading of a function as the assignment prints it -> `Signature`.

Only what a caller sees is kept: of Java the name, the types and `static`, of Python the name and the parameters.
"""

import ast
import re

from grader.model import Parameter, Signature

_MODIFIERS = r"(?:(?:public|protected|static|final|synchronized)\s+)*"
_TYPE = r"[A-Za-z_][\w.]*(?:\s*<[^()]*>)?(?:\s*\[\s*\])*"
_NAME = r"[A-Za-z_$][\w$]*"
_JAVA = re.compile(rf"({_MODIFIERS})({_TYPE})\s+({_NAME})\s*\(([^()]*)\)\s*(?:throws\s+[\w.,\s]+)?;?")
_JAVA_FIELD = re.compile(rf"({_MODIFIERS})({_TYPE})\s+({_NAME})((?:\s*\[\s*\])*)\s*;?")
_JAVA_PARAMETER = re.compile(rf"(?:final\s+)?({_TYPE})\s+({_NAME})((?:\s*\[\s*\])*)")


def java_heading(text: str) -> Signature | None:
    """Read `static int f(int[][] B, String mode)`; None when it is no heading of a method with named parameters."""
    found = _JAVA.fullmatch(text.strip())
    if found is None:
        return None
    modifiers, returns, name, listed = found.groups()
    parameters = [_JAVA_PARAMETER.fullmatch(part.strip()) for part in listed.split(",")] if listed.strip() else []
    read = tuple(Parameter(type=_type(p[1] + p[3]), name=p[2]) for p in parameters if p)
    if len(read) < len(parameters):
        return None
    return Signature(
        text=" ".join(text.strip(" ;\n").split()),
        name=name,
        parameters=read,
        returns=_type(returns),
        static="static" in modifiers.split(),
    )


def java_field(text: str) -> Signature | None:
    """Read `static int[] queenPos`, the declaration of a field, as what sets it; None when it is none."""
    found = _JAVA_FIELD.fullmatch(text.strip())
    if found is None:
        return None
    modifiers, kind, name, brackets = found.groups()
    return Signature(
        text=" ".join(text.strip(" ;\n").split()),
        name=name,
        parameters=(Parameter(type=_type(kind + brackets), name=name),),
        returns="void",
        static="static" in modifiers.split(),
    )


def _type(written: str) -> str:
    return re.sub(r"\s+|\bjava\.lang\.", "", written)


def python_field(text: str) -> Signature | None:
    """Read the name of a variable of a module, as what sets it; None when it is no name."""
    name = text.strip()
    return Signature(text=name, name=name, parameters=(Parameter(type="", name=name),)) if name.isidentifier() else None


def python_heading(text: str) -> Signature | None:
    """Read `def f(board, current)`; None when it is no heading of a function with positional parameters alone."""
    heading = text.strip().removesuffix(":")
    try:
        (function,) = ast.parse(f"{heading}: pass").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(function, ast.FunctionDef) or "\n" in heading:
        return None
    listed = function.args
    if listed.vararg or listed.kwarg or listed.kwonlyargs:
        return None
    parameters = tuple(Parameter(type="", name=each.arg) for each in (*listed.posonlyargs, *listed.args))
    return Signature(text=" ".join(heading.split()), name=function.name, parameters=parameters)
