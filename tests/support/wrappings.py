"""One class of twelve in each of five wrappings, as they come from a learning platform, with what each is worth.

Of every three students the first has all points, the second those of one test, and the third none.
"""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.rows import from_data, read_data

SIZE = 12
DATA = read_data(__file__)
SPEC = DATA["SPEC"]
COURSE_FILE = "spec: sums\ndue: 2026-11-24 23:59 Europe/Zurich\nlate: {per-day: -50 %}\n"
WORKS: tuple[tuple[str, float], ...] = from_data(DATA["WORKS"], tuple[tuple[str, float], ...])
FIRST = ("Ada", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ivo", "Jo", "Kai", "Lea")
LATE = (0, 3)
"""numbers of the students whose work is late by a day, where the platform says when"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One student of a class."""

    number: int
    id: str
    name: str
    login: str

    @property
    def source(self) -> str:
        """The program that the student hands in."""
        return WORKS[self.number % len(WORKS)][0]

    def score(self, *, is_late: bool) -> float:
        """Return what it is worth."""
        return WORKS[self.number % len(WORKS)][1] * (0.5 if is_late else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapping:
    """What lies in a download, and how it is graded and handed back."""

    folder: Path
    options: Sequence[str]
    """of `grader class`"""
    exports: Mapping[str, Sequence[str]]
    """the format of an export -> its options"""
    scores: Mapping[str, float]
    """by id"""
    mend: Callable[[], object] | None = None
    """changes the roster where somebody is in doubt; None where nobody is"""
    files: Mapping[str, str] = field(default_factory=dict)


def people(prefix: str) -> list[Person]:
    """Return a class; its last two have one name."""
    names = [f"{name} {prefix.title()}" for name in FIRST]
    names[-1] = names[-2]
    return [
        Person(number=number, id=f"{prefix}{1000 + number}", name=name, login=f"{prefix}-{FIRST[number].lower()}")
        for number, name in enumerate(names)
    ]


def zipped(source: str) -> bytes:
    """Return a zip with the program."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("sum.py", source)
    return buffer.getvalue()


def unpack_download(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a platform's download as a zip, and unpack it, as an assistant does."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    path = folder.with_suffix(".download.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder


def write_table(path: Path, rows: Sequence[Sequence[str]]) -> str:
    """Write a CSV file; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return str(path)


def plain(root: Path) -> Wrapping:
    """Zips and folders from a web form; one student handed in two, so somebody is in doubt."""
    class_ = people("zip")
    files = {f"{one.login}.zip": zipped(one.source) for one in class_}
    files |= {f"{one.login}/sum.py": one.source.encode() for one in class_[:4]}
    for one in class_[:4]:
        del files[f"{one.login}.zip"]
    files[f"{class_[5].login}-final.zip"] = zipped(class_[4].source)  # nobody's name: graded, and told
    files[f"{class_[6].login}/sum.py"] = b"print('an older one')\n"
    folder = unpack_download(root / "plain", files)
    roster = root / "plain.csv"

    def write_roster(counts: str = "") -> str:
        rows = [[one.id, one.name, one.login, counts if one is class_[6] else ""] for one in class_]
        return write_table(roster, [["id", "name", "login", "folder"], *rows])

    return Wrapping(
        folder=folder,
        options=("--roster", write_roster()),
        exports={"csv": (), "pages": ()},
        scores={one.id: one.score(is_late=False) for one in class_},
        mend=lambda: write_roster(f"{class_[6].login}.zip"),
    )


def canvas(root: Path) -> Wrapping:
    """Canvas's download, its gradebook as roster and template, and its list of submissions for the times."""
    class_ = people("can")
    files, submissions, rows = {}, [], []
    for one in class_:
        user, late = 500 + one.number, one.number in LATE
        name = "".join(reversed(one.name.lower().split()))
        files[f"{name}_{'LATE_' if late else ''}{user}_{900 + one.number}_sum.zip"] = zipped(one.source)
        submissions.append({"user_id": user, "submitted_at": f"2026-11-{25 if late else 24}T20:00:00Z", "late": late})
        first, last = one.name.split()
        rows.append([f"{last}, {first}", str(user), one.id, one.login, "A", ""])
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sums (77)"]
    roster = write_table(root / "canvas.csv", [head, ["    Points Possible", "", "", "", "", "10"], *rows])
    (root / "submissions.json").write_text(json.dumps(submissions))
    return Wrapping(
        folder=unpack_download(root / "canvas", files),
        options=("--roster", roster, "--times", str(root / "submissions.json")),
        exports={"canvas": ("--template", roster, "--assignment", "Sums (77)"), "canvas-feedback": ()},
        scores={one.id: one.score(is_late=one.number in LATE) for one in class_},
    )


def moodle(root: Path) -> Wrapping:
    """Moodle's download, and its grading worksheet as roster, for the times, and to be filled in."""
    class_ = people("moo")
    head = ["Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade"]
    head += ["Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"]
    files, rows = {}, []
    for one in class_:
        number, day = 70 + one.number, "Wednesday, 25" if one.number in LATE else "Tuesday, 24"
        files[f"{one.name}_{number}_assignsubmission_file_/sum.py"] = one.source.encode()
        cells = [f"Participant {number}", one.name, one.id, f"{one.login}@x.edu", "Submitted for grading", "", "10.00"]
        rows.append([*cells, "Yes", f"{day} November 2026, 11:59 PM", "-", ""])
    roster = write_table(root / "moodle.csv", [head, *rows])
    return Wrapping(
        folder=unpack_download(root / "moodle", files),
        options=("--roster", roster),
        exports={"moodle": ("--template", roster), "moodle-feedback": ()},
        scores={one.id: one.score(is_late=one.number in LATE) for one in class_},
    )


def gradescope(root: Path) -> Wrapping:
    """Gradescope's export, whose metadata say who and when."""
    class_ = people("gsc")
    files, lines = {}, []
    for one in class_:
        files[f"submission_{3000 + one.number}/sum.py"] = one.source.encode()
        lines.append(
            f"submission_{3000 + one.number}:\n  :submitters:\n  - :name: {one.name}\n    :sid: {one.id}\n"
            f"    :email: {one.login}@x.edu\n"
            f"  :created_at: 2026-11-{25 if one.number in LATE else 24} 20:00:00.000000000 Z\n"
        )
    files["submission_metadata.yml"] = "".join(lines).encode()
    roster = write_table(root / "gradescope.csv", [["sid", "name"], *([one.id, one.name] for one in class_)])
    return Wrapping(
        folder=unpack_download(root / "gradescope", files),
        options=("--roster", roster),
        exports={"csv": (), "pages": ()},
        scores={one.id: one.score(is_late=one.number in LATE) for one in class_},
    )


def github(root: Path) -> Wrapping:
    """Clones of GitHub Classroom's repositories, and its roster."""
    class_ = people("git")
    files = {f"sums-{one.login}/sum.py": one.source.encode() for one in class_}
    files |= {f"sums-{one.login}/.git/HEAD": b"ref: refs/heads/main\n" for one in class_}
    rows = [[one.id, one.login, str(one.number), one.name] for one in class_]
    roster = write_table(root / "github.csv", [["identifier", "github_username", "github_id", "name"], *rows])
    return Wrapping(
        folder=unpack_download(root / "github", files),
        options=("--roster", roster),
        exports={"csv": (), "pages": ()},
        scores={one.id: one.score(is_late=False) for one in class_},
    )


WRAPPINGS = {"plain": plain, "canvas": canvas, "moodle": moodle, "gradescope": gradescope, "github": github}
