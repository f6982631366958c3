"""A question of PrairieLearn with an external autograder -> a draft, as far as that goes; here, that for Python.

`tests/ans.py` is the reference. The methods of `tests/test.py` are run as they are, as a unit test: its file begins
with `prairielearn_stand_in.py`. A method that needs what is not there becomes a check to be written.
"""

import ast
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.notebook import is_notebook, module_name
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, identifier
from grader.imports import python_values as values
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.projects import is_java_test
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.model import case_label

_FILE_NAMES = re.compile(r"""<pl-file-(?:editor|upload)[^>]*?\bfile-names?\s*=\s*["']([^"']{1,1000})""")
_DEFAULT_FILE, _ANSWER = "user_code.py", "tests/ans.py"
_COURSE_CODE = (_ANSWER, "tests/setup_code.py", "tests/leading_code.py", "tests/trailing_code.py")
_OURS = ("pl_unit_test", "pl_helpers", "code_feedback")
_STAND_IN = Path(__file__).with_name("prairielearn_stand_in.py")
_CONSTANTS = re.compile(r"^STUDENT, GIVEN = .*$", re.MULTILINE)
_FEEDBACK = set(re.findall(r"    def ([a-z]\w+)", _STAND_IN.read_text()))


def import_prairielearn(path: Path, name: str | None = None) -> Imported:
    """Convert the folder of a question; UsageError for another folder, or another way of grading."""
    folder = read_folder(path, "info.json")
    where, info = folder.path / "info.json", folder.json("info.json")
    if not isinstance(info, dict) or info.get("gradingMethod") != "External":
        raise UsageError(f"{where}: only questions with the gradingMethod External can be imported")
    spec_id = identifier(name, folder.path.name)
    title = one_line(str(info.get("title") or spec_id), 100)
    options = info.get("externalGradingOptions")
    image = str(options.get("image", "")) if isinstance(options, dict) else ""
    kind = re.split(r"[:@]", image.rpartition("/")[2])[0]
    origin = f"the question {folder.path.name} of PrairieLearn"
    start = partial(Draft, id=spec_id, title=title, format="prairielearn", origin=origin)
    draft = None
    if kind == "grader-java":
        draft = _read_java(folder, start, _student_files(folder, (".java",)))
    elif kind == "grader-c" and "tests/test.py" in folder.files:
        draft = _read_c(folder, start, lambda: _student_files(folder, (".c", ".cpp", ".cc", ".h", ".hpp")))
    elif not image or "python" in image:
        draft = _read_python(folder, start)
    if not draft:
        raise UsageError(
            f"{where}: the image {one_line(image)!r} is not that of the Python autograder, nor are "
            "the tests those of the C or Java one; begin with grader new --from PROGRAM, whose cases are recorded"
        )
    return to_imported(draft)


def _student_files(folder: Folder, endings: Sequence[str], otherwise: str = "") -> list[str]:
    """Return the names of the files that students hand in, as the question's HTML names them."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    names = [name.strip() for names in _FILE_NAMES.findall(text) for name in names.split(",")]
    safe = dict.fromkeys(safe_path(name) for name in names or [otherwise] if name)
    if not (chosen := [name for name in safe if name.endswith(tuple(endings))]):
        raise UsageError(
            f"{folder.path}: question.html names no file of students that ends with {' or '.join(endings)}; "
            "say it with pl-file-editor or pl-file-upload"
        )
    return chosen


# ---------------------------------------------------------------- Python


def _read_python(folder: Folder, start: partial[Draft]) -> Draft:
    """Read a question for the Python autograder."""
    student = _student_files(folder, (".py", ".ipynb"), _DEFAULT_FILE)[0]
    text = folder.text("tests/test.py")
    tree = values.parse_checked(text, folder.path / "tests/test.py")
    named = {path: PurePosixPath(path).name for path in _beside(folder)}
    beside = [CourseFile(name=name, content=folder.files[path], folder="tests") for path, name in named.items()]
    name, content = f"test_{start.keywords['id'].replace('-', '_')}.py", _unit_file(folder, student, tree)
    unit = {"unittest": CourseFile(name=name, content=content, folder="tests"), "with": beside or None}
    tests = list(_tests_of(tree, text, folder, unit))
    if not tests:
        problem = "has no class of PLTestCase with methods that begin with `test`"
        raise UsageError(f"{folder.path / 'tests/test.py'} {problem}")
    module = module_name(student) if is_notebook(student) else student
    answer = folder.text(_ANSWER) if _ANSWER in folder.files else ""
    own = {*_OURS, "user_code", *(PurePosixPath(path).stem for path in (*named, student)), student.partition("/")[0]}
    packages = values.required_packages([text, *(folder.text(path) for path in named)], own)
    keys: dict[str, Data] = {"requires": packages or None}
    if answer:
        keys["reference"] = ["python3", CourseFile(name=module, content=answer.encode(), folder="reference")]
    details = {
        "as-they-are": any(test.keys for test in tests),
        "drawn": bool(folder.files.get("server.py", b"").strip()),
        "no-answer": not answer,
    }
    return start(
        language="python",
        required=[student],
        program=["python3", module],
        tests=tests,
        keys=keys,
        points=sum(Fraction(test.points or 0) for test in tests),
        losses=losses_where(details),
    )


def _tests_of(tree: ast.Module, text: str, folder: Folder, unit: Mapping[str, Data]) -> Iterator[DraftTest]:
    """Yield a test for each method of the test cases in a file, with what its decorators say."""
    parts = [(top, node) for top in tree.body for node in (top.body if isinstance(top, ast.ClassDef) else [top])]
    around = [node for top, node in parts if node is top or not getattr(node, "name", "").startswith("test")]
    lacking = _lacking(folder)
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        is_case = any("TestCase" in ast.unparse(base) for base in owner.bases)
        functions = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        own = {function.name: function for function in functions if function.name.startswith("test")}
        for name, method in own.items() if is_case else ():
            calls = [call for call in method.decorator_list if isinstance(call, ast.Call) and len(call.args) == 1]
            stated = {ast.unparse(call.func).rpartition(".")[2]: getattr(call.args[0], "value", None) for call in calls}
            worth, title = values.points_in(stated.get("points")), stated.get("name")
            source = ast.get_source_segment(text, method) or ""
            problem = _unknown_feedback([method, *around], tree) or _problem(source, folder) or lacking
            yield DraftTest(
                name=one_line(title, 100) if isinstance(title, str) else name,
                points=1 if worth is None else worth,
                cases=OpenCheck(name=name, reason=problem, source=source) if problem else (),
                keys={} if problem else {"unit": {**unit, "only": [f"{owner.name}.{name}"]}},
            )


def _unknown_feedback(nodes: Sequence[ast.AST], tree: ast.Module) -> str:
    """Return why a method with what stands around the methods cannot be run; empty where all of Feedback is there."""
    imported = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    names = {"Feedback", "feedback", *(alias.asname for alias in imported if alias.name == "Feedback")}
    uses = (use for node in nodes for use in ast.walk(node) if isinstance(use, ast.Attribute))
    used = {use.attr for use in uses if ast.unparse(use.value).rpartition(".")[2] in names} - _FEEDBACK
    return f"`{min(used)}` of Feedback has no counterpart" if used else ""


def _lacking(folder: Folder) -> str:
    """Return why no method can be run; a file beside the test finds nothing of the autograder's."""
    read = ((file, module) for file in _beside(folder) for module in values.imported_names(folder.files[file]))
    own = (f"{file} imports {name}, which is there for tests/test.py alone" for file, name in read if name in _OURS)
    return next(own, "")


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
        if any(module in _OURS for module in (getattr(node, "module", None), *(alias.name for alias in names))):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
            later += [f"{alias.asname} = {alias.name}" for alias in names if alias.asname not in (None, alias.name)]
    server = folder.text("server.py") if "server.py" in folder.files else ""
    stated = re.search(r"names_for_user\W+\[(.*?)\n?\s*\]", server, re.DOTALL)
    given = re.findall(r"""["']name["']\s*:\s*["'](\w+)["']""", stated[1]) if stated else []
    head = _CONSTANTS.sub(lambda _: f"STUDENT, GIVEN = {student!r}, {given!r}", _STAND_IN.read_text())
    return "\n".join([head, *later, *lines, ""]).encode()


def _beside(folder: Folder) -> Sequence[str]:
    """Return the files of the question that its test reads or imports."""
    named = [name for name in _COURSE_CODE if folder.files.get(name, b"").strip()]
    helpers = [f"tests/{module}.py" for module in dict.fromkeys(values.imported_names(folder.text("tests/test.py")))]
    return [*named, *(name for name in helpers if name in folder.files and name not in (*named, "tests/test.py"))]


# ---------------------------------------------------------------- C
# `tests/test.py` is read by `ast` and never run: compilations, and runs that are compared. Loops over known values
# are unrolled; a run that is known only when it is run becomes a check to be written, and a file that does more is
# refused.

_CLASSES = {"CGrader": ("c", "gcc"), "CPPGrader": ("cpp", "g++")}
_ORDERS: Mapping[str, Sequence[str]] = {  # what is called -> its parameters in order
    "test_compile_file": ("c_file", "exec_file", "main_file", "add_c_file", "compiler", "points"),
    "compile_file": ("c_file", "exec_file", "add_c_file", "compiler", "flags"),
    "test_run": ("command", "input", "exp_output", "must_match_all_outputs", "reject_output", "field", "ignore_case"),
}
_RUN = {*_ORDERS["test_run"], "ignore_consec_spaces", "args", "timeout", "max_points", "name"}
# arguments without an effect on points, or with the same one here
_WITHOUT_EFFECT = ("highlight_matches", "msg", "field", "add_warning_result_msg", "ungradable_if_failed", "size_limit")
_COMPILED = {"c_file", "exec_file", "main_file", "add_c_file", "compiler", "points", "flags", "name"}
# of `must_match_all_outputs`: what asks for all texts, and what is read
_ALL, _MATCHES = (True, "all"), (True, "all", False, "any", None)
_MAX_TESTS = 500


@dataclass(slots=True, kw_only=True)
class _Question:
    """What is read of `tests/test.py`."""

    folder: Folder
    compiler: str
    text: str
    build: list[str] = field(default_factory=list)
    products: list[str] = field(default_factory=list)
    given: dict[str, Data] = field(default_factory=dict)
    tests: list[DraftTest] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [1.0])

    def refuse(self, node: ast.AST, reason: object) -> UsageError:
        """Return why a line cannot be carried over."""
        where = f"{self.folder.path / 'tests/test.py'}:{getattr(node, 'lineno', 0)}"
        return UsageError(f"{where}: {reason}; begin with grader new --from PROGRAM, whose cases are recorded")

    def give(self, name: str) -> str:
        """Put a file of the folder `tests` beside the work; return its name there."""
        inner = safe_path(name.removeprefix("/grade/tests/"))
        self.given[inner] = CourseFile(name=inner, content=self.folder.content(f"tests/{inner}"))
        return inner


def _read_c(folder: Folder, start: partial[Draft], student: Callable[[], Sequence[str]]) -> Draft | None:
    """Read a question for the C autograder; None for another, UsageError where it does more than compile and run."""
    text = folder.text("tests/test.py")
    tree = values.parse_checked(text, folder.path / "tests/test.py")
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    owners = {ast.unparse(base).rpartition(".")[2]: owner for owner in classes for base in owner.bases}
    kind = next((name for name in _CLASSES if name in owners), "")
    if not kind:
        return None
    language, compiler = _CLASSES[kind]
    question = _Question(folder=folder, compiler=compiler, text=text)
    functions = [node for node in owners[kind].body if isinstance(node, ast.FunctionDef)]
    body = next((function.body for function in functions if function.name == "tests"), [])
    _read_body(body, values.constants_of(tree.body, {}), question)
    if not question.tests:
        problem = f"the method `tests` of {owners[kind].name} compiles and runs nothing"
        raise UsageError(f"{folder.path / 'tests/test.py'}: {problem}")
    for name in (name for name in folder.below("tests") if name.endswith((".h", ".hpp"))):
        question.give(name)
    build = {"run": question.build, "produces": list(dict.fromkeys(question.products)), "with": question.given or None}
    details = {"output": bool(question.seconds[1:]), "drawn": "server.py" in folder.files}
    return start(
        language=language,
        required=student(),
        program=[f"./{(question.products or ['main'])[0]}"],
        keys={"build": build if question.build else None, "limits": {"time": max(question.seconds)}},
        tests=question.tests,
        losses=losses_where({**details, "no-build": True, "reference": True}),
    )


# ---------------------------------------------------------------- statements


def _read_body(body: Sequence[ast.stmt], names: dict[str, Any], question: _Question) -> None:
    for node in body:
        match node:
            case (
                ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call)
                | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call)
            ):
                _read_call(name, call, names, question)
            case ast.Assign():
                names = values.constants_of([node], names)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.For(orelse=[]):
                for inner in _unroll(node, names, question):
                    _read_body(node.body, inner, question)
            case _:
                raise question.refuse(node, f"{values.source_of(node)} is neither a compilation nor a run")
        if len(question.tests) > _MAX_TESTS:
            raise question.refuse(node, f"there are more than {_MAX_TESTS} tests")


def _unroll(node: ast.For, names: Mapping[str, Any], question: _Question) -> Iterator[dict[str, Any]]:
    """Yield the names that are known in each round of a loop."""
    targets = [name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)]
    try:
        for value in values.value_of(node.iter, names):
            given = list(value) if isinstance(value, list) and len(targets) > 1 else [value]
            yield {**names, **dict(zip(targets, given, strict=True))}
    except (values.UnreadError, TypeError, ValueError) as reason:
        raise question.refuse(node, f"a loop over what is known only when it is run: {reason}") from reason


def _read_call(name: str, call: ast.Call, names: Mapping[str, Any], question: _Question) -> None:
    if name == "test_run":
        question.tests.append(_read_run(call, names, question))
    elif name in _ORDERS:
        try:
            given = values.args_of(call, _ORDERS[name], names, _WITHOUT_EFFECT)
            _compile(given, question, is_test=name == "test_compile_file")
        except values.UnreadError as reason:
            raise question.refuse(call, f"a compilation that has no counterpart: {reason}") from reason
    elif name != "change_mode":
        raise question.refuse(call, f"`self.{name}` has no counterpart")


def _points(value: Any) -> Fraction:
    if (points := values.points_in(value)) is None:
        raise values.UnreadError("its points are no number")
    return points


# ---------------------------------------------------------------- compilations and runs


def _compile(given: Mapping[str, Any], question: _Question, *, is_test: bool) -> None:
    """Add a compilation: the course's files come first, so that their functions count where both have one."""
    if unknown := [name for name in given if name not in _COMPILED and given[name]]:
        raise values.UnreadError(f"`{unknown[0]}` of a compilation has no counterpart")
    if not given.get("exec_file"):
        raise values.UnreadError("it is without exec_file")
    added = [question.give(name) for key in ("add_c_file", "main_file") for name in _texts(given.get(key))]
    sources = [safe_path(name) for name in _texts(given.get("c_file"))]
    product = safe_path(values.as_text(given["exec_file"]))
    words = [values.as_text(given.get("compiler") or question.compiler), *added, *sources, "-o", product, "-lm"]
    flags = given.get("flags") or ""
    line = [shlex.join(words), shlex.join(_texts(flags)) if isinstance(flags, list) else values.as_text(flags)]
    line += ["-Wl,--allow-multiple-definition"] if added else []
    question.build.append(" ".join(filter(None, line)))
    question.products.append(product)
    if is_test:
        case = DraftCase(command=["ls"], expect={"exit": 0, "files": {"present": [product]}})
        name = one_line(values.as_text(given.get("name") or "Compilation"), 100)
        question.tests.append(DraftTest(name=name, points=_points(given.get("points", 1)), cases=[case]))


def _read_run(call: ast.Call, names: Mapping[str, Any], question: _Question) -> DraftTest:
    """Return the test of a run; for a run that cannot be read, a check to be written, with its points if known."""
    name, points = f"Test {len(question.tests) + 1}", Fraction(1)
    stated = next((keyword.value for keyword in call.keywords if keyword.arg == "max_points"), ast.Constant(1))
    try:
        points = _points(values.value_of(stated, names))
        given = values.args_of(call, _ORDERS["test_run"], names, _WITHOUT_EFFECT)
        title = one_line(values.as_text(given.get("name") or name), 100)
        return DraftTest(name=title, points=points, cases=[_case(given, question)])
    except values.UnreadError as reason:
        source = ast.get_source_segment(question.text, call) or ""
        return DraftTest(name=name, points=points, cases=OpenCheck(name=name, reason=str(reason), source=source))


def _case(given: Mapping[str, Any], question: _Question) -> DraftCase:
    """Return the case of a run."""
    how, command, timeout = given.get("must_match_all_outputs"), given.get("command"), given.get("timeout", 1) or 1
    if unknown := [name for name in given if name not in _RUN]:
        raise values.UnreadError(f"`{unknown[0]}` of test_run is not known")
    if how not in _MATCHES:
        problem = "must_match_all_outputs gives a part of the points for each text: write a test for each"
        raise values.UnreadError(problem)
    try:
        words = [*(shlex.split(command) if isinstance(command, str) else _texts(command)), *_texts(given.get("args"))]
    except ValueError as error:
        raise values.UnreadError(f"its command is none: {error}") from error
    if not words or not isinstance(timeout, int | float) or not 0 < timeout < 10**5:
        raise values.UnreadError("its command or its timeout")
    wanted: list[Data] = [_pattern(text, given) for text in _texts(given.get("exp_output"))]
    wanted = [{"any": wanted}] if wanted[1:] and how not in _ALL else wanted
    parts = [*wanted, *({"not": _pattern(text, given)} for text in _texts(given.get("reject_output")))]
    stdout = {"all": parts} if parts[1:] else parts[0] if parts else None
    stdin = None if given.get("input") is None else values.as_text(given["input"])
    question.seconds.append(float(timeout))
    return DraftCase(command=words, stdin=stdin, expect={"stdout": stdout} if parts else {"exit": plain("any")})


def _texts(value: Any) -> list[str]:
    return list(map(values.as_text, value if isinstance(value, list) else [] if value is None else [value]))


def _pattern(text: str, given: Mapping[str, Any]) -> Data:
    """Return what is searched for, as `test_run` makes a pattern of a text."""
    blank = given.get("ignore_consec_spaces", True)
    pattern = r"\s+".join(map(re.escape, re.split(r"\s+", text))) if blank else re.escape(text)
    flags = "(?i)" if given.get("ignore_case", True) else ""
    return {"regex": flags + pattern, "about": f"`{one_line(text.strip(), 200)}`"}


# ---------------------------------------------------------------- Java

_JUNIT = "tests/junit/"
_TAGGED = re.compile(r'@\s*Tag\s*\(\s*"points=(\d{1,6}(?:\.\d{1,6})?)"\s*\)')
_INFO = re.compile(r"@\s*AutograderInfo\s*\(([^()]*(?:\"(?:[^\"\\]|\\.)*\"[^()]*)*)\)")
_INFO_POINTS = re.compile(r"\bpoints\s*=\s*(\d{1,6}(?:\.\d{1,6})?)")
_VALUES = re.compile(r"@\s*(?:ValueSource|CsvSource)\s*\((?:\s*\w+\s*=)?\s*\{(.*?)\}\s*\)", re.DOTALL)
_START = re.compile(r"""\bsource-file-name\s*=\s*["']([^"']{1,200})""")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_DECLARATION = Path(__file__).with_name("AutograderInfo.java")


def _read_java(folder: Folder, start: partial[Draft], student: Sequence[str]) -> Draft:
    """Read a question for the Java autograder; UsageError where it has no tests for JUnit."""
    sources = {name: data for name, data in folder.below(_JUNIT).items() if name.endswith(".java")}
    tests = [name for name in sources if is_java_test(name, sources)]
    if not tests:
        raise UsageError(f"{folder.path}: {_JUNIT} has no tests for JUnit, methods with @Test")
    placed = {name: CourseFile(name=name, content=data, folder="tests") for name, data in sources.items()}
    helpers = [placed[name] for name in sources if name not in tests]
    if any(b"prairielearn.autograder" in data for data in sources.values()):
        name = "org/prairielearn/autograder/AutograderInfo.java"
        helpers.append(CourseFile(name=name, content=_DECLARATION.read_bytes(), folder="tests"))
    jars = [CourseFile(name=f"tests/libs/{name}", content=data) for name, data in folder.below("tests/libs").items()]
    unit: dict[str, Data] = {
        "with": helpers or None,
        "jars": [jar for jar in jars if jar.name.endswith(".jar")] or None,
    }
    solution, place = _solution(folder, student), f"reference/{start.keywords['id']}"
    known = {"libs", *(f"junit/{name}" for name in sources)}
    others = [name for name in folder.below("tests") if not {name, name.partition("/")[0]} & known]
    details = {"other-files": listed(others, most=5), "drawn": "server.py" in folder.files, "libraries": True}
    losses = losses_where({**details, "no-java-solution": not solution})
    written = [_test(placed[name], unit, losses, share=bool(solution)) for name in tests]
    return start(
        language="java",
        required=student,
        program=["java", PurePosixPath(student[0]).stem],
        keys={
            "build": {"run": [f"javac -d . {shlex.join(student)}"], "produces": ["*.class"]},
            "reference": {"files": place} if solution else None,
        },
        tests=written,
        files={f"{place}/{name}": data for name, data in solution.items()},
        losses=losses,
    )


def _solution(folder: Folder, student: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a solution that lies in the question; nothing unless all that are handed in are there."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    start = {safe_path(name.strip()) for name in _START.findall(text)}
    files = {
        wanted: data
        for wanted in student
        for name, data in folder.files.items()
        if PurePosixPath(name).name == PurePosixPath(wanted).name and name not in start and not name.startswith(_JUNIT)
    }
    return files if len(files) == len(student) else {}


def _test(file: CourseFile, unit: Mapping[str, Data], losses: list[Loss], *, share: bool) -> DraftTest:
    """Return the test of a file, with what its methods count."""
    text = bytes(file.content).decode("utf-8", "replace") if isinstance(file.content, bytes) else ""
    code, uncommented = masked_java(text), masked_java(text, texts=False)
    usual = Fraction(next(iter(_TAGGED.findall(uncommented[: code.find("class ")])), 1))
    weights, counts = dict[str, Fraction](), dict[str, int]()
    for method in find_java_methods(text):
        if not method.idle and method.place >= 0:
            heading = uncommented[method.start : method.place]
            label = case_label(method.name, file.name)
            counts[label] = _count_values(heading)
            weights[label] = _points_of(heading, usual) * (counts[label] or 1)
    unknown = [label for label, count in counts.items() if not count]
    name = PurePosixPath(file.name)
    if unknown:
        losses.append(Loss(rule="unknown-values", where=name.name, detail=listed(unknown, most=5)))
    losses += [Loss(rule="maxpoints", where=name.name)] if "maxpoints=" in uncommented else []
    keys = {
        "junit": file,
        **unit,
        "weights": weights if len(set(weights.values())) > 1 else None,
        "values": "share" if share and any(count != 1 for count in counts.values()) else None,
    }
    return DraftTest(name=name.stem, points=sum(weights.values(), Fraction(0)), keys={"unit": keys})


def _points_of(heading: str, usual: Fraction) -> Fraction:
    """Return the points of a method for each of its values; the annotation of the autograder comes first, as there."""
    info = _INFO.search(heading)
    stated = _INFO_POINTS.findall(_TEXT.sub('""', info[1])) if info else []
    amounts = [*(amount for amount in stated if float(amount) > 0), *_TAGGED.findall(heading)]
    return Fraction(amounts[0]) if amounts else usual


def _count_values(heading: str) -> int:
    """Return how often a method is run; 0 where that is not known without running it."""
    if not re.search("ParameterizedTest|TestFactory|RepeatedTest", heading):
        return 1
    match = _VALUES.search(heading)
    return sum(bool(value.strip()) for value in _TEXT.sub("x", match[1]).split(",")) if match else 0
