"""Submitty's `config.json` -> a spec.

What compiles is the build. A test case that runs commands becomes a test, or several with the points that its
validators cost; a validator that no spec can express becomes a check to be written.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.command_lines import COMPILERS, INTERPRETERS, common_program, first_word, needs_shell
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.submitty_cases import (
    KNOWN_RLIMITS,
    WITH_EXCEPTIONS,
    SubmittyAssignment,
    all_tests,
    read_rlimits,
    validators_of,
    with_unique_names,
)
from grader.imports.submitty_commands import build_lines, case_commands, is_compilation_case, plain_command
from grader.imports.submitty_config import NoCounterpartError, read_config, words_of
from grader.imports.submitty_counts import is_count, read_count
from grader.imports.submitty_junit import is_of_course, runs_junit
from grader.imports.submitty_keys import key_notes
from grader.imports.submitty_solutions import generator_file, program_of_solved
from grader.imports.submitty_validators import Validators
from grader.imports.to_do import ToDo


def import_submitty(path: Path, name: str | None = None) -> Imported:
    """Convert the config folder of an assignment to a spec; its id is `name`, or else the name of the assignment.

    Raises UsageError for what is no such folder, or has files outside.
    """
    path = path.parent if path.name == "config.json" else path
    path = path / "config" if (path / "config" / "config.json").is_file() else path
    folder = read_folder(path, "config.json")
    config = read_config(folder)
    cases = [case for case in config["testcases"] if isinstance(case, dict)]
    if not cases:
        raise UsageError(f"{folder.path / 'config.json'} has no test cases")
    named = folder.path.parent.name if folder.path.name == "config" else folder.path.name
    made = _start(identifier(name, named), cases, folder)
    found = made.id
    tests = all_tests(cases, made)
    if made.generators:
        made.files[f"data/{found}/generate.py"] = generator_file(made.generators)
        made.notes.append("Generated input is drawn, the same for all students; `seed: student` draws it for each.")
    if not tests:
        raise UsageError(f"{folder.path / 'config.json'} has no test case that can be carried over")
    spec = {**_keys_before_tests(config, _compiling(cases, folder), made), "tests": listing(with_unique_names(tests))}
    return Imported(
        id=found,
        spec=spec,
        files={**made.files, **made.validators.files, **made.to_do.files()},
        origin=f"config.json of Submitty ({one_line(named)})",
        notes=[*made.to_do.notes(), *made.notes, *made.validators.notes, *_notes(config, cases, made)],
    )


def _start(found: str, cases: Sequence[Mapping[str, Any]], folder: Folder) -> SubmittyAssignment:
    """Return an assignment of which no test case is converted yet."""
    lines = [line for case in cases if not is_compilation_case(case) for line in case_commands(case)]
    plain_lines = [plain_command(line) for line in lines if not (runs_junit([line]) or is_count(line))] or ["ls"]
    solved = (
        program_of_solved(case, plain_command(line), folder) for case in cases for line in case_commands(case)[:1]
    )
    program = next(filter(None, solved), common_program(plain_lines))
    return SubmittyAssignment(
        id=found,
        folder=folder,
        program=program,
        language=_language(_compiling(cases, folder), lines, program),
        validators=Validators(folder=folder, id=found),
        to_do=ToDo(file=f"data/{found}/to_do.py"),
    )


def _compiling(cases: Sequence[Mapping[str, Any]], folder: Folder) -> list[Mapping[str, Any]]:
    """Return the test cases that compile what is handed in."""
    return [case for case in cases if is_compilation_case(case) and not is_of_course(case, folder)]


def _language(compiling: Sequence[Mapping[str, Any]], lines: Sequence[str], program: Sequence[str]) -> str:
    """Return the language of what is compiled, or of what is started, or of the sources that are counted in."""
    languages = [COMPILERS.get(first_word(line), "") for case in compiling for line in build_lines(case)]
    words = [*program, *(word for line in program for word in line.split())]
    languages += [INTERPRETERS.get(word, "") for word in words if word != "sh"]
    for line in filter(is_count, lines):
        try:
            languages.append(read_count(line).language)
        except NoCounterpartError:
            continue
    languages += ["java"] if runs_junit(lines) else []
    return next(filter(None, languages), "shell")


def _keys_before_tests(
    config: Mapping[str, Any], compiling: Sequence[Mapping[str, Any]], made: SubmittyAssignment
) -> dict[str, Node]:
    lines = list(dict.fromkeys(line for case in compiling for line in build_lines(case)))
    keys = first_keys(made.id, made.language)
    if lines:
        products = [name for case in compiling for name in words_of(case.get("executable_name"))]
        folders = sorted({f"{safe_path(name).rpartition('/')[0]}/*" for name in products if "/" in name})
        run = [
            listing([plain("sh"), quoted("-c"), quoted(line)]) if needs_shell(line) else text_or_word(line)
            for line in lines
        ]
        keys["build"] = table({"run": listing(run), "produces": listing(map(quoted, ["*", *folders]))})
        given = {name: made.add_file(f"provided_code/{name}") for name in made.folder.below("provided_code")}
        if given:
            keys["build"] = table({"run": listing(run), "produces": listing([quoted("*")]), "with": table(given)})
    keys["program"] = listing([text_or_word(escaped(word)) for word in made.program])
    if made.reference:
        keys["reference"] = listing(map(text_or_word, made.reference))
    if limits := read_rlimits(config.get("resource_limits")):
        keys["limits"] = table(limits)
    names = [name for name in made.folder.below("test_input") if not name.endswith("Test.java")]
    inputs = {name: made.add_file(f"test_input/{name}") for name in names}
    defaults = {"files": table(inputs)} if inputs else {}
    if made.language in WITH_EXCEPTIONS:
        defaults["expect"] = table({"crash": plain("allowed")})
    if defaults:
        keys["defaults"] = table(defaults)
    return keys


def _notes(config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], made: SubmittyAssignment) -> Iterator[str]:
    """Yield what could not be carried over as it was."""
    validation = [one for case in cases for one in validators_of(case)]
    methods = {str(one.get("method")) for one in validation}
    if any("iff" in method for method in methods):
        yield "diff: each line that is right has its share of the points, as there (cut to whole points there)."
    if any(one.get("tolerance") for one in validation):
        yield "tolerance: numbers in a line may be off by so much; its words, and its spaces, count as there."
    if methods & {"warnIfEmpty", "warnIfNotEmpty"}:
        yield "warnIfEmpty, warnIfNotEmpty cost nothing, and are left out."
    if any(is_count(line) for case in cases for line in case_commands(case)):
        yield "Rules on the source replace submitty_count; they need `pip install 'fairgrader[source]'`."
    if any(case.get("dispatcher_actions") for case in cases):
        yield "dispatcher_actions: what they send is standard input from the start, without their delays."
    if any(is_compilation_case(case) for case in cases):
        yield "What compiles is the build, by gcc and g++ in place of clang: when it fails every test does."
    if any(is_compilation_case(case) and is_of_course(case, made.folder) for case in cases):
        yield "The points for compiling the JUnit test are given where one of its methods is right."
    yield from key_notes(config, cases)
    limits = config.get("resource_limits")
    stated = set(limits) - KNOWN_RLIMITS if isinstance(limits, dict) else ()
    if stated:
        yield f"Limits that have no counterpart: {listed(sorted(map(str, stated)), most=5)}."
    yield "A signal, such as a segmentation fault, fails a case here, also behind the right output."
    yield "Work that lies in a folder is found here, and not there."
    if not made.reference:
        yield "Reference: put your solution below reference/ and name it, for grader verify."
