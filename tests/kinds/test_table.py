"""The table of kinds: what is collected from it stands in a fixed order, and nothing is lost."""

import pkgutil
from importlib import import_module
from types import FunctionType

import pytest

from grader.check.output_mutants import FAMILIES
from grader.core.kind import KINDS, AuthorRole, CheckRole, JudgeRole, LanguageRole, RunRole, WatchRole


@pytest.mark.parametrize("name", KINDS)
def test_what_a_kind_brings_is_listed_behind_what_there_is(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert kind.check.mutants is None or name in FAMILIES


@pytest.mark.parametrize("name", KINDS)
def test_what_has_the_name_of_a_member_is_that_member(name: str) -> None:
    """Else the default of its role would count, and nobody would see that."""
    kind, lost = KINDS[name], list[str]()
    folders = getattr(import_module(kind.room), "__path__", [])
    modules = [import_module(f"{kind.room}.{one.name}") for one in pkgutil.iter_modules(folders) if not one.ispkg]
    for role in (LanguageRole, RunRole, JudgeRole, AuthorRole, CheckRole, WatchRole):
        filled = getattr(kind, role.__name__.removesuffix("Role").lower())
        for module, member in ((module, member) for module in modules for member in role.__struct_fields__):
            own = vars(module).get(member)
            if (
                isinstance(own, FunctionType)
                and own.__module__ == module.__name__
                and getattr(filled, member) is not own
            ):
                lost.append(f"{module.__name__}.{member}")
    assert lost == []
