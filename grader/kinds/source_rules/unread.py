"""Files that a program can load and rules on the source cannot read; and further readable files with other endings.

A forbidden call in `helper.pyc`, in an object file, or in an included text is still made. Files that nothing loads are
harmless: data, pictures, documents, an editor's leftovers.
"""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from os import fsencode
from pathlib import Path, PurePosixPath

from grader.core.model.layout import Build
from grader.core.notebook import is_notebook, module_name
from grader.core.text import listed, quote
from grader.kinds.encodings import as_compiled
from grader.kinds.sources import plain_files

_MAX_BYTES, _MAX_TOTAL = 2**17, 2**18  # bytes of a further file that are read, and of all of them
_RECIPE = re.compile(r"[Mm]akefile|GNUmakefile|CMakeLists\.txt|build\.xml|.*\.(?:mk|make|cmake|sh|bat)")
_LOADED: Mapping[str, tuple[str, ...]] = {
    "python": (".pyc", ".pyo", ".so", ".pyd"),
    "java": (".class", ".jar", ".jmod", ".so"),
    "c": (".o", ".a", ".so", ".obj", ".lib", ".s", ".S", ".asm", ".i", ".ii", ".gch", ".pch", ".bc", ".ll"),
}
_MACHINE_CODE = (b"\x7fELF", b"!<arch>\n")
_LOADS: Mapping[str, bytes] = {
    "python": rb"\b(?:importlib|__import__|runpy|zipimport|marshal|ctypes|cffi|pkgutil|imp|__path__)\b"
    rb"|\bsys\s*\.\s*(?:path|meta_path)",
    "java": rb"\b(?:forName|\w*ClassLoader|loadClass|defineClass|ServiceLoader|loadLibrary|ProcessBuilder)\b",
    "c": rb"\b(?:dlopen|dlmopen)\b",
}
"""by which a program loads what it does not name"""
_RUNS_TEXT = re.compile(
    rb"(?<!re\.)\b(?:exec|eval|compile|execfile|runpy|importlib|imp|SourceFileLoader|subprocess|system|popen|InteractiveInterpreter)\b"
)
_NAMING_LINE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import|include_next|define|embed)\b.*$", re.MULTILINE)
_COPYING_LINE = re.compile(rb"^.*\b(?:cp|mv|install|ln|cat|dd|objcopy|tar|unzip|base64|xxd)\b.*$", re.MULTILINE)


Further = tuple[dict[str, bytes], list[str], str]


def find_further(folder: Path, language: str, read: Mapping[str, bytes], build: Build, commands: bytes) -> Further:
    """Return what in `folder` a program may load, beside what was `read`; the commands build and start it.

    That is: texts that are read as sources are; those of them that are read only where they are sources without an
    error, since nobody names them; and which files cannot be read, in a sentence.
    """
    family = "c" if language == "cpp" else language
    known = {*read, *build.files, *(module_name(name) for name in read if is_notebook(name))}
    paths = {name: path for name, path in plain_files(folder).items() if name not in known}
    texts = {name: _start_of(path) for name, path in paths.items()}
    scripts = [texts.pop(name) for name in paths if _RECIPE.fullmatch(PurePosixPath(name).name)]
    recipes = b"\n".join([commands, *scripts])
    sources = b"\n".join(as_compiled(language, data) for data in read.values())
    unread = [
        name
        for name, path in paths.items()
        if name.endswith(".class") or not any(fnmatchcase(name, glob) for glob in build.produces)
        if f"{name.rpartition('.')[0]}.py" not in read
        if _is_loadable(name, path, family) and _is_loaded(name, family, sources, recipes)
    ]
    if unread:
        named = listed([quote(name) for name in unread], most=3)
        return {}, [], f"Your program can load {named}, which cannot be read; hand in the source instead."
    if family == "java" or (family == "python" and not _RUNS_TEXT.search(sources)):
        return {}, [], ""
    lines = sources if family == "python" else b"\n".join((*_NAMING_LINE.findall(sources), recipes))
    return _texts_in(texts, lines, is_python=family == "python")


def _texts_in(texts: dict[str, bytes], named: bytes, *, is_python: bool) -> Further:
    """Return the texts that the program includes, or may run if it runs texts."""
    included, budget = dict[str, bytes](), _MAX_TOTAL
    while more := [name for name in texts if is_python or _is_in(PurePosixPath(name).name, named)]:
        for name in more:
            text = texts.pop(name)
            if b"\0" not in text and len(text) <= budget:
                included[name], budget = text, budget - len(text)
                if not is_python:  # it may include others
                    named += b"\n".join((b"", *_NAMING_LINE.findall(as_compiled("c", text))))
    return included, [name for name in included if not _is_in(PurePosixPath(name).name, named)], ""


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_BYTES)


def _is_loadable(name: str, path: Path, family: str) -> bool:
    """Whether a program, or what builds it, can load a file that is no text of its language."""
    if name.endswith(_LOADED[family]) or _start_of(path).startswith(_MACHINE_CODE):
        return True
    # Python imports modules from the directory of a zip, which may begin with other bytes.
    data = path.read_bytes() if family == "python" else b""
    place = data.find(b"PK\x01\x02")
    return place >= 0 and b"PK\x05\x06" in data and re.search(rb"\.(?:py|so)", data[place:]) is not None


def _is_loaded(name: str, family: str, sources: bytes, recipes: bytes) -> bool:
    """Whether anything may load a file: something names it, its module or class, or names are computed."""
    path = PurePosixPath(name)
    stem = path.name[:1] + path.name[1:].partition(".")[0].partition("$")[0]  # of a hidden file not the empty text
    declared = rb"\b(?:class|interface|enum|record)\s+" + re.escape(fsencode(stem)) + rb"\b"
    if path.suffix == ".class" and re.search(declared, sources):
        return False  # it is what the build made of the source
    if not name.endswith(_LOADED[family]):  # such as a program, which a recipe may also make
        recipes = b"\n".join(_COPYING_LINE.findall(recipes))
    everything = sources + b"\n" + recipes
    wildcard = rb"[*%]" + re.escape(fsencode(path.suffix) or b"*") + rb"(?!\w)"
    return bool(
        path.suffix in (".gch", ".pch")  # which take the place of a header without being named
        or re.search(_LOADS[family], sources)
        or _is_in(path.name, everything)
        or _is_in(stem, recipes if family == "c" else everything)
        or re.search(wildcard, recipes)
        or (stem.startswith("lib") and fsencode(f"-l{stem[3:]}") in recipes)
    )


def _is_in(name: str, text: bytes) -> bool:
    """Whether a name stands in a text, and not as a part of a longer one."""
    return re.search(rb"(?<!\w)" + re.escape(fsencode(name)) + rb"(?!\w)", text) is not None
