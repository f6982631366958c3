"""The keys of `source`: rules on the source of a submission."""

from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.yaml.types import Begin, Type, any_text, form, key, list_of, tables_of

tables = tables_of(
    Begin("source-test"),
    key("files", "names"),
    "Names or globs of the files that are checked. Without it, all handed-in files of the language.",
    key("forbid", "source-rules", "What the source must not have; each is a case."),
    key("require", "source-rules", "What the source has to have; each is a case."),
    key("most", "source-bounds", "Upper bounds, such as lines of a function; each is a case."),
    key("least", "source-least", "Lower bounds, such as comments; each is a case."),
    Begin("source-rule"),
    key("call", "source-name", examples=("System.exit", "std::sort"), alternative=True),
    "A call of this name, or a glob. The part in front of it may be left out.",
    key("import", "source-name", examples=("java.util.*", "os"), alternative=True),
    "An import of this name, of a glob, or of a part of it; in C, an `#include`.",
    key("loop", "source-loop", alternative=True),
    ("in findSolutions", "anywhere", "for", "while or do in main"),
    "A loop: anywhere, or in a function; or one of certain forms: `for`, `while`, `do`, and for Python "
    "`comprehension`, which is no loop unless it is named.",
    key("token", "source-token", examples=("goto", "++"), alternative=True),
    "A keyword, operator, name or number, as it is written in the code.",
    key("recursion", "source-name", examples=("findSolutions", "*"), alternative=True),
    "A function of this name that calls itself, directly or through others of its file. If it is required, "
    "a function that it calls may be the recursive one.",
    key("function", "source-name", examples=("placeQueen", "Queens.main"), alternative=True),
    "A definition of this function. Its class may be in front of it, or a class that inherits it.",
    key("in", "source-name", into="within", examples=("main",)),
    "Only calls or tokens in this function count. Its class may be in front of it.",
    key("depth", "count", "How deep a loop is, at least: 2 for a loop within a loop.", beside="loop", examples=(2,)),
    key("at-least", "count", "How many are required, under `require`.", into="least", default=1, examples=(2,)),
    key("at-most", "count", into="most", examples=(3,)),
    "How many are allowed, under `require`; none is required then.",
    Begin("source-bounds"),
    key("lines-of-function", "count", "Lines of each function, with its heading.", examples=(60,)),
    key("lines-of-file", "count", "Lines of each file.", examples=(500,)),
    key("depth-of-blocks", "count", examples=(3,)),
    "How many blocks are nested in each function: `if`, `switch`, `try`, loops.",
    Begin("source-least"),
    key("comments-of-function", "count", "Comments in each function, or directly above it.", examples=(1,)),
)
_READER = "grader.kinds.source_rules.language"
_FORM = "(for|while|do|comprehension)"
types: Mapping[str, Type] = {
    "source-rules": list_of("source-rule", 1, read=None),
    "source-name": Type(
        any_text(pattern=r"^[^ (]+(\(\))?$"), "a name in one word, or a glob", lazy_call(_READER, "read_source_name")
    ),
    "source-token": form("^[^ ]+$", "a token in one word, such as goto or ++"),
    "source-loop": Type(
        any_text(pattern=f"^(anywhere|({_FORM}( or {_FORM})*)?( *in +[^ ]+)?)$"),
        "`anywhere`, forms such as `for` or `while or do`, and `in` with the name of a function",
        lazy_call(_READER, "read_loop"),
    ),
}
goes_with = ("unlike",)
beside = {"*": "{key} has no meaning beside source, for which nothing is run: make a test of its own"}
_EXAMPLE = {"forbid": [{"call": "System.exit"}], "require": [{"recursion": "solve"}]}
_ABOUT = "Rules on the source instead of runs of the program: what it must not have, and what it has to have."
added = {"test": key("source", "source-test", _ABOUT, examples=(_EXAMPLE,))}
