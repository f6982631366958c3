"""What takes more than a submission does: much output, and verifying whole specs; part of `make bench`."""

import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from processes import must_run, run_to_end
from submission import ENVIRONMENT, GRADER, ROOT, row, timed

ROUNDS = 3
_PROGRAM = """\
import os
text = b"a line of a hundred megabytes\\n" * 2**16
for _ in range(100_000_000 // len(text)):
    left = text
    while left:
        left = left[os.write(1, left):]
"""
_SPEC = """\
spec: 1
id: much
title: Much output
language: python
program: /usr/bin/python3 much.py
reference: python3 reference/much.py
limits: {output: 120 MB, time: 30 s}
tests:
  - name: all
    cases:
      - expect: reference
"""
VERIFY_TARGETS = {"cmps12b-pa2": 27.3, "comp333-queens-prolog": 13.0}
"""seconds: a third of what it took when every sample was graded as if nothing were known"""
_AGAIN = 3.0


def measure_output() -> None:
    """Grade 100 MB that are equal to the reference's, beside the same program that writes to a file."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("specs", "alice", "reference"):
            (folder / name).mkdir()
        for name in ("alice", "reference"):
            (folder / name / "much.py").write_text(_PROGRAM)
        (folder / "specs" / "much.yaml").write_text(_SPEC)

        def bare() -> None:
            with (folder / "out").open("wb") as out:
                subprocess.run(["/usr/bin/python3", folder / "alice" / "much.py"], stdout=out, check=True)

        def grade() -> None:
            environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(folder / "cache")}
            must_run([GRADER, "run", "--spec", "specs/much.yaml", "alice"], cwd=folder, env=environment, seconds=300)

        grade()
        pairs = [(timed(bare), timed(grade)) for _ in range(ROUNDS)]
    row("100 MB, equal: the floor, seconds", [one for one, _ in pairs])
    row("100 MB, equal: grader, seconds", [other for _, other in pairs])
    row("100 MB, equal: ratio", [other / one for one, other in pairs])


def measure_verify() -> None:
    """Verify each spec with nothing known, with nothing changed, and after a change on which no run depends."""
    for spec in sorted((ROOT / "specs").glob("*.yaml")):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "course"
            for name in ("specs", "reference", "sample_submissions"):
                shutil.copytree(ROOT / name, folder / name, symlinks=True)
            verify = partial(_verify, spec.name, folder)
            row(f"verify {spec.stem}: seconds", [timed(verify)], VERIFY_TARGETS.get(spec.stem))
            row(f"verify {spec.stem}, unchanged: seconds", [timed(verify)], _AGAIN)
            with (folder / "specs" / spec.name).open("a") as file:
                file.write("# changed\n")
            row(f"verify {spec.stem}, after a change: seconds", [timed(verify)])


def _verify(spec: str, folder: Path) -> None:
    # A spec that fails a language of this machine takes its time all the same.
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(folder / "cache")}
    run_to_end([GRADER, "verify", f"specs/{spec}"], cwd=folder, env=environment, seconds=900)
