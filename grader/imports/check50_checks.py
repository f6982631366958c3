"""The checks of check50 (`__init__.py`), read by `ast` and never run.

A straight chain of `run`, `stdin`, `stdout` and `exit` becomes a dialogue, and `exists` and `c.compile` beside it are
read. Whatever else stands in a check is the reason why it is run as it is.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.command_lines import COMPILERS, first_word, with_python3
from grader.imports.draft import Data, DraftCase
from grader.imports.folder import Folder, read_folder
from grader.imports.python_values import UnreadError, args_of, as_text, constants_of, parse_checked, source_of, value_of
from grader.imports.shell_lines import to_words

CHECKS_FILE = "__init__.py"
_MAX_DEPTH = 8
"""of problems that take the checks of others"""
_MAX_STATUS = 255
_MAX_SECONDS = 3600
_MAX_AWAITED_BYTES = 8_000
"""of a text that a step of a dialogue can wait for"""
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_ORDERS: Mapping[str, Sequence[str]] = {
    "run": ("command",),
    "c.valgrind": ("command",),
    "stdin": ("line", "str_line", "prompt"),
    "stdout": ("output", "str_output", "regex"),
    "exit": ("code",),
}
"""what is called -> the parameters that are read; a chain with others is run as it is"""


@dataclass(slots=True, kw_only=True)
class ImportedCheck:
    """A check: what it needs, and what it does."""

    name: str
    about: str
    source: str
    needs: str = ""
    seconds: float | None = None
    hidden: str = ""
    """what alone a student reads who fails it"""
    unread: str = ""
    """why it is run as it is"""
    exists: list[str] = field(default_factory=list)
    compiled: dict[str, str] = field(default_factory=dict)
    """command -> what it makes"""
    sources: list[str] = field(default_factory=list)
    """what it compiles"""
    runs: list[str] = field(default_factory=list)
    cases: list[DraftCase] = field(default_factory=list)
    is_watched: bool = False
    """whether valgrind looks at its memory"""


def read_checks(folder: Folder, text: str, name: str) -> tuple[list[ImportedCheck], Mapping[str, str]]:
    """Read the checks in a text, and the texts of other problems of which it takes some, by the names of these.

    Raises UsageError when there are none.
    """
    others: dict[str, str] = {}
    checks = _checks_of(folder, text, name, others, 0)
    if not checks:
        raise UsageError(
            f"{folder.path / name} has no function with @check50.check: name the folder of a problem of check50, and "
            "bring checks in the form before version 3, in classes, up to date"
        )
    before: dict[str, ImportedCheck] = {}
    for check in checks.values():
        needed = before.get(check.needs)
        if check.needs and not needed:
            check.unread, check.needs = f"it needs {check.needs}, which is no check before it", ""
        elif needed and needed.unread:
            check.unread = check.unread or f"it needs what {check.needs} leaves"
        before[check.name] = check
    return [*checks.values()], others


def _checks_of(folder: Folder, text: str, name: str, others: dict[str, str], depth: int) -> dict[str, ImportedCheck]:
    """Return the checks of a file by their names, also those that it takes from other problems."""
    tree = parse_checked(text, folder.path / name)
    names = constants_of(tree.body, {})
    theirs = [
        (getattr(node, "module", one.name) or "", one.name, one.asname or one.name)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    ]
    aliases = {alias: name for module, name, alias in theirs if module.partition(".")[0] == "check50"}
    own = {alias for _, _, alias in theirs if alias not in aliases} | names.keys()
    own |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in own:
            node.id = aliases.get(node.id, node.id)
    checks: dict[str, ImportedCheck] = {}
    taken: dict[str, dict[str, ImportedCheck]] = {}
    for node in tree.body:
        call = node.value if isinstance(node, ast.Assign | ast.Expr) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("import_checks"):
            path = ast.unparse(call).rpartition("(")[2].strip("'\")/")
            other, where = _other_problem(folder, path, depth), path.rpartition("/")[2]
            if others.setdefault(where, other.text(CHECKS_FILE)) != other.text(CHECKS_FILE):
                raise UsageError(f"{folder.path} takes the checks of two problems called {one_line(where)}: rename one")
            taken[where] = _checks_of(other, others[where], CHECKS_FILE, others, depth + 1)
        elif isinstance(node, ast.ImportFrom) and node.module in taken:
            chosen = [one.name for one in node.names]
            checks |= {one: check for one, check in taken[node.module].items() if {"*", one} & {*chosen}}
        elif isinstance(node, ast.FunctionDef):
            checks.pop(node.name, None)
            if found := _read_check(node, names, own, text, is_taken=depth > 0):
                checks[node.name] = found
    return checks


def _other_problem(folder: Folder, path: str, depth: int) -> Folder:
    if depth >= _MAX_DEPTH:
        raise UsageError(f"{folder.path} takes the checks of another problem (import_checks) that cannot be followed")
    if not (folder.path / path / CHECKS_FILE).is_file():
        told = f"takes the checks of {one_line(path)} (import_checks): put that folder there, too"
        raise UsageError(f"{folder.path} {told}, with its {CHECKS_FILE}")
    return read_folder(folder.path / path, CHECKS_FILE)


def _read_check(
    node: ast.FunctionDef, names: Mapping[str, Any], own: set[str], text: str, *, is_taken: bool
) -> ImportedCheck | None:
    """Return the check that a function is; None where it is none."""
    calls = {_name_of(one.func, own): one for one in node.decorator_list if isinstance(one, ast.Call)}
    if "check" not in calls:
        return None
    doc = ast.get_docstring(node) or node.name.replace("_", " ")
    check = ImportedCheck(name=node.name, about=one_line(doc, 300), source=ast.get_source_segment(text, node) or "")
    given = dict(zip(("dependency",), calls["check"].args, strict=False))
    given |= {word.arg or "**": word.value for word in calls["check"].keywords}
    check.hidden = "hidden" if "hidden" in calls else ""
    if "dependency" in given:
        check.needs = ast.unparse(given["dependency"]).strip("'\"").rpartition(".")[2].replace("None", "")
    try:
        if check.hidden and calls["hidden"].args:
            check.hidden = one_line(as_text(value_of(calls["hidden"].args[0], names)), 300)
        seconds = value_of(given["timeout"], names) if "timeout" in given else 0
        check.seconds = float(seconds) if 0 < seconds < _MAX_SECONDS else None
        for statement in node.body:
            _read_statement(statement, names, own, check)
    except (UnreadError, TypeError, ValueError) as reason:
        check.unread = str(reason)
    if is_taken or calls.keys() - {"check", "hidden"} or len(calls) < len(node.decorator_list) or node.args.args:
        check.unread = check.unread or "it takes what another check or problem has"
    if check.exists:
        present = {"exit": 0, "files": {"present": check.exists}}
        check.cases.insert(0, DraftCase(command=["ls"], expect=present))
    elif not check.cases:
        check.unread = check.unread or "it checks nothing that is known here"
    return check


def _name_of(node: ast.expr, own: set[str]) -> str:
    """Return what is called of check50, such as `run` or `c.compile`; empty where it is not of check50."""
    name = ast.unparse(node)
    return "" if name.partition(".")[0] in own else name.removeprefix("check50.")


def _read_statement(node: ast.stmt, names: Mapping[str, Any], own: set[str], check: ImportedCheck) -> None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    calls: list[ast.Call] = []
    call = node.value if isinstance(node, ast.Expr) else None
    while isinstance(call, ast.Call):
        calls.insert(0, call)
        call = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = _name_of(calls[0].func, own) if calls else ""
    if name in ("run", "c.valgrind") and calls[1:]:
        check.cases.append(_read_chain(name, calls, names, check))
        check.is_watched |= name == "c.valgrind"
    elif name == "exists" and not calls[1:]:
        check.exists += [as_text(value_of(one, names)) for one in calls[0].args]
    elif name == "c.compile" and not calls[1:]:
        _read_compilation(calls[0], names, check)
    else:
        raise UnreadError(f"{source_of(node)} is known only when it is run")


def _read_compilation(call: ast.Call, names: Mapping[str, Any], check: ImportedCheck) -> None:
    sources = [as_text(value_of(one, names)) for one in call.args]
    words: dict[str, Any] = {"std": "c11", "ggdb": True, "lm": True}  # of check50
    words |= {one.arg or "**": value_of(one.value, names) for one in call.keywords}
    product = as_text(words.pop("exe_name", None) or sources[0].removesuffix(".c")) if sources else ""
    if not product or words.keys() & {"**", "cc", "max_log_lines"}:
        raise UnreadError("what it compiles")
    flags = [f"-{key}={as_text(one)}".removesuffix("=True").replace("_", "-") for key, one in words.items() if one]
    line = ["gcc", *flags, *sources, "-o", product]
    line.sort(key=lambda word: word.startswith("-l"))  # libraries stand behind what needs them
    check.compiled[" ".join(line)] = product
    check.sources += sources
    check.cases.append(DraftCase(command=["test", "-x", product], expect={"exit": 0}))


def _read_chain(name: str, calls: Sequence[ast.Call], names: Mapping[str, Any], check: ImportedCheck) -> DraftCase:
    """Return the case of a chain: what it says to a program, and what it waits for."""
    line = with_python3(as_text(_arguments(calls[0], name, names).get("command")))
    if first_word(line) in COMPILERS:
        raise UnreadError("it leaves what it compiles")
    steps: list[Data] = []
    status: int | None = None
    has_prompt = False
    for call in calls[1:]:
        does = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        words = _arguments(call, does, names)
        match does, words.get(_ORDERS[does][0]):
            case "stdin", str() | int() | float() as typed:
                has_prompt |= bool(words.get("prompt", True))
                steps += [{"expect": {"regex": "(?s).+"}}] if words.get("prompt", True) else []
                steps += [{"send": one} for one in str(typed).split("\n")]
            case "stdout", str() as output:
                steps += _awaited(output, is_pattern=bool(words.get("regex", True)), after_prompt=has_prompt)
            case "exit", int() | None as status if call is calls[-1] and 0 <= (status or 0) <= _MAX_STATUS:
                steps += [{"eof": True}] if steps or status is None else []
            case _:
                raise UnreadError(f".{does}() is known only when it is run")
    check.runs.append(line)
    expect = None if status is None else {"exit": status}
    return DraftCase(command=to_words(line), keys={"dialogue": steps or None}, expect=expect)


def _arguments(call: ast.Call, name: str, names: Mapping[str, Any]) -> dict[str, Any]:
    found = args_of(call, _ORDERS.get(name, ()), names)
    if name not in _ORDERS or found.keys() - {*_ORDERS[name]}:
        raise UnreadError(f"the arguments of {name}()")
    return found


def _awaited(output: str, *, is_pattern: bool, after_prompt: bool) -> list[Data]:
    """Return the step that waits for a text, or for what matches a pattern; none for an empty one.

    In a pattern a dot matches a line break as well, as there, and `^` is the place behind the prompt.
    """
    text = output.replace("\r\n", "\n")
    if len(text.encode()) > _MAX_AWAITED_BYTES:
        raise UnreadError("a very long text")
    if not is_pattern or not _SPECIAL.search(text):
        return [{"expect": text}] if text else []
    pattern = f"(?s){text.removeprefix('^') if after_prompt else text}"
    try:
        if re.search(pattern, ""):
            raise UnreadError("its pattern is found in an empty text")
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadError(f"its pattern is none: {error}") from error
    return [{"expect": {"regex": pattern}}]
