"""The checks of check50 (CS50): a folder with `.cs50.yml` and checks in YAML or Python -> a spec.

There a check talks to the program on a terminal: it waits for a prompt, sends a line, and searches what
comes next for a pattern. Here that is a dialogue. A check is a test with one point that needs the check it depends on.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import SpecError, UsageError
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import Listing, Node, Scalar, Table
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import escaped_node
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.check50_checks import Action, CheckRun, ImportedCheck, read_checks
from grader.imports.check50_unit import (
    check_packages,
    check_unit_files,
    check_unit_keys,
    check_unit_problem,
    unit_checks,
)
from grader.imports.check50_values import UnreadCheckError
from grader.imports.command_lines import COMPILERS, INTERPRETERS, common_program, first_word, needs_shell, with_python3
from grader.imports.folder import Folder, harmless_name, read_folder, safe_path
from grader.imports.to_do import ToDo

_LANGUAGES = {".c": "c", ".cpp": "cpp", ".cc": "cpp", ".java": "java", ".py": "python"}
_CONFIGURATIONS = (".cs50.yml", ".cs50.yaml")
_TAG = re.compile(r"(?m)^(\s*-\s+)!(\w+)\s+(.+?)\s*$")
_FLAGS = re.compile(r"\A\(\?([aimsux]+)\)")
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_PROMPT: dict[str, Node] = {"expect": table({"regex": quoted("(?s).+")})}
_LONGEST_TEXT = 8_000
"""bytes that a step of a dialogue can wait for"""
_REJECTED = "Your program has to refuse this input and to ask again: status 124 is that of a program that still asks."
_SECONDS_OF_REJECTION = 4
"""3 for the prompt and 1 in which the program goes on, as there"""


@dataclass(slots=True, kw_only=True)
class _Problem:
    """The state shared by all checks during the conversion."""

    id: str
    folder: Folder
    checks: Mapping[str, ImportedCheck]
    program: Sequence[str]
    to_do: ToDo
    units: Sequence[ImportedCheck] = ()
    """that are run as they are"""
    file: str = ""
    """of the checks"""
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def include(self, name: str) -> dict[str, Node]:
        """Add files of the folder; return them as `files` of a case."""
        path = safe_path(name)
        inner = self.folder.below(path)
        base = path.rpartition("/")[2]
        found = {f"{base}/{one}": f"{path}/{one}" for one in inner} if inner else {base: path}
        given: dict[str, Node] = {}
        for target, source in found.items():
            place = f"data/{self.id}/{safe_path(source)}"
            self.files[place] = self.folder.content(source)
            given[target] = table({"file": text_or_word(place)})
        return given


def import_check50(path: Path, name: str | None = None) -> Imported:
    """Convert a problem of check50 to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such problem, or whose files lie outside it.
    """
    wanted = next((one for one in _CONFIGURATIONS if (path / one).is_file()), _CONFIGURATIONS[0])
    folder = read_folder(path, wanted)
    settings = _settings(folder, wanted)
    notes: list[str] = []
    stated = settings.get("checks", "__init__.py")
    file = "" if isinstance(stated, dict) else safe_path(str(stated))
    if isinstance(stated, dict):
        checks = [_simple_check(one, runs, folder.path / wanted) for one, runs in stated.items()]
    else:
        checks, twice = read_checks(folder, file)
        notes += [f"Two checks are called {one_line(one)}: the last counts, as there." for one in twice]
    found = identifier(name, folder.path.name)
    problem = _Problem(
        id=found,
        folder=folder,
        checks={check.name: check for check in checks},
        program=_common_program(checks, folder),
        to_do=ToDo(file=f"data/{found}/to_do.py"),
        notes=notes,
        file=file,
    )
    _run_units(problem)
    tests = [_as_test(check, problem) for check in checks]
    keys = _keys_before_tests(problem, settings)
    return Imported(
        id=found,
        spec={**keys, "tests": listing(tests)},
        files={**problem.files, **problem.to_do.files()},
        origin=f"the problem {folder.path.name} of check50",
        notes=[*problem.to_do.notes(), *_notes(problem, settings)],
    )


# ---------------------------------------------------------------- the files


def _settings(folder: Folder, name: str) -> Mapping[str, Any]:
    """Return what a `.cs50.yml` has under `check50`; its tags become the first word of a text."""

    def without_tag(match: re.Match[str]) -> str:
        value = match[3].strip("'\"").replace("\\", "").replace('"', "")
        return f'{match[1]}"!{match[2]} {value}"'

    text = _TAG.sub(without_tag, folder.text(name))
    try:
        whole = _data(parse(text.encode(), name))
    except SpecError as error:
        reasons = "; ".join(problem.message for problem in error.problems[:2])
        raise UsageError(f"{folder.path / name}: {reasons}") from error
    found = whole.get("check50") if isinstance(whole, dict) else None
    if found is True:
        return {}
    if not isinstance(found, dict):
        raise UsageError(f"{folder.path / name} has nothing under check50: name the folder of a problem of check50")
    return found


def _data(node: Node) -> Any:
    """Return a tree of YAML as plain values, all of them texts; UsageError for a key that is there twice."""
    match node:
        case Table(pairs=pairs):
            names = [key.text for key, _ in pairs]
            twice = next((one for one in names if names.count(one) > 1), None)
            if twice is not None:
                raise UsageError(f"the key {one_line(twice)!r} is there twice, in line {node.line}")
            return {key.text: _data(value) for key, value in pairs}
        case Listing(items=items):
            return [_data(item) for item in items]
        case Scalar(text=text, plain=True) if text in ("", "~", "null"):
            return None
        case Scalar(text=text, plain=True) if text == "true":
            return True
        case Scalar(text=text):
            return text


def _simple_check(name: str, runs: Any, path: Path) -> ImportedCheck:
    """Read a check in the simple form of `.cs50.yml`."""
    if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
        raise UsageError(f"{path}: the check {one_line(name)!r} has to be a list of `- run: ...`")
    check = ImportedCheck(name=harmless_name(name), about=one_line(name, 300), source="")
    for run in runs:
        unknown = [key for key in run if key not in ("run", "stdin", "stdout", "exit")]
        if unknown or not isinstance(run.get("run"), str):
            raise UsageError(f"{path}: the check {one_line(name)!r}: only run, stdin, stdout, exit, and always run")
        made = CheckRun(command=run["run"])
        if "stdin" in run:
            made.actions.append(Action(do="stdin", text=_lines(run["stdin"]), prompt=False))
        if "stdout" in run:
            made.actions.append(Action(do="stdout", text=_lines(run["stdout"])))
        status = run.get("exit")
        if status is not None and not (isinstance(status, str) and re.fullmatch(r"\d{1,3}", status)):
            raise UsageError(
                f"{path}: the check {one_line(name)!r}: exit takes a number, not {one_line(str(status))!r}"
            )
        made.actions.append(Action(do="exit" if status else "end", status=int(status or 0)))
        check.runs.append(made)
    return check


def _lines(value: Any) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


# ---------------------------------------------------------------- the spec


def _common_program(checks: Sequence[ImportedCheck], folder: Folder) -> Sequence[str]:
    """Return what the checks start; the script that is handed in where they start a shell or a file of the problem."""
    lines = [run.command for check in checks for run in check.runs] or [line for c in checks for line in c.commands]
    scripts = [["python3", name] for check in checks for name in check.exists if name.endswith(".py")]
    program = list(common_program([with_python3(line) for line in lines])) if lines else []
    if program[:1] in ([], ["sh"], ["bash"]) or any(one in folder.files for one in program):
        return next(iter(scripts), program or ["true"])
    return program


def _run_units(problem: _Problem) -> None:
    """Choose the checks that are run as they are, and add their files; they remain to be written where none can be."""
    checks = list(problem.checks.values())
    for check in checks:
        if not check.unread:
            try:
                list(_cases(check, problem))
            except UnreadCheckError as reason:
                check.unread = str(reason)
    problem.files.clear()  # what the others include is added when they are written
    units = unit_checks(checks) if problem.file else []
    if not units:
        return
    students = [name for check in checks for name in check.exists]
    if why := check_unit_problem(problem.folder, problem.file, students):
        for check in units:
            check.unread = f"{check.unread or f'it needs what {check.needs} leaves'}; {why}"
        return
    problem.units = units
    if not any(check.runs for check in checks if check not in units) and first_word(problem.program[0])[:2] == "./":
        problem.program = ["true"]  # those programs are made by the checks
    problem.files |= check_unit_files(units, problem.id, problem.folder, problem.file)


def _keys_before_tests(problem: _Problem, settings: Mapping[str, Any]) -> dict[str, Node]:
    """Return the keys of the spec that apply to all tests."""
    checks = [check for check in problem.checks.values() if check not in problem.units]
    included = {name for check in checks for name in check.include}
    stated = [str(one).removeprefix("!require ") for one in settings.get("files") or () if "!require" in str(one)]
    found = [name for check in problem.checks.values() for name in check.exists] or stated
    compiled = [one for check in checks for one in check.compiled]
    sources = [name for _, _, names in compiled for name in names if name not in included]
    scripts = [word for word in problem.program if word.endswith(".py") and word not in problem.folder.files]
    required = list(dict.fromkeys(safe_path(name) for name in [*found, *sources, *scripts]))
    keys = first_keys(
        problem.id,
        _language(compiled, required, problem.program, otherwise="python" if problem.units else "shell"),
        required=required,
    )
    if compiled:
        products = list(dict.fromkeys([*(product for _, product, _ in compiled), *required]))
        build: dict[str, Node] = {
            "run": listing(
                text_or_word(shlex.join(["sh", "-c", line]) if needs_shell(line) else line)
                for line in dict.fromkeys(line for line, _, _ in compiled)
            ),
            "produces": listing(map(text_or_word, products)),
        }
        given = [name for _, _, names in compiled for name in names if name in included]
        if any(first_word(line) == "make" for line, _, _ in compiled):
            given = sorted(included)
        headers = [name for name in included if name.endswith(".h")]
        if given or headers:
            build["with"] = table({k: v for name in [*given, *headers] for k, v in problem.include(name).items()})
        keys["build"] = table(build)
    if packages := _packages(problem, settings):
        keys["requires"] = listing(map(text_or_word, packages))
    keys["program"] = listing(map(text_or_word, problem.program))
    return keys


def _packages(problem: _Problem, settings: Mapping[str, Any]) -> Sequence[str]:
    """Return the packages that the checks need: those that are stated, and those that checks import which are run."""
    stated = settings.get("dependencies")
    names = [str(one) for one in stated if one and _PACKAGE.fullmatch(str(one))] if isinstance(stated, list) else []
    imported = check_packages(problem.folder, problem.file) if problem.units else []
    return list(dict.fromkeys([*names, *imported]))


def _language(
    compiled: Sequence[tuple[str, str, Sequence[str]]],
    required: Sequence[str],
    program: Sequence[str],
    *,
    otherwise: str,
) -> str:
    """Return the language of the programs: what compiles or starts them says that, or their endings."""
    compilers = [COMPILERS.get(first_word(line), "") for line, _, _ in compiled]
    by_ending = [_LANGUAGES.get(PurePosixPath(name).suffix, "") for name in required]
    started = "" if compiled else INTERPRETERS.get(program[0], "")
    return next(filter(None, [*compilers, started, *by_ending]), "c" if compiled else otherwise)


def _as_test(check: ImportedCheck, problem: _Problem) -> Node:
    keys: dict[str, Node] = {"name": text_or_word(check.name), "about": quoted(check.about)}
    if check.needs:
        keys["needs"] = listing([text_or_word(check.needs)])
    if check.hidden:
        keys["visibility"] = plain("hidden")
    rejects = any(action.do == "reject" for run in check.runs for action in run.actions)
    if hint := check.hidden or check.hint or (_REJECTED if rejects and not check.unread else ""):
        keys["hint"] = quoted(hint)
    if check.seconds and check.runs and check not in problem.units:
        keys["limits"] = table({"time": plain(f"{check.seconds:g} s")})
    if any(run.is_watched for run in check.runs) and check not in problem.units:
        keys["memory-clean"] = plain("true")
    if check in problem.units:
        return table({**keys, **check_unit_keys(check, problem.id, problem.folder, problem.file)})
    cases = [] if check.unread else [_as_written(keys) for keys in _cases(check, problem)]
    if check.unread:
        expected = problem.to_do.expect(check.name, check.unread, check.source)
        return table({**keys, "expect": expected})
    if len(cases) == 1:
        return table({**keys, **cases[0]})
    return table({**keys, "all_or_nothing": plain("true"), "cases": listing(map(table, cases))})


def _as_written(keys: Mapping[str, Node]) -> dict[str, Node]:
    """Return the keys of a case with all their texts as they are: specs replace `{name}` in them."""
    return {key: escaped_node(node) for key, node in keys.items()}


def _cases(check: ImportedCheck, problem: _Problem) -> Iterator[dict[str, Node]]:  # noqa: C901 - a table of what is done
    """Yield the keys of each case of a check."""
    given = _given_files(check, problem)
    if check.exists:
        present = table({"present": listing(map(text_or_word, check.exists))})
        yield {"command": listing([plain("ls")]), "expect": table({"exit": plain("0"), "files": present})}
    for _, product, _ in check.compiled:
        if "*" in product:  # the build failed, or made it
            yield {"command": listing([plain("true")]), "expect": table({"exit": plain("0")})}
            continue
        yield {"command": listing(map(text_or_word, ("test", "-x", product))), "expect": table({"exit": plain("0")})}
    for line in check.commands:
        yield {"command": listing(map(text_or_word, shlex.split(line))), "expect": table({"exit": plain("0")})}
    for name, digest in check.hashes.items():
        pattern = table({"regex": quoted(f"^{re.escape(digest.lower())} ")})
        command = listing(map(text_or_word, ("sha256sum", name)))
        yield {"command": command, "expect": table({"stdout": pattern})}
    if check.files and not check.runs:
        yield {"command": listing([plain("true")]), "expect": table({"exit": plain("0"), **_expected_files(check)})}
    for run in check.runs:
        keys = _start_keys(run, problem)
        if run.env:
            keys["env"] = table({name: quoted(value) for name, value in run.env.items()})
        if given:
            keys["files"] = table(given)
        talk = _conversation(run)
        if run is check.runs[-1] and check.files:
            if "expect" in talk and isinstance(talk["expect"], Table):
                expected = {key.text: value for key, value in talk["expect"].pairs}
                talk["expect"] = table({**expected, **_expected_files(check)})
            else:
                talk["expect"] = table(_expected_files(check))
        yield {**keys, **talk}


def _expected_files(check: ImportedCheck) -> dict[str, Node]:
    """Return the key for the files that a check reads in the end."""

    def held(kind: str, text: str) -> Node:
        if kind == "text":
            return table({"text": quoted(text)})
        inside = table({"contains": listing([quoted(text)])})
        return inside if kind == "contains" else table({"not": inside})

    found: dict[str, Node] = {}
    for name, demands in check.files.items():
        parts = [held(kind, text) for kind, text in demands]
        found[safe_path(name)] = parts[0] if len(parts) == 1 else table({"all": listing(parts)})
    return {"files": table(found)}


def _given_files(check: ImportedCheck, problem: _Problem) -> dict[str, Node]:
    """Return the files that a check has from the course: its own, and those of the checks that it needs."""
    found: dict[str, Node] = {}
    one: ImportedCheck | None = check
    while one is not None:
        compiled = {name for _, _, names in one.compiled for name in names}
        for name in one.include:
            if name not in compiled:
                found |= problem.include(name)
        one = problem.checks.get(one.needs)
    return found


def _start_keys(run: CheckRun, problem: _Problem) -> dict[str, Node]:
    is_rejected = any(action.do == "reject" for action in run.actions)
    line = with_python3(run.command)
    words = ["sh", "-c", line] if needs_shell(line) else shlex.split(line)
    count = len(problem.program)
    if is_rejected:
        words = ["timeout", "--foreground", str(_SECONDS_OF_REJECTION), *words]
    elif words[:count] == list(problem.program):
        return {"args": listing(map(quoted, words[count:]))} if words[count:] else {}
    return {"command": listing(map(text_or_word, words))}


# ---------------------------------------------------------------- what is said


def _conversation(run: CheckRun) -> dict[str, Node]:
    """Return the dialogue of a run, and what else is expected; UnreadCheckError for what no dialogue can say."""
    actions = [action for action in run.actions if action.do != "stdout" or action.text]
    expect: dict[str, Node] = {}
    status = next((action.status for action in actions if action.do == "exit"), None)  # a number, or `failure`
    if status is not None:
        expect["exit"] = plain(str(status))
    if any(action.do == "reject" for action in actions):
        if actions[-1].do != "reject" or any(action.do in ("exit", "end", "end-of-output") for action in actions):
            raise UnreadCheckError("it goes on after a reject()")
        expect["exit"] = plain("124")
    if not any(action.do in ("stdin", "stdout", "end-of-output", "end") for action in actions) and expect:
        return {"expect": table(expect)}
    steps, whole = _steps(actions)
    if whole is not None:
        expect["screen"] = whole
    found: dict[str, Node] = {"dialogue": listing(steps)}
    return {**found, "expect": table(expect)} if expect else found


def _steps(actions: Sequence[Action]) -> tuple[list[Node], Node | None]:  # noqa: C901 - a table of actions
    """Return the steps of a dialogue, and what the whole screen has to be where a step cannot say it."""
    steps: list[Node] = []
    whole: Node | None = None
    has_ended = False
    for place, action in enumerate(actions):
        if has_ended and action.do not in ("exit", "end"):
            raise UnreadCheckError("it goes on after the end of the program")
        if action.do == "stdin":
            steps += _input_steps(action)
        elif action.do == "stdout":
            has_prompt = any(one.do == "stdin" and one.prompt for one in actions[:place])
            is_long = len(action.text.encode()) > _LONGEST_TEXT
            if not is_long:
                steps.append(_awaited(action, has_prompt=has_prompt))
            following = actions[place + 1].do if place + 1 < len(actions) else ""
            if is_long or following == "end-of-output":
                is_first = not any(one.do == "stdout" for one in actions[:place])
                whole = _whole_screen(action, is_first=is_first, is_last=following == "end-of-output")
        elif action.do != "reject" and not has_ended:
            if action.do == "end-of-output" and whole is None:
                if place:
                    raise UnreadCheckError("it asks for no more output after an input")
                whole = table({"text": quoted("")})
            steps.append(_within({"eof": plain("true")}, action))
            has_ended = True
    if not has_ended and (whole is not None or actions[-1].do == "reject"):
        steps.append(table({"eof": plain("true")}))
    return steps, whole


def _input_steps(action: Action) -> list[Node]:
    prompt = [_within(_PROMPT, action)] if action.prompt else []
    if action.is_pattern:
        return [*prompt, table({"send": table({"key": plain("ctrl-d")})})]
    return [*prompt, *(table({"send": quoted(line)}) for line in action.text.split("\n"))]


def _whole_screen(action: Action, *, is_first: bool, is_last: bool) -> Node:
    """Return what the whole screen has to match: the text occurs, or it occurs for the first time at the very end."""
    pattern = _checked(_pattern(action.text) if action.is_pattern else f"(?s){re.escape(action.text)}")
    flags, rest = pattern[: pattern.index(")") + 1], pattern[pattern.index(")") + 1 :]
    if not is_last:
        return table({"regex": quoted(pattern)})
    rest = f"(?:{rest.removeprefix('^')})"
    return table({"regex": quoted(f"{flags}\\A(?:(?!{rest}).)*{rest}\\Z" if is_first else f"{flags}{rest}\\Z")})


def _awaited(action: Action, *, has_prompt: bool) -> Node:
    """Return the step that waits for a text, or for what matches a pattern."""
    if not action.is_pattern or not _SPECIAL.search(action.text):
        return _within({"expect": quoted(action.text)}, action)
    pattern = _pattern(action.text)
    if has_prompt:  # `^` is the place behind the prompt there
        pattern = re.sub(r"\A(\(\?[a-z]+\))\^", r"\1", pattern)
    return _within({"expect": table({"regex": quoted(_checked(pattern))})}, action)


def _checked(pattern: str) -> str:
    """Return a pattern; UnreadCheckError for one that is none, or that is found everywhere."""
    try:
        if re.search(pattern, ""):
            raise UnreadCheckError("its pattern is found in an empty text")
    except (re.error, OverflowError, RecursionError) as error:
        raise UnreadCheckError(f"its pattern is none: {error}") from error
    return pattern


def _pattern(text: str) -> str:
    """Return a pattern in which a dot matches a line break as well, as there."""
    flags = _FLAGS.match(text)
    letters = "".join(sorted({"s", *(flags[1] if flags else "")}))
    return f"(?{letters}){text[flags.end() :] if flags else text}"


def _within(step: dict[str, Node], action: Action) -> Node:
    return table({**step, "within": plain(f"{action.within:g} s")} if action.within else step)


def _notes(problem: _Problem, settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield what could not be carried over as it was."""
    checks = problem.checks.values()
    yield "Points: check50 has none; each check is worth 1 here."
    if problem.units:
        names = listed([check.name for check in problem.units], most=8)
        yield f"Run as they are, by unittest, with the student's programs in processes that they start: {names}."
    if any(check.compiled for check in checks if check not in problem.units):
        yield "What compiles is the build, by gcc: when it fails every test does; there exists() still passes."
    if any("-lcs50" in line for check in checks for line, _, _ in check.compiled):
        yield "The library of CS50 (cs50.h, -lcs50) has to be installed where you grade, in /usr."
    if any(action.do == "reject" for check in checks for run in check.runs for action in run.actions):
        yield f"reject(): `timeout` ends the program after {_SECONDS_OF_REJECTION} s, with status 124."
    if any(action.within for check in checks for run in check.runs for action in run.actions):
        yield "timeout= of a step is `within`."
    yield from problem.notes
    yield "Steps without a timeout have what is left of the case's time; there stdout() waits 3 s, exit() 5 s."
    yield "An uncaught exception fails a case here, also where the exit status is right."
    if packages := _packages(problem, settings):
        yield f"requires: `grader packages` installs {listed(packages, most=8)}."
    if "translations" in settings:
        yield "translations are left out."
    yield "Reference: check50 has none. Put yours below reference/, and name it, for grader verify."
