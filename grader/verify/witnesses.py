"""Which right samples show that somebody else can meet a spec: those that are not the reference itself.

`grader new --from` copies the reference as a first sample. Its full marks are those of the reference, so they prove
nothing about what other right programs get.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from grader.core import oracle
from grader.core.errors import HostError
from grader.core.model.spec import Spec
from grader.core.text import count, joined
from grader.verify.samples import Sample

_MAX_COMPARED_BYTES = 2**20


class Witnesses(Struct, frozen=True, kw_only=True):
    """The right samples of a spec."""

    copies: tuple[str, ...]
    """the names of those that are the reference itself"""
    independent: int
    """how many others there are"""
    is_named: bool = False
    """whether the spec names a sample as its reference, so that its author knows"""

    @property
    def describe_copies(self) -> str:
        """A sentence about the copies; empty without any."""
        if not self.copies:
            return ""
        names = joined([f"`{name}`" for name in self.copies])
        what = f"the sample {names} is the reference itself: its"
        if len(self.copies) > 1:
            what = f"the samples {names} are the reference itself: their"
        return f"{what} full marks prove nothing ({count(self.independent, 'independent right sample')})"


def find_witnesses(spec: Spec, stated: Sequence[Sample]) -> Witnesses:
    """Return which of the samples that must have full marks are copies of the reference."""
    right = [sample for sample in stated if sample.is_right(spec)]
    files = _files_of_reference(spec)
    own = frozenset(_normalised(content) for content in files.values() if content.strip())
    copies = tuple(sample.submission.id for sample in right if own and _is_made_of(sample.submission.path, own))
    is_named = any(name.startswith("sample_submissions/") for name in files)
    return Witnesses(copies=copies, independent=len(right) - len(copies), is_named=is_named)


def _files_of_reference(spec: Spec) -> Mapping[str, bytes]:
    try:
        return oracle.reference.reference_files(spec) if spec.has_references else {}
    except HostError:  # another check tells of a missing reference
        return {}


def _is_made_of(path: Path, contents: frozenset[bytes]) -> bool:
    """Whether every file of a sample, which is a folder or a file, is one of the reference, whatever its name."""
    files = [file for file in sorted(path.rglob("*")) if file.is_file()] if path.is_dir() else [path]
    if not files or any(file.is_symlink() or file.stat().st_size > _MAX_COMPARED_BYTES for file in files):
        return False
    return all(_normalised(file.read_bytes()) in contents for file in files)


def _normalised(content: bytes) -> bytes:
    """Return a text without what editors change by themselves: line ends, and spaces at the ends."""
    return b"\n".join(line.rstrip() for line in content.strip().splitlines())
