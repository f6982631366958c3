"""What a program can load and rules on the source cannot read; and files with other endings that can be read, too.

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
_BUILD_FILES = (
    "[Mm]akefile",
    "GNUmakefile",
    "*.mk",
    "*.make",
    "*.cmake",
    "CMakeLists.txt",
    "*.sh",
    "*.bat",
    "build.xml",
)
_LOADED: Mapping[str, tuple[str, ...]] = {
    "python": (".pyc", ".pyo", ".so", ".pyd"),
    "java": (".class", ".jar", ".jmod", ".so"),
    "c": (".o", ".a", ".so", ".obj", ".lib", ".s", ".S", ".asm", ".i", ".ii", ".gch", ".pch", ".bc", ".ll"),
}
_HEADERS_MADE = (".gch", ".pch")
"""which take the place of a header without being named"""
_BY_MAGIC: Mapping[bytes, str] = {b"\x7fELF": "machine code", b"!<arch>\n": "an archive of machine code"}
_LOADS: Mapping[str, str] = {
    "python": r"\b(?:importlib|__import__|runpy|zipimport|marshal|ctypes|cffi|pkgutil|imp|__path__)\b"
    r"|\bsys\s*\.\s*(?:path|meta_path)",
    "java": r"\b(?:forName|\w*ClassLoader|loadClass|defineClass|ServiceLoader|loadLibrary|ProcessBuilder)\b",
    "c": r"\b(?:dlopen|dlmopen)\b",
}
"""by which a program loads what it does not name"""
_RUNS_TEXT = re.compile(
    rb"(?<!re\.)\b(?:exec|eval|compile|execfile|runpy|importlib|imp|SourceFileLoader|subprocess|system|popen|InteractiveInterpreter)\b"
)
_NAMING_LINE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import|include_next|define|embed)\b.*$", re.MULTILINE)
_COPYING_LINE = re.compile(rb"^.*\b(?:cp|mv|install|ln|cat|dd|objcopy|tar|unzip|base64|xxd)\b.*$", re.MULTILINE)
_DECLARED = r"\b(?:class|interface|enum|record)\s+{}\b"


class Further(Struct, frozen=True, kw_only=True):
    """Files beside the sources of a submission that its program may load."""

    texts: Mapping[str, bytes] = {}
    """those that are read as sources are"""
    if_whole: frozenset[str] = frozenset()
    """those of them that are read only where they are sources without an error: nobody names them"""
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
    made = {module_name(name) for name in read if is_notebook(name)}
    others = {
        name: path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
        if (name := path.relative_to(folder).as_posix()) not in read and name not in around.files and name not in made
    }
    scripts = [_start_of(path) for name, path in others.items() if _is_recipe(name)]
    recipes = b"\n".join([around.commands.encode("utf-8", "replace"), *scripts])
    sources = b"\n".join(as_compiled(language, data) for data in read.values())
    unread = [
        name
        for name, path in others.items()
        if name.endswith(".class") or not any(fnmatchcase(name, one) for one in around.produced)
        if f"{name.rpartition('.')[0]}.py" not in read
        if _is_loadable(name, path, family) and _is_loaded(name, family, sources, recipes)
    ]
    if unread:
        named = listed([quote(name) for name in unread], most=3)
        return Further(refused=f"Your program can load {named}, which cannot be read; hand in the source instead.")
    texts = {name: _start_of(path) for name, path in others.items() if not _is_recipe(name)}
    lines = sources if family == "python" else b"\n".join((*_NAMING_LINE.findall(sources), recipes))
    return _texts_in(texts, family, lines, runs_text=bool(_RUNS_TEXT.search(sources)))


def _texts_in(texts: Mapping[str, bytes], family: str, named: bytes, *, runs_text: bool) -> Further:
    """Return those of the texts that are included, or that a program which runs texts may run."""
    if family == "java" or (family == "python" and not runs_text):
        return Further()
    found: dict[str, bytes] = {}
    if_whole, left, more = set[str](), _MAX_TOTAL, True
    while more:
        more = False
        for name, text in texts.items():
            is_named = _is_in(PurePosixPath(name).name, named)
            if name in found or b"\0" in text or len(text) > left or not (is_named or family == "python"):
                continue
            found[name] = text
            left -= len(text)
            if is_named and family == "c":  # which may include others
                named += b"\n" + b"\n".join(_NAMING_LINE.findall(as_compiled("c", text)))
                more = True
            elif not is_named:
                if_whole.add(name)
    return Further(texts=found, if_whole=frozenset(if_whole))


def _is_recipe(name: str) -> bool:
    return any(fnmatchcase(PurePosixPath(name).name, pattern) for pattern in _BUILD_FILES)


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MAX_BYTES)


def _is_loadable(name: str, path: Path, family: str) -> bool:
    """Whether a program, or what builds it, can load a file that is no text of its language."""
    if name.endswith(_LOADED[family]):
        return True
    with path.open("rb") as file:
        head = file.read(8)
    if any(head.startswith(magic) for magic in _BY_MAGIC):
        return True
    return family == "python" and _is_archive_of_python(path.read_bytes())


def _is_archive_of_python(data: bytes) -> bool:
    """Whether Python could import from a file: a zip, whatever is in front of it, with modules in its directory."""
    place = data.find(b"PK\x01\x02")
    return place >= 0 and b"PK\x05\x06" in data and re.search(rb"\.(?:py|so)", data[place:]) is not None


def _is_loaded(name: str, family: str, sources: bytes, recipes: bytes) -> bool:
    """Whether anything may load a file: it is named, by itself or as a module or class, or names are made up."""
    path = PurePosixPath(name)
    stem = path.name[:1] + path.name[1:].partition(".")[0].partition("$")[0]  # of a hidden file not the empty text
    if path.suffix == ".class" and re.search(_DECLARED.format(re.escape(stem)).encode(), sources):
        return False  # it is what the build made of the source
    if not name.endswith(_LOADED[family]):  # such as a program, which a recipe may also make
        recipes = b"\n".join(_COPYING_LINE.findall(recipes))
    if path.suffix in _HEADERS_MADE or re.search(_LOADS[family].encode(), sources) or _is_in(path.name, sources):
        return True
    stems = recipes if family == "c" else sources + b"\n" + recipes
    wildcard = rb"[*%]" + re.escape(path.suffix.encode() or b"*") + rb"(?!\w)"
    is_library = stem.startswith("lib") and f"-l{stem[3:]}".encode() in recipes
    return is_library or _is_in(stem, stems) or _is_in(path.name, recipes) or bool(re.search(wildcard, recipes))


def _is_in(name: str, text: bytes) -> bool:
    """Whether a name stands in a text, and not as a part of a longer one."""
    return (
        re.search(rb"(?<![\w])" + re.escape(name.encode("utf-8", "surrogateescape")) + rb"(?![\w])", text) is not None
    )
