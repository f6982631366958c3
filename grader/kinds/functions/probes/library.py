"""Makes a library of a source file, with a second function for each one that is to be called.

It runs alone, in the sandbox. Standard input is the request in JSON: `file`, the source; `compiler`, a command;
`functions`, each with its `name` and `text`, which declares and wraps it. Functions that do not fit the student's own
are omitted; `made` reports them. What the student's source calls and nothing defines gets a stand-in that ends the
program when it is called.
"""

import json
import os
import re
import subprocess
import sys
from typing import Any

_MAX_SOURCES = 200
_NO_LINKING = ("-fsyntax-only",)
_MAX_SAID = 2000
_CONFLICT = re.compile(
    r"error: (?:conflicting types for|conflicting declaration of C function|ambiguating new declaration of|"
    r"new declaration)?[^'\n]*'(?:[^'\n]*?\W)?(\w+)(?:\([^'\n]*\))?'"
)
_OWN = re.compile(
    r"note: (?:previous|old) (?:definition|declaration)(?: of)? '(\w+)' with type '([^'\n(]*)\(([^'\n]*)\)'"
)
_OLD = re.compile(r"note: old declaration '([^'\n]*?(\w+)\([^'\n]*\))'")
_DEFINED = re.compile(r"(?m)^[0-9a-f]+ [TW] ((\w+)\(.*\))$")
_STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
_UNDEFINED = re.compile(r"undefined reference to [`'](\w+)")
_UNDEFINED_SYMBOL = re.compile(r"undefined reference to [`']([\w.$@]+)'")
_STAND_IN = """
void grader_stand_in_%(number)d(void) __asm__("%(symbol)s");
void grader_stand_in_%(number)d(void) {
    static const char said[] = "`%(name)s` is called, and nothing defines it\\n";
    fflush(0);
    if (write(2, said, sizeof said - 1)) _exit(127);
    _exit(127);
}
"""


def make_library(request: dict[str, Any]) -> dict[str, Any]:
    """Make the library; return the names in it, headings of other functions with such a name, and the error."""
    wanted = {function["name"]: function["text"] for function in request["functions"]}
    headings: dict[str, str] = {}
    others: list[str] | None = None
    errors = ""
    has_stand_ins = False
    for _ in range(len(wanted) + 3):
        errors = _compile(request, list(wanted.values()), others or [])
        if not errors:
            return {"functions": list(wanted), "headings": headings, "said": ""}
        headings |= {name: _heading(kind, name, types) for name, kind, types in _OWN.findall(errors)}
        headings |= {name: heading for heading, name in _OLD.findall(errors)}
        undefined = set(_UNDEFINED.findall(errors))
        if undefined and others is None:
            others = _compile_others(request)
            continue
        bad = wanted.keys() & (undefined | set(_CONFLICT.findall(errors)) | headings.keys())
        bad = bad or (set() if undefined else _unfit(request, wanted))
        if not bad and undefined and not has_stand_ins:
            others, has_stand_ins = [*(others or []), *_stand_ins(request, wanted, others or [])], True
            continue
        if not bad:
            break
        headings = {**_headings_of(request, bad & undefined), **headings}
        wanted = {name: text for name, text in wanted.items() if name not in bad}
    first = next((line for line in errors.splitlines() if "error" in line or "undefined" in line), errors)
    return {"functions": [], "headings": headings, "said": first[:_MAX_SAID] or "the compiler says nothing"}


def _heading(kind: str, name: str, types: str) -> str:
    """Write a heading as people do: compilers put blanks after stars and commas, sometimes two."""
    written = f"{kind.strip()} {name}({types})"
    return re.sub(r"\* (?=[\w*])", "*", re.sub(r",\s+", ", ", written))


def _unfit(request: dict[str, Any], wanted: dict[str, str]) -> set[str]:
    """Return the functions whose wrappers do not compile, each on its own; none where the source does not either."""
    if _compile(request, [], [], *_NO_LINKING):
        return set()
    return {name for name, text in wanted.items() if _compile(request, [text], [], *_NO_LINKING)}


def _stand_ins(request: dict[str, Any], wanted: dict[str, str], others: list[str]) -> list[str]:
    """Compile a stand-in for everything that the source calls and nothing defines."""
    errors = _compile(request, list(wanted.values()), others, "-Wl,--no-demangle")
    symbols = sorted(set(_UNDEFINED_SYMBOL.findall(errors)))[:_MAX_SOURCES]
    told = subprocess.run(["c++filt", *symbols], capture_output=True, check=False, text=True)  # noqa: S607
    names = told.stdout.splitlines() if told.returncode == 0 else symbols
    parts = [
        _STAND_IN % {"number": number, "symbol": symbol, "name": name.replace("\\", "").replace('"', "")}
        for number, (symbol, name) in enumerate(zip(symbols, names, strict=False))
    ]
    with open(".grader-stand-ins.c", "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\n#include <unistd.h>\n" + "".join(parts))
    target = ".grader-stand-ins.o"
    return [] if _run_tool(["gcc", "-c", "-fPIC", "-w", ".grader-stand-ins.c", "-o", target]) else [target]


def _headings_of(request: dict[str, Any], names: set[str]) -> dict[str, str]:
    """Return, for those of the names that the source has with other parameters, a heading; C++ alone keeps them."""
    target = ".grader-own.o"
    if not names or _run_tool([*request["compiler"], "-c", "-w", "-I.", request["file"], "-o", target]):
        return {}
    symbols = subprocess.run(["nm", "-C", target], capture_output=True, check=False)  # noqa: S607
    text = symbols.stdout.decode(errors="backslashreplace").replace(_STRING, "std::string")
    text = re.sub(r", std::allocator<[^<>]*> >", ">", text)
    return {name: heading for heading, name in _DEFINED.findall(text) if name in names}


def _compile(request: dict[str, Any], wrappers: list[str], others: list[str], *more: str) -> str:
    """Return the compiler's errors when it fails, else nothing."""
    source = f'#define main grader_main_of_it\n#include "{request["file"]}"\n#undef main\n' + "\n".join(wrappers) + "\n"
    kind = os.path.splitext(request["file"])[1]
    name = f".grader-wrapped{kind}"
    with open(name, "w", encoding="utf-8") as file:
        file.write(source)
    options = ["-shared", "-fPIC", "-g", "-w", "-I.", "-fno-diagnostics-show-caret", "-Wl,--no-undefined"]
    libraries = [] if more == _NO_LINKING else [*others, "-lm", "-lpthread"]
    return _run_tool([*request["compiler"], *options, *more, "-o", request["library"], name, *libraries])


def _compile_others(request: dict[str, Any]) -> list[str]:
    """Compile the other sources, as far as that goes, into what only gives what is missed."""
    kind = os.path.splitext(request["file"])[1]
    names = sorted(
        name for name in os.listdir() if name.endswith(kind) and name[0] not in ".-" and name != request["file"]
    )
    objects = []
    for number, name in enumerate(names[:_MAX_SOURCES]):
        target = f".grader-{number}.o"
        if not _run_tool(
            [*request["compiler"], "-c", "-fPIC", "-g", "-w", f"-Dmain=grader_main_{number}", name, "-o", target]
        ):
            objects.append(target)
    if not objects or _run_tool(["ar", "rcs", ".grader-others.a", *objects]):
        return []
    return [".grader-others.a"]


def _run_tool(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    return "" if done.returncode == 0 else done.stderr.decode(errors="backslashreplace") or "it failed"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make_library(json.load(sys.stdin))))
