"""A tool that examines the source of a submission: in the sandbox, on a copy, by the rules of the course alone.

It sees only the requested files and the course's own, so students cannot configure it. For tools without an option
against comments that turn them off, these comments are masked in the copy. A tool that fails is our fault, unless it
works on empty files: then the submission is the reason.
"""

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.build.artifact import NO_TOOL
from grader.core.errors import HostError
from grader.core.kind import RunnerShowing
from grader.core.languages import locate_tool
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.layout import Artifact
from grader.core.model.limits import Limits, limit_sentence
from grader.core.model.report import CaseResult, Examined, Spot
from grader.core.model.spec import Case, Requirement, Test
from grader.core.notebook import is_notebook, place_text, to_place
from grader.core.text import capital, count, count_points, listed, one_line, quote, size
from grader.kinds.encodings import refused_encoding
from grader.kinds.sources import describe_no_file, describe_too_much, read_sources, source_result
from grader.kinds.style.findings import READERS
from grader.kinds.style.model import STYLE_TOOLS, StyleCheck, StyleTool

if TYPE_CHECKING:
    from grader.core.course import Course

_SYSTEM = "/usr/local/bin:/usr/bin:/bin"
_LIMITS = Limits(time=120, cpu=60, memory=2**30, output=16 * 2**20, processes=128)
_ENVIRONMENT = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:-UsePerfData"}  # saves half of a short run
_PYTHON = (".py", ".ipynb")
_MAX_SPOTS, _MAX_NAMES = 20, 3
_MAX_LINE_LENGTH = 300  # characters of a shown line or message, and bytes of a failed tool's output


def find_style_tool(tool: StyleTool) -> Path:
    """Return the path of a tool: a program of the system, or a single file next to grader's Python."""
    name = tool.command[0]
    if found := locate_tool(name, _SYSTEM):
        return found
    path = Path(sys.executable).with_name(name)
    with suppress(OSError), path.open("rb") as file:
        if file.read(4) == b"\x7fELF":
            return path
    raise HostError(f"{name} is missing from {_SYSTEM}; {tool.remedy or 'install it'}")


def shown_to_tool(tool: StyleTool) -> tuple[str, ...]:
    """Return the paths that a tool needs in addition to the usual ones, its own included."""
    return (str(find_style_tool(tool)), *tool.show)


def runner_for(course: "Course", tool: StyleTool) -> Runner:
    """Return what runs a command in a sandbox that shows the tool what it needs of the machine."""
    return lambda launch: course.showing(shown_to_tool(tool)).measure(launch)


def run_test(test: Test, artifact: Artifact, course: "Course") -> Iterator[CaseResult]:
    """Yield the result of each case's tool, for the source as it was handed in. Raises HostError when a tool fails."""
    folder, excluded = artifact.handed_in or artifact.folder, course.spec.build.files if course.spec.build else ()
    for case in test.cases:
        check = StyleCheck.required(case)
        yield judge_style(case, check_style(check, folder, excluded, runner_for(course, check.tool)))


def prepare(course: "Course") -> "Course":
    """Return the course with the versions of the tools of its cases; `NO_TOOL` for one whose tests are ungraded."""
    checks = (StyleCheck.of(case) for test in course.spec.tests for case in test.cases)
    versions = {}
    for tool in {check.tool.name: check.tool for check in checks if check}.values():
        try:
            facts = (program := find_style_tool(tool).resolve()).stat()
            key = ["style", str(program), facts.st_size, facts.st_mtime_ns]
            version = course.cache.get_or_make(key, str, partial(style_version, tool, runner_for(course, tool)))
        except HostError:
            version = NO_TOOL
        versions[tool.name] = f"{version} ({tool.package})" if tool.package else version
    return replace(course, versions={**course.versions, **versions})


def style_version(tool: StyleTool, run: Runner) -> str:
    """Return a tool's version, on one line. Raises HostError when it does not work in the sandbox."""
    execution = run(Launch(argv=(str(find_style_tool(tool)), "--version"), env=_ENVIRONMENT, limits=_LIMITS))
    lines = [line.strip() for line in execution.stdout.decode(errors="backslashreplace").splitlines() if line.strip()]
    if not tool.remedy and not tool.package and not execution.limit:  # the course's own, which may lack this option
        return one_line(lines[0]) if lines else "of an unknown version"
    if execution.status != 0 or not lines:
        reason = f"{_error_of(execution)}; {tool.remedy or 'look at it'}"
        raise HostError(f"{tool.name} does not work in the sandbox: {reason}")
    return one_line(next((line for line in lines if re.search(r"\d", line)), lines[0]))


def requirements(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has each of the tools that grader knows, and whether it works in the sandbox."""
    for tool in STYLE_TOOLS.values():
        try:
            shown = shown_to_tool(tool)
            tried = f"{style_version(tool, runner_showing(shown))}, for the style of sources" if runner_showing else ""
            yield Requirement(name=tool.name, state="ok", found=tried or f"{shown[0]}, not tried")
        except HostError as error:
            absent, _, remedy = str(error).partition("; ")
            yield Requirement(name=tool.name, state="missing", found=absent, remedy=remedy or tool.remedy)


def check_style(check: StyleCheck, folder: Path, excluded: Collection[str], run: Runner) -> Examined:
    """Run a tool on the sources in `folder`, without those `excluded`. HostError when it fails on empty files too."""
    tool = check.tool
    sources = read_sources(folder, check.files, tool.endings, excluded)
    ours = {*check.config, *tool.settings}
    sources = {name: data for name, data in sources.items() if ours.isdisjoint(PurePosixPath(name).parts)}
    encodings = {name: refused_encoding("python", data) for name, data in sources.items() if name.endswith(_PYTHON)}
    cannot = f"in which {tool.name} cannot see the code; hand it in as UTF-8."
    unseen = (f"{quote(name)} is in {quote(encoding)}, {cannot}" for name, encoding in encodings.items() if encoding)
    if refusal := describe_too_much(sources) or next(unseen, ""):
        return Examined(refused=refusal)
    if not sources:
        return Examined()
    given = _names_for_tools(sources)
    execution = run(_launch(check, {name: _unsilenced(sources[own], check) for name, own in given.items()}))
    if execution.limit == "output":
        refusal = f"{tool.name} finds more in these files than anybody reads: what it writes has over"
        return Examined(refused=f"{refusal} {size(_LIMITS.output)}.", files=tuple(sources))
    try:
        spots = _findings_in(sources, given, _read(check, execution), tool)
        return Examined(spots=tuple(spots[:_MAX_SPOTS]), total=len(spots), files=tuple(sources))
    except HostError as error:
        if execution.is_inconclusive:
            raise
        empty = run(_launch(check, dict.fromkeys(given, b"\n")))
        _findings_in(dict.fromkeys(sources, b"\n"), given, _read(check, empty), tool)  # raises where it fails anyway
        why = str(error).removeprefix(f"{tool.name} failed: ")
        make = f"{listed([quote(name) for name in sources], most=_MAX_NAMES)} {'make' if len(sources) > 1 else 'makes'}"
        refusal = f"{make} {tool.name} fail, which works on empty files: {why.rstrip('.')}."
        return Examined(refused=refusal, files=tuple(sources))


def _launch(check: StyleCheck, contents: Mapping[str, bytes]) -> Launch:
    """Return what starts the tool on files, by the names that it gets for them."""
    options = (*check.tool.command[1:], *check.tool.written, *check.options)
    return Launch(
        argv=(str(find_style_tool(check.tool)), *options, *(f"./{name}" for name in contents)),
        files={**contents, **check.config},
        env=_ENVIRONMENT,
        limits=_LIMITS,
    )


def _names_for_tools(sources: Mapping[str, bytes]) -> dict[str, str]:
    """Return the names that a tool gets for the files -> their own: others where it could misunderstand these."""
    given = {}
    for number, name in enumerate(sources, 1):
        ending = ".py" if is_notebook(name) else PurePosixPath(name).suffix
        is_plain = name.isprintable() and ":" not in name and not (is_notebook(name) or name.startswith("file-"))
        given[name if is_plain else f"file-{number}{ending}"] = name
    return given


def _unsilenced(source: bytes, check: StyleCheck) -> bytes:
    """Mask comments that turn the tool off, unless they may; the source keeps its length and lines."""
    for pattern in () if check.heeds_comments else check.tool.silencers:
        masked = re.compile(pattern.encode()).sub
        source = masked(lambda match: match[0].replace(text := match[1] or b"", b"x" * len(text), 1), source)
    return source


def _read(check: StyleCheck, execution: Execution) -> list[Spot]:
    tool = check.tool
    if execution.limit:
        raise HostError(f"{tool.name} {limit_sentence(execution.limit)}")
    try:
        findings = READERS[tool.format](execution.stdout, execution.stderr)
    except ValueError as error:
        raise HostError(f"{tool.name} failed: {_error_of(execution)} ({one_line(str(error))})") from error
    # Lines do not show whether the output is complete; a status other than 0 is for findings, or as the tool says.
    is_done = execution.status == 0 or tool.format != "lines" or bool(findings)
    if tool.done:
        is_done = execution.status in tool.done and (is_done or not execution.stderr.strip())
    if execution.signal or not is_done:
        raise HostError(f"{tool.name} failed: {_error_of(execution)}")
    return findings


def _error_of(execution: Execution) -> str:
    text = one_line((execution.stderr.strip() or execution.stdout.strip())[:_MAX_LINE_LENGTH])
    return text or f"it ended with {f'signal {execution.signal}' if execution.signal else f'status {execution.status}'}"


def _findings_in(
    sources: Mapping[str, bytes], given: Mapping[str, str], findings: Sequence[Spot], tool: StyleTool
) -> list[Spot]:
    """Return the findings in the files that were handed in; what is about others, or none, is the course's own."""
    lines, spots = {name: data.split(b"\n") for name, data in sources.items()}, list[Spot]()
    for finding in findings:
        # A tool names a file by its name, path or address.
        parts = [part for part in finding.file.removeprefix("file://").split("/") if part != "."]
        ends = ("/".join(parts[start:]) for start in range(len(parts)))
        if name := next((given[end] for end in ends if end in given), ""):
            file, number = to_place(name, sources[name], max(1, finding.line))
            line = lines[name][finding.line - 1] if 0 < finding.line <= len(lines[name]) else b""
            texts = (finding.what, line.decode("utf-8", "replace"), finding.rule)
            what, source, rule = (text.strip()[:_MAX_LINE_LENGTH] for text in texts)
            spots.append(Spot(file=file, line=number, what=what, source=source, rule=rule))
    if findings and not spots:
        about = one_line(findings[0].file) or "none"
        raise HostError(f"{tool.name} tells of no file that was handed in, but of {about}: {findings[0].what}")
    return sorted(spots, key=lambda spot: (spot.file, spot.line, spot.rule, spot.what))


# ---------------------------------------------------------------- the judgement


def judge_style(case: Case, facts: Examined) -> CaseResult:
    """Judge what a style tool found."""
    check, findings = StyleCheck.required(case), [*map(_describe_finding, facts.spots)]
    message = facts.refused or _describe_style(check, facts, *findings[:1])
    credit = Fraction(0) if facts.refused or not facts.files else check.credit(facts.total)
    lines = [f"{text}, {times} times" if times > 1 else text for text, times in Counter(findings).items()]
    lines += [f"and {facts.total - len(findings)} more"] if facts.total > len(findings) else []
    return source_result(case, facts, message=message, credit=credit, drawing="\n".join(lines))


def _describe_style(check: StyleCheck, facts: Examined, first: str = "") -> str:
    """Describe a tool's first finding and the cost of all, in a sentence; "" without findings."""
    if not facts.files:
        return describe_no_file(check.files, f"for {check.tool.name}")
    if not facts.total:
        return ""
    which = "; the first is" if facts.total > 1 else ":"
    message = f"{check.tool.name} has {count(facts.total, 'finding')}{_describe_costs(check, facts.total)}{which}"
    line = facts.spots[0].source
    return f"{capital(message)} {first}{f': {quote(line)}' if line else ''}."


def _describe_costs(check: StyleCheck, total: int) -> str:
    taken = (1 - check.credit(total)) * check.points
    free = f" ({check.free} free)" if check.free and taken else ""
    cost = f"{'costs' if total == 1 else 'cost'} {count_points(taken) if taken else 'nothing'}"
    return f"{free}, which {cost}" if check.points else ""


def _describe_finding(spot: Spot) -> str:
    # The tool's own words, in which a backtick begins no code of ours.
    message = one_line(spot.what).replace("`", "'").rstrip(".")
    rule = f" ({one_line(spot.rule)})" if spot.rule else ""
    return f"{place_text(one_line(spot.file), spot.line)}: {message}{rule}"
