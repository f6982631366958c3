"""The calls of a case as source code in their language, so that a student can repeat them."""

from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.model.spec import Case, Spec
from grader.core.model.values import Argument, NewObject, PlainValue
from grader.core.text import quote
from grader.kinds.functions.c_headings import all_parameters, handle_place
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature, functions_of
from grader.kinds.functions.write_values import display_value, write_value

_OBJECT = "a"
"""what an object is called whose methods are called"""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MAX_QUOTED_LENGTH = 160


def command_text(case: Case, spec: Spec) -> str:
    """Write the calls of a case of this kind."""
    function = functions_of(case)
    return call_text(function, spec.language) if function else ""


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case: `placeQueen(new int[5][5], 2, 4)`, several with semicolons between them.

    A value that several calls share is a variable, named like the parameter.
    """
    if case.generated_input:
        return f"{case.call.signature.name}(...)"
    shared = {arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)}
    main = replace(
        case.call,
        args=tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args)),
    )
    names = [parameter.name for parameter in case.call.signature.parameters]
    variables = []
    for at in sorted(shared):
        parameter = case.call.signature.parameters[at]
        value = _write_argument(case.call.args[at], parameter.type, language)
        variables.append(f"{parameter.type} {parameter.name} = {value}".strip())
    before = [call for call in case.before if not call.optional]  # the program may not have such a field
    calls = (*before, main, *case.then)
    maker = next((call.signature for call in calls if call.makes), None)
    written = [_write_call(call, names, language, maker) for call in calls]
    if maker and len(calls) > 1:
        made = f"{maker.name} {_OBJECT} = " if language == "java" else f"{_OBJECT} = "
        owner = "" if maker.handle else f"{_OBJECT}."
        written = [f"{made if call.makes else owner}{one}" for call, one in zip(calls, written, strict=True)]
    return "; ".join([*variables, *written])


def _write_call(call: FunctionCall, names: Sequence[str], language: str, maker: Signature | None = None) -> str:
    """Write a call; `maker` makes the objects that are among its arguments."""
    types = [parameter.type for parameter in call.signature.parameters]
    args = [
        names[arg.position] if isinstance(arg, Argument) else _write_argument(arg, kind, language, maker)
        for arg, kind in zip(call.args, types, strict=False)
    ]
    if call.sets:
        return f"{call.signature.name} = {args[0]}"
    if call.signature.handle and not call.makes:
        args = _with_object(args, call.signature)
    made = "new " if call.makes and language in {"java", "javascript"} else ""
    return f"{made}{call.signature.name}({', '.join(args)})"


def _with_object(args: Sequence[str], signature: Signature) -> list[str]:
    """Return the arguments of a function in C with the object where its heading has it."""
    parameters = all_parameters(signature)
    place = handle_place(parameters, signature.handle)
    if place is None:
        return list(args)
    own = _OBJECT if parameters[place].type == signature.handle else f"&{_OBJECT}"
    return [*args[:place], own, *args[place:]]


def _write_argument(value: PlainValue, declared: str, language: str, maker: Signature | None = None) -> str:
    if isinstance(value, NewObject) and maker:
        return _write_call(FunctionCall(signature=maker, args=value.args, makes=True), (), language, maker)
    return write_value(value, declared, language)


# ---------------------------------------------------------------- for sentences


def name_of_call(function: FunctionCase, at: int) -> str:
    """Name a call for a sentence; among the steps there may be several of that name."""
    own = function.calls[at]
    name = quote(own.signature.name, most=_MAX_QUOTED_LENGTH)
    alike = [
        place
        for place, call in enumerate(function.calls)
        if (call.signature.name, call.makes) == (own.signature.name, own.makes)
    ]
    if function.steps is None or len(alike) == 1:
        return name
    number = alike.index(at)
    return f"the {_ORDINALS[number]} {name}" if number < len(_ORDINALS) else f"{name}, called the {number + 1}th time,"


def shown_call(function: FunctionCase, at: int, *, is_python: bool) -> str:
    """Name a call with its arguments, where they are plain values and the first of its name: `Jar(-1)`."""
    call, name = function.calls[at], name_of_call(function, at)
    if any(isinstance(arg, Argument | NewObject) for arg in call.args) or not name.startswith("`"):
        return name
    args = ", ".join(display_value(arg, is_python=is_python) for arg in call.args)
    return quote(f"{call.signature.name}({args})", most=_MAX_QUOTED_LENGTH)
