"""`functions`: calls of a student's functions, each a case of its own, in the language of the assignment.

`declare` is the heading of a function as the assignment prints it. Only the parts that matter to a caller are read: in
Java the name, the types and `static`; in C the name and the types; in Python the name and the parameters. With `new`,
the heading of a constructor, the functions are methods of an object. With `steps`, one case makes several calls, and
each may have its own expectation.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Expectation
from grader.core.model.values import Argument, NewObject, PlainValue, Wildcard
from grader.core.reader.expectation import read_alternatives, stream
from grader.core.reader.language import COMPARED
from grader.core.seeded_random import derive
from grader.core.text import joined
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.value import (
    Keys,
    Value,
    boolean,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_cut,
    is_reference,
    is_understood,
    items,
    key_path,
    keyword,
    named_function,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.kinds.functions.c_headings import c_constructor, c_heading, without_handle
from grader.kinds.functions.keys import (
    CALL,
    CELLS,
    FIELD,
    FUNCTIONS,
    FURTHER_CALL,
    RAISED,
    RESULT,
    STEP_CALL,
    STEP_RESULT,
)
from grader.kinds.functions.model import (
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Outcome,
    Parameter,
    Signature,
    Structure,
)
from grader.kinds.functions.read_structures import complete_further_calls, read_structures, with_structures
from grader.kinds.functions.read_values import fits, is_plain_type, read_argument, read_value

MAX_DRAWN = 1000

# ---------------------------------------------------------------- headings

_JAVA_MODIFIERS = r"(?:(?:public|protected|static|final|synchronized)\s+)*"
_JAVA_TYPE = r"[A-Za-z_][\w.]*(?:\s*<[^()]*>)?(?:\s*\[\s*\])*"
_JAVA_NAME = r"[A-Za-z_$][\w$]*"
_JAVA_DECLARED = rf"({_JAVA_MODIFIERS})({_JAVA_TYPE})\s+({_JAVA_NAME})"
_JAVA_METHOD = re.compile(rf"{_JAVA_DECLARED}\s*\(([^()]*)\)\s*(?:throws\s+[\w.,\s]+)?;?")
_JAVA_FIELD = re.compile(rf"{_JAVA_DECLARED}((?:\s*\[\s*\])*)\s*;?")
_JAVA_PARAMETER = re.compile(rf"(?:final\s+)?({_JAVA_TYPE})\s+({_JAVA_NAME})((?:\s*\[\s*\])*)")


def java_heading(text: str) -> Signature | None:
    """Read `static int f(int[][] B, String mode)`; None when it is no heading of a method with named parameters."""
    found = _JAVA_METHOD.fullmatch(text.strip())
    if found is None:
        return None
    modifiers, returns, name, listed = found.groups()
    parameters = [_JAVA_PARAMETER.fullmatch(part.strip()) for part in listed.split(",")] if listed.strip() else []
    read = tuple(Parameter(type=_type_name(p[1] + p[3]), name=p[2]) for p in parameters if p)
    if len(read) < len(parameters):
        return None
    return Signature(
        text=" ".join(text.strip(" ;\n").split()),
        name=name,
        parameters=read,
        returns=_type_name(returns),
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
        parameters=(Parameter(type=_type_name(kind + brackets), name=name),),
        returns="void",
        static="static" in modifiers.split(),
    )


def _type_name(written: str) -> str:
    return re.sub(r"\s+|\bjava\.lang\.", "", written)


def python_field(text: str) -> Signature | None:
    """Read the name of a variable of a module, as what sets it; None when it is no name."""
    name = text.strip()
    return Signature(text=name, name=name, parameters=(Parameter(type="", name=name),)) if name.isidentifier() else None


def java_constructor(text: str) -> Signature | None:
    """Read `BankAccount(String owner, double initial)`; None when it is no heading of a constructor."""
    written = re.sub(r"^\s*(?:public|protected)\s+", "", text)
    heading = java_heading(f"void {written}")
    return heading and replace(heading, text=" ".join(written.strip(" ;\n").split()), returns="")


def python_constructor(text: str) -> Signature | None:
    """Read `BankAccount(owner, initial=0)`; None when it is no name of a class with the parameters behind it."""
    heading = python_heading(f"def {text.strip().removeprefix('class ')}")
    return heading and replace(_without_self(heading), text=f"class {heading.text.removeprefix('def ')}")


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
    positional = [*listed.posonlyargs, *listed.args]
    needed = len(positional) - len(listed.defaults)
    named = [Parameter(type="", name=each.arg, optional=at >= needed) for at, each in enumerate(positional)]
    return Signature(text=" ".join(heading.split()), name=function.name, parameters=tuple(named))


def _as_called(signature: Signature, maker: Signature) -> Signature:
    """Return the heading of a method as its callers see it."""
    return without_handle(signature, maker.handle) if maker.handle else _without_self(signature)


def _without_self(signature: Signature) -> Signature:
    own = signature.parameters
    return replace(signature, parameters=own[1:]) if own and own[0] == _SELF else signature


# ---------------------------------------------------------------- calls

_ReadCall = tuple[FunctionCase, Expectation]
_Declarations = Mapping[str, tuple[Callable[[str], Signature | None], str]]
"""language -> how a declaration is read, and what it looks like"""


def _script_heading(written: str) -> Signature | None:
    """Read `function f(a, b = 1)` or `f(a, b)`."""
    found = python_heading(f"def {written.removeprefix('function ').strip()}")
    return replace(found, text=written) if found else None


_DECLARED_FUNCTIONS: _Declarations = {
    "java": (java_heading, "the heading of a method, such as static void placeQueen(int[][] B, int i, int j)"),
    "python": (python_heading, "the heading of a function, such as def noConflicts(board, current)"),
    "c": (c_heading, "the heading of a function, such as double mean(const int *values, int n)"),
    "cpp": (c_heading, "the heading of a function, such as double mean(const int *values, int n)"),
    "javascript": (_script_heading, "the heading of a function, such as function noConflicts(board, current)"),
}
_DECLARED_FIELDS: _Declarations = {
    "java": (java_field, "the declaration of a field, such as int[] queenPos"),
    "python": (python_field, "the name of a variable of the module"),
}
_DECLARED_CLASSES: _Declarations = {
    "java": (java_constructor, "the heading of a constructor, such as BankAccount(String owner, double initial)"),
    "python": (python_constructor, "a class with its parameters, such as BankAccount(owner, initial=0)"),
    "javascript": (python_constructor, "a class with its parameters, such as BankAccount(owner, initial=0)"),
    "c": (c_constructor, "the heading of a function that makes an object, such as struct stack *stack_new(int size)"),
    "cpp": (c_constructor, "the heading of a function that makes an object, such as Stack *stack_new(int size)"),
}
_NATIVE = ("c", "cpp")
"""languages whose functions are called through a library that is made of the sources"""
_SOURCE_FILE = (lazy_regex(r"\w[\w-]*\.(?:c|cc|cpp|cxx)"), "the name of a source file, such as queens.c")
_PLACES: Mapping[str, tuple[re.Pattern[str], str]] = {
    "java": (lazy_regex(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*"), "the name of a Java class"),
    "python": (lazy_regex(r"\w[\w-]*(?:\.\w[\w-]*)*(?<!\.py)"), "the name of a Python module, without .py"),
    "javascript": (lazy_regex(r"\w[\w-]*(?:\.\w[\w-]*)*(?<!\.js)"), "the name of a file of JavaScript, without .js"),
    "c": _SOURCE_FILE,
    "cpp": _SOURCE_FILE,
}
"""language -> the names of what has functions, and what they are; files may begin with a digit, as in `6-sq.c`"""
_CELL_PLACE = re.compile(r"(?:\[(?:0|[1-9][0-9]{0,6})\])+")
_SELF = Parameter(type="", name="self")
_NO_FUNCTION = Signature(text="", name="")
_NO_STRUCTURES: tuple[Structure, ...] = ()


def read_functions(value: Value) -> tuple[tuple[FunctionCase, Expectation, str], ...]:
    """Read `functions`: for each call its case, what is expected of what it prints, and where the spec says so."""
    if value.context.language not in _DECLARED_FUNCTIONS:
        languages = joined(list(_DECLARED_FUNCTIONS))
        wrong(value, f"functions can be called in {languages} only: say under language which it is")
        return ()
    found, types = fields(value, FUNCTIONS), value.context.types
    maker = get(found, "new", partial(_read_signature, declarations=_DECLARED_CLASSES), None)
    structures = get(found, "structures", read_structures, _NO_STRUCTURES)
    shared = {
        "within": _read_places(found["in"]) if "in" in found else (),
        "any_access": get(found, "access", types["access"].read, "package") == "any",
        "any_case": get(found, "match", types["match"].read, "exact") == "any-case",
        "before": each_of(partial(_read_further_call, maker=maker))(found["before"]) if "before" in found else (),
    }
    for key in ("access", "match") if value.context.language in _NATIVE else ():
        if key in found:
            wrong(found[key], f"{key} has no meaning in C and C++: give other names under aliases")
    declared = tuple(
        with_structures(found.get("declare", value), signature, structures)
        for signature in _read_declared(value, found, maker)
    )
    listed = items(found["calls"]) if "calls" in found else []
    if "calls" in found and not listed:
        unwanted(found["calls"], "at least one call")
    read = [(*one, item.path) for item in listed for one in _read_entry(item, declared, maker, shared)]
    return tuple((complete_further_calls(value, case, structures), printed, path) for case, printed, path in read)


def _read_declared(value: Value, found: Mapping[str, Value], maker: Signature | None) -> tuple[Signature, ...]:
    """Read what is declared, which has to be something."""
    if "declare" not in found:
        if maker is None and is_understood(value, found):
            wrong(replace(value, path=key_path(value.path, "declare")), "this key is missing")
        return ()
    if isinstance(found["declare"].node, Listing):
        if "aliases" in found:
            wrong(found["aliases"], "aliases are of one function, and several are declared here")
        listed = items(found["declare"])
        whole = next((place for place, item in enumerate(listed, 1) if is_cut(item)), None)
        declared = tuple(_read_signature(item, maker=maker) for item in listed[:whole])
        if not declared:
            unwanted(found["declare"], "at least one heading")
        return declared
    return (_read_named_signature(found, maker),)


def _read_places(value: Value) -> tuple[str, ...]:
    names = items(value) if isinstance(value.node, Listing) else [value]
    if not names:
        unwanted(value, "at least one name")
    pattern, wanted = _PLACES[value.context.language]
    for name in names:
        if not pattern.fullmatch(text(name)):
            unwanted(name, wanted)
    return tuple(map(text, names))


def _read_named_signature(found: Mapping[str, Value], maker: Signature | None = None) -> Signature:
    """Read `declare`, with the `aliases` next to it."""
    signature = get(found, "declare", partial(_read_signature, maker=maker), _NO_FUNCTION)
    if "aliases" not in found or signature is _NO_FUNCTION:
        return signature
    return replace(signature, aliases=_read_aliases(found["aliases"], signature))


def _read_aliases(value: Value, signature: Signature) -> tuple[str, ...]:
    names: list[str] = []
    for item in items(value):
        name = text(item)
        if not name.isidentifier():
            unwanted(item, "the name of a function alone, without parameters")
        elif name in (signature.name, *names):
            wrong(item, f"{in_quotes(name)} is a name of it already: take it out")
        names.append(name)
    if not names:
        unwanted(value, "at least one name")
    return tuple(names)


def _read_signature(
    value: Value, declarations: _Declarations = _DECLARED_FUNCTIONS, maker: Signature | None = None
) -> Signature:
    """Read a heading; types of methods may include the class whose objects `maker` makes."""
    read, wanted = declarations[value.context.language]
    signature = read(text(value))
    if signature is None:
        unwanted(value, wanted)
        return _NO_FUNCTION
    signature = _as_called(signature, maker) if maker else signature
    for parameter in signature.parameters:
        is_class = maker is not None and parameter.type in (maker.name, maker.handle or "Object")
        is_pointer = parameter.type.endswith((" *", " **")) and value.context.language in _NATIVE
        if parameter.type and not is_plain_type(parameter.type) and not (is_class or is_pointer):
            plain = "numbers, booleans, texts and arrays of them"
            wrong(value, f"only {plain} can be given from a spec, and no {parameter.type}")
    is_native = value.context.language in _NATIVE
    is_known = is_plain_type(signature.returns.replace("[]", "*")) or signature.returns.endswith(" *")
    is_known = is_known or signature.returns == signature.handle
    if is_native and signature.returns != "void" and not is_known:
        wrong(value, f"a function that returns {signature.returns} cannot be called: nobody knows how long that is")
    return signature


def _read_entry(
    value: Value, declared: Sequence[Signature], maker: Signature | None, shared: Mapping[str, Any]
) -> list[_ReadCall]:
    """Read an entry of `calls`: one call, as many as are to be generated, or several in one process."""
    found = fields(value, CALL)
    made = _read_made(value, found, maker)
    if "steps" in found:
        return [_read_steps(value, found, declared, made, shared)]
    if len(declared) > 1 and not made:
        if is_understood(value, found):
            wrong(value, "several functions are declared: say under steps which are called, and in which order")
        return []
    signature = declared[0] if len(declared) == 1 else _NO_FUNCTION
    is_alone = made is not None and signature is _NO_FUNCTION
    for key in ("args", "generate", "before", "then") if is_alone else ():
        if key in found:
            wrong(found[key], f"without steps the constructor alone is called here, and {key} has no meaning")
    own: dict[str, Any] = {
        key: each_of(partial(_read_further_call, maker=maker))(found[key]) for key in ("before", "then") if key in found
    }
    expected: dict[str, Any] = _read_result(found["expect"], signature) if "expect" in found else {}
    if not expected and is_understood(value, found):
        wrong(value, f"this call checks nothing: say under expect what {', '.join(RESULT)} must be")
    printed = Expectation(stdout=expected.pop("stdout", None))
    generators = _read_generators(value, found, signature)
    args = () if generators else get(found, "args", lambda entry: _read_args(entry, signature, read_value, maker), ())
    if "args" not in found and "generate" not in found and signature.fewest:
        wrong(value, "this call has no arguments: give them under args, or draw them with generate")
    for key in ("before", "then"):
        _check_positions(value, (own.get(key) or shared.get(key, ())), signature)
    keywords: dict[str, Any] = {**shared, **own, **expected}
    if made and is_alone:
        return [(FunctionCase(call=made, **{**keywords, "before": ()}), printed)]
    keywords["before"] = (*([made] if made else ()), *keywords["before"])
    case = FunctionCase(call=FunctionCall(signature=signature, args=args), **keywords)
    return [(replace(case, generated_input=generator), printed) for generator in generators] or [(case, printed)]


def _read_made(value: Value, found: Mapping[str, Value], maker: Signature | None) -> FunctionCall | None:
    """Read `new`, the arguments of the constructor."""
    if maker is None:
        if "new" in found:
            wrong(found["new"], "there is no constructor: give its heading as new, beside in")
        return None
    args = get(found, "new", lambda entry: _read_args(entry, maker, read_value, maker), ())
    if "new" not in found and maker.fewest and is_understood(value, found):
        wrong(value, f"this call has no object: give the arguments of {maker.text} under new")
    return FunctionCall(signature=maker, args=args, makes=True)


def _read_steps(
    value: Value,
    found: Mapping[str, Value],
    declared: Sequence[Signature],
    made: FunctionCall | None,
    shared: Mapping[str, Any],
) -> _ReadCall:
    """Read several calls in one process, each with what it has to come to."""
    for key in ("args", "generate", "then"):
        if key in found:
            wrong(found[key], f"{key} has no meaning beside steps: each has its own arguments, in its place")
    before = tuple(map(_read_further_call, items(found["before"]))) if "before" in found else shared["before"]
    steps = [_read_step(item, declared, made.signature if made else None) for item in items(found["steps"])]
    if not steps:
        unwanted(found["steps"], "at least one step")
        steps = [(FunctionCall(signature=_NO_FUNCTION), Outcome())]
    printed = fields(found["expect"], {"stdout": RESULT["stdout"]}) if "expect" in found else {}
    stdout = get(printed, "stdout", stream, None)
    is_known = all(call.signature is not _NO_FUNCTION for call, _ in steps) and is_understood(value, found)
    if stdout is None and is_known and not any(outcome != Outcome() for _, outcome in steps):
        wrong(value, f"these steps check nothing: say under expect of one what {', '.join(STEP_RESULT)} must be")
    first = (*([made] if made else ()), *before)
    calls, outcomes = zip(*steps, strict=True)
    last: Outcome = outcomes[-1]
    case = FunctionCase(
        **{**shared, "before": (*first, *calls[:-1])},
        call=calls[-1],
        returns=last.returns,
        raises=last.raises,
        message=last.message,
        steps=dict(enumerate(outcomes[:-1], len(first))),
    )
    return case, Expectation(stdout=stdout)


def _read_step(value: Value, declared: Sequence[Signature], maker: Signature | None) -> tuple[FunctionCall, Outcome]:
    """Read a step: the name of a function with its arguments, and perhaps `expect`."""
    found = entries(value)
    names = [name for name in found if name not in STEP_CALL]
    if len(names) != 1:
        unwanted(value, "the name of one declared function, with its arguments: deposit: [5]")
        return FunctionCall(signature=_NO_FUNCTION), Outcome()
    key, given = found[names[0]]
    alike = [signature for signature in declared if signature.name == names[0]]
    if not alike:
        known = [signature.name for signature in declared if signature.name]
        if len(known) == len(declared):
            wrong(key, f"no {in_quotes(names[0])} is declared{suggestion(names[0], known)}")
        return FunctionCall(signature=_NO_FUNCTION), Outcome()
    count = len(items(given))
    signature = next((one for one in alike if one.fewest <= count <= len(one.parameters)), alike[0])
    args = _read_args(given, signature, read_value, maker)
    keywords: dict[str, Any] = _read_result(found["expect"][1], signature, STEP_RESULT) if "expect" in found else {}
    return FunctionCall(signature=signature, args=args), Outcome(**keywords)


def _read_generators(value: Value, found: Mapping[str, Value], signature: Signature) -> list[GeneratedInput]:
    if "generate" not in found:
        if "count" in found:
            wrong(found["count"], "count belongs to generate only")
        return []
    if "args" in found:
        wrong(value, "wanted args or generate, found both")
    function = named_function(found["generate"])
    count = get(found, "count", value.context.types["count"].read, 1)
    if count > MAX_DRAWN:
        unwanted(found["count"], f"at most {MAX_DRAWN} calls")
    context = value.context
    origin = f"{context.spec} {signature.text} {function}"
    by_chance = context.seed != context.spec
    seed = derive(context.seed, origin) if by_chance else origin
    indices = range(min(count, MAX_DRAWN))
    return [GeneratedInput(function=function, seed=seed, index=index, by_chance=by_chance) for index in indices]


def _read_further_call(value: Value, maker: Signature | None = None) -> FunctionCall:
    if not (isinstance(value.node, Table) and "field" in entries(value)):
        found = fields(value, FURTHER_CALL)
        signature = _read_named_signature(found, maker)
        args = get(found, "args", lambda entry: _read_args(entry, signature, read_argument, maker), ())
        return FunctionCall(signature=signature, args=args)
    found = fields(value, FIELD)
    if value.context.language not in _DECLARED_FIELDS:
        wrong(value, f"variables are set in {' and '.join(_DECLARED_FIELDS)} only: call a function that sets them")
        return FunctionCall(signature=_NO_FUNCTION, args=(None,), sets=True)
    field = get(found, "field", lambda entry: _read_signature(entry, _DECLARED_FIELDS), _NO_FUNCTION)
    given = get(found, "value", read_argument, None)
    if any(parameter.type and not fits(given, parameter.type) for parameter in field.parameters):
        unwanted(found.get("value", value), f"a value for {field.text}")
    if "aliases" in found and field is not _NO_FUNCTION:
        field = replace(field, aliases=_read_aliases(found["aliases"], field))
    optional = get(found, "optional", boolean, default=False)
    return FunctionCall(signature=field, args=(given,), sets=True, optional=optional)


def _read_args(
    value: Value, signature: Signature, reader: Callable[[Value], Any], maker: Signature | None = None
) -> tuple[Any, ...]:
    values = each_of(reader)(value)
    if signature is _NO_FUNCTION:
        return values
    if not signature.fewest <= len(values) <= len(signature.parameters):
        least = f"{signature.fewest} to " if signature.fewest < len(signature.parameters) else ""
        wrong(value, f"wanted {least}{len(signature.parameters)} arguments, for {signature.text}, found {len(values)}")
        return values
    for item, given, parameter in zip(items(value), values, signature.parameters, strict=False):
        is_object = parameter.type == signature.handle and isinstance(given, NewObject)
        if parameter.type and not (is_object or fits(given, parameter.type)):
            unwanted(item, f"a value for {parameter.type} {parameter.name}")
        if isinstance(given, NewObject):
            _check_made(item, given, maker)
    return values


def _check_made(value: Value, made: NewObject, maker: Signature | None) -> None:
    if maker is None:
        wrong(value, "there is no constructor that could make this object: give its heading as new, beside in")
        return
    given = zip(made.args, maker.parameters, strict=False)
    is_right = all(not parameter.type or fits(arg, parameter.type) for arg, parameter in given)
    if not (is_right and maker.fewest <= len(made.args) <= len(maker.parameters)):
        wrong(value, f"these are no arguments for {maker.text}")


def _check_positions(value: Value, calls: tuple[FunctionCall, ...], signature: Signature) -> None:
    own = signature.parameters
    for call in calls if signature is not _NO_FUNCTION else ():
        for arg, parameter in zip(call.args, call.signature.parameters, strict=False):
            if not isinstance(arg, Argument):
                continue
            if arg.position >= len(own):
                wrong(value, f"{signature.text} has no argument {arg.position}: they are counted from 0")
            elif own[arg.position].type != parameter.type:
                wrong(value, f"{call.signature.text} cannot be given the argument {arg.position} of {signature.text}")


# ---------------------------------------------------------------- what is expected


def _read_result(value: Value, signature: Signature, keys: Keys = RESULT) -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `FunctionCase`, or of `Outcome`, and `stdout`."""
    found = fields(value, keys)
    readers: Mapping[str, Callable[[Value], Any]] = {
        "returns": _read_expected_value,
        "args": lambda entry: _read_expected_args(entry, signature),
        "stdout": stream,
    }
    if "raises" in found and value.context.language in _NATIVE:
        wrong(found["raises"], "exceptions are looked at in java and python only")
    if signature.returns == "void" and "returns" in found:
        wrong(found["returns"], f"{signature.text} returns nothing")
    read = {key: readers[key](entry) for key, entry in found.items() if key in readers}
    return {**read, **(_read_raised(found["raises"]) if "raises" in found else {})}


def _read_expected_value(value: Value) -> ExpectedValue:
    if is_reference(value):
        return ExpectedValue(reference=True)
    named = entries(value) if isinstance(value.node, Table) else {}
    if "any" in named:
        found = fields(value, {"any": COMPARED["any"]})
        return ExpectedValue(
            either=read_alternatives(found["any"], lambda item: (one := _read_expected_value(item)).either or (one,))
        )
    if "new" in named:
        problem = "an object is what it says of itself: write {text: …}, or what its methods return under steps"
        wrong(value, problem)
    if "cells" in named:
        return _read_cells(fields(value, CELLS)["cells"])
    if any(name in COMPARED and COMPARED[name].alternative for name in named):
        compared = stream(value)
        return ExpectedValue(text=compared, reference=compared.asks_reference)
    return ExpectedValue(want=read_value(value))


def _read_cells(value: Value) -> ExpectedValue:
    """Read a list in which `_` stands for any cell, or what is in some cells, by their places."""
    if isinstance(value.node, Listing):
        if not value.node.items:
            unwanted(value, "at least one cell")
        return ExpectedValue(want=_read_cell(value))
    cells: dict[tuple[int, ...], ExpectedValue] = {}
    for name, (key, entry) in entries(value).items():
        if not _CELL_PLACE.fullmatch(name):
            unwanted(key, "the place of a cell, such as [1][0]")
        cells[tuple(map(int, re.findall("[0-9]+", name)))] = _read_expected_value(entry)
    if not cells:
        unwanted(value, "at least one cell")
    return ExpectedValue(cells=cells)


def _read_cell(value: Value) -> PlainValue:
    if isinstance(value.node, Listing):
        return tuple(map(_read_cell, items(value)))
    return Wildcard() if keyword(value) == "_" else read_value(value)


def _read_expected_args(value: Value, signature: Signature) -> dict[int, ExpectedValue]:
    positions = {str(position): position for position in range(len(signature.parameters))}
    expected = {}
    for name, (key, entry) in entries(value).items():
        if name in positions:
            expected[positions[name]] = _read_expected_value(entry)
        elif signature is not _NO_FUNCTION:
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return expected


def _read_raised(value: Value) -> dict[str, Any]:
    """Read the name of an exception, or that with its message."""
    if not isinstance(value.node, Table):
        return {"raises": _read_name_of_exception(value)}
    found = fields(value, RAISED)
    name = get(found, "type", _read_name_of_exception, "any")
    return {"raises": name, "message": get(found, "message", stream, None)}


def _read_name_of_exception(value: Value) -> str:
    name = text(value)
    if keyword(value) == "reference":
        is_reference(value)
    elif not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of an exception, any or reference")
    return name
