"""A course of three tiny assignments in Python, with late work, for the overview and the free late days."""

from collections.abc import Mapping
from pathlib import Path

from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
NAMES = {"s1": "Ada Abara", "s2": "Bo Berg", "s3": "Cy Costa", "s4": "Di Dias", "s5": "Eve Eze"}
RIGHT = "import sys\nprint(sum(map(int, sys.argv[1:])))\n"
WRONG = "import sys\nprint(sum(map(int, sys.argv[2:])))\n"
BROKEN = "print(\n"


def lay_out_course(folder: Path, *, free_days: int = 2) -> Path:
    """Make a course root with the specs `one`, `two` and `three`, due a week apart."""
    due = {"one": 6, "two": 13, "three": 20}
    days = "".join(f"  {name}: 2026-11-{day:02} 23:59 Europe/Zurich\n" for name, day in due.items())
    late = f"late: {{per-day: -50 %, closed-after: 4 days, free-days: {free_days} days}}\n"
    specs = {f"specs/{name}.yaml": DATA["SPEC"].replace("NAME", name) for name in due}
    return lay(folder, {**specs, "grader.yaml": f"due:\n{days}{late}"})


def hand_in(course: Path, spec: str, works: Mapping[str, str], times: Mapping[str, str]) -> tuple[Path, Path]:
    """Lay out what was handed in for a spec, and a roster with the times; return both."""
    folder = lay(course / "handed-in" / spec, {f"{name}/sum.py": source for name, source in works.items()})
    lines = [f"{name},{NAMES[name]},{name}@x.edu,{times.get(name, '')}" for name in {**works, **times}]
    roster = course / f"roster-{spec}.csv"
    roster.write_text("\n".join(["id,name,email,submitted", *lines]) + "\n")
    return folder, roster
