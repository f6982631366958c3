"""Makes a library of a source file, with a second function for each one that is to be called; alone, in the sandbox.

Standard input is the request: `file`, the source; `compiler`, a command; `functions`, a text for each name, which wraps
it. Functions that do not fit the student's own are omitted; `headings` has those that are there instead.
"""

import json
import os
import re
import subprocess
import sys
from typing import Any

_MAX_SOURCES = 200
_MAX_SAID = 2000
_OWN = re.compile(
    r"note: (?:previous|old) (?:definition|declaration)(?: of)? '(\w+)' with type '([^'\n(]*)\(([^'\n]*)\)'"
)
_OLD = re.compile(r"note: old declaration '([^'\n]*?(\w+)\([^'\n]*\))'")
_DEFINED = re.compile(r"(?m)^[0-9a-f]+ [TW] ((\w+)\(.*\))$")
_UNDEFINED = re.compile(r"(?m)^ +U (\w+)(?:[(:].*)?$")
"""what nothing is linked to: what a library has is followed by its version, behind an @"""
_STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"


def make_library(request: dict[str, Any]) -> dict[str, Any]:
    """Make the library; return the names in it, headings of other functions with such a name, and the error."""
    wanted = dict(request["functions"])
    headings: dict[str, str] = {}
    errors = _compile(request, [*wanted.values()])
    if errors and not _compile(request, [], "-fsyntax-only"):  # some of them do not fit the source
        for name, text in [*wanted.items()]:
            if misfit := _compile(request, [text], "-fsyntax-only"):
                del wanted[name]
                headings |= {name: _heading(kind, name, types) for name, kind, types in _OWN.findall(misfit)}
                headings |= {name: heading for heading, name in _OLD.findall(misfit)}
        errors = _compile(request, [*wanted.values()])
    others: list[str] = []
    if not errors and _UNDEFINED.search(_symbols(request)):
        others = _compile_others(request)
        errors = _compile(request, [*wanted.values()], *others)
    symbols = "" if errors else _symbols(request)
    # What nothing defines, and what is no function that is looked up when it is called, is defined as 0.
    text = "" if errors else re.sub(r"(?m)^.*JUMP_SLO.*$", "", _symbols(request, "readelf", "-rW"))
    undefined = [] if errors else _UNDEFINED.findall(_symbols(request, "nm", "-p"))
    if needed := [f"-Wl,--defsym={name}=0" for name in undefined if re.search(rf" {re.escape(name)} \+ ", text)]:
        errors = _compile(request, [*wanted.values()], *others, *needed)
    if errors:
        first = next((line for line in errors.splitlines() if "error" in line or "multiple definition" in line), errors)
        return {"functions": [], "headings": headings, "said": first[:_MAX_SAID] or "the compiler says nothing"}
    missing = wanted.keys() & {*_UNDEFINED.findall(symbols)}
    # C++ may have functions of these names with other parameters.
    headings |= {name: heading for heading, name in _DEFINED.findall(symbols) if name in missing}
    return {"functions": [name for name in wanted if name not in missing], "headings": headings, "said": ""}


def _heading(kind: str, name: str, types: str) -> str:
    """Write a heading as people do: compilers put blanks after stars and commas, sometimes two."""
    return re.sub(r"\* (?=[\w*])", "*", re.sub(r",\s+", ", ", f"{kind.strip()} {name}({types})"))


def _symbols(request: dict[str, Any], *command: str) -> str:
    """Return what the library has and lacks, a line for each, as `nm -C` or another command writes it."""
    done = subprocess.run([*(command or ("nm", "-C")), request["library"]], capture_output=True, check=False)
    text = done.stdout.decode(errors="backslashreplace").replace(_STRING, "std::string")
    return re.sub(r", std::allocator<[^<>]*> >", ">", text)


def _compile(request: dict[str, Any], wrappers: list[str], *more: str) -> str:
    """Return the compiler's errors when it fails, else nothing."""
    source = f'#define main grader_main_of_it\n#include "{request["file"]}"\n#undef main\n' + "\n".join(wrappers) + "\n"
    name = f".grader-wrapped{os.path.splitext(request['file'])[1]}"
    with open(name, "w", encoding="utf-8") as file:
        file.write(source)
    options = ["-shared", "-fPIC", "-g", "-w", "-I.", "-fno-diagnostics-show-caret", "-Wl,-z,lazy"]
    return _run_tool([*request["compiler"], *options, "-o", request["library"], name, *more, "-lm", "-lpthread"])


def _compile_others(request: dict[str, Any]) -> list[str]:
    """Compile the other sources, as far as that goes, into what only gives what is missed."""
    kind = os.path.splitext(request["file"])[1]
    names = [name for name in os.listdir() if name.endswith(kind) and name[0] not in ".-" and name != request["file"]]
    objects, archive = list[str](), ".grader-others.a"
    for number, name in enumerate(sorted(names)[:_MAX_SOURCES]):
        options = ["-c", "-fPIC", "-g", "-w", f"-Dmain=grader_main_{number}", "-o", f".grader-{number}.o"]
        objects += [] if _run_tool([*request["compiler"], *options, name]) else [f".grader-{number}.o"]
    return [archive] if objects and not _run_tool(["ar", "rcs", archive, *objects]) else []


def _run_tool(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    return "" if done.returncode == 0 else done.stderr.decode(errors="backslashreplace") or "it failed"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make_library(json.load(sys.stdin))))
