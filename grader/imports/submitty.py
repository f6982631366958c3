"""Submitty's `config.json` -> a spec.

What compiles is the build. A test case that runs commands becomes a test, or several with the points that its
validators cost; a validator that no spec can express becomes a check to be written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, identifier
from grader.imports.command_lines import COMPILERS, INTERPRETERS, common_program, first_word, needs_shell
from grader.imports.draft import CourseFile, Data, Draft, Loss
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.submitty_cases import GENERATOR_HEAD, KNOWN_RLIMITS, Cases, is_of_course, read_rlimits, solved_case
from grader.imports.submitty_config import (
    LEFT_OUT,
    NoCounterpartError,
    build_lines,
    case_commands,
    is_compilation_case,
    is_count,
    mappings_of,
    number_of,
    read_config,
    read_count,
    unknown_keys,
    words_of,
)
from grader.imports.submitty_validators import WITH_EXCEPTIONS, Validators, runs_junit
from grader.imports.writer import to_imported


def import_submitty(path: Path, name: str | None = None) -> Imported:
    """Convert the config folder of an assignment to a spec; its id is `name`, or else the name of the assignment.

    Raises UsageError for what is no such folder, or has files outside.
    """
    path = path.parent if path.name == "config.json" else path
    path = path / "config" if (path / "config" / "config.json").is_file() else path
    folder = read_folder(path, "config.json")
    config = read_config(folder)
    cases = mappings_of(config["testcases"])
    if not cases:
        raise UsageError(f"{folder.path / 'config.json'} has no test cases")
    named = folder.path.parent.name if folder.path.name == "config" else folder.path.name
    compiling = [case for case in cases if is_compilation_case(case) and not is_of_course(case, folder)]
    program, language = _program_of(cases, compiling, folder)
    assignment_id = identifier(name, named)
    validators = Validators(folder=folder, id=assignment_id, language=language)
    made = Cases(validators=validators, program=program, every=cases)
    tests = [test for number, case in enumerate(cases, 1) for test in made.tests(case, number)]
    if not tests:
        raise UsageError(f"{folder.path / 'config.json'} has no test case that can be carried over")
    files = validators.files
    if made.generators:
        files[f"data/{assignment_id}/generate.py"] = "\n\n".join([GENERATOR_HEAD, *made.generators]).encode()
    counted = [case for case in cases if case.get("extra_credit") is not True and "max_submissions" not in case]
    worth = [max(0.0, number_of(case.get("points"), 0)) for case in counted]
    return to_imported(
        Draft(
            id=assignment_id,
            format="submitty",
            origin=f"config.json of Submitty ({one_line(named)})",
            language=language,
            program=program,
            keys=_keys(config, compiling, made),
            tests=tests,
            points=sum(map(Fraction, map(str, worth))),
            losses=[*validators.losses, *_losses(config, cases, made)],
            files=files,
        )
    )


def _program_of(
    cases: Sequence[Mapping[str, Any]], compiling: Sequence[Mapping[str, Any]], folder: Folder
) -> tuple[Sequence[str], str]:
    """Return the program of the test cases, and the language of what is compiled, or started, or counted in."""
    lines = [line for case in cases if not is_compilation_case(case) for line in case_commands(case)]
    program = common_program([line for line in lines if not (runs_junit([line]) or is_count(line))] or ["ls"])
    for case in (one for one in cases if one.get("solution_commands")):
        with suppress(NoCounterpartError):
            program = solved_case(case, folder, "x", 1).program
            break
    languages = [COMPILERS.get(first_word(line), "") for case in compiling for line in build_lines(case)]
    words = [*program, *(word for line in program for word in line.split())]
    languages += [INTERPRETERS.get(word, "") for word in words if word != "sh"]
    for line in filter(is_count, lines):
        with suppress(NoCounterpartError):
            languages.append(read_count(line).language)
    languages += ["java"] if runs_junit(lines) else []
    return program, next(filter(None, languages), "shell")


def _keys(config: Mapping[str, Any], compiling: Sequence[Mapping[str, Any]], made: Cases) -> dict[str, Data]:
    """Return the keys of the spec for the build, the limits, the reference and what all cases share."""
    folder = made.validators.folder
    keys: dict[str, Data] = {
        "reference": ["python3", made.reference] if made.reference else None,
        "limits": read_rlimits(config.get("resource_limits")) or None,
    }
    if lines := list(dict.fromkeys(line for case in compiling for line in build_lines(case))):
        given = {name: _file(f"provided_code/{name}", folder) for name in folder.below("provided_code")}
        products = [name for case in compiling for name in words_of(case.get("executable_name"))]
        folders = sorted({f"{safe_path(name).rpartition('/')[0]}/*" for name in products if "/" in name})
        keys["build"] = {
            "run": [("sh", "-c", line) if needs_shell(line) else line for line in lines],
            "produces": ["*"] if given else ["*", *folders],
            "with": given or None,
        }
    names = [name for name in folder.below("test_input") if not name.endswith("Test.java")]
    inputs = {name: _file(f"test_input/{name}", folder) for name in names}
    expect = {"crash": plain("allowed")} if made.validators.language in WITH_EXCEPTIONS else None
    if inputs or expect:
        keys["defaults"] = {"files": inputs or None, "expect": expect}
    return keys


def _file(name: str, folder: Folder) -> Data:
    return {"file": CourseFile(name=safe_path(name), content=folder.content(name))}


def _losses(config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], made: Cases) -> Iterator[Loss]:
    """Yield what could not be carried over as it was."""
    validation = [one for case in cases for one in mappings_of(case.get("validation"))]
    methods = {str(one.get("method")) for one in validation}
    compilations = [case for case in cases if is_compilation_case(case)]
    graded, limits = config.get("grading_parameters"), config.get("resource_limits")
    holds = {
        "diff": any("iff" in method for method in methods),
        "tolerance": any(one.get("tolerance") for one in validation),
        "warnings": methods & {"warnIfEmpty", "warnIfNotEmpty"},
        "counts": any(is_count(line) for case in cases for line in case_commands(case)),
        "dispatcher": any(case.get("dispatcher_actions") for case in cases),
        "generated": made.generators,
        "build": compilations,
        "junit-build": any(is_of_course(case, made.validators.folder) for case in compilations),
        "ta-points": isinstance(graded, dict) and number_of(graded.get("TA_POINTS"), 0),
        "signal": True,
        "folders": True,
        "reference": not made.reference,
    }
    yield from (Loss(rule=rule) for rule, is_there in holds.items() if is_there)
    yield from (Loss(rule=rule) for rule, key in LEFT_OUT.items() if config.get(key))
    if unknown := list(unknown_keys(config, cases)):
        yield Loss(rule="unknown-keys", detail=listed(unknown, most=8))
    if stated := set(limits) - KNOWN_RLIMITS if isinstance(limits, dict) else ():
        yield Loss(rule="limits", detail=listed(sorted(map(str, stated)), most=5))
