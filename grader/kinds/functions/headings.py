"""Headings of functions, constructors, fields and structures, as assignments print them, in each language.

A type of C is written as in C, in its shortest form. `[]` behind it means an array, however the heading writes it.
`String` is a text: a `char *`, an array of characters or a `std::string`. A pointer to any other type is `node *`,
without `struct`.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.kinds.functions.model import Parameter, Signature, Structure
from grader.kinds.functions.values import is_plain_type


def heading_text(text: str) -> str:
    """Return a heading as it is shown and compared."""
    return " ".join(text.strip(" ;\n").split())


Reader = Callable[[str], Signature | None]  # reads a heading; None where it is none


def _reader_of(read: Reader, pattern: str, function: str, shown: str, returns: str = "") -> Reader:
    """Make a reader of texts with a pattern: its groups make the heading of a function, and the text to show."""

    def read_it(text: str) -> Signature | None:
        if (match := re.fullmatch(pattern, text.strip())) is None:
            return None
        heading = read(match.expand(function))
        return heading and replace(heading, text=heading_text(match.expand(shown)), returns=returns)

    return read_it


class _Typed(NamedTuple):
    """How headings with types are read."""

    function: re.Pattern[str]
    parameter: re.Pattern[str]
    type_of: Callable[[str, str], str]  # returns a type as it is compared, given it and the brackets behind the name

    def heading(self, text: str) -> Signature | None:
        if (match := self.function.fullmatch(text.strip())) is None:
            return None
        listed = match["listed"] or ""
        parameters = self.parameters(listed.split(",") if listed.strip() else [])
        is_static = "static" in match["modifiers"].split()
        returns = self.type_of(match["type"], "")
        read = Signature(text=heading_text(text), name=match["name"], returns=returns, static=is_static)
        return None if parameters is None else replace(read, parameters=parameters)

    def parameters(self, written: Sequence[str]) -> tuple[Parameter, ...] | None:
        read = [match for part in written if (match := self.parameter.fullmatch(part.strip()))]
        named = tuple(Parameter(type=self.type_of(part["type"], part["brackets"]), name=part["name"]) for part in read)
        return named if len(named) == len(written) else None


_JAVA_TYPE = r"(?P<type>[A-Za-z_][\w.]*(?:\s*<[^()]*>)?(?:\s*\[\s*\])*)"
_JAVA_NAMED = rf"{_JAVA_TYPE}\s+(?P<name>[A-Za-z_$][\w$]*)"
_JAVA_DECLARED = rf"(?P<modifiers>(?:(?:public|protected|static|final|synchronized)\s+)*){_JAVA_NAMED}"
_BRACKETS = r"(?P<brackets>(?:\s*\[\s*\])*)"
_JAVA = _Typed(
    function=lazy_regex(rf"{_JAVA_DECLARED}\s*\((?P<listed>[^()]*)\)\s*(?:throws\s+[\w.,\s]+)?;?"),
    parameter=lazy_regex(rf"(?:final\s+)?{_JAVA_NAMED}{_BRACKETS}"),
    type_of=lambda written, brackets: re.sub(r"\s+|\bjava\.lang\.", "", written + brackets),
)
java_heading = _JAVA.heading  # reads `static int f(int[][] B, String mode)`
_FIELD = r"\g<modifiers> void \g<name>(\g<type> \g<name>\g<brackets>)"
java_field = _reader_of(java_heading, rf"{_JAVA_DECLARED}{_BRACKETS}\s*;?", _FIELD, r"\g<0>", "void")
java_constructor = _reader_of(java_heading, r"(?s)(?:(?:public|protected)\s+)?(.*)", r"void \1", r"\1")
_SELF = Parameter(type="", name="self")


def python_heading(text: str) -> Signature | None:
    """Read `def f(board, current)`; None when it is no heading of a function with positional parameters alone."""
    heading = text.strip().removesuffix(":")
    try:
        (function,) = ast.parse(f"{heading}: pass").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(function, ast.FunctionDef) or "\n" in heading:
        return None
    listed = function.args
    positional = [*listed.posonlyargs, *listed.args]
    if listed.vararg or listed.kwarg or listed.kwonlyargs:
        return None
    needed = len(positional) - len(listed.defaults)
    named = [Parameter(type="", name=arg.arg, optional=at >= needed) for at, arg in enumerate(positional)]
    return Signature(text=" ".join(heading.split()), name=function.name, parameters=tuple(named))


python_field = _reader_of(python_heading, r"(\w+)", r"def \1(\1)", r"\1")
_PYTHON_CLASS = r"(?s)(?:class )?\s*((\w+\s*\()(?:\s*self\s*(?:,|(?=\))))?(.*?)):?"
python_constructor = _reader_of(python_heading, _PYTHON_CLASS, r"def \2\3", r"class \1")
_script_heading = _reader_of(python_heading, r"(?s)(?:function )?(.*)", r"def \1", r"\g<0>")


def without_object(signature: Signature, handle: str) -> Signature:
    """Return a heading without the object: in C, without the first parameter that is its handle."""
    own = signature.parameters
    kinds = (handle, f"{handle}*" if handle.endswith("*") else f"{handle} *")
    objects = [at for at, arg in enumerate(own) if arg.type in kinds] if handle else [0] if own[:1] == (_SELF,) else []
    if not objects:
        return replace(signature, handle=handle)
    without = replace(signature, parameters=own[: objects[0]] + own[objects[0] + 1 :], handle=handle)
    return replace(without, place=objects[0], whole=own) if handle else without


_C_ALIASES = {
    f"{sign}{name} int": f"{sign}{name}" for sign in ("", "unsigned ") for name in ("short", "long", "long long")
} | {"_Bool": "bool", "unsigned": "unsigned int", "signed": "int", "signed int": "int", "signed char": "int8_t"}
_C_NAMED = r"(?P<type>[A-Za-z_][\w:<>\s]*?[\s*&]+)(?P<name>[A-Za-z_]\w*)\s*"
_STRUCTURE = lazy_regex(r"(typedef\s+)?struct\s*([A-Za-z_]\w*)?\s*\{([^{}]*)\}\s*([A-Za-z_]\w*)?\s*;?")
_VECTOR = lazy_regex(r"(?:std::)?vector<(.+)>")


def _is_c_type(name: str) -> bool:
    # Java alone has `byte`, `boolean` and Boolean, Double, Integer and Long among the plain types.
    return name == "void" or (is_plain_type(name) and not re.search(r"\[|^(byte|boolean|[BDIL]\w+)$", name))


def _c_type(written: str, brackets: str) -> str:
    stars, depth = written.count("*"), written.count("*") + brackets.count("[")
    words = [word for word in re.sub(r"[*&]", " ", written).split() if word not in ("const", "static", "struct")]
    name = " ".join(words)
    if "&" in written and not re.search(r"\bconst\b", written):
        return f"{name} &"  # its value after the call cannot be read
    if vector := _VECTOR.fullmatch(name.replace(" ", "")):
        name, depth = vector[1], depth + 1
    if name in ("string", "std::string"):
        return "String" + "[]" * depth
    if name == "char" and depth:
        return "String" + "[]" * (depth - 1)
    if stars and not brackets and not _is_c_type(_C_ALIASES.get(name, name)):
        return f"{name} {'*' * stars}"
    return _C_ALIASES.get(name, name) + ("*" * stars if stars > 1 else "[]" * depth)


_C = _Typed(
    function=lazy_regex(rf"(?P<modifiers>){_C_NAMED}\((?:\s*void\s*|(?P<listed>[^()]*))\)\s*;?"),
    parameter=lazy_regex(rf"{_C_NAMED}(?P<brackets>(?:\[\s*\w*\s*\]\s*)*)"),
    type_of=_c_type,
)
c_heading = _C.heading  # reads `double mean(const int *values, int n)`


def c_constructor(text: str) -> Signature | None:
    """Read `struct stack *stack_new(int capacity)`: a function that returns a handle; None for any other."""
    heading = c_heading(text)
    if heading is None or _is_c_type(heading.returns) or not re.fullmatch(r"\w+(?: \*)?", heading.returns):
        return None
    return replace(heading, handle=heading.returns)


def c_structure(text: str) -> Structure | None:
    """Read `struct node { int value; struct node *next; }`, also behind `typedef`; None when it is no structure."""
    match = _STRUCTURE.fullmatch(text.strip())
    is_typedef, tag, listed, alias = match.groups() if match else (None,) * 4
    name = alias or tag
    fields = _C.parameters([part for part in (listed or "").split(";") if part.strip()])
    if not (name and fields) or bool(alias) != bool(is_typedef):
        return None
    pointers = (f"{tag} *", f"{alias} *")
    own = tuple(replace(field, type=f"{name} *") if field.type in pointers else field for field in fields)
    return Structure(text=heading_text(text), name=name, type=alias or f"struct {tag}", fields=own)


Form = tuple[Reader, str]  # reads a heading, and what such a heading looks like


class Declared(NamedTuple):
    """What can be declared in a language."""

    function: Form
    maker: Form
    place: tuple[re.Pattern[str], str]  # what functions are in; a file may begin with a digit, as in `6-sq.c`
    field: Form | None = None


_CLASS = (python_constructor, "a class with its parameters, such as BankAccount(owner, initial=0)")
NATIVE_HEADINGS = Declared(  # of languages whose functions are called through a library that is made of the sources
    function=(c_heading, "the heading of a function, such as double mean(const int *values, int n)"),
    maker=(c_constructor, "the heading of a function that makes an object, such as struct stack *stack_new(int size)"),
    place=(lazy_regex(r"\w[\w-]*\.(?:c|cc|cpp|cxx)"), "the name of a source file, such as queens.c"),
)
HEADINGS: Mapping[str, Declared] = {  # language -> what can be declared in it
    "java": Declared(
        function=(java_heading, "the heading of a method, such as static void placeQueen(int[][] B, int i, int j)"),
        maker=(java_constructor, "the heading of a constructor, such as BankAccount(String owner, double initial)"),
        place=(lazy_regex(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*"), "the name of a Java class"),
        field=(java_field, "the declaration of a field, such as int[] queenPos"),
    ),
    "python": Declared(
        function=(python_heading, "the heading of a function, such as def noConflicts(board, current)"),
        maker=_CLASS,
        place=(lazy_regex(r"\w[\w-]*(?:\.\w[\w-]*)*(?<!\.py)"), "the name of a Python module, without .py"),
        field=(python_field, "the name of a variable of the module"),
    ),
    "c": NATIVE_HEADINGS,
    "cpp": NATIVE_HEADINGS,
    "javascript": Declared(
        function=(_script_heading, "the heading of a function, such as function noConflicts(board, current)"),
        maker=_CLASS,
        place=(lazy_regex(r"\w[\w-]*(?:\.\w[\w-]*)*(?<!\.js)"), "the name of a file of JavaScript, without .js"),
    ),
}
