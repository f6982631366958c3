"""Headings of C and C++, `int add(int a, int b)`, whose types can have values in a spec.

A type is written as in C, in its shortest form. `[]` behind it means an array, however the heading writes it. `String`
is a text: a `char *`, an array of characters or a `std::string`. A pointer to any other type is `node *`, without
`struct`.
"""

import re

from msgspec.structs import replace

from grader.kinds.functions.model import Parameter, Signature, Structure

_INTEGERS = {
    **{name: name for name in ("char", "short", "int", "long", "long long", "bool", "float", "double", "size_t")},
    **{f"{sign}int{bits}_t": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{f"unsigned {name}": f"unsigned {name}" for name in ("char", "short", "int", "long", "long long")},
    "_Bool": "bool",
    "unsigned": "unsigned int",
    "signed char": "int8_t",
    "short int": "short",
    "long int": "long",
    "long long int": "long long",
    "signed": "int",
    "signed int": "int",
    "unsigned short int": "unsigned short",
    "unsigned long int": "unsigned long",
    "unsigned long long int": "unsigned long long",
}
_HEADING = re.compile(r"([A-Za-z_][\w:<>\s]*?[\s*&]+)([A-Za-z_]\w*)\s*\(([^()]*)\)\s*;?")
_PARAMETER = re.compile(r"([A-Za-z_][\w:<>\s]*?[\s*&]+)([A-Za-z_]\w*)\s*((?:\[\s*\w*\s*\]\s*)*)")
_STRUCTURE = re.compile(r"(typedef\s+)?struct\s*([A-Za-z_]\w*)?\s*\{([^{}]*)\}\s*([A-Za-z_]\w*)?\s*;?")
_VECTOR = re.compile(r"(?:std::)?vector<(.+)>")


def c_heading(text: str) -> Signature | None:
    """Read `double mean(const int *values, int n)`; None when it is no heading of a function with named parameters."""
    found = _HEADING.fullmatch(text.strip())
    if found is None:
        return None
    returns, name, listed = found.groups()
    written = [] if listed.strip() in ("", "void") else listed.split(",")
    read = [_PARAMETER.fullmatch(part.strip()) for part in written]
    parameters = tuple(Parameter(type=_type_name(p[1], p[3].count("[")), name=p[2]) for p in read if p)
    if len(parameters) < len(written):
        return None
    heading = " ".join(text.strip(" ;\n").split())
    return Signature(text=heading, name=name, parameters=parameters, returns=_type_name(returns, 0))


def c_constructor(text: str) -> Signature | None:
    """Read `struct stack *stack_new(int capacity)`: a function that returns a handle; None for any other."""
    heading = c_heading(text)
    if heading is None or heading.returns == "void" or heading.returns in (*_INTEGERS.values(), "String"):
        return None
    is_handle = re.fullmatch(r"\w+(?: \*)?", heading.returns)
    return replace(heading, handle=heading.returns) if is_handle else None


def handle_place(parameters: tuple[Parameter, ...], handle: str) -> int | None:
    """Return which parameter is the object itself: the first that is its handle, or a pointer to that."""
    kinds = (handle, f"{handle}*" if handle.endswith("*") else f"{handle} *")
    return next((at for at, parameter in enumerate(parameters) if parameter.type in kinds), None)


def without_handle(signature: Signature, handle: str) -> Signature:
    """Return the heading of a function about an object as those see it who have the object."""
    at, own = handle_place(signature.parameters, handle), signature.parameters
    return replace(signature, parameters=own if at is None else own[:at] + own[at + 1 :], handle=handle)


def all_parameters(signature: Signature) -> tuple[Parameter, ...]:
    """Return the parameters as the heading has them, also the object that a function is about."""
    heading = c_heading(signature.text) if signature.handle else None
    return heading.parameters if heading else signature.parameters


def c_structure(text: str) -> Structure | None:
    """Read `struct node { int value; struct node *next; }`, also behind `typedef`; None when it is no structure."""
    found = _STRUCTURE.fullmatch(text.strip())
    if found is None:
        return None
    is_typedef, tag, listed, alias = found.groups()
    if bool(alias) != bool(is_typedef) or not (tag or alias):
        return None
    written = [part for part in listed.split(";") if part.strip()]
    read = [_PARAMETER.fullmatch(part.strip()) for part in written]
    names = {tag, alias} - {None}
    fields = tuple(Parameter(type=_field_type(part, names, alias or tag), name=part[2]) for part in read if part)
    if not fields or len(fields) < len(written):
        return None
    name = alias or tag
    return Structure(text=" ".join(text.strip(" ;\n").split()), name=name, type=alias or f"struct {tag}", fields=fields)


def _field_type(field: re.Match[str], names: set[str], own: str) -> str:
    """Return the type of a field; a pointer to its own structure has the name by which that is known."""
    kind = _type_name(field[1], field[3].count("["))
    name, _, stars = kind.partition(" *")
    return f"{own} *" if name in names and not stars and kind.endswith("*") else kind


def _type_name(written: str, brackets: int) -> str:
    stars = written.count("*")
    words = [word for word in re.sub(r"[*&]", " ", written).split() if word not in ("const", "static", "struct")]
    name = " ".join(words)
    if "&" in written and not re.search(r"\bconst\b", written):
        return f"{name} &"  # its value after the call cannot be read
    depth = brackets + stars
    if vector := _VECTOR.fullmatch(name.replace(" ", "")):
        name, depth = vector[1], depth + 1
    if name in ("string", "std::string"):
        return "String" + "[]" * depth
    if name == "char" and depth:
        return "String" + "[]" * (depth - 1)
    if stars and not brackets and name not in (*_INTEGERS, *_INTEGERS.values(), "void", "String"):
        return f"{name} {'*' * stars}"
    return _INTEGERS.get(name, name) + ("*" * stars if stars > 1 else "[]" * depth)
