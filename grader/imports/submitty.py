"""Submitty's `config.json` -> a spec.

What compiles is the build. A test case that runs commands becomes a test, with the points that its validators cost; a
validator that no spec can express becomes a check to be written. Partial credit of `diff` has no counterpart.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import listed, one_line, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.command_lines import COMPILERS, INTERPRETERS, common_program, first_word, needs_shell, with_python3
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.submitty_config import number_of, read_config, words_of
from grader.imports.submitty_solutions import generator_file, program_of_solved, solved_case
from grader.imports.submitty_validators import NoCounterpartError, OutputDemand, Validators, shares, stream_of
from grader.imports.to_do import ToDo

_TOLD = {
    "max_submission_size": "the size of a submission",
    "allow_system_calls": "which system calls are allowed: the sandbox decides",
    "assignment_message": "the message: write what students need under `about`",
    "load_message": "the message: write what students need under `about`",
    "part_names": "the names of the parts: a submission has to have the folders part1, part2, ...",
    "one_part_only": "one_part_only",
    "autograding": "the patterns of `autograding`: all files of a submission are there",
    "string_replacement": "string_replacement",
    "notebook": "the notebook",
    "itempool": "the pool of items",
    "hide_submitted_files": "hide_submitted_files",
    "early_submission_incentive": "early_submission_incentive",
    "global_input_generation_commands": "input that is generated",
}
_SHARE_IS_ALL = 0.99
_MIB = 2**20
_MAX_BEFORE = 8
"""test cases of which each copies from the one before"""
_JUNIT = "org.junit.runner.JUnitCore"
_LIMITS = {"RLIMIT_CPU": "cpu", "RLIMIT_NPROC": "processes", "RLIMIT_AS": "memory", "RLIMIT_RSS": "memory"}
_COMPILER_NAMES = {"clang++": "g++", "clang": "gcc", "g++": "g++", "gcc": "gcc", "javac": "javac"}
_SUBMITTY_JARS = re.compile(r"(?:-cp|-classpath)\s+\S*submitty\S*\s*")


@dataclass(slots=True, kw_only=True)
class _Assignment:
    """The state shared by all test cases during the conversion."""

    id: str
    folder: Folder
    program: Sequence[str]
    validators: Validators
    to_do: ToDo
    cases: Sequence[Mapping[str, Any]] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reference: Sequence[str] = ()
    generators: list[str] = field(default_factory=list)
    """functions that draw inputs, as their texts"""

    def add_file(self, name: str) -> Node:
        """Add a file of the folder; return its name in the spec."""
        place = f"data/{self.id}/{safe_path(name)}"
        self.files[place] = self.folder.content(name)
        return table({"file": text_or_word(place)})


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
    found = identifier(name, named)
    lines = [line for case in cases if not _is_compilation(case) for line in _commands(case)]
    plain_lines = [_plain_command(line) for line in lines if _JUNIT not in line] or ["ls"]
    solved = (program_of_solved(case, _plain_command(line), folder) for case in cases for line in _commands(case)[:1])
    made = _Assignment(
        id=found,
        folder=folder,
        program=next(filter(None, solved), common_program(plain_lines)),
        validators=Validators(folder=folder, id=found),
        to_do=ToDo(file=f"data/{found}/to_do.py"),
    )
    made.cases = cases
    tests = _all_tests(cases, made)
    if made.generators:
        made.files[f"data/{found}/generate.py"] = generator_file(made.generators)
        made.notes.append("Generated input is drawn, the same for all students; `seed: student` draws it for each.")
    if not tests:
        raise UsageError(f"{folder.path / 'config.json'} has no test case that can be carried over")
    spec = {**_keys_before_tests(config, cases, made), "tests": listing(_with_unique_names(tests))}
    return Imported(
        id=found,
        spec=spec,
        files={**made.files, **made.validators.files, **made.to_do.files()},
        origin=f"config.json of Submitty ({one_line(named)})",
        notes=[*made.to_do.notes(), *made.notes, *_notes(config, cases, has_reference=bool(made.reference))],
    )


# ---------------------------------------------------------------- commands


def _is_compilation(case: Mapping[str, Any]) -> bool:
    return case.get("type") == "Compilation"


def _commands(case: Mapping[str, Any]) -> list[str]:
    containers = case.get("containers")
    if isinstance(containers, list) and len(containers) == 1 and isinstance(containers[0], dict):
        return words_of(containers[0].get("commands"))
    return words_of(case.get("command"))


def _plain_command(line: str) -> str:
    """Return a command line without the path of an interpreter or a compiler, and for the programs that are here."""
    line = re.sub(r"^(?:drmemory\s.*?--\s+|valgrind(?:\s+-\S+)*\s+)", "", line.strip())
    word, _, rest = line.partition(" ")
    base = word.rpartition("/")[2] if word.startswith("/usr/") else word
    if re.fullmatch(r"python(?:3(?:\.\d+)?)?", base):
        base = "python3"
    return with_python3(f"{base} {rest}".strip())


def _build_lines(case: Mapping[str, Any]) -> Iterator[str]:
    for line in _commands(case):
        plain_line = _SUBMITTY_JARS.sub("", _plain_command(line))
        word = first_word(plain_line)
        rest = plain_line[len(word) :].replace(" -- ", " ").replace(" *cpp", " *.cpp").replace(" -m32 ", " ")
        yield f"{_COMPILER_NAMES.get(word, word)}{rest}"


def _as_command(line: str) -> Node:
    if needs_shell(line):
        return listing([plain("sh"), quoted("-c"), quoted(escaped(line))])
    return listing([text_or_word(escaped(word)) for word in shlex.split(line)])


# ---------------------------------------------------------------- the keys of the whole spec


def _keys_before_tests(
    config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], made: _Assignment
) -> dict[str, Node]:
    compiling = [case for case in cases if _is_compilation(case) and not _is_of_course(case, made)]
    lines = list(dict.fromkeys(line for case in compiling for line in _build_lines(case)))
    languages = [COMPILERS.get(first_word(line), "") for line in lines]
    words = [*made.program, *(word for line in made.program for word in line.split())]
    languages += [INTERPRETERS.get(word, "") for word in words if word != "sh"]
    keys = first_keys(made.id, next(filter(None, languages), "shell"))
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
    if limits := _limits(config.get("resource_limits")):
        keys["limits"] = table(limits)
    names = [name for name in made.folder.below("test_input") if not name.endswith("Test.java")]
    inputs = {name: made.add_file(f"test_input/{name}") for name in names}
    if inputs:
        keys["defaults"] = table({"files": table(inputs)})
    return keys


def _limits(stated: Any) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for name, value in stated.items() if isinstance(stated, dict) else ():
        key = _LIMITS.get(name)
        if key is None or not isinstance(value, int) or value <= 0:
            continue
        if key == "cpu":
            found["cpu"] = plain(f"{value} s")
            found["time"] = plain(f"{2 * value + 5} s")
        elif key == "memory":
            found["memory"] = plain(f"{max(16, value // _MIB)} MiB")
        else:
            found["processes"] = plain(str(max(8, value)))
    return found


def _is_of_course(case: Mapping[str, Any], made: _Assignment) -> bool:
    """Whether a test case compiles only a test of the course's own."""
    sources = [word for line in _commands(case) for word in line.split() if word.endswith(".java")]
    return bool(sources) and all("*" not in one and _test_file(one.removesuffix(".java"), made) for one in sources)


def _test_file(name: str, made: _Assignment) -> str:
    """Return the file of a JUnit test of the course by the name of its class; empty when it has none."""
    inner = name.replace(".", "/") + ".java"
    folders = ("test_input/", "provided_code/", "test_code/", "")
    return next((f"{one}{inner}" for one in folders if f"{one}{inner}" in made.folder.files), "")


# ---------------------------------------------------------------- tests


def _all_tests(cases: Sequence[Mapping[str, Any]], made: _Assignment) -> list[dict[str, Node]]:
    """Return the tests of all test cases; the points for compiling a test of the course's go to the first unit test."""
    own = [case for case in cases if _is_compilation(case) and _is_of_course(case, made)]
    owed = sum(number_of(case.get("points"), 0) for case in own)
    units = [case for case in cases if any(_JUNIT in line for line in _commands(case))]
    if owed and units:
        made.notes.append("The points for compiling the JUnit test belong to the test itself.")
    found: list[dict[str, Node]] = []
    for number, case in enumerate(cases, 1):
        if units and any(case is one for one in own):
            continue
        extra = owed if units and case is units[0] else 0
        with_extra = {**case, "points": number_of(case.get("points"), 0) + extra} if extra else case
        found += _as_tests(with_extra, number, made)
    return found


def _as_tests(case: Mapping[str, Any], number: int, made: _Assignment) -> list[dict[str, Node]]:
    """Return the tests that a test case becomes."""
    title = one_line(str(case.get("title", f"Test {number}")), 100) or f"Test {number}"
    worth = number_of(case.get("points"), 0)
    if worth < 0 or "max_submissions" in case:
        made.notes.append(f"{title}: left out: points off for many submissions.")
        return []
    keys: dict[str, Node] = {"name": text_or_word(title), "points": plain(points(Fraction(str(worth))))}
    if details := case.get("details"):
        keys["about"] = quoted(escaped(one_line(str(details), 300)))
    if case.get("extra_credit") is True:
        keys["bonus"] = plain("true")
    if case.get("hidden") is True:
        keys["visibility"] = plain("after-due" if case.get("release_hidden_details") else "hidden")
    if limits := _limits(case.get("resource_limits")):
        keys["limits"] = table(limits)
    try:
        if _is_compilation(case):
            return [{**keys, **_compiled(case)}]
        if case.get("type") == "FileCheck":
            return [{**keys, **_file_check(case, made)}]
        if case.get("solution_commands") or case.get("input_generation_commands"):
            return [{**keys, **_solved(case, [_plain_command(line) for line in _commands(case)], made)}]
        return _executed(case, keys, worth, made)
    except NoCounterpartError as reason:
        source = json.dumps(case, indent=1)[:8000]
        return [{**keys, "expect": made.to_do.expect(title, str(reason), source)}]


def _compiled(case: Mapping[str, Any]) -> dict[str, Node]:
    products = words_of(case.get("executable_name"))
    if not products:
        raise NoCounterpartError("a compilation without executable_name")
    present = table({"present": listing([quoted(escaped(safe_path(one))) for one in products])})
    return {"command": listing([plain("ls")]), "expect": table({"exit": plain("0"), "files": present})}


def _file_check(case: Mapping[str, Any], made: _Assignment) -> dict[str, Node]:
    validation = [case] if "actual_file" in case else _validation(case)
    if len(validation) != 1 or words_of(validation[0].get("actual_file")) == []:
        raise NoCounterpartError("a FileCheck of several files at once")
    names = words_of(validation[0]["actual_file"])
    if validation[0].get("one_of") and len(names) > 1:
        line = f"ls {' '.join(shlex.quote(safe_path(name)) for name in names)} 2>/dev/null | grep ."
        return {"command": _as_command(line), "expect": table({"exit": plain("0")})}
    present = [
        name
        for demand in made.validators.demands({"method": "fileExists", "actual_file": names}, 1)
        for name in demand.present
    ]
    expect = table(
        {"exit": plain("0"), "files": table({"present": listing([quoted(escaped(one)) for one in present])})}
    )
    return {"command": listing([plain("ls")]), "expect": expect}


def _validation(case: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = case.get("validation")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _executed(case: Mapping[str, Any], keys: dict[str, Node], worth: float, made: _Assignment) -> list[dict[str, Node]]:
    """Return the tests of a test case that runs commands: one, or several where its validators cost differently."""
    for key in ("dispatcher_actions", "actions"):
        if case.get(key):
            raise NoCounterpartError(f"{key} have no counterpart")
    validation = _validation(case)
    commands = _commands_of_executed(case, validation)
    if any(one.get("method") == "JUnitTestGrader" for one in validation):
        return [{**keys, **_junit(commands, made)}]
    costs = shares(validation)
    demands = [
        demand
        for one, share in zip(validation, costs, strict=True)
        if share > 0
        for demand in made.validators.demands({**_shared(case), **one}, share)
    ]
    if not demands:
        raise NoCounterpartError("no validator costs anything")
    start = _start_keys(commands, made, _lines_before(case, made))
    if len(demands) == 1 or all(demand.share >= _SHARE_IS_ALL for demand in demands):
        return [{**keys, **start, **_expectation(demands, len(commands))}]
    total = sum(demand.share for demand in demands)
    if abs(total - 1) > 1 - _SHARE_IS_ALL:
        made.notes.append(f"{one_line(str(case.get('title')))}: its validators cost {total:.0%} together, here 100 %.")
    found = []
    for number, demand in enumerate(demands, 1):
        part = round(worth * demand.share / total, 2)
        part = part if number < len(demands) else worth - sum(round(worth * d.share / total, 2) for d in demands[:-1])
        name = quoted(f"{_text(keys['name'])} ({number})")
        own = {**keys, "name": name, "points": plain(points(Fraction(str(round(part, 2)))))}
        found.append({**own, **start, **_expectation([demand], len(commands))})
    return found


def _solved(case: Mapping[str, Any], commands: Sequence[str], made: _Assignment) -> dict[str, Node]:
    """Return the keys of a test case whose right output the solution of the course writes, which is the reference."""
    if len(commands) != 1:
        raise NoCounterpartError("solution_commands beside several commands have no counterpart")
    found = solved_case(case, commands[0], made.folder, made.id, len(made.generators) + 1)
    if found.program != made.program or (made.reference and found.reference != made.reference):
        raise NoCounterpartError("another solution or another program than in the test cases before")
    made.reference = found.reference
    made.files |= found.files
    made.generators += [found.generator] if found.generator else []
    return dict(found.keys)


def _text(node: Node) -> str:
    return str(getattr(node, "text", ""))


def _commands_of_executed(case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    commands = [_plain_command(line) for line in _commands(case)]
    if not commands and not case.get("containers") and _only_handed_in(validation):
        return ["true"]
    if not commands:
        raise NoCounterpartError("it has no command, or several containers")
    if any(first_word(line).startswith("submitty_") for line in commands):
        raise NoCounterpartError(f"`{first_word(commands[-1])}` is a tool of Submitty's; see `source` and `style`")
    return commands


def _shared(case: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a test case says about all its validators."""
    return {key: case[key] for key in ("partial_credit",) if key in case}


def _only_handed_in(validation: Sequence[Mapping[str, Any]]) -> bool:
    """Whether validators look at files alone that are handed in, such as the answers of a quiz."""
    names = [name for one in validation for name in words_of(one.get("actual_file"))]
    return bool(names) and not any(stream_of(name, 1) for name in names)


def _lines_before(case: Mapping[str, Any], made: _Assignment, depth: int = 0) -> list[str]:
    """Return the commands of test cases before this one that leave the files which `pre_commands` copy."""
    before: list[str] = []
    for one in case.get("pre_commands") or ():
        number = re.fullmatch(r"test0*(\d+)", str(one.get("testcase"))) if isinstance(one, dict) else None
        place = int(number[1]) - 1 if number else -1
        if not (0 <= place < len(made.cases)) or one.get("command") != "cp" or depth > _MAX_BEFORE:
            raise NoCounterpartError("pre_commands other than cp from a test case before have no counterpart")
        earlier = made.cases[place]
        source, target = (str(one.get(key, "./")) for key in ("source", "destination"))
        before += _lines_before(earlier, made, depth + 1)
        if not _is_compilation(earlier):
            before += [f"( {_plain_command(line)} ) >/dev/null 2>&1" for line in _commands(earlier)]
        if target.rstrip("/") not in ("", "."):
            before += [f"cp -r {source} {shlex.quote(target)}"]
    return list(dict.fromkeys(before))


def _start_keys(commands: Sequence[str], made: _Assignment, before: Sequence[str] = ()) -> dict[str, Node]:
    """Return the keys that run the commands of a test case."""
    if len(commands) > 1 or before:
        lines = [f"{line} >STDOUT_{n}.txt 2>STDERR_{n}.txt" for n, line in enumerate(commands)]
        lines = [*before, *(lines if len(commands) > 1 else commands)]
        return {"command": listing([plain("sh"), quoted("-c"), quoted(escaped("\n".join(lines)))])}
    line = commands[0]
    redirected = re.fullmatch(r"([^<>|;&]+?)\s*<\s*([\w./-]+)", line)
    keys: dict[str, Node] = {}
    if redirected and f"test_input/{redirected[2]}" in made.folder.files:
        line = redirected[1]
        keys["stdin"] = made.add_file(f"test_input/{redirected[2]}")
    if made.program == ("sh", "-c", line):
        return keys
    if not needs_shell(line):
        words = shlex.split(line)
        count = len(made.program)
        if words[:count] == list(made.program):
            return {**keys, "args": listing([quoted(escaped(w)) for w in words[count:]])} if words[count:] else keys
    return {**keys, "command": _as_command(line)}


def _expectation(demands: Sequence[OutputDemand], commands: int) -> dict[str, Node]:
    """Return the keys by which one case meets all demands."""
    files: dict[str, list[Node]] = {}
    present = [name for demand in demands for name in demand.present]
    for demand in demands:
        if demand.comparison is not None:
            files.setdefault(stream_of(demand.file, commands) or safe_path(demand.file), []).append(demand.comparison)
    joined = {name: nodes[0] if len(nodes) == 1 else table({"all": listing(nodes)}) for name, nodes in files.items()}
    streams: list[str] = [name for name in ("stdout", "stderr") if name in joined]
    expect: dict[str, Node] = {name: joined.pop(name) for name in streams}
    inner: dict[str, Node] = {**({"present": listing(map(quoted, present))} if present else {}), **joined}
    if inner:
        expect["files"] = table(inner)
    found: dict[str, Node] = {}
    if any(demand.is_memory for demand in demands):
        found["memory-clean"] = plain("true")
    tolerated = list(dict.fromkeys(kind for demand in demands for kind in demand.tolerate))
    if tolerated:
        found["tolerate"] = table({kind: plain("100%") for kind in tolerated})
    return {**found, "expect": table(expect or {"exit": plain("any")})}


def _junit(commands: Sequence[str], made: _Assignment) -> dict[str, Node]:
    """Return the unit test that a command with JUnitCore runs."""
    words = [line.split() for line in commands if _JUNIT in line]
    names = words[0][words[0].index(_JUNIT) + 1 :] if words else []
    inner = _test_file(names[0], made) if len(names) == 1 else ""
    if not inner:
        raise NoCounterpartError("JUnitTestGrader: the file of the test is not in test_input or provided_code")
    made.add_file(inner)
    return {"unit": table({"junit": text_or_word(f"data/{made.id}/{inner}")})}


def _with_unique_names(tests: Sequence[dict[str, Node]]) -> Iterator[Node]:
    seen: dict[str, int] = {}
    for test in tests:
        name = _text(test["name"])
        seen[name] = seen.get(name, 0) + 1
        yield table({**test, "name": quoted(f"{name} #{seen[name]}")} if seen[name] > 1 else test)


def _notes(config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], *, has_reference: bool) -> Iterator[str]:
    """Yield what could not be carried over as it was."""
    methods = {str(one.get("method")) for case in cases for one in _validation(case)}
    if any("iff" in method for method in methods):
        yield "diff: each line that is right has its share of the points, as there."
    if any(one.get("tolerance") and not one.get("ignoreWhitespace") for case in cases for one in _validation(case)):
        yield "tolerance: words are compared, so blanks cost nothing here, and a wrong word costs all the points."
    if methods & {"warnIfEmpty", "warnIfNotEmpty"}:
        yield "warnIfEmpty, warnIfNotEmpty cost nothing, and are left out."
    if any(_is_compilation(case) for case in cases):
        yield "What compiles is the build, by gcc and g++ in place of clang: when it fails every test does."
    if any(case.get("warning_deduction") for case in cases):
        yield "warning_deduction: warnings of the compiler cost nothing; -Werror makes them errors."
    yield from (f"Left out: {text}." for key, text in _TOLD.items() if key in config)
    limits = config.get("resource_limits")
    stated = set(limits) - set(_LIMITS) if isinstance(limits, dict) else ()
    if stated:
        yield f"Limits that have no counterpart: {listed(sorted(map(str, stated)), most=5)}."
    yield "An uncaught exception or a signal fails a case here, also behind the right output."
    if not has_reference:
        yield "Reference: put your solution below reference/ and name it, for grader verify."
