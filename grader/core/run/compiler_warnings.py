"""What a compiler of C or C++ warns of in a program that is wrong: it is asked once for a submission.

Without optimisation gcc does not see what is used before it has a value, and whether warnings are on is the choice of
the assignment. So the sources are compiled once more, and what comes of that is thrown away.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.toolchain import Toolchain
from grader.core.text import quote

_COMPILERS: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "c": (("gcc", "-Wall", "-Wextra", "-O2", "-c"), frozenset({".c"})),
    "cpp": (("g++", "-Wall", "-Wextra", "-O2", "-c"), frozenset({".cpp", ".cc", ".cxx"})),
}
_LIMITS = Limits(time=20.0, cpu=10.0, memory=2**30, output=2**18)
_MAX_SOURCES = 20
_MAX_NAME_LENGTH, _MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 32, 40, 110
_OWN_TEXT = ""
_MEANINGS: Mapping[str, str] = {
    "infinite-recursion": "the recursion of {function} has no end",
    "uninitialized": "{name} is used before it has a value",
    "maybe-uninitialized": "{name} may be used before it has a value",
    "return-type": "{function} may end without `return`",
    "parentheses": "`=` in a condition assigns a value; `==` compares",
    "format": _OWN_TEXT,
    "array-bounds": _OWN_TEXT,
    "stringop-overflow": _OWN_TEXT,
    "use-after-free": _OWN_TEXT,
    "return-local-addr": _OWN_TEXT,
    "dangling-pointer": _OWN_TEXT,
    "nonnull": _OWN_TEXT,
    "div-by-zero": _OWN_TEXT,
    "int-conversion": _OWN_TEXT,
    "incompatible-pointer-types": _OWN_TEXT,
    "address": _OWN_TEXT,
    "sizeof-pointer-div": _OWN_TEXT,
    "empty-body": "the `;` behind the parenthesis ends the statement, so that nothing depends on it",
    "misleading-indentation": "what is indented behind it does not belong to it",
    "implicit-fallthrough": "a `break` may be missing above the next `case`",
    "sequence-point": _OWN_TEXT,
    "unused-value": _OWN_TEXT,
}
"""warnings that tell of a mistake, the plainest first, and what they mean; most are told in the compiler's words"""
_ASSIGNS = "assignment used as truth value"
_NEEDS_ADDRESS = lazy_regex(r"expects argument of type `(.+?) ?\*`, but argument (\d+) has type `\1`")
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_PLACE = lazy_regex(r"(?P<file>[^\s:/`(]{1,99}\.(?:c|cc|cpp|cxx)):(?P<line>\d{1,7})")
_FUNCTION = lazy_regex(r"(?m)^[^\n:]{1,99}: In (?:member )?function [\u2018'](?P<head>[^\u2019'\n]+)[\u2019']:$")
_NAME = lazy_regex(r"[\u2018']([^\u2019'\n]+)[\u2019']")


class CompilerWarning(Struct, frozen=True):
    """A warning in a sentence, and the place that it is about, such as `marks.c:22`; both empty where there is none."""

    place: str = ""
    sentence: str = ""


_NONE = CompilerWarning()


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> CompilerWarning:
    """Return the plainest warning about the sources of a program."""
    if toolchain.name not in _COMPILERS or launch.folder is None:
        return _NONE
    argv, suffixes = _COMPILERS[toolchain.name]
    sources = [name for name in _names_in(launch.folder) if Path(name).suffix in suffixes]
    if not sources:
        return _NONE
    found = execute(Launch(argv=(*argv, *sources), folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return _NONE if found.limit else plainest_warning(found.stderr.decode(errors="replace"))


def _names_in(folder: Path) -> list[str]:
    plain = (path.name for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink())
    return [name for name in plain if not name.startswith("-")][:_MAX_SOURCES]


def is_about_another_line(warning: CompilerWarning, facts: str) -> bool:
    """Whether the facts of a case have lines of sources, and that of the warning is none of them."""
    places = {f"{one['file']}:{one['line']}" for one in _PLACE.finditer(facts)}
    return bool(places) and warning.place not in places


def plainest_warning(log: str) -> CompilerWarning:
    """Return the warning in a log that tells most of a mistake."""
    order = list(_MEANINGS)
    found = [
        one
        for one in _WARNING.finditer(log)
        if one["kind"] in _MEANINGS and (one["kind"] != "parentheses" or _ASSIGNS in one["text"])
    ]
    if not found:
        return _NONE
    first = min(found, key=lambda one: order.index(one["kind"]))
    heads = list(_FUNCTION.finditer(log, 0, first.start()))
    function = quote(re.split(r"[(\s]", heads[-1]["head"].strip())[0] if heads else "the function")
    name = _NAME.search(first["text"])
    is_empty = first["kind"] == "misleading-indentation" and (first["source"] or "").rstrip().endswith(");")
    meaning = _MEANINGS["empty-body" if is_empty else first["kind"]].format(
        function=function, name=quote(name[1]) if name else "a variable"
    )
    text = meaning or _NAME.sub(r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
    if address := _NEEDS_ADDRESS.search(text):
        text = f"argument {address[2]} has to be an address; is `&` missing?"
    place = f"line {first['line']} of {quote(first['file'], most=_MAX_NAME_LENGTH)}"
    source = f", {quote(first['source'].strip(), most=_MAX_LINE_LENGTH)}" if first["source"] else ""
    sentence = f"The compiler warns of {place}{source}: {text}{'' if text.endswith('?') else '.'}"
    return CompilerWarning(f"{first['file']}:{first['line']}", sentence)
