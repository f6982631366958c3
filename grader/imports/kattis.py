"""Problem packages (Kattis, DOMjudge, ICPC) -> a spec.

Both forms of the format are read, `legacy` and the one with `test_group.yaml`. Samples become a visible test, secret
data hidden ones. The comparison of the default output validator is converted, with its arguments. A validator of the
package is kept as a validator, or as an interactor if it is interactive. Where a validator is several programs, the
problem's cases are ungraded until the instructor writes a check.

A problem accepts any language, an assignment one. So each language with submissions gets a spec; they share the data.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec import structs

from grader.core.errors import UsageError
from grader.core.model.stored_file import LazyBytes, content_of, content_pieces, size_of
from grader.core.text import listed, one_line
from grader.core.yaml.writing import plain
from grader.imports import Imported, default_validator, identifier
from grader.imports.draft import Data, Draft, DraftCase, DraftSample, DraftTest, Loss
from grader.imports.kattis_limits import (
    BUILD_LIMITS,
    TRIAL_LIMIT,
    TimeLimit,
    limits_of_a_run,
    measure_time_limit,
    time_limit_of,
)
from grader.imports.kattis_package import (
    DEFAULT_OPTIONS,
    DataGroup,
    Datum,
    KattisOptions,
    Package,
    as_mapping,
    as_words,
    read_package,
    runs_of_repeated,
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
from grader.imports.kattis_validator import CourseProgram, find_grader, find_validator, score_files
from grader.imports.losses import LOSSES
from grader.imports.writer import to_imported

_ACCEPTED, _PARTIAL, _SLOW = "accepted", "partially accepted", "time limit exceeded"


def import_kattis(path: Path, name: str | None = None, options: KattisOptions = DEFAULT_OPTIONS) -> Imported:
    """Convert the problem package in a folder to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such package, or one that no spec can express; SpecError for YAML with mistakes.
    """
    package = read_package(path, options)
    assignment_id = identifier(name, package.path.name)
    limit = time_limit_of(package)
    if limit is None and options.measure:
        limit = measure_time_limit(package, to_imported(_read(package, assignment_id, TRIAL_LIMIT)))
    return to_imported(_read(package, assignment_id, limit))


def _read(package: Package, assignment_id: str, limit: TimeLimit | None) -> Draft:
    losses = [Loss(rule="key-twice", detail=key) for key in package.twice]
    submissions = read_labelled(package, losses)
    groups = read_groups(package, submissions, losses)
    is_answered = "submit-answer" in as_words(package.problem.get("type"))
    names = _answer_names(groups) if is_answered else {}
    if is_answered:
        languages: Sequence[Programs] = [_with_answers(package, submissions, groups, losses)]
    else:
        languages = read_programs(package, submissions, losses)
    course = _Course(package, f"data/{assignment_id}", names)
    tests = [course.test(group) for group in groups]
    reference = next((one.reference for one in languages if one.reference), None)
    course.files |= {f"reference/{assignment_id}/{inner}": content for inner, content in (reference or {}).items()}
    keys = {
        "source": _source(package) or None,
        "limits": limits_of_a_run(package, limit, losses),
        "reference": f"python3 reference/{assignment_id}/main.py" if reference else None,
    }
    drafts: list[Draft] = []
    for programs in languages:
        own_id = f"{assignment_id}-{programs.form.suffix or programs.form.language}" if drafts else assignment_id
        draft = Draft(
            id=own_id,
            format="kattis",
            origin=f"the problem package {package.path.name}",
            title=_problem_name(package) or own_id,
            language=programs.form.language,
            required=() if is_answered else [programs.form.main],
            program=programs.form.program.split(),
            tests=tests,
            points=sum((group.points for group in groups), Fraction(0)),
            keys={**keys, **_program_keys(package, programs, course)},
            samples=_samples(package, programs, groups, losses, has_limit=limit is not None),
        )
        drafts.append(draft)
    losses += _losses(package, languages, course)
    main, *others = [replace(draft, files=course.files) for draft in drafts]
    if not is_answered:
        losses += [] if reference else [Loss(rule="no-reference")]
        specs_text = listed([f"{one.id}.yaml for {one.language}" for one in others], most=5)
        form = languages[0].form
        detail = specs_text or f"{form.language}, in a file {form.main}"
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
    parts = [
        *_named_people(problem.get("source")),
        *_named_people(problem.get("author") or as_mapping(problem.get("credits"))),
    ]
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
    form = programs.form
    optional = [form.program.removeprefix("./")] if form.produces == ("*",) else None  # it may be there already
    names = list(dict.fromkeys(course.handed_in.values()))
    folder = f"include/{form.language}"
    include = {inner: course.file(f"{folder}/{inner}", text) for inner, text in programs.include.items()}
    asked = as_mapping(package.problem.get("limits"))
    limits = {ours: f"{asked[key]} {unit}" for key, (ours, unit) in BUILD_LIMITS.items() if key in asked}
    build = {"run": programs.build, "produces": form.produces, "with": include or None, "limits": limits or None}
    given = {"files": include} if include and not form.build else {}
    return {
        "files": {"optional": names or optional},
        "build": build if form.build else None,
        "defaults": {"expect": {"exit": plain("success")}, **given},
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
    folder: str
    """`data/x`, which holds the files"""
    handed_in: Mapping[str, str]
    """the file that is handed in for an input, where no program is"""
    files: dict[str, LazyBytes] = field(default_factory=dict)
    validator: CourseProgram | None = None
    written: int = 0
    """bytes of answers in the spec so far"""

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
        runs: Sequence[tuple[Datum, int]] = [(datum, 1) for datum in group.data]
        if group.all_or_nothing:
            may_score = self.package.is_scoring and score_files(self.package)
            keys = {"all_or_nothing": True, "stop": None if len(runs) < 2 or may_score else plain("first-failure")}  # noqa: PLR2004
            runs = runs_of_repeated(group.data)
        if group.is_scored:
            keys["scoring"] = {"max": group.points, **self._scoring(group, group.flags)}
        has_letters = any(_has_letters(datum.answer) for datum in group.data)
        is_sample = group.name == "sample"
        return DraftTest(
            name=group.name,
            about="The samples of the statement" if is_sample else "Further inputs",
            points=group.points,
            needs=group.needs,
            hidden=not is_sample,
            keys=keys,
            cases=[self._case(datum, times, has_letters=has_letters) for datum, times in runs],
        )

    def _scoring(self, group: DataGroup, flags: Sequence[str]) -> dict[str, Data]:
        """Return what `scoring` says of a group: its grader with these flags, and the groups in it."""
        grader = find_grader(self.package, group.grading, self.folder)
        self.files |= grader.files
        scores = {key: group.score(f"{key}_score") for key in ("accept", "reject")}
        usual = {"accept": 1, "reject": 0}
        own = {
            **{key: plain(f"{float(score):.12g}") for key, score in scores.items() if score != usual[key]},
            "cases": len(group.data),
        }
        inner = [self._scoring(part, [flag for flag in part.flags if flag != "ignore_sample"]) for part in group.parts]
        return {
            "program": grader.program,
            "args": flags or None,
            "stop": plain("first-failure") if group.settings.get("on_reject", "break") == "break" else None,
            **({"groups": inner} if group.parts else own),
        }

    def _case(self, datum: Datum, times: int, *, has_letters: bool) -> DraftCase:
        text = self.file(f"{datum.name}.in", datum.input)
        keys: dict[str, Data] = {"args": datum.args or None, "repeat": times if times > 1 else None}
        if self.handed_in:
            keys["command"] = f"cat {self.handed_in[datum.name]}"
        judge = self.validator
        judging: dict[str, Data] = {}
        if judge:
            judging = {
                "passes": judge.passes if judge.passes > 1 else None,
                "limits": {name: plain(limit) for name, limit in judge.limits.items()} or None,
                "answer": self.file(f"{datum.name}.ans", datum.answer),
                "max_score": None if datum.max_score is None else plain(f"{float(datum.max_score):.12g}"),
            }
        is_interactive = "interactive" in self.package.interaction
        if judge and is_interactive:
            args = ["input", "answer", "feedback", *datum.flags]
            keys["interactor"] = {"program": judge.program, "args": args, "input": text, **judging}
        stdout: Data = None
        tolerate = {}
        if judge and not is_interactive:
            stdout = {"check": {"validator": judge.program, "args": datum.flags or None, **judging}}
        elif not judge and self.package.has_validator:
            stdout = self._check("validator.py", "validate", _VALIDATOR_TO_BE_WRITTEN, datum) | {
                "input": f"{datum.name}.in",
                "flags": " ".join(datum.flags) or None,
            }
        elif not judge:
            how = _validator_arguments(datum)
            stdout = self._compared(datum, how)
            tolerate = (
                {"letter-case": "100%"} if has_letters and not {"check", "case_sensitive"} & {*stdout, *how} else {}
            )
        files = {name: self.file(f"{datum.name}.files/{name}", text) for name, text in datum.files.data.items()}
        return DraftCase(
            stdin=None if is_interactive else text,
            files={} if is_interactive else files,
            tolerate=tolerate,
            expect={"stdout": stdout} if stdout else None,
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


def _has_letters(answer: LazyBytes) -> bool:
    return any(piece.upper() != piece.lower() or not piece.isascii() for piece in content_pieces(answer))


def _validator_arguments(datum: Datum) -> Mapping[str, str]:
    """Return the arguments of the default validator, name -> value; UsageError for unknown ones."""
    found: dict[str, str] = {}
    rest = list(datum.flags)
    while rest:
        word = rest.pop(0)
        if word in _SWITCHES:
            found[word] = "yes"
        elif word in _TOLERANCE_FLAGS and rest and _is_finite(rest[0]):
            found |= dict.fromkeys(_TOLERANCE_FLAGS[word], rest.pop(0))
        else:
            raise UsageError(f"data/{datum.name}: the default output validator has no argument {word!r}")
    return found


def _is_finite(word: str) -> bool:
    try:
        return 0 <= float(word) < 1e30  # noqa: PLR2004 - finite
    except ValueError:
        return False


# ---------------------------------------------------------------- answers that are handed in, and samples


def _answer_names(groups: Sequence[DataGroup]) -> Mapping[str, str]:
    """Return the file that is handed in for each input, by the name of the input: `1.out`, or `secret-1.out`."""
    short = {datum.name: datum.name.rpartition("/")[2] for group in groups for datum in group.data}
    is_unique = len({*short.values()}) == len(short)
    return {name: f"{own if is_unique else name.replace('/', '-')}.out" for name, own in short.items()}


def _with_answers(
    package: Package, every: Sequence[LabelledProgram], groups: Sequence[DataGroup], losses: list[Loss]
) -> Programs:
    """Return the submissions that are answers (`submit-answer`), under the names that are asked for.

    The format does not say what such files are called. The answers of the package itself are one more, where the
    default output validator compares with them.
    """
    names = _answer_names(groups)
    answered = [structs.replace(one, files=answers_in(one.files, names)) for one in every]
    found = [one for one in answered if one.files]
    if left := sorted(one.name for one in answered if not one.files):
        losses.append(Loss(rule="no-answers", detail=listed(left, most=5)))
    if not package.has_validator:
        known = {names[datum.name]: content_of(datum.answer) for group in groups for datum in group.data}
        results = frozenset({_ACCEPTED})
        found.append(LabelledProgram(name="accepted/package-answers", files=known, results=results))
    losses.append(Loss(rule="answers", detail=listed(list(dict.fromkeys(names.values())), most=5)))
    # `cat` writes a file, which is then compared as what a program writes.
    return Programs(form=ProgramForm(language="shell", main="", program="cat"), found=found)


def _samples(
    package: Package, programs: Programs, groups: Sequence[DataGroup], losses: list[Loss], *, has_limit: bool
) -> Mapping[str, DraftSample]:
    """Return the submissions as samples, by their names, each with what the package says that it gets.

    Without a limit of time, those that ought to run into it are left out. Adds to `losses` what is left out.
    """
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
    is_scored = any(group.is_scored for group in groups)
    if package.is_scoring and program.score is not None:
        return program.score
    if program.results == {_PARTIAL}:
        return "partial"
    if program.results == {_ACCEPTED}:
        is_custom = any(group.is_scored and group.is_custom for group in groups)
        return (
            None
            if is_custom or (package.is_scoring and score_files(package))
            else sum((group.points for group in groups), Fraction(0))
        )
    if (package.is_scoring and not is_scored) or not program.results or program.results & {_ACCEPTED, _PARTIAL}:
        return None
    return Fraction(0)
