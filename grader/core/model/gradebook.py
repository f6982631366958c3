"""The gradebook of a class; its reports have no outputs of programs: a class of a thousand has to fit into memory."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.core.model.report import ByHand, Lateness, Report, ReportedFinal, ReportedSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One person of the roster; without a roster, the name of a submission."""

    id: str
    name: str = ""
    email: str = ""
    login: str = ""
    section: str = ""


class Afterwards(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What follows the grading of a submission. It is no part of the grading: when it changes, nothing is run."""

    due: str = ""  # when hidden tests are shown, in UTC as ISO 8601 has it; empty when that is not known
    late: Lateness | None = None
    by_hand: tuple[ByHand, ...] = ()


NOTHING_AFTER = Afterwards()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One submission of a class, or the lack of one, with whose it is."""

    id: str  # the name that its report goes by: a student's or a team's id, else the submission's own name
    path: Path | None  # the folder or archive that is graded; None when nothing was handed in, or it is in doubt
    students: tuple[Student, ...]
    team: str = ""
    notes: tuple[str, ...] = ()
    submitted: str = ""  # as the roster or the platform states it; without a zone only if no date is set with one
    uploads: tuple[str, ...] = ()  # the graded names in the class's folder: a platform puts the owner's into them
    platform: str = ""
    is_doubtful: bool = False
    is_unknown: bool = False
    after: Afterwards = NOTHING_AFTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A line of the gradebook: an entry, and what it came to."""

    entry: Entry
    report: Report | None
    folder: str = ""
    decided: ReportedFinal | None = None  # what was decided by hand where nothing was handed in

    @property
    def final(self) -> ReportedFinal | None:
        """What came after the grading; None when nothing did."""
        return ((self.report.final or None) if self.report else None) or self.decided

    @property
    def counted(self) -> float | None:
        """The score that counts, graded or decided by hand; None when there is none."""
        return self.report.counted if self.report else self.decided.score if self.decided else None

    @property
    def is_excused(self) -> bool:
        """Whether the student is excused: there is no score, and none is missing."""
        return self.final is not None and self.final.is_excused


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradebook:
    """A class with its grades, in the order of the entries' ids."""

    spec: ReportedSpec
    max_score: float
    grades: tuple[Grade, ...]
    spec_text: str = ""
    shard: str = ""
    unused: tuple[str, ...] = ()  # a sentence each: older attempts, stray files
    unknown: tuple[str, ...] = ()
