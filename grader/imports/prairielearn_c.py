"""A question of PrairieLearn for its C autograder (`cgrader`) -> a spec: compilations, and runs that are compared.

`tests/test.py` is read by `ast` and never run. Loops over known values are unrolled; what is known only when it is run
becomes a check to be written, and a file that does more than to compile and run is refused.
"""

import ast
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, text_or_word
from grader.imports.check50_values import CheckNames, UnreadCheckError, WrittenFile, value_of
from grader.imports.folder import Folder, safe_path
from grader.imports.to_do import ToDo

_CLASSES = {"CGrader": ("c", "gcc"), "CPPGrader": ("cpp", "g++")}
_COMPILE = ("test_compile_file", "compile_file")
_RUN = ("test_run", "test_send_in_check_out")
_RUN_ORDER = ("command", "input", "exp_output", "must_match_all_outputs", "reject_output", "field", "ignore_case")
_COMPILE_ORDER = ("c_file", "exec_file", "main_file", "add_c_file", "compiler", "points")
_PLAIN_ORDER = ("c_file", "exec_file", "add_c_file", "compiler", "flags")
_HARMLESS = {
    "highlight_matches",
    "msg",
    "field",
    "name",
    "add_warning_result_msg",
    "ungradable_if_failed",
    "size_limit",
}
"""arguments without an effect on points, or with the same one here"""
_SANITIZER = "-fsanitize=address -static-libasan -g -O0"
_TESTS = "/grade/tests/"
_MAX_TESTS = 500


@dataclass(slots=True, kw_only=True)
class _Question:
    """What is read of `tests/test.py`."""

    id: str
    folder: Folder
    compiler: str
    to_do: ToDo
    text: str
    build: list[str] = field(default_factory=list)
    products: list[str] = field(default_factory=list)
    given: dict[str, Node] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    tests: list[dict[str, Node]] = field(default_factory=list)
    seconds: set[float] = field(default_factory=set)
    has_output: bool = False
    """whether what is written is compared"""

    def refuse(self, node: ast.AST, reason: str) -> UsageError:
        """Return why a line cannot be carried over."""
        line = getattr(node, "lineno", 0)
        return UsageError(
            f"{self.folder.path / 'tests/test.py'}:{line}: {reason}; begin with grader new --from PROGRAM, whose cases "
            "are recorded"
        )

    def give(self, name: str) -> str:
        """Put a file of the folder `tests` beside the work; return its name there."""
        inner = safe_path(name.removeprefix(_TESTS))
        place = f"data/{self.id}/{inner}"
        self.files[place] = self.folder.content(f"tests/{inner}")
        self.given[inner] = table({"file": text_or_word(place)})
        return inner


def read_c_question(folder: Folder, found: str, title: str, student: Callable[[], Sequence[str]]) -> Imported | None:
    """Convert a question for the C autograder; None where its test has no class of `cgrader`.

    Raises UsageError for a test that does more than to compile and run.
    """
    text = folder.text("tests/test.py")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{folder.path / 'tests/test.py'} is not Python: {one_line(str(error))}") from error
    bases = [(one, base) for one in tree.body if isinstance(one, ast.ClassDef) for base in one.bases]
    kinds = [(one, name) for one, base in bases if (name := ast.unparse(base).rpartition(".")[2]) in _CLASSES]
    if not kinds:
        return None
    owner, kind = kinds[0]
    language, compiler = _CLASSES[kind]
    made = _Question(id=found, folder=folder, compiler=compiler, to_do=ToDo(file=f"data/{found}/to_do.py"), text=text)
    scope = CheckNames(folder=folder)
    for one in tree.body:
        if isinstance(one, ast.Assign):
            scope = _assign(one, scope)
    body = next((one.body for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == "tests"), [])
    _read_body(body, scope, made)
    if not made.tests:
        raise UsageError(
            f"{folder.path / 'tests/test.py'}: the method `tests` of {owner.name} compiles and runs nothing"
        )
    return Imported(
        id=found,
        spec=_spec(made, language, title, student()),
        files={**made.files, **made.to_do.files()},
        origin=f"the question {folder.path.name} of PrairieLearn",
        notes=[*made.to_do.notes(), *_notes(made, folder)],
    )


def _spec(made: _Question, language: str, title: str, student: Sequence[str]) -> dict[str, Node]:
    for name in made.folder.below("tests"):
        if name.endswith((".h", ".hpp")) and name not in made.given:
            made.give(name)
    keys = first_keys(made.id, language, title=title, required=student)
    if made.build:
        build: dict[str, Node] = {
            "run": listing(list(map(text_or_word, made.build))),
            "produces": listing(list(map(quoted, dict.fromkeys(made.products)))),
        }
        keys["build"] = table({**build, **({"with": table(made.given)} if made.given else {})})
    keys["program"] = listing([text_or_word(f"./{(made.products or ['main'])[0]}")])
    keys["limits"] = table({"time": plain(f"{max(made.seconds, default=1):g} s")})
    return {**keys, "tests": listing([table(test) for test in made.tests])}


def _notes(made: _Question, folder: Folder) -> Iterator[str]:
    if made.has_output:
        yield "test_run: standard output is searched, there standard error with it; a signal fails a case here."
    if "server.py" in folder.files:
        yield "Left out: server.py: parameters of a question that are drawn have no counterpart."
    yield "When it does not compile, every test fails; there the submission is not graded."
    yield "Reference: put a solution below reference/ and name it."
    yield "The text in question.html is left out: write what students need under `about`."


# ---------------------------------------------------------------- statements


def _assign(node: ast.Assign, scope: CheckNames) -> CheckNames:
    """Return the names behind an assignment; a value that is known only when it is run leaves its name unknown."""
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return scope
    name = node.targets[0].id
    try:
        return replace(scope, names={**scope.names, name: value_of(node.value, scope)})
    except UnreadCheckError:
        return replace(scope, names={key: value for key, value in scope.names.items() if key != name})


def _read_body(body: Sequence[ast.stmt], scope: CheckNames, made: _Question) -> CheckNames:
    for statement in body:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"))) as call):
                _read_call(call, scope, made)
            case ast.Assign():
                scope = _assign(statement, scope)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"))) as call):
                _read_call(call, scope, made)
            case ast.For(orelse=[]):
                _unroll(statement, scope, made)
            case _:
                raise made.refuse(
                    statement, f"`{one_line(ast.unparse(statement), 80)}` is neither a compilation nor a run"
                )
        if len(made.tests) > _MAX_TESTS:
            raise made.refuse(statement, f"there are more than {_MAX_TESTS} tests")
    return scope


def _unroll(node: ast.For, scope: CheckNames, made: _Question) -> None:
    try:
        values = value_of(node.iter, scope)
    except UnreadCheckError as reason:
        raise made.refuse(node, f"a loop over what is known only when it is run: {reason}") from reason
    if not isinstance(values, list | str | dict):
        raise made.refuse(node, "a loop over what is known only when it is run")
    names = [one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)]
    for value in values:
        given = list(value) if isinstance(value, list | tuple) and len(names) > 1 else [value]
        if len(given) != len(names):
            raise made.refuse(node, "a loop whose values are not as many as its names")
        _read_body(node.body, replace(scope, names={**scope.names, **dict(zip(names, given, strict=True))}), made)


def _read_call(call: ast.Call, scope: CheckNames, made: _Question) -> None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in _COMPILE:
        try:
            given = _arguments(call, _COMPILE_ORDER if name == _COMPILE[0] else _PLAIN_ORDER, scope)
            _compile(call, given, made, is_test=name == _COMPILE[0])
        except UnreadCheckError as reason:
            raise made.refuse(call, f"a compilation that is known only when it is run: {reason}") from reason
    elif name in _RUN:
        title = f"Test {len(made.tests) + 1}"
        try:
            made.tests += _run(_arguments(call, _RUN_ORDER, scope), made)
        except UnreadCheckError as reason:
            source = ast.get_source_segment(made.text, call) or ""
            made.tests.append({"name": quoted(title), "expect": made.to_do.expect(title, str(reason), source)})
    elif name != "change_mode":
        raise made.refuse(call, f"`self.{name}` has no counterpart")


def _arguments(call: ast.Call, order: Sequence[str], scope: CheckNames) -> dict[str, Any]:
    """Return the arguments of a call by their names; those without an effect are not looked at."""
    named = [*zip(order, call.args, strict=False), *((one.arg or "**", one.value) for one in call.keywords)]
    if len(call.args) > len(order) or any(isinstance(one, ast.Starred) for one in call.args):
        raise UnreadCheckError("its arguments are known only when it is run")
    found: dict[str, Any] = {}
    for name, value in named:
        if name not in _HARMLESS - {"name"}:
            found[name] = value_of(value, scope)
            if any(isinstance(one, WrittenFile) for one in (found[name], *_items(found[name]))):
                raise UnreadCheckError(f"`{ast.unparse(value)[:80]}` is a file that is read when it is run")
    return found


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


# ---------------------------------------------------------------- compilations and runs


def _names(value: Any) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value])] if value else []


def _flags(value: Any) -> str:
    return shlex.join(_names(value)) if isinstance(value, list) else str(value or "")


def _compile(call: ast.Call, given: dict[str, Any], made: _Question, *, is_test: bool) -> None:
    """Add a compilation: the course's files come first, so that their functions count where both have one."""
    known = {"c_file", "exec_file", "main_file", "add_c_file", "compiler", "points", "flags", "enable_asan", "name"}
    if other := [name for name in given if name not in known and given[name]]:
        raise made.refuse(call, f"`{other[0]}` of a compilation has no counterpart")
    if not given.get("exec_file"):
        raise made.refuse(call, "a compilation without exec_file has no counterpart")
    added = [made.give(name) for name in (*_names(given.get("add_c_file")), *_names(given.get("main_file")))]
    sources = [safe_path(name) for name in _names(given.get("c_file"))]
    product = safe_path(str(given["exec_file"]))
    words = [str(given.get("compiler") or made.compiler), *added, *sources, "-o", product, "-lm"]
    flags = [_flags(given.get("flags")), _SANITIZER if given.get("enable_asan") else ""]
    flags += ["-Wl,--allow-multiple-definition"] if added else []
    made.build.append(" ".join([shlex.join(words), *filter(None, flags)]))
    made.products.append(product)
    if is_test:
        present = table({"present": listing([text_or_word(product)])})
        title = one_line(str(given.get("name") or "Compilation"), 100)
        keys = {"name": _title(title, made), "points": _points(given.get("points", 1))}
        made.tests.append(
            {**keys, "command": listing([plain("ls")]), "expect": table({"exit": plain("0"), "files": present})}
        )


def _points(value: Any) -> Node:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 10**6:
        raise UnreadCheckError("its points are no number")
    return plain(points(Fraction(str(value))))


def _title(title: str, made: _Question) -> Node:
    same = sum(str(getattr(test["name"], "text", "")).partition(" #")[0] == title for test in made.tests)
    return quoted(f"{title} #{same + 1}" if same else title)


def _run(given: Mapping[str, Any], made: _Question) -> list[dict[str, Node]]:
    """Return the tests of a run, which is one, or one for each text where each has a part of the points."""
    known = {*_RUN_ORDER, "ignore_consec_spaces", "args", "timeout", "max_points", "name"}
    if other := [name for name in given if name not in known]:
        raise UnreadCheckError(f"`{other[0]}` of test_run is not known")
    command = given.get("command")
    try:
        words = shlex.split(command) if isinstance(command, str) else _names(command)
    except ValueError as error:
        raise UnreadCheckError(f"its command is none: {error}") from error
    args = [] if given.get("args") is None else given["args"] if isinstance(given["args"], list) else [given["args"]]
    words += [str(one) for one in args]
    if not words:
        raise UnreadCheckError("it runs nothing")
    wanted = [_pattern(one, given) for one in _texts(given.get("exp_output"))]
    rejected = [table({"not": _pattern(one, given)}) for one in _texts(given.get("reject_output"))]
    keys: dict[str, Node] = {
        "name": _title(_run_title(given, words), made),
        "points": _points(given.get("max_points", 1)),
    }
    if given.get("input") is not None:
        keys["stdin"] = quoted(escaped(str(given["input"])))
    if words[0] == f"./{(made.products or ['main'])[0]}":
        keys |= {"args": listing([quoted(escaped(one)) for one in words[1:]])} if words[1:] else {}
    else:
        keys["command"] = listing([quoted(escaped(one)) for one in words])
    timeout = given.get("timeout", 1) or 1
    if not isinstance(timeout, int | float) or not 0 < timeout < 10**5:
        raise UnreadCheckError("its timeout is no number of seconds")
    made.seconds.add(float(timeout))
    made.has_output |= bool(wanted or rejected)
    match given.get("must_match_all_outputs", "any"):
        case "partial" if len(wanted) > 1:
            return _shared(keys, wanted, rejected, given)
        case True | "all":
            parts = [*wanted, *rejected]
        case _:
            parts = [*([table({"any": listing(wanted)})] if len(wanted) > 1 else wanted), *rejected]
    expect = table({"all": listing(parts)}) if len(parts) > 1 else parts[0] if parts else None
    return [{**keys, "expect": table({"stdout": expect} if expect else {"exit": plain("any")})}]


def _shared(
    keys: Mapping[str, Node], wanted: Sequence[Node], rejected: Sequence[Node], given: Mapping[str, Any]
) -> list[dict[str, Node]]:
    """Return a test for each text, with its part of the points."""
    part = Fraction(str(given.get("max_points", 1))) / len(wanted)
    title = str(getattr(keys["name"], "text", ""))
    found = []
    for number, one in enumerate(wanted, 1):
        asked = table({"all": listing([one, *rejected])}) if rejected else one
        named = {"name": quoted(f"{title} ({number})"), "points": plain(points(part))}
        found.append({**keys, **named, "expect": table({"stdout": asked})})
    return found


def _texts(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [] if value is None else [str(value)]


def _pattern(text: str, given: Mapping[str, Any]) -> Node:
    """Return what is searched for, as `test_run` makes a pattern of a text."""
    blank = given.get("ignore_consec_spaces", True)
    pattern = r"\s+".join(map(re.escape, re.split(r"\s+", text))) if blank else re.escape(text)
    flags = "(?i)" if given.get("ignore_case", True) else ""
    return table(
        {"regex": quoted(escaped(flags + pattern)), "about": quoted(escaped(f"`{one_line(text.strip(), 200)}`"))}
    )


def _run_title(given: Mapping[str, Any], words: Sequence[str]) -> str:
    if given.get("name"):
        title = str(given["name"])
    elif given.get("input") is not None:
        title = f'Test with input "{" ".join(str(given["input"]).splitlines())}"'
    elif given.get("args") is not None:
        title = f'Test with arguments "{" ".join(words[1:])}"'
    else:
        title = f"Test command: {words[0]}"
    return one_line(title, 100)
