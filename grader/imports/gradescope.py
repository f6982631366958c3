"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a draft.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.imports import Imported, identifier
from grader.imports.draft import Data, Draft, DraftSample, losses_where
from grader.imports.folder import read_tree
from grader.imports.gradescope_java import read_java_autograder
from grader.imports.gradescope_parts import Autograder, GradedMethod, GradingScript, read_grading_script
from grader.imports.python_values import UnreadError, constants_of, imported_names, parse_python, value_of
from grader.imports.shell_lines import to_words
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.python_text import makes_tests, python_methods

_MACHINERY = re.compile(
    r"(?:setup|apt|make_autograder)\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|.*\.(?:zip|md|lock|json)"
)
_WEIGHT = re.compile(
    rb"(?m)^(\s*@(?:.*\.)?(?:weight|partial_credit)\()([^\d\n].*?|\d.*?[^\d.\n].*?)(\)[ \t]*(?:#.*)?)$"
)
"""one that is no written number"""
_BUILD_FILE = re.compile(r"(?:^|/)(?:[Mm]akefile|CMakeLists\.txt)$")
_COMPILES = re.compile(
    r"(?:\[|\b(?:system|popen|Popen|run|call|check_call|check_output|getoutput)\(\[?)'"
    r"(?:make|cmake|gcc|g\+\+|cc|clang(?:\+\+)?|javac)(?:'|\s+\S*[\w.])"
)
_VISIBILITY = re.compile(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)")


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not made by hand."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name the zip of an autograder, or its folder")
    files = read_tree(path)
    start = next((one[: -len("run_autograder")] for one in files if f"/{one}".endswith("/run_autograder")), "")
    files = {one.removeprefix(start): content for one, content in files.items() if one.startswith(start)}
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")
    made = Autograder(identifier(name, path.resolve().stem), files)
    tests = [name for name in files if re.search(r"(?:^|/)test[^/]*\.py$", name) and not made.is_of_solution(name)]
    if not tests and any(name.endswith(".java") for name in files):
        return to_imported(read_java_autograder(made, path))
    made.files = _with_plain_weights(files)
    methods = [method for file in tests for method in _methods_of(file, made)]
    if not methods:
        raise UsageError(
            f"{path} has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        )
    return to_imported(_read_python(made, methods))


def _read_python(made: Autograder, methods: Sequence[GradedMethod]) -> Draft:
    script = read_grading_script(made.files.get("run_autograder", b"").decode(errors="replace"))
    tested = list(dict.fromkeys(method.file for method in methods))
    handed_in = _handed_in(made, tested, script)
    # A Makefile of the course counts, unless the script copies that of the students.
    places = {script.place_of(name): name for name in made.files if script.build and not made.is_of_solution(name)}
    given = {one for one in places if _BUILD_FILE.search(one) and one not in script.handed_in}
    handed_in = [name for name in handed_in if name not in given]
    # Without one of several files only those tests fail that need it.
    required = handed_in if len(tested) == 1 or len(handed_in) == 1 else []
    helpers = {file: _helpers_of(file, made) for file in tested}
    units = {
        file: {"unittest": made.file(file, "tests"), "with": [made.file(one, "tests") for one in names] or None}
        for file, names in helpers.items()
    }
    tests = list(made.tests(methods, units))
    worth = sum(Fraction(test.points or 0) for test in tests)
    samples = _samples(made, handed_in, worth)
    made.losses += losses_where({"no-solution": not samples, "build": bool(script.build)})
    made.lose_scripts(script.unread)
    course_files = _course_files(
        made, handed_in, script, {*tested, *(one for names in helpers.values() for one in names)}
    )
    with_files = {one: made.file(places[one]) for one in sorted(given)}
    module = next((name for name in handed_in if name.endswith(".py")), handed_in[0] if handed_in else "main.py")
    lines = list(map(to_words, script.build))
    return Draft(
        id=made.id,
        format="gradescope",
        origin="an autograder of Gradescope",
        language="python",
        required=required,
        program=[f"./{made.id}"] if lines else ["python3", module],
        keys={
            "files": {"optional": [name for name in handed_in if name not in required]},
            "build": {"run": lines, "produces": ["*"], "with": with_files or None} if lines else None,
            "defaults": {"files": course_files} if course_files else None,
        },
        tests=tests,
        points=worth,
        samples=samples,
        losses=made.losses,
    )


# ---------------------------------------------------------------- the methods


def _known(node: ast.expr | None, names: Mapping[str, Any]) -> Any:
    """Return what an expression comes to; None where that is not known without running it."""
    try:
        return value_of(node, names) if node else None
    except UnreadError:
        return None


def _with_number(names: Mapping[str, Any], found: re.Match[bytes]) -> bytes:
    """Return a decorator with the number that its argument comes to."""
    call = parse_python(found[2]).body
    value = _known(call[0].value, names) if call and isinstance(call[0], ast.Expr) else None
    number = f"{value:.6f}".rstrip("0").rstrip(".").encode() if isinstance(value, int | float) else found[2]
    return found[1] + number + found[3]


def _with_plain_weights(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with numbers in `@weight` and `@partial_credit` for constants of the course and sums of them."""
    bodies = {name: parse_python(content).body for name, content in files.items() if name.endswith(".py")}
    every = [node for body in bodies.values() for node in body]
    names = constants_of(every, constants_of(every, {}))  # twice, since a module may need one behind it
    changed = {
        name: _WEIGHT.sub(partial(_with_number, constants_of(body, names)), files[name])
        for name, body in bodies.items()
    }
    return {**files, **changed}


def _methods_of(file: str, made: Autograder) -> Iterator[GradedMethod]:
    """Yield the methods of a test file."""
    source = made.files[file]
    try:
        methods = list(python_methods(source, "unittest"))
        if makes_tests(source) or b".__weight__" in source:
            made.lose("made-tests", where=file)
    except (SyntaxError, ValueError, RecursionError) as error:
        made.lose("unreadable", one_line(str(error)), where=file)
        return
    usual = _VISIBILITY.search(made.files.get("run_tests.py", b""))
    for one in methods:
        said: dict[str, object] = {"visibility": usual[1].decode()} if usual else {}
        for call in (call for call in one.node.decorator_list if isinstance(call, ast.Call)):
            argument = next(iter([*call.args, *(word.value for word in call.keywords)]), None)
            said[ast.unparse(call.func).rpartition(".")[2]] = _known(argument, {})
        if "leaderboard" in said:
            made.lose("leaderboard", str(said["leaderboard"]), where=one.name)
            continue
        title = one_line((ast.get_docstring(one.node) or "").strip().partition("\n")[0].strip())
        yield GradedMethod(file, one.name, title, said, compiles=bool(_COMPILES.search(ast.unparse(one.node))))


def _file_of(module: str, file: str, made: Autograder) -> str | None:
    """Return the course's file of a module that a test imports, also from a folder that it adds to `sys.path`."""
    lines = b"".join(re.findall(rb"sys\.path\.(?:append|insert)\(.*", made.files[file])).decode()
    added = re.findall(r"['\"](?:/autograder/source/)?([\w./-]+)['\"]", lines)
    folders = (dirname(file), "", "tests", *added, *(join(dirname(file), one) for one in added))
    places = (normpath(join(folder, f"{module}.py")) for folder in folders)
    return next((one for one in places if one in made.files and not made.is_of_solution(one)), None)


def _helpers_of(file: str, made: Autograder) -> list[str]:
    """Return the course's modules that a test file imports, and that these import, as far as they lie in no package."""
    found, waiting = dict[str, None](), [file]
    while waiting:
        names = [_file_of(module, file, made) for module in imported_names(made.files[waiting.pop()])]
        waiting += [name for name in names if name and name not in (*found, file)]
        found |= dict.fromkeys(waiting)
    return list(found)


# ---------------------------------------------------------------- the files


def _handed_in(made: Autograder, tested: Sequence[str], script: GradingScript) -> list[str]:
    """Return what students hand in: what the script copies, else what the tests import and the course has not."""
    found = [name for name in script.handed_in if ".." not in name.split("/")]
    if not found:
        folders = {name.partition("/")[0] for name in made.files if "/" in name and not made.is_of_solution(name)}
        known = folders | sys.stdlib_module_names | {"gradescope_utils", "pytest"}
        for file, module in ((name, one) for name in tested for one in imported_names(made.files[name])):
            path, top = f"{module.replace('.', '/')}.py", module.partition(".")[0]
            if made.is_of_solution(path):
                found += [path] if path in made.files else []
            elif top not in known and not _file_of(top, file, made):
                found.append(f"{top}.py")
    if not found:
        # What the script puts there beside the work is the course's, where the solution has nothing else.
        starter = {
            script.copy_of(name, of_all=False): text
            for name, text in made.files.items()
            if not made.is_of_solution(name)
        }
        found = sorted(name for name, text in made.solution().items() if starter.get(name) != text)
        made.losses += losses_where({"guess-by-solution": listed(found, most=5)})
    if not found:
        made.lose("guess")
    return list(dict.fromkeys(found)) or ["submission.py"]


def _samples(made: Autograder, handed_in: Sequence[str], worth: Fraction | int) -> dict[str, DraftSample]:
    """Return the solution as a sample that has full marks, where all of it is there."""
    solution = made.solution()
    places = {name: name if name in solution else name.partition("/")[2] for name in handed_in}
    if not all(place in solution for place in places.values()):
        return {}
    files = {name: solution[place] for name, place in places.items()}
    return {"solution": DraftSample(files=files, score=worth, about="the course's solution")}


def _course_files(
    made: Autograder, handed_in: Sequence[str], script: GradingScript, known: set[str]
) -> dict[str, Data]:
    """Return the files that the tests may read or import, for every case."""
    found: dict[str, Data] = {}
    top = {PurePosixPath(name).name for name in handed_in}
    for name in made.files:
        own, place = PurePosixPath(name).name, script.place_of(name)
        is_machinery = ("/" not in place and _MACHINERY.fullmatch(own)) or "/.git" in f"/{name}"
        is_wrong = name.startswith(("incorrect", "incomplete"))
        if is_machinery or is_wrong or made.is_of_solution(name) or name in known or own in top:
            continue
        found[place] = made.file(name)
        if re.fullmatch(r"tests/[^/]+\.py", name):
            found[own] = found[place]
    return found
