"""A question of PrairieLearn with an external autograder -> a draft, as far as that goes; here, that for Python.

`tests/ans.py` is the reference. The methods of `tests/test.py` are run as they are, as a unit test: its file begins
with `prairielearn_stand_in.py`. A method that needs what is not there becomes a check to be written.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.notebook import is_notebook, module_name
from grader.core.text import one_line
from grader.imports import Imported, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftTest, Loss, OpenCheck
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.prairielearn_others import read_c_question, read_java_question
from grader.imports.python_source import imported_names, required_packages
from grader.imports.python_values import parse_checked
from grader.imports.writer import to_imported

_FILE_NAMES = re.compile(r"""<pl-file-(?:editor|upload)[^>]*?\bfile-names?\s*=\s*["']([^"']{1,1000})""")
_DEFAULT_FILE = "user_code.py"
_ANSWER = "tests/ans.py"
_COURSE_CODE = (_ANSWER, "tests/setup_code.py", "tests/leading_code.py", "tests/trailing_code.py")
_OURS = ("pl_unit_test", "pl_helpers", "code_feedback")
_STAND_IN = Path(__file__).with_name("prairielearn_stand_in.py")
_CONSTANTS = re.compile(r"^STUDENT, GIVEN = .*$", re.MULTILINE)
_FEEDBACK = set(re.findall(r"    def ([a-z]\w+)", _STAND_IN.read_text()))
_MAX_POINTS = 10_000


def import_prairielearn(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of a question to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such question, or is graded in another way.
    """
    folder = read_folder(path, "info.json")
    where, info = folder.path / "info.json", folder.json("info.json")
    if not isinstance(info, dict) or info.get("gradingMethod") != "External":
        raise UsageError(f"{where}: only questions with the gradingMethod External can be imported")
    found = identifier(name, folder.path.name)
    title = one_line(str(info.get("title") or found), 100)
    options = info.get("externalGradingOptions")
    image = str(options.get("image", "")) if isinstance(options, dict) else ""
    kind = re.split(r"[:@]", image.rpartition("/")[2])[0]
    draft = None
    if kind == "grader-java":
        draft = read_java_question(folder, found, title, _student_files(folder, (".java",)))
    elif kind == "grader-c" and "tests/test.py" in folder.files:
        endings = (".c", ".cpp", ".cc", ".h", ".hpp")
        draft = read_c_question(folder, found, title, lambda: _student_files(folder, endings))
    elif not image or "python" in image:
        draft = _read_python(folder, found, title)
    if not draft:
        raise UsageError(
            f"{where}: the image {one_line(image)!r} is not that of the Python autograder, nor are "
            "the tests those of the C or Java one; begin with grader new --from PROGRAM, whose cases are recorded"
        )
    return to_imported(draft)


def _student_files(folder: Folder, endings: Sequence[str], otherwise: str = "") -> list[str]:
    """Return the names of the files that students hand in, which the question's HTML tells."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    names = [name.strip() for names in _FILE_NAMES.findall(text) for name in names.split(",")]
    found = dict.fromkeys(safe_path(name) for name in names or [otherwise] if name)
    if not (chosen := [name for name in found if name.endswith(tuple(endings))]):
        raise UsageError(
            f"{folder.path}: question.html names no file of students that ends with {' or '.join(endings)}; "
            "say it with pl-file-editor or pl-file-upload"
        )
    return chosen


# ---------------------------------------------------------------- Python


def _read_python(folder: Folder, found: str, title: str) -> Draft:
    """Read a question for the Python autograder."""
    student = _student_files(folder, (".py", ".ipynb"), _DEFAULT_FILE)[0]
    text = folder.text("tests/test.py")
    tree = parse_checked(text, folder.path / "tests/test.py")
    named = {one: PurePosixPath(one).name for one in _beside(folder)}
    beside = [CourseFile(name=name, content=folder.files[one], folder="tests") for one, name in named.items()]
    name, content = f"test_{found.replace('-', '_')}.py", _unit_file(folder, student, tree)
    unit = {"unittest": CourseFile(name=name, content=content, folder="tests"), "with": beside or None}
    tests = list(_tests_of(tree, text, folder, unit))
    if not tests:
        raise UsageError(
            f"{folder.path / 'tests/test.py'} has no class of PLTestCase with methods that begin with `test`"
        )
    module = module_name(student) if is_notebook(student) else student
    answer = folder.text(_ANSWER) if _ANSWER in folder.files else ""
    keys: dict[str, Data] = {"requires": _packages(text, folder, student) or None}
    if answer:
        keys["reference"] = ["python3", CourseFile(name=module, content=answer.encode(), folder="reference")]
    told = {
        "as-they-are": any(test.keys for test in tests),
        "drawn": folder.files.get("server.py", b"").strip(),
        "no-answer": not answer,
        "text": True,
    }
    return Draft(
        id=found,
        format="prairielearn",
        origin=f"the question {folder.path.name} of PrairieLearn",
        language="python",
        title=title,
        required=[student],
        program=["python3", module],
        tests=tests,
        keys=keys,
        points=sum(Fraction(test.points or 0) for test in tests),
        losses=[Loss(rule=rule) for rule, holds in told.items() if holds],
    )


def _tests_of(tree: ast.Module, text: str, folder: Folder, unit: Mapping[str, Data]) -> Iterator[DraftTest]:
    """Yield a test for each method of the test cases in a file, with what its decorators say."""
    parts = [(top, one) for top in tree.body for one in (top.body if isinstance(top, ast.ClassDef) else [top])]
    around = [one for top, one in parts if one is top or not getattr(one, "name", "").startswith("test")]
    lacking = _lacking(folder)
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        is_case = any("TestCase" in ast.unparse(base) for base in owner.bases)
        own = {one.name: one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test")}
        for name, method in own.items() if is_case else ():
            calls = [call for call in method.decorator_list if isinstance(call, ast.Call) and len(call.args) == 1]
            said: dict[str, Any] = {
                ast.unparse(call.func).rpartition(".")[2]: getattr(call.args[0], "value", None) for call in calls
            }
            worth, title = said.get("points"), said.get("name")
            is_known = isinstance(worth, int | float) and not isinstance(worth, bool) and 0 <= worth <= _MAX_POINTS
            source = ast.get_source_segment(text, method) or ""
            problem = _unknown_feedback([method, *around], tree) or _problem(source, folder) or lacking
            yield DraftTest(
                name=one_line(title, 100) if isinstance(title, str) else name,
                points=Fraction(str(worth)) if is_known else 1,
                cases=OpenCheck(name=name, reason=problem, source=source) if problem else (),
                keys={} if problem else {"unit": {**unit, "only": [f"{owner.name}.{name}"]}},
            )


def _unknown_feedback(nodes: Sequence[ast.AST], tree: ast.Module) -> str:
    """Return why a method with what stands around the methods cannot be run; empty where all of Feedback is there."""
    imported = [one for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names]
    names = {"Feedback", "feedback", *(one.asname for one in imported if one.name == "Feedback")}
    every = (one for node in nodes for one in ast.walk(node) if isinstance(one, ast.Attribute))
    used = {one.attr for one in every if ast.unparse(one.value).rpartition(".")[2] in names} - _FEEDBACK
    return f"`{min(used)}` of Feedback has no counterpart" if used else ""


def _lacking(folder: Folder) -> str:
    """Return why no method can be run; a file beside the test finds nothing of the autograder's."""
    own = ((one, name) for one in _beside(folder) for name in imported_names(folder.files[one]) if name in _OURS)
    return next((f"{one} imports {name}, which is there for tests/test.py alone" for one, name in own), "")


def _problem(source: str, folder: Folder) -> str:
    """Return why a method cannot be run as it is; empty where it can."""
    problems = {
        "it opens a file": re.search(r"(?<!\.)\bopen\(", source),
        "it looks at drawn parameters or a plot": re.search(r"\bself\.(?:data|plt|iter_num)\b", source),
        "there is no tests/ans.py": _ANSWER not in folder.files and re.search(r"\bself\.ref\b", source),
    }
    return next((problem for problem, holds in problems.items() if holds), "")


def _unit_file(folder: Folder, student: str, tree: ast.Module) -> bytes:
    """Return the test file of a question with what stands in for the autograder in front of it."""
    lines = folder.text("tests/test.py").splitlines()
    later: list[str] = []
    for node in tree.body:
        names = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
        if any(one in _OURS for one in (getattr(node, "module", None), *(one.name for one in names))):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
            later += [f"{one.asname} = {one.name}" for one in names if one.asname and one.asname != one.name]
    server = folder.text("server.py") if "server.py" in folder.files else ""
    stated = re.search(r"names_for_user\W+\[(.*?)\n?\s*\]", server, re.DOTALL)
    given = re.findall(r"""["']name["']\s*:\s*["'](\w+)["']""", stated[1]) if stated else []
    head = _CONSTANTS.sub(lambda _: f"STUDENT, GIVEN = {student!r}, {given!r}", _STAND_IN.read_text())
    return "\n".join([head, *later, *lines, ""]).encode()


def _beside(folder: Folder) -> Sequence[str]:
    """Return the files of the question that its test reads or imports."""
    named = [one for one in _COURSE_CODE if folder.files.get(one, b"").strip()]
    helpers = [f"tests/{one}.py" for one in dict.fromkeys(imported_names(folder.text("tests/test.py")))]
    return [*named, *(one for one in helpers if one in folder.files and one not in (*named, "tests/test.py"))]


def _packages(text: str, folder: Folder, student: str) -> list[str]:
    """Return the packages that the test and the files of the course beside it import."""
    named = _beside(folder)
    own = {*_OURS, "user_code", *(PurePosixPath(one).stem for one in (*named, student)), student.partition("/")[0]}
    return required_packages([text, *(folder.text(one) for one in named)], own)
