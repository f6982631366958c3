"""The output validator and the grader of a problem package, as programs of the course, which use the same protocol.

A validator is given the input, the answer and a folder for its feedback, and ends with 42 or 43.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.core.course_programs import BUILD_SCRIPT
from grader.core.errors import UsageError
from grader.core.model.programs import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.text import listed
from grader.imports import default_grader
from grader.imports.kattis_package import Files, Package, as_mapping, as_number, as_words

_VALIDATORS, _GRADERS = ("output_validator/", "output_validators/"), ("graders/",)
_OTHER_ENDINGS = {".cxx": ".cpp", ".c++": ".cpp", ".py3": ".py"}
_MAIN = re.compile(rb"\bmain\s*\(|__main__")
_START = "start.sh"
_FIRST_LINE = re.compile(rb"#![ \t]*(?:/usr)?/bin/(?:env[ \t]+)?(sh|bash|python3)[ \t]*\r?\n")
_STOCK_HEADER = "validate.h"
_SCORE_FILE = re.compile(rb"\bscore(?:_multiplier)?\.txt\b")
_NOT_SINGLE = "is no single program in Python, a shell, Java, C or C++"
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
class CourseProgram:
    """A validator or a grader in the course's folder."""

    program: str
    files: Files
    """by the path below the course root"""
    passes: int = 1
    limits: Mapping[str, str] = field(default_factory=dict)
    """what the package lets it use, as a spec says it"""


def find_validator(package: Package, folder: str) -> CourseProgram | None:
    """Return the package's own validator, as files for a folder of the course.

    None when it is more than one program; UsageError for that when it decides the input of programs.
    """
    files = _files_in(package, _VALIDATORS)
    found = _placed(files, f"{folder}/validator")
    if found is None:
        if package.interaction:
            raise UsageError(f"{package.path}: it is {package.interaction}, and its validator {_NOT_SINGLE}")
        return None
    asked = as_mapping(package.problem.get("limits"))
    passes = as_number(asked.get("validation_passes", _PASSES))
    limits = {
        ours: f"{asked[key]} {unit}" for key, (all_of, unit) in VALIDATION.items() if key in asked for ours in all_of
    }
    times = int(passes or _PASSES) if "multi-pass" in package.interaction else 1
    return CourseProgram(program=found[0], files=found[1], passes=times, limits=limits)


def find_grader(package: Package, grading: str, folder: str) -> CourseProgram:
    """Return the program that `grading` names; UsageError when the package does not have it."""
    if grading == "default":
        place = f"{folder}/default-grader/default_grader.py"
        return CourseProgram(program=place, files={place: Path(default_grader.__file__).read_bytes()})
    files = _files_in(package, _GRADERS)
    if not files:
        raise UsageError(f"{package.path}: grading: custom needs a program in graders/, which is not there")
    found = _placed(files, f"{folder}/grader")
    if found is None:
        raise UsageError(f"{package.path}: its grader {_NOT_SINGLE}: {listed(sorted(files), most=3)}")
    return CourseProgram(program=found[0], files=found[1])


def _files_in(package: Package, folders: tuple[str, ...]) -> Files:
    """Return the files of a program of the package; it may be in a folder of its own below the one for its kind."""
    files: Files = next((found for folder in folders if (found := package.below(folder))), {})
    tops = {name.partition("/")[0] for name in files}
    if len(tops) == 1 and all("/" in name for name in files):
        return {name.partition("/")[2]: content for name, content in files.items()}
    return files


def _placed(files: Files, folder: str) -> tuple[str, Files] | None:
    """Return the main file of a program, and all its files with endings that are known here, in a folder.

    None where it is not known which it is.
    """
    placed: dict[str, bytes] = {}
    for name, content in files.items():
        ending = PurePosixPath(name).suffix
        placed[name.removesuffix(ending) + _OTHER_ENDINGS.get(ending, ending)] = content
    if not {"run", BUILD_SCRIPT}.isdisjoint(placed):
        # `start.sh` starts `run`, which is a script, or is made by the script `build`.
        script = _FIRST_LINE.match(placed.get("run", b""))
        is_built = placed.get(BUILD_SCRIPT, b"").startswith(b"#!")
        mains = [] if _START in placed or not (script or is_built) else [_START]
        by = b"" if is_built or not script else script[1] + b" "
        placed[_START] = b'exec %s"${0%%/*}/run" "$@"\n' % by
    else:
        known = {*INTERACTOR_STARTS, *INTERACTOR_COMPILED}
        mains = [name for name in placed if PurePosixPath(name).suffix in known and "/" not in name]
        mains = mains if len(mains) == 1 else [name for name in mains if _MAIN.search(placed[name])]
    return (f"{folder}/{mains[0]}", {f"{folder}/{name}": placed[name] for name in placed}) if len(mains) == 1 else None


def score_files(package: Package) -> list[str]:
    """Return the names of the files in which the validator reports points, as far as its source names them.

    In the older form it may report them only where `validation` says `score`. The header `validate.h` that comes with
    many packages names the file whether or not its function for it is called.
    """
    if not (package.has_validator or package.interaction):
        return []
    if package.is_legacy and "score" not in as_words(package.problem.get("validation")):
        return []
    header, others = b"", b""
    for name, content in _files_in(package, _VALIDATORS).items():
        if PurePosixPath(name).name == _STOCK_HEADER:
            header += content + b"\n"
        else:
            others += content + b"\n"
    functions = set(re.findall(rb"\b(\w*score\w*)\s*\(", header))
    is_called = any(re.search(rb"\b%s\s*\(" % one, others) for one in functions)
    return sorted({found.decode() for found in _SCORE_FILE.findall(others + (header if is_called else b""))})
