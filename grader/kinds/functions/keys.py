"""The keys of `functions`: calls, their arguments, and what they have to come to; each call is a case."""

from collections.abc import Mapping

from grader.core.kind import AddedKey
from grader.core.lazy import lazy_call
from grader.core.yaml.types import (
    REFERENCE,
    Found,
    Said,
    Type,
    any_of,
    any_text,
    either,
    key_of,
    list_of,
    mapping_of,
    node_of,
    record,
    ref,
    word,
)
from grader.core.yaml.value import Key, Keys, Value, is_reference, text, unwanted
from grader.kinds.functions.values import VALUE_TYPES

FUNCTIONS: Keys = {
    "in": key_of("places", required=True, examples=("Queens", ["Queens", "NQueens"]), into="within")(
        "The Java class, the Python module, or the source file of C or C++; of several the first that is there."
    ),
    "structures": key_of("structures", examples=(["struct node { int value; struct node *next; }"],))(
        "In C and C++: structures, as the assignment declares them. A pointer to one has a value: of a structure with "
        "a pointer to its own kind, or with one called next, the list of what its fields hold; of any other, a map "
        "of its fields."
    ),
    "new": key_of(
        "heading",
        examples=(
            "BankAccount(String owner, double initial)",
            "BankAccount(owner, initial=0)",
            "struct stack *stack_new(int size)",
        ),
    )(
        "The heading of a constructor: what is called are methods of an object that it makes for each case. In C and "
        "C++ it is a function that returns the object, and methods are functions with that type among their "
        "parameters, which get the object there."
    ),
    "declare": key_of(
        "headings", examples=("static void placeQueen(int[][] B, int i, int j)", "def noConflicts(board, current)")
    )(
        "The heading of the function, as the assignment prints it; several, where calls have `steps`. It is left out "
        "where a constructor alone is called."
    ),
    "aliases": key_of("function-names", examples=(["addQueen"],))(
        "Other names that the function may have, if none has that of the heading."
    ),
    "match": key_of("match", default="exact")("Whether names must match in their letter case."),
    "access": key_of("access", default="package")("Whether functions count that only their own class may call."),
    "before": key_of("further-calls")("Calls in the same process before each of these."),
    "calls": key_of("calls", required=True)("The calls; each is a case in a fresh process."),
}

CALL: Keys = {
    "new": key_of("values", examples=(["Ann", 10],))("The arguments of the constructor."),
    "steps": key_of("steps", examples=([{"deposit": [5]}, {"balance": [], "expect": {"returns": 15}}],))(
        "Calls of what is declared, in this order in one process: each by its name, with its arguments."
    ),
    "args": key_of("values", examples=([{"zeros": [5, 5]}, 1, 2],))("The arguments."),
    "generate": key_of("function", examples=("reference/generators.py:placements",))(
        "A function of the instructor, FILE.py:FUNCTION, that yields lists of arguments from a seeded generator."
    ),
    "count": key_of("count", default=1, beside="generate")("How many lists of arguments are drawn."),
    "before": key_of("further-calls")("Calls in the same process before this one, instead of those of `functions`."),
    "then": key_of("further-calls")("Calls in the same process after this one."),
    "expect": key_of("result")("What the call is held against."),
}

FURTHER_CALL: Keys = {
    "declare": key_of("heading", required=True)("The heading of the function that is called."),
    "aliases": key_of("function-names")("Other names that it may have."),
    "args": key_of("arguments-given")("The arguments; {argument: 0} is the very object that the main call gets."),
}
FIELD: Keys = {
    "field": key_of("heading", required=True)("A field as it is declared in Java, or a variable's name."),
    "value": key_of("argument-given", required=True)("What it is set to."),
    "aliases": key_of("function-names")("Other names that it may have."),
    "optional": key_of("boolean", default=False)(
        "Whether nothing is set, and nothing is wrong, where the program has no such field: one that it may keep what "
        "`main` reads in."
    ),
}

STEP_CALL: Keys = {"expect": key_of("step-result")("What this step is held against.")}

_RETURNS = key_of("expected-value")(
    "What the call returns. A comparator is given a text as it is, any other value as JSON."
)
_RAISES = key_of(
    "raised",
    examples=("ValueError", "any", "reference", {"type": "ValueError", "message": {"contains": "negative"}}),
)("The name of the exception that the call ends with, any, or reference; with a message, {type, message}.")
STEP_RESULT: Keys = {"returns": _RETURNS, "raises": _RAISES}
RESULT: Keys = {
    "returns": _RETURNS,
    "args": key_of("expected-arguments")(
        "What arguments are after the last call, by position from 0; comparators as for `returns`."
    ),
    "stdout": key_of("stream")("What the call prints."),
    "raises": _RAISES,
}
RAISED: Keys = {
    "type": key_of("text", default="any", into="raises")("The name of the exception, any, or reference."),
    "message": key_of("stream", required=True)("What the exception says: a text or any comparator."),
}

_FREE_NAMES: Mapping[str, Key] = {
    "step-call": key_of("values", examples=([5],))(
        "The name of a declared function, and the arguments that it is called with."
    )
}
_READER = "grader.kinds.functions.reader"
_WRITER = "grader.kinds.functions.write"
_ACCESS = {
    "package": "As other classes of the package may call them: not `private`.",
    "any": "Private ones too; in Python, static ones of classes and names with an underscore before them.",
}


def _read_exception(value: Value) -> dict[str, str]:
    name = text(value)
    if not is_reference(value) and not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of an exception, any or reference")
    return {"raises": name}


def _check_raised(_value: Value, found: Found, _said: Said) -> None:
    if "type" in found:
        _read_exception(found["type"])


_TYPES: Mapping[str, Type] = {
    **VALUE_TYPES,
    "access": word("access", _ACCESS),
    "match": word("match", {"exact": "Letter case counts.", "any-case": "Letter case does not count."}),
    "functions": Type(read=lazy_call(_READER, "read_functions")),
    "heading": Type(any_text(minLength=1), "a heading in the language of the submissions"),
    "structures": Type(list_of("heading", 1), read=lazy_call(_READER, "read_structures"), stand_in=()),
    "headings": Type(any_of(ref("heading"), list_of("heading", 1))),
    "steps": Type(list_of("step-call", 1)),
    "raised": either("text", _read_exception, "raised-exception", write=lazy_call(_WRITER, "write_raised")),
    "raised-exception": record(RAISED, dict, _check_raised),
    "places": Type(
        any_of(ref("text"), list_of("text", 1)),
        read=lazy_call(_READER, "read_places"),
        stand_in=(),
        write=lambda places: node_of(places[0] if len(places) == 1 else places),
    ),
    "function-names": Type(list_of("text", 1)),
    "calls": Type(list_of("call", 1)),
    "further-calls": Type({"type": "array", "items": any_of(ref("further-call"), ref("field"))}),
    "expected-value": Type(
        any_of(REFERENCE, ref("value"), ref("compared"), ref("cells-of-value")),
        read=lazy_call(_READER, "read_expected_value"),
        write=lazy_call(_WRITER, "wanted_node"),
    ),
    "cells": Type(
        any_of(list_of("value", 1), {**mapping_of("expected-value", r"^(\[(0|[1-9][0-9]*)\])+$"), "minProperties": 1}),
        read=lazy_call(_READER, "read_expected_cells"),
    ),
    "cells-of-value": record(
        {
            "cells": key_of("cells", required=True, examples=([["_", "_"], [2, 0]], {"[1][0]": 2}))(
                "A list in which _ stands for whatever a cell holds; or some cells alone, each by its place, [1][0]."
            )
        },
        lambda cells: cells,
    ),
    "expected-arguments": Type(mapping_of("expected-value", "^(0|[1-9][0-9]*)$")),
}

_BESIDE = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    **dict.fromkeys(("command", "terminal", "run: both", "dialogue", "interactor"), "make a test of its own for it"),
}
beside = {
    **{key.removeprefix("run: "): f"{key} has no meaning beside functions: {why}" for key, why in _BESIDE.items()},
    "memory-clean": "memory-clean has no meaning beside functions, for calls of functions are made by a program of "
    "ours, which would be watched too: take it out",
}
"""what belongs to the start of a program"""
_ADDED_KEY = key_of("functions")("Calls of functions instead of a start of the program.")
added = (AddedKey("case", "functions", _ADDED_KEY),)
tables = {
    "functions": FUNCTIONS,
    "call": CALL,
    "further-call": FURTHER_CALL,
    "field": FIELD,
    "result": RESULT,
    "step-call": STEP_CALL,
    "step-result": STEP_RESULT,
}
free_names = _FREE_NAMES
types = _TYPES
aliases = (("return_value result", "returns", "returns"), ("throws exception", "raises", "raises"))
