"""What a test of GitHub Classroom finds beside it: the course's files that it reads, and what earlier tests left.

There all tests run in one folder, one after the other. Here each case starts in a new one, so the earlier lines whose
files a test names are run once more before it.
"""

import ast
import math
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.core.yaml.nodes import Node, Scalar, entries_of, items_of
from grader.core.yaml.writing import listing, table
from grader.imports import text_or_word
from grader.imports.classroom_files import ClassroomTest
from grader.imports.classroom_lines import compiles, joined_commands, named_test_files
from grader.imports.command_lines import first_word

_REDIRECTED = re.compile(r"(?<![\d&<-])>>?\s*(?!/dev/|&)(?:\./)?([\w./-]+)|\btee\s+(?:-a\s+)?(?:\./)?([\w./-]+)")
_FILE = re.compile(
    r"(?<![\w./:@-])(?:\./)?((?:[\w+-][\w.+-]*/)*[\w+-][\w+-]*(?:\.[\w+-]+)*\.[A-Za-z]\w{0,4})(?![\w/(])"
)
_BESIDE_TESTS = re.compile(r"(?:^|/)(?:\.?tests?|\.github|\.grader|grading|autograder|data|inputs?|expected|fixtures)/")
_NO_DATA = re.compile(r"(?:^|/)(?:__pycache__|workflows)/|(?:^|/)autograding\.json$")
_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hpp|go|rs|java|kt|hs|py|js|mjs|ts|rb|php|cs|swift|scala)$")
_MAX_FILES, _MAX_SOURCES, _MAX_REPAIRS = 100, 30, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRun:
    """A line of an earlier test, as it is run once more."""

    command: str
    compiles: bool
    writes: Collection[str]


def course_files_of(line: str, repository: Mapping[str, bytes]) -> Sequence[str]:
    """Return the course's files that a line reads: those it names, and all beside the tests where make or a script may.

    What a Makefile or a script of the course reads is known only when it runs.
    """
    named = list(named_test_files(line, repository)[0])
    started = {first_word(part) for part in joined_commands(line)}
    settings = [name for name in build_settings(repository) if started & {"make", "cmake"}]
    runs_make = bool(settings)
    if not runs_make and not any(re.search(r"\.(?:sh|py|bats|exp)$", name) for name in named):
        return named
    beside = [name for name in repository if _BESIDE_TESTS.search(name) and not _NO_DATA.search(name)]
    found = dict.fromkeys([*named, *settings, *(_compared_files(settings, repository)), *beside])
    return list(found)[:_MAX_FILES]


def build_settings(repository: Mapping[str, bytes]) -> Sequence[str]:
    """Return the files that say how make or CMake builds: those at the top, and those of folders for CMake."""
    names = [name for name in repository if name.rpartition("/")[2] in {"Makefile", "makefile", "CMakeLists.txt"}]
    return [name for name in names if "/" not in name or name.endswith("CMakeLists.txt")]


def _compared_files(settings: Sequence[str], repository: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files of the course to which the recipes of a Makefile compare something."""
    for line in (one for name in settings for one in repository[name].decode(errors="replace").splitlines()):
        yield from named_test_files(line, repository)[0] if re.search(r"\b(?:diff|cmp)\b", line) else ()


def with_earlier_runs(
    tests: Sequence[ClassroomTest], started: Collection[str], build: Sequence[str], repository: Mapping[str, bytes]
) -> Iterator[ClassroomTest]:
    """Run again for a test what earlier ones made: compilations for one that starts a program, and files that it names.

    `started` are the names of the tests that are lines for a shell.
    """
    earlier: dict[str, EarlierRun] = {}
    for test in tests:
        lines = [line for line in (test.setup, test.run) if line]
        own = {name for line in lines for name in _written(line)}
        if test.name in started and (again := list(_needed(test, earlier.values(), own, repository))):
            setup = " ; ".join([*(f"( {one.command} )" for one in again), test.setup or "true"])
            yield replace(test, setup=setup)
        else:
            yield test
        for line in lines if test.name in started else ():
            if joined_commands(line) != build:
                typed = f"printf %s {shlex.quote(test.input)} | " if test.input and line == test.run else ""
                command = f"{typed}( {line} )" if typed else line
                earlier[line] = EarlierRun(command=command, compiles=compiles(line), writes=_written(line))


def _needed(
    test: ClassroomTest, earlier: Collection[EarlierRun], own: Collection[str], repository: Mapping[str, bytes]
) -> Iterator[EarlierRun]:
    """Yield the earlier lines that made what a test uses; `own` are the files that it writes itself."""
    line = f"{test.setup}\n{test.run}"
    made = {name for one in earlier for name in one.writes} - set(own)
    named = made & set(re.findall(r"[\w./-]+", line.replace("./", "")))
    is_compiling = compiles(test.run)
    others = {name for name in _FILE.findall(line) if name not in {*repository, *made, *own}}
    # A file that nobody is known to write was written by the program of an earlier test, and a source is handed in.
    has_unknown_file = bool(repository) and not (is_compiling or all(map(_SOURCE.search, others)))
    starts_program = re.match(r"\./|java\s", test.run) and not (is_compiling or compiles(test.setup))
    for one in earlier:
        is_used = starts_program or named if one.compiles else named & set(one.writes)
        if is_used or has_unknown_file:
            yield one


def _written(line: str) -> Collection[str]:
    """Return the files to which a line redirects its output."""
    return {one or other for one, other in _REDIRECTED.findall(line)}


def parameter_sets(source: bytes) -> Mapping[str, int]:
    """Return how many tests pytest makes of each function of a file with parameters that are written out."""
    found: dict[str, int] = {}
    for node in ast.parse(source).body:
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                sizes = [
                    len(call.args[1].elts)
                    for call in one.decorator_list
                    if isinstance(call, ast.Call)
                    and ast.unparse(call.func).endswith("mark.parametrize")
                    and len(call.args) > 1
                    and isinstance(call.args[1], ast.List | ast.Tuple)
                ]
                if (size := math.prod(sizes)) > 1:
                    found[f"{owner}{one.name}"] = size
    return found


def name_folders(
    keys: dict[str, Node], given: Collection[str], made_there: Collection[str], repository: Mapping[str, bytes]
) -> None:
    """Name the sources in folders, by which work is found that is handed in without them; no folder that is made."""
    rules = entries_of(keys.get("files"))
    names = [node.text for node in items_of(rules.get("optional")) if isinstance(node, Scalar)]
    kept = [one for one in names if one.removesuffix("/*") not in made_there]
    if not rules.get("required"):
        kept += [
            one
            for one in repository
            if "/" in one and _SOURCE.search(one) and one not in given and not named_test_files(one, repository)[0]
        ][:_MAX_SOURCES]
    rules["optional"] = listing(map(text_or_word, dict.fromkeys(kept)))
    keys["files"] = table({word: node for word, node in rules.items() if word != "optional" or kept})
    if not kept and len(rules) == 1:
        del keys["files"]


def give_build_files(
    keys: dict[str, Node], repository: Mapping[str, bytes], place: Callable[[str], str], notes: list[str]
) -> None:
    """Put the course's Makefile and tests into the build; its headers where none are handed in."""
    if not (settings := build_settings(repository)):
        return
    tests = [one for one in repository if "/" not in one and named_test_files(one, repository)[0]]
    names = dict.fromkeys([*settings, *tests, *course_files_of("make", repository)])
    beside = {one: table({"file": text_or_word(place(one))}) for one in names}
    entries = {key.text: value for key, value in keys["build"].pairs}  # type: ignore[union-attr]
    keys["build"] = table({**entries, "with": table(beside)})
    notes.append(f"These are the course's, whatever is handed in: {', '.join(beside)}.")
    headers = [one for one in repository if one.endswith((".h", ".hpp")) and one not in names]
    rules = entries_of(keys.get("files"))
    if not headers or "required" in rules:
        return
    others = [node for node in items_of(rules.get("optional")) if isinstance(node, Scalar) and node.text not in headers]
    keys["files"] = table(
        {"required": listing(map(text_or_word, headers)), **({"optional": listing(others)} if others else {})}
    )
    groups = [headers, *([one] for one in headers if len(headers) > 1)]
    keys["repairs"] = listing(
        table(
            {
                "name": text_or_word("given-headers" if number == 0 else f"given-header-{number}"),
                "about": text_or_word(f"The course's {', '.join(group)} was taken, for none was handed in."),
                "when": table({"missing": listing(map(text_or_word, group))}),
                "with": table({one: table({"file": text_or_word(place(one))}) for one in group}),
            }
        )
        for number, group in enumerate(groups[:_MAX_REPAIRS])
    )
