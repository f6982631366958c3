"""The keys of `source`: rules on the source of a submission."""

from collections.abc import Mapping

from grader.core.yaml.json_schema_parts import JsonSchema, any_text, list_of
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
        about="A loop: anywhere, or in a function.",
        kind="source-loop",
        examples=("in findSolutions", "anywhere"),
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
        about="The function in which alone a call counts, with its class or without.", kind="source-name", beside="call"
    ),
}
SOURCE_BOUNDS: Keys = {
    "lines-of-function": Key(about="Lines of each function, with its heading.", kind="count", examples=(60,)),
    "lines-of-file": Key(about="Lines of each file.", kind="count", examples=(500,)),
}
_SCHEMAS: Mapping[str, JsonSchema] = {
    "source-rules": list_of("source-rule", 1),
    "source-name": any_text(pattern=r"^[^ (]+(\(\))?$"),
    "source-loop": any_text(pattern="^(anywhere|in +[^ ]+)$"),
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
        tables={"source-test": SOURCE, "source-rule": SOURCE_RULE, "source-bounds": SOURCE_BOUNDS},
        schemas=_SCHEMAS,
    )
