"""Problem packages (Kattis, DOMjudge, ICPC) -> a spec.

Both forms of the format are read, `legacy` and the one with `test_group.yaml`. Samples become a test that students see,
secret data hidden ones. What the default output validator compares is carried over, with its arguments. A validator of
the package's own is a program that nobody here can speak for: what it judges is ungraded until the instructor has
written it as a check.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.imports.imported import Imported, identifier, text_or_word
from grader.imports.kattis_groups import read_groups
from grader.imports.kattis_package import Package, mapping, read_package, words
from grader.imports.kattis_programs import Programs, read_programs, samples
from grader.imports.kattis_tests import to_tests
from grader.yaml.nodes import Node
from grader.yaml.writing import listing, plain, table

_BEYOND = ("interactive", "multi-pass", "submit-answer")
_LEFT = {
    "problem_statement/": "the statement: write what students need under `about`",
    "statement/": "the statement: write what students need under `about`",
    "input_validators/": "the input validators",
    "input_format_validators/": "the input validators",
    "include/": "the code that is added to every submission (include/): hand it out",
    "attachments/": "the attachments: hand them out",
    "static_validator/": "the static validator: nothing looks at the source files",
    "graders/": "the grader of its own",
    "generators/": "the generators: what they made is carried over",
    "solution/": "the description of the solution",
}
_SIZES = ("memory", "output")
_TIMES = ("time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution")
_BUILDING = {"compilation_time": ("time", "s"), "compilation_memory": ("memory", "MiB")}


def import_kattis(path: Path, name: str | None = None) -> Imported:
    """Make a spec of the problem package in a folder; `name` is its id, else that of the folder.

    Raises UsageError for what is no such package, or one that no spec can express; SpecError for YAML with mistakes.
    """
    package = read_package(path)
    kind = {*words(package.problem.get("type")), *words(package.problem.get("validation"))}
    if beyond := kind.intersection(_BEYOND):
        raise UsageError(f"{package.path}: no spec can express a problem that is {' and '.join(sorted(beyond))}")
    found = identifier(name, package.name)
    notes: list[str] = []
    groups = read_groups(package, notes)
    programs = read_programs(package, notes)
    tests, files = to_tests(package, groups, found)
    reference = {f"reference/{found}/{inner}": content for inner, content in (programs.reference or {}).items()}
    handed_in = samples(programs, groups, found, notes, has_points=package.is_scoring)
    notes += _left(package, programs)
    return Imported(
        id=found,
        spec={**_head(package, found), **_how(package, programs, found, notes), "tests": tests},
        files={**files, **reference, **handed_in},
        origin=f"the problem package {package.name}",
        notes=notes,
    )


def _head(package: Package, name: str) -> dict[str, Node]:
    """Return what the assignment is and where it comes from."""
    keys: dict[str, Node] = {"spec": plain("1"), "id": plain(name), "title": text_or_word(_title(package, name))}
    problem = package.problem
    parts = [*_names(problem.get("source")), *_names(problem.get("author") or mapping(problem.get("credits")))]
    owners = _names(problem.get("rights_owner"))
    if problem.get("license", "unknown") != "unknown":
        parts.append(" ".join([f"license {problem['license']}", *owners]))
    if parts:
        keys["source"] = text_or_word(", ".join(parts))
    return keys


def _title(package: Package, name: str) -> str:
    """Return the problem's name, in English if there is one; a LaTeX statement may say it too."""
    told = package.problem.get("name")
    title = mapping(told).get("en") or next(iter(mapping(told).values()), "") if isinstance(told, dict) else told
    if title:
        return str(title)
    for path, content in sorted(package.files.items()):
        match = re.search(rb"\\problemname\{([^{}\\$]+)\}", content) if path.endswith(".tex") else None
        if match:
            return match[1].decode(errors="replace").strip()
    return name


def _names(value: Any) -> list[str]:
    """Return the names in what the format allows for people and sources: a text, a mapping, or a list of them."""
    if isinstance(value, dict):
        return _names(value["name"]) if "name" in value else _names(value.get("authors"))
    if isinstance(value, list):
        return [name for item in value for name in _names(item)]
    return [str(value)] if value else []


def _how(package: Package, programs: Programs, name: str, notes: list[str]) -> dict[str, Node]:
    """Return how programs are built, started and limited."""
    language = programs.language
    limits = mapping(package.problem.get("limits"))
    keys: dict[str, Node] = {
        "language": plain(language.name),
        "files": table({"required": listing([text_or_word(language.main)])}),
    }
    if language.build:
        build = {"run": text_or_word(language.build), "produces": listing(map(text_or_word, language.produces))}
        asked = {ours: f"{limits[key]} {unit}" for key, (ours, unit) in _BUILDING.items() if key in limits}
        if asked:
            build["limits"] = table({key: plain(value) for key, value in asked.items()})
        keys["build"] = table(build)
    keys["program"] = text_or_word(language.program)
    if programs.reference:
        keys["reference"] = text_or_word(f"python3 reference/{name}/{language.main}")
    else:
        notes.append("Reference: there is no accepted program in Python, so the answers of the package stand alone.")
    if found := _limits(package, limits, notes):
        keys["limits"] = table({key: plain(value) for key, value in found.items()})
    return keys


def _limits(package: Package, limits: Any, notes: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    seconds = limits.get("time_limit") or package.files.get(".timelimit", b"").decode(errors="replace").strip()
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", str(seconds)) and float(seconds):
        found["time"] = f"{seconds} s"
    else:
        notes.append("Time limit: the judge derives it from the accepted programs; here it is that of the language.")
    found.update({key: f"{limits[key]} MiB" for key in _SIZES if key in limits})
    others = [key for key in limits if key not in {*_SIZES, *_TIMES, *_BUILDING}]
    if others:
        notes.append(f"Limits that have no counterpart: {', '.join(map(str, others))}.")
    return found


def _left(package: Package, programs: Programs) -> Iterator[str]:
    """Say what else is in the package and not in the spec."""
    if package.has_validator:
        yield "The output validator: its cases are ungraded until validator.py beside the inputs does what it does."
    told = {text for folder, text in _LEFT.items() if package.below(folder)}
    yield from (f"Left out: {text}." for text in sorted(told))
    if package.links:
        yield f"Links are not followed: {', '.join(sorted(package.links)[:5])}."
    if mapping(package.problem.get("grading")).get("objective") == "min":
        yield "Scores: the fewest are the best there; here the most are."
    if package.problem.get("languages", "all") != "all":
        yield f"The problem takes these languages only: {', '.join(words(package.problem['languages']))}."
    if programs.language.build:
        yield "Options of the compiler: they are ours; see `build`."
