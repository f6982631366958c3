"""What a program can load and rules on the source cannot read; and texts that C includes, which can be read, too.

A forbidden call in `helper.pyc`, in an object file, or in a text that is included, is still made. Files that nothing
loads are harmless, whatever they are: data, pictures, documents, what an editor leaves behind.
"""

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from msgspec import Struct

from grader.core.notebook.linear import is_notebook, module_name
from grader.core.text import listed, quote
from grader.kinds.encodings import as_compiled

_MAX_BYTES, _MAX_TOTAL = 2**17, 2**18
"""bytes of a further file that are read, and of all of them"""
_RECIPES = re.compile(r"[Mm]akefile|GNUmakefile|.*\.(?:mk|make|cmake|sh|bat)|CMakeLists\.txt|build\.xml")
_LOADED: Mapping[str, tuple[str, ...]] = {
    "python": (".pyc", ".pyo", ".so", ".pyd"),
    "java": (".class", ".jar", ".jmod", ".so"),
    "c": (".o", ".a", ".so", ".obj", ".lib", ".s", ".S", ".asm", ".i", ".ii", ".bc", ".ll"),
}
_LOADS: Mapping[str, bytes] = {
    "python": rb"\b(?:importlib|__import__|runpy|zipimport|marshal|ctypes|cffi|pkgutil|imp|__path__)\b"
    rb"|\bsys\s*\.\s*(?:path|meta_path)",
    "java": rb"\b(?:forName|\w*ClassLoader|loadClass|defineClass|ServiceLoader|loadLibrary|ProcessBuilder)\b",
    "c": rb"\b(?:dlopen|dlmopen)\b",
}
"""by which a program loads what it does not name"""
_NAMING_LINE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import|include_next|define|embed)\b.*$", re.MULTILINE)


class Further(Struct, frozen=True, kw_only=True):
    """Files beside the sources of a submission that its program may load."""

    texts: Mapping[str, bytes] = {}
    """those that are read as sources are"""
    refused: str = ""
    """which cannot be read, in a sentence; empty when there is none"""


class BuildContext(Struct, frozen=True, kw_only=True):
    """What a course adds to the files of a submission, and makes of them."""

    files: Collection[str] = ()
    """the course's own, which nobody reads"""
    produced: Collection[str] = ()
    """names or globs of what the build makes"""
    commands: str = ""
    """the commands that build and start the program"""


def find_further(folder: Path, language: str, read: Mapping[str, bytes], around: BuildContext) -> Further:
    """Return the files in `folder` that a program may load, beside those that were `read`."""
    family = "c" if language == "cpp" else language
    known = {*read, *around.files, *(module_name(name) for name in read if is_notebook(name))}
    plain = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    others = {name: path for path in plain if (name := path.relative_to(folder).as_posix()) not in known}
    scripts = [name for name in others if _RECIPES.fullmatch(PurePosixPath(name).name)]
    recipes = b"\n".join(
        [around.commands.encode("utf-8", "replace"), *(_start_of(others.pop(name)) for name in scripts)]
    )
    sources = b"\n".join(as_compiled(language, data) for data in read.values())
    unread = [
        name
        for name in others
        if name.endswith(_LOADED[family]) and f"{name.rpartition('.')[0]}.py" not in read
        if name.endswith(".class") or not any(fnmatchcase(name, one) for one in around.produced)
        if _is_loaded(name, family, sources, recipes)
    ]
    if unread:
        named = listed([quote(name) for name in unread], most=3)
        return Further(refused=f"Your program can load {named}, which cannot be read; hand in the source instead.")
    if family != "c":
        return Further()
    return Further(texts=_included(others, b"\n".join((*_NAMING_LINE.findall(sources), recipes))))


def _included(others: Mapping[str, Path], named: bytes) -> dict[str, bytes]:
    """Return the texts that lines of C name, and those that these name in turn."""
    found: dict[str, bytes] = {}
    pending = list(others)
    while name := next((one for one in pending if _is_in(PurePosixPath(one).name, named)), ""):
        pending.remove(name)
        text = _start_of(others[name])
        if b"\0" not in text and sum(map(len, found.values())) + len(text) <= _MAX_TOTAL:
            found[name] = text
            named += b"\n" + b"\n".join(_NAMING_LINE.findall(as_compiled("c", text)))
    return found


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_BYTES)


def _is_loaded(name: str, family: str, sources: bytes, recipes: bytes) -> bool:
    """Whether anything may load a file: it is named, by itself or as a module or class, or names are made up."""
    path = PurePosixPath(name)
    stem = path.name[:1] + path.name[1:].partition(".")[0].partition("$")[0]  # of a hidden file not the empty text
    if path.suffix == ".class" and re.search(
        rb"\b(?:class|interface|enum|record)\s+%b\b" % re.escape(stem).encode(), sources
    ):
        return False  # it is what the build made of the source
    stems = recipes if family == "c" else sources + b"\n" + recipes
    wildcard = rb"[*%]" + re.escape(path.suffix.encode()) + rb"(?!\w)"
    return bool(
        re.search(_LOADS[family], sources)
        or _is_in(path.name, sources + b"\n" + recipes)
        or _is_in(stem, stems)
        or (stem.startswith("lib") and f"-l{stem[3:]}".encode() in recipes)
        or re.search(wildcard, recipes)
    )


def _is_in(name: str, text: bytes) -> bool:
    """Whether a name stands in a text, and not as a part of a longer one."""
    return re.search(rb"(?<!\w)%b(?!\w)" % re.escape(name.encode("utf-8", "surrogateescape")), text) is not None
