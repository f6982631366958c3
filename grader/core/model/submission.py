"""What a student handed in, staged and built."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from grader.core.model.layout import Repair, RequiredFile
from grader.core.model.limits import LimitName

FORGED: Final = "forged"  # kind of a finding for the staff alone: a case passed as no honest program does


class Submission(Struct, frozen=True, kw_only=True):
    """What a student handed in: a folder or an archive. `id` is its name, which may hold anything a file name may."""

    id: str
    path: Path


class Finding(Struct, frozen=True, kw_only=True):
    """Something about a submission that costs nothing by itself but that the student should know."""

    kind: str
    message: str


class Staged(Struct, frozen=True, kw_only=True):
    """A private copy of a submission, after the layout was put right."""

    folder: Path
    digest: str  # SHA-256 over names and contents as they were handed in, hexadecimal
    findings: tuple[Finding, ...] = ()
    problem: str | None = None  # why it cannot be built or run, in one sentence; None when it can
    is_readable: bool = True
    missing: tuple[RequiredFile, ...] = ()  # what is required and not there, if that is all that is wrong


class BuildResult(Struct, frozen=True, kw_only=True):
    """How the build went. A submission with nothing to build is `ok` with no command."""

    ok: bool
    command: str = ""
    log: bytes = b""
    message: str = ""
    is_readable: bool = True
    time: float = 0.0
    limit: "LimitName | None" = None
    findings: tuple[Finding, ...] = ()
    repaired: "Repaired | None" = None  # all else is about the work as it was handed in
    tried: "tuple[FailedRepair, ...]" = ()


class Repaired(Struct, frozen=True, kw_only=True):
    """The repairs that were made, and how the build went with them."""

    repairs: tuple[Repair, ...]
    messages: tuple[str, ...]
    command: str
    log: bytes
    time: float


class FailedRepair(Struct, frozen=True, kw_only=True):
    """A repair, or several together, that did not help."""

    names: tuple[str, ...]
    message: str


class Artifact(Struct, frozen=True, kw_only=True):
    """What can be run: a folder of files, each case gets a fresh copy. Exists also when the build failed."""

    folder: Path
    build: BuildResult
    handed_in: Path | None = None  # where the work was repaired: the same without the repair
    made: Mapping[str, bytes] = {}  # files of ours for the cases of a kind, besides those in `folder`

    @property
    def charged(self) -> frozenset[str]:
        """The required files whose absence a repair has charged: nothing else is lost by the names."""
        return frozenset(name for one in getattr(self.build.repaired, "repairs", ()) for name in one.missing)
