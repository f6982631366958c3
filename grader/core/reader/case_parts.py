"""The keys that a test and its cases share, read as parts where they are written, and the merging of these parts."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from grader.core.kind import KINDS, CaseParts
from grader.core.reader.language import CASE, KEYS_OF_KINDS
from grader.core.yaml.types import Found, read_as, refuse
from grader.core.yaml.value import Value, wrong

FOR_ALL = (
    *("limits", "tolerate", "repeat"),
    *(one.name for of_kind in KEYS_OF_KINDS for one in of_kind.added if one.table == "spec"),
)
"""keys of a case that a spec may have at its top, for every case"""
_MERGED = ("limits", "tolerate", "expect", *(kind.key for kind in KINDS.values() if kind.runs == "partner"))
"""parts that are laid over others key by key"""


def read_parts(found: Mapping[str, Value], variables: Mapping[str, str] | None) -> CaseParts:
    """Read those of the keys that make a case, with the variables filled in; None leaves braces alone."""
    parts: dict[str, Any] = {
        key: read_as(CASE[key].kind)(replace(value, context=replace(value.context, variables=variables)))
        for key, value in found.items()
        if key in CASE
    }
    if way := parts.pop("run", None):
        if "terminal" in parts:
            wrong(found["run"], "run says all that terminal says: keep run alone")
        parts["terminal"] = way == "terminal"
    return {**parts, "both": way == "both"} if "terminal" in parts else parts


def lay_over(upper: CaseParts, lower: CaseParts, *, by_key: Iterable[str] = _MERGED) -> CaseParts:
    """Return the parts of both; where both have a key, the upper one's, of some of them key by key."""
    return {**lower, **upper, **{key: {**lower.get(key, {}), **upper.get(key, {})} for key in by_key}}


def lay_over_defaults(parts: CaseParts, defaults: CaseParts) -> CaseParts:
    """Lay the parts of a case over the spec's, without those that do not apply to its kind."""
    command = parts.get("command") or ("./",)
    is_foreign = "/" not in command[0]  # what a build makes is started by its path
    unfit = {kind.key for kind in KINDS.values() if is_foreign and kind.runs == "watcher"}
    unfit |= {key for kind in KINDS.values() if parts.get(kind.key) for key in kind.keys.beside}
    fit = {key: value for key, value in defaults.items() if key not in unfit}
    return lay_over(parts, fit, by_key=(*_MERGED, *({"env", "files"} & fit.keys())))


def refuse_beside(key: str, found: Found, why: str, *fits: str) -> None:
    """Note the keys of a test that have no meaning beside `key`, whose kind makes the cases; those of `fits` have."""
    keys = [name for name in ("cases", "each", "patience", "unlike", *CASE) if name not in fits]
    refuse(found, keys, f"{{}} has no meaning beside {key}, {why}")
