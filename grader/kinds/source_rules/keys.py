"""The keys of `source`: rules on the source of a submission."""

from collections.abc import Mapping

from grader.core.yaml.types import Type, any_text, list_of
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

SOURCE: Keys = {
    "files": Key(
        about="Names or globs of the files that are looked at. Without it, all of the language that were handed in.",
        kind="names",
    ),
    "forbid": Key(about="What the source must not have; each is a case.", kind="source-rules"),
    "require": Key(about="What the source has to have; each is a case.", kind="source-rules"),
    "most": Key(about="What there may be so much of and no more; each is a case.", kind="source-bounds"),
    "least": Key(about="What there has to be so much of; each is a case.", kind="source-least"),
}
SOURCE_RULE: Keys = {
    "call": Key(
        about="A call of this name, or a glob; what is in front of it may be left out.",
        kind="source-name",
        examples=("System.exit", "std::sort"),
        alternative=True,
    ),
    "import": Key(
        about="An import of this name, or a glob, or of a part of it; in C, what is included.",
        kind="source-name",
        examples=("java.util.*", "os"),
        alternative=True,
    ),
    "loop": Key(
        about="A loop: anywhere, or in a function; or one of certain forms: `for`, `while`, `do`, and for Python "
        "`comprehension`, which is no loop unless it is named.",
        kind="source-loop",
        examples=("in findSolutions", "anywhere", "for", "while or do in main"),
        alternative=True,
    ),
    "token": Key(
        about="A keyword, operator, name or number, as it is written in the code.",
        kind="source-token",
        examples=("goto", "++"),
        alternative=True,
    ),
    "recursion": Key(
        about="A function of this name that calls itself, directly or through others of its file. One that is required "
        "may leave this to a function that it calls.",
        kind="source-name",
        examples=("findSolutions", "*"),
        alternative=True,
    ),
    "function": Key(
        about="A function of this name that is defined; its class may be in front of it, also one that inherits it.",
        kind="source-name",
        examples=("placeQueen", "Queens.main"),
        alternative=True,
    ),
    "in": Key(
        about="The function in which alone a call or a token counts, with its class or without.",
        kind="source-name",
        examples=("main",),
    ),
    "depth": Key(
        about="How deep a loop is, at least: 2 for a loop within a loop.", kind="count", beside="loop", examples=(2,)
    ),
    "at-least": Key(about="How many there have to be, under require.", kind="count", default=1, examples=(2,)),
    "at-most": Key(
        about="How many there may be, under require; then there need not be any.", kind="count", examples=(3,)
    ),
}
SOURCE_BOUNDS: Keys = {
    "lines-of-function": Key(about="Lines of each function, with its heading.", kind="count", examples=(60,)),
    "lines-of-file": Key(about="Lines of each file.", kind="count", examples=(500,)),
    "depth-of-blocks": Key(
        about="How many blocks there are within one another in each function: `if`, `switch`, `try`, loops.",
        kind="count",
        examples=(3,),
    ),
}
SOURCE_LEAST: Keys = {
    "comments-of-function": Key(about="Comments in each function, or directly above it.", kind="count", examples=(1,)),
}
_FORM = "(for|while|do|comprehension)"
_TYPES: Mapping[str, Type] = {
    "source-rules": Type(list_of("source-rule", 1)),
    "source-name": Type(any_text(pattern=r"^[^ (]+(\(\))?$"), "a name in one word, or a glob"),
    "source-token": Type(any_text(pattern="^[^ ]+$"), "a keyword, operator, name or number, in one word"),
    "source-loop": Type(
        any_text(pattern=f"^(anywhere|({_FORM}( or {_FORM})*)?( *in +[^ ]+)?)$"),
        "`anywhere`, forms such as `for` or `while or do`, and `in` with the name of a function",
    ),
}


def keys() -> KindKeys:
    """Return what rules on the source add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="test",
                name="source",
                key=Key(
                    about="Rules on the source instead of runs of the program: what it must not have, and what it has "
                    "to have.",
                    kind="source-test",
                    examples=({"forbid": [{"call": "System.exit"}], "require": [{"recursion": "solve"}]},),
                ),
            ),
        ),
        tables={
            "source-test": SOURCE,
            "source-rule": SOURCE_RULE,
            "source-bounds": SOURCE_BOUNDS,
            "source-least": SOURCE_LEAST,
        },
        types=_TYPES,
    )
