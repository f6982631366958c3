"""`functions`: calls of a student's functions, each a case of its own, in the language of the assignment.

With `new`, the heading of a constructor, the functions are methods of an object. With `steps`, one case makes several
calls, and each may have its own expectation.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from grader.core.lazy import lazy_regex
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Expectation
from grader.core.model.values import Argument, NewObject, PlainValue, Wildcard
from grader.core.reader.expectation import read_alternatives
from grader.core.reader.language import COMPARED
from grader.core.seeded_random import derive
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.types import Found, read_as, read_given, refuse
from grader.core.yaml.value import (
    Keys,
    Value,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_understood,
    items,
    text,
    unwanted,
    wrong,
)
from grader.kinds.functions import keys
from grader.kinds.functions.headings import (
    HEADINGS,
    NATIVE_HEADINGS,
    Declared,
    Form,
    c_structure,
    without_handle,
    without_self,
)
from grader.kinds.functions.model import ExpectedValue, FunctionCall, FunctionCase, Outcome, Signature, Structure
from grader.kinds.functions.values import fits, is_plain_type, read_value

MAX_DRAWN = 1000
_CELL_PLACE = lazy_regex(r"(?:\[(?:0|[1-9][0-9]{0,6})\])+")
_NO_FUNCTION = Signature(text="", name="")
_NO_CALL = FunctionCall(signature=_NO_FUNCTION)


def _is_native(value: Value) -> bool:
    return HEADINGS[value.context.language] is NATIVE_HEADINGS


def read_functions(value: Value) -> tuple[tuple[FunctionCase, Expectation, str], ...]:
    """Read `functions`: for each call its case, what is expected of what it prints, and where the spec says so."""
    if value.context.language not in HEADINGS:
        wrong(value, f"functions can be called in {joined(list(HEADINGS))} only: say under language which it is")
        return ()
    found = fields(value, keys.FUNCTIONS)
    if _is_native(value):
        refuse(found, ("access", "match"), "{} has no meaning in C and C++: give other names under aliases")
    read = read_given(found, keys.FUNCTIONS, "structures", "in", "access", "match")
    reader = _Reader(language=HEADINGS[value.context.language], structures=read.get("structures", ()))
    if "new" in found:
        reader = replace(reader, maker=reader.signature(found["new"], reader.language.maker))
    reader = replace(reader, declared=reader.declarations(value, found))
    shared = {
        "within": read.get("within", ()),
        "any_access": read.get("access") == "any",
        "any_case": read.get("match") == "any-case",
        "before": (),
        **reader.further_calls(found, "before"),
    }
    listed = items(found["calls"]) if "calls" in found else []
    if "calls" in found and not listed:
        unwanted(found["calls"], "at least one call")
    return tuple((*one, item.path) for item in listed for one in reader.entry(item, shared))


def read_places(value: Value) -> tuple[str, ...]:
    """Read the names of what has the functions."""
    pattern, wanted = HEADINGS[value.context.language].place
    names = items(value) if isinstance(value.node, Listing) else [value]
    if not names:
        unwanted(value, "at least one name")
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
    for item in items(value):
        structure = c_structure(text(item))
        if structure is None:
            unwanted(item, "a structure, such as struct node { int value; struct node *next; }")
            continue
        for field in structure.fields:
            if field.type != f"{structure.name} *" and (field.type.endswith("]") or not is_plain_type(field.type)):
                plain = "numbers, texts and pointers to the structure itself"
                wrong(item, f"fields are {plain}, and {in_quotes(field.name)} is none of them")
        if structure.name in found:
            wrong(item, f"{in_quotes(structure.name)} is declared already: keep one")
        found[structure.name] = structure
    return tuple(found.values())


def _read_aliases(value: Value, signature: Signature) -> tuple[str, ...]:
    names = each_of(text, "at least one name")(value)
    for place, (item, name) in enumerate(zip(items(value), names, strict=True)):
        if not name.isidentifier():
            unwanted(item, "the name of a function alone, without parameters")
        elif name in (signature.name, *names[:place]):
            wrong(item, f"{in_quotes(name)} is a name of it already: take it out")
    return names


class _Reader(Struct, frozen=True, kw_only=True):
    """Reads calls of what is declared here; types may include the class whose objects `maker` makes."""

    language: Declared
    structures: tuple[Structure, ...] = ()
    maker: Signature | None = None
    declared: tuple[Signature, ...] = ()

    # ------------------------------------------------------------ headings

    def declarations(self, value: Value, found: Found) -> tuple[Signature, ...]:
        """Read what is declared, which has to be something."""
        if "declare" not in found:
            if self.maker is None and is_understood(value, found):
                wrong(replace(value, path=yaml.key_path(value.path, "declare")), "this key is missing")
            return ()
        if not isinstance(found["declare"].node, Listing):
            return (self.named_signature(found, "declare"),)
        if "aliases" in found:
            wrong(found["aliases"], "aliases are of one function, and several are declared here")
        listed = each_of(lambda item: item, "at least one heading")(found["declare"])
        whole = next((place for place, item in enumerate(listed, 1) if yaml.is_cut(item)), None)
        return tuple(map(self.signature, listed[:whole]))

    def named_signature(self, found: Found, key: str) -> Signature:
        """Read a heading with the `aliases` next to it."""
        form = self.language.field if key == "field" else None
        signature = get(found, key, lambda value: self.signature(value, form), _NO_FUNCTION)
        if "aliases" not in found or signature is _NO_FUNCTION:
            return signature
        return replace(signature, aliases=_read_aliases(found["aliases"], signature))

    def signature(self, value: Value, form: Form | None = None) -> Signature:
        """Read a heading, of a function unless it has another `form`, with the structures whose pointers are in it."""
        read, wanted = form or self.language.function
        signature, maker, is_native = read(text(value)), self.maker, _is_native(value)
        if signature is None:
            unwanted(value, wanted)
            return _NO_FUNCTION
        if maker and form is None:
            signature = without_handle(signature, maker.handle) if maker.handle else without_self(signature)
        for kind in (parameter.type for parameter in signature.parameters):
            is_class = maker is not None and kind in (maker.name, maker.handle or "Object")
            is_pointer = kind.endswith((" *", " **")) and is_native
            if kind and not (is_plain_type(kind) or is_class or is_pointer):
                wrong(
                    value, f"only numbers, booleans, texts and arrays of them can be given from a spec, and no {kind}"
                )
        returns = signature.returns
        is_known = is_plain_type(returns.replace("[]", "*")) or returns.endswith(" *")
        if is_native and not is_known and returns not in ("void", signature.handle):
            wrong(value, f"a function that returns {returns} cannot be called: nobody knows how long that is")
        kinds = [*(parameter.type for parameter in signature.parameters), returns]
        pointers = {kind.rstrip("*").strip() for kind in kinds if kind.endswith((" *", " **"))}
        pointers.discard(signature.handle.rstrip("*").strip())
        if unknown := sorted(pointers - {one.name for one in self.structures}):
            wrong(value, f"the structure {unknown[0]} is not declared: write its fields under structures")
        return replace(signature, structures=tuple(one for one in self.structures if one.name in pointers))

    # ------------------------------------------------------------ calls

    def entry(self, value: Value, shared: Mapping[str, Any]) -> list[tuple[FunctionCase, Expectation]]:
        """Read an entry of `calls`: one call, as many as are to be generated, or several in one process."""
        found = fields(value, keys.CALL)
        made = self.made(value, found)
        first = (made,) if made else ()
        if "steps" in found:
            return [self.steps(value, found, first, shared)]
        if len(self.declared) > 1 and not made:
            if is_understood(value, found):
                wrong(value, "several functions are declared: say under steps which are called, and in which order")
            return []
        signature = self.declared[0] if len(self.declared) == 1 else _NO_FUNCTION
        is_alone = made is not None and signature is _NO_FUNCTION
        if is_alone:
            why = "without steps the constructor alone is called here, and {} has no meaning"
            refuse(found, ("args", "generate", "before", "then"), why)
        expected = get(found, "expect", lambda entry: _read_result(entry, signature), dict[str, Any]())
        if not expected and is_understood(value, found):
            wrong(value, f"this call checks nothing: say under expect what {', '.join(keys.RESULT)} must be")
        printed = Expectation(stdout=expected.pop("stdout", None))
        generators = _read_generators(value, found, signature)
        args = () if generators else get(found, "args", lambda entry: self.args(entry, signature), ())
        if "args" not in found and "generate" not in found and signature.fewest:
            wrong(value, "this call has no arguments: give them under args, or draw them with generate")
        own: dict[str, Any] = {"then": (), **shared, **self.further_calls(found, "before", "then"), **expected}
        _check_positions(value, (*own["before"], *own["then"]), signature)
        if made and is_alone:
            return [(FunctionCase(call=made, **{**own, "before": ()}), printed)]
        own["before"] = (*first, *own["before"])
        case = FunctionCase(call=FunctionCall(signature=signature, args=args), **own)
        return [(replace(case, generated_input=generator), printed) for generator in generators or (None,)]

    def made(self, value: Value, found: Found) -> FunctionCall | None:
        """Read `new`, the arguments of the constructor."""
        maker = self.maker
        if maker is None:
            refuse(found, ["new"], "there is no constructor: give its heading as new, beside in")
            return None
        if "new" not in found and maker.fewest and is_understood(value, found):
            wrong(value, f"this call has no object: give the arguments of {maker.text} under new")
        args = get(found, "new", lambda entry: self.args(entry, maker), ())
        return FunctionCall(signature=maker, args=args, makes=True)

    def steps(
        self, value: Value, found: Found, first: tuple[FunctionCall, ...], shared: Mapping[str, Any]
    ) -> tuple[FunctionCase, Expectation]:
        """Read several calls in one process, each with what it has to come to."""
        why = "{} has no meaning beside steps: each has its own arguments, in its place"
        refuse(found, ("args", "generate", "then"), why)
        own = {**shared, **self.further_calls(found, "before")}
        steps = [self.step(item) for item in items(found["steps"])]
        if not steps:
            unwanted(found["steps"], "at least one step")
            steps = [(_NO_CALL, Outcome())]
        printed = fields(found["expect"], {"stdout": keys.RESULT["stdout"]}) if "expect" in found else {}
        stdout = get(printed, "stdout", read_as("stream"), None)
        is_known = all(call.signature is not _NO_FUNCTION for call, _ in steps) and is_understood(value, found)
        if stdout is None and is_known and all(outcome == Outcome() for _, outcome in steps):
            keys_of_steps = ", ".join(keys.STEP_RESULT)
            wrong(value, f"these steps check nothing: say under expect of one what {keys_of_steps} must be")
        calls, outcomes = zip(*steps, strict=True)
        before = (*first, *own["before"])
        own |= {"before": (*before, *calls[:-1]), "steps": dict(enumerate(outcomes[:-1], len(before)))}
        return FunctionCase(call=calls[-1], **own, **asdict(outcomes[-1])), Expectation(stdout=stdout)

    def step(self, value: Value) -> tuple[FunctionCall, Outcome]:
        """Read a step: the name of a function with its arguments, and perhaps `expect`."""
        found = entries(value)
        names = [name for name in found if name not in keys.STEP_CALL]
        if len(names) != 1:
            unwanted(value, "the name of one declared function, with its arguments: deposit: [5]")
            return _NO_CALL, Outcome()
        key, given = found[names[0]]
        alike = [signature for signature in self.declared if signature.name == names[0]]
        if not alike:
            if all(known := [signature.name for signature in self.declared]):
                wrong(key, f"no {in_quotes(names[0])} is declared{yaml.suggestion(names[0], known)}")
            return _NO_CALL, Outcome()
        count = len(items(given))
        signature = next((one for one in alike if one.fewest <= count <= len(one.parameters)), alike[0])
        args = self.args(given, signature)
        expected = _read_result(found["expect"][1], signature, keys.STEP_RESULT) if "expect" in found else {}
        return FunctionCall(signature=signature, args=args), Outcome(**expected)

    def further_calls(self, found: Found, *names: str) -> dict[str, Any]:
        """Read the calls before and after others, under those of the keys that are there."""
        return {name: each_of(self.further_call)(found[name]) for name in names if name in found}

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
        field = replace(self, maker=None).named_signature(found, "field")
        read = read_given(found, keys.FIELD, "value", "optional")
        given = read.pop("value", None)
        if any(parameter.type and not fits(given, parameter.type) for parameter in field.parameters):
            unwanted(found.get("value", value), f"a value for {field.text}")
        return FunctionCall(signature=field, args=(given,), sets=True, **read)

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
        for item, given, parameter in zip(items(value), values, signature.parameters, strict=False):
            is_object = parameter.type == signature.handle and isinstance(given, NewObject)
            if parameter.type and not (is_object or fits(given, parameter.type)):
                unwanted(item, f"a value for {parameter.type} {parameter.name}")
            if isinstance(given, NewObject) and self.maker is None:
                wrong(item, "there is no constructor that could make this object: give its heading as new, beside in")
            elif isinstance(given, NewObject) and self.maker and not _is_accepted(given.args, self.maker):
                wrong(item, f"these are no arguments for {self.maker.text}")
        return values


def _is_accepted(args: Sequence[PlainValue], maker: Signature) -> bool:
    given = zip(args, maker.parameters, strict=False)
    is_right = all(not parameter.type or fits(arg, parameter.type) for arg, parameter in given)
    return is_right and maker.fewest <= len(args) <= len(maker.parameters)


def _read_generators(value: Value, found: Found, signature: Signature) -> list[GeneratedInput]:
    if "generate" not in found:
        refuse(found, ["count"], "count belongs to generate only")
        return []
    if "args" in found:
        wrong(value, "wanted args or generate, found both")
    function, context = yaml.named_function(found["generate"]), value.context
    count = get(found, "count", read_as("count"), 1)
    if count > MAX_DRAWN:
        unwanted(found["count"], f"at most {MAX_DRAWN} calls")
    origin, by_chance = f"{context.spec} {signature.text} {function}", context.seed != context.spec
    seed = derive(context.seed, origin) if by_chance else origin
    indices = range(min(count, MAX_DRAWN))
    return [GeneratedInput(function=function, seed=seed, index=index, by_chance=by_chance) for index in indices]


def _check_positions(value: Value, calls: tuple[FunctionCall, ...], signature: Signature) -> None:
    own = signature.parameters
    for call in calls if signature is not _NO_FUNCTION else ():
        for arg, parameter in zip(call.args, call.signature.parameters, strict=False):
            if isinstance(arg, Argument) and arg.position >= len(own):
                wrong(value, f"{signature.text} has no argument {arg.position}: they are counted from 0")
            elif isinstance(arg, Argument) and own[arg.position].type != parameter.type:
                wrong(value, f"{call.signature.text} cannot be given the argument {arg.position} of {signature.text}")


# ---------------------------------------------------------------- what is expected


def _read_result(value: Value, signature: Signature, known: Keys = keys.RESULT) -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `FunctionCase`, or of `Outcome`, and `stdout`."""
    found = fields(value, known)
    if "raises" in found and _is_native(value):
        wrong(found["raises"], "exceptions are looked at in java and python only")
    if signature.returns == "void" and "returns" in found:
        wrong(found["returns"], f"{signature.text} returns nothing")
    read = read_given(found, known, *(name for name in known if name != "args"))
    if "args" in found:
        read["args"] = _read_expected_args(found["args"], signature)
    return {**read, **read.pop("raises", {})}


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
    cells: dict[tuple[int, ...], ExpectedValue] = {}
    is_list = isinstance(value.node, Listing)
    for name, (key, entry) in entries(value).items() if not is_list else ():
        if not _CELL_PLACE.fullmatch(name):
            unwanted(key, "the place of a cell, such as [1][0]")
        cells[tuple(map(int, re.findall("[0-9]+", name)))] = read_expected_value(entry)
    if not (items(value) if is_list else cells):
        unwanted(value, "at least one cell")
    return ExpectedValue(want=_read_cell(value)) if is_list else ExpectedValue(cells=cells)


def _read_cell(value: Value) -> PlainValue:
    if isinstance(value.node, Listing):
        return each_of(_read_cell)(value)
    return Wildcard() if yaml.keyword(value) == "_" else read_value(value)


def _read_expected_args(value: Value, signature: Signature) -> dict[int, ExpectedValue]:
    positions = {str(position): position for position in range(len(signature.parameters))}
    expected = {}
    for name, (key, entry) in entries(value).items():
        if name in positions:
            expected[positions[name]] = read_expected_value(entry)
        elif signature is not _NO_FUNCTION:
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return expected
