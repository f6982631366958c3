"""A problem package (Kattis, DOMjudge, ICPC) of a spec, in the form `legacy`, whose points problemtools itself judges.

A spec whose points are in one hidden test, all or nothing, becomes a problem that is accepted or rejected; every other
one is a scoring problem with a group for each test. Where the default output validator cannot compare as the spec does,
the package has one of ours.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core.course import Course
from grader.core.errors import HostError, UsageError
from grader.core.lazy import lazy_regex
from grader.core.model.limits import Limits
from grader.core.model.spec import Repeat
from grader.core.model.submission import Submission
from grader.core.report.files import write_files
from grader.core.run.launch import limits_of
from grader.core.text import count_points, points
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, plain, quoted, table
from grader.exports.kattis_submissions import KattisSubmission, check_program, make_submissions
from grader.exports.kattis_tests import CHECKED, KattisCase, KattisTest, check_files, choose_tests, default_flags
from grader.exports.request import zip_of

_PROGRAMS = Path(__file__).with_name("kattis_programs")
_MIB = 2**20
_NO_DIGESTS = "_KNOWN: frozenset[str] = frozenset()"
_TEX_SIGNS = {
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    '"': "\\textquotedbl{}",
}
_WRONG_MODULE = b"""\
class Wrong(Exception):
    pass
"""
"""what the checks of the course import of grader"""
_NOT_SLUG = lazy_regex(r"[^A-Za-z0-9]+")
RUN_FLAG = "grader-run="
"""an argument of the validator: which run it is of a case that is repeated; without effect"""
_DECIMALS = 6
"""of points"""


class KattisPackage(Struct, frozen=True, kw_only=True):
    """A package, not written yet."""

    name: str
    """of its folder, as Kattis has it"""
    files: Mapping[str, bytes]
    points: Fraction
    is_scoring: bool
    validator: Literal["default", "custom"]
    submissions: Sequence[KattisSubmission]
    notes: Sequence[str]
    """what is not as in the spec, a line each"""


def to_kattis(course: Course, samples: Sequence[Submission]) -> KattisPackage:
    """Make the package of an assignment; its samples are run for the verdicts that they get there.

    Raises UsageError when no package can have anything of it, HostError when the reference fails.
    """
    spec = course.spec
    check_program(spec)
    notes: list[str] = []
    tests = _as_one_input_set(choose_tests(course, notes))
    passes = _is_pass_fail(tests)
    submissions = make_submissions(course, tests, samples, notes, passes=passes)
    is_default = all(default_flags(one) is not None for test in tests for one in test.cases)
    if is_default:
        tests = [_with_default_flags(test) for test in tests]
    data = _pass_fail_data(tests) if passes else _scoring_data(tests)
    files = {
        **dict(data),
        "problem.yaml": _problem(course, tests, is_scoring=not passes, is_default=is_default).encode(),
        "problem_statement/problem.en.tex": _statement(course, tests, is_scoring=not passes).encode(),
        **({} if is_default else _validators(course, tests)),
    }
    files["input_validators/known_inputs.py"] = _input_validator(files)
    files[".timelimit"] = f"{_limits(course, tests)[0]}\n".encode()
    for one in submissions:
        files |= {f"submissions/{one.folder}/{one.name}/{name}": text for name, text in one.files.items()}
    if not passes and submissions:
        scores = {f"{one.folder}/{one.name}": table({"score": plain(points(one.score))}) for one in submissions}
        files["submissions/submissions.yaml"] = dump(table(scores), open_levels=2).encode()
    if not any(name.startswith("data/sample/") for name in files):
        notes.append("No samples: every test is hidden; put some into data/sample.")
    notes.append("Input validator: it accepts the inputs of the package and no others; write one with their grammar.")
    return KattisPackage(
        name=_short_name(spec.id),
        files=files,
        points=sum((test.points for test in tests), Fraction(0)),
        is_scoring=not passes,
        validator="default" if is_default else "custom",
        submissions=submissions,
        notes=[note for note in notes if not (passes and note.startswith("needs: "))],  # all of it has to pass there
    )


def write_package(package: KattisPackage, target: Path) -> None:
    """Write a package as a new folder, or as a zip where the name ends so; whole or not at all.

    Raises UsageError when there is something already, HostError when the disk fails.
    """
    if os.path.lexists(target):
        raise UsageError(f"{target} is there already: remove it, or name another with --out")
    if target.suffix == ".zip":
        data = zip_of({f"{package.name}/{name}": text for name, text in package.files.items()})
        write_files({target.name: data}, target.parent.resolve(), "the package")
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".grader-export-", dir=target.parent))
        try:
            for name, content in package.files.items():
                path = staging / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            staging.rename(target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise HostError(f"{target} cannot be written: {error.strerror}; name another place with --out") from error


def package_to_json(package: KattisPackage, target: Path) -> str:
    """Write what a package has, as JSON."""
    found = {
        "package": str(target),
        "type": "scoring" if package.is_scoring else "pass-fail",
        "points": float(package.points),
        "validator": package.validator,
        "inputs": sum(name.startswith("data/secret/") and name.endswith(".in") for name in package.files),
        "submissions": [
            {"path": f"{one.folder}/{one.name}", "score": float(one.score) if package.is_scoring else None}
            for one in package.submissions
        ],
        "notes": list(package.notes),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _short_name(name: str) -> str:
    return name.replace("-", "")


def _is_pass_fail(tests: Sequence[KattisTest]) -> bool:
    """Whether the package needs no points: all of them are in the last test, and the others are visible samples."""
    *samples, last = tests
    if any(one.points or one.test.visibility != "visible" for one in samples) or last.test.visibility == "visible":
        return False
    is_whole = last.test.all_or_nothing or len(last.cases) == 1
    return is_whole and {one.test.name for one in samples} <= set(last.test.needs)


def _as_one_input_set(tests: Sequence[KattisTest]) -> Sequence[KattisTest]:
    """Return the tests without those that are hidden and worth nothing, which no package shows to anybody."""
    return [test for test in tests if test.points or test.test.visibility == "visible"]


# ---------------------------------------------------------------- test data


def _with_default_flags(test: KattisTest) -> KattisTest:
    return replace(test, cases=tuple(replace(one, flags=default_flags(one) or ()) for one in test.cases))


def _cases(folder: str, cases: Sequence[KattisCase]) -> Iterator[tuple[str, bytes]]:
    width = len(str(len(cases)))
    for number, one in enumerate(cases, 1):
        yield f"{folder}/{number:0{width}}.in", one.case.stdin
        yield f"{folder}/{number:0{width}}.ans", one.answer


def _inputs(folder: str, cases: Sequence[KattisCase], **settings: str | Fraction) -> Iterator[tuple[str, bytes]]:
    """Yield a group of inputs with its settings; of repeated ones, a group in it for each time that they are run.

    Each of these has an argument of its own: a judge may take the result of an input for another one that is the same,
    unless the arguments of the validator differ.
    """
    flags = " ".join(cases[0].flags)
    times = max((one.case.repeat.times for one in cases), default=1)
    if times == 1:
        yield _settings(folder, **settings, output_validator_flags=flags)
        yield from _cases(folder, cases)
        return
    if around := {key: value for key, value in settings.items() if key != "accept_score"}:
        yield _settings(folder, **around)
    for inner, time in zip(_folders(range(times)), range(1, times + 1), strict=True):
        own = f"{flags} {RUN_FLAG}{time}"
        yield _settings(f"{folder}{inner}", **settings, output_validator_flags=own)
        yield from _cases(f"{folder}{inner}", [one for one in cases if one.case.repeat.times >= time])


def _settings(folder: str, **settings: str | Fraction) -> tuple[str, bytes]:
    """Return the `testdata.yaml` of a folder."""
    nodes = {key: quoted(value) if isinstance(value, str) else plain(_number(value)) for key, value in settings.items()}
    return f"{folder}/testdata.yaml", dump(table(nodes), open_levels=1).encode()


def _number(value: Fraction) -> str:
    """Write points as problemtools' grader rounds them."""
    return f"{float(value):.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _range(value: Fraction) -> str:
    return f"0 {_number(value)}"


def _runs(test: KattisTest) -> list[list[KattisCase]]:
    """Return the cases of a test in runs of those that are compared in the same way and weigh the same.

    A case that is repeated is one of its own, unless the whole test is right or wrong.
    """

    def alike(one: KattisCase) -> tuple[object, ...]:
        case = one.case
        return one.flags, *(() if test.test.all_or_nothing else (case.weight, case.id if case.repeat.times > 1 else ""))

    return [list(run) for _, run in groupby(test.cases, key=alike)]


def _folders(runs: Sequence[object]) -> list[str]:
    width = len(str(len(runs)))
    return [f"/{number:0{width}}" for number in range(1, len(runs) + 1)] if len(runs) > 1 else [""]


def _pass_fail_data(tests: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    *samples, secret = tests
    shown = [one for test in samples for one in test.cases]
    shown = [replace(one, case=replace(one.case, repeat=Repeat())) for one in shown]
    for folder, own in (("data/sample", shown), ("data/secret", secret.cases)):
        runs = [list(run) for _, run in groupby(own, key=lambda one: one.flags)]
        for inner, run in zip(_folders(runs), runs, strict=True) if own else ():
            yield from _inputs(f"{folder}{inner}", run)


def _scoring_data(tests: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    """Yield the data of a problem with points: they are added up, whatever else fails."""
    worth = [test for test in tests if test.points]
    total = sum((test.points for test in worth), Fraction(0))
    goes_on = {"on_reject": "continue", "grader_flags": "accept_if_any_accepted"}
    root = {**goes_on, "grader_flags": "ignore_sample accept_if_any_accepted"}
    yield _settings("data", **root, range=_range(total))
    yield from _samples(tests)
    yield _settings("data/secret", **goes_on, range=_range(total))
    width = len(str(len(worth)))
    for number, test in enumerate(worth, 1):
        slug = _NOT_SLUG.sub("-", test.test.name).strip("-").lower()[:60]
        folder = f"data/secret/{number:0{width}}-{slug}".rstrip("-")
        yield from _group(folder, test)


def _samples(tests: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    """Yield the samples, which are worth nothing: the first case of each visible test, if it compares alike."""
    visible = [test for test in tests if test.test.visibility == "visible"]
    if not visible:
        return
    first = visible[0].cases[0].flags
    shown = {
        (one.case.stdin, one.answer): one
        for test in visible
        for one in (test.cases[:1] if test.points else test.cases)
        if one.flags == first
    }
    none = Fraction(0)
    yield _settings(
        "data/sample",
        output_validator_flags=" ".join(first),
        accept_score=none,
        range=_range(none),
        grader_flags="",
    )
    yield from _cases("data/sample", list(shown.values()))


def _group(folder: str, test: KattisTest) -> Iterator[tuple[str, bytes]]:
    runs = _runs(test)
    weights = sum((one.case.weight for one in test.cases), Fraction(0))
    whole = test.test.all_or_nothing
    all_of_them, each = {"on_reject": "break", "grader_flags": "min"}, {"grader_flags": "accept_if_any_accepted avg"}
    if len(runs) > 1:
        around = all_of_them if whole else {"grader_flags": "accept_if_any_accepted"}
        yield _settings(folder, **around, range=_range(test.points))
    before = done = Fraction(0)
    for inner, run in zip(_folders(runs), runs, strict=True):
        done += sum((one.case.weight for one in run), Fraction(0))
        # Rounded as the sums are, so that all of them together are the points of the test.
        so_far = round(test.points * done / weights, _DECIMALS)
        worth, before = test.points if whole else so_far - before, so_far
        how = all_of_them if whole or run[0].case.repeat.times > 1 else each
        yield from _inputs(f"{folder}{inner}", run, **how, accept_score=worth, range=_range(worth))


# ---------------------------------------------------------------- the rest of the package


def _limits(course: Course, tests: Sequence[KattisTest]) -> tuple[int, Limits]:
    """Return the time limit in whole seconds, and the most that any case may use."""
    found = [limits_of(course.toolchain.limits, one.case.limits) for test in tests for one in test.cases]
    most = {name: max(getattr(one, name) for one in found) for name in ("memory", "output")}
    return max(1, ceil(max(min(one.time, one.cpu) for one in found))), replace(found[0], **most)


def _problem(course: Course, tests: Sequence[KattisTest], *, is_scoring: bool, is_default: bool) -> str:
    spec = course.spec
    _, limits = _limits(course, tests)
    keys: dict[str, Node] = {
        "problem_format_version": plain("legacy"),
        "name": quoted(spec.title),
        "type": plain("scoring" if is_scoring else "pass-fail"),
        "validation": plain("default" if is_default else "custom"),
    }
    if spec.source:
        keys["source"] = quoted(spec.source)
    if is_scoring:
        keys["grading"] = table({"show_test_data_groups": plain("true")})
    sizes = {"memory": ceil(limits.memory / _MIB), "output": ceil(limits.output / _MIB)}
    keys["limits"] = table({name: plain(str(size)) for name, size in sizes.items()})
    return dump(table(keys), open_levels=2)


def _to_tex(text: str) -> str:
    return "".join(_TEX_SIGNS.get(sign, sign) for sign in text)


def _statement(course: Course, tests: Sequence[KattisTest], *, is_scoring: bool) -> str:
    """Return the statement: what the spec says under `title` and `about`, and the points."""
    spec = course.spec
    parts = [f"\\problemname{{{_to_tex(spec.title)}}}", _to_tex(spec.about or spec.title)]
    parts.append("\\section*{Input and output}\nThe program reads standard input and writes to standard output.")
    if is_scoring:
        lines = []
        for test in tests:
            about = f": {test.test.about}" if test.test.about and test.test.visibility == "visible" else ""
            if test.points:
                lines.append(f"\\item {_to_tex(f'{test.test.name} ({count_points(test.points)}){about}')}")
        listing = "\n".join(lines)
        parts.append(f"\\section*{{Scoring}}\n\\begin{{itemize}}\n{listing}\n\\end{{itemize}}")
    return "\n\n".join(parts) + "\n"


def _validators(course: Course, tests: Sequence[KattisTest]) -> Mapping[str, bytes]:
    own = {"main.py": (_PROGRAMS / "output_validator.py").read_bytes()}
    if any(one.flags[0] == CHECKED for test in tests for one in test.cases):
        own |= {"grader.py": _WRONG_MODULE, **check_files(course, tests)}
    return {f"output_validators/compare/{name}": text for name, text in own.items()}


def _input_validator(files: Mapping[str, bytes]) -> bytes:
    """Return the program that knows the inputs of a package."""
    digests = {hashlib.sha256(text).hexdigest() for name, text in files.items() if re.fullmatch(r"data/.*\.in", name)}
    listed = "".join(f'        "{digest}",\n' for digest in sorted(digests))
    source = (_PROGRAMS / "known_inputs.py").read_text()
    if _NO_DIGESTS not in source:
        raise UsageError("grader's own input validator has been changed; reinstall grader")
    return source.replace(_NO_DIGESTS, f"_KNOWN = frozenset(\n    {{\n{listed}    }}\n)").encode()
