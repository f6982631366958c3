"""What installed packages add by entry points; these are read only for a name in no table of ours: that takes long."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.text import one_line

EXPORTS_GROUP, IMPORTS_GROUP = "grader.exports", "grader.imports"
REPORTS_GROUP, STYLE_GROUP = "grader.reports", "grader.style_tools"


class Plugin(NamedTuple):
    """What a package offers by a name."""

    value: Any
    package: str  # the distribution and its version, such as `acme-grader 1.2`


def load_plugin(group: str, name: str, kind: Any) -> Plugin | None:
    """Import what is installed by this name; None when nothing is. Raises UsageError when it cannot be used."""
    if not (entries := _installed(group).get(name, ())):
        return None
    package = plugin_names(group)[name]
    if len(entries) > 1:
        raise UsageError(f"'{name}' ({group}) is in several installed packages: {package}; uninstall all but one")
    try:
        value = entries[0].load()
    except (Exception, SystemExit) as error:  # whatever its authors wrote
        why = one_line(f"{type(error).__name__}: {error}")
        raise UsageError(f"'{name}' of {package} cannot be imported: {why}; mend or uninstall {package}") from error
    if not isinstance(value, kind):
        raise UsageError(f"'{name}' of {package}: {one_line(entries[0].value)} is no {kind.__name__}; mend {package}")
    return Plugin(value, package)


def plugin_names(*groups: str) -> dict[str, str]:
    """Return the names that are installed for groups, and the packages that have them."""
    pairs = sorted(item for group in groups for item in _installed(group).items())
    packages = {name: {one_line(f"{one.dist.name} {one.dist.version}") for one in entries} for name, entries in pairs}
    return {name: ", ".join(sorted(owners)) for name, owners in packages.items()}


@cache
def _installed(group: str) -> dict[str, list[Any]]:
    entries = import_module("importlib.metadata").entry_points(group=group)
    return {name: list(entries.select(name=name)) for name in entries.names}


def format_rows(formats: Mapping[str, str]) -> str:
    """Return a line for each name of a format, with what it is."""
    return "\n".join(f"  {name:18}  {about}" for name, about in formats.items())


def unknown_format(name: str, formats: Mapping[str, str], *groups: str) -> UsageError:
    """Return the error that there is no format of this name; it lists `formats`, and those of installed packages."""
    installed = {known: f"of {package}" for known, package in plugin_names(*groups).items()}
    return UsageError(f"there is no format '{one_line(name)}'; there are\n{format_rows({**formats, **installed})}")
