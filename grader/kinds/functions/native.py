"""Functions of C and C++: the build makes a library of the student's source, and a Python module calls it.

For each function that a spec declares, the library has a second one that calls it. Both are declared with the heading
of the spec, in one file with the student's source, so that the compiler reports whether they have the same types.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model import VERSION
from grader.core.model.execution import Launch, Runner
from grader.core.model.layout import Artifact
from grader.core.model.limits import Limits, limit_sentence
from grader.core.model.spec import Spec
from grader.core.model.values import decode_json
from grader.kinds.functions.model import Signature, Structure, functions_of
from grader.kinds.harness.host import PROBES

if TYPE_CHECKING:
    from grader.core.course import Course

NATIVE = ("c", "cpp")  # languages whose functions are in a library; a module of Python beside it calls them
_COMPILERS = {"c": ("gcc",), "cpp": ("g++",)}
_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=64)
_SHOWN = 500
_INTEGERS = {
    f"{sign}int{bits}_t": f"__{sign.upper()}INT{bits}_TYPE__" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
_C_TYPES = {"bool": "_Bool", "size_t": "__SIZE_TYPE__", **_INTEGERS}  # how a field's type is written without any header
_STRING = lazy_regex(r"(?:const\s+)?(?:std::)?string(?:\s*&)?(?=\s*\b\w+\s*[,)])")
_VECTOR = lazy_regex(r"(?:const\s+)?(?:std::)?vector<([\w\s]+)>(?:\s*&)?\s*(\w+)(?=\s*[,)])")


def library_module(file: str) -> str:
    """Return the name of the module that calls the functions of a source file in C or C++."""
    return f".grader-{file}.py"


class _Made(Struct, frozen=True, kw_only=True):
    """The result for a source: the names of its functions, headings of others with these names, and the error."""

    functions: tuple[str, ...] = ()
    headings: Mapping[str, str] = {}
    said: str = ""


def prepare_build(course: "Course", built: Artifact | Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the libraries of a built submission or the reference; an only source takes the place of a charged file."""
    spec, wanted = course.spec, _called_headings(course.spec)
    if not wanted:
        return {}

    def make(names: Collection[str], launch: Launch, charged: Collection[str] = ()) -> dict[str, bytes]:
        libraries: dict[str, bytes] = {}
        for file, functions in wanted.items():
            sources = [name for name in names if "/" not in name and name.endswith(PurePosixPath(file).suffix)]
            source = sources[0] if file in charged and len(sources) == 1 else file
            if source in sources:
                libraries |= _make_library(spec.language, (file, source), functions, launch, course.execute)
        return libraries

    if isinstance(built, Artifact):
        names = [path.name for path in built.folder.iterdir() if path.is_file()]
        return make(names, Launch(argv=(), folder=built.folder), built.charged)
    if spec.reference_work is None or spec.reference_work.language != spec.language:
        return {}
    ours = {name: (PROBES / name).read_bytes() for name in ("library.py", "wrapped.py")}
    contents = {name: hashlib.sha256(content).hexdigest() for name, content in [*built.items(), *ours.items()]}
    key = ["libraries", VERSION, contents, wanted]
    return course.cache.get_or_make(key, dict[str, bytes], lambda: make(built, Launch(argv=(), files=built)))


def _called_headings(spec: Spec) -> Mapping[str, Mapping[str, Signature]]:
    """Return the functions of C or C++ that a spec calls: file -> name -> heading."""
    wanted: dict[str, dict[str, Signature]] = {}
    cases = [case for test in spec.tests for case in test.cases] if spec.language in NATIVE else []
    for function in filter(None, map(functions_of, cases)):
        for file in function.within:
            for call in function.calls:
                wanted.setdefault(file, {}).update(dict.fromkeys(call.signature.names, call.signature))
    return wanted


def _make_library(
    language: str, names: tuple[str, str], functions: Mapping[str, Signature], launch: Launch, run: Runner
) -> dict[str, bytes]:
    """Make the library that calls the functions of a source, and the Python module that loads it."""
    file, source = names
    library = f".grader-{file}.so"
    structures = {own.name: own for heading in functions.values() for own in heading.structures}
    symbols = {name: f"grader_call_{number}" for number, name in enumerate(functions)}
    texts = {f"structure {name}": _accessors(own, language) for name, own in structures.items()}  # no function's name
    texts |= {name: _wrapped(heading, name, symbols[name], language) for name, heading in functions.items()}
    request = {"file": source, "library": library, "compiler": _COMPILERS[language], "functions": texts}
    argv, stdin = ("python3", "-I", "-c", (PROBES / "library.py").read_text()), json.dumps(request).encode()
    done = run(replace(launch, argv=argv, stdin=stdin, limits=_LIMITS, collect=(library,)))
    try:
        result = decode_json(done.stdout, _Made)
    except (msgspec.DecodeError, UnicodeDecodeError):
        result = _Made(said=f"its compilation {limit_sentence(done.limit) if done.limit else 'was ended'}")
    if result.said or library not in done.files:
        text = f"class CompilationError(Exception): ...\n\n\nraise CompilationError({result.said[:_SHOWN]!r})\n"
        return {library_module(file): text.encode()}
    known = {name: structure for name, structure in structures.items() if f"structure {name}" in result.functions}
    unfit = {
        name: (heading.text, f"cannot be called: your source has no `{own.type}` with these fields: `{own.text}`")
        for name, heading in functions.items()
        for own in heading.structures
        if own.name not in known
    }
    fit = {name: heading for name, heading in functions.items() if name in result.functions and name not in unfit}
    parts: dict[str, Any] = {
        "functions": {name: (own.text, symbols[name], _kinds(own), own.returns) for name, own in fit.items()},
        "headings": dict(result.headings),
        "structures": {
            name: (f"grader_structure_{name}", [(field.name, field.type) for field in structure.fields])
            for name, structure in known.items()
        },
        "unfit": unfit,
        "handles": tuple({heading.handle: "" for heading in functions.values() if heading.handle}),
    }
    module = f"{(PROBES / 'wrapped.py').read_text()}\n\nload_functions({library!r}, **{parts!r})\n"
    return {library_module(file): module.encode(), library: done.files[library]}


def _accessors(structure: Structure, language: str) -> str:
    """Write the functions that make a structure, and get and set its fields, whatever their order in the source is."""
    external = 'extern "C" ' if language == "cpp" else ""
    symbol, own = f"grader_structure_{structure.name}", f"(({structure.type} *) grader_at)"
    lines = [f"void *{symbol}_new(void) {{ return __builtin_calloc(1, sizeof({structure.type})); }}"]
    for field in structure.fields:
        kind, place = _C_TYPES.get(field.type, field.type), f"{own}->{field.name}"
        setting = f"{place} = grader_value;"
        if field.type.endswith(" *"):
            kind, setting = "void *", f"{place} = ({structure.type} *) grader_value;"
        elif field.type == "String":
            is_array = re.search(rf"\b{field.name}\s*\[", structure.text)
            kind = "const char *"
            copied = f"__builtin_strncpy({place}, grader_value, sizeof {place} - 1);"
            setting = copied if is_array else f"{place} = __builtin_strdup(grader_value);"
        lines.append(f"{kind} {symbol}_get_{field.name}(void *grader_at) {{ return {place}; }}")
        lines.append(f"void {symbol}_set_{field.name}(void *grader_at, {kind} grader_value) {{ {setting} }}")
    return "\n".join(f"{external}{line}" for line in lines)


def _kinds(signature: Signature) -> list[str]:
    vectors = {parameter for _, parameter in _VECTOR.findall(signature.text)}
    return [f"{parameter.type}{'+length' if parameter.name in vectors else ''}" for parameter in signature.written]


def _wrapped(signature: Signature, name: str, symbol: str, language: str) -> str:
    """Declare a function as the spec has it, and a second function that calls it."""
    heading = re.sub(rf"\b{signature.name}(?=\s*\()", name, signature.text).removeprefix("static ")
    wrapper = re.sub(rf"\b{name}(?=\s*\()", symbol, heading)
    call = f"{name}({', '.join(parameter.name for parameter in signature.written)})"
    if signature.handle and signature.returns == signature.handle:  # also a typedef, which has to be a pointer
        wrapper = f"void *{wrapper[wrapper.index(symbol) :]}"
    if language == "c":
        return f"{heading};\n{wrapper} {{ return {call}; }}"
    for kind, parameter in _VECTOR.findall(wrapper):
        copied = f"std::vector<{kind}>({parameter}, {parameter} + grader_length_{parameter})"
        call = re.sub(rf"\b{parameter}\b(?=[,)])", copied, call)
    wrapper = _STRING.sub("const char *", _VECTOR.sub(r"const \1 *\2, long grader_length_\2", wrapper))
    body = f"return {call};"
    if signature.returns == "String" and "*" not in heading.partition("(")[0]:
        wrapper = f"const char *{wrapper[wrapper.index(symbol) :]}"
        body = f"static std::string held; held = {call}; return held.c_str();"
    return f'{heading};\nextern "C" {wrapper} {{ {body} }}'
