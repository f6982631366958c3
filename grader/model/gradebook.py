"""What becomes of a class: who is in it, what they handed in, and the report of each as it was written down.

A `Record` is a report read back from `report.json`, without what programs wrote: a class of a thousand has to fit into
little memory. Whoever needs the outputs reads that one file. All texts are as they were shown: escaped, cut, printable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from grader.model.judgement import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationRecord:
    """A deviation, as `report.json` has it."""

    kind: str
    stream: str
    message: str
    keeps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRecord:
    """A case, as `report.json` has it."""

    id: str
    verdict: Verdict
    credit: float
    command: str
    message: str
    deviations: tuple[DeviationRecord, ...] = ()
    time: float | None = None
    """seconds; None when nothing ran"""
    likeness: str = ""
    """the same for outputs that are the same up to blanks; empty for a case that passed or never ran"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRecord:
    """A test, as `report.json` has it."""

    __test__ = False

    name: str
    points: float
    score: float | None
    verdict: Verdict
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    bonus: bool = False
    about: str = ""
    hint: str = ""
    cases: tuple[CaseRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecRecord:
    """Which contract it was."""

    id: str
    title: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRecord:
    """Which submission it was, by its shown name and its content."""

    id: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxRecord:
    """How programs were confined."""

    level: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRecord:
    """Something that was noticed in a submission."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRecord:
    """How the build went."""

    ok: bool
    command: str = ""
    message: str = ""
    log: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One graded submission, as `report.json` (format 1) has it. Points are rounded to two places."""

    format: int
    grader: str
    """the version that graded it"""
    spec: SpecRecord
    submission: SubmissionRecord
    verdict: Verdict
    score: float | None
    """None when something is ungraded"""
    max_score: float
    sandbox: SandboxRecord
    toolchain: Mapping[str, str]
    findings: tuple[FindingRecord, ...] = ()
    build: BuildRecord
    tests: tuple[TestRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A graded submission as it is kept and sent: its report in every written form."""

    digest: str
    """of the submission, SHA-256, hexadecimal; empty when it could not be read"""
    verdict: Verdict
    headline: str
    """`alice  87.5 of 100  failed`"""
    files: Mapping[str, bytes]
    """name -> content, `report.json` and all the others"""
    later: Mapping[str, bytes] = field(default_factory=dict)
    """those of them that say more once the due date has passed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One person of the roster; without a roster, whoever a submission is named after."""

    id: str
    name: str = ""
    email: str = ""
    login: str = ""
    """the name that a platform knows them by, such as a GitHub user's"""
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One submission of a class, or the lack of one, with whose it is."""

    id: str
    """the name that its report goes by: a student's or a team's id, else the submission's own name"""
    path: Path | None
    """the folder or archive that is graded; None when nothing was handed in"""
    students: tuple[Student, ...]
    """one, or the members of a team"""
    team: str = ""
    """the team's name; empty for a student alone"""
    notes: tuple[str, ...] = ()
    """what to know about how it was found: "attempt 2 of 2 was graded" """


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A line of the gradebook: an entry, and what it came to."""

    entry: Entry
    record: Record | None
    """None when nothing was handed in, or it is not graded yet"""
    folder: str = ""
    """the folder of its report, below the class's"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradebook:
    """A class with its grades, in the order of the entries' ids."""

    spec: SpecRecord
    max_score: float
    grades: tuple[Grade, ...]
    spec_text: str = ""
    """the YAML by which it was graded; empty when that is not known"""
    shard: str = ""
    """`2/8` when it is a part of a class"""
    unused: tuple[str, ...] = field(default=())
    """what lay among the submissions and is none: older attempts, stray files; a sentence each"""
