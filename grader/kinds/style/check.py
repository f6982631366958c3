"""Probable mistakes in the requests to a style tool, and what one finds in the reference."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.pipeline import Course
from grader.core.text import count, one_line
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.style.model import StyleCheck
from grader.kinds.style.run import check_style, find_style_tool, runner_for

if TYPE_CHECKING:
    from grader.check.subject import Subject


@lint_rule("absent-tool")
def _absent_tools(subject: "Subject") -> Iterator[Flaw]:
    for path, check in _checks(subject):
        try:
            find_style_tool(check.tool)
        except HostError as error:
            yield flaw(f"{path}.run", error=error)


@lint_rule("unsteady-rules")
def _unsteady_rules(subject: "Subject") -> Iterator[Flaw]:
    for path, check in _checks(subject):
        chosen = [option for option in check.options if option not in (*(check.tool.alone or ()), *check.tool.deaf)]
        if check.tool.config and not chosen:
            yield flaw(path, tool=check.tool.name)


def _checks(subject: "Subject") -> Iterator[tuple[str, StyleCheck]]:
    for path, test in subject.tests():
        if check := StyleCheck.of(test.cases[0]):
            yield f"{path}.style", check


def look_at_reference(course: Course, folder: Path) -> Iterator[str]:
    """Yield, in sentences, what each tool finds in the files with its endings that the reference's command names."""
    files = {} if isinstance(course.reference, HostError) else course.reference
    named = files if course.spec.reference_work else [name for name in files if name in (course.spec.reference or ())]
    for name in named:
        (folder / PurePosixPath(name).name).write_bytes(files[name])
    for test in course.spec.tests:
        check = StyleCheck.of(test.cases[0])
        if check and check.tool.endings:
            try:
                facts = check_style(replace(check, files=()), folder, (), runner_for(course, check.tool))
            except HostError as error:
                yield f"{test.name}: the reference cannot be looked at: {error}"
                continue
            if facts.total:
                first = facts.spots[0]
                summary = f"{count(facts.total, 'finding')} in the reference, as in {first.file}:{first.line}"
                yield one_line(f"{test.name}: {check.tool.name} has {summary}: {first.rule} {first.what}")
