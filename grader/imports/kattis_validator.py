"""The output validator of a problem package, as a program of the course, which uses the same protocol.

It is given the input, the answer and a folder for its feedback, and ends with 42 or 43.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from grader.core.course_programs import BUILD_SCRIPT
from grader.core.errors import UsageError
from grader.core.model.programs import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.imports.kattis_package import Files, Package, as_mapping, as_number, as_words

_FOLDERS = ("output_validator/", "output_validators/")
_OTHER_ENDINGS = {".cxx": ".cpp", ".c++": ".cpp", ".py3": ".py"}
_MAIN = re.compile(rb"\bmain\s*\(|__main__")
_START = "start.sh"
_FIRST_LINE = re.compile(rb"#![ \t]*(?:/usr)?/bin/(?:env[ \t]+)?(sh|bash|python3)[ \t]*\r?\n")
_STOCK_HEADER = "validate.h"
_SCORE_FILE = re.compile(rb"\bscore(?:_multiplier)?\.txt\b")
VALIDATION = {
    "validation_time": (("time", "cpu"), "s"),
    "validation_memory": (("memory",), "MiB"),
    "validation_output": (("output",), "MiB"),
    "validation_passes": ((), ""),
}
"""limits of the package that are the validator's -> what they are here, and their unit"""
_PASSES = 2
"""where the package does not say how many there may be"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A validator in the course's folder."""

    program: str
    files: Mapping[str, bytes]
    """by the path below the course root"""
    passes: int = 1
    limits: Mapping[str, str] = field(default_factory=dict)
    """what the package lets it use, as a spec says it"""


def find_interactor(package: Package, folder: str) -> Judge | None:
    """Return the interactive validator, if there is one; UsageError when it cannot be converted."""
    if "interactive" not in package.interaction:
        return None
    return find_validator(package, folder)


def find_validator(package: Package, folder: str) -> Judge | None:
    """Return the package's own validator, as files for a folder of the course.

    None when it is more than one program; UsageError for that when it decides the input of programs.
    """
    kind = package.interaction
    files = _files_of(package)
    found = single_program(files)
    if found is None:
        if kind:
            problem = "its validator is no single program in Python, a shell, Java, C or C++"
            raise UsageError(f"{package.path}: it is {kind}, and {problem}")
        return None
    main, placed = found
    where = f"{folder}/validator"
    files = {f"{where}/{name}": text for name, text in placed.items()}
    passes = as_number(as_mapping(package.problem.get("limits")).get("validation_passes", _PASSES))
    times = int(passes or _PASSES) if "multi-pass" in kind else 1
    asked = as_mapping(package.problem.get("limits"))
    limits = {
        ours: f"{asked[key]} {unit}" for key, (all_of, unit) in VALIDATION.items() if key in asked for ours in all_of
    }
    return Judge(program=f"{where}/{main}", files=files, passes=times, limits=limits)


def single_program(files: Files) -> tuple[str, Files] | None:
    """Return the main file among those of a program of the course, and all with endings that are known here.

    None where it is not known which it is.
    """
    known = {*INTERACTOR_STARTS, *INTERACTOR_COMPILED}
    placed: dict[str, bytes] = {}
    for name, content in files.items():
        ending = PurePosixPath(name).suffix
        placed[name.removesuffix(ending) + _OTHER_ENDINGS.get(ending, ending)] = content
    if not {"run", BUILD_SCRIPT}.isdisjoint(placed):
        return _with_start(placed)
    sources = [name for name in placed if PurePosixPath(name).suffix in known and "/" not in name]
    mains = sources if len(sources) == 1 else [name for name in sources if _MAIN.search(placed[name])]
    return (mains[0], placed) if len(mains) == 1 else None


def _with_start(files: Files) -> tuple[str, Files] | None:
    """Return a program that starts `run`, which is a script, or is made by the script `build`; None for another file.

    A script is started by the interpreter in its first line.
    """
    found = _FIRST_LINE.match(files.get("run", b""))
    is_built = files.get(BUILD_SCRIPT, b"").startswith(b"#!")
    if _START in files or not (found or is_built):
        return None
    start = b'exec "${0%/*}/run" "$@"\n' if is_built or not found else b'exec %s "${0%%/*}/run" "$@"\n' % found[1]
    return _START, {**files, _START: start}


def score_files(package: Package) -> Sequence[str]:
    """Return the names of the files in which the validator reports points, as far as its source names them.

    In the older form it may report them only where `validation` says `score`. The header `validate.h` that comes with
    many packages names the file whether or not its function for it is called.
    """
    if not (package.has_validator or package.interaction):
        return ()
    if package.is_legacy and "score" not in as_words(package.problem.get("validation")):
        return ()
    sources = _files_of(package)
    headers = b"\n".join(content for name, content in sources.items() if PurePosixPath(name).name == _STOCK_HEADER)
    others = b"\n".join(content for name, content in sources.items() if PurePosixPath(name).name != _STOCK_HEADER)
    is_called = any(re.search(rb"\b%s\s*\(" % one, others) for one in _functions_for_scores(headers))
    named = {*_SCORE_FILE.findall(others), *(_SCORE_FILE.findall(headers) if is_called else ())}
    return sorted(found.decode() for found in named)


def _functions_for_scores(header: bytes) -> Sequence[bytes]:
    """Return the functions of a header with `score` in their names."""
    return sorted(set(re.findall(rb"\b(\w*score\w*)\s*\(", header)))


def _files_of(package: Package) -> Files:
    """Return the files of the validator; it may be in a folder of its own below the folder of validators."""
    files: Files = next((found for folder in _FOLDERS if (found := package.below(folder))), {})
    tops = {name.partition("/")[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return {name.partition("/")[2]: content for name, content in files.items()}
    return files
