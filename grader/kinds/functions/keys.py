"""The keys of `functions`: calls, their arguments, and what they have to come to."""

from collections.abc import Mapping

from grader.core.yaml.types import (
    REFERENCE,
    Type,
    any_of,
    any_text,
    list_of,
    mapping_of,
    ref,
    word,
)
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

FUNCTIONS: Keys = {
    "in": Key(
        about="The Java class, the Python module, or the source file of C or C++; of several the first that is there.",
        kind="places",
        required=True,
        examples=("Queens", ["Queens", "NQueens"]),
    ),
    "structures": Key(
        about="In C and C++: structures, as the assignment declares them. A pointer to one has a value: of a structure "
        "with a pointer to its own kind, or with one called next, the list of what its fields hold; of any other, a "
        "map of its fields.",
        kind="structures",
        examples=(["struct node { int value; struct node *next; }"],),
    ),
    "new": Key(
        about="The heading of a constructor: what is called are methods of an object that it makes for each case. In C "
        "and C++ it is a function that returns the object, and methods are functions with that type among their "
        "parameters, which get the object there.",
        kind="heading",
        examples=(
            "BankAccount(String owner, double initial)",
            "BankAccount(owner, initial=0)",
            "struct stack *stack_new(int size)",
        ),
    ),
    "declare": Key(
        about="The heading of the function, as the assignment prints it; several, where calls have `steps`. "
        "It is left out where a constructor alone is called.",
        kind="headings",
        examples=("static void placeQueen(int[][] B, int i, int j)", "def noConflicts(board, current)"),
    ),
    "aliases": Key(
        about="Other names that the function may have, if none has that of the heading.",
        kind="function-names",
        examples=(["addQueen"],),
    ),
    "match": Key(about="Whether names must match in their letter case.", kind="match", default="exact"),
    "access": Key(
        about="Whether functions count that only their own class may call.", kind="access", default="package"
    ),
    "before": Key(about="Calls in the same process before each of these.", kind="further-calls"),
    "calls": Key(about="The calls; each is a case in a fresh process.", kind="calls", required=True),
}

CALL: Keys = {
    "new": Key(about="The arguments of the constructor.", kind="values", examples=(["Ann", 10],)),
    "steps": Key(
        about="Calls of what is declared, in this order in one process: each by its name, with its arguments.",
        kind="steps",
        examples=([{"deposit": [5]}, {"balance": [], "expect": {"returns": 15}}],),
    ),
    "args": Key(about="The arguments.", kind="values", examples=([{"zeros": [5, 5]}, 1, 2],)),
    "generate": Key(
        about="A function of the instructor, FILE.py:FUNCTION, that yields lists of arguments from a seeded generator.",
        kind="function",
        examples=("reference/generators.py:placements",),
    ),
    "count": Key(about="How many lists of arguments are drawn.", kind="count", default=1, beside="generate"),
    "before": Key(
        about="Calls in the same process before this one, instead of those of `functions`.", kind="further-calls"
    ),
    "then": Key(about="Calls in the same process after this one.", kind="further-calls"),
    "expect": Key(about="What the call is held against.", kind="result"),
}

FURTHER_CALL: Keys = {
    "declare": Key(about="The heading of the function that is called.", kind="heading", required=True),
    "aliases": Key(about="Other names that it may have.", kind="function-names"),
    "args": Key(
        about="The arguments; {argument: 0} is the very object that the main call gets.", kind="arguments-given"
    ),
}
FIELD: Keys = {
    "field": Key(about="A field as it is declared in Java, or a variable's name.", kind="heading", required=True),
    "value": Key(about="What it is set to.", kind="argument-given", required=True),
    "aliases": Key(about="Other names that it may have.", kind="function-names"),
    "optional": Key(
        about="Whether nothing is set, and nothing is wrong, where the program has no such field: one that it may keep "
        "what `main` reads in.",
        kind="boolean",
        default=False,
    ),
}

STEP_CALL: Keys = {"expect": Key(about="What this step is held against.", kind="step-result")}

STEP_RESULT: Keys = {
    "returns": Key(
        about="What the call returns. A comparator is given a text as it is, any other value as JSON.",
        kind="expected-value",
    ),
    "raises": Key(
        about="The name of the exception that the call ends with, any, or reference; with a message, {type, message}.",
        kind="raised",
        examples=("ValueError", "any", "reference", {"type": "ValueError", "message": {"contains": "negative"}}),
    ),
}
RAISED: Keys = {
    "type": Key(about="The name of the exception, any, or reference.", kind="text", default="any"),
    "message": Key(about="What the exception says: a text or any comparator.", kind="stream", required=True),
}

RESULT: Keys = {
    "returns": STEP_RESULT["returns"],
    "args": Key(
        about="What arguments are after the last call, by position from 0; comparators as for `returns`.",
        kind="expected-arguments",
    ),
    "stdout": Key(about="What the call prints.", kind="stream"),
    "raises": STEP_RESULT["raises"],
}

CELLS: Keys = {
    "cells": Key(
        about="A list in which _ stands for whatever a cell holds; or some cells alone, each by its place, [1][0].",
        kind="cells",
        required=True,
        examples=([["_", "_"], [2, 0]], {"[1][0]": 2}),
    )
}
ZEROS: Keys = {"zeros": Key(about="An array of zeros, by its lengths.", kind="lengths", required=True)}
MAP: Keys = {
    "map": Key(
        about="A map: keys and values; a key with quotes is a text. An object that is nothing but its fields is one, "
        "such as a record or a dataclass.",
        kind="map",
        required=True,
        examples=({"Ann": 10, "2": "two"},),
    )
}
SET: Keys = {"set": Key(about="A set of these.", kind="values", required=True, examples=([1, 2],))}
MADE: Keys = {
    "new": Key(
        about="Another object of the class, made with these arguments.",
        kind="values",
        required=True,
        examples=(["Ben", 0],),
    )
}
ARGUMENT: Keys = {"argument": Key(about="A position among the main call's arguments.", kind="position", required=True)}

_TABLES: Mapping[str, Keys] = {
    "functions": FUNCTIONS,
    "call": CALL,
    "step-call": STEP_CALL,
    "step-result": STEP_RESULT,
    "raised-exception": RAISED,
    "further-call": FURTHER_CALL,
    "field": FIELD,
    "result": RESULT,
    "cells-of-value": CELLS,
    "zeros": ZEROS,
    "map-of-values": MAP,
    "set-of-values": SET,
    "object-made": MADE,
    "argument-of-call": ARGUMENT,
}

_FREE_NAMES: Mapping[str, Key] = {
    "step-call": Key(
        about="The name of a declared function, and the arguments that it is called with.",
        kind="values",
        examples=([5],),
    )
}
_TYPES: Mapping[str, Type] = {
    "access": word(
        "access",
        {
            "package": "As other classes of the package may call them: not `private`.",
            "any": "Private ones too; in Python, static ones of classes and names with an underscore before them.",
        },
    ),
    "match": word("match", {"exact": "Letter case counts.", "any-case": "Letter case does not count."}),
    "heading": Type(any_text(minLength=1), "a heading in the language of the submissions"),
    "structures": Type(list_of("heading", 1)),
    "headings": Type(any_of(ref("heading"), list_of("heading", 1))),
    "steps": Type(list_of("step-call", 1)),
    "raised": Type(any_of(ref("text"), ref("raised-exception"))),
    "map": Type(mapping_of("value")),
    "places": Type(any_of(ref("text"), list_of("text", 1))),
    "function-names": Type(list_of("text", 1)),
    "calls": Type(list_of("call", 1)),
    "further-calls": Type({"type": "array", "items": any_of(ref("further-call"), ref("field"))}),
    "value": Type(
        any_of(
            any_text(), list_of("value"), ref("zeros"), ref("map-of-values"), ref("set-of-values"), ref("object-made")
        ),
        "`true`, `null`, a number, text, a list of values, or [zeros](#zeros)",
    ),
    "values": Type(list_of("value")),
    "argument-given": Type(any_of(ref("value"), ref("argument-of-call"))),
    "arguments-given": Type(list_of("argument-given")),
    "expected-value": Type(any_of(REFERENCE, ref("value"), ref("compared"), ref("cells-of-value"))),
    "cells": Type(
        any_of(list_of("value", 1), {**mapping_of("expected-value", r"^(\[(0|[1-9][0-9]*)\])+$"), "minProperties": 1})
    ),
    "expected-arguments": Type(mapping_of("expected-value", "^(0|[1-9][0-9]*)$")),
    "lengths": Type(
        {"type": "array", "items": {"type": ["integer", "string"], "minimum": 0}}, "a list of one or two whole numbers"
    ),
    "position": Type({"type": ["integer", "string"], "minimum": 0, "maximum": 254}, "a whole number, 0 or more"),
}


def keys() -> KindKeys:
    """Return what calls of functions add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="case",
                name="functions",
                key=Key(about="Calls of functions instead of a start of the program.", kind="functions"),
            ),
        ),
        tables=_TABLES,
        free_names=_FREE_NAMES,
        types=_TYPES,
        aliases=(
            ("return_value result", "returns", "returns"),
            ("throws exception", "raises", "raises"),
        ),
    )
