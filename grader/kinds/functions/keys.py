"""The keys of `functions`: calls, their arguments and their expected outcomes; each call is a case."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from grader.core.lazy import lazy_call
from grader.core.yaml import types as of
from grader.core.yaml.nodes import Node
from grader.core.yaml.types import Begin, Type, key, keys_of, tables_of
from grader.core.yaml.value import Keys, Value, each_of, is_reference, text, unwanted
from grader.kinds.functions.model import FunctionCall, FunctionCase
from grader.kinds.functions.values import VALUE_TYPES

_RETURNS: Keys = keys_of(
    key("returns", "expected-value", aliases="return_value result"),
    "What the call returns. A comparator is given a text as it is, any other value as JSON.",
)
_RAISES: Keys = keys_of(
    key("raises", "raised", aliases="throws exception", into="ending"),
    ("ValueError", "any", "reference", {"type": "ValueError", "message": {"contains": "negative"}}),
    "The name of the exception that the call ends with, any, or reference; with a message, {type, message}.",
)
_ALIASES: Keys = key("aliases", "function-names", "Other names that it may have.", "signature")
_STEPS = [{"deposit": [5]}, {"balance": [], "expect": {"returns": 15}}]


def _later(name: str, **options: str) -> Callable[..., Any]:
    return partial(lazy_call("grader.kinds.functions.language", name), **options)


def _write_names(signature: Any) -> Node | None:
    return of.node_of(names) if (names := getattr(signature, "aliases", ())) else None  # several have none


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
    "from": "functions take no input of files: make a test of its own for them",  # of `cases`, which a test has
}
_STEP = "The name of a declared function, and the arguments that it is called with."
added = {
    "case": key("functions", about="Calls of functions instead of a start of the program."),
    "*": key("step-call", "values", _STEP, examples=([5],)),
}
tables = tables_of(
    Begin("functions", of=FunctionCase),
    key("in", "places", required=True, examples=("Queens", ["Queens", "NQueens"]), into="within"),
    "The Java class, the Python module, or the source file of C or C++; of several the first that is there.",
    key("structures", examples=(["struct node { int value; struct node *next; }"],)),
    "In C and C++: structures, as the assignment declares them. A pointer to one has a value: of a structure with "
    "a pointer to its own kind, or with one called next, the list of what its fields hold; of any other, a map "
    "of its fields.",
    key("new", "heading", into="maker", read=_later("read_heading", form="maker")),
    ("BankAccount(String owner, double initial)", "BankAccount(owner, initial=0)", "struct stack *stack_new(int size)"),
    "The heading of a constructor: what is called are methods of an object that it makes for each case. In C and "
    "C++ it is a function that returns the object, and methods are functions with that type among their "
    "parameters, which get the object there.",
    key("declare", "headings", into="signature"),
    ("static void placeQueen(int[][] B, int i, int j)", "def noConflicts(board, current)"),
    "The heading of the function, as the assignment prints it; several, where calls have `steps`. It is left out "
    "where a constructor alone is called.",
    key("aliases", "function-names", into="signature", examples=(["addQueen"],)),
    "Other names that the function may have, if none has that of the heading.",
    key("match", about="Whether names must match in their letter case."),
    key("access"),
    "Whether functions count that only their own class may call.",
    key("before", "further-calls", "Calls in the same process before each of these."),
    key("calls", about="The calls; each is a case in a fresh process.", required=True),
    Begin("call"),
    key("new", "values", into="made", read=_later("read_args", of="maker"), examples=(["Ann", 10],)),
    "The arguments of the constructor.",
    key("steps", examples=(_STEPS,)),
    "Calls of what is declared, in this order in one process: each by its name, with its arguments.",
    key("args", "values", "The arguments.", read=_later("read_args"), examples=([{"zeros": [5, 5]}, 1, 2],)),
    key("generate", "function", examples=("reference/generators.py:placements",)),
    "A function of the instructor, FILE.py:FUNCTION, that yields lists of arguments from a seeded generator.",
    key("count", about="How many lists of arguments are drawn.", default=1, beside="generate"),
    key("before", "further-calls", "Calls in the same process before this one, instead of those of `functions`."),
    key("then", "further-calls", "Calls in the same process after this one."),
    key("expect", "result", "What the call is compared with."),
    Begin("further-call", FunctionCall),
    key("declare", "heading", "The heading of the function that is called.", "signature", required=True),
    _ALIASES,
    key("args", "arguments-given", read=_later("read_args", kind="arguments-given")),
    "The arguments; {argument: 0} is the very object that the main call gets.",
    Begin("field", lambda value, **said: FunctionCall(args=(value,), sets=True, **said), FunctionCall),
    key("field", "heading", into="signature", read=_later("read_heading", form="field"), required=True),
    "A field as it is declared in Java, or a variable's name.",
    key("value", "argument-given", "What it is set to.", required=True),
    of.Rule(_later("check_field"), ""),
    _ALIASES,
    key("optional", "boolean"),
    "Whether nothing is set, and nothing is wrong, where the program has no such field: one that it may keep what "
    "`main` reads in.",
    Begin("step-call"),
    key("expect", "step-result", "What this step is compared with."),
    Begin("step-result"),
    _RETURNS,
    _RAISES,
    Begin("result"),
    _RETURNS,
    key("args", "expected-arguments"),
    "What arguments are after the last call, by position from 0; comparators as for `returns`.",
    key("stdout", "stream", "What the call prints."),
    _RAISES,
    Begin("raised-exception", dict),
    key("type", "text", into="raises", default="any", read=lambda value: _read_exception(value)["raises"]),
    "The name of the exception, any, or reference.",
    key("message", "stream", "What the exception says: a text or any comparator.", required=True),
    Begin("cells-of-value", lambda cells: cells),
    key("cells", required=True, examples=([["_", "_"], [2, 0]], {"[1][0]": 2})),
    "A list in which _ stands for whatever a cell holds; or some cells alone, each by its place, [1][0].",
)
types: Mapping[str, Type] = {
    **VALUE_TYPES,
    "access": of.word(
        "access",
        package="As other classes of the package may call them: not `private`.",
        any="Private ones too; in Python, static ones of classes and names with an underscore before them.",
    ),
    "match": of.word("match", exact="Letter case counts.", any_case="Letter case does not count."),
    "functions": Type(read=_later("read_functions")),
    "call": Type(read=_later("read_call")),
    "step-call": Type(read=_later("read_step")),
    "result": Type(read=_later("read_result")),
    "step-result": Type(read=_later("read_result", kind="step-result")),
    "heading": Type(of.any_text(minLength=1), "a heading in the language of the submissions", _later("read_heading")),
    "structures": of.list_of("heading", 1, read=_later("read_structures")),
    "headings": Type(of.any_of("heading", of.list_of("heading", 1)), read=_later("read_headings")),
    "steps": of.list_of("step-call", 1, "at least one step"),
    "raised": of.either("text", _read_exception, "raised-exception", write=_later("write_raised")),
    "places": Type(
        of.any_of("text", of.list_of("text", 1)),
        read=_later("read_places"),
        write=lambda places: of.node_of(places[0] if len(places) == 1 else places),
    ),
    "function-names": of.list_of("text", 1, read=_later("read_names"), write=_write_names),
    "calls": of.list_of("call", 1, "at least one call", make=lambda entries: tuple(chain.from_iterable(entries))),
    "further-calls": Type(
        {"type": "array", "items": of.any_of("further-call", "field")},
        read=each_of(_later("read_further_call")),
        write=_later("write_further_calls"),
    ),
    "expected-value": Type(
        of.any_of(of.REFERENCE, "value", "compared", "cells-of-value"),
        read=_later("read_expected_value"),
        write=_later("write_expected_value"),
    ),
    "cells": Type(
        of.any_of(of.list_of("value", 1), of.mapping_of("expected-value", r"^(\[(0|[1-9][0-9]*)\])+$", 1)),
        read=_later("read_expected_cells"),
    ),
    "expected-arguments": of.mapping_of(
        "expected-value",
        "^(0|[1-9][0-9]*)$",
        read=_later("read_expected_args"),
        write=_later("write_expected_args"),
    ),
}
