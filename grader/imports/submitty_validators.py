"""The validators of Submitty -> what a case expects. A validator without a counterpart is listed by its name.

What each does was read in Submitty's source (`grading/dispatch.cpp`, `load_config_json.cpp`, `difference.cpp`).
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.model.layout import LazyBytes
from grader.core.reader.files import read_data
from grader.core.text import one_line
from grader.core.yaml.nodes import plain
from grader.imports.draft import CourseFile, Data, DraftCase, Loss
from grader.imports.folder import Folder, parse_json, safe_glob, safe_path
from grader.imports.shell_lines import with_python3
from grader.imports.writer import LOSSES
from grader.kinds.unit_tests.java_text import find_java_methods

# ---------------------------------------------------------------- the configuration

Json = Mapping[str, Any]  # an object of the configuration
SUBMITTY: Json = read_data(Path(__file__).with_name("submitty.yaml"))
_MAX_DEPTH, _MAX_NUMBER, _MAX_TEXT = 10, 10**9, 4 * 2**20
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_DIRECTIVE = re.compile(r'#\s*(?:include\s+["<](?P<file>[^">]+)[">]|(?P<other>.*))')
LEFT_OUT = {rule: rule.removeprefix("config.") for rule in LOSSES["submitty"] if rule.startswith("config.")}


class NoCounterpartError(Exception):
    """Why a part of a configuration cannot be carried over."""


def read_config(folder: Folder) -> Json:
    """Read the configuration of an assignment; UsageError with the reason when it is none."""
    path = folder.path / "config.json"
    config = parse_json(_preprocessed(folder, "config.json", 0), path)
    if not isinstance(config, dict) or not isinstance(config.get("testcases"), list):
        raise UsageError(f"{path} has no list of testcases: name the config folder of an assignment of Submitty")
    return config


def _preprocessed(folder: Folder, name: str, depth: int) -> str:
    """Return the text of a file without comments, and with what it includes."""
    path = folder.path / name
    if depth > _MAX_DEPTH:
        raise UsageError(f"{path}: #include goes round, or is nested more than {_MAX_DEPTH} deep")
    text = folder.text(name)
    text = _TOKEN.sub(lambda match: match[0] if match[0][0] == '"' else "\n" * match[0].count("\n") or " ", text)
    lines, size = text.split("\n"), len(text)
    for place, line in enumerate(lines):
        if (directive := _DIRECTIVE.fullmatch(line.strip())) is None:
            continue
        if not directive["file"]:
            raise UsageError(f"{path}: `#{one_line(directive['other'])}` cannot be carried out; write what it makes")
        inner = safe_path(f"{name.rpartition('/')[0]}/{directive['file']}".lstrip("/"))
        lines[place] = _preprocessed(folder, inner, depth + 1)
        size += len(lines[place])
        if size > _MAX_TEXT:
            raise UsageError(f"{path} has more than {_MAX_TEXT // 2**20} MiB with what it includes")
    return "\n".join(lines)


def words_of(value: Any) -> list[str]:
    """Return a text, or a list of texts, as a list."""
    return [value] if isinstance(value, str) else [str(word) for word in value] if isinstance(value, list) else []


def mappings_of(value: Any) -> list[Json]:
    """Return the objects of a list."""
    return [mapping for mapping in value if isinstance(mapping, dict)] if isinstance(value, list) else []


def number_of(value: Any, otherwise: float) -> float:
    """Return a number of the configuration."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER
    return float(value) if is_number else otherwise


def unknown_keys(config: Json, cases: Sequence[Json]) -> Iterator[str]:
    """Yield the keys of a configuration that Submitty does not know, each with its place."""
    parts: list[tuple[str, Json, str]] = [("config.json", config, "config.json")]
    for number, case in enumerate(cases):
        parts.append(("case", case, f"testcases[{number}]"))
        validation = enumerate(mappings_of(case.get("validation")))
        parts += [("validator", validator, f"testcases[{number}].validation[{n}]") for n, validator in validation]
    for kind, values, place in parts:
        if values.get("method") != "custom_validator":  # whose keys are its own
            names = values.keys() - {*SUBMITTY["keys"][kind], *(LEFT_OUT.values() if kind == "config.json" else ())}
            yield from (f"`{one_line(name, 40)}` of {place}" for name in sorted(names))


# ---------------------------------------------------------------- commands of a test case


def is_compilation_case(case: Json) -> bool:
    """Whether a test case compiles what is handed in."""
    return case.get("type") == "Compilation"


def case_commands(case: Json) -> list[str]:
    """Return the commands of a test case, also those of its only container, for the programs that are here."""
    containers = case.get("containers")
    if isinstance(containers, list) and len(containers) == 1 and isinstance(containers[0], dict):
        case = {**case, "command": containers[0].get("commands")}
    commands = []
    for line in map(str.strip, words_of(case.get("command"))):
        for kind in ("programs", *(["compilers"] if is_compilation_case(case) else [])):
            for pattern, text in SUBMITTY[kind].items():
                line = re.sub(pattern, text, line)  # noqa: PLW2901
        commands.append(with_python3(line))
    return commands


# ---------------------------------------------------------------- counts by submitty_count, as rules on the source

_TOOL = re.compile(r"(?:/\S*/)?submitty_count(?:_(?:ts|(?P<what>token|node|call)))?(?=\s|$)(?P<rest>.*)", re.DOTALL)


def is_count(line: str) -> bool:
    """Whether a command counts what a source has, by a tool of Submitty's."""
    return bool(_TOOL.match(line.strip()))


def read_count(line: str) -> tuple[str, Mapping[str, str], Sequence[str]]:
    """Return the language, the rule and the files of a command that counts; NoCounterpartError where no rule does."""
    shown, tool = f"`{one_line(line, 80)}`", _TOOL.match(line.strip())
    language = re.search(r"\s-l\s+(\S+)", line)
    try:
        words = shlex.split(re.sub(r"\s-l(?:\s+\S+|$)", " ", tool["rest"] if tool else ""))
    except ValueError as error:
        raise NoCounterpartError(f"{shown} is no command: {error}") from error
    if tool and tool["what"]:
        words = [tool["what"], *words]
    kind, feature, files = "".join(words[:1]), "".join(words[1:2]), [safe_glob(name) for name in words[2:]]
    if not files:
        raise NoCounterpartError(f"{shown} does not say what to count, and in which files")
    if not language or language[1].lower() not in SUBMITTY["languages"]:
        raise NoCounterpartError(f"{shown}: there are no rules on the source for this language")
    return SUBMITTY["languages"][language[1].lower()], _rule(kind, feature, shown), files


def _rule(kind: str, feature: str, shown: str) -> Mapping[str, str]:
    if kind in ("call", "function") and re.fullmatch(r"[A-Za-z_]\w*", feature):
        return {kind: feature}
    if kind in ("token", "node") and feature in SUBMITTY["features"]:
        return dict(SUBMITTY["features"][feature])
    if kind == "identifier" or (kind in ("token", "node") and re.fullmatch(r"[a-z]+|[^\w\s]{1,3}", feature)):
        return {"token": feature}
    raise NoCounterpartError(f"{shown}: no rule on the source counts this {one_line(kind or 'kind', 20)}")


def source_of_count(rule: Json, files: Sequence[str], validator: Json) -> Json | None:
    """Return what stands under `source` for a count that is compared with a number; None where that always holds."""
    comparison, term = validator.get("comparison"), validator.get("term")
    number = term if type(term) is int and abs(term) < _MAX_NUMBER else -1
    bounds: Mapping[object, tuple[int, int | None]] = {
        "ge": (number, None),
        "gt": (number + 1, None),
        "le": (0, number),
        "lt": (0, number - 1),
        "eq": (number, number),
    }
    least, most = (1, None) if (comparison, number) == ("ne", 0) else bounds.get(str(comparison), (0, -1))
    if number < 0 or (most is not None and most < 0):
        raise NoCounterpartError("a count that is compared in no way that a rule on the source has")
    if most == 0:
        return {"forbid": [rule], "files": files}
    if not least and most is None:
        return None
    return {"require": [{**rule, "at-least": least or None, "at-most": most}], "files": files}


# ---------------------------------------------------------------- the validators


# what Submitty always writes for a test case with one command
WRITTEN_STREAMS = ("STDOUT.txt", "STDERR.txt", "STDOUT_0.txt", "STDERR_0.txt")
FREE = DraftCase(command=["true"], expect={"exit": plain("any")})  # what everybody passes
WITH_EXCEPTIONS = ("python", "java")  # an uncaught exception is an exit with a status in them
_WARNINGS = ("warnIfEmpty", "warnIfNotEmpty", "")  # cost nothing; without a method, a file is only shown
_SPACES = dict.fromkeys(("inner-space", "leading-space", "trailing-space"), "100%")
_LOG = "execute_logfile.txt"  # in which Submitty writes how a program ended, if that was not with status 0
_CORE, _CUSTOM = "org.junit.runner.JUnitCore", "custom_validation_code"
_RUN_CUSTOM = re.compile(r"(?:/usr/bin/)?python3?\s+(?P<script>[\w./-]+\.py)(?P<args>(?:\s+[\w./:=,+@%-]+)*)")
_STAND_IN = Path(__file__).with_name("submitty_stand_in.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What one validator asks for."""

    share: float = 1.0  # of the points, which it costs
    file: str = ""  # of which it looks at the content; empty for one that looks at something else
    comparison: Data = None
    expect: Mapping[str, Data] = field(default_factory=dict)  # what else a case has to do
    present: Sequence[str] = ()
    tolerate: Mapping[str, Data] = field(default_factory=dict)
    keys: Mapping[str, Data] = field(default_factory=dict)  # of the test
    case: DraftCase | None = None  # in place of what the test case runs

    @property
    def is_alone(self) -> bool:
        """Whether nothing else is asked in its test."""
        return bool(self.case or {"unit", "source"} & self.keys.keys())


@dataclass(slots=True, kw_only=True)
class Validators:
    """The conversion of all validators of an assignment, with the files that they need, and what is lost."""

    folder: Folder
    id: str
    language: str
    files: dict[str, LazyBytes] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    def demands(self, validator: Json, share: float, commands: Sequence[str]) -> Iterator[Criterion]:
        """Yield what a validator asks for; NoCounterpartError for one that no spec can express."""
        method, names = str(validator.get("method", "")), words_of(validator.get("actual_file"))
        if method in SUBMITTY["old_diffs"]:
            validator, method = {**validator, **SUBMITTY["old_diffs"][method]}, "diff"
        outputs = [name.replace("STDOUT.txt", "STDOUT_0.txt") for name in names]
        if counts := [line for n, line in enumerate(commands) if is_count(line) and f"STDOUT_{n}.txt" in outputs]:
            criteria = [self._counted(counts[0], validator)]
        elif method == "JUnitTestGrader":
            criteria = junit_demands(commands, self.folder)
        elif method not in _METHODS:
            why = SUBMITTY["no_counterpart"].get(method, SUBMITTY["no_counterpart"]["other"])
            raise NoCounterpartError(f"the validator {one_line(method)} has no counterpart: {why}")
        elif method != "fileExists" and any("*" in name for name in names):
            raise NoCounterpartError("it looks at a file by a glob")
        elif names == [_LOG] and method == "errorIfNotEmpty":
            criteria = [Criterion(expect=self.succeeds)]
        elif _LOG in names:
            raise NoCounterpartError(f"{_LOG} is a file of Submitty's; see `exit` and `limits`")
        else:
            criteria = _METHODS[method](self, validator)
        whole = sum(criterion.share for criterion in criteria)
        yield from (replace(criterion, share=share * criterion.share / whole) for criterion in criteria)

    @property
    def succeeds(self) -> dict[str, Data]:
        """What is expected of a command that has to end with status 0, and not by an exception."""
        return {"exit": 0, "crash": plain("fails") if self.language in WITH_EXCEPTIONS else None}

    def expected(self, validator: Json) -> CourseFile:
        """Return the file of what a validator expects."""
        written = validator.get("expected_string")
        if isinstance(written, str):
            return CourseFile(name="expected.txt", content=written.encode())
        name = (words_of(validator.get("expected_file")) or [""])[0]
        inner = next((place for place in (f"test_output/{name}", name) if place in self.folder.files), None)
        if inner is None:
            raise NoCounterpartError(f"the expected file {one_line(name)!r} is not in the folder")
        return CourseFile(name=safe_path(inner), content=self.folder.content(inner))

    def _counted(self, line: str, validator: Json) -> Criterion:
        if validator.get("method") != "intComparison":
            raise NoCounterpartError("the output of submitty_count is compared with no number")
        language, rule, files = read_count(line)
        if language != self.language:
            raise NoCounterpartError(f"it counts in {language}, and the language of the assignment is {self.language}")
        rules = source_of_count(rule, files, validator)
        return Criterion(keys={"source": rules}) if rules else Criterion(case=FREE)


def _file(validator: Json) -> str:
    names = words_of(validator.get("actual_file"))
    if len(names) != 1:
        raise NoCounterpartError("it looks at no file, or at several")
    return names[0]


def _diff(validators: Validators, validator: Json) -> list[Criterion]:
    comparison = validator.get("comparison", "byLinebyChar")
    if comparison not in ("byLinebyChar", "byLine", "byLinebyWord"):
        shown = one_line(str(comparison), 40)
        raise NoCounterpartError(f"the comparison {shown!r} is none of Submitty's: nobody has points")
    file = validators.expected(validator)
    for key in ("max_char_changes", "min_char_changes", "extra_student_output"):
        if validator.get(key, False) is not False:
            raise NoCounterpartError(f"{key}: a line is right, or it is not; see `tolerate`")
    forgiven = [key for key in ("lineSwapOk", "line_swap_ok", "ignoreWhitespace") if validator.get(key)]
    is_swapped = comparison == "byLine" and forgiven[:1] not in ([], ["ignoreWhitespace"])
    tolerate: dict[str, Data] = {"line-endings": "100%"} if validator.get("ignore_line_endings") else {}
    if comparison == "byLinebyWord" or (comparison == "byLine" and forgiven and not is_swapped):
        tolerate |= _SPACES
    if comparison == "byLinebyWord":
        validators.losses.append(Loss(rule="by-word"))
    if forgiven and comparison == "byLinebyChar":
        validators.losses.append(Loss(rule="idle", detail=forgiven[-1]))
    wanted: dict[str, Data] = {"lines": {"file": file}, "order": plain("any") if is_swapped else None}
    if validator.get("partial_credit") is not False:
        wanted["credit"] = plain("share")
    if number_of(tolerance := validator.get("tolerance"), 0) > 0:
        if is_swapped:
            raise NoCounterpartError("tolerance beside lineSwapOk: numbers may be off in lines of one order alone")
        wanted["tolerance"] = plain(f"{tolerance:g}")
    return [Criterion(file=_file(validator), comparison=wanted if file.content else {"text": ""}, tolerate=tolerate)]


def _exists(_validators: Validators, validator: Json) -> list[Criterion]:
    names = words_of(validator.get("actual_file"))
    if not names:
        raise NoCounterpartError("fileExists names no file")
    if validator.get("one_of") and len(names) > 1:
        raise NoCounterpartError("one_of: name the files under `files: required: [{any: [...]}]`")
    return [Criterion(present=[safe_glob(name) for name in names if name not in WRITTEN_STREAMS])]


def _tokens(_validators: Validators, validator: Json) -> list[Criterion]:
    data = words_of(validator.get("data"))
    if not data or not all(data):
        raise NoCounterpartError("searchToken searches for nothing")
    file = _file(validator)
    if file.startswith("STDERR") and any("ERROR SUMMARY: 0 errors" in text for text in data):
        return [Criterion(keys={"memory-clean": True})]
    return [Criterion(file=file, comparison={"contains": [text]}) for text in data]


def _number(_validators: Validators, validator: Json) -> list[Criterion]:
    term, comparison = validator.get("term"), validator.get("comparison")
    known = ["eq", "ne", "gt", "lt", "ge", "le"]
    if not isinstance(term, int | float) or abs(term) > 10**12 or comparison not in known:
        raise NoCounterpartError("intComparison without a term, or with an unknown comparison")
    asked = json.dumps({"method": "intComparison", "comparison": comparison, "term": int(term)})
    program = CourseFile(name="compare.py", content=_STAND_IN.read_bytes())
    return [Criterion(file=_file(validator), comparison={"check": {"validator": program, "args": [asked]}})]


def _custom(validators: Validators, validator: Json) -> list[Criterion]:
    """Run a validator of the course's, in Python, in the sandbox of the validators."""
    match = _RUN_CUSTOM.fullmatch(str(validator.get("command", "")))
    if not match or f"{_CUSTOM}/{match['script']}" not in validators.folder.files:
        raise NoCounterpartError(f"custom_validator: its command is not a script in Python of the folder {_CUSTOM}")
    file, place = safe_path(_file(validator)), f"data/{validators.id}/custom"
    for below, above in ((_CUSTOM, ""), ("test_input", "test_input/"), ("test_output", "test_output/")):
        given = validators.folder.below(below)
        validators.files |= {f"{place}/files/{above}{safe_path(name)}": given[name] for name in given}
    validators.files[f"{place}/validate.py"] = _STAND_IN.read_bytes()
    command = f"python3 {match['script']}{match['args']}"
    asked = {**validator, "command": command, "testcase_prefix": "test01/", "username": "", "actual_file": file}
    validators.losses.append(Loss(rule="custom"))
    comparison = {"check": {"validator": f"{place}/validate.py", "args": [json.dumps(asked)]}}
    return [Criterion(file=file, comparison=comparison)]


_METHODS: Mapping[str, Callable[[Validators, Json], list[Criterion]]] = {
    "diff": _diff,
    "fileExists": _exists,
    "errorIfEmpty": lambda _, validator: [
        Criterion(file=_file(validator), comparison={"regex": "(?s).", "about": "some output"})
    ],
    "errorIfNotEmpty": lambda _, validator: [Criterion(file=_file(validator), comparison={"text": ""})],
    "searchToken": _tokens,
    "intComparison": _number,
    "DrMemoryGrader": lambda *_: [Criterion(keys={"memory-clean": True})],
    "custom_validator": _custom,
}


def validator_shares(validation: Sequence[Json]) -> list[float]:
    """Return what each validator of a test case costs, as a share of its points."""
    # Without a `deduction` it is one part of as many as there are validators, of which one that only warns has its own.
    usual = 1 / max(1, sum("method" in validator for validator in validation))
    costs = [
        (str(validator.get("method", "")), number_of(validator.get("deduction"), usual)) for validator in validation
    ]
    return [0.0 if method in _WARNINGS else min(1.0, max(0.0, cost)) for method, cost in costs]


# ---------------------------------------------------------------- JUnit


def runs_junit(commands: Sequence[str]) -> bool:
    """Whether a test case runs tests for JUnit, by its own runner or by Submitty's."""
    return any({_CORE, "TestRunner"} & {*line.split()} for line in commands)


def course_test(name: str, folder: Folder) -> str:
    """Return the file of a JUnit test of the course by its class; empty when there is no such file."""
    inner = name.removesuffix(".java").replace(".", "/") + ".java"
    places = (f"{start}{inner}" for start in ("test_input/", "provided_code/", "test_code/", ""))
    return next((place for place in places if place in folder.files), "")


def junit_demands(commands: Sequence[str], folder: Folder) -> list[Criterion]:
    """Return the unit tests that commands run, or compile, each with a share by the number of its methods."""
    words = [word for line in commands for word in line.split()]
    names = words[words.index(_CORE) + 1 :] if _CORE in words else [word for word in words if word.endswith(".java")]
    tests = [course_test(name, folder) for name in names]
    if not tests or not all(tests):
        problem = "are not in test_input or provided_code; for tests that students write see `student-tests`"
        raise NoCounterpartError(f"JUnitTestGrader: the files of its tests {problem}")
    files = [CourseFile(name=safe_path(name), content=folder.content(name)) for name in tests]
    methods = [find_java_methods(folder.files[name].decode("utf-8", "replace")) for name in tests]
    shares = [max(1, sum(not method.idle for method in class_methods)) for class_methods in methods]
    return [Criterion(share=n, keys={"unit": {"junit": file}}) for n, file in zip(shares, files, strict=True)]
