"""A course of three tiny assignments in Python, with late work, for the overview and the free late days."""

from collections.abc import Mapping
from pathlib import Path

NAMES = {"s1": "Ada Abara", "s2": "Bo Berg", "s3": "Cy Costa", "s4": "Di Dias", "s5": "Eve Eze"}
RIGHT = "import sys\nprint(sum(map(int, sys.argv[1:])))\n"
WRONG = "import sys\nprint(sum(map(int, sys.argv[2:])))\n"
BROKEN = "print(\n"


def lay_out_course(folder: Path, *, free_days: int = 2) -> Path:
    """Make a course root with the specs `one`, `two` and `three`, due a week apart."""
    (folder / "specs").mkdir(parents=True)
    for name in ("one", "two", "three"):
        (folder / "specs" / f"{name}.yaml").write_text(
            f"spec: 1\nid: {name}\ntitle: Sums {name}\nlanguage: python\n"
            "files: {required: [sum.py]}\nprogram: python3 sum.py\n"
            "tests:\n"
            "  - {name: few, points: 6, args: ['1', '2'], expect: {stdout: \"3\\n\"}}\n"
            "  - {name: many, points: 4, args: ['1', '2', '3', '4'], expect: {stdout: \"10\\n\"}}\n"
        )
    (folder / "grader.yaml").write_text(
        "due:\n"
        "  one: 2026-11-06 23:59 Europe/Zurich\n"
        "  two: 2026-11-13 23:59 Europe/Zurich\n"
        "  three: 2026-11-20 23:59 Europe/Zurich\n"
        f"late: {{per-day: -50 %, closed-after: 4 days, free-days: {free_days} days}}\n"
    )
    return folder


def hand_in(course: Path, spec: str, works: Mapping[str, str], times: Mapping[str, str]) -> tuple[Path, Path]:
    """Lay out what was handed in for a spec, and a roster with the times; return both."""
    folder = course / "handed-in" / spec
    for name, source in works.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "sum.py").write_text(source)
    lines = [f"{name},{NAMES[name]},{name}@x.edu,{times.get(name, '')}" for name in {**works, **times}]
    roster = course / f"roster-{spec}.csv"
    roster.write_text("\n".join(["id,name,email,submitted", *lines]) + "\n")
    return folder, roster
