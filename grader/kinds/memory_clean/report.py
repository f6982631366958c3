"""What valgrind reports of each process: its faults, and the signal that ended it."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.untrusted_xml import read_xml
from grader.kinds.memory_clean.model import CodePlace, FatalSignal, MemoryFault, Sighting

_SYSTEM = ("/usr/", "/lib")
_ADDRESS = lazy_regex(r"0x[0-9A-Fa-f]{1,16}")
_HEADER, _ROOT = b"<?xml", b"<valgrindoutput>"
_DOCUMENT = lazy_regex(rb"(?=<\?xml)")
_NUMBER = lazy_regex(r"-?[0-9]{1,18}")
_ELEMENTS = {
    *("protocolversion", "protocoltool", "preamble", "pid", "ppid", "tool", "args", "usercomment", "status"),
    *("error", "announcethread", "errorcounts", "suppcounts", "fatal_signal"),
}
"""what a report consists of: docs/internals/xml-output-protocol4.txt of valgrind"""


class ProcessReport(Struct):
    """Valgrind's report on one process."""

    elements: Sequence[Element] = ()  # those right below the root, as far as it is XML
    is_malformed: bool = False
    """whether it is not all that there was to report; so is the first, of a process that replaced itself"""


def read_reports(execution: Execution) -> list[ProcessReport]:
    """Read what each process reported, the first one first; two of a process that became another program."""
    reports: list[ProcessReport] = []
    for process in execution.reported.values():
        documents, is_first = [document for document in _DOCUMENT.split(process) if document] or [b""], not reports
        for document in documents:
            reports.append(_read_report(document, is_first=not reports, has_root=not reports or _HEADER in document))
        reports[0].is_malformed |= is_first and len(documents) > 1
    return reports


def _read_report(report: bytes, *, is_first: bool, has_root: bool) -> ProcessReport:
    """Read a report as far as it is XML: a child's begins at the fork, and breaks off where it is killed."""
    builder, around, elements = TreeBuilder(), list[Element](), list[Element]()

    def end(name: str) -> None:
        builder.end(name)
        element = around.pop()
        if len(around) == 1:
            elements.append(element)

    try:
        read_xml(
            report if has_root else _ROOT + report,
            start=lambda name, _values: around.append(builder.start(name, {})),
            end=end,
            text=builder.data,
            may_break_off=not is_first,
        )
    except ValueError:
        return ProcessReport(elements=elements, is_malformed=True)
    hidden = report.count(b"<error>") - sum(element.tag == "error" for element in elements)
    is_hidden = b"<!" in report or hidden > (not is_first)  # the last of a child may break off
    is_strange = any(element.tag not in _ELEMENTS for element in elements)
    return ProcessReport(elements=elements, is_malformed=is_hidden or is_strange)


def find_faults(reports: Iterable[ProcessReport], folder: Path) -> Iterator[MemoryFault]:
    """Iterate over the faults of all processes in the order in which they were found; the program is in `folder`."""
    errors = (element for report in reports for element in report.elements if element.tag == "error")
    return filter(None, (_read_fault(error, folder) for error in errors))


def find_fatal_signal(reports: Sequence[ProcessReport], folder: Path) -> FatalSignal | None:
    """Return the signal that ended the first process; None where it ended by itself."""
    elements = reports[0].elements if reports else ()
    ended = next((element for element in elements if element.tag == "fatal_signal"), None)
    if ended is None:
        return None
    address, frames = ended.findtext("siaddr", ""), ended.findall("stack/frame")
    return FatalSignal(
        number=_number(ended, "signo"),
        code=_number(ended, "sicode"),
        address=int(address, 16) if _ADDRESS.fullmatch(address) else 0,
        functions=tuple(frame.findtext("fn", "") for frame in frames),
        where=_sighting("", _own_frames(frames), folder),
    )


def _own_frames(frames: Sequence[Element]) -> list[Element]:
    # The program made code that is in no file; but as the last frame it may be the end of the known stack.
    last = len(frames) - 1
    objects = [frame.findtext("obj", _SYSTEM[0] if 0 < at == last else "") for at, frame in enumerate(frames)]
    return [frame for frame, place in zip(frames, objects, strict=True) if not place.startswith(_SYSTEM)]


def _sighting(text: str, own: Sequence[Element], folder: Path) -> Sighting:
    calls = (_place(frame, folder) for frame in own if not frame.findtext("dir", "").startswith("/usr/"))
    return Sighting(text=text, calls=tuple(calls))


def _read_fault(error: Element, folder: Path) -> MemoryFault | None:
    """Return a fault; None for one that only concerns the system's libraries."""
    parts: list[Sighting] = []
    is_own = False
    for part in error:
        if part.tag in {"what", "xwhat", "auxwhat", "xauxwhat"}:
            parts.append(Sighting(text=part.findtext("text", "") if part.tag.startswith("x") else part.text or ""))
        elif part.tag == "stack" and parts:
            own = _own_frames(part.findall("frame"))
            is_own = is_own or (len(parts) == 1 and bool(own))
            parts[-1] = _sighting(parts[-1].text, own, folder)
    size, blocks = (_number(error, f"xwhat/{name}") for name in ("leakedbytes", "leakedblocks"))
    kind, (what, *about) = error.findtext("kind", ""), parts or [Sighting(text="")]
    return MemoryFault(kind=kind, what=what, about=tuple(about), bytes=size, blocks=blocks) if is_own else None


def _place(frame: Element, folder: Path) -> CodePlace:
    name = frame.findtext("file", "")
    path = posixpath.normpath(posixpath.join(frame.findtext("dir", ""), name)) if name else ""
    parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
    known = ("/".join(parts[at:]) for at in range(len(parts)))
    file = next((end for end in known if (folder / end).is_file()), parts[-1] if parts else "")
    return CodePlace(function=frame.findtext("fn", ""), file=file, line=_number(frame, "line"))


def _number(element: Element, path: str) -> int:
    text = element.findtext(path, "")
    return int(text) if _NUMBER.fullmatch(text) else 0
