"""What valgrind reports of each process: its faults, and the signal that ended it."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.untrusted_xml import read_xml
from grader.kinds.memory_clean.model import CodePlace, FatalSignal, MemoryFault, Sighting

_SYSTEM = ("/usr/", "/lib")


class _Element(Struct):
    name: str
    texts: list[str] = field(default_factory=list)
    inside: list["_Element"] = field(default_factory=list)

    @property
    def content(self) -> str:
        return "".join(self.texts)

    @property
    def facts(self) -> Mapping[str, str]:
        """Of each name of an element in it, the text of the first."""
        return {element.name: element.content for element in reversed(self.inside)}


class ProcessReport(Struct):
    """Valgrind's report on one process: the elements right below the root, as far as it is XML."""

    elements: list[_Element] = field(default_factory=list)
    is_malformed: bool = False
    is_followed: bool = False
    """whether the process replaced itself, and reported on what it then was"""


_ADDRESS = lazy_regex(r"0x[0-9A-Fa-f]{1,16}")
_HEADER, _ROOT = b"<?xml", b"<valgrindoutput>"
_DOCUMENT = lazy_regex(rb"(?=<\?xml)")
_ELEMENTS = {
    *("protocolversion", "protocoltool", "preamble", "pid", "ppid", "tool", "args", "usercomment", "status"),
    *("error", "announcethread", "errorcounts", "suppcounts", "fatal_signal"),
}
"""what a report consists of: docs/internals/xml-output-protocol4.txt of valgrind"""


def read_reports(execution: Execution) -> list[ProcessReport]:
    """Read what each process reported, the first one first; two of a process that became another program."""
    found: list[ProcessReport] = []
    for process in execution.reported.values():
        documents = [one for one in _DOCUMENT.split(process) if one] or [b""]
        for at, document in enumerate(documents):
            report = _read_report(document, is_first=not found, has_root=not found or _HEADER in document)
            report.is_followed = at + 1 < len(documents)
            found.append(report)
    return found


def _read_report(report: bytes, *, is_first: bool, has_root: bool) -> ProcessReport:
    """Read a report as far as it is XML. A child's begins where it was forked, and breaks off where it is killed.

    The program can write between what valgrind writes, and so hide it in a comment or in an element of its own.
    """
    found: list[_Element] = []
    around: list[_Element] = []

    def end(_name: str) -> None:
        element = around.pop()
        if around:
            (around[-1].inside if len(around) > 1 else found).append(element)

    try:
        read_xml(
            report if has_root else _ROOT + report,
            start=lambda name, _values: around.append(_Element(name=name)),
            end=end,
            text=lambda text: around[-1].texts.append(text),  # noqa: PLW0108 - the last one when it comes to that
            may_break_off=not is_first,
        )
    except ValueError:
        return ProcessReport(elements=found, is_malformed=True)
    hidden = report.count(b"<error>") - sum(one.name == "error" for one in found)
    is_hidden = b"<!" in report or hidden > (not is_first)  # the last of a child may break off
    is_strange = any(one.name not in _ELEMENTS for one in found)
    return ProcessReport(elements=found, is_malformed=is_hidden or is_strange)


def find_faults(reports: Iterable[ProcessReport], folder: Path) -> Iterator[MemoryFault]:
    """Iterate over the faults of all processes whose files are in `folder`, in the order in which they were found."""
    errors = (one for report in reports for one in report.elements if one.name == "error")
    return filter(None, (_read_fault(error, folder) for error in errors))


def find_fatal_signal(reports: Iterable[ProcessReport], folder: Path) -> FatalSignal | None:
    """Return the signal that ended the first process; None where it ended by itself."""
    elements = next(iter(reports), ProcessReport()).elements
    if (ended := next((one for one in elements if one.name == "fatal_signal"), None)) is None:
        return None
    facts = ended.facts
    frames = [frame.facts for part in ended.inside if part.name == "stack" for frame in part.inside]
    return FatalSignal(
        number=_number(facts.get("signo", "")),
        code=_number(facts.get("sicode", "")),
        event=facts.get("event", ""),
        address=int(facts["siaddr"], 16) if _ADDRESS.fullmatch(facts.get("siaddr", "")) else 0,
        functions=tuple(frame.get("fn", "") for frame in frames),
        where=_sighting("", _own_frames(frames), folder),
    )


def _own_frames(frames: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    # Code that is in no file was made by the program; as the last it may be the end of what is known.
    objects = [frame.get("obj", _SYSTEM[0] if 0 < at == len(frames) - 1 else "") for at, frame in enumerate(frames)]
    return [frame for frame, place in zip(frames, objects, strict=True) if not place.startswith(_SYSTEM)]


def _sighting(text: str, own: Sequence[Mapping[str, str]], folder: Path) -> Sighting:
    calls = (_place(frame, folder) for frame in own if not frame.get("dir", "").startswith("/usr/"))
    return Sighting(text=text, calls=tuple(calls))


def _read_fault(error: _Element, folder: Path) -> MemoryFault | None:
    """Return a fault; None for one that only concerns the system's libraries."""
    parts: list[Sighting] = []
    is_own = False
    for part in error.inside:
        if part.name in {"what", "xwhat", "auxwhat", "xauxwhat"}:
            parts.append(Sighting(text=part.facts.get("text", "") if part.name.startswith("x") else part.content))
        elif part.name == "stack" and parts:
            own = _own_frames([frame.facts for frame in part.inside if frame.name == "frame"])
            is_own = is_own or (len(parts) == 1 and bool(own))
            parts[-1] = _sighting(parts[-1].text, own, folder)
    lost = next((part.facts for part in error.inside if part.name == "xwhat"), {})
    size, blocks = (_number(lost.get(name, "")) for name in ("leakedbytes", "leakedblocks"))
    kind, (what, *about) = error.facts.get("kind", ""), parts or [Sighting(text="")]
    return MemoryFault(kind=kind, what=what, about=tuple(about), bytes=size, blocks=blocks) if is_own else None


def _place(frame: Mapping[str, str], folder: Path) -> CodePlace:
    name = frame.get("file", "")
    path = posixpath.normpath(posixpath.join(frame.get("dir", ""), name)) if name else ""
    parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
    known = ("/".join(parts[at:]) for at in range(len(parts)))
    file = next((one for one in known if (folder / one).is_file()), parts[-1] if parts else "")
    return CodePlace(function=frame.get("fn", ""), file=file, line=_number(frame.get("line", "")))


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 18  # noqa: PLR2004 - more is no number of anything
    return int(text) if is_number else 0
