"""`functions` in a spec: calls of a student's functions, each a case of its own, as they are read and written."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from grader.core.errors import CannotBeWrittenError
from grader.core.kind import FreezeText
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expected, GeneratedInput
from grader.core.model.values import Argument, NewObject, PlainValue, Wildcard
from grader.core.reader.expectation import read_alternatives, write_expected
from grader.core.reader.language import COMPARED, TYPES
from grader.core.seeded_random import derive
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Table, entries_of, listing, plain, table
from grader.core.yaml.types import Said, read_as, read_found, read_given, refuse
from grader.core.yaml.value import Fields, Value, each_of, entries, fields, in_quotes, text, unwanted, wrong
from grader.kinds.functions.compare_values import element_at, encode_value, has_whatever, place_of
from grader.kinds.functions.headings import HEADINGS, NATIVE_HEADINGS, c_structure, without_object
from grader.kinds.functions.model import (
    Calls,
    ExpectedOutcome,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Signature,
    Structure,
    calls_of,
    functions_in,
    functions_of,
)
from grader.kinds.functions.values import accepts, fits, is_plain_type, read_value, value_node

_MAX_DRAWN = 1000
_CELL_PLACE = lazy_regex(r"(?:\[(?:0|[1-9][0-9]{0,6})\])+")
_NO_FUNCTION = Signature(text="", name="")
_NO_CALL = FunctionCall(signature=_NO_FUNCTION)
_OF_ONE = ("args", "generate", "then")  # keys of an entry that is one call


def _is_native(value: Value) -> bool:
    return HEADINGS[value.context.language] is NATIVE_HEADINGS


def _with_said(value: Value, **more: Any) -> Value:
    """Return the value with more context than the keys before it give."""
    return replace(value, context=replace(value.context, said={**value.context.said, **more}))


def read_functions(value: Value) -> tuple[tuple[FunctionCase, Expected | None, str], ...]:
    """Read `functions`: for each call its case, what is expected of what it prints, and where the spec says so."""
    if value.context.language not in HEADINGS:
        wrong(value, f"functions can be called in {joined(list(HEADINGS))} only: say under language which it is")
        return ()
    keys = fields(value, "functions")
    if _is_native(value):
        refuse(keys, ("access", "match"), "{} has no meaning in C and C++: give other names under aliases")
    if keys.keys().isdisjoint(("declare", "new")) and keys.are_known:
        wrong(replace(value, path=yaml.key_path(value.path, "declare")), "this key is missing")
    return tuple(read_found(keys)["calls"])


# ---------------------------------------------------------------- headings


def read_places(value: Value) -> tuple[str, ...]:
    """Read the names of the classes, modules or files that have the functions."""
    pattern, wanted = HEADINGS[value.context.language].place
    names = each_of(lambda name: name, "at least one name")(value) if isinstance(value.node, Listing) else (value,)
    for name in names:
        if not pattern.fullmatch(text(name)):
            unwanted(name, wanted)
    return tuple(map(text, names))


def read_structures(value: Value) -> tuple[Structure, ...]:
    """Read the structures of C that an assignment declares."""
    if not _is_native(value):
        wrong(value, "structures are declared in C and C++ only: objects are made with new")
        return ()
    structures: dict[str, Structure] = {}
    for item in yaml.items(value):
        structure = c_structure(text(item))
        if structure is None:
            unwanted(item, "a structure such as struct node { int value; struct node *next; }")
            continue
        for field in structure.fields:
            if field.type != f"{structure.name} *" and (field.type.endswith("]") or not is_plain_type(field.type)):
                plain = "numbers, texts and pointers to the structure itself"
                wrong(item, f"fields are {plain}, and {in_quotes(field.name)} is none of them")
        if structure.name in structures:
            wrong(item, f"{in_quotes(structure.name)} is declared already: keep one")
        structures[structure.name] = structure
    return tuple(structures.values())


def read_heading(value: Value, form: str = "function") -> Signature:
    """Read a heading of that form, with the structures that its pointers name; the object's own type is known too."""
    read, wanted = getattr(HEADINGS[value.context.language], form)
    said, is_native = value.context.said, _is_native(value)
    signature: Signature | None = read(text(value))
    maker = said.get("maker") if form == "function" else None
    if signature is None:
        unwanted(value, wanted)
        return _NO_FUNCTION
    if maker:
        signature = without_object(signature, maker.handle)
    kinds, returns = [parameter.type for parameter in signature.parameters], signature.returns
    own = (maker.name, maker.handle or "Object") if maker else ()
    for kind in kinds:
        is_pointer = kind.endswith((" *", " **")) and is_native
        if kind and not (is_plain_type(kind) or kind in own or is_pointer):
            problem = "only numbers, booleans, texts and arrays of them can be given from a spec, and no"
            wrong(value, f"{problem} {kind}")
    is_known = is_plain_type(returns.replace("[]", "*")) or returns.endswith(" *")
    if is_native and not is_known and returns not in ("void", signature.handle):
        wrong(value, f"a function that returns {returns} cannot be called: nobody knows how long that is")
    pointers = {kind.rstrip("* ") for kind in (*kinds, returns) if kind.endswith((" *", " **"))}
    pointers -= {signature.handle.rstrip("* ")}
    declared = {structure.name: structure for structure in said.get("structures", ())}
    if unknown := sorted(pointers - declared.keys()):
        wrong(value, f"the structure {unknown[0]} is not declared: write its fields under structures")
    return replace(signature, structures=tuple(structure for name, structure in declared.items() if name in pointers))


def read_headings(value: Value) -> Signature | tuple[Signature, ...]:
    """Read the declared headings: one, or a list."""
    if not isinstance(value.node, Listing):
        return read_heading(value)
    listed = each_of(lambda item: item, "at least one heading")(value)
    whole = next((place for place, item in enumerate(listed, 1) if yaml.is_cut(item)), None)
    return tuple(map(read_heading, listed[:whole]))


def read_names(value: Value) -> Signature | tuple[Signature, ...]:
    """Return the heading that was read before, with other names that it may have."""
    signature: Signature | tuple[Signature, ...] = value.context.said.get("signature", ())
    if isinstance(signature, tuple) and "signature" in value.context.said:
        wrong(value, "aliases are of one function, and several are declared here")
    if isinstance(signature, tuple) or signature is _NO_FUNCTION:
        return signature
    names = each_of(text, "at least one name")(value)
    for place, (item, name) in enumerate(zip(yaml.items(value), names, strict=True)):
        if not name.isidentifier():
            unwanted(item, "the name of a function alone, without parameters")
        elif name in (signature.name, *names[:place]):
            wrong(item, f"{in_quotes(name)} is a name of it already: take it out")
    return replace(signature, aliases=names)


# ---------------------------------------------------------------- calls


def read_call(value: Value) -> list[tuple[FunctionCase, Expected | None, str]]:
    """Read an entry of `calls`: one call, as many as are to be generated, or several in one process."""
    maker, declared = value.context.said.get("maker"), value.context.said.get("signature", ())
    declared = declared if isinstance(declared, tuple) else (declared,)
    signature = declared[0] if len(declared) == 1 else _NO_FUNCTION
    value = _with_said(value, declared=declared, signature=signature)
    keys = fields(value, "call")
    is_known, has_steps, is_one_of_several = keys.are_known, "steps" in keys, len(declared) > 1
    unread = {"args"} if "generate" in keys else set[str]()
    if maker and "new" not in keys and maker.fewest and is_known:
        wrong(value, f"this call has no object: give the arguments of {maker.text} under new")
    if has_steps:
        refuse(keys, _OF_ONE, "{} has no meaning beside steps: each has its own arguments, in its place")
        unread = {"count", *_OF_ONE}
    elif maker and signature is _NO_FUNCTION:
        refuse(keys, (*_OF_ONE, "before"), "without steps the constructor alone is called here, and {} has no meaning")
    elif is_one_of_several:
        if is_known:
            wrong(value, "several functions are declared: say under steps which are called, and in which order")
        unread = keys.known.keys() - {"new", "before"}
    said = read_given(keys, *(name for name in keys.known if name not in unread))
    said = {"before": value.context.said.get("before", ()), "made": (), **said}
    making = (FunctionCall(signature=maker, args=said["made"], makes=True),) if maker else ()
    if has_steps:
        return [(*_steps(value, said, (*making, *said["before"]), is_known=is_known), value.path)]
    if is_one_of_several and not maker:
        return []
    return _one_call(value, keys, said, making)


def _one_call(
    value: Value, keys: Fields, said: Said, making: tuple[FunctionCall, ...]
) -> list[tuple[FunctionCase, Expected | None, str]]:
    signature: Signature = value.context.said["signature"]
    expected = said.get("expect", {})
    if not expected and keys.are_known:
        wanted = ", ".join(value.context.types["result"].keys)
        wrong(value, f"this call checks nothing: say under expect what {wanted} must be")
    stdout, wanted_args = expected.pop("stdout", None), expected.pop("args", {})
    generators = _generators(value, keys, said) if "generate" in keys else [None]
    if "args" not in keys and "generate" not in keys and signature.fewest:
        wrong(value, "this call has no arguments: give them under args, or draw them with generate")
    first, main = (*making, *said["before"]), FunctionCall(signature=signature, args=said.get("args", ()))
    if making and signature is _NO_FUNCTION:
        first, main = (), making[0]
    calls = (*first, replace(main, expect=ExpectedOutcome(**expected)), *said.get("then", ()))
    case = _case(value, calls, main=len(first), args=wanted_args)
    return [(replace(case, generated_input=generator), stdout, value.path) for generator in generators]


def _case(value: Value, calls: tuple[FunctionCall, ...], **more: Any) -> FunctionCase:
    """Make a case of its calls, which may be given arguments that the main one has."""
    shared = {key: value.context.said[key] for key in ("within", "match", "access")}
    case = FunctionCase(calls=calls, **more, **shared)
    main = case.call.signature
    for call in calls if main is not _NO_FUNCTION else ():
        for arg, parameter in zip(call.args, call.signature.parameters, strict=False):
            if isinstance(arg, Argument) and arg.position >= len(main.parameters):
                wrong(value, f"{main.text} has no argument {arg.position}: they are counted from 0")
            elif isinstance(arg, Argument) and main.parameters[arg.position].type != parameter.type:
                wrong(value, f"{call.signature.text} cannot be given the argument {arg.position} of {main.text}")
    return case


def _steps(
    value: Value, said: Said, before: tuple[FunctionCall, ...], *, is_known: bool
) -> tuple[FunctionCase, Expected | None]:
    """Make a case of several calls in one process, each with its expected outcome."""
    steps, stdout = said["steps"] or (_NO_CALL,), said.get("expect", {}).get("stdout")
    is_known = is_known and _NO_FUNCTION not in [call.signature for call in steps]
    if stdout is None and is_known and all(call.expect == ExpectedOutcome() for call in steps):
        wanted = ", ".join(value.context.types["step-result"].keys)
        wrong(value, f"these steps check nothing: say under expect of one what {wanted} must be")
    calls = (*before, *steps)
    return _case(value, calls, main=len(calls) - 1, steps=len(steps)), stdout


def read_step(value: Value) -> FunctionCall:
    """Read a step: the name of a function with its arguments, and perhaps `expect`."""
    pairs, declared = entries(value), value.context.said["declared"]
    names = [name for name in pairs if name != "expect"]
    if len(names) != 1:
        unwanted(value, "the name of one declared function, with its arguments: deposit: [5]")
        return _NO_CALL
    key, given = pairs[names[0]]
    known = [signature.name for signature in declared]
    alike = [signature for signature in declared if signature.name == names[0]]
    if not alike:
        if all(known):
            wrong(key, f"no {in_quotes(names[0])} is declared{yaml.suggestion(names[0], known)}")
        return _NO_CALL
    count = len(yaml.items(given))
    signature = next((heading for heading in alike if heading.fewest <= count <= len(heading.parameters)), alike[0])
    args = read_args(_with_said(given, signature=signature))
    own = yaml.Fields(pairs, value.context.types["step-call"].keys, _with_said(value, signature=signature).context)
    return FunctionCall(signature=signature, args=args, expect=ExpectedOutcome(**read_given(own).get("expect", {})))


def read_further_call(value: Value) -> FunctionCall:
    """Read a call before or after others, or the setting of a field."""
    is_field = isinstance(value.node, Table) and "field" in entries(value)
    if is_field and not HEADINGS[value.context.language].field:
        fields(value, "field")
        wrong(value, "variables are set in java and python only: call a function that sets them")
        return replace(_NO_CALL, args=(None,), sets=True)
    call: FunctionCall = read_as("field" if is_field else "further-call")(value)
    return call


def check_field(said: Said, value: Value) -> None:
    """Check that a field can be set to a value."""
    if (field := said["signature"]) is not _NO_FUNCTION and not accepts(field, (said["value"],)):
        unwanted(value, f"a value for {field.text}")


def read_args(value: Value, kind: str = "values", of: str = "signature") -> tuple[PlainValue, ...]:
    """Read arguments of that kind, which fit a heading that was read before."""
    maker, signature = value.context.said.get("maker"), value.context.said.get(of)
    if signature is None:
        wrong(value, "there is no constructor: give its heading as new, beside in")
        return ()
    values: tuple[PlainValue, ...] = read_as(kind)(value)
    most = len(signature.parameters)
    if signature is not _NO_FUNCTION and not signature.fewest <= len(values) <= most:
        least = f"{signature.fewest} to " if signature.fewest < most else ""
        wrong(value, f"wanted {least}{most} arguments, for {signature.text}, found {len(values)}")
        return values
    for item, given, parameter in zip(yaml.items(value), values, signature.parameters, strict=False):
        is_object = parameter.type == signature.handle and isinstance(given, NewObject)
        if parameter.type and not (is_object or fits(given, parameter.type)):
            unwanted(item, f"a value for {parameter.type} {parameter.name}")
        if isinstance(given, NewObject) and maker is None:
            wrong(item, "there is no constructor that could make this object: give its heading as new, beside in")
        elif isinstance(given, NewObject) and maker and not accepts(maker, given.args):
            wrong(item, f"these are no arguments for {maker.text}")
    return values


def _generators(value: Value, keys: Fields, said: Said) -> list[GeneratedInput]:
    if "args" in keys:
        wrong(value, "wanted args or generate, found both")
    function, context, count = said["generate"], value.context, said.get("count", 1)
    if count > _MAX_DRAWN:
        unwanted(keys["count"], f"at most {_MAX_DRAWN} calls")
    origin, by_chance = f"{context.spec} {context.said['signature'].text} {function}", context.seed != context.spec
    seed = derive(context.seed, origin) if by_chance else origin
    indices = range(min(count, _MAX_DRAWN))
    return [GeneratedInput(function=function, seed=seed, index=index, by_chance=by_chance) for index in indices]


# ---------------------------------------------------------------- what they have to come to


def read_result(value: Value, kind: str = "result") -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `ExpectedOutcome`, with `stdout` and `args` in addition."""
    signature, known = value.context.said["signature"], value.context.types[kind].keys
    if kind == "result" and "steps" in value.context.said:  # each step has its own result
        known = {"stdout": known["stdout"]}
    keys = fields(value, known)
    if "raises" in keys and _is_native(value):
        wrong(keys["raises"], "exceptions are looked at in java and python only")
    if signature.returns == "void" and "returns" in keys:
        wrong(keys["returns"], f"{signature.text} returns nothing")
    read = read_given(keys)
    for name, (key, _) in entries(keys["args"]).items() if "args" in keys and signature is not _NO_FUNCTION else ():
        if name not in map(str, range(len(signature.parameters))):
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return {**read.pop("ending", {}), **read}


def read_expected_args(value: Value) -> dict[int, ExpectedValue]:
    """Read the expected arguments, by their positions."""
    pairs = entries(value).items()
    return {int(name): read_expected_value(entry) for name, (_, entry) in pairs if re.fullmatch("[0-9]{1,3}", name)}


def read_expected_value(value: Value) -> ExpectedValue:
    """Read an expected value."""
    if yaml.is_reference(value):
        return ExpectedValue(reference=True)
    named = entries(value) if isinstance(value.node, Table) else {}
    if "any" in named:
        keys = fields(value, {"any": COMPARED["any"]})
        return ExpectedValue(
            either=read_alternatives(keys["any"], lambda item: (part := read_expected_value(item)).either or (part,))
        )
    if "new" in named:
        wrong(value, "an object is what it says of itself: write {text: …}, or what its methods return under steps")
    if "cells" in named:
        cells: ExpectedValue = read_as("cells-of-value")(value)
        return cells
    if any(name in COMPARED and COMPARED[name].alternative for name in named):
        compared = read_as("stream")(value)
        return ExpectedValue(text=compared, reference=compared.asks_reference)
    return ExpectedValue(want=read_value(value))


def read_expected_cells(value: Value) -> ExpectedValue:
    """Read a list in which `_` stands for any cell, or some cells by their places."""
    if isinstance(value.node, Listing):
        return ExpectedValue(want=each_of(_read_cell, "at least one cell")(value))
    cells: dict[tuple[int, ...], ExpectedValue] = {}
    for name, (key, entry) in entries(value).items():
        if not _CELL_PLACE.fullmatch(name):
            unwanted(key, "the place of a cell, such as [1][0]")
        cells[tuple(map(int, re.findall("[0-9]+", name)))] = read_expected_value(entry)
    if not cells:
        unwanted(value, "at least one cell")
    return ExpectedValue(cells=cells)


def _read_cell(value: Value) -> PlainValue:
    if isinstance(value.node, Listing):
        return each_of(_read_cell)(value)
    return Wildcard() if yaml.keyword(value) == "_" else read_value(value)


def write(cases: Sequence[Case]) -> Mapping[str, Node] | None:
    """Write one `functions` with the calls of all cases; None where that needs several. Raises CannotBeWrittenError."""
    functions = [function for case in cases if (function := functions_of(case))]
    shared = {(case.within, case.match, case.access) for case in functions}
    headings = {(case.maker and case.maker.signature, not case.steps and case.call.signature) for case in functions}
    if len(functions) < len(cases) or len(shared) != 1 or len(headings) != 1:
        return None
    first = functions[0]
    called = (call for case in functions for call in case.calls[case.main - max(case.steps - 1, 0) : case.main + 1])
    declared = list(dict.fromkeys(call.signature for call in called if call.is_named))
    parts = {
        "within": first.within,
        "structures": list(dict.fromkeys(structure for signature in declared for structure in signature.structures)),
        "match": first.match,
        "access": first.access,
        "maker": first.maker and first.maker.signature,
        "signature": declared[0] if declared and not first.steps else tuple(declared),
        "calls": [call_node(function, case.expect.stdout) for function, case in zip(functions, cases, strict=True)],
    }
    return {"functions": TYPES["functions"].write(parts)}


def call_node(case: FunctionCase, stdout: Expected | None) -> Node:
    """Write one call with what is expected of it and of what it prints; raises CannotBeWrittenError."""
    first = case.main - max(case.steps - 1, 0)
    own = {} if case.steps else entries_of(TYPES["step-result"].write(case.call.expect))
    own = {**own, **entries_of(TYPES["result"].write({"stdout": stdout, "args": case.args}))}
    has_args = case.call.signature.parameters and not (case.call.makes or case.steps)
    parts = {
        "made": case.maker and case.maker.args,
        "steps": listing(map(_step_node, case.calls[first:])) if case.steps else None,
        "args": case.call.args if has_args else None,
        "before": [call for call in case.calls[:first] if not call.makes],
        "then": case.calls[case.main + 1 :],
        "expect": table(own) if own else None,
    }
    return TYPES["call"].write(parts)


def _step_node(call: FunctionCall) -> Node:
    expect = TYPES["step-result"].write(call.expect)
    return table({call.signature.name: value_node(call.args)} | ({"expect": expect} if entries_of(expect) else {}))


def write_raised(outcome: ExpectedOutcome) -> Node:
    """Write the exception that a call has to end with."""
    name, message = plain(outcome.raises), outcome.message
    return name if message is None else TYPES["raised-exception"].write({"raises": name, "message": message})


def write_further_calls(calls: Sequence[FunctionCall]) -> Node:
    """Write calls before or after others, and fields that are set."""
    fields = (
        {"signature": it.signature, "value": value_node(it.args[0]), "optional": it.optional} if it.sets else it
        for it in calls
    )
    return listing(TYPES["field" if isinstance(it, dict) else "further-call"].write(it) for it in fields)


def write_expected_args(wanted: Mapping[int, ExpectedValue]) -> Node:
    """Write the expected arguments, by their positions."""
    return table({str(place): write_expected_value(value) for place, value in wanted.items()})


def write_expected_value(wanted: ExpectedValue) -> Node:
    """Write an expected value."""
    if wanted.either:
        return table({"any": listing(map(write_expected_value, wanted.either))})
    if wanted.cells:
        cells = {place_of(path): write_expected_value(cell) for path, cell in wanted.cells.items()}
        return table({"cells": table(cells)})
    if wanted.text is not None:
        compared = write_expected(wanted.text)
        # A bare text would be a value, and `reference` one that is equal to the reference's.
        return compared if isinstance(compared, Table) or not wanted.text.is_checked else table({"text": compared})
    if wanted.reference:
        return plain("reference")
    node = value_node(wanted.want)
    return table({"cells": node}) if has_whatever(wanted.want) else node


def freeze(case: Case, execution: Execution | None, freeze_text: FreezeText) -> FunctionCase:
    """Return the calls with the outcomes of the reference, or none expected; raises CannotBeWrittenError."""
    function, calls = functions_in(case), execution and calls_of(execution)
    if execution is None:
        return replace(function, calls=function.bare_calls, args={})
    if not calls:
        return function
    after = dict(enumerate(calls.args or ()))
    frozen = (
        replace(call, expect=_freeze_outcome(call.expect, calls, at, freeze_text))
        for at, call in enumerate(function.calls)
    )
    args = {place: _freeze_value(wanted, after.get(place), freeze_text) for place, wanted in function.args.items()}
    return replace(function, calls=tuple(frozen), args=args)


def _freeze_outcome(outcome: ExpectedOutcome, calls: Calls, at: int, freeze_text: FreezeText) -> ExpectedOutcome:
    raised = calls.ends.get(at)
    raises = outcome.raises
    if raises == "reference":
        raises = "any" if raised else ""
    returned = calls.returned[at] if len(calls.returned) > at else None
    text = (raised.message if raised else "").encode(errors="surrogatepass")
    message = freeze_text(outcome.message, text, "the message of its exception") if raises else None
    returns = outcome.returns and _freeze_value(outcome.returns, returned, freeze_text)
    return ExpectedOutcome(returns=returns, raises=raises, message=message)


def _freeze_value(wanted: ExpectedValue, actual: PlainValue, freeze_text: FreezeText) -> ExpectedValue:
    if not wanted.asks_reference:
        return wanted
    if wanted.either:
        return replace(wanted, either=tuple(_freeze_value(choice, actual, freeze_text) for choice in wanted.either))
    if wanted.cells:
        cells = {at: _freeze_value(cell, element_at(actual, at), freeze_text) for at, cell in wanted.cells.items()}
        return replace(wanted, cells=cells)
    if wanted.text is None:
        return ExpectedValue(want=actual)
    output = encode_value(actual)
    if output is None:
        raise CannotBeWrittenError("a value that is no plain data cannot be written into a spec")
    return ExpectedValue(text=freeze_text(wanted.text, output, "the value written out"))
