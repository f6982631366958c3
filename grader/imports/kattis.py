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
from pathlib import Path
from typing import Any

from grader.core.model.layout import LazyBytes, Submission, content_of, size_of
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import assess, prepare
from grader.core.reader.files import read_data
from grader.core.text import count, listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, default_validator, identifier, write_assignment
from grader.imports import kattis_package as packages
from grader.imports.draft import Data, Draft, DraftCase, DraftSample, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import as_mapping
from grader.imports.kattis_package import DEFAULT_OPTIONS, KattisOptions, Package
from grader.imports.kattis_programs import (
    REJECTED,
    DataGroup,
    Datum,
    LabelledProgram,
    Programs,
    read_groups,
    read_labelled,
    read_programs,
)
from grader.imports.writer import LOSSES, to_imported

_ACCEPTED, _PARTIAL, _SLOW = "accepted", "partially accepted", "time limit exceeded"


def import_kattis(path: Path, name: str | None = None, options: KattisOptions = DEFAULT_OPTIONS) -> Imported:
    """Convert a problem package; UsageError for what no spec can express, SpecError for YAML with mistakes."""
    package = packages.read_package(path, options)
    assignment_id = identifier(name, package.path.name)
    limit = _stated_time_limit(package)
    if limit is None and options.measure:
        limit = _measure_time_limit(package, to_imported(_read(package, assignment_id, (60, ""))))
    return to_imported(_read(package, assignment_id, limit))


def _read(package: Package, assignment_id: str, limit: "_TimeLimit | None") -> Draft:
    losses: list[Loss] = []
    submissions = read_labelled(package, losses)
    groups = read_groups(package, submissions, losses)
    if "submit-answer" in packages.as_words(package.problem.get("type")) or package.below("include/"):
        raise package.error("problems of the type submit-answer, and those with files in include/, are not read")
    languages, course = read_programs(submissions, losses), _Course(package, f"data/{assignment_id}")
    tests = [course.test(group) for group in groups]
    python = [program for language in languages if language.form.language == "python" for program in language.found]
    reference = next((program.files for program in python if program.results == {_ACCEPTED}), {})  # run without a build
    course.files |= {f"reference/{assignment_id}/{inner}": content for inner, content in reference.items()}
    keys = {
        "source": _source(package) or None,
        "limits": _limits(package, limit, losses),
        "reference": f"python3 reference/{assignment_id}/main.py" if reference else None,
    }
    main, *others = [
        Draft(
            id=f"{assignment_id}-{language.form.language}" if number else assignment_id,
            format="kattis",
            origin=f"the problem package {package.path.name}",
            title=_problem_name(package),
            language=language.form.language,
            required=[language.form.main],
            program=language.form.program.split(),
            tests=tests,
            points=sum((group.points for group in groups), Fraction(0)),
            keys={
                **keys,
                "build": {"run": language.build, "produces": language.form.produces} if language.form.build else None,
            },
            samples=_samples(package, language, groups, losses, has_limit=limit is not None),
            files=course.files,
        )
        for number, language in enumerate(languages)
    ]
    losses += [*_losses(package, languages), *([] if reference else [Loss(rule="no-reference")])]
    specs = [f"{draft.id}.yaml for {draft.language}, in {draft.required[0]}" for draft in (main, *others)]
    losses.append(Loss(rule="languages", detail=listed(specs, most=5)))
    return replace(main, others=others, losses=losses)


def _problem_name(package: Package) -> str:
    """Return the problem's name, in English if possible; it may come from a LaTeX statement."""
    names = package.problem.get("name")
    if isinstance(names, dict):
        names = names.get("en") or next(iter(names.values()), "")
    texts = (package.files[path] for path in sorted(package.files) if path.endswith(".tex"))
    titles = (re.search(rb"\\problemname\{([^{}\\$]+)\}", text) for text in texts)
    return str(names or next((title[1].decode(errors="replace").strip() for title in titles if title), ""))


def _source(package: Package) -> str:
    """Return whom and what the problem is from, and its license."""
    stated = [package.problem.get(key) for key in ("source", "author", "credits", "license", "rights_owner")]
    return ", ".join(text for text in _texts_in(stated) if text != "unknown")


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part)
    elif value:
        yield str(value)


def _losses(package: Package, languages: Sequence[Programs]) -> list[Loss]:
    """Return the parts of the package that are not in the spec."""
    names, stated = [f"/{name}" for name in package.files], package.problem.get("languages", "all")
    return losses_where(
        {
            **{rule: any(fnmatch(name, rule) for name in names) for rule in LOSSES["kattis"] if rule.startswith("/")},
            "links": ", ".join(sorted(package.links)[:5]),
            "odd-names": listed(list(map(one_line, package.odd_names)), most=5),
            "these-languages": ", ".join(packages.as_words(stated)) if stated != "all" else "",
            "constants": bool(package.problem.get("constants")),
            "compiler": any(programs.form.build for programs in languages),
        }
    )


# ---------------------------------------------------------------- tests: what goes in, and what must come out

_PASSES = 2  # where the package does not say how many there may be
# of an answer that is written into the spec, and of all those together
_MAX_SHORT_BYTES, _MAX_ALL_SHORT_BYTES = 2_000, 256 * 2**10
_SWITCHES = {"case_sensitive", "space_change_sensitive"}
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d\d?)?"
# of the default output validator, where it compares words
_FLAGS = re.compile(rf"(?:(?:case_sensitive|float(?:_relative|_absolute)?_tolerance {_NUMBER}) ?)*", re.ASCII)


@dataclass(slots=True)
class _Course:
    """The tests and the files of the course, while they are made of a package."""

    package: Package
    folder: str  # `data/x`, which holds the files
    files: dict[str, LazyBytes] = field(default_factory=dict)
    validator: str = ""  # its path
    written: int = 0  # bytes of answers in the spec so far

    def __post_init__(self) -> None:
        package = self.package
        if not package.has_validator and not package.interaction:
            return
        if program := packages.find_program(package, packages.VALIDATORS, f"{self.folder}/validator"):
            self.validator, files = program
            self.files |= files
        elif package.interaction:
            raise package.error(f"it is {package.interaction}, and its validator {packages.NO_PROGRAM}")

    @property
    def passes(self) -> int | None:
        """How many passes a validator may ask for, where that is more than one."""
        stated = packages.as_number(as_mapping(self.package.problem.get("limits")).get("validation_passes"))
        return int(stated or _PASSES) if "multi-pass" in self.package.interaction else None

    def file(self, name: str, content: LazyBytes) -> dict[str, Data]:
        """Add a file; return how the spec says its text."""
        self.files[f"{self.folder}/{name}"] = content
        return {"file": f"{self.folder}/{name}"}

    def test(self, group: DataGroup) -> DraftTest:
        """Return the test that a group of inputs becomes."""
        is_sample, is_whole = group.name == "sample", group.all_or_nothing
        keys: dict[str, Data] = {
            "all_or_nothing": is_whole or None,
            "stop": plain("first-failure") if is_whole and len(group.data) > 1 else None,
            "scoring": {"max": group.points, **self._scoring(group)} if group.is_scored else None,
        }
        return DraftTest(
            name=group.name,
            about="The samples of the statement" if is_sample else "Further inputs",
            points=group.points,
            needs=group.needs,
            hidden=not is_sample,
            keys=keys,
            cases=list(map(self._case, group.data)),
        )

    def _scoring(self, group: DataGroup, *, is_inner: bool = False) -> dict[str, Data]:
        """Return what `scoring` says of a group: its grader, and the groups in it."""
        # `ignore_sample` is of the outermost group alone; what another grader does is unknown.
        ignored = "ignore_sample" if is_inner and group.grading != "custom" else ""
        program, files = packages.find_grader(self.package, group.grading, self.folder)
        self.files |= files
        accept, reject = (group.score(f"{key}_score") for key in ("accept", "reject"))
        own = {"accept": None if accept == 1 else accept, "reject": reject or None, "cases": len(group.data)}
        return {
            "program": program,
            "args": [flag for flag in group.flags if flag != ignored] or None,
            "stop": plain("first-failure") if group.settings.get("on_reject", "break") == "break" else None,
            **({"groups": [self._scoring(part, is_inner=True) for part in group.parts]} if group.parts else own),
        }

    def _case(self, datum: Datum) -> DraftCase:
        text, judge = self.file(f"{datum.name}.in", datum.input), self.validator
        is_interactive = "interactive" in self.package.interaction
        keys: dict[str, Data] = {"args": datum.args or None}
        stdout: Data = None
        tolerate = {}
        if judge:
            answer = self.file(f"{datum.name}.ans", datum.answer)
            judging: dict[str, Data] = {"passes": self.passes, "answer": answer, "max_score": datum.max_score}
            if is_interactive:
                args = ["input", "answer", "feedback", *datum.flags]
                keys["interactor"] = {"program": judge, "args": args, "input": text, **judging}
            else:
                stdout = {"check": {"validator": judge, "args": datum.flags or None, **judging}}
        elif self.package.has_validator:
            self.file(f"{datum.name}.ans", datum.answer)
            reason = f"it {packages.NO_PROGRAM}; the answers are beside the inputs"
            stdout = OpenCheck(name="output validator", reason=reason)
        else:
            stdout = compared = self._compared(datum)
            tolerate = {} if "check" in compared or "case_sensitive" in datum.flags else {"letter-case": "100%"}
        files = {name: self.file(f"{datum.name}.files/{name}", text) for name, text in datum.files.data.items()}
        return DraftCase(
            stdin=None if is_interactive else text,
            files={} if is_interactive else files,
            tolerate=tolerate,
            expect={"stdout": stdout, "exit": plain("success")},
            keys=keys,
        )

    def _compared(self, datum: Datum) -> dict[str, Data]:
        """Return a short answer as a text or words, a longer one as a check by a copy of the default validator."""
        size, flags = size_of(datum.answer), {*datum.flags}
        is_exact = "space_change_sensitive" in flags
        if not (flags <= _SWITCHES if is_exact else _FLAGS.fullmatch(" ".join(datum.flags))):
            problem = f"the default output validator has no arguments {' '.join(datum.flags)!r}, or they are not read"
            raise self.package.error(f"data/{datum.name}: {problem}")
        if size <= _MAX_SHORT_BYTES and self.written + size <= _MAX_ALL_SHORT_BYTES and flags <= _SWITCHES:
            text = content_of(datum.answer).decode(errors="surrogateescape")
            if text.replace("\n", "").isprintable():  # a byte that is no UTF-8 is not
                self.written += size
                return {"text" if is_exact else "tokens": text}
        answer = self.file(f"{datum.name}.ans", datum.answer)
        if is_exact:
            return answer
        self.file("default_validator.py", Path(default_validator.__file__).read_bytes())
        check = f"{self.folder}/default_validator.py:compare"
        return {"check": check, "answer": f"{datum.name}.ans", "flags": " ".join(datum.flags) or None}


# ---------------------------------------------------------------- samples


def _samples(
    package: Package, programs: Programs, groups: Sequence[DataGroup], losses: list[Loss], *, has_limit: bool
) -> Mapping[str, DraftSample]:
    """Return the submissions as samples; those that ought to run into a limit of time only where there is one."""
    samples: dict[str, DraftSample] = {}
    unscored: list[str] = []
    for program in programs.found:
        score = _stated_score(program, package, groups)
        is_slow = _SLOW in program.results and program.results != REJECTED
        if score is None or (is_slow and not has_limit):
            unscored.append(program.name)
            continue
        folder, _, own = program.name.partition("/")
        sample = f"{folder}-{own.rpartition('.')[0] or own}".replace("_", "-")
        while sample in samples:  # as for `a.py` and `a.py3`
            sample += "-2"
        description = "rejected" if program.results == REJECTED else " or ".join(sorted(program.results)) or "judged"
        samples[sample] = DraftSample(files=program.files, score=score, about=f"{description} in the package")
    if unscored:
        losses.append(Loss(rule="no-score", detail=listed(unscored, most=5)))
    return samples


def _stated_score(program: LabelledProgram, package: Package, groups: Sequence[DataGroup]) -> Fraction | str | None:
    """Return the score of a submission as a sample; None when it is unknown."""
    if package.is_scoring and program.score is not None:
        return program.score
    scored = [group for group in groups if group.is_scored]
    if program.results == {_ACCEPTED}:
        is_unknown = any(group.is_custom or any(datum.max_score for datum in group.data) for group in scored)
        return None if is_unknown else sum((group.points for group in groups), Fraction(0))
    if program.results == {_PARTIAL}:
        return "partial"
    is_rejected = program.results and not program.results & {_ACCEPTED, _PARTIAL}
    return Fraction(0) if is_rejected and (scored or not package.is_scoring) else None


# ---------------------------------------------------------------- limits

# A limit of time that the package does not have is derived from its accepted programs. The rule is problemtools': the
# processor time of the slowest accepted program on any input, times a multiplier, rounded up to the resolution. The
# multiplier is 2 in the format, and was 5 in the older form.
# the format's default; what is added to twice the processor time, for programs that wait; a longer limit is none
_MEMORY_MIB, _EXTRA_SECONDS, _MAX_SECONDS = 2048, 5, 10**6
_LIMITS = {"memory", "output", "validation_passes"}
_TIMES = {"time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution"}


_TimeLimit = tuple[float, str]  # of the processor, and how they were measured, unless the package says them


def _stated_time_limit(package: Package) -> _TimeLimit | None:
    """Return the limit of processor time, if the package has one."""
    alone = package.files.get(".timelimit", b"").decode(errors="replace").strip()
    stated = as_mapping(package.problem.get("limits")).get("time_limit")
    known = map(packages.as_number, (stated, package.of_judge.get("timelimit"), alone))
    return next(((float(limit), "") for limit in known if limit and limit < _MAX_SECONDS), None)


def _limits(package: Package, limit: _TimeLimit | None, losses: list[Loss]) -> dict[str, Data]:
    """Return `limits`; adds to `losses` what has no counterpart, and where a measured limit comes from."""
    limits = as_mapping(package.problem.get("limits"))
    seconds, origin = limit or (0.0, "")
    if origin or not limit:
        losses.append(Loss(rule="measured" if limit else "no-time-limit", detail=origin))
    if others := [key for key in limits if key not in _LIMITS | _TIMES]:
        losses.append(Loss(rule="limits", detail=", ".join(map(str, others))))
    # Judges measure processor time, which a busy machine does not change; who sleeps is stopped later.
    times = {"cpu": seconds, "time": 2 * seconds + _EXTRA_SECONDS} if limit else {}
    output = f"{limits['output']} MiB" if "output" in limits else None
    return {**times, "memory": f"{limits.get('memory', _MEMORY_MIB)} MiB", "output": output}


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
    multiplier = float(packages.as_number(stated) or (5 if package.is_legacy else 2))
    resolution = float(packages.as_number(limits.get("time_resolution", 1)) or 1)
    seconds = max(1, math.ceil(round(slowest * multiplier / resolution, 6))) * resolution
    origin = (
        f"{seconds:g} s, measured on this machine: of {count(len(measured), 'accepted program')} the slowest, "
        f"{program}, took {slowest:.2f} s, times {multiplier:g}, rounded up to {resolution:g} s"
    )
    return seconds, origin


def _measure(root: Path, trial: Imported, package: Package) -> Iterator[tuple[float, str]]:
    """Yield the most processor time, in seconds, that each accepted program takes for an input, and its name."""
    for spec_id in trial.specs:
        path, samples = root / f"specs/{spec_id}.yaml", root / f"sample_submissions/{spec_id}"
        stated = read_data(samples / "expected.yaml") if samples.exists() else {}
        for name in [name for name, sample in stated.items() if sample["about"] == "accepted in the package"]:
            judgement = assess(Job(spec=path, submission=Submission(id=name, path=samples / name)), prepare(path))
            if judgement.verdict != Verdict.PASSED:
                messages = (case.message.text for test in judgement.tests for case in test.cases)
                why = next(filter(None, messages), judgement.build.message) or judgement.verdict
                problem = f"the accepted program {name} ({spec_id}) is not accepted here"
                raise package.error(f"no time limit can be measured: {problem}: {why}")
            times = [case.run.cpu for test in judgement.tests for case in test.cases if case.run]
            yield max(times, default=0.0), f"{name} ({spec_id})"
