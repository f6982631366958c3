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
from grader.core.yaml.nodes import Listing, Node, Table, listing, plain, table
from grader.core.yaml.types import Found, node_of, read_as, read_given, refuse, write_fields
from grader.core.yaml.value import Keys, Value, each_of, entries, fields, get, in_quotes, text, unwanted, wrong
from grader.kinds.functions import keys
from grader.kinds.functions.compare_values import element_at, encode_value, has_whatever, place_of
from grader.kinds.functions.headings import HEADINGS, NATIVE_HEADINGS, Form, c_structure, without_object
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


def _is_native(value: Value) -> bool:
    return HEADINGS[value.context.language] is NATIVE_HEADINGS


def _each(value: Value, least: str) -> tuple[Value, ...]:
    return each_of(lambda item: item, least)(value)


def read_functions(value: Value) -> tuple[tuple[FunctionCase, Expected | None, str], ...]:
    """Read `functions`: for each call its case, what is expected of what it prints, and where the spec says so."""
    if value.context.language not in HEADINGS:
        wrong(value, f"functions can be called in {joined(list(HEADINGS))} only: say under language which it is")
        return ()
    found = fields(value, keys.FUNCTIONS)
    if _is_native(value):
        refuse(found, ("access", "match"), "{} has no meaning in C and C++: give other names under aliases")
    reader = _Reader(value, found)
    listed = _each(found["calls"], "at least one call") if "calls" in found else ()
    return tuple((*one, item.path) for item in listed for one in reader.entry(item))


def read_places(value: Value) -> tuple[str, ...]:
    """Read the names of what has the functions."""
    pattern, wanted = HEADINGS[value.context.language].place
    names = _each(value, "at least one name") if isinstance(value.node, Listing) else (value,)
    for name in names:
        if not pattern.fullmatch(text(name)):
            unwanted(name, wanted)
    return tuple(map(text, names))


def read_structures(value: Value) -> tuple[Structure, ...]:
    """Read the structures of C that an assignment declares."""
    if not _is_native(value):
        wrong(value, "structures are declared in C and C++ only: objects are made with new")
        return ()
    found: dict[str, Structure] = {}
    for item in yaml.items(value):
        structure = c_structure(text(item))
        if structure is None:
            unwanted(item, "a structure such as struct node { int value; struct node *next; }")
            continue
        for field in structure.fields:
            if field.type != f"{structure.name} *" and (field.type.endswith("]") or not is_plain_type(field.type)):
                plain = "numbers, texts and pointers to the structure itself"
                wrong(item, f"fields are {plain}, and {in_quotes(field.name)} is none of them")
        if structure.name in found:
            wrong(item, f"{in_quotes(structure.name)} is declared already: keep one")
        found[structure.name] = structure
    return tuple(found.values())


class _Reader:
    """Reads calls of what is declared here; types may include the class whose objects `maker` makes."""

    maker: Signature | None = None
    before: tuple[FunctionCall, ...] = ()  # what is called before each entry that names nothing else

    def __init__(self, value: Value, found: Found) -> None:
        self.language = HEADINGS[value.context.language]
        self.shared = {"within": (), **read_given(found, keys.FUNCTIONS, "structures", "in", "access", "match")}
        self.structures: tuple[Structure, ...] = self.shared.pop("structures", ())
        self.maker = get(found, "new", lambda heading: self.signature(heading, self.language.maker), None)
        self.declared = self.declarations(value, found)
        self.before = self.further_calls(found, "before")

    # ------------------------------------------------------------ headings

    def declarations(self, value: Value, found: Found) -> tuple[Signature, ...]:
        """Read what is declared, which has to be something."""
        if "declare" not in found:
            if self.maker is None and yaml.is_understood(value, found):
                wrong(replace(value, path=yaml.key_path(value.path, "declare")), "this key is missing")
            return ()
        if not isinstance(found["declare"].node, Listing):
            return (self.named_signature(found, "declare"),)
        if "aliases" in found:
            wrong(found["aliases"], "aliases are of one function, and several are declared here")
        listed = _each(found["declare"], "at least one heading")
        whole = next((place for place, item in enumerate(listed, 1) if yaml.is_cut(item)), None)
        return tuple(map(self.signature, listed[:whole]))

    def named_signature(self, found: Found, key: str) -> Signature:
        """Read a heading with the `aliases` next to it."""
        form = self.language.field if key == "field" else None
        signature = get(found, key, lambda value: self.signature(value, form), _NO_FUNCTION)
        if "aliases" not in found or signature is _NO_FUNCTION:
            return signature
        names = each_of(text, "at least one name")(found["aliases"])
        for place, (item, name) in enumerate(zip(yaml.items(found["aliases"]), names, strict=True)):
            if not name.isidentifier():
                unwanted(item, "the name of a function alone, without parameters")
            elif name in (signature.name, *names[:place]):
                wrong(item, f"{in_quotes(name)} is a name of it already: take it out")
        return replace(signature, aliases=names)

    def signature(self, value: Value, form: Form | None = None) -> Signature:
        """Read a heading, of a function unless it has another `form`, with the structures whose pointers are in it."""
        read, wanted = form or self.language.function
        signature, maker, is_native = read(text(value)), None if form else self.maker, _is_native(value)
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
        pointers = {kind.rstrip("* ") for kind in (*kinds, returns) if kind.endswith((" *", " **"))} - {
            signature.handle.rstrip("* ")
        }
        if unknown := sorted(pointers - {one.name for one in self.structures}):
            wrong(value, f"the structure {unknown[0]} is not declared: write its fields under structures")
        return replace(signature, structures=tuple(one for one in self.structures if one.name in pointers))

    # ------------------------------------------------------------ calls

    def entry(self, value: Value) -> list[tuple[FunctionCase, Expected | None]]:
        """Read an entry of `calls`: one call, as many as are to be generated, or several in one process."""
        found = fields(value, keys.CALL)
        made, before = self.made(value, found), self.further_calls(found, "before")
        if "steps" in found:
            return [self.steps(value, found, (*made, *before))]
        if len(self.declared) > 1 and not made:
            if yaml.is_understood(value, found):
                wrong(value, "several functions are declared: say under steps which are called, and in which order")
            return []
        signature = self.declared[0] if len(self.declared) == 1 else _NO_FUNCTION
        is_alone = bool(made) and signature is _NO_FUNCTION
        if is_alone:
            why = "without steps the constructor alone is called here, and {} has no meaning"
            refuse(found, ("args", "generate", "before", "then"), why)
        expected = get(found, "expect", lambda entry: _read_result(entry, signature), dict[str, Any]())
        if not expected and yaml.is_understood(value, found):
            wrong(value, f"this call checks nothing: say under expect what {', '.join(keys.RESULT)} must be")
        stdout, left = expected.pop("stdout", None), expected.pop("args", {})
        generators = _read_generators(value, found, signature)
        args = () if generators else get(found, "args", lambda entry: self.args(entry, signature), ())
        if "args" not in found and "generate" not in found and signature.fewest:
            wrong(value, "this call has no arguments: give them under args, or draw them with generate")
        first = () if is_alone else (*made, *before)
        main = made[0] if is_alone else FunctionCall(signature=signature, args=args)
        calls = (*first, replace(main, expect=ExpectedOutcome(**expected)), *self.further_calls(found, "then"))
        case = self.case(value, calls, main=len(first), args=left)
        return [(replace(case, generated_input=generator), stdout) for generator in generators or (None,)]

    def case(self, value: Value, calls: tuple[FunctionCall, ...], **more: Any) -> FunctionCase:
        """Make a case of its calls, which may be given arguments that the main one has."""
        case = FunctionCase(calls=calls, **more, **self.shared)
        main = case.call.signature
        for call in calls if main is not _NO_FUNCTION else ():
            for arg, parameter in zip(call.args, call.signature.parameters, strict=False):
                if isinstance(arg, Argument) and arg.position >= len(main.parameters):
                    wrong(value, f"{main.text} has no argument {arg.position}: they are counted from 0")
                elif isinstance(arg, Argument) and main.parameters[arg.position].type != parameter.type:
                    wrong(value, f"{call.signature.text} cannot be given the argument {arg.position} of {main.text}")
        return case

    def made(self, value: Value, found: Found) -> tuple[FunctionCall, ...]:
        """Read `new`, the arguments of the constructor: a call of it, or none where there is no constructor."""
        maker = self.maker
        if maker is None:
            refuse(found, ["new"], "there is no constructor: give its heading as new, beside in")
            return ()
        if "new" not in found and maker.fewest and yaml.is_understood(value, found):
            wrong(value, f"this call has no object: give the arguments of {maker.text} under new")
        args = get(found, "new", lambda entry: self.args(entry, maker), ())
        return (FunctionCall(signature=maker, args=args, makes=True),)

    def steps(
        self, value: Value, found: Found, before: tuple[FunctionCall, ...]
    ) -> tuple[FunctionCase, Expected | None]:
        """Read several calls in one process, each with what it has to come to."""
        why = "{} has no meaning beside steps: each has its own arguments, in its place"
        refuse(found, ("args", "generate", "then"), why)
        steps = each_of(self.step, "at least one step")(found["steps"]) or (_NO_CALL,)
        printed = fields(found["expect"], {"stdout": keys.RESULT["stdout"]}) if "expect" in found else {}
        stdout = get(printed, "stdout", read_as("stream"), None)
        is_known = _NO_FUNCTION not in [call.signature for call in steps] and yaml.is_understood(value, found)
        if stdout is None and is_known and all(call.expect == ExpectedOutcome() for call in steps):
            keys_of_steps = ", ".join(keys.STEP_RESULT)
            wrong(value, f"these steps check nothing: say under expect of one what {keys_of_steps} must be")
        calls = (*before, *steps)
        return self.case(value, calls, main=len(calls) - 1, steps=len(steps)), stdout

    def step(self, value: Value) -> FunctionCall:
        """Read a step: the name of a function with its arguments, and perhaps `expect`."""
        found = entries(value)
        names = [name for name in found if name not in keys.STEP_CALL]
        if len(names) != 1:
            unwanted(value, "the name of one declared function, with its arguments: deposit: [5]")
            return _NO_CALL
        key, given = found[names[0]]
        known = [signature.name for signature in self.declared]
        alike = [signature for signature in self.declared if signature.name == names[0]]
        if not alike:
            if all(known):
                wrong(key, f"no {in_quotes(names[0])} is declared{yaml.suggestion(names[0], known)}")
            return _NO_CALL
        count = len(yaml.items(given))
        signature = next((one for one in alike if one.fewest <= count <= len(one.parameters)), alike[0])
        args = self.args(given, signature)
        expected = _read_result(found["expect"][1], signature, keys.STEP_RESULT) if "expect" in found else {}
        return FunctionCall(signature=signature, args=args, expect=ExpectedOutcome(**expected))

    def further_calls(self, found: Found, name: str) -> tuple[FunctionCall, ...]:
        """Read the calls before and after others."""
        otherwise = self.before if name == "before" else ()
        return get(found, name, each_of(self.further_call), otherwise)

    def further_call(self, value: Value) -> FunctionCall:
        """Read a call before or after others, or the setting of a field."""
        if not (isinstance(value.node, Table) and "field" in entries(value)):
            found = fields(value, keys.FURTHER_CALL)
            signature = self.named_signature(found, "declare")
            args = get(found, "args", lambda entry: self.args(entry, signature, "arguments-given"), ())
            return FunctionCall(signature=signature, args=args)
        found = fields(value, keys.FIELD)
        if not self.language.field:
            wrong(value, "variables are set in java and python only: call a function that sets them")
            return replace(_NO_CALL, args=(None,), sets=True)
        field = self.named_signature(found, "field")
        read = read_given(found, keys.FIELD, "value", "optional")
        given = (read.pop("value", None),)
        if field is not _NO_FUNCTION and not accepts(field, given):
            unwanted(found.get("value", value), f"a value for {field.text}")
        return FunctionCall(signature=field, args=given, sets=True, **read)

    def args(self, value: Value, signature: Signature, kind: str = "values") -> tuple[PlainValue, ...]:
        """Read arguments that fit a heading."""
        values: tuple[PlainValue, ...] = read_as(kind)(value)
        if signature is _NO_FUNCTION:
            return values
        most = len(signature.parameters)
        if not signature.fewest <= len(values) <= most:
            least = f"{signature.fewest} to " if signature.fewest < most else ""
            wrong(value, f"wanted {least}{most} arguments, for {signature.text}, found {len(values)}")
            return values
        for item, given, parameter in zip(yaml.items(value), values, signature.parameters, strict=False):
            is_object = parameter.type == signature.handle and isinstance(given, NewObject)
            if parameter.type and not (is_object or fits(given, parameter.type)):
                unwanted(item, f"a value for {parameter.type} {parameter.name}")
            if isinstance(given, NewObject) and self.maker is None:
                wrong(item, "there is no constructor that could make this object: give its heading as new, beside in")
            elif isinstance(given, NewObject) and self.maker and not accepts(self.maker, given.args):
                wrong(item, f"these are no arguments for {self.maker.text}")
        return values


def _read_generators(value: Value, found: Found, signature: Signature) -> list[GeneratedInput]:
    if "generate" not in found:
        return []
    if "args" in found:
        wrong(value, "wanted args or generate, found both")
    function, context = yaml.named_function(found["generate"]), value.context
    count = get(found, "count", read_as("count"), 1)
    if count > _MAX_DRAWN:
        unwanted(found["count"], f"at most {_MAX_DRAWN} calls")
    origin, by_chance = f"{context.spec} {signature.text} {function}", context.seed != context.spec
    seed = derive(context.seed, origin) if by_chance else origin
    indices = range(min(count, _MAX_DRAWN))
    return [GeneratedInput(function=function, seed=seed, index=index, by_chance=by_chance) for index in indices]


def _read_result(value: Value, signature: Signature, known: Keys = keys.RESULT) -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `ExpectedOutcome`, with `stdout` and `args` in addition."""
    found = fields(value, known)
    if "raises" in found and _is_native(value):
        wrong(found["raises"], "exceptions are looked at in java and python only")
    if signature.returns == "void" and "returns" in found:
        wrong(found["returns"], f"{signature.text} returns nothing")
    read = read_given(found, known)
    for name, (key, _) in entries(found["args"]).items() if "args" in found and signature is not _NO_FUNCTION else ():
        if name not in map(str, range(len(signature.parameters))):
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return {**read.pop("ending", {}), **read}


def read_expected_args(value: Value) -> dict[int, ExpectedValue]:
    """Read what is expected of arguments, by their positions."""
    found = entries(value).items()
    return {int(name): read_expected_value(entry) for name, (_, entry) in found if re.fullmatch("[0-9]{1,3}", name)}


def read_expected_value(value: Value) -> ExpectedValue:
    """Read what is expected of a value."""
    if yaml.is_reference(value):
        return ExpectedValue(reference=True)
    named = entries(value) if isinstance(value.node, Table) else {}
    if "any" in named:
        found = fields(value, {"any": COMPARED["any"]})
        return ExpectedValue(
            either=read_alternatives(found["any"], lambda item: (one := read_expected_value(item)).either or (one,))
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
    """Read a list in which `_` stands for any cell, or what is in some cells, by their places."""
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
    shared = {
        (one.within, one.match, one.access, one.maker and one.maker.signature, not one.steps and one.call.signature)
        for one in functions
    }
    if len(functions) < len(cases) or len(shared) != 1:
        return None
    first = functions[0]
    called = (call for one in functions for call in one.calls[one.main - max(one.steps - 1, 0) : one.main + 1])
    declared = list(dict.fromkeys(call.signature for call in called if call.is_named))
    headings = [one.text for one in declared]
    is_one = not first.steps and headings
    found = {
        "within": first.within,
        "structures": list(dict.fromkeys(structure.text for one in declared for structure in one.structures)),
        "match": first.match,
        "access": first.access,
        "new": first.maker and first.maker.signature.text,
        "declare": headings[0] if is_one else headings,
        "aliases": declared[0].aliases if is_one else None,
        "calls": [call_node(one, case.expect.stdout) for one, case in zip(functions, cases, strict=True)],
    }
    return {"functions": _write(found, keys.FUNCTIONS)}


def _write(found: Any, known: Keys) -> Table:
    return table(write_fields(found, known, TYPES))


def call_node(case: FunctionCase, stdout: Expected | None) -> Node:
    """Write one call with what is expected of it and of what it prints; raises CannotBeWrittenError."""
    expect = {} if case.steps else write_fields(case.call.expect, keys.STEP_RESULT, TYPES)
    expect |= write_fields({"stdout": stdout, "args": case.args}, keys.RESULT, TYPES)
    first = case.main - max(case.steps - 1, 0)
    each = [(call, write_fields(call.expect, keys.STEP_RESULT, TYPES)) for call in case.calls[first:]]
    steps = [{one.signature.name: value_node(one.args)} | ({"expect": own} if own else {}) for one, own in each]
    has_args = case.call.signature.parameters and not (case.call.makes or case.steps)
    found = {
        "new": case.maker and case.maker.args,
        "steps": list(map(node_of, steps)) if case.steps else None,
        "args": case.call.args if has_args else None,
        "before": [_further_node(call) for call in case.calls[:first] if not call.makes],
        "then": list(map(_further_node, case.calls[case.main + 1 :])),
        "expect": table(expect) if expect else None,
    }
    return _write(found, keys.CALL)


def write_raised(outcome: ExpectedOutcome) -> Node:
    """Write the exception that a call has to end with."""
    name = plain(outcome.raises)
    return name if outcome.message is None else _write({"raises": name, "message": outcome.message}, keys.RAISED)


def _further_node(call: FunctionCall) -> Node:
    signature, first = call.signature, value_node(call.args[0] if call.args else None)
    found = {"declare": signature.text, "aliases": signature.aliases, "args": call.args, "optional": call.optional}
    return _write({**found, "field": signature.text, "value": first}, keys.FIELD if call.sets else keys.FURTHER_CALL)


def write_expected_args(wanted: Mapping[int, ExpectedValue]) -> Node:
    """Write what is expected of arguments, by their positions."""
    return table({str(place): write_expected_value(one) for place, one in wanted.items()})


def write_expected_value(wanted: ExpectedValue) -> Node:
    """Write what is expected of a value."""
    if wanted.either:
        return table({"any": listing(map(write_expected_value, wanted.either))})
    if wanted.cells:
        cells = {place_of(path): write_expected_value(one) for path, one in wanted.cells.items()}
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
    """Return the calls with what those of the reference came to, or expecting nothing; raises CannotBeWrittenError."""
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
        return replace(wanted, either=tuple(_freeze_value(one, actual, freeze_text) for one in wanted.either))
    if wanted.cells:
        cells = {path: _freeze_value(one, element_at(actual, path), freeze_text) for path, one in wanted.cells.items()}
        return replace(wanted, cells=cells)
    if wanted.text is None:
        return ExpectedValue(want=actual)
    output = encode_value(actual)
    if output is None:
        raise CannotBeWrittenError("a value that is no plain data cannot be written into a spec")
    return ExpectedValue(text=freeze_text(wanted.text, output, "the value written out"))
