"""A problem package (Kattis, DOMjudge, ICPC) of a spec, in the form `legacy`, whose points problemtools itself judges.

A spec whose points are in one hidden test, all or nothing, becomes a problem that is accepted or rejected; every other
one is a scoring problem with a group for each test. Where the default output validator cannot compare as the spec does,
the package has one of ours. The samples of the assignment become submissions, in the folders of the verdicts that they
get there: each is run here in the cases that the package has, and judged by the package's own comparison.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from itertools import groupby
from math import ceil
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from zipfile import ZipFile

from msgspec.structs import replace

from grader.core.build.staging import read_submission
from grader.core.build.tree import Refused
from grader.core.course import Course
from grader.core.errors import HostError, UsageError
from grader.core.lazy import lazy_regex
from grader.core.model.layout import Submission
from grader.core.model.report import CaseResult, Job, Verdict
from grader.core.model.spec import Repeat, Spec
from grader.core.oracle.answers import reference_files
from grader.core.pipeline import assess
from grader.core.report.json import write_files
from grader.core.run.runner import limits_of
from grader.core.text import count_points, one_line, points
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, plain, quoted, table
from grader.exports.kattis_programs.output_validator import explain_mistake
from grader.exports.kattis_tests import CHECKED, KattisCase, KattisTest, check_files, choose_tests, default_flags
from grader.exports.request import zip_of

_PROGRAMS = Path(__file__).with_name("kattis_programs")
_NO_DIGESTS = "_KNOWN: frozenset[str] = frozenset()"
_TEX_WORDS = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde", "<": "less", ">": "greater", '"': "quotedbl"}
_TEX = str.maketrans({sign: f"\\{sign}" for sign in "{}$&#%_"} | {s: f"\\text{w}{{}}" for s, w in _TEX_WORDS.items()})
_WRONG_MODULE = b"class Wrong(Exception):\n    pass\n"  # what the checks of the course import of grader
_RUN_FLAG = "grader-run="  # an argument of the validator: which run it is of a case that is repeated; without effect
_DECIMALS = 6  # of points
_ALL_OF_THEM = {"on_reject": "break", "grader_flags": "min"}
ALLOWED_NAME = lazy_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")  # a name that the format allows
_ACCEPTED = "accepted"
_FOLDERS = {"AC": _ACCEPTED, "RTE": "run_time_error", "TLE": "time_limit_exceeded", "WA": "wrong_answer"}
_WORST = ("RTE", "MLE", "TLE", "OLE", "WA", "AC")
"""the verdicts, in the order in which problemtools' grader lets one stand for several"""
_COMPILED = {"c": (".c", ".h"), "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".h"), "go": (".go",)}
_COMPILED |= {"rust": (".rs",), "haskell": (".hs",)}
_INTERPRETED = {"python": (".py",), "java": (".java",), "javascript": (".js",), "ruby": (".rb",)}
"""languages that judges know, with the endings of their files; an interpreter is named before the program"""
_STARTER = (
    "# Starts the program of the assignment, whose name judges do not know.\n"
    'import runpy\n\nrunpy.run_path({name!r}, run_name="__main__")\n'
)
_Files = Iterator[tuple[str, bytes]]


class _LabelledSample(NamedTuple):
    """A program with what it gets."""

    path: str  # below `submissions/`, the folder of its verdict and its name
    files: Mapping[str, bytes]
    score: Fraction


class KattisPackage(NamedTuple):
    """A package, not written yet."""

    name: str  # of its folder, as Kattis has it
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]  # what it has, for programs; `notes` are what is not as in the spec, a line each


def to_kattis(course: Course, samples: Sequence[Submission]) -> KattisPackage:
    """Make the package of an assignment; its samples are run for the verdicts that they get there.

    Raises UsageError when no package can have anything of it, HostError when the reference fails.
    """
    spec, notes = course.spec, list[str]()
    check_program(spec)
    tests = choose_tests(course, notes)
    passes = _is_pass_fail(tests)
    alone = {"needs": (), "unlike": (), "stops": False, "patience": None}
    pairs = [(test, tuple(datum.case for datum in test.cases)) for test in tests]
    judged = tuple(replace(test.test, cases=cases, points=test.points, **alone) for test, cases in pairs)
    programs = _Samples(replace(course, spec=replace(spec, tests=judged)), tests, passes, notes).labelled(samples)
    is_default = all(default_flags(datum) is not None for test in tests for datum in test.cases)
    if is_default:
        by_default = [tuple(replace(datum, flags=default_flags(datum) or ()) for datum in test.cases) for test in tests]
        tests = [replace(test, cases=cases) for test, cases in zip(tests, by_default, strict=True)]
    files = {
        **dict(_pass_fail_data(tests) if passes else _scoring_data(tests)),
        **dict(_descriptions(course, tests, is_default=is_default, is_scoring=not passes)),
        **({} if is_default else _output_validator(spec, tests)),
    }
    files["input_validators/known_inputs.py"] = _input_validator(files)
    for program in programs:
        files |= {f"submissions/{program.path}/{name}": text for name, text in program.files.items()}
    if not passes and programs:
        scores = {program.path: table({"score": plain(points(program.score))}) for program in programs}
        files["submissions/submissions.yaml"] = dump(table(scores), open_levels=2).encode()
    if not any(name.startswith("data/sample/") for name in files):
        notes.append("No samples: every test is hidden; put some into data/sample.")
    notes.append("Input validator: it accepts the inputs of the package and no others; write one with their grammar.")
    facts = {
        "type": "pass-fail" if passes else "scoring",
        "points": float(sum(test.points for test in tests)),
        "validator": "default" if is_default else "custom",
        "inputs": sum(name.startswith("data/secret/") and name.endswith(".in") for name in files),
        "submissions": [{"path": one.path, "score": None if passes else float(one.score)} for one in programs],
        "notes": [note for note in notes if not (passes and note.startswith("needs: "))],  # all has to pass there
    }
    return KattisPackage(spec.id.replace("-", ""), files, facts)


def _descriptions(course: Course, tests: Sequence[KattisTest], *, is_default: bool, is_scoring: bool) -> _Files:
    """Yield the problem, its statement and its limit of time."""
    spec, given = course.spec, course.toolchain.limits
    limits = [limits_of(given, datum.case.limits) for test in tests for datum in test.cases]
    sizes = {name: ceil(max(getattr(limit, name) for limit in limits) / 2**20) for name in ("memory", "output")}
    keys: dict[str, Node] = {
        "problem_format_version": plain("legacy"),
        "name": quoted(spec.title),
        "type": plain("scoring" if is_scoring else "pass-fail"),
        "validation": plain("default" if is_default else "custom"),
        **({"source": quoted(spec.source)} if spec.source else {}),
        **({"grading": table({"show_test_data_groups": plain("true")})} if is_scoring else {}),
        "limits": table({name: plain(str(mebibytes)) for name, mebibytes in sizes.items()}),
    }
    yield "problem.yaml", dump(table(keys), open_levels=2).encode()
    parts = [f"\\problemname{{{spec.title.translate(_TEX)}}}", (spec.about or spec.title).translate(_TEX)]
    parts.append("\\section*{Input and output}\nThe program reads standard input and writes to standard output.")
    if is_scoring:
        worth = [(test, test.test.about if test.test.visibility == "visible" else "") for test in tests if test.points]
        items = [f"{test.test.name} ({count_points(test.points)}){': ' * bool(about)}{about}" for test, about in worth]
        listing = "\n".join(f"\\item {item.translate(_TEX)}" for item in items)
        parts.append(f"\\section*{{Scoring}}\n\\begin{{itemize}}\n{listing}\n\\end{{itemize}}")
    yield "problem_statement/problem.en.tex", ("\n\n".join(parts) + "\n").encode()
    yield ".timelimit", f"{max(1, ceil(max(min(limit.time, limit.cpu) for limit in limits)))}\n".encode()


def write_package(package: KattisPackage, target: Path) -> None:
    """Write a package as a new folder, or as a zip if the name ends in .zip, atomically; raises HostError."""
    data = zip_of({f"{package.name}/{name}": text for name, text in package.files.items()})
    if target.suffix == ".zip":
        write_files({target.name: data}, target.parent.resolve(), "the package")
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".grader-export-", dir=target.parent) as staging:
            ZipFile(BytesIO(data)).extractall(staging)
            Path(staging, package.name).rename(target)
    except OSError as error:
        raise HostError(f"{target} cannot be written: {error.strerror}; name another place with --out") from error


def _is_pass_fail(tests: Sequence[KattisTest]) -> bool:
    """Whether the package needs no points: all of them are in the last test, and the others are visible samples."""
    *samples, last = tests
    if any(test.points or test.test.visibility != "visible" for test in samples) or last.test.visibility == "visible":
        return False
    is_whole = last.test.all_or_nothing or len(last.cases) == 1
    return is_whole and {test.test.name for test in samples} <= set(last.test.needs)


class _Group(NamedTuple):
    """A folder of test data: its settings, and inputs or further groups, which are numbered."""

    settings: Mapping[str, str | Fraction]
    parts: Sequence["KattisCase | _Group"]

    def files(self, folder: str) -> _Files:
        """Yield what is in it."""
        settings = self.settings.items()
        if keys := {key: quoted(one) if isinstance(one, str) else plain(_to_text(one)) for key, one in settings}:
            yield f"{folder}/testdata.yaml", dump(table(keys), open_levels=1).encode()
        for number, part in enumerate(self.parts, 1):
            name = f"{folder}/{number:0{len(str(len(self.parts)))}}"
            if isinstance(part, _Group):
                yield from part.files(name)
            else:
                yield from ((f"{name}.in", part.case.stdin), (f"{name}.ans", part.answer))


def _join_groups(groups: Sequence[_Group], settings: Mapping[str, str | Fraction]) -> _Group:
    """Return the only group, or a group of all."""
    return groups[0] if len(groups) == 1 else _Group(settings, groups)


def _pass_fail_data(tests: Sequence[KattisTest]) -> _Files:
    *samples, secret = tests
    shown = [replace(datum, case=replace(datum.case, repeat=Repeat())) for test in samples for datum in test.cases]
    for folder, own in (("data/sample", shown), ("data/secret", secret.cases)):
        runs = [_input_group(list(run), {}) for _, run in groupby(own, key=lambda datum: datum.flags)]
        yield from _join_groups(runs, {}).files(folder)


def _scoring_data(tests: Sequence[KattisTest]) -> _Files:
    """Yield the data of a problem with points: they are added up, whatever else fails."""
    worth = [test for test in tests if test.points]
    total = f"0 {_to_text(sum((test.points for test in worth), Fraction(0)))}"
    goes_on = {"on_reject": "continue", "grader_flags": "accept_if_any_accepted", "range": total}
    yield from _Group(goes_on | {"grader_flags": "ignore_sample accept_if_any_accepted"}, ()).files("data")
    # The samples are worth nothing: the first case of each visible test, if it compares alike.
    visible = [test for test in tests if test.test.visibility == "visible"]
    if cases := [datum for test in visible for datum in (test.cases[:1] if test.points else test.cases)]:
        flags = cases[0].flags
        shown = {(datum.case.stdin, datum.answer): datum for datum in cases if datum.flags == flags}
        nothing: dict[str, str | Fraction] = {"accept_score": Fraction(0), "range": "0 0", "grader_flags": ""}
        yield from _Group({"output_validator_flags": " ".join(flags)} | nothing, [*shown.values()]).files("data/sample")
    yield from _Group(goes_on, ()).files("data/secret")
    for number, test in enumerate(worth, 1):
        slug = re.sub("[^A-Za-z0-9]+", "-", test.test.name).strip("-").lower()[:60]
        yield from _group(test).files(f"data/secret/{number:0{len(str(len(worth)))}}-{slug}".rstrip("-"))


def _group(test: KattisTest) -> _Group:
    """Return the data of a test, in groups of cases with the same comparison and weight."""
    whole, weights = test.test.all_or_nothing, sum((datum.case.weight for datum in test.cases), Fraction(0))

    def alike(datum: KattisCase) -> tuple[object, ...]:
        case = datum.case  # one that is repeated is a run of its own, unless the whole test is right or wrong
        return datum.flags, *(() if whole else (case.weight, case.id if case.repeat.times > 1 else ""))

    groups: list[_Group] = []
    before = done = Fraction(0)
    for run in (list(run) for _, run in groupby(test.cases, key=alike)):
        done += sum((datum.case.weight for datum in run), Fraction(0))
        # Rounded as the sums are, so that all of them together are the points of the test.
        so_far = round(test.points * done / weights, _DECIMALS)
        worth, before = test.points if whole else so_far - before, so_far
        how = _ALL_OF_THEM if whole or run[0].case.repeat.times > 1 else {"grader_flags": "accept_if_any_accepted avg"}
        groups.append(_input_group(run, {**how, "accept_score": worth, "range": f"0 {_to_text(worth)}"}))
    around = _ALL_OF_THEM if whole else {"grader_flags": "accept_if_any_accepted"}
    return _join_groups(groups, {**around, "range": f"0 {_to_text(test.points)}"})


def _input_group(cases: Sequence[KattisCase], settings: Mapping[str, str | Fraction]) -> _Group:
    """Return a group of inputs with its settings; repeated inputs have an inner group for each run."""
    # Each of these has an argument of its own: a judge may take the result of an input for another one that is the
    # same, unless the arguments of the validator differ.
    times = max(datum.case.repeat.times for datum in cases)
    groups = []
    for time in range(1, times + 1):
        flags = " ".join((*cases[0].flags, *([f"{_RUN_FLAG}{time}"] if times > 1 else [])))
        run = [datum for datum in cases if datum.case.repeat.times >= time]
        groups.append(_Group({**settings, "output_validator_flags": flags}, run))
    return _join_groups(groups, {key: value for key, value in settings.items() if key != "accept_score"})


def _to_text(value: Fraction) -> str:
    """Write points as problemtools' grader rounds them."""
    return f"{float(value):.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _output_validator(spec: Spec, tests: Sequence[KattisTest]) -> Mapping[str, bytes]:
    own = {"main.py": (_PROGRAMS / "output_validator.py").read_bytes()}
    if any(datum.flags[0] == CHECKED for test in tests for datum in test.cases):
        own = {**check_files(spec, tests), "grader.py": _WRONG_MODULE, **own}
    return {f"output_validators/compare/{name}": text for name, text in own.items()}


def _input_validator(files: Mapping[str, bytes]) -> bytes:
    """Return the program that knows the inputs of a package."""
    digests = {hashlib.sha256(text).hexdigest() for name, text in files.items() if re.fullmatch(r"data/.*\.in", name)}
    listed = "".join(f'        "{digest}",\n' for digest in sorted(digests))
    source = (_PROGRAMS / "known_inputs.py").read_text()
    return source.replace(_NO_DIGESTS, f"_KNOWN = frozenset(\n    {{\n{listed}    }}\n)").encode()


def check_program(spec: Spec) -> None:
    """Raise UsageError when a judge cannot start the programs of an assignment."""
    known = _INTERPRETED | _COMPILED
    if spec.language not in known:
        raise UsageError(f"{spec.id}: judges of Kattis packages start no {spec.language}; they know {', '.join(known)}")
    if len(spec.program) != 1 + (spec.language in _INTERPRETED):
        shown = one_line(" ".join(spec.program))
        problem = "a judge of Kattis packages gives it neither arguments nor options: let it read standard input"
        raise UsageError(f"{spec.id}: a program is started as `{shown}`, and {problem}")


class _Samples(NamedTuple):
    """The samples of an assignment as a package judges them; without points (`passes`), all tests have to pass."""

    course: Course  # with the tests of the package
    tests: Sequence[KattisTest]
    passes: bool
    notes: list[str]

    def labelled(self, samples: Sequence[Submission]) -> Sequence[_LabelledSample]:
        """Run the samples, and put each into a folder; without an accepted one, add the reference."""
        programs: list[_LabelledSample] = []
        for sample in samples:
            if isinstance(program := self._label(sample), str):
                self.notes.append(f"Left out: sample {one_line(sample.id)}: {program}")
            else:
                programs.append(program)
        if any(program.path.startswith(f"{_ACCEPTED}/") for program in programs):
            return programs
        if files := _reference_files(self.course.spec):
            most = sum((test.points for test in self.tests), Fraction(0))
            return [*programs, _LabelledSample(f"{_ACCEPTED}/reference", files, most)]
        command = "put one into submissions/accepted, from which judges take the time limit"
        self.notes.append(f"No accepted submission: {command}.")
        return programs

    def _label(self, sample: Submission) -> _LabelledSample | str:
        """Return a sample with its folder, or why it is left out."""
        spec = self.course.spec
        files = _sources(spec, sample)
        if isinstance(files, str):
            return files
        ids = [case.id for test in spec.tests for case in test.cases]
        judgement = assess(Job(spec=spec.root / f"specs/{spec.id}.yaml", submission=sample), self.course, whole=ids)
        if not judgement.build.ok:
            return "it is not built; the format has no folder for that"
        results = {case.id: case for test in judgement.tests for case in test.cases}
        failed = [case.whole.stderr for case in results.values() if case.whole and case.whole.status not in (0, None)]
        # There was nothing to start, such as no class of the name that the assignment asks for.
        if any(re.search(sign.encode(), text) for text in failed for sign in self.course.toolchain.cannot_start):
            return "it cannot be started here, and a judge may find what to start by itself; correct it, or take it out"
        cases = [datum for test in self.tests for datum in test.cases]
        verdicts = {datum.case.id: self._verdict_there(datum, results[datum.case.id], sample) for datum in cases}
        if ungraded := next((name for name, verdict in verdicts.items() if not verdict), ""):
            return f"{ungraded} is ungraded: {results[ungraded].message.text}"
        folder, score = self._outcome_there(verdicts)
        if not folder:
            return "it runs out of memory or writes too much, which judges call by other names"
        return _LabelledSample(f"{folder}/{sample.id}", files, score)

    def _verdict_there(self, datum: KattisCase, result: CaseResult, sample: Submission) -> str:
        """Return the verdict that a case has in the package; empty where it is unknown."""
        execution = result.whole
        if result.verdict == Verdict.UNGRADED or execution is None:
            return ""
        if execution.limit:
            return {"memory": "MLE", "output": "OLE"}.get(execution.limit, "TLE")
        if execution.status != 0:
            return "RTE"
        is_right = result.is_right
        if datum.flags[0] != CHECKED:
            is_right = not explain_mistake(datum.flags, execution.stdout, datum.answer, datum.case.stdin)
        if is_right != result.is_right:
            what = f"{datum.case.id} of {sample.id} is {'right' if result.is_right else 'wrong'} here, and not there"
            self.notes.append(f"Differs: {what}: {result.message.text}")
        return "AC" if is_right else "WA"

    def _outcome_there(self, verdicts: Mapping[str, str]) -> tuple[str, Fraction]:
        """Return the folder and the points: a test is accepted if any case is; the points of all tests add up."""
        if self.passes:
            first = next((verdict for verdict in verdicts.values() if verdict != "AC"), "AC")
            return _FOLDERS.get(first, ""), Fraction(first == "AC")
        score, failed = Fraction(0), list[str]()
        for test in (test for test in self.tests if test.points):  # the others are samples alone
            weights = {datum.case.id: datum.case.weight for datum in test.cases}
            wrong = [name for name in weights if verdicts[name] != "AC"]
            lost = sum((weights[name] for name in wrong), Fraction(0)) / sum(weights.values())
            if test.test.all_or_nothing:
                wrong, lost = wrong[:1], Fraction(bool(wrong))
            score += test.points * (1 - lost)
            failed += [verdicts[name] for name in wrong]
        if score:
            is_full = score == sum((test.points for test in self.tests), Fraction(0))
            return _ACCEPTED if is_full else "partially_accepted", score
        return _FOLDERS.get(min(failed, key=_WORST.index, default="AC"), ""), score


def _sources(spec: Spec, sample: Submission) -> Mapping[str, bytes] | str:
    """Return the sources of a sample, or why judges cannot start it."""
    if not ALLOWED_NAME.fullmatch(sample.id):
        return "its name is none that the format has; use letters, digits and _ . -"
    try:
        files = read_submission(sample.path).files
    except Refused as refused:
        return refused.fact
    endings = (_COMPILED | _INTERPRETED)[spec.language]
    own = {name: file.content for name, file in files.items() if name.endswith(endings)}
    if not own:
        return f"it has no file that ends with {' or '.join(endings)}"
    if wrong := [name for name in own if not all(map(ALLOWED_NAME.fullmatch, name.split("/")))]:
        return f"the format has no such names as {one_line(wrong[0])}"
    if spec.build:
        own |= {name: text for name, text in spec.build.files.items() if name.endswith(endings)}
    return _with_starter(own, spec.program[-1]) if spec.language == "python" else own


def _with_starter(files: Mapping[str, bytes], program: str) -> Mapping[str, bytes]:
    """Return the files of a program in Python, of which a judge starts `main.py` if there are several."""
    is_clear = len(files) <= 1 or "main.py" in files
    return files if is_clear else {**files, "main.py": _STARTER.format(name=program).encode()}


def _reference_files(spec: Spec) -> Mapping[str, bytes]:
    """Return the files of the reference, where it is a program in Python that is started without arguments."""
    command = spec.reference or ()
    if len(command) != 2 or not command[1].endswith(".py"):  # noqa: PLR2004 - python3 and a file
        return {}
    program = PurePosixPath(command[1])
    paths = {PurePosixPath(name): text for name, text in reference_files(spec).items() if name.endswith(".py")}
    own = {path: text for path, text in paths.items() if path.is_relative_to(program.parent)}
    return _with_starter({str(path.relative_to(program.parent)): text for path, text in own.items()}, program.name)
