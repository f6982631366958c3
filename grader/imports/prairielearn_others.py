"""Questions of PrairieLearn for its autograders of C (`cgrader`) and Java -> a draft.

Of a question in C, `tests/test.py` is read by `ast` and never run: compilations, and runs that are compared. Loops over
known values are unrolled; a run that is known only when it is run becomes a check to be written, and a file that does
more than to compile and run is refused. The tests for JUnit of a question in Java are unit tests as they are. `points`
come from `@Tag("points=2")` and `@AutograderInfo(points = 2)`, as there; each value of a method counts as much.
"""

import ast
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.folder import Folder, safe_path
from grader.imports.java_projects import is_java_test
from grader.imports.python_values import UnreadError, args_of, as_text, constants_of, parse_checked, source_of, value_of
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.model import case_label

_CLASSES = {"CGrader": ("c", "gcc"), "CPPGrader": ("cpp", "g++")}
_ORDERS: Mapping[str, Sequence[str]] = {
    "test_compile_file": ("c_file", "exec_file", "main_file", "add_c_file", "compiler", "points"),
    "compile_file": ("c_file", "exec_file", "add_c_file", "compiler", "flags"),
    "test_run": ("command", "input", "exp_output", "must_match_all_outputs", "reject_output", "field", "ignore_case"),
}
"""what is called -> its parameters in order"""
_RUN = {*_ORDERS["test_run"], "ignore_consec_spaces", "args", "timeout", "max_points", "name"}
_WITHOUT_EFFECT = ("highlight_matches", "msg", "field", "add_warning_result_msg", "ungradable_if_failed", "size_limit")
"""arguments without an effect on points, or with the same one here"""
_COMPILED = {"c_file", "exec_file", "main_file", "add_c_file", "compiler", "points", "flags", "name"}
_ALL, _MATCHES = (True, "all"), (True, "all", False, "any", None)
"""of `must_match_all_outputs`: what asks for all texts, and what is read"""
_MAX_TESTS = 500
_MAX_POINTS = 10**6


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
        self.given[inner] = {"file": CourseFile(name=inner, content=self.folder.content(f"tests/{inner}"))}
        return inner


def read_c_question(folder: Folder, found: str, title: str, student: Callable[[], Sequence[str]]) -> Draft | None:
    """Read a question for the C autograder; None where its test has no class of `cgrader`.

    Raises UsageError for a test that does more than to compile and run.
    """
    text = folder.text("tests/test.py")
    tree = parse_checked(text, folder.path / "tests/test.py")
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    owners = {ast.unparse(base).rpartition(".")[2]: one for one in classes for base in one.bases}
    kind = next((name for name in _CLASSES if name in owners), "")
    if not kind:
        return None
    language, compiler = _CLASSES[kind]
    made = _Question(folder=folder, compiler=compiler, text=text)
    body = next((one.body for one in owners[kind].body if isinstance(one, ast.FunctionDef) and one.name == "tests"), [])
    _read_body(body, constants_of(tree.body, {}), made)
    if not made.tests:
        raise UsageError(
            f"{folder.path / 'tests/test.py'}: the method `tests` of {owners[kind].name} compiles and runs nothing"
        )
    for name in folder.below("tests"):
        if name.endswith((".h", ".hpp")):
            made.give(name)
    build = {"run": made.build, "produces": list(dict.fromkeys(made.products)), "with": made.given or None}
    rules = {"output": made.seconds[1:], "drawn": "server.py" in folder.files, "no-build": True, "reference": True}
    return Draft(
        id=found,
        format="prairielearn",
        origin=f"the question {folder.path.name} of PrairieLearn",
        language=language,
        title=title,
        required=student(),
        program=[f"./{(made.products or ['main'])[0]}"],
        keys={"build": build if made.build else None, "limits": {"time": max(made.seconds)}},
        tests=made.tests,
        losses=[Loss(rule=rule) for rule, holds in {**rules, "text": True}.items() if holds],
    )


# ---------------------------------------------------------------- statements


def _read_body(body: Sequence[ast.stmt], names: dict[str, Any], made: _Question) -> None:
    for node in body:
        match node:
            case (
                ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call)
                | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call)
            ):
                _read_call(name, call, names, made)
            case ast.Assign():
                names = constants_of([node], names)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.For(orelse=[]):
                for inner in _unrolled(node, names, made):
                    _read_body(node.body, inner, made)
            case _:
                raise made.refuse(node, f"{source_of(node)} is neither a compilation nor a run")
        if len(made.tests) > _MAX_TESTS:
            raise made.refuse(node, f"there are more than {_MAX_TESTS} tests")


def _unrolled(node: ast.For, names: Mapping[str, Any], made: _Question) -> Iterator[dict[str, Any]]:
    """Yield the names that are known in each round of a loop."""
    targets = [one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)]
    try:
        for value in value_of(node.iter, names):
            given = list(value) if isinstance(value, list) and len(targets) > 1 else [value]
            yield {**names, **dict(zip(targets, given, strict=True))}
    except (UnreadError, TypeError, ValueError) as reason:
        raise made.refuse(node, f"a loop over what is known only when it is run: {reason}") from reason


def _read_call(name: str, call: ast.Call, names: Mapping[str, Any], made: _Question) -> None:
    if name == "change_mode":
        return
    if name not in _ORDERS:
        raise made.refuse(call, f"`self.{name}` has no counterpart")
    given: Mapping[str, Any] = {}
    try:
        given = args_of(call, _ORDERS[name], names, _WITHOUT_EFFECT)
        if name == "test_run":
            made.tests.append(_run(given, made))
        else:
            _compile(given, made, is_test=name == "test_compile_file")
    except UnreadError as reason:
        if name != "test_run":
            raise made.refuse(call, f"a compilation that has no counterpart: {reason}") from reason
        title = f"Test {len(made.tests) + 1}"
        check = OpenCheck(name=title, reason=str(reason), source=ast.get_source_segment(made.text, call) or "")
        made.tests.append(DraftTest(name=title, points=_points(_stated_points(given, call, names), 1), cases=check))


def _stated_points(given: Mapping[str, Any], call: ast.Call, names: Mapping[str, Any]) -> Any:
    """Return the points of a run that cannot be carried over, also where its other arguments are not known."""
    stated = next((one.value for one in call.keywords if one.arg == "max_points"), None)
    if given or stated is None:
        return given.get("max_points")
    try:
        return value_of(stated, names)
    except UnreadError:
        return None


def _points(value: Any, otherwise: int | None = None) -> Fraction:
    if type(value) in (int, float) and 0 <= value <= _MAX_POINTS:
        return Fraction(str(value))
    if otherwise is None:
        raise UnreadError("its points are no number")
    return Fraction(otherwise)


# ---------------------------------------------------------------- compilations and runs


def _compile(given: Mapping[str, Any], made: _Question, *, is_test: bool) -> None:
    """Add a compilation: the course's files come first, so that their functions count where both have one."""
    if other := [name for name in given if name not in _COMPILED and given[name]]:
        raise UnreadError(f"`{other[0]}` of a compilation has no counterpart")
    if not given.get("exec_file"):
        raise UnreadError("it is without exec_file")
    added = [made.give(name) for key in ("add_c_file", "main_file") for name in _texts(given.get(key))]
    sources = [safe_path(name) for name in _texts(given.get("c_file"))]
    product = safe_path(as_text(given["exec_file"]))
    words = [as_text(given.get("compiler") or made.compiler), *added, *sources, "-o", product, "-lm"]
    flags = given.get("flags") or ""
    line = [shlex.join(words), shlex.join(_texts(flags)) if isinstance(flags, list) else as_text(flags)]
    line += ["-Wl,--allow-multiple-definition"] if added else []
    made.build.append(" ".join(filter(None, line)))
    made.products.append(product)
    if is_test:
        case = DraftCase(command=["ls"], expect={"exit": 0, "files": {"present": [product]}})
        name = one_line(as_text(given.get("name") or "Compilation"), 100)
        made.tests.append(DraftTest(name=name, points=_points(given.get("points", 1)), cases=[case]))


def _run(given: Mapping[str, Any], made: _Question) -> DraftTest:
    """Return the test of a run."""
    how = given.get("must_match_all_outputs")
    if other := [name for name in given if name not in _RUN]:
        raise UnreadError(f"`{other[0]}` of test_run is not known")
    if how not in _MATCHES:
        raise UnreadError("must_match_all_outputs gives a part of the points for each text: write a test for each")
    command, timeout = given.get("command"), given.get("timeout", 1) or 1
    try:
        words = [*(shlex.split(command) if isinstance(command, str) else _texts(command)), *_texts(given.get("args"))]
    except ValueError as error:
        raise UnreadError(f"its command is none: {error}") from error
    if not words or not isinstance(timeout, int | float) or not 0 < timeout < 10**5:
        raise UnreadError("its command or its timeout")
    wanted: list[Data] = [_pattern(one, given) for one in _texts(given.get("exp_output"))]
    wanted = [{"any": wanted}] if wanted[1:] and how not in _ALL else wanted
    parts = [*wanted, *({"not": _pattern(one, given)} for one in _texts(given.get("reject_output")))]
    stdout = {"all": parts} if parts[1:] else parts[0] if parts else None
    case = DraftCase(
        command=words,
        stdin=None if given.get("input") is None else as_text(given["input"]),
        expect={"stdout": stdout} if parts else {"exit": plain("any")},
    )
    name = one_line(as_text(given.get("name") or f"Test {len(made.tests) + 1}"), 100)
    test = DraftTest(name=name, points=_points(given.get("max_points", 1)), cases=[case])
    made.seconds.append(float(timeout))
    return test


def _texts(value: Any) -> list[str]:
    return [as_text(one) for one in value] if isinstance(value, list) else [] if value is None else [as_text(value)]


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


def read_java_question(folder: Folder, found: str, title: str, student: Sequence[str]) -> Draft:
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
        "jars": [one for one in jars if one.name.endswith(".jar")] or None,
    }
    solution = _solution(folder, student)
    known = {"libs", *(f"junit/{name}" for name in sources)}
    others = [name for name in folder.below("tests") if not {name, name.partition("/")[0]} & known]
    told = {"other-files": others, "drawn": "server.py" in folder.files, "libraries": True}
    told |= {"no-java-solution": not solution, "text": True}
    losses = [Loss(rule=rule, detail=listed(others, most=5)) for rule, holds in told.items() if holds]
    written = [_test(placed[name], unit, losses, share=bool(solution)) for name in tests]
    return Draft(
        id=found,
        format="prairielearn",
        origin=f"the question {folder.path.name} of PrairieLearn",
        language="java",
        title=title,
        required=student,
        program=["java", PurePosixPath(student[0]).stem],
        keys={
            "build": {"run": [f"javac -d . {shlex.join(student)}"], "produces": ["*.class"]},
            "reference": {"files": f"reference/{found}"} if solution else None,
        },
        tests=written,
        files={f"reference/{found}/{name}": data for name, data in solution.items()},
        losses=losses,
    )


def _solution(folder: Folder, student: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a solution that lies in the question; nothing unless all that are handed in are there."""
    text = folder.text("question.html") if "question.html" in folder.files else ""
    start = {safe_path(name.strip()) for name in _START.findall(text)}
    found = {
        wanted: data
        for wanted in student
        for name, data in folder.files.items()
        if PurePosixPath(name).name == PurePosixPath(wanted).name and name not in start and not name.startswith(_JUNIT)
    }
    return found if len(found) == len(student) else {}


def _test(file: CourseFile, unit: Mapping[str, Data], losses: list[Loss], *, share: bool) -> DraftTest:
    """Return the test of a file, with what its methods count."""
    text = bytes(file.content).decode("utf-8", "replace") if isinstance(file.content, bytes) else ""
    code, uncommented = masked_java(text), masked_java(text, texts=False)
    head = uncommented[: code.find("class ")]
    usual = _TAGGED.search(head)
    weights: dict[str, Fraction] = {}
    counts: dict[str, int] = {}
    for method in find_java_methods(text):
        if not method.idle and method.place >= 0:
            heading = uncommented[method.start : method.place]
            label = case_label(method.name, file.name)
            counts[label] = _count_values(heading)
            worth = _points_of(heading, Fraction(usual[1]) if usual else Fraction(1))
            weights[label] = worth * (counts[label] or 1)
    unknown = [label for label, count in counts.items() if not count]
    name = PurePosixPath(file.name)
    if unknown:
        losses.append(Loss(rule="unknown-values", where=name.name, detail=listed(unknown, most=5)))
    if "maxpoints=" in uncommented:
        losses.append(Loss(rule="maxpoints", where=name.name))
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
    stated = _INFO_POINTS.search(_TEXT.sub('""', info[1])) if info else None
    if stated and float(stated[1]) > 0:
        return Fraction(stated[1])
    tag = _TAGGED.search(heading)
    return Fraction(tag[1]) if tag else usual


def _count_values(heading: str) -> int:
    """Return how often a method is run; 0 where that is not known without running it."""
    if not re.search("ParameterizedTest|TestFactory|RepeatedTest", heading):
        return 1
    found = _VALUES.search(heading)
    return sum(bool(one.strip()) for one in _TEXT.sub("x", found[1]).split(",")) if found else 0
