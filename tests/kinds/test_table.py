"""The table of kinds: what is collected from it stands in a fixed order, and nothing is lost."""

import pkgutil
from importlib import import_module
from types import FunctionType

import pytest

from grader.check.mutants import FAMILIES
from grader.core.kind import KINDS, Roles


@pytest.mark.parametrize("name", KINDS)
def test_what_a_kind_brings_is_listed_behind_what_there_is(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert kind.mutants is None or name in FAMILIES


@pytest.mark.parametrize("name", KINDS)
def test_what_has_the_name_of_a_member_is_that_member(name: str) -> None:
    """Else the default of its role would count, and nobody would see that."""
    kind, lost = KINDS[name], list[str]()
    folders = getattr(import_module(kind.room), "__path__", [])
    modules = [import_module(f"{kind.room}.{one.name}") for one in pkgutil.iter_modules(folders) if not one.ispkg]
    for module, member in ((module, member) for module in modules for member in Roles.__annotations__):
        own = vars(module).get(member)
        is_own = isinstance(own, FunctionType) and own.__module__ == module.__name__
        if is_own and getattr(kind, member) is not own:
            lost.append(f"{module.__name__}.{member}")
    assert lost == []
