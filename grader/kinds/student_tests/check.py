"""Probable mistakes in the programs with which the tests of students are run."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.model.layout import FileRules, Submission
from grader.core.model.report import Job, TestResult
from grader.core.model.spec import Test
from grader.core.pipeline import Course, bench
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.student_tests.model import TestedProgram

if TYPE_CHECKING:
    from grader.check.subject import Subject


@lint_rule("wrong-program")
def _programs_judged_otherwise(subject: "Subject") -> Iterator[Flaw]:
    others = [test for test in subject.spec.tests if TestedProgram.of(test.cases[0]) is None and not test.bonus]
    if not subject.course or not any(test.points for test in others):
        return
    for path, label, files in _programs(subject):
        try:
            results = _grade(files, others, subject.course)
        except GraderError as error:  # other rules report faults of this machine
            subject.faults.append(error)
            continue
        lost = [result for result in results if result.score != result.test.points]
        if any(result.score is None for result in results):
            subject.faults.append(HostError("ungraded"))
        elif lost and not label:
            why = next((case.message.text for case in lost[0].cases if case.message.text), "")
            yield flaw(f"{path}.student-tests.right", "right", test=lost[0].test.name, why=why)
        elif label and not lost:
            yield flaw(f"{path}.student-tests.wrong", "wrong", program=label)


def _programs(subject: "Subject") -> Iterator[tuple[str, str, Mapping[str, bytes]]]:
    """Yield the files of each program, with its test's path, and its name, which is empty for a right one."""
    for path, test in subject.tests():
        for program in filter(None, map(TestedProgram.of, test.cases)):
            right = program.suite.right
            for files in [{**right[0], **program.files}] if program.name else right:
                yield path, program.name, files


def _grade(files: Mapping[str, bytes], tests: list[Test], course: Course) -> list[TestResult]:
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        for name, content in files.items():
            path = Path(folder, "program", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        spec = replace(course.spec, files=FileRules(), tests=tuple(tests))  # a program has no tests, which are required
        job = Job(spec=spec.root, submission=Submission(id="program", path=Path(folder, "program")))
        with bench(job, replace(course, spec=spec)) as ready:
            return ready.grade_tests()
