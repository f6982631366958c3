"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a spec.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.command_lines import needs_shell
from grader.imports.gradescope_java import import_gradescope_java
from grader.imports.gradescope_parts import (
    SOLUTION_FOLDERS,
    VISIBILITIES,
    Autograder,
    GradedMethod,
    notes_on_methods,
    notes_on_scripts,
    points_of,
    points_off,
    read_autograder,
    solution_files,
    titled_methods,
    with_plain_weights,
)
from grader.imports.gradescope_script import GradingScript, read_grading_script
from grader.kinds.unit_tests.language import case_label, unit_methods

_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|make_autograder\.sh|.*\.(?:zip|md|lock|json)|apt\.sh)"
)
_COMPILERS = r"(?:make|cmake|gcc|g\+\+|cc|clang(?:\+\+)?|javac)"
_COMPILER, _COMPILATION = re.compile(rf"{_COMPILERS}\Z"), re.compile(rf"{_COMPILERS}\s+\S*[\w.]")
_STARTERS = frozenset({"system", "popen", "run", "Popen", "call", "check_call", "check_output", "getoutput"})
_MAX_COURSE_FILES = 100


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not made by hand."""
    made = Autograder(id=identifier(name, path.resolve().stem), files=with_plain_weights(read_autograder(path)))
    _refuse_others(made.files, path)
    if any(name.endswith(".java") for name in made.files) and not list(_test_files(made.files)):
        return import_gradescope_java(made, path)
    methods = list(_find_methods(made))
    if not methods:
        raise UsageError(
            f"{path} has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        )
    script = read_grading_script(made.files.get("run_autograder", b"").decode(errors="replace"))
    handed_in = _handed_in(made, methods, script)
    nodes = list(_test_nodes(made, methods))
    required = _needed_by_all(handed_in, made, methods)
    program = next((name for name in (*required, *handed_in) if name.endswith(".py")), handed_in[0])
    keys = {
        **first_keys(made.id, "python"),
        "files": table(_named_files(required, handed_in)),
        "program": listing(map(text_or_word, ("python3", program))),
        **_build_keys(made, script, handed_in, methods),  # with another program
    }
    _carry_solution(made, handed_in, sum(points_of(method, methods) for method in methods))
    keys["defaults"] = table({"files": table(_course_files(made, handed_in, script))})
    made.notes += [*notes_on_scripts(made.files, script.notes), *notes_on_methods(methods)]
    return Imported(
        id=made.id,
        spec={**keys, "tests": listing(nodes)},
        files=made.carried,
        origin="an autograder of Gradescope",
        notes=made.notes,
    )


def _refuse_others(files: Mapping[str, bytes], path: Path) -> None:
    """Raise UsageError for an autograder of another kind, with its name."""
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")


# ---------------------------------------------------------------- the methods


def _test_files(files: Mapping[str, bytes]) -> Iterator[str]:
    for file in files:
        pure = PurePosixPath(file)
        if pure.name.startswith("test") and pure.suffix == ".py" and pure.parts[0] not in SOLUTION_FOLDERS:
            yield file


def _find_methods(made: Autograder) -> Iterator[GradedMethod]:
    for file in _test_files(made.files):
        source = made.files[file]
        try:
            names = unit_methods(source, "unittest")
            tree = ast.parse(source)
            nodes, later = dict(_nodes_of(tree)), _set_later(tree)
            made.notes += _notes_on_hidden_tests(file, tree, names)
        except (SyntaxError, ValueError, RecursionError) as error:
            made.notes.append(f"{file} is left out, for it cannot be read: {one_line(str(error))}")
            continue
        if not names:
            made.notes.append(f"{file} is left out, for it has no class of unittest with tests.")
        for name in names:
            node = nodes.get(name)
            said = (_decorators(node) if node else {}) | later.get(name, {})
            if "leaderboard" in said:
                made.notes.append(
                    f"{name}: left out, for it fills the leaderboard {said['leaderboard']!s}, not a score."
                )
            else:
                doc = str(said.get("doc") or (ast.get_docstring(node) if node else None) or "")
                title = one_line(doc.strip().split("\n")[0].strip())
                compiles = node is not None and any(map(_starts_compiler, ast.walk(node)))
                scores = _scores_of(node)
                yield GradedMethod(file=file, name=name, title=title, said=said, scores=scores, compiles=compiles)


def _nodes_of(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{node.name}.{inner.name}", inner  # type: ignore[attr-defined]


def _set_later(tree: ast.Module) -> dict[str, dict[str, object]]:
    """Return what a class sets as attributes of its methods: `test_one.__weight__ = 2`, by the names of decorators."""
    found: dict[str, dict[str, object]] = {}
    for node in (one for one in tree.body if isinstance(one, ast.ClassDef)):
        for inner in node.body:
            match inner:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=method), attr=attribute)], value=ast.Constant(value=value)
                ) if attribute.startswith("__"):
                    said = {attribute.strip("_"): value}
                    found.setdefault(f"{node.name}.{method}", {"later": True}).update(said)
    return found


def _notes_on_hidden_tests(file: str, tree: ast.Module, names: Sequence[str]) -> Iterator[str]:
    """Yield which tests of a file are not carried over, or should not be, as its text does not show them."""
    inner = {
        cls.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for cls in ast.walk(node)
        if isinstance(cls, ast.ClassDef) and any(getattr(one, "name", "").startswith("test") for one in cls.body)
    }
    if inner:
        made = ", ".join(sorted(inner))
        yield f"{file}: {made} is made by a function: its tests are left out; write a class for each."
    if any(isinstance(node, ast.FunctionDef) and node.name == "load_tests" for node in tree.body):
        every = ", ".join(names)
        yield f"{file}: load_tests chooses what runs: take out the tests here that it leaves out, of {every}."
    if any(isinstance(node, ast.Name) and node.id == "setattr" for node in ast.walk(tree)):
        yield f"{file}: tests that setattr adds are left out; write a method for each."


def _starts_compiler(node: ast.AST) -> bool:
    """Whether it is a command that compiles, as a list of words or as the text that is run."""
    words, pattern = (node.elts, _COMPILER) if isinstance(node, ast.List) else ([], _COMPILATION)
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _STARTERS:
        words = node.args
    first = words[0].value if words and isinstance(words[0], ast.Constant) else None
    return isinstance(first, str) and bool(pattern.match(first))


def _scores_of(node: ast.AST | None) -> tuple[float, ...]:
    """Return the numbers with which a method calls `set_score`."""
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)] if node else []
    found: list[float] = []
    for call in calls:
        if getattr(call.func, "id", "") == "set_score" and call.args:
            with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                found.append(float(ast.literal_eval(call.args[0])))
    return tuple(found)


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, object]:
    """Return the decorators of a method that are called, with their first argument."""
    said: dict[str, object] = {}
    for call in (one for one in node.decorator_list if isinstance(one, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        first = call.args[0] if call.args else next((word.value for word in call.keywords), None)
        try:
            said[name] = ast.literal_eval(first) if first is not None else None
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            said[name] = None
    return said


def _test_nodes(made: Autograder, methods: Sequence[GradedMethod]) -> Iterator[Node]:
    """Yield a test for each method; one for all of a class where one of them compiles the program."""
    groups = _groups(made, methods)
    for method, title in titled_methods(methods):
        own = groups.get(_class_of(method), [method])
        if len(own) == 1:
            yield _test_node(own, title, made, methods)
        elif method is own[0]:
            yield _test_node(own, _class_of(method)[1], made, methods)


def _class_of(method: GradedMethod) -> tuple[str, str]:
    return method.file, method.name.rpartition(".")[0]


def _groups(made: Autograder, methods: Sequence[GradedMethod]) -> dict[tuple[str, str], list[GradedMethod]]:
    """Return the classes with a method that compiles, whose methods have to share a folder, and can share a test."""
    groups: dict[tuple[str, str], list[GradedMethod]] = {}
    for method in methods:
        groups.setdefault(_class_of(method), []).append(method)
    found = {}
    for key, own in groups.items():
        compilers = ", ".join(one.name for one in own if one.compiles)
        if not compilers or all(one.compiles for one in own):
            continue
        have_points = all(points_of(one, methods) > 0 for one in own)
        if have_points and len({str(one.said.get("visibility")) for one in own}) == 1:
            found[key] = own
            made.notes.append(f"{compilers} compiles for the others of its class: they are one test, in one folder.")
        else:
            made.notes.append(
                f"{compilers} compiles: the next method, in a folder of its own, does not find what it made. Put them "
                "under `only` of one test with `together: true`, or write the command as the build."
            )
    return found


def _test_node(own: Sequence[GradedMethod], title: str, made: Autograder, methods: Sequence[GradedMethod]) -> Node:
    method = own[0]
    if (method.points or 0) < 0:
        made.notes.append(f"{method.name}: its weight is {method.points:g}; here it is 0.")
    off = points_off(method)
    points = sum(points_of(one, methods) for one in own)
    worth = {"costs": plain(f"{off:g}")} if off else {"points": plain(f"{points:g}")}
    keys: dict[str, Node] = {"name": text_or_word(title), **worth}
    visibility = VISIBILITIES.get(str(method.said.get("visibility") or _visibility_of_all(made.files)), "hidden")
    if visibility != "visible":
        keys["visibility"] = plain(visibility)
    labels = [case_label(one.name, one.file) for one in own]
    unit: dict[str, Node] = {
        "unittest": text_or_word(made.place(method.file, "tests")),
        "only": listing(map(text_or_word, labels)),
    }
    if len(own) > 1:
        unit["together"] = plain("true")
    if helpers := _helpers_of(method.file, made):
        unit["with"] = listing(text_or_word(made.place(name, "tests")) for name in helpers)
    if not method.points or method.said.get("later"):  # by its decorators, it would count nothing in its own test
        unit["weights"] = table({label: plain("1") for label in labels})
    keys["unit"] = table(unit)
    return table(keys)


def _helpers_of(file: str, made: Autograder) -> Sequence[str]:
    """Return the course's modules that a test file imports, and that these import, as far as they lie in no package."""
    found: dict[str, None] = {}
    waiting = [file]
    while waiting:
        here = waiting.pop()
        try:
            modules = _imported_modules(made.files[here])
        except (SyntaxError, ValueError, RecursionError):
            continue
        for module in modules:
            places = [
                f"{PurePosixPath(file).parent}/{module}.py".removeprefix("./"),
                f"{module}.py",
                f"tests/{module}.py",
            ]
            name = next((one for one in places if one in made.files), None)
            if name and name not in found and name != file:
                found[name] = None
                waiting.append(name)
    return list(found)


def _visibility_of_all(files: Mapping[str, bytes]) -> str:
    """Return what the runner of the tests says for all of them."""
    found = re.search(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)", files.get("run_tests.py", b""))
    return found[1].decode() if found else ""


# ---------------------------------------------------------------- the files


def _handed_in(made: Autograder, methods: Sequence[GradedMethod], script: GradingScript) -> list[str]:
    """Return what students hand in: what the script copies, else what the tests import and the course has not."""
    found = [name for name in script.handed_in if ".." not in name.split("/")]
    if not found:
        for file in dict.fromkeys(method.file for method in methods):
            found += [
                f"{name}.py"
                for name in (_module_below(one, made.files) for one in _imported_modules(made.files[file]))
                if name not in sys.stdlib_module_names
                and name not in {"gradescope_utils", "pytest"}
                and (f"{name}.py" not in made.files or "/" in name)
                and f"tests/{name}.py" not in made.files
            ]
    if not found and (found := sorted(solution_files(made.files))):
        made.notes.append(f"What students hand in is a guess by the solution: {', '.join(found)}; see files.")
    if not found:
        made.notes.append("What students hand in is not said: submission.py is a guess; see files and program.")
    return list(dict.fromkeys(found)) or ["submission.py"]


def _needed_by_all(names: Sequence[str], made: Autograder, methods: Sequence[GradedMethod]) -> list[str]:
    """Return which of the files every test file with points needs: without one of the others, only some fail."""
    worth = dict.fromkeys(method.file for method in methods if points_of(method, methods))
    if len(worth) < 2:  # noqa: PLR2004
        return list(names)

    def is_needed(name: str, file: str) -> bool:
        module = name.removesuffix(".py").replace("/", ".")
        text = made.files[file].decode(errors="replace")
        return not name.endswith(".py") or module in _imported_modules(made.files[file]) or name in text

    return [name for name in names if all(is_needed(name, file) for file in worth)]


def _named_files(required: Sequence[str], handed_in: Sequence[str]) -> dict[str, Node]:
    optional = [name for name in handed_in if name not in required]
    return {
        key: listing(map(text_or_word, names))
        for key, names in (("required", required), ("optional", optional))
        if names
    }


def _imported_modules(source: bytes) -> Sequence[str]:
    """Return the full names of the modules that a program imports."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
    return names


def _build_keys(
    made: Autograder, script: GradingScript, handed_in: Sequence[str], methods: Sequence[GradedMethod]
) -> dict[str, Node]:
    """Return the build, if the script compiles, with what it makes and what the course gives for it."""
    if not script.build:
        return {}
    texts = [made.files[name] for name in {method.file for method in methods}]
    makefiles = [content for name, content in made.files.items() if name.rpartition("/")[2] == "Makefile"]
    words = b"\n".join([*texts, *makefiles, *(line.encode() for line in script.build)]).decode(errors="replace")
    made_files = dict.fromkeys(re.findall(r"(?:\s-o\s+|[\s'\"]\./)([\w-][\w.-]*)", words))
    made_files |= dict.fromkeys(re.findall(r"(?<![\d&])>\s*([\w-][\w.-]*)", "\n".join(script.build)))
    lines = [shlex.join(["sh", "-c", line]) if needs_shell(line) else line for line in script.build]
    keys: dict[str, Node] = {
        "program": listing([text_or_word(f"./{next(iter(made_files), made.id)}")]),
        "build": table(
            {"run": listing(map(text_or_word, lines)), "produces": listing(map(text_or_word, made_files or ["*"]))}
        ),
    }
    made.notes.append(
        "The build is what run_autograder compiles with; language says python, in which the tests are written."
    )
    given = {}
    for name in made.files:
        place, is_given = script.place_of(name)
        if is_given and place in handed_in:
            given[place] = table({"file": text_or_word(made.place(name, "data"))})
    if given:
        about = f"The course's {', '.join(given)} was taken, for none was handed in."
        repair = {
            "name": plain("given-files"),
            "about": text_or_word(about),
            "when": table({"missing": listing(map(text_or_word, given))}),
            "with": table(given),
        }
        keys["repairs"] = listing([table(repair)])
    return keys


def _module_below(name: str, files: Mapping[str, bytes]) -> str:
    """Return the module that an import means: one of the course's solution where that is a package, else the first."""
    first, _, rest = name.partition(".")
    place = name.replace(".", "/")
    return place if rest and first in SOLUTION_FOLDERS and f"{place}.py" in files else first


def _course_files(made: Autograder, handed_in: Sequence[str], script: GradingScript) -> dict[str, Node]:
    """Carry over what the tests may read or import; return it as `files` of every case."""
    names: dict[str, str] = {}
    tested = {path.removeprefix(f"tests/{made.id}/") for path in made.carried if path.startswith("tests/")}
    top = {PurePosixPath(name).name for name in handed_in}
    for name in made.files:
        parts = PurePosixPath(name).parts
        place, is_given = script.place_of(name)
        is_course = not (_MACHINERY.fullmatch(parts[-1]) and "/" not in place) and (
            parts[0] not in SOLUTION_FOLDERS or (is_given and place not in handed_in)
        )
        if not is_course or name in tested or parts[-1] in top or parts[0].startswith(("incorrect", "incomplete")):
            continue
        if len(names) >= _MAX_COURSE_FILES:
            made.notes.append(
                f"Only {_MAX_COURSE_FILES} files of the course are carried over; {name} and others are not."
            )
            break
        try:
            names[place] = made.place(name, "data")
        except UsageError as error:
            made.notes.append(f"Left out: {one_line(str(error))}")
            continue
        if len(parts) > 1 and parts[0] == "tests" and name.endswith(".py") and len(parts) == 2:  # noqa: PLR2004
            names[parts[-1]] = names[place]
    return {name: table({"file": text_or_word(path)}) for name, path in names.items()}


def _carry_solution(made: Autograder, handed_in: Sequence[str], most: float) -> None:
    """Carry over a solution that lies in the folder as a sample that has full marks."""
    files = solution_files(made.files)
    inside = {name: files.get(name, files.get(name.partition("/")[2])) for name in handed_in}
    if all(content is not None for content in inside.values()):
        place = f"sample_submissions/{made.id}"
        made.carried |= {f"{place}/solution/{name}": content for name, content in inside.items() if content is not None}
        stated = table(
            {"solution": table({"score": plain(f"{most:g}"), "about": text_or_word("the course's solution")})}
        )
        made.carried[f"{place}/expected.yaml"] = dump(stated, open_levels=1).encode()
        return
    made.notes.append("There is no solution: add one to sample_submissions, so that grader verify can try the tests.")
