"""`interactor`: a program of the course that talks to the student's; keys of a case are merged into its test's."""

from typing import Any

from msgspec.structs import replace

from grader.core.kind import CaseParts
from grader.core.model.spec import CheckOptions, Interactor, Leaf, Role
from grader.core.reader.validators import read_course_program, read_program_keys
from grader.core.yaml.nodes import Table
from grader.core.yaml.types import read_as, read_given
from grader.core.yaml.value import Value, fields, items, unwanted, wrong
from grader.kinds.interactive.keys import MAX_ROLES


def read_interactor(value: Value) -> dict[str, Any]:
    """Read `interactor` as keyword arguments of `Interactor`: the name of its file, or a mapping."""
    if not isinstance(value.node, Table):
        return read_course_program(value)
    if not value.node.pairs:
        unwanted(value, "the name of a program, or a mapping with program in it")
    return read_program_keys(fields(value, "interactor"))


def read_roles(value: Value) -> tuple[Role, ...]:
    """Read the starts of the student's program, of which each has a name and arguments."""
    roles: dict[str, Role] = {}
    for item in items(value):
        read = (
            read_given(fields(item, "role")) if isinstance(item.node, Table) else {"name": read_as("role-name")(item)}
        )
        role = Role(**{"name": "", "args": (read.get("name", ""),), **read})
        if role.name in roles:
            wrong(item, f"two programs have the name {role.name}: give each its own")
        roles[role.name] = role
    if len(items(value)) not in range(2, MAX_ROLES + 1):
        wrong(value, f"from 2 to {MAX_ROLES} programs are started; for a single one, leave programs out")
    return tuple(roles.values())


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts of a case with its interactor, or a validator that runs meanwhile; None for none."""
    asked = parts["expect"].get("stdout")
    validator = asked.get(CheckOptions).validator if isinstance(asked, Leaf) and not parts.get("interactor") else None
    if validator is None or (validator.passes == 1 and validator.max_score is None):
        return {**parts, "interactor": _interactor_of(value, parts)}
    why = "with max_score" if validator.passes == 1 else "with several passes"
    again = "" if validator.passes == 1 else " each time"
    for key, unfit in (("dialogue", "dialogue"), ("terminal", "terminal"), ("both", "run")):
        if parts.get(key):
            wrong(value, f"{why} a program is given its standard input{again}: take {unfit} out")
    expect = {key: value for key, value in parts["expect"].items() if key != "stdout"}
    return {**parts, "interactor": replace(validator, is_output_validator=True), "expect": expect}


def _interactor_of(value: Value, parts: CaseParts) -> Interactor | None:
    if not (asked := parts.get("interactor")):
        return None
    if parts["expect"].get("stdout") or parts["expect"].get("screen"):
        wrong(value, "what the program writes goes to the interactor, which judges it: take stdout out of expect")
    if "program" not in asked:
        wrong(value, "this interactor has no program: name its file under program")
        return None
    if asked.get("roles") and asked.get("passes", 1) > 1:
        wrong(value, "programs that run at the same time have one pass: take passes out, or programs")
    return Interactor(**asked)
