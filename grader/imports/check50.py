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
        (getattr(node, "module", alias.name) or "", alias.name, alias.asname or alias.name)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
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
            other_folder, where = _other_problem(folder, path, depth), path.rpartition("/")[2]
            if others.setdefault(where, other_folder.text(CHECKS_FILE)) != other_folder.text(CHECKS_FILE):
                raise UsageError(f"{folder.path} takes the checks of two problems called {one_line(where)}: rename one")
            taken[where] = _checks_of(other_folder, others[where], CHECKS_FILE, others, depth + 1)
        elif isinstance(node, ast.ImportFrom) and node.module in taken:
            chosen = [alias.name for alias in node.names]
            checks |= {name: check for name, check in taken[node.module].items() if {"*", name} & {*chosen}}
        elif isinstance(node, ast.FunctionDef):
            checks.pop(node.name, None)
            if check := _read_check(node, names, own, text, is_taken=depth > 0):
                checks[node.name] = check
    return checks


def _other_problem(folder: Folder, path: str, depth: int) -> Folder:
    if depth >= _MAX_DEPTH:
        raise UsageError(f"{folder.path} takes the checks of another problem (import_checks) that cannot be followed")
    if not (folder.path / path / CHECKS_FILE).is_file():
        problem = f"takes the checks of {one_line(path)} (import_checks): put that folder there, too"
        raise UsageError(f"{folder.path} {problem}, with its {CHECKS_FILE}")
    return read_folder(folder.path / path, CHECKS_FILE)


def _read_check(
    node: ast.FunctionDef, names: Mapping[str, Any], own: set[str], text: str, *, is_taken: bool
) -> ImportedCheck | None:
    """Return the check that a function defines; None for another function."""
    calls = {_name_of(call.func, own): call for call in node.decorator_list if isinstance(call, ast.Call)}
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
        check.cases.insert(0, DraftCase(command=["ls"], expect={"exit": 0, "files": {"present": check.exists}}))
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
        check.exists += [values.as_text(values.value_of(argument, names)) for argument in calls[0].args]
    elif name == "c.compile" and not calls[1:]:
        _read_compilation(calls[0], names, check)
    else:
        raise values.UnreadError(f"{values.source_of(node)} is known only when it is run")


def _read_compilation(call: ast.Call, names: Mapping[str, Any], check: ImportedCheck) -> None:
    sources = [values.as_text(values.value_of(argument, names)) for argument in call.args]
    words: dict[str, Any] = {"std": "c11", "ggdb": True, "lm": True}  # of check50
    words |= {keyword.arg or "**": values.value_of(keyword.value, names) for keyword in call.keywords}
    product = values.as_text(words.pop("exe_name", None) or sources[0].removesuffix(".c")) if sources else ""
    if not product or words.keys() & {"**", "cc", "max_log_lines"}:
        raise values.UnreadError("what it compiles")
    flags = [f"-{key}={values.as_text(value)}" for key, value in words.items() if value]
    flags = [flag.removesuffix("=True").replace("_", "-") for flag in flags]
    line = ["gcc", *flags, *sources, "-o", product]
    line.sort(key=lambda word: word.startswith("-l"))  # libraries stand behind what needs them
    check.compiled[" ".join(line)] = product
    check.sources += sources
    check.cases.append(DraftCase(command=["test", "-x", product], expect={"exit": 0}))


def _read_chain(name: str, calls: Sequence[ast.Call], names: Mapping[str, Any], check: ImportedCheck) -> DraftCase:
    """Return the case of a chain: what it says to a program, and what it waits for."""
    line = with_python3(values.as_text(_read_arguments(calls[0], name, names).get("command")))
    if first_word(line) in COMPILERS:
        raise values.UnreadError("it leaves what it compiles")
    steps: list[Data] = []
    status: int | None = None
    has_prompt = False
    for call in calls[1:]:
        does = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        words = _read_arguments(call, does, names)
        match does, words.get(_ORDERS[does][0]):
            case "stdin", str() | int() | float() as typed:
                has_prompt |= bool(words.get("prompt", True))
                steps += [{"expect": {"regex": "(?s).+"}}] if words.get("prompt", True) else []
                steps += [{"send": typed_line} for typed_line in str(typed).split("\n")]
            case "stdout", str() as output:
                steps += _wait_step(output, is_pattern=bool(words.get("regex", True)), after_prompt=has_prompt)
            case "exit", int() | None as status if call is calls[-1] and 0 <= (status or 0) <= _MAX_STATUS:
                steps += [{"eof": True}] if steps or status is None else []
            case _:
                raise values.UnreadError(f".{does}() is known only when it is run")
    check.runs.append(line)
    expect = None if status is None else {"exit": status}
    return DraftCase(command=to_words(line), keys={"dialogue": steps or None}, expect=expect)


def _read_arguments(call: ast.Call, name: str, names: Mapping[str, Any]) -> dict[str, Any]:
    given = values.args_of(call, _ORDERS.get(name, ()), names)
    if name not in _ORDERS or given.keys() - {*_ORDERS[name]}:
        raise values.UnreadError(f"the arguments of {name}()")
    return given


def _wait_step(output: str, *, is_pattern: bool, after_prompt: bool) -> list[Data]:
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
        used = [name for name in _NOT_HERE if name in imported or any(name in text for text in self._texts)]
        if used:
            return f"it uses {used[0]}"
        own = self.folder.files
        if unknown := [name for name in sorted(imported) if name.startswith("check50_") or f"{name}.py" in own]:
            return f"it imports {unknown[0]}, which is not known here"
        files = {place for file in self._beside() for place in (file, *map(str, PurePosixPath(file).parents))}
        missing = sorted({file for text in self._texts for file in _included_files(text)} - files)
        return f"it includes {missing[0]}, which the problem does not have" if missing else ""

    @property
    def as_they_are(self) -> Sequence[ImportedCheck]:
        """The checks that are run as they are."""
        return [] if self.problem else [check for check in self.checks if check.unread]

    def packages(self, required: Sequence[str]) -> list[str]:
        """Return the packages that the checks import which are run as they are; `required` are students' files."""
        if not self.as_they_are:
            return []
        own = {name.removesuffix(".py") for name in required} | self.others.keys()
        return values.required_packages(self._texts, {*own, "check50", "pexpect"})

    def keys(self, check: ImportedCheck) -> dict[str, Data]:
        """Return the keys of a check that is run as it is."""
        folders = [name for name, files in (("files", self._beside()), ("others", self.others)) if files]
        unit = {
            "unittest": self._place(is_hidden=bool(check.hidden)),
            "only": [f"Checks.test_{check.name}"],
            "with": [f"tests/{self.id}/{folder}" for folder in ("check50.py", *folders)],
        }
        return {"limits": {"time": f"{check.seconds or _SECONDS:g} s"}, "unit": unit}

    def files(self) -> dict[str, bytes]:
        """Return the files of the test, below the course root; hidden checks have one of their own."""
        if not (checks := self.as_they_are):
            return {}
        secret = {check.name for check in checks if check.hidden} - {check.needs for check in checks}
        files = {"check50.py": Path(__file__).with_name("check50_stand_in.py").read_bytes()}
        files |= {f"files/{name}": content for name, content in self._beside().items()}
        files |= {f"others/{name}.py": text.encode() for name, text in self.others.items()}
        placed = {f"tests/{self.id}/{name}": content for name, content in files.items()}
        for is_hidden, text in ((False, _blank_functions(self.text, secret)), (True, self.text)):
            names = [check.name for check in checks if bool(check.hidden) == is_hidden]
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
        return {name: files[name] for name in files if name != self.file and not _LEFT_OUT.search(name)}


def _blank_functions(text: str, functions: Collection[str]) -> str:
    """Return the checks with these functions taken out; all others stay on their lines."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(lines)


def _included_files(text: str) -> set[str]:
    """Return the files that the checks copy from the problem, where these are named."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [path for call in calls if ast.unparse(call.func) in ("include", "check50.include") for path in call.args]
    return {posixpath.normpath(str(path.value)) for path in named if isinstance(path, ast.Constant)}


# ---------------------------------------------------------------- the problem


def import_check50(path: Path, name: str | None = None) -> Imported:
    """Convert a problem of check50; UsageError for anything else, or for files outside its folder."""
    configuration = next((name for name in _CONFIGURATIONS if (path / name).is_file()), _CONFIGURATIONS[0])
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
        top = Value(node=parse(text.encode(), name), path="", context=Context(file=name, root=folder.path, types={}))
        whole = unless_wrong(top, to_data(top))
    except SpecError as error:
        reasons = "; ".join(problem.message for problem in error.problems[:2])
        raise UsageError(f"{folder.path / name}: {reasons}") from error
    stated = as_mapping(whole).get("check50")
    if not isinstance(stated, dict) and stated is not True:
        raise UsageError(f"{folder.path / name} has nothing under check50: name the folder of a problem of check50")
    return as_mapping(stated)


def _simple_checks(checks: Mapping[str, Any], path: Path) -> str:
    """Return the program that checks in the simple form of `.cs50.yml` mean, as check50 makes it."""
    lines = ["import check50"]
    for name, runs in checks.items():
        place = f"{path}: the check {one_line(name)!r}"
        if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
            raise UsageError(f"{place} has to be a list of `- run: ...`")
        function = harmless_name(name) if name[:1].isalpha() else f"check_{harmless_name(name)}"
        function += "_" * sum(bool(re.match(rf"def {function}_*\(", line)) for line in lines)
        lines += ["", "", "@check50.check()", f"def {function}():", f"    {one_line(name, 300)!r}"]
        for run in runs:
            if run.keys() - {"run", "stdin", "stdout", "exit"} or not isinstance(run.get("run"), str):
                raise UsageError(f"{place}: only run, stdin, stdout, exit, and always run")
            status = run.get("exit")
            if status is not None and not re.fullmatch(r"\d{1,3}", str(status)):
                raise UsageError(f"{place}: exit takes a number, not {one_line(str(status))!r}")
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
    to_hand_in = [pattern.removeprefix("!require").strip() for pattern in listed_files if "!require" in pattern]
    required = [name for check in unit.checks for name in check.exists] or to_hand_in
    program = _common_program(unit)
    required += [name for check in read for name in check.sources]
    required += [word for word in program if word.endswith(".py") and word not in unit.folder.files]
    required = list(dict.fromkeys(map(safe_path, required)))
    compiled = {line: product for check in read for line, product in check.compiled.items()}
    build = {"run": list(map(to_words, compiled)), "produces": list(dict.fromkeys([*compiled.values(), *required]))}
    stated = settings.get("dependencies")
    named = [str(package) for package in stated if package] if isinstance(stated, list) else []
    packages = list(dict.fromkeys([*filter(_PACKAGE.fullmatch, named), *unit.packages(required)]))
    as_they_are = [check.name for check in unit.as_they_are]
    endings = [_LANGUAGES.get(PurePosixPath(name).suffix) for name in required]
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
    """Return the program that the checks start, or the required script where they start a shell or a course file."""
    lines = [line for check in unit.checks if not check.unread for line in check.runs]
    scripts = [["python3", name] for check in unit.checks for name in check.exists if name.endswith(".py")]
    program = list(common_program(lines)) if lines else []
    if program[:1] in ([], ["sh"], ["bash"]) or any(word in unit.folder.files for word in program):
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
