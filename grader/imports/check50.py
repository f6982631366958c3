"""The checks of check50 (CS50): a folder with `.cs50.yml` and checks in YAML or Python -> a draft.

There a check talks to the program on a terminal: it waits for a prompt, sends a line, and searches what
comes next for a pattern. Here that is a dialogue. A check is a test with one point that needs the check it depends on.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import SpecError, UsageError
from grader.core.reader.files import to_data, unless_wrong
from grader.core.text import listed, one_line
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import Context, Value
from grader.imports import Imported, identifier
from grader.imports.check50_checks import CHECKS_FILE, CheckUnit, ImportedCheck, read_checks
from grader.imports.draft import Data, Draft, DraftTest, OpenCheck, losses_where
from grader.imports.folder import Folder, harmless_name, read_folder, safe_path
from grader.imports.shell_lines import COMPILERS, INTERPRETERS, common_program, first_word, to_words
from grader.imports.writer import to_imported

_CONFIGURATIONS = (".cs50.yml", ".cs50.yaml")
_LANGUAGES = {".c": "c", ".cpp": "cpp", ".cc": "cpp", ".java": "java", ".py": "python"}
_TAG = re.compile(r"""(?m)^(\s*-\s+)(!\w+[ ]+)["']?([^"'\\\n]+?)["']?[ ]*$""")
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def import_check50(path: Path, name: str | None = None) -> Imported:
    """Convert a problem of check50 to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such problem, or whose files lie outside it.
    """
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
    found = whole.get("check50") if isinstance(whole, dict) else None
    if not isinstance(found, dict) and found is not True:
        raise UsageError(f"{folder.path / name} has nothing under check50: name the folder of a problem of check50")
    return found if isinstance(found, dict) else {}


def _simple_checks(checks: Mapping[str, Any], path: Path) -> str:
    """Return the program that checks in the simple form of `.cs50.yml` mean, as check50 makes it."""
    lines, names = ["import check50"], set[str]()
    for name, runs in checks.items():
        told = f"{path}: the check {one_line(name)!r}"
        if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
            raise UsageError(f"{told} has to be a list of `- run: ...`")
        function = harmless_name(name) if name[:1].isalpha() else f"check_{harmless_name(name)}"
        while function in names:
            function += "_"
        names.add(function)
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
    read = [check for check in unit.checks if not check.unread]
    files = settings.get("files")
    named = map(str, files if isinstance(files, list) else ())
    stated = [one.removeprefix("!require").strip() for one in named if "!require" in one]
    required = [name for check in unit.checks for name in check.exists] or stated
    program = _common_program(unit)
    required += [name for check in read for name in check.sources]
    required += [word for word in program if word.endswith(".py") and word not in unit.folder.files]
    required = list(dict.fromkeys(map(safe_path, required)))
    compiled = {line: product for check in read for line, product in check.compiled.items()}
    build = {"run": list(map(to_words, compiled)), "produces": list(dict.fromkeys([*compiled.values(), *required]))}
    packages = _packages(unit, settings, required)
    as_they_are = [check.name for check in unit.as_they_are]
    language = _language([*compiled], program[0], required) or ("python" if as_they_are else "shell")
    losses: Mapping[str, object] = {
        "points": True,
        "as-they-are": listed(as_they_are, most=8),
        "build": bool(compiled),
        "cs50-library": any("-lcs50" in line for line in compiled),
        "timeouts": True,
        "exceptions": True,
        "requires" if language == "python" else "packages": listed(packages, most=8),
        "translations": "translations" in settings,
        "reference": True,
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


def _language(compiled: Sequence[str], program: str, required: Sequence[str]) -> str | None:
    """Return the language of the programs: what compiles or starts them says that, or their endings."""
    compilers = [COMPILERS.get(first_word(line)) for line in compiled]
    endings = [_LANGUAGES.get(PurePosixPath(name).suffix) for name in required]
    return next(filter(None, [*compilers, INTERPRETERS.get(program), *endings]), None)


def _packages(unit: CheckUnit, settings: Mapping[str, Any], required: Sequence[str]) -> list[str]:
    """Return the packages that are stated, and those of checks that are run as they are."""
    stated = settings.get("dependencies")
    names = [str(one) for one in stated if one] if isinstance(stated, list) else []
    return list(dict.fromkeys([*filter(_PACKAGE.fullmatch, names), *unit.packages(required)]))


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
        keys["memory-clean"] = check.is_watched or None
        keys["all_or_nothing"] = len(check.cases) > 1 or None
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
