"""What a compiler of C or C++ warns of in a program that is wrong: it is asked once for a submission.

The sources are compiled once more: gcc sees little without optimisation, and warnings are the assignment's choice.
"""

from collections.abc import Mapping

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.toolchain import Toolchain
from grader.core.text import quote

_COMPILERS: Mapping[str, tuple[str, tuple[str, ...]]] = {"c": ("gcc", (".c",)), "cpp": ("g++", (".cpp", ".cc", ".cxx"))}
_OPTIONS = ("-Wall", "-Wextra", "-O2", "-c")
_LIMITS = Limits(time=20.0, cpu=10.0, memory=2**30, output=2**18)
_MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 20, 32, 40, 110
_IN_ITS_WORDS = (
    *("format", "array-bounds", "stringop-overflow", "use-after-free", "return-local-addr", "dangling-pointer"),
    *("nonnull", "div-by-zero", "int-conversion", "incompatible-pointer-types", "address", "sizeof-pointer-div"),
)
_MEANINGS = {
    "infinite-recursion": "the recursion of {function} has no end",
    "uninitialized": "{name} is used before it has a value",
    "maybe-uninitialized": "{name} may be used before it has a value",
    "return-type": "{function} may end without `return`",
    "parentheses": "`=` in a condition assigns a value; `==` compares",
    **dict.fromkeys(_IN_ITS_WORDS, ""),
    "empty-body": "the `;` behind the parenthesis ends the statement, so that nothing depends on it",
    "misleading-indentation": "what is indented behind it does not belong to it",
    "implicit-fallthrough": "a `break` may be missing above the next `case`",
    **dict.fromkeys(("sequence-point", "unused-value"), ""),
}
"""warnings that tell of a mistake, the plainest first, and what they mean; "" for the compiler's own words"""
_NEEDS_ADDRESS = lazy_regex(r"expects argument of type `(.+?) ?\*`, but argument (\d+) has type `\1`")
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_PLACE = lazy_regex(r"[^\s:/`(]{1,99}\.(?:c|cc|cpp|cxx):\d{1,7}")
_FUNCTION = lazy_regex(
    r"(?m)^[^\n:]{1,99}: In (?:member )?function [\u2018']([^\u2019'\n(\s]+)[^\u2019'\n]*[\u2019']:$"
)
_NAME = lazy_regex(r"[\u2018']([^\u2019'\n]+)[\u2019']")


class CompilerWarning(Struct, frozen=True):
    """A warning in a sentence, and the place that it is about, such as `marks.c:22`; both empty where there is none."""

    place: str = ""
    sentence: str = ""

    def is_about(self, facts: str) -> bool:
        """Whether the facts of a case have no lines of sources, or that of the warning among them."""
        places = _PLACE.findall(facts)
        return not places or self.place in places


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> CompilerWarning:
    """Return the plainest warning about the sources of a program."""
    if toolchain.name not in _COMPILERS or launch.folder is None:
        return CompilerWarning()
    compiler, endings = _COMPILERS[toolchain.name]
    plain = (path.name for path in sorted(launch.folder.iterdir()) if path.is_file() and not path.is_symlink())
    names = [name for name in plain if not name.startswith("-")][:_MAX_SOURCES]
    if not (sources := [name for name in names if name.endswith(endings)]):
        return CompilerWarning()
    argv = (compiler, *_OPTIONS, *sources)
    found = execute(Launch(argv=argv, folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return CompilerWarning() if found.limit else plainest_warning(found.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> CompilerWarning:
    """Return the warning in a log that tells most of a mistake."""
    found = [one for one in _WARNING.finditer(log) if one["kind"] in _MEANINGS]
    found = [one for one in found if one["kind"] != "parentheses" or "assignment used as truth value" in one["text"]]
    if not found:
        return CompilerWarning()
    first = min(found, key=lambda one: list(_MEANINGS).index(one["kind"]))
    source, name = (first["source"] or "").strip(), _NAME.search(first["text"])
    functions = _FUNCTION.findall(log, 0, first.start())
    is_empty = first["kind"] == "misleading-indentation" and source.endswith(");")
    text = _MEANINGS["empty-body" if is_empty else first["kind"]].format(
        function=quote(functions[-1] if functions else "the function"), name=quote(name[1]) if name else "a variable"
    )
    text = text or _NAME.sub(r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
    if address := _NEEDS_ADDRESS.search(text):
        text = f"argument {address[2]} has to be an address; is `&` missing?"
    place = f"line {first['line']} of {quote(first['file'], most=_MAX_NAME_LENGTH)}"
    shown = f", {quote(source, most=_MAX_LINE_LENGTH)}" if source else ""
    sentence = f"The compiler warns of {place}{shown}: {text}{'' if text.endswith('?') else '.'}"
    return CompilerWarning(f"{first['file']}:{first['line']}", sentence)
