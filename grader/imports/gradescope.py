"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a draft.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import posixpath
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.imports import Imported, check_name, identifier
from grader.imports.command_lines import needs_shell
from grader.imports.draft import Data, Draft, DraftSample
from grader.imports.gradescope_java import read_java_autograder
from grader.imports.gradescope_parts import (
    Autograder,
    GradedMethod,
    is_of_solution,
    lose_methods,
    lose_scripts,
    read_autograder,
)
from grader.imports.gradescope_script import GradingScript, read_grading_script
from grader.imports.python_values import UnreadError, constants_of, imported_modules, value_of
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.language import case_label
from grader.kinds.unit_tests.python_text import makes_tests, python_methods

_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|make_autograder\.sh|.*\.(?:zip|md|lock|json)|apt\.sh)"
)
_COMPILES = re.compile(
    r"(?:\[|\b(?:system|popen|Popen|run|call|check_call|check_output|getoutput)\(\[?)'"
    r"(?:make|cmake|gcc|g\+\+|cc|clang(?:\+\+)?|javac)(?:'|\s+\S*[\w.])"
)
_SCORE = re.compile(r"\bset_score\(\s*(-?\d+(?:\.\d+)?)\s*\)")
_SET_LATER = re.compile(r"(?m)^\s*(\w+)\.__(\w+)__ = (.+)$")
_BEST_OF_SEVERAL = ("best", "full", "correct", "right", "good", "reference", "solution")
_MAX_COURSE_FILES = 100


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not made by hand."""
    files = read_autograder(path)
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")
    made = Autograder(id=identifier(name, path.resolve().stem), files=files)
    trees = _parse_all(made)
    tests = [file for file in trees if PurePosixPath(file).name.startswith("test") and not is_of_solution(file)]
    if not tests and any(name.endswith(".java") for name in made.files):
        return to_imported(read_java_autograder(made, path))
    made.files = _with_plain_weights(made.files, trees)
    methods = [method for file in tests for method in _methods_of(file, made)]
    if not methods:
        raise UsageError(
            f"{path} has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        )
    return to_imported(_read_python(made, methods, trees))


def _read_python(made: Autograder, methods: Sequence[GradedMethod], trees: Mapping[str, ast.Module]) -> Draft:
    script = read_grading_script(made.files.get("run_autograder", b"").decode(errors="replace"))
    tested = dict.fromkeys(method.file for method in methods)
    solution = _solution(made.files)
    handed_in = _handed_in(made, list(tested), trees, script, solution)
    worth = dict.fromkeys(method.file for method in methods if method.points or not any(one.points for one in methods))
    several = worth if len(worth) > 1 else ()
    required = [name for name in handed_in if all(_is_needed(name, file, made, trees) for file in several)]
    helpers = {file: _helpers_of(file, trees) for file in tested}
    units: dict[str, dict[str, Data]] = {
        file: {
            "unittest": made.file(file, "tests"),
            "with": [made.file(one, "tests") for one in helpers[file]] or None,
        }
        for file in tested
    }
    tests = list(made.tests(methods, units))
    inside = {name: solution.get(name, solution.get(name.partition("/")[2])) for name in handed_in}
    is_solved = all(content is not None for content in inside.values())
    sample = DraftSample(
        files={name: content for name, content in inside.items() if content is not None},
        score=sum(test.points or 0 for test in tests),
        about="the course's solution",
    )
    if not is_solved:
        made.lose("no-solution")
    lose_scripts(made, script.unread)
    lose_methods(made, methods)
    course_files = _course_files(
        made, handed_in, script, {*tested, *(name for one in helpers.values() for name in one)}
    )
    return Draft(
        id=made.id,
        format="gradescope",
        origin="an autograder of Gradescope",
        language="python",
        required=required,
        program=_program(made, script, [*required, *handed_in], trees, tested),
        keys={
            "files": {"optional": [name for name in handed_in if name not in required]},
            "build": _build(made, script),
            "repairs": _repairs(made, script, handed_in),
            "defaults": {"files": course_files} if course_files else None,
        },
        tests=tests,
        points=sum(Fraction(test.points or 0) for test in tests),
        samples={"solution": sample} if is_solved else {},
        losses=made.losses,
    )


# ---------------------------------------------------------------- the methods


def _parse_all(made: Autograder) -> dict[str, ast.Module]:
    trees = {}
    for name in (one for one in made.files if one.endswith(".py")):
        try:
            trees[name] = ast.parse(made.files[name])
        except (SyntaxError, ValueError, RecursionError) as error:
            made.lose("unreadable", one_line(str(error)), where=name)
    return trees


def _with_plain_weights(files: Mapping[str, bytes], trees: Mapping[str, ast.Module]) -> dict[str, bytes]:
    """Return the files with numbers in `@weight` and `@partial_credit` for constants of the course and sums of them."""
    names: dict[str, Any] = {}
    # Modules that import nothing state the constants of others, so they come first.
    for tree in sorted(trees.values(), key=lambda one: any(isinstance(node, ast.ImportFrom) for node in one.body)):
        names = constants_of(tree.body, names)
    found = dict(files)
    for name, tree in trees.items():
        lines = files[name].splitlines(keepends=True)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for call in (one for node in functions for one in node.decorator_list if isinstance(one, ast.Call)):
            said = ast.unparse(call.func).rpartition(".")[2]
            argument = call.args[0] if call.args and said in ("weight", "partial_credit") else None
            if argument and not isinstance(argument, ast.Constant) and argument.end_lineno == argument.lineno:
                value = _known(argument, names)
                if isinstance(value, int | float):
                    line, number = lines[argument.lineno - 1], f"{value:.6f}".rstrip("0").rstrip(".").encode()
                    lines[argument.lineno - 1] = line[: argument.col_offset] + number + line[argument.end_col_offset :]
        found[name] = b"".join(lines)
    return found


def _known(node: ast.expr, names: Mapping[str, Any]) -> Any:
    try:
        return value_of(node, names)
    except UnreadError:
        return None


def _methods_of(file: str, made: Autograder) -> Iterator[GradedMethod]:
    """Yield the methods of a test file."""
    source = made.files[file]
    later: dict[str, dict[str, object]] = {}
    for node in (one for one in ast.parse(source).body if isinstance(one, ast.ClassDef)):
        for method, key, value in _SET_LATER.findall("\n".join(ast.unparse(one) for one in node.body)):
            known = _known(ast.parse(value, mode="eval").body, {})
            later.setdefault(f"{node.name}.{method}", {"later": True})[key] = known
    if makes_tests(source):
        made.lose("made-tests", where=file)
    found = re.search(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)", made.files.get("run_tests.py", b""))
    names = constants_of(ast.parse(source).body, {})
    for one in python_methods(source, "unittest"):
        said = dict[str, object]()
        for call in one.node.decorator_list:
            if isinstance(call, ast.Call):
                arguments = [*call.args, *(word.value for word in call.keywords)]
                first = _known(arguments[0], names) if arguments else None
                said[ast.unparse(call.func).rpartition(".")[2]] = first
        said |= later.get(one.name, {})
        if found and not said.get("visibility"):
            said["visibility"] = found[1].decode()
        if "leaderboard" in said:
            made.lose("leaderboard", str(said["leaderboard"]), where=one.name)
            continue
        text = ast.unparse(one.node)
        doc = str(said.get("doc") or ast.get_docstring(one.node) or "")
        yield GradedMethod(
            file=file,
            label=case_label(one.name, file),
            name=one.name,
            title=one_line(doc.strip().split("\n")[0].strip()),
            said=said,
            scores=[float(score) for score in _SCORE.findall(text)],
            compiles=bool(_COMPILES.search(text)),
        )


def _file_of(module: str, file: str, trees: Mapping[str, ast.Module]) -> str | None:
    """Return the course's file of a module that a test imports, also from a folder that it adds to `sys.path`."""
    lines = re.findall(r"sys\.path\.(?:append|insert)\(.*", ast.unparse(trees[file]))
    added = [one for line in lines for one in re.findall(r"'([\w./-]+)'", line)]
    here = posixpath.dirname(file)
    folders = (here, "", "tests", *added, *(posixpath.join(here, one) for one in added))
    places = (posixpath.normpath(posixpath.join(folder, f"{module}.py")) for folder in folders)
    return next((one for one in places if one in trees and not is_of_solution(one)), None)


def _helpers_of(file: str, trees: Mapping[str, ast.Module]) -> list[str]:
    """Return the course's modules that a test file imports, and that these import, as far as they lie in no package."""
    found: dict[str, None] = {}
    waiting = [file]
    while waiting:
        names = [_file_of(module, file, trees) for module in imported_modules(trees[waiting.pop()])]
        more = [name for name in names if name and name not in (*found, file)]
        found |= dict.fromkeys(more)
        waiting += more
    return list(found)


# ---------------------------------------------------------------- the files


def _handed_in(
    made: Autograder,
    tested: Sequence[str],
    trees: Mapping[str, ast.Module],
    script: GradingScript,
    solution: Mapping[str, bytes],
) -> list[str]:
    """Return what students hand in: what the script copies, else what the tests import and the course has not."""
    found = [name for name in script.handed_in if ".." not in name.split("/")]
    if not found:
        folders = {name.partition("/")[0] for name in trees if "/" in name and not is_of_solution(name)}
        known = folders | sys.stdlib_module_names | {"gradescope_utils", "pytest"}
        for file in tested:
            for module in imported_modules(trees[file]):
                path, top = f"{module.replace('.', '/')}.py", module.partition(".")[0]
                if is_of_solution(path) and path in made.files:
                    found.append(path)
                elif top not in known and not _file_of(top, file, trees):
                    found.append(f"{top}.py")
    if not found and (found := sorted(solution)):
        made.lose("guess-by-solution", listed(found, most=5))
    if not found:
        made.lose("guess")
    return list(dict.fromkeys(found)) or ["submission.py"]


def _is_needed(name: str, file: str, made: Autograder, trees: Mapping[str, ast.Module]) -> bool:
    """Whether a test file needs a file that is handed in: without it only the others can pass."""
    module = name.removesuffix(".py").replace("/", ".")
    imported = imported_modules(trees[file])
    return not name.endswith(".py") or module in imported or name.encode() in made.files[file]


def _solution(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the files of the solution in the autograder, by their names in its folder; of several the best."""
    inside = {name.partition("/")[2]: text for name, text in files.items() if is_of_solution(name)}
    best = next((one for one in _BEST_OF_SEVERAL if any(name.startswith(f"{one}/") for name in inside)), None)
    if best:
        return {name.removeprefix(f"{best}/"): text for name, text in inside.items() if name.startswith(f"{best}/")}
    return inside if any("/" not in name for name in inside) else {}


def _program(
    made: Autograder,
    script: GradingScript,
    names: Sequence[str],
    trees: Mapping[str, ast.Module],
    tested: Mapping[str, None],
) -> Sequence[str]:
    """Return the program: what is compiled, by the name that tests start it with, or the first module."""
    if not script.build:
        return ["python3", next((name for name in names if name.endswith(".py")), names[0])]
    text = "\n".join(ast.unparse(trees[file]) for file in tested)
    started = re.search(r"[\s'\"]\./([\w-][\w.-]*)", text)
    return [f"./{started[1] if started else made.id}"]


def _build(made: Autograder, script: GradingScript) -> Data:
    if script.build:
        made.lose("build")
    lines = [["sh", "-c", line] if needs_shell(line) else line for line in script.build]
    return {"run": lines, "produces": ["*"]} if lines else None


def _repairs(made: Autograder, script: GradingScript, handed_in: Sequence[str]) -> Data:
    """Return the repair that takes files of the course that a submission may bring itself, for the build."""
    places = {name: script.place_of(name) for name in made.files} if script.build else {}
    given = {
        place: {"file": made.file(name)}
        for name, (place, is_given) in places.items()
        if is_given and place in handed_in
    }
    about = f"The course's {', '.join(given)} was taken, for none was handed in."
    repair = {"name": "given-files", "about": about, "when": {"missing": list(given)}, "with": given}
    return [repair] if given else None


def _course_files(
    made: Autograder, handed_in: Sequence[str], script: GradingScript, known: set[str]
) -> dict[str, Data]:
    """Return the files that the tests may read or import, for every case."""
    found: dict[str, Data] = {}
    top = {PurePosixPath(name).name for name in handed_in}
    for name in made.files:
        pure, (place, is_given) = PurePosixPath(name), script.place_of(name)
        is_machinery = _MACHINERY.fullmatch(pure.name) and "/" not in place
        is_course = not is_of_solution(name) or (is_given and place not in handed_in)
        if is_machinery or not is_course or name in known or pure.name in top:
            continue
        if name.startswith(("incorrect", "incomplete")):
            continue
        if len(found) >= _MAX_COURSE_FILES:
            made.lose("too-many-files", f"{name} and others")
            break
        try:
            check_name(name)
            found[place] = {"file": made.file(name)}
        except UsageError as error:
            made.lose("left-out", one_line(str(error)))
            continue
        if pure.parent == PurePosixPath("tests") and pure.suffix == ".py":
            found[pure.name] = found[place]
    return found
