"""A tool over the source of a submission: in the sandbox, on a copy, by the rules of the course alone.

It sees the files that are asked for and the course's own, so nothing by which a student would configure it. Where it
has no option against comments that turn it off, its copy has other letters in them. A tool that fails is ours.
"""

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import count as counting
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.find_tool import locate_tool
from grader.core.model import Artifact, Examined, Execution, Launch, Limits, Runner, Spec, Spot, Test
from grader.core.text import limit_sentence, one_line, size
from grader.kinds.sources import describe_too_much, read_sources
from grader.kinds.style.model import StyleCheck, StyleTool, style_check_of

if TYPE_CHECKING:
    from grader.core.course import Course

_SYSTEM = "/usr/local/bin:/usr/bin:/bin"
_LIMITS = Limits(time=120, cpu=60, memory=2**30, output=16 * 2**20, processes=128)
_ENVIRONMENT = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:-UsePerfData"}  # half of what a short run takes
_MAX_SPOTS = 20
"""findings that are told of"""
_MAX_LINE_LENGTH = 300
"""characters of a line or a message that is shown"""
_SAID = 300
"""bytes of what a tool says that failed"""


def find_style_tool(tool: StyleTool) -> Path:
    """Return where a tool is: among the system's programs, or beside the Python that we run with.

    From there only a program by itself, since the sandbox shows nothing else of it. Raises HostError with the command
    that installs it.
    """
    name = tool.command[0]
    if found := locate_tool(name, _SYSTEM):
        return found
    beside = Path(sys.executable).with_name(name)
    try:
        with beside.open("rb") as file:
            if file.read(4) == b"\x7fELF":
                return beside
    except OSError:
        pass
    raise HostError(f"{name} is missing from {_SYSTEM}; {tool.remedy or 'install it'}")


def shown_to_tool(tool: StyleTool) -> tuple[str, ...]:
    """Return what a tool has to see of the machine beside what everybody sees, itself included."""
    return (str(find_style_tool(tool)), *tool.show)


def versions(course: "Course") -> Mapping[str, str]:
    """Return the versions of the tools that the cases need, by name. Raises HostError when one is missing."""
    return style_versions(course.spec, course.cache, lambda tool: runner_for(course, tool))


def inspect(test: Test, artifact: Artifact, course: "Course") -> Iterator[Examined]:
    """Yield what the tool of each case finds in the source as it was handed in. Raises HostError when it fails."""
    folder, besides = artifact.handed_in or artifact.folder, course.spec.build.files if course.spec.build else ()
    for check in filter(None, map(style_check_of, test.cases)):
        yield check_style(check, folder, besides, runner_for(course, check.tool))


def runner_for(course: "Course", tool: StyleTool) -> Runner:
    """Return what runs a command in a sandbox that shows the tool what it needs of the machine."""
    return lambda launch: course.measure(launch, show=shown_to_tool(tool))


def style_versions(spec: Spec, cache: Cache, runner: Callable[[StyleTool], Runner]) -> Mapping[str, str]:
    """Return the versions of the tools that the tests of a spec need, by name. Raises HostError when one is missing."""
    checks = (style_check_of(case) for test in spec.tests for case in test.cases)
    found = {}
    for tool in {check.tool.name: check.tool for check in checks if check}.values():
        facts = (program := find_style_tool(tool).resolve()).stat()
        key = ["style", str(program), facts.st_size, facts.st_mtime_ns]
        version = cache.get_or_make(key, str, lambda tool=tool: style_version(tool, runner(tool)))  # type: ignore[misc]
        found[tool.name] = f"{version} ({tool.package})" if tool.package else version
    return found


def style_version(tool: StyleTool, run: Runner) -> str:
    """Return what a tool says of its version, on a line. Raises HostError when it does not work in the sandbox."""
    found = run(Launch(argv=(str(find_style_tool(tool)), "--version"), env=_ENVIRONMENT, limits=_LIMITS))
    lines = [line for line in found.stdout.decode(errors="backslashreplace").splitlines() if line.strip()]
    if (
        not tool.remedy and not tool.package and not found.limit
    ):  # one of the course's own, which need not know this option
        return one_line(lines[0].strip()) if lines else "of an unknown version"
    if found.status != 0 or not lines:
        raise HostError(f"{tool.name} does not work in the sandbox: {_said(found)}; {tool.remedy or 'look at it'}")
    told = (line for line in lines if re.search(r"\d", line))
    return one_line(next(told, lines[0]).strip())


def check_style(check: StyleCheck, folder: Path, besides: Collection[str], run: Runner) -> Examined:
    """Let a tool look at the sources in `folder`, but not at those of the course, `besides`.

    Raises HostError when the tool fails; that there is much to find is no failure.
    """
    tool = check.tool
    sources = read_sources(folder, check.files, tool.endings, besides)
    ours = {*check.config, *tool.settings}
    sources = {name: data for name, data in sources.items() if ours.isdisjoint(PurePosixPath(name).parts)}
    if told := describe_too_much(sources):
        return Examined(refused=told)
    if not sources:
        return Examined()
    given = _names_for_tools(sources)
    options = (*tool.command[1:], *tool.written, *check.options)
    launch = Launch(
        argv=(str(find_style_tool(tool)), *options, *(f"./{name}" for name in given)),
        files={**{name: _unsilenced(sources[own], check) for name, own in given.items()}, **check.config},
        env=_ENVIRONMENT,
        limits=_LIMITS,
    )
    found = run(launch)
    if found.limit == "output":
        told = f"{tool.name} finds more in these files than anybody reads: what it writes has over"
        return Examined(refused=f"{told} {size(_LIMITS.output)}.", files=tuple(sources))
    return _examined(_findings_in(sources, given, _read(check, found), tool), sources)


def _names_for_tools(sources: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names by which a tool knows the files -> their own: others where one could be taken for something."""
    free = (name for number in counting(1) if (name := f"file-{number}") not in sources)
    return {
        name if name.isprintable() and ":" not in name else f"{next(free)}{PurePosixPath(name).suffix}": name
        for name in sources
    }


def _unsilenced(source: bytes, check: StyleCheck) -> bytes:
    """Return a source in which no comment turns the tool off, if none may: as long, with all lines where they are."""

    def masked(found: re.Match[bytes]) -> bytes:
        start, end = found.start(1) - found.start(), found.end(1) - found.start()
        return found[0][:start] + b"x" * (end - start) + found[0][end:]

    for pattern in () if check.heeds_comments else check.tool.silencers:
        source = re.sub(pattern.encode(), masked, source)
    return source


def _read(check: StyleCheck, found: Execution) -> list[Spot]:
    tool = check.tool
    if found.limit:
        raise HostError(f"{tool.name} {limit_sentence(found.limit)}: look at fewer files, or grade again")
    try:
        # Read only now: whoever grades without a style tool, which are most, need not wait for its readers.
        findings: list[Spot] = import_module("grader.kinds.style.findings").read_findings(
            tool.format, found.stdout, found.stderr
        )
    except ValueError as error:
        raise HostError(f"{tool.name} failed: {_said(found)} ({one_line(str(error))})") from error
    # Lines do not say whether they are all there are.
    is_done = found.status in tool.done if tool.done else found.status == 0 or tool.format != "lines" or findings
    if found.signal or not is_done:
        raise HostError(f"{tool.name} failed: {_said(found)}")
    return findings


def _said(found: Execution) -> str:
    said = one_line((found.stderr.strip() or found.stdout.strip())[:_SAID])
    return said or f"it ended with {f'signal {found.signal}' if found.signal else f'status {found.status}'}"


def _findings_in(
    sources: Mapping[str, bytes], given: Mapping[str, str], findings: Sequence[Spot], tool: StyleTool
) -> list[Spot]:
    """Return the findings in the files that were handed in; what is about others, or none, is the course's own."""
    lines = {name: data.split(b"\n") for name, data in sources.items()}
    named = ((one, _own_name(one.file, given)) for one in findings)
    spots = [_shown_spot(one, name, lines[name]) for one, name in named if name is not None]
    if findings and not spots:
        about = one_line(findings[0].file) or "none"
        raise HostError(f"{tool.name} tells of no file that was handed in, but of {about}: {findings[0].what}")
    return spots


def _shown_spot(told: Spot, name: str, lines: Sequence[bytes]) -> Spot:
    line = lines[told.line - 1] if 0 < told.line <= len(lines) else b""
    return Spot(
        file=name,
        line=max(1, told.line),
        what=told.what.strip()[:_MAX_LINE_LENGTH],
        source=line.decode("utf-8", "replace").strip()[:_MAX_LINE_LENGTH],
        rule=told.rule[:_MAX_LINE_LENGTH],
    )


def _own_name(told: str, given: Mapping[str, str]) -> str | None:
    """Return which file a tool means by a name, a path or an address of it; None when it is none of them."""
    parts = [part for part in told.removeprefix("file://").split("/") if part != "."]
    ends = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((given[end] for end in ends if end in given), None)


def _examined(spots: Sequence[Spot], sources: Mapping[str, bytes]) -> Examined:
    ordered = sorted(spots, key=lambda one: (one.file, one.line, one.rule, one.what))
    return Examined(spots=tuple(ordered[:_MAX_SPOTS]), total=len(spots), files=tuple(sources))
