"""The keys of `functions`: calls, their arguments, and what they have to come to; each call is a case."""

from collections.abc import Mapping
from functools import partial

from grader.core.lazy import lazy_call
from grader.core.yaml import types as of
from grader.core.yaml.types import Type, key, keys_of
from grader.core.yaml.value import Keys, Value, is_reference, text, unwanted
from grader.kinds.functions.values import VALUE_TYPES

FUNCTIONS: Keys = keys_of(
    key("in", "places", required=True, examples=("Queens", ["Queens", "NQueens"]), into="within"),
    "The Java class, the Python module, or the source file of C or C++; of several the first that is there.",
    key("structures", examples=(["struct node { int value; struct node *next; }"],)),
    "In C and C++: structures, as the assignment declares them. A pointer to one has a value: of a structure with "
    "a pointer to its own kind, or with one called next, the list of what its fields hold; of any other, a map "
    "of its fields.",
    key("new", "heading"),
    ("BankAccount(String owner, double initial)", "BankAccount(owner, initial=0)", "struct stack *stack_new(int size)"),
    "The heading of a constructor: what is called are methods of an object that it makes for each case. In C and "
    "C++ it is a function that returns the object, and methods are functions with that type among their "
    "parameters, which get the object there.",
    key("declare", "headings"),
    ("static void placeQueen(int[][] B, int i, int j)", "def noConflicts(board, current)"),
    "The heading of the function, as the assignment prints it; several, where calls have `steps`. It is left out "
    "where a constructor alone is called.",
    key("aliases", "function-names", examples=(["addQueen"],)),
    "Other names that the function may have, if none has that of the heading.",
    key("match", about="Whether names must match in their letter case.", default="exact"),
    key("access", default="package"),
    "Whether functions count that only their own class may call.",
    key("before", "further-calls", "Calls in the same process before each of these."),
    key("calls", about="The calls; each is a case in a fresh process.", required=True),
)
_STEPS = [{"deposit": [5]}, {"balance": [], "expect": {"returns": 15}}]
CALL: Keys = keys_of(
    key("new", "values", "The arguments of the constructor.", examples=(["Ann", 10],)),
    key("steps", examples=(_STEPS,)),
    "Calls of what is declared, in this order in one process: each by its name, with its arguments.",
    key("args", "values", "The arguments.", examples=([{"zeros": [5, 5]}, 1, 2],)),
    key("generate", "function", examples=("reference/generators.py:placements",)),
    "A function of the instructor, FILE.py:FUNCTION, that yields lists of arguments from a seeded generator.",
    key("count", about="How many lists of arguments are drawn.", default=1, beside="generate"),
    key("before", "further-calls", "Calls in the same process before this one, instead of those of `functions`."),
    key("then", "further-calls", "Calls in the same process after this one."),
    key("expect", "result", "What the call is held against."),
)
FURTHER_CALL: Keys = keys_of(
    key("declare", "heading", "The heading of the function that is called.", required=True),
    key("aliases", "function-names", "Other names that it may have."),
    key("args", "arguments-given"),
    "The arguments; {argument: 0} is the very object that the main call gets.",
)
FIELD: Keys = keys_of(
    key("field", "heading", "A field as it is declared in Java, or a variable's name.", required=True),
    key("value", "argument-given", "What it is set to.", required=True),
    key("aliases", "function-names", "Other names that it may have."),
    key("optional", "boolean", default=False),
    "Whether nothing is set, and nothing is wrong, where the program has no such field: one that it may keep what "
    "`main` reads in.",
)
STEP_CALL: Keys = key("expect", "step-result", "What this step is held against.")
_RETURNS: Keys = keys_of(
    key("returns", "expected-value", aliases="return_value result"),
    "What the call returns. A comparator is given a text as it is, any other value as JSON.",
)
_RAISES: Keys = keys_of(
    key("raises", "raised", aliases="throws exception", into="ending"),
    ("ValueError", "any", "reference", {"type": "ValueError", "message": {"contains": "negative"}}),
    "The name of the exception that the call ends with, any, or reference; with a message, {type, message}.",
)
STEP_RESULT: Keys = keys_of(_RETURNS, _RAISES)
RESULT: Keys = keys_of(
    _RETURNS,
    key("args", "expected-arguments"),
    "What arguments are after the last call, by position from 0; comparators as for `returns`.",
    key("stdout", "stream", "What the call prints."),
    _RAISES,
)
RAISED: Keys = keys_of(
    key("type", "text", "The name of the exception, any, or reference.", default="any", into="raises"),
    of.Rule(lambda _, at: not _read_exception(at), ""),  # which notes it itself
    key("message", "stream", "What the exception says: a text or any comparator.", required=True),
)
_CELLS: Keys = keys_of(
    key("cells", required=True, examples=([["_", "_"], [2, 0]], {"[1][0]": 2})),
    "A list in which _ stands for whatever a cell holds; or some cells alone, each by its place, [1][0].",
)
_later = partial(lazy_call, "grader.kinds.functions.language")


def _read_exception(value: Value) -> dict[str, str]:
    name = text(value)
    if not is_reference(value) and not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of an exception, any or reference")
    return {"raises": name}


_BESIDE = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    **dict.fromkeys(("command", "terminal", "run: both", "dialogue", "interactor"), "make a test of its own for it"),
}
beside = {  # what belongs to the start of a program
    **{key.removeprefix("run: "): f"{key} has no meaning beside functions: {why}" for key, why in _BESIDE.items()},
    "memory-clean": "memory-clean has no meaning beside functions, for calls of functions are made by a program of "
    "ours, which would be watched too: take it out",
}
_STEP = "The name of a declared function, and the arguments that it is called with."
added = {
    "case": key("functions", about="Calls of functions instead of a start of the program."),
    "*": key("step-call", "values", _STEP, examples=([5],)),
}
tables = {
    "functions": FUNCTIONS,
    "call": CALL,
    "further-call": FURTHER_CALL,
    "field": FIELD,
    "result": RESULT,
    "step-call": STEP_CALL,
    "step-result": STEP_RESULT,
}
types: Mapping[str, Type] = {
    **VALUE_TYPES,
    "access": of.word(
        "access",
        package="As other classes of the package may call them: not `private`.",
        any="Private ones too; in Python, static ones of classes and names with an underscore before them.",
    ),
    "match": of.word("match", exact="Letter case counts.", any_case="Letter case does not count."),
    "functions": Type(read=_later("read_functions")),
    "heading": Type(of.any_text(minLength=1), "a heading in the language of the submissions"),
    "structures": of.list_of("heading", 1, read=_later("read_structures")),
    "headings": Type(of.any_of("heading", of.list_of("heading", 1))),
    "steps": of.list_of("step-call", 1, read=None),
    "raised": of.either("text", _read_exception, "raised-exception", write=_later("write_raised")),
    "raised-exception": of.record(RAISED, dict),
    "places": Type(
        of.any_of("text", of.list_of("text", 1)),
        read=_later("read_places"),
        write=lambda places: of.node_of(places[0] if len(places) == 1 else places),
    ),
    "function-names": of.list_of("text", 1, read=None),
    "calls": of.list_of("call", 1, read=None),
    "further-calls": Type({"type": "array", "items": of.any_of("further-call", "field")}),
    "expected-value": Type(
        of.any_of(of.REFERENCE, "value", "compared", "cells-of-value"),
        read=_later("read_expected_value"),
        write=_later("write_expected_value"),
    ),
    "cells": Type(
        of.any_of(of.list_of("value", 1), of.mapping_of("expected-value", r"^(\[(0|[1-9][0-9]*)\])+$", 1)),
        read=_later("read_expected_cells"),
    ),
    "cells-of-value": of.record(_CELLS, lambda cells: cells),
    "expected-arguments": of.mapping_of(
        "expected-value",
        "^(0|[1-9][0-9]*)$",
        read=_later("read_expected_args"),
        write=_later("write_expected_args"),
    ),
}
