"""The checks of check50 (`__init__.py`), read by `ast` and never run: what is done in each, in order.

A check that is a chain of `run`, `stdin`, `stdout`, `exit` and `reject`, with `exists`, `include` and `compile` beside,
becomes a `ImportedCheck`. Whatever else stands in one is the reason why it remains to be written.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.check50_modules import is_check, load_check_module
from grader.imports.check50_values import (
    EOF,
    MODULE,
    CheckNames,
    UnreadCheckError,
    WrittenFile,
    decimal,
    dotted,
    value_of,
)
from grader.imports.command_lines import COMPILERS, SOURCE_ENDINGS, first_word
from grader.imports.folder import Folder

_MAX_CHECKS = 500
_MAX_RUNS = 100
_MAX_SECONDS = 3600
_MAX_STATUS = 255
_COMPILER_FLAGS = {"std": "c11", "ggdb": True, "lm": True}
"""of check50, which a check adds to or takes from"""

ActionKind = Literal["stdin", "stdout", "end", "end-of-output", "exit", "reject"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A call in the chain of a run."""

    do: ActionKind
    text: str = ""
    is_pattern: bool = False
    prompt: bool = True
    status: int | Literal["failure"] = 0
    within: float | None = None


@dataclass(slots=True, kw_only=True)
class CheckRun:
    """A command that is run, and what is done with it."""

    command: str
    env: dict[str, str] = field(default_factory=dict)
    actions: list[Action] = field(default_factory=list)
    is_watched: bool = False
    """whether valgrind looks at its memory"""


@dataclass(slots=True, kw_only=True)
class ImportedCheck:
    """A check: what it needs, and what it does."""

    name: str
    about: str = ""
    needs: str = ""
    seconds: float | None = None
    hidden: str = ""
    """what alone a student reads who fails it"""
    hint: str = ""
    exists: list[str] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    compiled: list[tuple[str, str, Sequence[str]]] = field(default_factory=list)
    """command, its product, its sources"""
    commands: list[str] = field(default_factory=list)
    """that must end with 0"""
    hashes: dict[str, str] = field(default_factory=dict)
    runs: list[CheckRun] = field(default_factory=list)
    files: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """file that is read at the end -> what it has to hold: `text` or `contains`, or `not` this, with the text"""
    unread: str = ""
    """why it has to be written by hand"""
    source: str = ""


def read_checks(folder: Folder, name: str) -> tuple[list[ImportedCheck], Sequence[str]]:
    """Read the checks of a file, and the names that several have; UsageError when it is no such file."""
    path = folder.path / name
    module = load_check_module(folder, name)
    found = [
        _read_check(one.node, module.scope, one.text)
        for one in module.functions.values()
        if is_check(one.node, module.scope)
    ]
    if not found:
        raise UsageError(f"{path} has no function with @check50.check: name the folder of a problem of check50")
    if len(found) > _MAX_CHECKS:
        raise UsageError(f"{path} has more than {_MAX_CHECKS} checks")
    known: set[str] = set()
    for check in found:
        if check.needs and check.needs not in known:
            check.unread = check.unread or f"it needs {check.needs}, which is no check before it"
            check.needs = ""
        known.add(check.name)
    return found, [name for name in module.twice if name in known]


def _decorators(node: ast.FunctionDef, scope: CheckNames) -> Iterator[tuple[str, ast.Call]]:
    for one in node.decorator_list:
        if isinstance(one, ast.Call):
            yield dotted(one.func, scope), one


def _read_check(node: ast.FunctionDef, scope: CheckNames, text: str) -> ImportedCheck:
    doc = ast.get_docstring(node) or node.name.replace("_", " ")
    check = ImportedCheck(name=node.name, about=one_line(doc, 300), source=ast.get_source_segment(text, node) or "")
    try:
        _read_decorators(node, scope, check)
        _Reading(check, scope).perform(node.body)
    except UnreadCheckError as reason:
        check.unread = str(reason)
    except RecursionError:
        check.unread = "it is nested too deeply"
    _take_compilations(check)
    is_known = check.exists or check.compiled or check.commands or check.runs or check.hashes or check.files
    if not (check.unread or is_known):
        check.unread = "it checks nothing that is known here"
    return check


def _take_compilations(check: ImportedCheck) -> None:
    """Make a build of the commands that only have to compile: what they make is there for the checks that need this."""
    for run in list(check.runs):
        if first_word(run.command) in COMPILERS and all(one.do in ("exit", "end") for one in run.actions):
            if any(one.status for one in run.actions):
                continue
            check.runs.remove(run)
            words = run.command.split()
            product = words[words.index("-o") + 1] if "-o" in words[:-1] else "*"
            sources = [word for word in words[1:] if word.endswith(SOURCE_ENDINGS)]
            check.compiled.append((run.command, "*.class" if words[0] == "javac" else product, sources))


def _read_decorators(node: ast.FunctionDef, scope: CheckNames, check: ImportedCheck) -> None:
    for name, call in _decorators(node, scope):
        if name == f"{MODULE}check":
            _read_decorator(call, scope, check)
        elif name == f"{MODULE}hidden":
            check.hidden = one_line(str(value_of(call.args[0], scope)), 300) if call.args else "hidden"
        else:
            raise UnreadCheckError(f"the decorator {name}")
    if node.args.args:
        raise UnreadCheckError("it takes what another check returned")


def _read_decorator(call: ast.Call, scope: CheckNames, check: ImportedCheck) -> None:
    needs = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "dependency")]
    for one in needs:
        if isinstance(one, ast.Constant) and one.value is None:
            continue
        name = one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else dotted(one, scope)
        check.needs = name.rpartition(".")[2]
        if not check.needs:
            raise UnreadCheckError("what it needs is known only when it is run")
    for word in call.keywords:
        if word.arg == "timeout":
            seconds = value_of(word.value, scope)
            check.seconds = float(seconds) if isinstance(seconds, int | float) else None


class _Output:
    """What `stdout()` returns: all that a run wrote."""

    def __init__(self, run: CheckRun) -> None:
        self.run = run


class _Status:
    """What `exit()` returns: the status with which a run ended."""

    def __init__(self, run: CheckRun) -> None:
        self.run = run


class _Reading:
    """The reading of one check, statement by statement."""

    def __init__(self, check: ImportedCheck, scope: CheckNames) -> None:
        self._check = check
        self._scope = scope

    def perform(self, statements: Sequence[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in statements:
            self._perform_one(statement)

    def _perform_one(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="print"))) | ast.Pass():
                return
            case ast.Expr(value=ast.Call() as call):
                self._call(call)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                value = _inside_str(value)
                found = self._call(value) if isinstance(value, ast.Call) and self._is_ours(value) else None
                known = found if found is not None else value_of(value, self._scope)
                self._scope = replace(self._scope, names={**self._scope.names, name: known})
            case ast.For(target=ast.Name(id=name), iter=values, body=body, orelse=[]):
                self._repeat(name, value_of(values, self._scope), body)
            case ast.With(items=[ast.withitem(context_expr=opened, optional_vars=ast.Name(id=name))], body=body):
                known = value_of(opened, self._scope)
                self._scope = replace(self._scope, names={**self._scope.names, name: known})
                self.perform(body)
            case ast.If(test=test, body=body, orelse=[]) if isinstance(body[-1], ast.Raise):
                self._require(test, body, met=False)
            case ast.Assert(test=test):
                self._require(test, [], met=True)
            case _:
                raise UnreadCheckError(f"`{ast.unparse(statement).splitlines()[0][:80]}` is known only when it is run")

    def _repeat(self, name: str, values: Any, body: Sequence[ast.stmt]) -> None:
        if not isinstance(values, list):
            raise UnreadCheckError("it repeats over what is no list")
        for value in values:
            self._scope = replace(self._scope, names={**self._scope.names, name: value})
            self.perform(body)

    def _is_ours(self, call: ast.Call) -> bool:
        """Whether a call is about a run, and no text or number."""
        inner: ast.expr = call
        while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            if dotted(inner.func, self._scope).startswith(MODULE):
                return "regex" not in dotted(inner.func, self._scope)
            inner = inner.func.value
        if isinstance(inner, ast.Call):
            return dotted(inner.func, self._scope).startswith(MODULE)
        return isinstance(inner, ast.Name) and isinstance(self._scope.names.get(inner.id), CheckRun)

    def _call(self, call: ast.Call) -> Any:
        """Read a call; return the run or the output that it is about."""
        name = dotted(call.func, self._scope)
        if name.startswith(MODULE):
            return self._call_of_check50(name.removeprefix(MODULE), call)
        if name in self._scope.functions:
            function, outer = self._scope.functions[name], self._scope
            self._scope = outer.inside(function, call)
            self.perform(function.body)
            self._scope = outer
            return None
        if isinstance(call.func, ast.Attribute):
            receiver = call.func.value
            run = self._call(receiver) if isinstance(receiver, ast.Call) else value_of(receiver, self._scope)
            if isinstance(run, CheckRun):
                return self._act(run, call.func.attr, call)
        raise UnreadCheckError(f"`{ast.unparse(call)[:80]}` is known only when it is run")

    def _call_of_check50(self, name: str, call: ast.Call) -> Any:
        if name in ("log", "data"):
            return None
        args = [value_of(argument, self._scope) for argument in call.args]
        words = {word.arg: value_of(word.value, self._scope) for word in call.keywords if word.arg}
        texts = [one for one in args if isinstance(one, str)]
        if len(texts) < len(args) or len(words) < len(call.keywords):
            raise UnreadCheckError(f"the arguments of {name}")
        if name in ("run", "c.valgrind") and texts:
            if len(self._check.runs) >= _MAX_RUNS:
                raise UnreadCheckError(f"it runs more than {_MAX_RUNS} commands")
            env = words.get("env", {})
            if not isinstance(env, dict):
                raise UnreadCheckError("its environment")
            env = {str(key): str(value) for key, value in env.items()}
            self._check.runs.append(CheckRun(command=texts[0], env=env, is_watched=name == "c.valgrind"))
            return self._check.runs[-1]
        if name == "exists":
            self._check.exists += texts
        elif name == "include":
            self._check.include += texts
        elif name == "c.compile" and texts:
            self._check.compiled.append(_compiling(texts, words))
        elif name == "py.compile" and texts:
            self._check.commands.append(f"python3 -m py_compile {texts[0]}")
        else:
            raise UnreadCheckError(f"{MODULE}{name} has no counterpart")
        return None

    def _act(self, run: CheckRun, name: str, call: ast.Call) -> Any:
        args = [value_of(argument, self._scope) for argument in call.args]
        words = {word.arg: value_of(word.value, self._scope) for word in call.keywords if word.arg}
        within = words.get("timeout")
        if within is not None and not (isinstance(within, int | float) and 0 < within < _MAX_SECONDS):
            raise UnreadCheckError("a timeout")
        if name == "kill":
            return run
        if name == "stdin" and args:
            prompt = bool(_third(args, words.get("prompt", True)))
            is_end = args[0] is EOF
            run.actions.append(
                Action(do="stdin", text="" if is_end else str(args[0]), is_pattern=is_end, prompt=prompt, within=within)
            )
            return run
        if name == "stdout":
            return _stdout(run, args, words, within)
        if name == "reject":
            run.actions.append(Action(do="reject", within=args[0] if args else within))
            return run
        if name == "exit":
            code = args[0] if args else words.get("code")
            if code is not None and not (isinstance(code, int) and 0 <= code <= _MAX_STATUS):
                raise UnreadCheckError("an exit status")
            run.actions.append(Action(do="end" if code is None else "exit", status=code or 0, within=within))
            return run if code is not None else _Status(run)
        raise UnreadCheckError(f".{name}() has no counterpart")

    def _require(self, test: ast.expr, body: Sequence[ast.stmt], *, met: bool) -> None:
        """Read a condition under which a check fails, or which has to hold."""
        self._check.hint = self._check.hint or _help_in(body)
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, met = test.operand, not met
        match test:
            case ast.Call(func=func, args=[pattern, output]) if dotted(func, self._scope) in ("re.search", "re.match"):
                found = self._scope.names.get(output.id) if isinstance(output, ast.Name) else None
                if met and isinstance(found, _Output):
                    start = r"\A\n*(?:" if dotted(func, self._scope) == "re.match" else ""
                    text = f"{start}{value_of(pattern, self._scope)}{')' if start else ''}"
                    return _demand(found.run, text, is_whole=bool(start))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if run := self._run_that_ended(left, op, right, met=met):
                    return _demand_no_more(run, is_stripped="strip" in ast.unparse(left))
                return self._compare(left, op, right, met=met)
            case ast.Name() | ast.Call() if not met and (run := self._run_of(test)):
                return _demand_no_more(run, is_stripped="strip" in ast.unparse(test))
        raise UnreadCheckError(f"the condition `{ast.unparse(test)[:80]}`")

    def _run_of(self, node: ast.expr) -> CheckRun | None:
        """Return the run of which an expression is the output, maybe without the blanks around it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STRIPS:
            node = node.func.value
        found = self._scope.names.get(node.id) if isinstance(node, ast.Name) else None
        return found.run if isinstance(found, _Output) else None

    def _run_that_ended(self, left: ast.expr, op: ast.cmpop, right: ast.expr, *, met: bool) -> CheckRun | None:
        """Return the run after whose last step nothing may follow, if a condition says that."""
        value = right.value if isinstance(right, ast.Constant) else None
        is_length = isinstance(left, ast.Call) and ast.unparse(left.func) == "len" and len(left.args) == 1
        empty = isinstance(op, ast.Eq) if met else isinstance(op, ast.NotEq) or (is_length and isinstance(op, ast.Gt))
        if is_length and value == 0 and empty:
            return self._run_of(left.args[0])  # type: ignore[attr-defined]
        return self._run_of(left) if value == "" and empty else None

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, *, met: bool) -> None:
        is_equal = isinstance(op, ast.Eq) if met else isinstance(op, ast.NotEq)
        is_inside = isinstance(op, ast.In) if met else isinstance(op, ast.NotIn)
        if is_equal and isinstance(left, ast.Call) and dotted(left.func, self._scope) == f"{MODULE}hash" and left.args:
            self._check.hashes[str(value_of(left.args[0], self._scope))] = str(value_of(right, self._scope))
            return None
        status = self._scope.names.get(left.id) if isinstance(left, ast.Name) else None
        if isinstance(status, _Status):
            return _demand_status(status.run, value_of(right, self._scope), is_equal=is_equal, op=op, met=met)
        if self._compare_file(left, right, is_equal=is_equal, is_inside=is_inside, op=op, met=met):
            return None
        inner, is_split = _without_split(left)
        if is_equal and (run := self._run_of(inner)):
            found = value_of(right, self._scope)
            wanted = "\n".join(map(str, found)) if is_split and isinstance(found, list) else str(found).lstrip("\n")
            around = ("\\n*", "") if isinstance(inner, ast.Name) else ("\\s*", "\\s*")
            return _demand(run, rf"\A{around[0]}{_escaped(wanted)}{around[1]}\Z", is_whole=True)
        output = self._scope.names.get(right.id) if isinstance(right, ast.Name) else None
        if is_inside and isinstance(output, _Output):
            return _demand(output.run, _escaped(str(value_of(left, self._scope))), is_whole=False)
        raise UnreadCheckError(f"`{ast.unparse(left)[:40]} ... {ast.unparse(right)[:40]}`")

    def _compare_file(
        self, left: ast.expr, right: ast.expr, *, is_equal: bool, is_inside: bool, op: ast.cmpop, met: bool
    ) -> bool:
        """Take note of what a file that the program wrote, or was handed in, holds; False for another condition."""
        if self._run_of(_without_split(left)[0]) or self._run_of(right):
            return False
        one, other = value_of(left, self._scope), value_of(right, self._scope)
        if is_equal and isinstance(other, WrittenFile):
            one, other = other, one
        is_outside = isinstance(op, ast.NotIn) if met else isinstance(op, ast.In)
        if is_equal and isinstance(one, WrittenFile) and isinstance(other, str):
            self._check.files.setdefault(one.name, []).append(("text", other))
        elif isinstance(other, WrittenFile) and isinstance(one, str) and (is_inside or is_outside):
            self._check.files.setdefault(other.name, []).append(("contains" if is_inside else "not", one))
        else:
            return False
        return True


def _demand_status(run: CheckRun, status: Any, *, is_equal: bool, op: ast.cmpop, met: bool) -> None:
    """Let a run end with a status, or not with 0."""
    is_other = isinstance(op, ast.NotEq) if met else isinstance(op, ast.Eq)
    if not run.actions or run.actions[-1].do != "end":
        raise UnreadCheckError("it asks for a status after something else")
    if is_equal and isinstance(status, int) and 0 <= status <= _MAX_STATUS:
        run.actions[-1] = replace(run.actions[-1], do="exit", status=status)
    elif is_other and status == 0:
        run.actions[-1] = replace(run.actions[-1], do="exit", status="failure")
    else:
        raise UnreadCheckError("it compares the status with something else")


_STRIPS = ("strip", "rstrip", "lstrip")


def _without_split(node: ast.expr) -> tuple[ast.expr, bool]:
    """Return what is split into lines, and whether it is; anything else as it is."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        written = [ast.unparse(one) for one in node.args]
        if node.func.attr == "splitlines" or (node.func.attr == "split" and written == [repr("\n")]):
            return node.func.value, True
    return node, False


def _inside_str(node: ast.expr) -> ast.expr:
    """Return what `str(...)` is called with, and anything else as it is."""
    is_str = isinstance(node, ast.Call) and ast.unparse(node.func) == "str" and len(node.args) == 1
    return node.args[0] if is_str and isinstance(node.args[0], ast.Call) else node  # type: ignore[attr-defined]


def _demand_no_more(run: CheckRun, *, is_stripped: bool) -> None:
    """Let nothing follow what a run waited for last, but for blanks."""
    if not run.actions or run.actions[-1].do != "end":
        raise UnreadCheckError("it asks for no more output after something else")
    before = run.actions[-2] if len(run.actions) > 1 else None
    if before is None or before.do != "stdout":
        if before is not None or not is_stripped:
            raise UnreadCheckError("it asks for no more output after an input")
        run.actions[-1:] = [Action(do="stdout", text=r"\A\s*\Z", is_pattern=True), run.actions[-1]]
        return
    if is_stripped:
        text = before.text if before.is_pattern else _escaped(before.text)
        run.actions[-2] = replace(before, text=rf"(?:{text})\s*", is_pattern=True)
    run.actions[-1] = replace(run.actions[-1], do="end-of-output")


def _third(args: Sequence[Any], otherwise: Any) -> Any:
    return args[2] if len(args) >= 3 else otherwise  # noqa: PLR2004 - the third


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in r"\.^$*+?{}[]|()" else one for one in text)


def _demand(run: CheckRun, pattern: str, *, is_whole: bool) -> None:
    """Put what the output has to match in front of the end of the run."""
    if is_whole and len(run.actions) > 1:
        raise UnreadCheckError("it compares the whole of what follows an input")
    place = next((at for at, action in enumerate(run.actions) if action.do == "end"), len(run.actions))
    run.actions.insert(place, Action(do="stdout", text=pattern, is_pattern=True))


def _help_in(body: Sequence[ast.stmt]) -> str:
    """Return the help that a failure brings along, where it is written there."""
    raised = body[-1].exc if body and isinstance(body[-1], ast.Raise) else None
    words = raised.keywords if isinstance(raised, ast.Call) else []
    found = next((word.value for word in words if word.arg == "help"), None)
    is_text = isinstance(found, ast.Constant) and isinstance(found.value, str)
    return one_line(found.value, 300) if is_text else ""  # type: ignore[union-attr]


def _stdout(run: CheckRun, args: Sequence[Any], words: dict[str, Any], within: float | None) -> Any:
    if not args or args[0] is None:
        run.actions.append(Action(do="end", within=within))
        return _Output(run)
    is_pattern = bool(_third(args, words.get("regex", True)))
    if args[0] is EOF:
        run.actions.append(Action(do="end-of-output", within=within))
    elif isinstance(args[0], int | float):
        run.actions.append(Action(do="stdout", text=decimal(args[0]), is_pattern=True, within=within))
    elif isinstance(args[0], str):
        text = args[0].replace("\r\n", "\n")
        run.actions.append(Action(do="stdout", text=text, is_pattern=is_pattern, within=within))
    else:
        raise UnreadCheckError("what it expects")
    return run


def _compiling(files: Sequence[str], words: dict[str, Any]) -> tuple[str, str, Sequence[str]]:
    product = words.pop("exe_name", None) or files[0].removesuffix(".c")
    compiler = str(words.pop("cc", "gcc")).replace("clang", "gcc")
    words.pop("max_log_lines", None)
    flags = {**_COMPILER_FLAGS, **words}
    given = [
        f"-{name}{'' if value is True else f'={value}'}".replace("_", "-") for name, value in flags.items() if value
    ]
    libraries = [flag for flag in given if flag.startswith("-l")]
    others = [flag for flag in given if not flag.startswith("-l")]
    return " ".join([compiler, *others, *files, "-o", str(product), *libraries]), str(product), files
