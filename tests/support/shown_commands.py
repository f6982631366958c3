"""The commands that a Markdown page shows, run in order, and held against the output that is shown.

    <!-- in: the queens course -->          a fresh folder, laid out so; the page's commands run there from here on

    ```console
    $ grader lint specs/queens.yaml         a command; a backslash at its end continues it
    specs/queens.yaml: 4 tests...           what it prints; `...` stands for any text, and on a line alone for any lines
    ```

    ```yaml title="specs/queens.yaml"       a file that the reader writes
    ```

In front of a block, where no reader sees it, a comment says more: `<!-- exit: 1 -->` which exit codes its commands have
(else 0), `<!-- commands: 1 -->` how many there are, if what they print looks like more, `<!-- not run: an editor -->`
why they are not run, and `<!-- run: rm x -->` runs what the page does not show.
A command that Ctrl-C ends has `<!-- meanwhile: cp a b -->`: once it has said "Ctrl-C" after that, too, it is ended.
Steps of a workflow, `run: grader ...` in YAML, are run as well. One shell runs a page, so that `cd` does what it says.
"""

import difflib
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from tests.support.commands import bin_folder

CONSOLE, COMMAND, MORE = "console", "$ ", "> "
COLUMNS = 80
TIME_LIMIT = 100
"""seconds for a scene"""

_FENCE = re.compile(r"(?P<indent> *)(?P<fence>```+)(?P<language>[\w-]*)(?: +title=\"(?P<title>[^\"]+)\")?")
_COMMENT = re.compile(r" *<!-- (?P<word>in|exit|commands|meanwhile|not run|run): (?P<value>.+) -->")
_WORKFLOW_STEP = re.compile(r" *(?:- )?run: (grader .+)")
_SECONDS = re.compile(r"\b\d+\.\d+ s\b")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, and what a page says that comes of it."""

    line: int
    text: str
    shown: str | None = None
    """its output; None when nothing of it is shown"""
    code: int = 0
    meanwhile: str = ""
    """what is done while it runs, before it is ended"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """A file that the reader writes."""

    line: int
    name: str
    content: str


Step = Command | NewFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What happens in one folder."""

    name: str
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block, with the comments in front of it."""

    line: int
    language: str
    title: str
    lines: list[str]
    said: Mapping[str, list[str]]


@dataclass(slots=True, kw_only=True)
class Page:
    """The commands of a page."""

    scenes: list[Scene] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    """the reasons, one for each block"""


def blocks(text: str) -> Iterator[Block]:
    """Iterate over the fenced blocks of a page; comments without a block are one that is empty."""
    said: dict[str, list[str]] = {}
    inside: Block | None = None
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        if inside is not None:
            if line.strip() == fence.strip():
                yield inside
                inside = None
            else:
                inside.lines.append(line.removeprefix(fence[: len(fence) - len(fence.lstrip())]))
        elif found := _COMMENT.fullmatch(line):
            said.setdefault(found["word"], []).append(found["value"])
        elif found := _FENCE.match(line):
            fence = found["indent"] + found["fence"]
            inside = Block(line=number, language=found["language"], title=found["title"] or "", lines=[], said=said)
            said = {}
    if inside is not None:
        raise ValueError(f"line {inside.line}: this block has no end")
    if said:
        yield Block(line=number, language="", title="", lines=[], said=said)


def read(text: str) -> Page:
    """Read what a page wants to be run. Raises ValueError where it cannot be."""
    page = Page()
    for block in blocks(text):
        page.scenes += [Scene(name=name) for name in block.said.get("in", ())]
        steps: list[Step] = [Command(line=block.line, text=text) for text in block.said.get("run", ())]
        if "not run" in block.said:
            page.not_run += block.said["not run"]
        else:
            steps += _steps(block)
        if steps and not page.scenes:
            raise ValueError(f"line {block.line}: say in front of it where it is run: <!-- in: ... -->")
        if steps:
            page.scenes[-1].steps.extend(steps)
    return page


def _steps(block: Block) -> Iterator[Step]:
    if block.title:
        yield NewFile(line=block.line, name=block.title, content="".join(f"{line}\n" for line in block.lines))
    elif block.language == CONSOLE:
        yield from _commands(block)
    elif block.language == "yaml":
        for line in block.lines:
            if found := _WORKFLOW_STEP.fullmatch(line):
                yield Command(line=block.line, text=found[1])


def _commands(block: Block) -> Iterator[Command]:
    codes = [int(code) for text in block.said.get("exit", ()) for code in text.split()]
    starts = [number for number, line in enumerate(block.lines) if line.startswith(COMMAND)]
    starts = starts[: int(block.said.get("commands", [str(len(starts))])[0])]
    if not starts or starts[0] != 0:
        raise ValueError(f"line {block.line}: a console begins with a command")
    if len(codes) > len(starts):
        raise ValueError(f"line {block.line}: more exit codes than commands")
    meanwhile = " ".join(block.said.get("meanwhile", ()))
    for start, end, code in zip_longest(starts, starts[1:], codes[: len(starts)]):
        text, *others = block.lines[start:end]
        text = text.removeprefix(COMMAND)
        while text.endswith("\\") and others:
            text += "\n" + others.pop(0).removeprefix(MORE)
        shown = "\n".join(others) if others else None
        yield Command(line=block.line, text=text, shown=shown, code=code or 0, meanwhile=meanwhile)


# ---------------------------------------------------------------- running


def run(scene: Scene, folder: Path, cache: Path, lay_out: Callable[[Path], object]) -> list[str]:
    """Run a scene in `folder`, and return what is not as the page says; nothing when all is."""
    course = folder / "course"
    course.mkdir(parents=True)
    lay_out(course)
    mark = secrets.token_hex(8)
    script = "".join(_line(step, number, folder, mark) for number, step in enumerate(scene.steps))
    is_ended = any(isinstance(step, Command) and step.meanwhile for step in scene.steps)
    said = _shell(script, course, _environment(folder, cache, () if is_ended else (bin_folder(),)))
    ends = re.findall(rf"(.*?)\n?{mark} (\d+)\n", said, re.DOTALL)
    commands = [step for step in scene.steps if isinstance(step, Command)]
    if len(ends) != len(commands):
        return [f"the shell ended after {len(ends)} of {len(commands)} commands"]
    return [told for step, (said, code) in zip(commands, ends, strict=True) for told in _held(step, said, int(code))]


def _shell(script: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a script, and end whatever it has started when it takes too long."""
    with subprocess.Popen(
        ["/bin/bash", "--noprofile", "--norc", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as shell:
        try:
            said, _ = shell.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            said, _ = shell.communicate()
    return said.decode(errors="backslashreplace")


def _line(step: Step, number: int, folder: Path, mark: str) -> str:
    """Return what the shell is told: the command, then a mark with its exit code."""
    if isinstance(step, Command):
        text = _ended(step, folder / f"said-{number}") if step.meanwhile else step.text
        return f"{text}\nprintf '\\n%s %d\\n' {mark} $?\n"
    kept = folder / f"file-{number}"
    kept.write_text(step.content)
    return f"install -D -m 644 {shlex.quote(str(kept))} {shlex.quote(step.name)}\n"


def _ended(command: Command, said: Path) -> str:
    """Return a script that runs a command until it has answered to what is done meanwhile."""

    def ready(times: int) -> str:
        return f"while kill -0 $! && [ $(grep -c Ctrl-C {said}) -lt {times} ]; do sleep 0.1; done 2>/dev/null"

    return "\n".join(
        [
            f"touch {said}; env --default-signal=INT bash -c {shlex.quote(command.text)} >{said} 2>&1 & {ready(1)}",
            f"{command.meanwhile}; {ready(2)}",
            f"kill -INT $!; wait $!; set -- $?; cat {said}; (exit $1)",
        ]
    )


def _environment(folder: Path, cache: Path, first: Sequence[Path]) -> dict[str, str]:
    path = (*first, Path(sys.executable).parent, "/usr/bin", "/bin")
    (folder / "home").mkdir()
    return {
        "PATH": os.pathsep.join(map(str, path)),
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(cache),
        "COLUMNS": str(COLUMNS),
        "LANG": "C.UTF-8",
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
    }


def _held(command: Command, said: str, code: int) -> Iterator[str]:
    where = f"line {command.line}: {command.text}"
    if code != command.code:
        yield f"{where}\nended with {code} and not with {command.code}:\n{said}"
    elif command.shown is not None and not fits(said, command.shown):
        lines = difflib.unified_diff(_lines(command.shown), _lines(said), "shown", "said", lineterm="", n=1)
        yield "\n".join([where, *lines])


def fits(said: str, shown: str) -> bool:
    """Tell whether an output is what a page shows of it; how long something took is left aside."""
    return (
        re.fullmatch("".join(map(_pattern, _lines(shown))), "".join(f"{line}\n" for line in _lines(said))) is not None
    )


def _pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    return ".*".join(re.escape(part) for part in line.split("...")) + r"\n"


def _lines(text: str) -> list[str]:
    plain = _SECONDS.sub("0.0 s", _ESCAPE.sub("", text))
    return [line.rstrip() for line in plain.strip("\n").splitlines()]
