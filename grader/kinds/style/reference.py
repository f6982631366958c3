"""The findings of a style tool in the reference."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.pipeline import Course
from grader.core.text import count, one_line
from grader.kinds.style.model import style_check_of
from grader.kinds.style.tool import check_style, runner_for


def look_at_style(course: Course, folder: Path) -> Iterator[str]:
    """Yield, in sentences, what each tool finds in those files of the reference that its command names.

    Files are taken by their endings: they have not the names that students are asked for.
    """
    files = {} if isinstance(course.reference, HostError) else course.reference
    work = course.spec.reference_work
    named = files if work else [name for name in files if name in (course.spec.reference or ())]
    for name in named:
        (folder / PurePosixPath(name).name).write_bytes(files[name])
    for test in course.spec.tests:
        check = style_check_of(test.cases[0])
        if check and check.tool.endings:
            try:
                any_name = replace(check, files=())
                found = check_style(any_name, folder, (), runner_for(course, check.tool))
            except HostError as error:
                yield f"{test.name}: the reference cannot be looked at: {error}"
                continue
            if found.total:
                first = found.spots[0]
                summary = f"{count(found.total, 'finding')} in the reference, as in {first.file}:{first.line}"
                yield one_line(f"{test.name}: {check.tool.name} has {summary}: {first.rule} {first.what}")
