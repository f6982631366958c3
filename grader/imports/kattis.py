"""Problem packages (Kattis, DOMjudge, ICPC) -> a spec.

Both forms of the format are read, `legacy` and the one with `test_group.yaml`. Samples become a visible test, secret
data hidden ones. The comparison of the default output validator is converted, with its arguments. A validator of the
package is kept as a validator, or as an interactor if it is interactive. Where a validator is several programs, the
problem's cases are ungraded until the instructor writes a check.

A problem accepts any language, an assignment one. So each language with submissions gets a spec; they share the data.
"""

import math
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from grader.core.errors import UsageError
from grader.core.model.layout import LazyBytes, Submission, content_of, content_pieces, size_of
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import assess, prepare
from grader.core.reader.files import read_data
from grader.core.text import count, listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, default_validator, identifier, write_assignment
from grader.imports.draft import Data, Draft, DraftCase, DraftSample, DraftTest, Loss
from grader.imports.kattis_package import (
    DEFAULT_OPTIONS,
    VALIDATION,
    CourseProgram,
    DataGroup,
    Datum,
    KattisOptions,
    Package,
    as_mapping,
    as_number,
    as_words,
    find_grader,
    find_validator,
    read_package,
    score_files,
)
from grader.imports.kattis_points import read_groups
from grader.imports.kattis_programs import (
    LabelledProgram,
    ProgramForm,
    Programs,
    answers_in,
    read_labelled,
    read_programs,
)
from grader.imports.losses import LOSSES
from grader.imports.writer import to_imported

_ACCEPTED, _PARTIAL, _SLOW = "accepted", "partially accepted", "time limit exceeded"


def import_kattis(path: Path, name: str | None = None, options: KattisOptions = DEFAULT_OPTIONS) -> Imported:
    """Convert the problem package in a folder to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such package, or one that no spec can express; SpecError for YAML with mistakes.
    """
    package = read_package(path, options)
    assignment_id = identifier(name, package.path.name)
    limit = _stated_time_limit(package)
    if limit is None and options.measure:
        limit = _measure_time_limit(package, to_imported(_read(package, assignment_id, _TimeLimit(60))))
    return to_imported(_read(package, assignment_id, limit))


def _read(package: Package, assignment_id: str, limit: "_TimeLimit | None") -> Draft:
    losses = [Loss(rule="key-twice", detail=key) for key in package.twice]
    submissions = read_labelled(package, losses)
    groups = read_groups(package, submissions, losses)
    is_answered = "submit-answer" in as_words(package.problem.get("type"))
    names = _answer_names(groups) if is_answered else {}
    read_all = partial(_with_answers, names=names, groups=groups) if is_answered else read_programs
    languages, course = read_all(package, submissions, losses), _Course(package, f"data/{assignment_id}", names)
    tests = [course.test(group) for group in groups]
    reference = next((one.reference for one in languages if one.reference), {})
    course.files |= {f"reference/{assignment_id}/{inner}": content for inner, content in reference.items()}
    keys = {
        "source": _source(package) or None,
        "limits": _limits(package, limit, losses),
        "reference": f"python3 reference/{assignment_id}/main.py" if reference else None,
    }
    drafts: list[Draft] = []
    for programs, form in ((one, one.form) for one in languages):
        draft = Draft(
            id=f"{assignment_id}-{form.suffix or form.language}" if drafts else assignment_id,
            format="kattis",
            origin=f"the problem package {package.path.name}",
            title=_problem_name(package),
            language=form.language,
            required=() if is_answered else [form.main],
            program=form.program.split(),
            tests=tests,
            points=sum((group.points for group in groups), Fraction(0)),
            keys={**keys, **_program_keys(package, programs, course)},
            samples=_samples(package, programs, groups, losses, has_limit=limit is not None),
        )
        drafts.append(draft)
    main, *others = [replace(draft, files=course.files) for draft in drafts]
    losses += _losses(package, languages, course)
    if not is_answered:
        losses += [] if reference else [Loss(rule="no-reference")]
        specs_text = listed([f"{one.id}.yaml for {one.language}" for one in others], most=5)
        detail = specs_text or f"{main.language}, in a file {languages[0].form.main}"
        losses.append(Loss(rule="languages" if others else "language", detail=detail))
    return replace(main, others=others, losses=losses)


def _problem_name(package: Package) -> str:
    """Return the problem's name, in English if possible; it may come from a LaTeX statement."""
    names = package.problem.get("name")
    if isinstance(names, dict):
        names = names.get("en") or next(iter(names.values()), "")
    for path in sorted(name for name in package.files if name.endswith(".tex")) if not names else ():
        if match := re.search(rb"\\problemname\{([^{}\\$]+)\}", package.files[path]):
            return match[1].decode(errors="replace").strip()
    return str(names or "")


def _source(package: Package) -> str:
    """Return the source, the authors and the license of the problem."""
    problem = package.problem
    parts = _named_people(problem.get("source")) + _named_people(problem.get("author") or problem.get("credits"))
    if problem.get("license", "unknown") != "unknown":
        parts.append(" ".join([f"license {problem['license']}", *_named_people(problem.get("rights_owner"))]))
    return ", ".join(parts)


def _named_people(value: Any) -> list[str]:
    """Return the names of people or sources; the format allows a text, a mapping, or a list of them."""
    if isinstance(value, dict):
        return _named_people(value.get("name", value.get("authors")))
    if isinstance(value, list):
        return [name for item in value for name in _named_people(item)]
    return [str(value)] if value else []


def _program_keys(package: Package, programs: Programs, course: "_Course") -> dict[str, Data]:
    """Return the keys for the files and the build of programs."""
    form, asked = programs.form, as_mapping(package.problem.get("limits"))
    optional = [form.program.removeprefix("./")] if form.produces == ("*",) else []  # it may be there already
    folder = f"include/{form.language}"
    include = {inner: course.file(f"{folder}/{inner}", text) for inner, text in programs.include.items()} or None
    limits = {ours: f"{asked[key]} {unit}" for key, (ours, unit) in _BUILD_LIMITS.items() if key in asked}
    build = {"run": programs.build, "produces": form.produces, "with": include, "limits": limits or None}
    return {
        "files": {"optional": list(dict.fromkeys(course.handed_in.values())) or optional},
        "build": build if form.build else None,
        "defaults": {"files": include} if include and not form.build else None,
    }


def _losses(package: Package, languages: Sequence[Programs], course: "_Course") -> Iterator[Loss]:
    """Yield the parts of the package that are not in the spec."""
    if package.has_validator and not course.validator:
        yield Loss(rule="validator")
    names = [f"/{name}" for name in package.files]
    for rule in LOSSES["kattis"]:
        if rule.startswith("/") and any(fnmatch(name, rule) for name in names):
            yield Loss(rule=rule)
    if package.links:
        yield Loss(rule="links", detail=", ".join(sorted(package.links)[:5]))
    if renamed := [f"{one_line(old)}: {new}" for new, old in package.renamed.items()]:
        yield Loss(rule="renamed", detail=listed(renamed, most=5))
    if package.problem.get("languages", "all") != "all":
        yield Loss(rule="these-languages", detail=", ".join(as_words(package.problem["languages"])))
    if any(programs.form.build for programs in languages):
        yield Loss(rule="compiler")


# ---------------------------------------------------------------- tests: what goes in, and what must come out

_MAX_SHORT_BYTES, _MAX_ALL_SHORT_BYTES = 2_000, 256 * 2**10
"""of an answer that is written into the spec, and of all those together"""
_SWITCHES = ("case_sensitive", "space_change_sensitive")
_TOLERANCES = ("float_relative_tolerance", "float_absolute_tolerance")
_TOLERANCE_FLAGS = {"float_tolerance": _TOLERANCES, **{name: (name,) for name in _TOLERANCES}}
_VALIDATOR_TO_BE_WRITTEN = b'''\
"""The output validator of the problem package, which is still to be written as a check: see output_validators there.

Until then every case that it would judge is ungraded, and nobody loses or gets points by it.
"""


def validate(output: bytes, *, input: str, answer: str, flags: str = "") -> None:
    """Hold an output against the files `input` and `answer` beside this one; raise grader.Wrong("why") when wrong."""
    raise NotImplementedError("the output validator of the package has to be written here")
'''


@dataclass(slots=True)
class _Course:
    """The tests and the files of the course, while they are made of a package."""

    package: Package
    folder: str  # `data/x`, which holds the files
    handed_in: Mapping[str, str]  # the file that is handed in for an input, where no program is
    files: dict[str, LazyBytes] = field(default_factory=dict)
    validator: CourseProgram | None = None
    written: int = 0  # bytes of answers in the spec so far

    def __post_init__(self) -> None:
        if self.package.has_validator or self.package.interaction:
            self.validator = find_validator(self.package, self.folder)
            self.files |= self.validator.files if self.validator else {}

    def file(self, name: str, content: LazyBytes) -> Data:
        """Add a file; return how the spec says its text."""
        self.files[f"{self.folder}/{name}"] = content
        return {"file": f"{self.folder}/{name}"}

    def test(self, group: DataGroup) -> DraftTest:
        """Return the test that a group of inputs becomes."""
        keys: dict[str, Data] = {}
        if group.all_or_nothing:
            may_score = self.package.is_scoring and score_files(self.package)
            is_stopped = len(group.data) > 1 and not may_score
            keys = {"all_or_nothing": True, "stop": plain("first-failure") if is_stopped else None}
        if group.is_scored:
            keys["scoring"] = {"max": group.points, **self._scoring(group, group.flags)}
        pieces = (piece for datum in group.data for piece in content_pieces(datum.answer))
        has_letters = any(piece.upper() != piece.lower() or not piece.isascii() for piece in pieces)
        is_sample = group.name == "sample"
        return DraftTest(
            name=group.name,
            about="The samples of the statement" if is_sample else "Further inputs",
            points=group.points,
            needs=group.needs,
            hidden=not is_sample,
            keys=keys,
            cases=[self._case(datum, has_letters=has_letters) for datum in group.data],
        )

    def _scoring(self, group: DataGroup, flags: Sequence[str]) -> dict[str, Data]:
        """Return what `scoring` says of a group: its grader with these flags, and the groups in it."""
        grader = find_grader(self.package, group.grading, self.folder)
        self.files |= grader.files
        accept, reject = (group.score(f"{key}_score") for key in ("accept", "reject"))
        own = {"accept": None if accept == 1 else accept, "reject": reject or None, "cases": len(group.data)}
        inner = []
        for part in group.parts:  # `ignore_sample` is of the outermost group alone; what another grader does is unknown
            own_flags = [one for one in part.flags if one != "ignore_sample" or part.grading == "custom"]
            inner.append(self._scoring(part, own_flags))
        return {
            "program": grader.program,
            "args": flags or None,
            "stop": plain("first-failure") if group.settings.get("on_reject", "break") == "break" else None,
            **({"groups": inner} if group.parts else own),
        }

    def _case(self, datum: Datum, *, has_letters: bool) -> DraftCase:
        text = self.file(f"{datum.name}.in", datum.input)
        keys: dict[str, Data] = {"args": datum.args or None, "repeat": datum.times if datum.times > 1 else None}
        if self.handed_in:
            keys["command"] = f"cat {self.handed_in[datum.name]}"
        is_interactive = "interactive" in self.package.interaction
        stdout: Data = None
        tolerate = {}
        if judge := self.validator:
            answer = self.file(f"{datum.name}.ans", datum.answer)
            judging: dict[str, Data] = {**judge.bounds, "answer": answer, "max_score": datum.max_score}
            if is_interactive:
                args = ["input", "answer", "feedback", *datum.flags]
                keys["interactor"] = {"program": judge.program, "args": args, "input": text, **judging}
            else:
                stdout = {"check": {"validator": judge.program, "args": datum.flags or None, **judging}}
        elif self.package.has_validator:
            options = {"input": f"{datum.name}.in", "flags": " ".join(datum.flags) or None}
            stdout = {**self._check("validator.py", "validate", _VALIDATOR_TO_BE_WRITTEN, datum), **options}
        else:
            how = _validator_arguments(datum)
            stdout = compared = self._compared(datum, how)
            is_exact = "check" in compared or "case_sensitive" in how
            tolerate = {"letter-case": "100%"} if has_letters and not is_exact else {}
        files = {name: self.file(f"{datum.name}.files/{name}", text) for name, text in datum.files.data.items()}
        return DraftCase(
            stdin=None if is_interactive else text,
            files={} if is_interactive else files,
            tolerate=tolerate,
            expect={"stdout": stdout, "exit": plain("success")},
            keys=keys,
        )

    def _check(self, file: str, function: str, content: bytes, datum: Datum) -> dict[str, Data]:
        """Return the comparison of an output by a function of a file of the course beside the data."""
        self.file(file, content)
        self.file(f"{datum.name}.ans", datum.answer)
        return {"check": f"{self.folder}/{file}:{function}", "answer": f"{datum.name}.ans"}

    def _compared(self, datum: Datum, how: Mapping[str, str]) -> dict[str, Data]:
        """Return a short answer as a text or words, and a longer one as a check by a copy of the default validator."""
        size = size_of(datum.answer)
        if size <= _MAX_SHORT_BYTES and self.written + size <= _MAX_ALL_SHORT_BYTES and {*how} <= {*_SWITCHES}:
            text = content_of(datum.answer).decode(errors="surrogateescape")
            if text.replace("\n", "").isprintable():  # a byte that is no UTF-8 is not
                self.written += size
                return {"text" if "space_change_sensitive" in how else "tokens": text}
        default = Path(default_validator.__file__).read_bytes()
        return {**self._check("default_validator.py", "compare", default, datum), **how}


def _validator_arguments(datum: Datum) -> Mapping[str, str]:
    """Return the arguments of the default validator, name -> value; UsageError for unknown ones."""
    found: dict[str, str] = {}
    rest = list(datum.flags)
    while rest:
        word = rest.pop(0)
        bound = as_number(rest[0]) if word in _TOLERANCE_FLAGS and rest else None
        if word in _SWITCHES:
            found[word] = "yes"
        elif bound is not None and bound < 10**30:
            found |= dict.fromkeys(_TOLERANCE_FLAGS[word], rest.pop(0))
        else:
            raise UsageError(f"data/{datum.name}: the default output validator has no argument {word!r}")
    return found


# ---------------------------------------------------------------- answers that are handed in, and samples


def _answer_names(groups: Sequence[DataGroup]) -> Mapping[str, str]:
    """Return the file that is handed in for each input, by the name of the input: `1.out`, or `secret-1.out`."""
    short = {datum.name: datum.name.rpartition("/")[2] for group in groups for datum in group.data}
    is_unique = len({*short.values()}) == len(short)
    return {name: f"{own if is_unique else name.replace('/', '-')}.out" for name, own in short.items()}


def _with_answers(
    package: Package,
    every: Sequence[LabelledProgram],
    losses: list[Loss],
    *,
    names: Mapping[str, str],
    groups: Sequence[DataGroup],
) -> Sequence[Programs]:
    """Return the submissions that are answers (`submit-answer`), with the package's own, under the names asked for."""
    answered = [structs.replace(one, files=answers_in(one.files, names)) for one in every]
    found = [one for one in answered if one.files]
    if left := sorted(one.name for one in answered if not one.files):
        losses.append(Loss(rule="no-answers", detail=listed(left, most=5)))
    if not package.has_validator:
        known = {names[datum.name]: content_of(datum.answer) for group in groups for datum in group.data}
        own = LabelledProgram(name="accepted/package-answers", files=known, results=frozenset({_ACCEPTED}))
        found.append(own)
    losses.append(Loss(rule="answers", detail=listed(list(dict.fromkeys(names.values())), most=5)))
    # `cat` writes a file, which is then compared as what a program writes.
    return [Programs(form=ProgramForm(language="shell", main="", program="cat"), found=found)]


def _samples(
    package: Package, programs: Programs, groups: Sequence[DataGroup], losses: list[Loss], *, has_limit: bool
) -> Mapping[str, DraftSample]:
    """Return the submissions as samples; those that ought to run into a limit of time only where there is one."""
    found: dict[str, DraftSample] = {}
    left: list[str] = []
    for program in programs.found:
        score = _stated_score(program, package, groups)
        if score is None or (_SLOW in program.results and not has_limit):
            left.append(program.name)
            continue
        folder, _, own = program.name.partition("/")
        usual = sample = f"{folder}-{own.rpartition('.')[0] or own}".replace("_", "-")
        number = 2  # `a.py` and `a.py3` would be one sample
        while sample in found:
            sample, number = f"{usual}-{number}", number + 1
        description = " or ".join(sorted(program.results)) or "judged"
        found[sample] = DraftSample(files=program.files, score=score, about=f"{description} in the package")
    if left:
        losses.append(Loss(rule="no-score", detail=listed(left, most=5)))
    return found


def _stated_score(program: LabelledProgram, package: Package, groups: Sequence[DataGroup]) -> Fraction | str | None:
    """Return the score of a submission as a sample; None when it is unknown."""
    if package.is_scoring and program.score is not None:
        return program.score
    scored = [group for group in groups if group.is_scored]
    if program.results == {_ACCEPTED}:
        is_unknown = package.is_scoring and (score_files(package) or any(group.is_custom for group in scored))
        return None if is_unknown else sum((group.points for group in groups), Fraction(0))
    is_rejected = program.results and not program.results & {_ACCEPTED, _PARTIAL}
    if program.results == {_PARTIAL}:
        return "partial"
    return Fraction(0) if is_rejected and (scored or not package.is_scoring) else None


# ---------------------------------------------------------------- limits

# A limit of time that the package does not have is derived from its accepted programs. The rule is problemtools': the
# processor time of the slowest accepted program on any input, times a multiplier, rounded up to the resolution. The
# multiplier is 2 in the format, and was 5 in the older form.
_MEMORY_MIB, _EXTRA_SECONDS = 2048, 5
"""the format's default; what is added to twice the processor time, for programs that wait"""
_BUILD_LIMITS = {"compilation_time": ("time", "s"), "compilation_memory": ("memory", "MiB")}
_TIMES = ("time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution")


class _TimeLimit(NamedTuple):
    seconds: float  # of processor time
    origin: str = ""  # how it was measured, where the package does not say it


def _stated_time_limit(package: Package) -> _TimeLimit | None:
    """Return the limit of processor time, if the package has one."""
    alone = package.files.get(".timelimit", b"").decode(errors="replace").strip()
    stated = as_mapping(package.problem.get("limits")).get("time_limit")
    for written in map(str, (stated, package.of_judge.get("timelimit", ""), alone)):
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", written) and float(written):
            return _TimeLimit(float(written))
    return None


def _limits(package: Package, limit: _TimeLimit | None, losses: list[Loss]) -> dict[str, Data]:
    """Return `limits`; adds to `losses` what has no counterpart, and where a measured limit comes from."""
    limits = as_mapping(package.problem.get("limits"))
    known = {"memory", "output", *_TIMES, *_BUILD_LIMITS, *VALIDATION}
    found: dict[str, Data] = {}
    if limit:
        # Judges measure processor time, which a busy machine does not change; who sleeps is stopped later.
        found = {"cpu": limit.seconds, "time": 2 * limit.seconds + _EXTRA_SECONDS}
    if not limit or limit.origin:
        losses.append(Loss(rule="measured" if limit else "no-time-limit", detail=limit.origin if limit else ""))
    if others := [key for key in limits if key not in known]:
        losses.append(Loss(rule="limits", detail=", ".join(map(str, others))))
    output = f"{limits['output']} MiB" if "output" in limits else None
    return {**found, "memory": f"{limits.get('memory', _MEMORY_MIB)} MiB", "output": output}


def _measure_time_limit(package: Package, trial: Imported) -> _TimeLimit | None:
    """Run the accepted programs of a package, and derive the limit; None when it has none that can be run."""
    with tempfile.TemporaryDirectory(prefix="grader-import-") as folder:
        write_assignment(trial, Path(folder))
        measured = list(_measure(Path(folder), trial, package))
    if not measured:
        return None
    slowest, program = max(measured)
    limits = as_mapping(package.problem.get("limits"))
    stated = as_mapping(limits.get("time_multipliers")).get("ac_to_time_limit", limits.get("time_multiplier"))
    multiplier = float(as_number(stated) or (5 if package.is_legacy else 2))
    resolution = float(as_number(limits.get("time_resolution", 1)) or 1)
    seconds = max(1, math.ceil(round(slowest * multiplier / resolution, 6))) * resolution
    origin = (
        f"{seconds:g} s, measured on this machine: of {count(len(measured), 'accepted program')} the slowest, "
        f"{program}, took {slowest:.2f} s, times {multiplier:g}, rounded up to {resolution:g} s"
    )
    return _TimeLimit(seconds, origin)


def _measure(root: Path, trial: Imported, package: Package) -> Iterator[tuple[float, str]]:
    """Yield the most processor time, in seconds, that each accepted program takes for an input, and its name."""
    for spec_id in trial.specs:
        path, samples = root / f"specs/{spec_id}.yaml", root / f"sample_submissions/{spec_id}"
        stated = read_data(samples / "expected.yaml") if samples.exists() else {}
        for name in [name for name, one in stated.items() if one["about"] == "accepted in the package"]:
            course = prepare(path)
            found = assess(Job(spec=path, submission=Submission(id=name, path=samples / name)), course)
            if found.verdict != Verdict.PASSED:
                said = (one.message.text for test in found.tests for one in test.cases)
                why = next(filter(None, said), found.build.message) or found.verdict
                problem = f"the accepted program {name} ({spec_id}) is not accepted here"
                raise package.error(f"no time limit can be measured: {problem}: {why}")
            times = [case.run.cpu for test in found.tests for case in test.cases if case.run]
            yield max(times, default=0.0), f"{name} ({spec_id})"
