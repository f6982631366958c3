"""A question of PrairieLearn with an external autograder -> a spec, as far as that goes; here, that for Python.

`tests/ans.py` is the reference. Methods of `tests/test.py` that compare what a function returns with what that of the
reference returns become calls of functions; other methods become checks to be written.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.notebook.linear import is_notebook, module_name
from grader.core.text import listed, one_line, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.prairielearn_c import read_c_question
from grader.imports.prairielearn_java import read_java_question
from grader.imports.prairielearn_tests import PlTest, UnreadTestError, read_pl_tests
from grader.imports.prairielearn_unit import (
    needs_more_than_calls,
    packages_of,
    question_unit_files,
    unit_keys,
    unit_problem,
)
from grader.imports.to_do import ToDo

_FILE_NAME = re.compile(r"""<pl-file-(?:editor|upload)[^>]*?\bfile-names?\s*=\s*["']([^"',]{1,200})""")
_FILE_NAMES = re.compile(r"""<pl-file-(?:editor|upload)[^>]*?\bfile-names?\s*=\s*["']([^"']{1,1000})""")
_DEFAULT_FILE = "user_code.py"
_TOLERANCE = "1e-5"
"""relative, of check_scalar"""


def import_prairielearn(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of a question to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such question, or is graded in another way.
    """
    folder = read_folder(path, "info.json")
    info = _info(folder)
    found = identifier(name, folder.path.name)
    return _import_other(folder, info, found) or _import_python(folder, info, found)


def _import_python(folder: Folder, info: Mapping[str, Any], found: str) -> Imported:
    """Convert a question for the Python autograder."""
    tests = _read_tests(folder)
    student = _student_file(folder)
    answer = folder.text("tests/ans.py") if "tests/ans.py" in folder.files else ""
    to_do = ToDo(file=f"data/{found}/to_do.py")
    as_they_are: list[str] = []

    def fall_back(test: PlTest, reason: str) -> dict[str, Node]:
        if problem := unit_problem(test, folder):
            return {"expect": to_do.expect(test.name, f"{reason}; {problem}", test.source)}
        as_they_are.append(test.name)
        return {"unit": unit_keys(test, folder, found)}

    module = module_name(student) if is_notebook(student) else student
    written = [_as_test(test, module, _headings(answer), fall_back) for test in tests]
    keys = _first_keys(info, found, student, module)
    unit = question_unit_files(folder, student, found, as_they_are) if as_they_are else {}
    if packages := packages_of(unit):
        keys["requires"] = listing(map(plain, packages))
    files: dict[str, bytes] = {**to_do.files(), **unit}
    has_calls = any("functions" in test for test in written)
    lacking = [] if has_calls else _names_lacking(folder.text("tests/test.py"), answer)
    if answer and not lacking:
        files[f"reference/{found}/{module}"] = answer.encode()
        keys["reference"] = listing([plain("python3"), text_or_word(f"reference/{found}/{module}")])
    return Imported(
        id=found,
        spec={**keys, "tests": listing(_with_unique_names(written))},
        files=files,
        origin=f"the question {folder.path.name} of PrairieLearn",
        notes=[*to_do.notes(), *_notes(folder, answer, lacking, has_unit=bool(unit))],
    )


def _first_keys(info: Mapping[str, Any], found: str, student: str, module: str) -> dict[str, Node]:
    title = one_line(str(info.get("title") or found), 100)
    program: dict[str, Node] = {"program": listing([plain("python3"), text_or_word(module)])}
    return {**first_keys(found, "python", title=title, required=[student]), **program}


def _read_tests(folder: Folder) -> list[PlTest]:
    """Read the methods; a call alone says nothing where code of the course runs before or behind the student's."""
    tests = read_pl_tests(folder, "tests/test.py")
    is_partial = is_notebook(_student_file(folder))  # some cells alone are run
    for test in tests if is_partial or needs_more_than_calls(folder) else ():
        test.unread = test.unread or "code of the course runs before or behind the student's"
    return tests


def _info(folder: Folder) -> Mapping[str, Any]:
    where = folder.path / "info.json"
    found = folder.json("info.json")
    if not isinstance(found, dict) or found.get("gradingMethod") != "External":
        raise UsageError(f"{where}: only questions with the gradingMethod External can be imported")
    return found


def _import_other(folder: Folder, info: Mapping[str, Any], found: str) -> Imported | None:
    """Convert a question for the autograders of C and Java; None for that of Python. UsageError for another."""
    options = info.get("externalGradingOptions")
    image = str(options.get("image", "")) if isinstance(options, dict) else ""
    title = one_line(str(info.get("title") or found), 100)
    name = re.split(r"[:@]", image.rpartition("/")[2])[0]
    if name == "grader-java":
        return read_java_question(folder, found, title, _student_files(folder, (".java",)))
    if name == "grader-c" and "tests/test.py" in folder.files:
        endings = (".c", ".cpp", ".cc", ".h", ".hpp")
        if read := read_c_question(folder, found, title, lambda: _student_files(folder, endings)):
            return read
    if image and "python" not in image:
        raise UsageError(
            f"{folder.path / 'info.json'}: the image {one_line(image)!r} is not that of the Python autograder, nor are "
            "the tests those of the C or Java one; begin with grader new --from PROGRAM, whose cases are recorded"
        )
    return None


def _student_files(folder: Folder, endings: Sequence[str]) -> list[str]:
    """Return the names of the files that students hand in, which the question's HTML tells."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    found = [
        safe_path(name.strip()) for names in _FILE_NAMES.findall(text) for name in names.split(",") if name.strip()
    ]
    if not (chosen := [name for name in dict.fromkeys(found) if name.endswith(tuple(endings))]):
        raise UsageError(
            f"{folder.path}: question.html names no file of students that ends with {' or '.join(endings)}; "
            "say it with pl-file-editor or pl-file-upload"
        )
    return chosen


def _student_file(folder: Folder) -> str:
    """Return the name of the file that students hand in, which the question's HTML tells."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    found = _FILE_NAME.search(text)
    name = safe_path(found[1].strip()) if found else _DEFAULT_FILE
    if not name.endswith((".py", ".ipynb")):
        raise UsageError(
            f"{folder.path}: students hand in {name}; only questions about a file in Python or a notebook can be read"
        )
    return name


def _names_lacking(tests: str, answer: str) -> list[str]:
    """Return the names that tests take from the student's file and the answer lacks, which is no solution then."""
    try:
        tree = ast.parse(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    defined = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = [one for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names]
    defined |= {(one.asname or one.name).partition(".")[0] for one in imports}
    return sorted(set(re.findall(r"self\.st\.([A-Za-z]\w*)", tests)) - defined) if "*" not in defined else []


def _headings(answer: str) -> Mapping[str, str]:
    """Return the headings of the functions of the reference."""
    try:
        tree = ast.parse(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return {
        node.name: f"def {node.name}({', '.join(one.arg for one in node.args.args)})"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs)
    }


def _as_test(
    test: PlTest, student: str, headings: Mapping[str, str], fall_back: Callable[[PlTest, str], dict[str, Node]]
) -> dict[str, Node]:
    keys: dict[str, Node] = {
        "name": text_or_word(test.title),
        "points": plain(points(Fraction(str(test.points)))),
    }
    names = {function for function, _, _ in test.calls}
    if not test.unread and (len(names) != 1 or not names <= headings.keys()):
        test.unread = "it calls several functions, or one that the reference has not"
    if test.unread:
        return {**keys, **fall_back(test, test.unread)}
    try:
        calls = [table(_call(args, how)) for _, args, how in test.calls]
    except UnreadTestError as reason:
        return {**keys, **fall_back(test, str(reason))}
    module = student.removesuffix(".py").replace("/", ".")
    inner = {"in": text_or_word(module), "declare": quoted(headings[names.pop()]), "calls": listing(calls)}
    return {**keys, "functions": table(inner)}


def _call(args: Sequence[Any], how: str) -> dict[str, Node]:
    returns: Node = plain("reference")
    if how == "check_scalar":
        returns = table({"numbers": plain("reference"), "relative": plain(_TOLERANCE)})
    expect: dict[str, Node] = {"expect": table({"returns": returns})}
    return {"args": listing([_as_node(one) for one in args]), **expect} if args else expect


def _as_node(value: Any) -> Node:
    match value:
        case bool():
            return plain("true" if value else "false")
        case None:
            return plain("null")
        case int() | float() if value == value and abs(value) != float("inf"):  # noqa: PLR0124 - NaN is not itself
            return plain(repr(value))
        case str():
            return quoted(escaped(value))
        case list():
            return listing([_as_node(one) for one in value])
        case dict():
            return table({"map": table({str(key): _as_node(one) for key, one in value.items()})})
    raise UnreadTestError(f"the argument {one_line(repr(value), 60)} has no counterpart")


def _with_unique_names(tests: Sequence[dict[str, Node]]) -> Iterator[Node]:
    seen: dict[str, int] = {}
    for test in tests:
        name = str(getattr(test["name"], "text", ""))
        seen[name] = seen.get(name, 0) + 1
        yield table({**test, "name": quoted(f"{name} #{seen[name]}")} if seen[name] > 1 else test)


def _notes(folder: Folder, answer: str, lacking: Sequence[str], *, has_unit: bool) -> Iterator[str]:
    """Yield what could not be carried over as it was."""
    if has_unit:
        yield "Methods that are more than calls are run as they are, by unittest, in the process of the student's code."
    for name, told in (
        ("tests/setup_code.py", "setup_code.py: what it gives to students (names_for_user) is not there"),
        ("tests/leading_code.py", "leading_code.py: it is not put before the student's code"),
        ("tests/trailing_code.py", "trailing_code.py: it is not put behind the student's code"),
        ("server.py", "server.py: parameters of a question that are drawn have no counterpart"),
    ):
        if folder.files.get(name, b"").strip() and not (has_unit and name.startswith("tests/")):
            yield f"Left out: {told}."
    if not answer:
        yield "Reference: there is no tests/ans.py; put a solution below reference/ and name it."
    elif lacking:
        yield f"Reference: tests/ans.py has no {listed(lacking, most=5)}, so it is no solution: put one there."
    yield "The text in question.html is left out: write what students need under `about`."
    yield "Partial credit within a method: each call of one has an equal share of its points."
    yield f"check_scalar: numbers are right within a share of {_TOLERANCE}; the type is not looked at."
