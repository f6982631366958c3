"""A problem package (Kattis, DOMjudge, ICPC) of a spec, in the form `legacy`, whose points problemtools itself judges.

A spec whose points are in one hidden test, all or nothing, becomes a problem that is accepted or rejected; every other
one is a scoring problem with a group for each test. Where the default output validator cannot compare as the spec does,
the package has one of ours.
"""

import hashlib
import json
import re
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
from grader.core.errors import HostError
from grader.core.model.spec import Repeat, Spec
from grader.core.model.submission import Submission
from grader.core.report.files import write_files
from grader.core.run.launch import limits_of
from grader.core.text import count_points, points
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import plain, quoted, table
from grader.exports.kattis_submissions import KattisSubmission, check_program, make_submissions
from grader.exports.kattis_tests import CHECKED, KattisCase, KattisTest, check_files, choose_tests, default_flags
from grader.exports.request import zip_of

_PROGRAMS = Path(__file__).with_name("kattis_programs")
_NO_DIGESTS = "_KNOWN: frozenset[str] = frozenset()"
_TEX_WORDS = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde", "<": "less", ">": "greater", '"': "quotedbl"}
_TEX = str.maketrans({sign: f"\\{sign}" for sign in "{}$&#%_"} | {s: f"\\text{w}{{}}" for s, w in _TEX_WORDS.items()})
_WRONG_MODULE = b"""\
class Wrong(Exception):
    pass
"""
"""what the checks of the course import of grader"""
_RUN_FLAG = "grader-run="
"""an argument of the validator: which run it is of a case that is repeated; without effect"""
_DECIMALS = 6
"""of points"""
_ALL_OF_THEM = {"on_reject": "break", "grader_flags": "min"}


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
    spec, notes = course.spec, list[str]()
    check_program(spec)
    # No package shows anybody a test that is hidden and worth nothing.
    tests = [test for test in choose_tests(course, notes) if test.points or test.test.visibility == "visible"]
    passes = _is_pass_fail(tests)
    submissions = make_submissions(course, tests, samples, notes, passes=passes)
    is_default = all(default_flags(one) is not None for test in tests for one in test.cases)
    validator: Literal["default", "custom"] = "default" if is_default else "custom"
    if is_default:
        tests = [
            replace(test, cases=tuple(replace(one, flags=default_flags(one) or ()) for one in test.cases))
            for test in tests
        ]
    limits = [limits_of(course.toolchain.limits, one.case.limits) for test in tests for one in test.cases]
    sizes = {name: ceil(max(getattr(one, name) for one in limits) / 2**20) for name in ("memory", "output")}
    files = {
        **dict(_pass_fail_data(tests) if passes else _scoring_data(tests)),
        "problem.yaml": _problem(spec, sizes, validator, is_scoring=not passes),
        "problem_statement/problem.en.tex": _statement(spec, tests, is_scoring=not passes).encode(),
        **({} if is_default else _output_validator(spec, tests)),
        ".timelimit": f"{max(1, ceil(max(min(one.time, one.cpu) for one in limits)))}\n".encode(),
    }
    files["input_validators/known_inputs.py"] = _input_validator(files)
    for one in submissions:
        files |= {f"submissions/{one.folder}/{one.name}/{name}": text for name, text in one.files.items()}
    if not passes and submissions:
        scores = {f"{one.folder}/{one.name}": table({"score": plain(points(one.score))}) for one in submissions}
        files["submissions/submissions.yaml"] = dump(table(scores), open_levels=2).encode()
    if not any(name.startswith("data/sample/") for name in files):
        notes.append("No samples: every test is hidden; put some into data/sample.")
    notes.append("Input validator: it accepts the inputs of the package and no others; write one with their grammar.")
    return KattisPackage(
        name=spec.id.replace("-", ""),
        files=files,
        points=sum((test.points for test in tests), Fraction(0)),
        is_scoring=not passes,
        validator=validator,
        submissions=submissions,
        notes=[note for note in notes if not (passes and note.startswith("needs: "))],  # all of it has to pass there
    )


def write_package(package: KattisPackage, target: Path) -> None:
    """Write a package as a new folder, or as a zip where the name ends so, whole or not at all; raises HostError."""
    if target.suffix == ".zip":
        data = zip_of({f"{package.name}/{name}": text for name, text in package.files.items()})
        write_files({target.name: data}, target.parent.resolve(), "the package")
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".grader-export-", dir=target.parent) as staging:
            for name, content in package.files.items():
                path = Path(staging, package.name, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            Path(staging, package.name).rename(target)
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


def _is_pass_fail(tests: Sequence[KattisTest]) -> bool:
    """Whether the package needs no points: all of them are in the last test, and the others are visible samples."""
    *samples, last = tests
    if any(one.points or one.test.visibility != "visible" for one in samples) or last.test.visibility == "visible":
        return False
    is_whole = last.test.all_or_nothing or len(last.cases) == 1
    return is_whole and {one.test.name for one in samples} <= set(last.test.needs)


# ---------------------------------------------------------------- test data


def _pass_fail_data(tests: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    *samples, secret = tests
    shown = [replace(one, case=replace(one.case, repeat=Repeat())) for test in samples for one in test.cases]
    for folder, own in (("data/sample", shown), ("data/secret", secret.cases)):
        for inner, run in _numbered([list(run) for _, run in groupby(own, key=lambda one: one.flags)]):
            yield from _inputs(f"{folder}{inner}", run)


def _scoring_data(tests: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    """Yield the data of a problem with points: they are added up, whatever else fails."""
    worth = [test for test in tests if test.points]
    total = _range(sum((test.points for test in worth), Fraction(0)))
    goes_on = {"on_reject": "continue", "grader_flags": "accept_if_any_accepted", "range": total}
    yield _settings("data", goes_on | {"grader_flags": "ignore_sample accept_if_any_accepted"})
    yield from _samples([test for test in tests if test.test.visibility == "visible"])
    yield _settings("data/secret", goes_on)
    for number, test in enumerate(worth, 1):
        slug = re.sub("[^A-Za-z0-9]+", "-", test.test.name).strip("-").lower()[:60]
        yield from _group(f"data/secret/{number:0{len(str(len(worth)))}}-{slug}".rstrip("-"), test)


def _samples(visible: Sequence[KattisTest]) -> Iterator[tuple[str, bytes]]:
    """Yield the samples, which are worth nothing: the first case of each visible test, if it compares alike."""
    cases = [one for test in visible for one in (test.cases[:1] if test.points else test.cases)]
    if cases:
        flags = cases[0].flags
        shown = {(one.case.stdin, one.answer): one for one in cases if one.flags == flags}
        told: dict[str, str | Fraction] = {"output_validator_flags": " ".join(flags), "accept_score": Fraction(0)}
        yield _settings("data/sample", {**told, "range": "0 0", "grader_flags": ""})
        yield from _cases("data/sample", list(shown.values()))


def _group(folder: str, test: KattisTest) -> Iterator[tuple[str, bytes]]:
    """Yield the data of a test, in runs of cases that are compared in the same way and weigh the same.

    A case that is repeated is one of its own, unless the whole test is right or wrong.
    """
    whole, weights = test.test.all_or_nothing, sum((one.case.weight for one in test.cases), Fraction(0))

    def alike(one: KattisCase) -> tuple[object, ...]:
        case = one.case
        return one.flags, *(() if whole else (case.weight, case.id if case.repeat.times > 1 else ""))

    runs = [list(run) for _, run in groupby(test.cases, key=alike)]
    if len(runs) > 1:
        around = _ALL_OF_THEM if whole else {"grader_flags": "accept_if_any_accepted"}
        yield _settings(folder, {**around, "range": _range(test.points)})
    before = done = Fraction(0)
    for inner, run in _numbered(runs):
        done += sum((one.case.weight for one in run), Fraction(0))
        # Rounded as the sums are, so that all of them together are the points of the test.
        so_far = round(test.points * done / weights, _DECIMALS)
        worth, before = test.points if whole else so_far - before, so_far
        is_whole = whole or run[0].case.repeat.times > 1
        how = _ALL_OF_THEM if is_whole else {"grader_flags": "accept_if_any_accepted avg"}
        yield from _inputs(f"{folder}{inner}", run, {**how, "accept_score": worth, "range": _range(worth)})


def _inputs(
    folder: str, cases: Sequence[KattisCase], settings: Mapping[str, str | Fraction] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield a group of inputs with its settings; of repeated ones, a group in it for each time that they are run.

    Each of these has an argument of its own: a judge may take the result of an input for another one that is the same,
    unless the arguments of the validator differ.
    """
    own, times = settings or {}, max(one.case.repeat.times for one in cases)
    if times > 1 and own:
        yield _settings(folder, {key: value for key, value in own.items() if key != "accept_score"})
    rounds = [[one for one in cases if one.case.repeat.times >= time] for time in range(1, times + 1)]
    for time, (inner, run) in enumerate(_numbered(rounds), 1):
        flags = (*cases[0].flags, *([f"{_RUN_FLAG}{time}"] if times > 1 else []))
        yield _settings(f"{folder}{inner}", {**own, "output_validator_flags": " ".join(flags)})
        yield from _cases(f"{folder}{inner}", run)


def _cases(folder: str, cases: Sequence[KattisCase]) -> Iterator[tuple[str, bytes]]:
    for number, one in enumerate(cases, 1):
        name = f"{folder}/{number:0{len(str(len(cases)))}}"
        yield f"{name}.in", one.case.stdin
        yield f"{name}.ans", one.answer


def _numbered(runs: Sequence[list[KattisCase]]) -> Iterator[tuple[str, list[KattisCase]]]:
    """Yield each with a folder, such as `/01`; one alone needs none."""
    for number, run in enumerate(runs, 1):
        yield f"/{number:0{len(str(len(runs)))}}" if len(runs) > 1 else "", run


def _settings(folder: str, settings: Mapping[str, str | Fraction]) -> tuple[str, bytes]:
    """Return the `testdata.yaml` of a folder."""
    nodes = {key: quoted(value) if isinstance(value, str) else plain(_number(value)) for key, value in settings.items()}
    return f"{folder}/testdata.yaml", dump(table(nodes), open_levels=1).encode()


def _number(value: Fraction) -> str:
    """Write points as problemtools' grader rounds them."""
    return f"{float(value):.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _range(value: Fraction) -> str:
    return f"0 {_number(value)}"


# ---------------------------------------------------------------- the rest of the package


def _problem(spec: Spec, sizes: Mapping[str, int], validation: str, *, is_scoring: bool) -> bytes:
    keys: dict[str, Node] = {
        "problem_format_version": plain("legacy"),
        "name": quoted(spec.title),
        "type": plain("scoring" if is_scoring else "pass-fail"),
        "validation": plain(validation),
        **({"source": quoted(spec.source)} if spec.source else {}),
        **({"grading": table({"show_test_data_groups": plain("true")})} if is_scoring else {}),
        "limits": table({name: plain(str(mebibytes)) for name, mebibytes in sizes.items()}),
    }
    return dump(table(keys), open_levels=2).encode()


def _statement(spec: Spec, tests: Sequence[KattisTest], *, is_scoring: bool) -> str:
    """Return the statement: what the spec says under `title` and `about`, and the points."""
    parts = [f"\\problemname{{{spec.title.translate(_TEX)}}}", (spec.about or spec.title).translate(_TEX)]
    parts.append("\\section*{Input and output}\nThe program reads standard input and writes to standard output.")
    if is_scoring:
        listing = "\n".join(f"\\item {_worth(one).translate(_TEX)}" for one in tests if one.points)
        parts.append(f"\\section*{{Scoring}}\n\\begin{{itemize}}\n{listing}\n\\end{{itemize}}")
    return "\n\n".join(parts) + "\n"


def _worth(one: KattisTest) -> str:
    is_told = one.test.about and one.test.visibility == "visible"
    return f"{one.test.name} ({count_points(one.points)})" + (f": {one.test.about}" if is_told else "")


def _output_validator(spec: Spec, tests: Sequence[KattisTest]) -> Mapping[str, bytes]:
    own = {"main.py": (_PROGRAMS / "output_validator.py").read_bytes()}
    if any(one.flags[0] == CHECKED for test in tests for one in test.cases):
        own = {**check_files(spec, tests), "grader.py": _WRONG_MODULE, **own}
    return {f"output_validators/compare/{name}": text for name, text in own.items()}


def _input_validator(files: Mapping[str, bytes]) -> bytes:
    """Return the program that knows the inputs of a package."""
    digests = {hashlib.sha256(text).hexdigest() for name, text in files.items() if re.fullmatch(r"data/.*\.in", name)}
    listed = "".join(f'        "{digest}",\n' for digest in sorted(digests))
    source = (_PROGRAMS / "known_inputs.py").read_text()
    return source.replace(_NO_DIGESTS, f"_KNOWN = frozenset(\n    {{\n{listed}    }}\n)").encode()
