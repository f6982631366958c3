"""The samples of an assignment as submissions of a Kattis package, in the folders of the verdicts that they get there.

Each is run here in the cases that the package has, and its output is judged by the package's own comparison.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.staging import read_submission
from grader.core.build.tree import Refused
from grader.core.course import Course
from grader.core.errors import UsageError
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CaseResult, Job, Verdict
from grader.core.model.spec import Spec
from grader.core.model.submission import Submission
from grader.core.oracle.reference import reference_files
from grader.core.pipeline import assess
from grader.core.text import listed, one_line
from grader.exports.kattis_programs.output_validator import explain_mistake
from grader.exports.kattis_tests import CHECKED, KattisCase, KattisTest

ALLOWED_NAME = lazy_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}")
"""a name that the format allows"""
_ACCEPTED, _PARTLY = "accepted", "partially_accepted"
_FOLDERS = {"RTE": "run_time_error", "TLE": "time_limit_exceeded", "WA": "wrong_answer"}
_WORST = ("RTE", "MLE", "TLE", "OLE", "WA", "AC")
"""the verdicts, in the order in which problemtools' grader lets one stand for several"""
_NOT_BUILT = "it is not built; the format has no folder for that"
_NOT_STARTED = "it cannot be started here, and a judge may find what to start by itself; correct it, or take it out"
_OF_LIMITS = {"memory": "MLE", "output": "OLE"}


class JudgedLanguage(Struct, frozen=True, kw_only=True):
    """How judges start the programs of a language."""

    endings: tuple[str, ...]
    words: int = 1
    """of the command that starts one, which has no arguments then"""


JUDGED_LANGUAGES: Mapping[str, JudgedLanguage] = {
    "python": JudgedLanguage(endings=(".py",), words=2),
    "java": JudgedLanguage(endings=(".java",), words=2),
    "c": JudgedLanguage(endings=(".c", ".h")),
    "cpp": JudgedLanguage(endings=(".cpp", ".cc", ".cxx", ".hpp", ".h")),
    "javascript": JudgedLanguage(endings=(".js",), words=2),
    "ruby": JudgedLanguage(endings=(".rb",), words=2),
    "go": JudgedLanguage(endings=(".go",)),
    "rust": JudgedLanguage(endings=(".rs",)),
    "haskell": JudgedLanguage(endings=(".hs",)),
}
"""the languages that judges and grader both know"""
_STARTER = """\
# Starts the program of the assignment, whose name judges do not know.
import runpy

runpy.run_path({name!r}, run_name="__main__")
"""


class KattisSubmission(Struct, frozen=True, kw_only=True):
    """A program with what it gets."""

    folder: str
    name: str
    files: Mapping[str, bytes]
    score: Fraction


def check_program(spec: Spec) -> None:
    """Raise UsageError when a judge cannot start the programs of an assignment."""
    form = JUDGED_LANGUAGES.get(spec.language)
    if form is None:
        raise UsageError(
            f"{spec.id}: judges of Kattis packages start no {spec.language}; they know {', '.join(JUDGED_LANGUAGES)}"
        )
    if len(spec.program) != form.words:
        shown = " ".join(spec.program)
        raise UsageError(
            f"{spec.id}: a program is started as `{one_line(shown)}`, and a judge of Kattis packages gives it neither "
            "arguments nor options: let it read standard input"
        )


def make_submissions(
    course: Course, tests: Sequence[KattisTest], samples: Sequence[Submission], notes: list[str], *, passes: bool
) -> Sequence[KattisSubmission]:
    """Run the samples, and label them; `passes`: in a package without points, where all tests have to pass."""
    spec = replace(course.spec, tests=tuple(test.spec_test for test in tests))
    found: list[KattisSubmission] = []
    for sample in samples:
        labelled = _label(replace(course, spec=spec), tests, sample, notes, passes=passes)
        if isinstance(labelled, str):
            notes.append(f"Left out: sample {one_line(sample.id)}: {labelled}")
        else:
            found.append(labelled)
    if not any(one.folder == _ACCEPTED for one in found):
        found += _reference_alone(spec, tests, notes)
    return found


def _label(
    course: Course, tests: Sequence[KattisTest], sample: Submission, notes: list[str], *, passes: bool
) -> KattisSubmission | str:
    """Return a sample with its folder, or why it is left out."""
    if not ALLOWED_NAME.fullmatch(sample.id):
        return "its name is none that the format has; use letters, digits and _ . -"
    files = _files_of(course.spec, sample)
    if isinstance(files, str):
        return files
    ids = [case.id for test in course.spec.tests for case in test.cases]
    job = Job(spec=course.spec.root / f"specs/{course.spec.id}.yaml", submission=sample)
    judgement = assess(job, course, whole=ids)
    results = {case.id: case for test in judgement.tests for case in test.cases}
    if not judgement.build.ok or any(_cannot_start(course, case) for case in results.values()):
        return _NOT_STARTED if judgement.build.ok else _NOT_BUILT
    verdicts: list[list[str]] = []
    for test in tests:
        own: list[str] = []
        for one in test.cases:
            verdict = _verdict_there(one, results[one.case.id], sample, notes)
            if not verdict:
                return f"{one.case.id} is ungraded: {results[one.case.id].message}"
            own.append(verdict)
        verdicts.append(own)
    folder, score = (_passing if passes else _scoring)(tests, verdicts)
    if not folder:
        return "it runs out of memory or writes too much, which judges call by other names"
    return KattisSubmission(folder=folder, name=sample.id, files=files, score=score)


def _cannot_start(course: Course, result: CaseResult) -> bool:
    """Whether there was nothing to start, such as no class of the name that the assignment asks for."""
    execution = result.whole
    if execution is None or execution.status in (0, None):
        return False
    return any(re.search(pattern.encode(), execution.stderr) for pattern in course.toolchain.cannot_start)


def _verdict_there(one: KattisCase, result: CaseResult, sample: Submission, notes: list[str]) -> str:
    """Return the verdict that a case has in the package; empty where it is unknown."""
    execution = result.whole
    if result.verdict == Verdict.UNGRADED or execution is None:
        return ""
    if execution.limit:
        return _OF_LIMITS.get(execution.limit, "TLE")
    if execution.status != 0:
        return "RTE"
    is_right = result.is_right
    if one.flags[0] != CHECKED:
        is_right = not explain_mistake(one.flags, execution.stdout, one.answer, one.case.stdin)
        if is_right != result.is_right:
            here = "right" if result.is_right else "wrong"
            notes.append(f"Differs: {one.case.id} of {sample.id} is {here} here, and not there: {result.message}")
    return "AC" if is_right else "WA"


def _passing(_tests: Sequence[KattisTest], verdicts: Sequence[Sequence[str]]) -> tuple[str, Fraction]:
    first = next((verdict for own in verdicts for verdict in own if verdict != "AC"), "AC")
    return (_ACCEPTED if first == "AC" else _FOLDERS.get(first, "")), Fraction(first == "AC")


def _scoring(tests: Sequence[KattisTest], verdicts: Sequence[Sequence[str]]) -> tuple[str, Fraction]:
    """Return the folder and the points: a test is accepted if any of its cases is, and all of them are added up."""
    score, worst = Fraction(0), "AC"
    for test, own in zip(tests, verdicts, strict=True):
        if not test.points:
            continue  # it is a sample alone
        failed = [verdict for verdict in own if verdict != "AC"]
        if test.test.all_or_nothing:
            failed = failed[:1]
            share = Fraction(not failed)
        else:
            weights = [one.case.weight for one in test.cases]
            right = (weight for weight, verdict in zip(weights, own, strict=True) if verdict == "AC")
            share = sum(right, Fraction(0)) / sum(weights)
        score += test.points * share
        worst = min([worst, *failed], key=_WORST.index)
    most = sum((test.points for test in tests), Fraction(0))
    if score:
        return (_ACCEPTED if score == most else _PARTLY), score
    return _FOLDERS.get(worst, ""), score


# ---------------------------------------------------------------- files


def _files_of(spec: Spec, sample: Submission) -> Mapping[str, bytes] | str:
    """Return the sources of a sample, or why judges cannot start it."""
    try:
        tree = read_submission(sample.path)
    except Refused as refused:
        return refused.fact
    return _sources(spec, {name: file.content for name, file in tree.files.items()})


def _sources(spec: Spec, files: Mapping[str, bytes]) -> Mapping[str, bytes] | str:
    endings = JUDGED_LANGUAGES[spec.language].endings
    own = {name: text for name, text in files.items() if name.endswith(endings)}
    if not own:
        return f"it has no file that ends with {' or '.join(endings)}"
    if wrong := [name for name in own if not all(map(ALLOWED_NAME.fullmatch, name.split("/")))]:
        return f"the format has no such names as {one_line(wrong[0])}"
    if spec.build and spec.build.files:
        own |= {name: text for name, text in spec.build.files.items() if name.endswith(endings)}
    if spec.language == "python" and len(own) > 1 and "main.py" not in own:
        own["main.py"] = _STARTER.format(name=spec.program[-1]).encode()
    return own


def _reference_alone(spec: Spec, tests: Sequence[KattisTest], notes: list[str]) -> Sequence[KattisSubmission]:
    """Return the reference as a submission, where it is a program in Python that is started without arguments."""
    command = spec.reference or ()
    if len(command) != 2 or not command[1].endswith(".py"):  # noqa: PLR2004 - python3 and a file
        notes.append(
            "No accepted submission: put one into submissions/accepted, from which judges take the time limit."
        )
        return ()
    folder = PurePosixPath(command[1]).parent
    files = {
        PurePosixPath(name).relative_to(folder).as_posix(): text
        for name, text in reference_files(spec).items()
        if name.endswith(".py") and PurePosixPath(name).is_relative_to(folder)
    }
    if len(files) > 1 and "main.py" not in files:
        files["main.py"] = _STARTER.format(name=PurePosixPath(command[1]).name).encode()
    most = sum((test.points for test in tests), Fraction(0))
    return [KattisSubmission(folder=_ACCEPTED, name="reference", files=files, score=most)]


def list_submissions(found: Sequence[KattisSubmission]) -> str:
    """Say how many submissions there are in each folder."""
    folders = dict.fromkeys(one.folder for one in found)
    return listed([f"{sum(one.folder == folder for one in found)} {folder.replace('_', ' ')}" for folder in folders])
