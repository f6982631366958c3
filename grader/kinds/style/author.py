"""Style tools in a handout: what they look at, and what that costs."""

import shlex
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from grader.core.model.spec import Case, Spec
from grader.core.report.document import code
from grader.core.text import count, count_points, joined
from grader.kinds.style.model import StyleCheck


def describe_cases(cases: Sequence[Case], spec: Spec) -> Iterator[str]:
    """Describe what a tool looks at, what its findings cost, and how one runs it oneself, as lines of Markdown."""
    check = StyleCheck.required(cases[0])
    known = [name for file in spec.files.required for name in file.names]
    files = [name for name in known if any(fnmatchcase(name, pattern) for pattern in check.asked)] or list(check.asked)
    yield f"{code(check.tool.name)} looks at {joined(list(map(code, files)))}. {_describe_price(check)}"
    if check.config:
        yield f"Its rules are in {joined(list(map(code, check.config)))}."
    if not check.heeds_comments and (check.tool.deaf or check.tool.silencers):
        yield "Comments that turn it off count for nothing."
    command = shlex.join((*check.tool.command, *check.options))
    yield from ("", "To see what it finds, in the folder of the work:", "", f"    {command} {' '.join(files)}")


def _describe_price(check: StyleCheck) -> str:
    free = f"{count(check.free, 'finding')} {'costs' if check.free == 1 else 'cost'} nothing" if check.free else ""
    if check.costs is None:
        return f"{free}, more cost all points." if free else "It must find nothing."
    subject = f"{free}, each further one" if free else "Each finding"
    most = "" if check.at_most is None else f", all together {count_points(check.at_most)} at most"
    return f"{subject} costs {count_points(check.costs)}{most}."
