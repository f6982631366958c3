"""What a submission has to read: its text files, those of archives in its folder too.

Grading unpacks an archive only where the assignment's files are in it. Whoever looks for copies wants everything: each
archive becomes a folder of its name, also one inside another. Texts are written as UTF-8, since readers of sources skip
what they cannot decode, and a student chooses the encoding.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.core.build.archive_kinds import is_called_archive
from grader.core.build.staging import read_archive_file, read_submission
from grader.core.build.tree import FileTree, Refused, StagingLimits
from grader.core.errors import HostError
from grader.core.text import one_line

_BOUNDS = StagingLimits()
_MAX_ARCHIVES = 20
"""archives of one submission that are unpacked, those inside others counted"""
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""byte order marks -> the encoding that they stand for"""
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.02
"""of the bytes of a text that are control characters; a planted one does not make a source unreadable"""


@dataclass(slots=True, kw_only=True)
class WorkTexts:
    """The texts of a submission, and what of it is not among them."""

    texts: dict[str, bytes] = field(default_factory=dict)
    """path -> content in UTF-8"""
    unread: list[str] = field(default_factory=list)
    """a sentence for each archive that could not be read"""
    binaries: list[str] = field(default_factory=list)
    """the paths of files that are no text"""


def read_work_texts(path: Path) -> WorkTexts:
    """Read all texts of a submission. Raises as `read_submission` does; an archive in a folder never raises."""
    found = WorkTexts()
    waiting = [("", read_submission(path))]
    size = archives = 0
    while waiting:
        place, tree = waiting.pop()
        for name, file in sorted(tree.files.items()):
            shown = place + name
            if not is_called_archive(name, file.content):
                _add_file(found, shown, file.content)
                continue
            archives += 1
            try:
                if archives > _MAX_ARCHIVES:
                    raise Refused(f"the submission has more than {_MAX_ARCHIVES} archives")  # noqa: TRY301 - as any
                inside = read_archive_file(file.content)
                size += sum(len(one.content) for one in inside.files.values())
                if size > _BOUNDS.size:
                    raise Refused(f"the archives unpack to more than {_BOUNDS.size >> 20} MiB")  # noqa: TRY301
            except (Refused, HostError) as error:
                found.unread.append(f"{one_line(shown)}: {one_line(str(error))}")
                continue
            waiting.append((_folder_for(shown, tree, place), inside))
    return found


def _folder_for(shown: str, tree: FileTree, place: str) -> str:
    """Return the folder in place of an archive: its name without the ending, where no other has it."""
    plain = str(PurePosixPath(shown).with_suffix("")).removesuffix(".tar")
    taken = {place + name for name in (*tree.files, *tree.folders)}
    return f"{shown if plain in taken else plain}/"


def _add_file(found: WorkTexts, name: str, content: bytes) -> None:
    text = _to_utf8(content)
    if text is None:
        found.binaries.append(name)
    else:
        found.texts[name] = text


def _to_utf8(content: bytes) -> bytes | None:
    """Return a text as UTF-8 without a byte order mark; None for what is no text."""
    for encoding in _encodings_of(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text.replace("\0", " ").encode(errors="replace")
    return None


def _encodings_of(content: bytes) -> Iterator[str]:
    yield from (encoding for mark, encoding in _MARKS.items() if content.startswith(mark))
    controls = len(content) - len(content.translate(None, _CONTROL_BYTES))
    if controls <= _MAX_CONTROL_SHARE * len(content):
        yield from ("utf-8", "latin-1")
