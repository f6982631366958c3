"""The checks of check50 (CS50): a folder with `.cs50.yml` and checks in YAML or Python -> a draft.

There a check talks to the program on a terminal: it waits for a prompt, sends a line, and searches what
comes next for a pattern. Here that is a dialogue. A check is a test with one point that needs the check it depends on.
"""

import ast
import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import SpecError, UsageError
from grader.core.reader.files import to_data, unless_wrong
from grader.core.text import listed, one_line
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import Context, Value
from grader.imports import Imported, identifier
from grader.imports import python_values as values
from grader.imports.draft import Data, Draft, DraftCase, DraftTest, OpenCheck, losses_where
from grader.imports.folder import Folder, as_mapping, harmless_name, read_folder, safe_path
from grader.imports.shell_lines import COMPILERS, common_program, find_language, first_word, to_words, with_python3
from grader.imports.writer import to_imported

_CONFIGURATIONS = (".cs50.yml", ".cs50.yaml")
_LANGUAGES = {".c": "c", ".cpp": "cpp", ".cc": "cpp", ".java": "java", ".py": "python"}
_TAG = re.compile(r"""(?m)^(\s*-\s+)(!\w+[ ]+)["']?([^"'\\\n]+?)["']?[ ]*$""")
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


# ---------------------------------------------------------------- the checks that are read
# A straight chain of `run`, `stdin`, `stdout` and `exit` becomes a dialogue, and `exists` and `c.compile` beside it
# are read. Whatever else stands in a check is the reason why it is run as it is.

CHECKS_FILE = "__init__.py"
_MAX_DEPTH, _MAX_STATUS, _MAX_SECONDS = 8, 255, 3600  # the first of problems that take the checks of others
_MAX_AWAITED_BYTES = 8_000  # of a text that a step of a dialogue can wait for
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
# what is called -> the parameters that are read; a chain with others is run as it is
_ORDERS: Mapping[str, Sequence[str]] = {
    "run": ("command",),
    "c.valgrind": ("command",),
    "stdin": ("line", "str_line", "prompt"),
    "stdout": ("output", "str_output", "regex"),
    "exit": ("code",),
}


@dataclass(slots=True, kw_only=True)
class ImportedCheck:
    """A check: what it needs, and what it does."""

    name: str
    about: str
    source: str
    needs: str = ""
    seconds: float | None = None
    hidden: str = ""  # what alone a student reads who fails it
    unread: str = ""  # why it is run as it is
    exists: list[str] = field(default_factory=list)
    compiled: dict[str, str] = field(default_factory=dict)  # command -> what it makes
    sources: list[str] = field(default_factory=list)  # what it compiles
    runs: list[str] = field(default_factory=list)
    cases: list[DraftCase] = field(default_factory=list)
    is_watched: bool = False  # whether valgrind looks at its memory


def read_checks(folder: Folder, text: str, name: str) -> tuple[list[ImportedCheck], Mapping[str, str]]:
    """Read the checks in a text, and by their names other problems of which it takes some; UsageError without any."""
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
    tree = values.parse_checked(text, folder.path / name)
    names = values.constants_of(tree.body, {})
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
            check.hidden = one_line(values.as_text(values.value_of(calls["hidden"].args[0], names)), 300)
        seconds = values.value_of(given["timeout"], names) if "timeout" in given else 0
        check.seconds = float(seconds) if 0 < seconds < _MAX_SECONDS else None
        for statement in node.body:
            _read_statement(statement, names, own, check)
    except (values.UnreadError, TypeError, ValueError) as reason:
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
        check.exists += [values.as_text(values.value_of(one, names)) for one in calls[0].args]
    elif name == "c.compile" and not calls[1:]:
        _read_compilation(calls[0], names, check)
    else:
        raise values.UnreadError(f"{values.source_of(node)} is known only when it is run")


def _read_compilation(call: ast.Call, names: Mapping[str, Any], check: ImportedCheck) -> None:
    sources = [values.as_text(values.value_of(one, names)) for one in call.args]
    words: dict[str, Any] = {"std": "c11", "ggdb": True, "lm": True}  # of check50
    words |= {one.arg or "**": values.value_of(one.value, names) for one in call.keywords}
    product = values.as_text(words.pop("exe_name", None) or sources[0].removesuffix(".c")) if sources else ""
    if not product or words.keys() & {"**", "cc", "max_log_lines"}:
        raise values.UnreadError("what it compiles")
    flags = [f"-{key}={values.as_text(one)}" for key, one in words.items() if one]
    flags = [flag.removesuffix("=True").replace("_", "-") for flag in flags]
    line = ["gcc", *flags, *sources, "-o", product]
    line.sort(key=lambda word: word.startswith("-l"))  # libraries stand behind what needs them
    check.compiled[" ".join(line)] = product
    check.sources += sources
    check.cases.append(DraftCase(command=["test", "-x", product], expect={"exit": 0}))


def _read_chain(name: str, calls: Sequence[ast.Call], names: Mapping[str, Any], check: ImportedCheck) -> DraftCase:
    """Return the case of a chain: what it says to a program, and what it waits for."""
    line = with_python3(values.as_text(_arguments(calls[0], name, names).get("command")))
    if first_word(line) in COMPILERS:
        raise values.UnreadError("it leaves what it compiles")
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
                raise values.UnreadError(f".{does}() is known only when it is run")
    check.runs.append(line)
    expect = None if status is None else {"exit": status}
    return DraftCase(command=to_words(line), keys={"dialogue": steps or None}, expect=expect)


def _arguments(call: ast.Call, name: str, names: Mapping[str, Any]) -> dict[str, Any]:
    found = values.args_of(call, _ORDERS.get(name, ()), names)
    if name not in _ORDERS or found.keys() - {*_ORDERS[name]}:
        raise values.UnreadError(f"the arguments of {name}()")
    return found


def _awaited(output: str, *, is_pattern: bool, after_prompt: bool) -> list[Data]:
    """Return the step that waits for a text, or for what matches a pattern; none for an empty one."""
    text = output.replace("\r\n", "\n")
    if len(text.encode()) > _MAX_AWAITED_BYTES:
        raise values.UnreadError("a very long text")
    if not is_pattern or not _SPECIAL.search(text):
        return [{"expect": text}] if text else []
    # A dot matches a line break as well, as there, and `^` is the place behind the prompt.
    pattern = f"(?s){text.removeprefix('^') if after_prompt else text}"
    try:
        if re.search(pattern, ""):
            raise values.UnreadError("its pattern is found in an empty text")
    except (re.error, OverflowError, RecursionError) as error:
        raise values.UnreadError(f"its pattern is none: {error}") from error
    return [{"expect": {"regex": pattern}}]


# ---------------------------------------------------------------- the checks that are run as they are
# They are methods of a unit test, whose file is that of the checks. What it imports as `check50` is written anew, in
# `check50_stand_in.py`.

_BARE = re.compile(r"^@check\(", re.MULTILINE)
_LEFT_OUT = re.compile(r"(?:^|/)\.|[^A-Za-z0-9_.+/-]")
_HEAD = "from check50 import check, hidden, exists, include, import_checks, run, EOF, Failure, Mismatch, Missing\n"
_CLASS = "\n\n\nimport unittest\n\nfrom check50 import problem_of\n\n\nclass Checks(unittest.TestCase):\n"
_METHOD = """\
    def test_{check}(self):
        problem = problem_of({check})
        if problem:
            self.fail(problem)

"""
_NOT_HERE = ("check50.internal", "check50.flask", "append_code")
_SECONDS = 60  # of a check that states no time, as there


@dataclass(frozen=True, kw_only=True)
class CheckUnit:
    """The unit test of a problem."""

    id: str
    folder: Folder
    file: str  # that has the checks
    text: str
    others: Mapping[str, str]  # texts of other problems of which it takes checks, by their names
    checks: Sequence[ImportedCheck]  # all of the problem

    @cached_property
    def problem(self) -> str:
        """Return why the checks cannot be run as they are; empty where they can."""
        imported = {name for text in self._texts for name in values.imported_names(text)}
        used = [one for one in _NOT_HERE if one in imported or any(one in text for text in self._texts)]
        if used:
            return f"it uses {used[0]}"
        unknown = [one for one in sorted(imported) if one.startswith("check50_") or f"{one}.py" in self.folder.files]
        if unknown:
            return f"it imports {unknown[0]}, which is not known here"
        files = {place for one in self._beside() for place in (one, *map(str, PurePosixPath(one).parents))}
        missing = sorted({one for text in self._texts for one in _included(text)} - files)
        return f"it includes {missing[0]}, which the problem does not have" if missing else ""

    @property
    def as_they_are(self) -> Sequence[ImportedCheck]:
        """The checks that are run as they are."""
        return [] if self.problem else [check for check in self.checks if check.unread]

    def packages(self, required: Sequence[str]) -> list[str]:
        """Return the packages that the checks import which are run as they are; `required` are students' files."""
        if not self.as_they_are:
            return []
        own = {one.removesuffix(".py") for one in required} | self.others.keys()
        return values.required_packages(self._texts, {*own, "check50", "pexpect"})

    def keys(self, check: ImportedCheck) -> dict[str, Data]:
        """Return the keys of a check that is run as it is."""
        folders = [name for name, files in (("files", self._beside()), ("others", self.others)) if files]
        unit = {
            "unittest": self._place(is_hidden=bool(check.hidden)),
            "only": [f"Checks.test_{check.name}"],
            "with": [f"tests/{self.id}/{one}" for one in ("check50.py", *folders)],
        }
        return {"limits": {"time": f"{check.seconds or _SECONDS:g} s"}, "unit": unit}

    def files(self) -> dict[str, bytes]:
        """Return the files of the test, below the course root; hidden checks have one of their own."""
        if not (checks := self.as_they_are):
            return {}
        secret = {one.name for one in checks if one.hidden} - {one.needs for one in checks}
        files = {"check50.py": Path(__file__).with_name("check50_stand_in.py").read_bytes()}
        files |= {f"files/{one}": content for one, content in self._beside().items()}
        files |= {f"others/{one}.py": other.encode() for one, other in self.others.items()}
        placed = {f"tests/{self.id}/{one}": content for one, content in files.items()}
        for is_hidden, text in ((False, _without(self.text, secret)), (True, self.text)):
            names = [one.name for one in checks if bool(one.hidden) == is_hidden]
            methods = "".join(_METHOD.format(check=name) for name in names)
            head = _HEAD if _BARE.search(text) else ""
            placed |= {self._place(is_hidden=is_hidden): f"{head}{text}{_CLASS}{methods}".encode()} if names else {}
        return placed

    def _place(self, *, is_hidden: bool) -> str:
        return f"tests/{self.id}/test_{self.id.replace('-', '_')}{'_hidden' if is_hidden else ''}.py"

    @property
    def _texts(self) -> Sequence[str]:
        return [self.text, *self.others.values()]

    def _beside(self) -> Mapping[str, bytes]:
        """Return the files of the problem that its checks may include."""
        files = self.folder.files
        return {one: files[one] for one in files if one != self.file and not _LEFT_OUT.search(one)}


def _without(text: str, functions: Collection[str]) -> str:
    """Return the checks with these functions taken out; all others stay on their lines."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(lines)


def _included(text: str) -> set[str]:
    """Return the files that the checks copy from the problem, where these are named."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [one for call in calls if ast.unparse(call.func) in ("include", "check50.include") for one in call.args]
    return {posixpath.normpath(str(one.value)) for one in named if isinstance(one, ast.Constant)}


# ---------------------------------------------------------------- the problem


def import_check50(path: Path, name: str | None = None) -> Imported:
    """Convert a problem of check50; UsageError for what is none, or whose files lie outside it."""
    configuration = next((one for one in _CONFIGURATIONS if (path / one).is_file()), _CONFIGURATIONS[0])
    folder = read_folder(path, configuration)
    settings = _settings(folder, configuration)
    stated = settings.get("checks", CHECKS_FILE)
    is_simple = isinstance(stated, dict)
    file = configuration if is_simple else safe_path(str(stated))
    text = _simple_checks(stated, folder.path / file) if is_simple else folder.text(file)
    checks, others = read_checks(folder, text, file)
    name = identifier(name, folder.path.name)
    unit = CheckUnit(id=name, folder=folder, file=file, text=text, others=others, checks=checks)
    return to_imported(_draft(unit, settings))


def _settings(folder: Folder, name: str) -> Mapping[str, Any]:
    """Return what a `.cs50.yml` has under `check50`; its tags become the first word of a text."""
    text = _TAG.sub(r'\1"\2\3"', folder.text(name))
    try:
        context = Context(file=name, root=folder.path, types={})
        top = Value(node=parse(text.encode(), name), path="", context=context)
        whole = unless_wrong(top, to_data(top))
    except SpecError as error:
        reasons = "; ".join(problem.message for problem in error.problems[:2])
        raise UsageError(f"{folder.path / name}: {reasons}") from error
    found = as_mapping(whole).get("check50")
    if not isinstance(found, dict) and found is not True:
        raise UsageError(f"{folder.path / name} has nothing under check50: name the folder of a problem of check50")
    return as_mapping(found)


def _simple_checks(checks: Mapping[str, Any], path: Path) -> str:
    """Return the program that checks in the simple form of `.cs50.yml` mean, as check50 makes it."""
    lines = ["import check50"]
    for name, runs in checks.items():
        told = f"{path}: the check {one_line(name)!r}"
        if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
            raise UsageError(f"{told} has to be a list of `- run: ...`")
        function = harmless_name(name) if name[:1].isalpha() else f"check_{harmless_name(name)}"
        function += "_" * sum(bool(re.match(rf"def {function}_*\(", one)) for one in lines)
        lines += ["", "", "@check50.check()", f"def {function}():", f"    {one_line(name, 300)!r}"]
        for run in runs:
            if run.keys() - {"run", "stdin", "stdout", "exit"} or not isinstance(run.get("run"), str):
                raise UsageError(f"{told}: only run, stdin, stdout, exit, and always run")
            status = run.get("exit")
            if status is not None and not re.fullmatch(r"\d{1,3}", str(status)):
                raise UsageError(f"{told}: exit takes a number, not {one_line(str(status))!r}")
            typed = f".stdin({_lines(run['stdin'])!r}, prompt=False)" if "stdin" in run else ""
            typed += f".stdout({_lines(run['stdout'])!r}, regex=False)" if "stdout" in run else ""
            lines.append(f"    check50.run({run['run']!r}){typed}.exit({'' if status is None else status})")
    return "\n".join(lines)


def _lines(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


# ---------------------------------------------------------------- the draft


def _draft(unit: CheckUnit, settings: Mapping[str, Any]) -> Draft:
    read, files = [check for check in unit.checks if not check.unread], settings.get("files")
    listed_files = map(str, files if isinstance(files, list) else ())
    to_hand_in = [one.removeprefix("!require").strip() for one in listed_files if "!require" in one]
    required = [name for check in unit.checks for name in check.exists] or to_hand_in
    program = _common_program(unit)
    required += [name for check in read for name in check.sources]
    required += [word for word in program if word.endswith(".py") and word not in unit.folder.files]
    required = list(dict.fromkeys(map(safe_path, required)))
    compiled = {line: product for check in read for line, product in check.compiled.items()}
    build = {"run": list(map(to_words, compiled)), "produces": list(dict.fromkeys([*compiled.values(), *required]))}
    stated = settings.get("dependencies")
    named = [str(one) for one in stated if one] if isinstance(stated, list) else []
    packages = list(dict.fromkeys([*filter(_PACKAGE.fullmatch, named), *unit.packages(required)]))
    as_they_are = [check.name for check in unit.as_they_are]
    endings = [_LANGUAGES.get(PurePosixPath(one).suffix) for one in required]
    language = find_language(compiled, program[:1], *endings, "python" if as_they_are else None)
    losses: Mapping[str, object] = {
        "as-they-are": listed(as_they_are, most=8),
        "build": bool(compiled),
        "cs50-library": any("-lcs50" in line for line in compiled),
        "requires" if language == "python" else "packages": listed(packages, most=8),
        "translations": "translations" in settings,
    }
    return Draft(
        id=unit.id,
        format="check50",
        origin=f"the problem {unit.folder.path.name} of check50",
        language=language,
        required=required,
        program=program,
        keys={"build": build if compiled else None, "requires": packages or None if language == "python" else None},
        tests=[_as_test(check, unit) for check in unit.checks],
        losses=losses_where(losses),
        files=unit.files(),
    )


def _common_program(unit: CheckUnit) -> Sequence[str]:
    """Return what the checks start; the script that is handed in where they start a shell or a file of the problem."""
    lines = [line for check in unit.checks if not check.unread for line in check.runs]
    scripts = [["python3", name] for check in unit.checks for name in check.exists if name.endswith(".py")]
    program = list(common_program(lines)) if lines else []
    if program[:1] in ([], ["sh"], ["bash"]) or any(one in unit.folder.files for one in program):
        return next(iter(scripts), program or ["true"])
    return program


def _as_test(check: ImportedCheck, unit: CheckUnit) -> DraftTest:
    keys: dict[str, Data] = {"hint": check.hidden or None}
    if check.unread and not unit.problem:
        keys |= unit.keys(check)
    elif not check.unread:
        keys["limits"] = {"time": f"{check.seconds:g} s"} if check.seconds and check.runs else None
        keys |= {"memory-clean": check.is_watched or None, "all_or_nothing": len(check.cases) > 1 or None}
    open_check = OpenCheck(name=check.name, reason=f"{check.unread}; {unit.problem}", source=check.source)
    return DraftTest(
        name=check.name,
        points=None,
        about=check.about,
        needs=[check.needs] if check.needs else (),
        hidden=bool(check.hidden),
        cases=check.cases if not check.unread else open_check if unit.problem else (),
        keys=keys,
    )
