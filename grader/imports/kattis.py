"""Problem packages (Kattis, DOMjudge, ICPC) -> a spec.

Both forms of the format are read, `legacy` and the one with `test_group.yaml`. Samples become a test that students see,
secret data hidden ones. What the default output validator compares is carried over, with its arguments. A validator of
the package's own is a program that nobody here can speak for: what it judges is ungraded until the instructor has
written it as a check.

Of a wrong submission it is known that it is wrong, but not in which way: what is stated of it is what such a one
usually gets, and `grader verify` tells where that is not so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.imports import Imported, default_validator, identifier, text_or_word
from grader.imports.kattis_package import (
    Datum,
    Files,
    Group,
    Package,
    Programs,
    as_mapping,
    as_words,
    read_groups,
    read_package,
    read_programs,
)
from grader.text import listed, points
from grader.yaml.dumping import dump
from grader.yaml.nodes import Node, entries_of
from grader.yaml.value import escaped
from grader.yaml.writing import listing, plain, quoted, table

_BEYOND = ("interactive", "multi-pass", "submit-answer")
_LEFT_OUT = {
    "problem_statement/": "the statement: write what students need under `about`",
    "statement/": "the statement: write what students need under `about`",
    "input_validators/": "the input validators",
    "input_format_validators/": "the input validators",
    "include/": "the code that is added to every submission (include/): hand it out",
    "attachments/": "the attachments: hand them out",
    "static_validator/": "the static validator: nothing looks at the source files",
    "graders/": "the grader of its own",
    "generators/": "the generators: what they made is carried over",
    "solution/": "the description of the solution",
}
_SIZES = ("memory", "output")
_TIMES = ("time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution")
_BUILD_LIMITS = {"compilation_time": ("time", "s"), "compilation_memory": ("memory", "MiB")}


def import_kattis(path: Path, name: str | None = None) -> Imported:
    """Make a spec of the problem package in a folder; `name` is its id, else that of the folder.

    Raises UsageError for what is no such package, or one that no spec can express; SpecError for YAML with mistakes.
    """
    package = read_package(path)
    kind = {*as_words(package.problem.get("type")), *as_words(package.problem.get("validation"))}
    if beyond := kind.intersection(_BEYOND):
        raise UsageError(f"{package.path}: no spec can express a problem that is {' and '.join(sorted(beyond))}")
    found = identifier(name, package.path.name)
    notes: list[str] = []
    groups = read_groups(package, notes)
    programs = read_programs(package, notes)
    # Answers are written into the spec where they are short and the comparison is one of the language's. All others
    # are files, and a check compares them as the default output validator does.
    answers = _Answers(folder=f"data/{found}", has_validator=package.has_validator)
    tests = listing([_group_as_test(package, group, answers) for group in groups])
    reference = {f"reference/{found}/{inner}": content for inner, content in (programs.reference or {}).items()}
    handed_in = _sample_files(programs, groups, found, notes, has_points=package.is_scoring)
    notes += _not_in_the_spec(package, programs)
    return Imported(
        id=found,
        spec={**_origin_keys(package, found), **_program_keys(package, programs, found, notes), "tests": tests},
        files={**answers.files, **reference, **handed_in},
        origin=f"the problem package {package.path.name}",
        notes=notes,
    )


def _origin_keys(package: Package, name: str) -> dict[str, Node]:
    """Return what the assignment is and where it comes from."""
    keys: dict[str, Node] = {"spec": plain("1"), "id": plain(name), "title": text_or_word(_problem_name(package, name))}
    problem = package.problem
    authors = problem.get("author") or as_mapping(problem.get("credits"))
    parts = [*_named_people(problem.get("source")), *_named_people(authors)]
    owners = _named_people(problem.get("rights_owner"))
    if problem.get("license", "unknown") != "unknown":
        parts.append(" ".join([f"license {problem['license']}", *owners]))
    if parts:
        keys["source"] = text_or_word(", ".join(parts))
    return keys


def _problem_name(package: Package, otherwise: str) -> str:
    """Return the problem's name, in English if there is one; a LaTeX statement may say it too."""
    told = package.problem.get("name")
    title = as_mapping(told).get("en") or next(iter(as_mapping(told).values()), "") if isinstance(told, dict) else told
    if title:
        return str(title)
    for path, content in sorted(package.files.items()):
        match = re.search(rb"\\problemname\{([^{}\\$]+)\}", content) if path.endswith(".tex") else None
        if match:
            return match[1].decode(errors="replace").strip()
    return otherwise


def _named_people(value: Any) -> list[str]:
    """Return the names in what the format allows for people and sources: a text, a mapping, or a list of them."""
    if isinstance(value, dict):
        return _named_people(value["name"]) if "name" in value else _named_people(value.get("authors"))
    if isinstance(value, list):
        return [name for item in value for name in _named_people(item)]
    return [str(value)] if value else []


def _program_keys(package: Package, programs: Programs, name: str, notes: list[str]) -> dict[str, Node]:
    """Return how programs are built, started and limited."""
    form = programs.form
    limits = as_mapping(package.problem.get("limits"))
    keys: dict[str, Node] = {
        "language": plain(form.language),
        "files": table({"required": listing([text_or_word(form.main)])}),
    }
    if form.build:
        build = {"run": text_or_word(form.build), "produces": listing(map(text_or_word, form.produces))}
        asked = {ours: f"{limits[key]} {unit}" for key, (ours, unit) in _BUILD_LIMITS.items() if key in limits}
        if asked:
            build["limits"] = table({key: plain(value) for key, value in asked.items()})
        keys["build"] = table(build)
    keys["program"] = text_or_word(form.program)
    if programs.reference:
        keys["reference"] = text_or_word(f"python3 reference/{name}/{form.main}")
    else:
        notes.append("Reference: there is no accepted program in Python, so the answers of the package stand alone.")
    if found := _limits_of_a_run(package, limits, notes):
        keys["limits"] = table({key: plain(value) for key, value in found.items()})
    return keys


def _limits_of_a_run(package: Package, limits: Mapping[str, Any], notes: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    seconds = limits.get("time_limit") or package.files.get(".timelimit", b"").decode(errors="replace").strip()
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", str(seconds)) and float(seconds):
        found["time"] = f"{seconds} s"
    else:
        notes.append("Time limit: the judge derives it from the accepted programs; here it is that of the language.")
    found.update({key: f"{limits[key]} MiB" for key in _SIZES if key in limits})
    others = [key for key in limits if key not in {*_SIZES, *_TIMES, *_BUILD_LIMITS}]
    if others:
        notes.append(f"Limits that have no counterpart: {', '.join(map(str, others))}.")
    return found


def _not_in_the_spec(package: Package, programs: Programs) -> Iterator[str]:
    """Say what else is in the package and not in the spec."""
    if package.has_validator:
        yield "The output validator: its cases are ungraded until validator.py beside the inputs does what it does."
    told = {text for folder, text in _LEFT_OUT.items() if package.below(folder)}
    yield from (f"Left out: {text}." for text in sorted(told))
    if package.links:
        yield f"Links are not followed: {', '.join(sorted(package.links)[:5])}."
    if as_mapping(package.problem.get("grading")).get("objective") == "min":
        yield "Scores: the fewest are the best there; here the most are."
    if package.problem.get("languages", "all") != "all":
        yield f"The problem takes these languages only: {', '.join(as_words(package.problem['languages']))}."
    if programs.form.build:
        yield "Options of the compiler: they are ours; see `build`."


# ---------------------------------------------------------------- tests: what goes in, and what must come out

_SHORT_ANSWER = 2_000
"""bytes of an answer that is written into the spec"""
_ALL_SHORT_ANSWERS = 256 * 2**10
"""bytes of all those together"""
_SWITCHES = ("case_sensitive", "space_change_sensitive")
_TOLERANCE_FLAGS = {
    "float_tolerance": ("float_relative_tolerance", "float_absolute_tolerance"),
    "float_relative_tolerance": ("float_relative_tolerance",),
    "float_absolute_tolerance": ("float_absolute_tolerance",),
}
_VALIDATOR_TO_BE_WRITTEN = '''\
"""The output validator of the problem package, which is still to be written as a check: see output_validators there.

Until then every case that it would judge is ungraded, and nobody loses or gets points by it.
"""


def validate(output: bytes, *, input: str, answer: str, flags: str = "") -> None:
    """Hold an output against the files `input` and `answer` beside this one; raise grader.Wrong("why") when wrong."""
    raise NotImplementedError("the output validator of the package has to be written here")
'''


@dataclass(slots=True, kw_only=True)
class _Answers:
    """The inputs and answers, while tests are made of them."""

    folder: str
    """`data/x`, which holds those that are files"""
    has_validator: bool
    files: dict[str, bytes] = field(default_factory=dict)
    written: int = 0
    """bytes of answers in the spec so far"""

    def file(self, name: str, content: bytes) -> Node:
        """Make a file of a text; return how the spec names it."""
        self.files[f"{self.folder}/{name}"] = content
        return table({"file": text_or_word(f"{self.folder}/{name}")})


def _group_as_test(package: Package, group: Group, answers: _Answers) -> Node:
    is_sample = group.name == "sample"
    keys: dict[str, Node] = {
        "name": text_or_word(group.name),
        "about": text_or_word("The samples of the statement" if is_sample else "Further inputs"),
        "points": plain(points(group.points)),
    }
    if group.needs:
        keys["needs"] = listing(map(text_or_word, group.needs))
    if not is_sample:
        keys["visibility"] = plain("hidden")
    if group.all_or_nothing:
        keys["all_or_nothing"] = plain("true")
    cases = [_datum_as_case(package, datum, answers) for datum in group.data]
    shared = [case["tolerate"] for case in cases if "tolerate" in case]
    if len(shared) == len(cases):  # it is the same in all
        keys["tolerate"] = shared[0]
        for case in cases:
            del case["tolerate"]
    keys["expect"] = table({"exit": plain("success")})
    keys["cases"] = listing(map(table, cases))
    return table(keys)


def _datum_as_case(package: Package, datum: Datum, answers: _Answers) -> dict[str, Node]:
    keys: dict[str, Node] = {}
    if datum.args:
        keys["args"] = listing([quoted(escaped(word)) for word in datum.args])
    keys["stdin"] = answers.file(f"{datum.name}.in", package.files[f"data/{datum.name}.in"])
    beside = {inner: answers.file(f"{datum.name}.files/{inner}", content) for inner, content in datum.files.items()}
    if beside:
        keys["files"] = table(beside)
    how = {} if answers.has_validator else _validator_arguments(datum)
    if answers.has_validator:
        answers.file("validator.py", _VALIDATOR_TO_BE_WRITTEN.encode())
        answers.file(f"{datum.name}.ans", datum.answer)
        options = {"input": f"{datum.name}.in", "answer": f"{datum.name}.ans"}
        if datum.flags:
            options["flags"] = escaped(" ".join(datum.flags))
        check = quoted(f"{answers.folder}/validator.py:validate")
        stdout: Node = table({"check": check, **{key: text_or_word(value) for key, value in options.items()}})
    else:
        stdout = _held_against(datum, how, answers)
    keys["expect"] = table({"stdout": stdout})
    if "check" not in entries_of(stdout) and "case_sensitive" not in how:
        keys["tolerate"] = table({"letter-case": plain("100%")})
    return keys


def _validator_arguments(datum: Datum) -> Mapping[str, str]:
    """Return the default validator's arguments by name, with a value each; UsageError for those nobody knows."""
    found: dict[str, str] = {}
    rest = list(datum.flags)
    while rest:
        word = rest.pop(0)
        if word in _SWITCHES:
            found[word] = "yes"
        elif word in _TOLERANCE_FLAGS and rest and _is_finite(rest[0]):
            value = rest.pop(0)
            found.update(dict.fromkeys(_TOLERANCE_FLAGS[word], value))
        else:
            raise UsageError(f"data/{datum.name}: the default output validator has no argument {word!r}")
    return found


def _is_finite(word: str) -> bool:
    try:
        return 0 <= float(word) < 1e30  # noqa: PLR2004 - finite
    except ValueError:
        return False


def _held_against(datum: Datum, how: Mapping[str, str], answers: _Answers) -> Node:
    """Return a short answer as a text or as words; else a check, with a copy of the default validator beside it."""
    text = _short_text(datum.answer, answers)
    if text is not None and all(flag in _SWITCHES for flag in how):
        answers.written += len(datum.answer)
        kind = "text" if "space_change_sensitive" in how else "tokens"
        return table({kind: quoted(escaped(text))})
    answers.file("default_validator.py", Path(default_validator.__file__).read_bytes())
    answers.file(f"{datum.name}.ans", datum.answer)
    return table(
        {
            "check": quoted(f"{answers.folder}/default_validator.py:compare"),
            "answer": text_or_word(f"{datum.name}.ans"),
            **{flag: quoted(value) for flag, value in how.items()},
        }
    )


def _short_text(answer: bytes, answers: _Answers) -> str | None:
    """Return a short answer as text; None for one that is long, or would be hard to read in a spec."""
    if len(answer) > _SHORT_ANSWER or answers.written + len(answer) > _ALL_SHORT_ANSWERS:
        return None
    try:
        text = answer.decode()
    except UnicodeDecodeError:
        return None
    return text if text.replace("\n", "").isprintable() else None


# ---------------------------------------------------------------- the samples

_USUAL_RESULT = {
    "wrong_answer": ("failed", ("wrong",)),
    "run_time_error": ("crashed", ()),
    "time_limit_exceeded": ("timeout", ()),
}
"""folder of submissions -> the verdict of such a one, and its deviations"""


def _sample_files(
    programs: Programs, groups: Sequence[Group], name: str, notes: list[str], *, has_points: bool
) -> Files:
    """Return the sample submissions of the assignment `name`, with `expected.yaml`; none when there are none."""
    stated: dict[str, Node] = {}
    files: dict[str, bytes] = {}
    left: list[str] = []
    for (verdict, own), content in programs.found.items():
        usual = sample = f"{verdict}-{own.rpartition('.')[0] or own}".replace("_", "-")
        number = 2  # `a.py` and `a.py3` would be one sample
        while sample in stated:
            sample, number = f"{usual}-{number}", number + 1
        expected = _stated_result(verdict, groups, has_points=has_points)
        if expected is None:
            left.append(f"{verdict}/{own}")
            continue
        stated[sample] = expected
        files.update({f"sample_submissions/{name}/{sample}/{inner}": text for inner, text in content.items()})
    if left:
        notes.append(f"Submissions whose score the package does not tell are left out: {listed(left, most=5)}.")
    if not stated:
        return {}
    if len(stated) > sum(verdict == "accepted" for verdict, _ in programs.found):
        notes.append("expected.yaml: of the wrong samples it says what such ones usually get; see grader verify.")
    files[f"sample_submissions/{name}/expected.yaml"] = dump(table(stated), open_levels=1).encode()
    return files


def _stated_result(verdict: str, groups: Sequence[Group], *, has_points: bool) -> Node | None:
    """Return what a submission of this kind must get; None when nobody knows."""
    if verdict == "accepted":
        most = sum((group.points for group in groups), Fraction(0))
        return table({"score": plain(points(most)), "about": text_or_word("accepted in the package")})
    if has_points or verdict not in _USUAL_RESULT:
        return None
    told, kinds = _USUAL_RESULT[verdict]
    test: dict[str, Node] = {"score": plain("0"), "verdicts": listing([plain(told)])}
    if kinds:
        test["deviations"] = listing(map(plain, kinds))
    about = text_or_word(f"{verdict.replace('_', ' ')} in the package")
    return table({"score": plain("0"), "about": about, "tests": table({groups[-1].name: table(test)})})
