"""`structures` of `functions`: what the pointers of C and C++ point to, as the assignment declares it."""

from msgspec.structs import replace

from grader.core.yaml.value import Value, in_quotes, items, text, unwanted, wrong
from grader.kinds.functions.c_headings import c_structure
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature, Structure
from grader.kinds.functions.read_values import is_plain_type

_NATIVE = ("c", "cpp")
"""languages that have them"""


def read_structures(value: Value) -> tuple[Structure, ...]:
    """Read the structures that an assignment declares."""
    if value.context.language not in _NATIVE:
        wrong(value, "structures are declared in C and C++ only: objects are made with new")
        return ()
    found: list[Structure] = []
    for item in items(value):
        structure = c_structure(text(item))
        if structure is None:
            unwanted(item, "a structure, such as struct node { int value; struct node *next; }")
            continue
        for field in structure.fields:
            if field.type != f"{structure.name} *" and (field.type.endswith("]") or not is_plain_type(field.type)):
                plain = "numbers, texts and pointers to the structure itself"
                wrong(item, f"fields are {plain}, and {in_quotes(field.name)} is none of them")
        if structure.name in (one.name for one in found):
            wrong(item, f"{in_quotes(structure.name)} is declared already: keep one")
        found.append(structure)
    return tuple(found)


def with_structures(value: Value, signature: Signature, structures: tuple[Structure, ...]) -> Signature:
    """Return a heading with the structures that it is about; every pointer has to be to one of these."""
    types = [*(parameter.type for parameter in signature.parameters), signature.returns]
    used = {kind.rstrip("*").strip() for kind in types if kind.endswith((" *", " **"))}
    used.discard(signature.handle.rstrip("*").strip())
    if unknown := sorted(used - {one.name for one in structures}):
        wrong(value, f"the structure {unknown[0]} is not declared: write its fields under structures")
    return replace(signature, structures=tuple(one for one in structures if one.name in used)) if used else signature


def complete_further_calls(value: Value, case: FunctionCase, structures: tuple[Structure, ...]) -> FunctionCase:
    """Return a case whose calls before and after the main one have the structures that they are about."""

    def complete(call: FunctionCall) -> FunctionCall:
        return replace(call, signature=with_structures(value, call.signature, structures))

    return replace(case, before=tuple(map(complete, case.before)), then=tuple(map(complete, case.then)))
