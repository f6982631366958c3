"""The samples of an assignment as submissions of a Kattis package, in the folders of the verdicts that they get there.

Each is run here in the cases that the package has, and its output is judged by the package's own comparison.
"""

import re
from collections import Counter
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
_ACCEPTED = "accepted"
_FOLDERS = {"AC": _ACCEPTED, "RTE": "run_time_error", "TLE": "time_limit_exceeded", "WA": "wrong_answer"}
_WORST = ("RTE", "MLE", "TLE", "OLE", "WA", "AC")
"""the verdicts, in the order in which problemtools' grader lets one stand for several"""
_NOT_BUILT = "it is not built; the format has no folder for that"
_NOT_STARTED = "it cannot be started here, and a judge may find what to start by itself; correct it, or take it out"
_OF_LIMITS = {"memory": "MLE", "output": "OLE"}

JUDGED_LANGUAGES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "python": (2, (".py",)),
    "java": (2, (".java",)),
    "c": (1, (".c", ".h")),
    "cpp": (1, (".cpp", ".cc", ".cxx", ".hpp", ".h")),
    "javascript": (2, (".js",)),
    "ruby": (2, (".rb",)),
    "go": (1, (".go",)),
    "rust": (1, (".rs",)),
    "haskell": (1, (".hs",)),
}
"""a language that judges know -> the words of the command that starts a program, and how its files end"""
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
    words, _ = JUDGED_LANGUAGES.get(spec.language, (0, ()))
    if not words:
        raise UsageError(
            f"{spec.id}: judges of Kattis packages start no {spec.language}; they know {', '.join(JUDGED_LANGUAGES)}"
        )
    if len(spec.program) != words:
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
        if not (files := _reference_files(spec)):
            command = "put one into submissions/accepted, from which judges take the time limit"
            notes.append(f"No accepted submission: {command}.")
        else:
            most = sum((test.points for test in tests), Fraction(0))
            found.append(KattisSubmission(folder=_ACCEPTED, name="reference", files=files, score=most))
    return found


def _label(
    course: Course, tests: Sequence[KattisTest], sample: Submission, notes: list[str], *, passes: bool
) -> KattisSubmission | str:
    """Return a sample with its folder, or why it is left out."""
    if not ALLOWED_NAME.fullmatch(sample.id):
        return "its name is none that the format has; use letters, digits and _ . -"
    files = _sources(course.spec, sample)
    if isinstance(files, str):
        return files
    ids = [case.id for test in course.spec.tests for case in test.cases]
    judgement = assess(
        Job(spec=course.spec.root / f"specs/{course.spec.id}.yaml", submission=sample), course, whole=ids
    )
    results = {case.id: case for test in judgement.tests for case in test.cases}
    if not judgement.build.ok or any(_cannot_start(course, case) for case in results.values()):
        return _NOT_STARTED if judgement.build.ok else _NOT_BUILT
    verdicts = {
        one.case.id: _verdict_there(one, results[one.case.id], sample, notes) for test in tests for one in test.cases
    }
    if ungraded := next((name for name, verdict in verdicts.items() if not verdict), ""):
        return f"{ungraded} is ungraded: {results[ungraded].message.text}"
    folder, score = _outcome_there(tests, verdicts, passes=passes)
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
            notes.append(f"Differs: {one.case.id} of {sample.id} is {here} here, and not there: {result.message.text}")
    return "AC" if is_right else "WA"


def _outcome_there(tests: Sequence[KattisTest], verdicts: Mapping[str, str], *, passes: bool) -> tuple[str, Fraction]:
    """Return the folder and the points: a test is accepted if any of its cases is, and all of them are added up."""
    if passes:
        first = next((verdict for verdict in verdicts.values() if verdict != "AC"), "AC")
        return _FOLDERS.get(first, ""), Fraction(first == "AC")
    score, failed = Fraction(0), list[str]()
    for test in (one for one in tests if one.points):  # the others are samples alone
        weights = {one.case.id: one.case.weight for one in test.cases}
        wrong = [name for name in weights if verdicts[name] != "AC"]
        lost = sum((weights[name] for name in wrong), Fraction(0)) / sum(weights.values())
        if test.test.all_or_nothing:
            wrong, lost = wrong[:1], Fraction(bool(wrong))
        score += test.points * (1 - lost)
        failed += [verdicts[name] for name in wrong]
    if score:
        is_full = score == sum((test.points for test in tests), Fraction(0))
        return _ACCEPTED if is_full else "partially_accepted", score
    return _FOLDERS.get(min(failed, key=_WORST.index, default="AC"), ""), score


# ---------------------------------------------------------------- files


def _sources(spec: Spec, sample: Submission) -> Mapping[str, bytes] | str:
    """Return the sources of a sample, or why judges cannot start it."""
    try:
        files = read_submission(sample.path).files
    except Refused as refused:
        return refused.fact
    _, endings = JUDGED_LANGUAGES[spec.language]
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


def list_submissions(found: Sequence[KattisSubmission]) -> str:
    """Say how many submissions there are in each folder."""
    folders = Counter(one.folder.replace("_", " ") for one in found)
    return listed([f"{number} {folder}" for folder, number in folders.items()])
