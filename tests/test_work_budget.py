"""Each way in which a submission may keep a worker busy ends with its budget, and is ungraded; honest work is not."""

import json
import subprocess
from pathlib import Path

import pytest

from grader.core.cache import user_cache
from grader.core.languages import TOOLCHAINS_FILE, toolchain
from grader.core.reader.spec import load
from grader.core.reader.spec_cache import read_data_cached
from grader.core.run.measuring import default_work_seconds
from tests.support.classes import command
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
HONEST = DATA["HONEST"]
SLEEPS = DATA["SLEEPS"]
WATCHED = DATA["WATCHED"]
FOREVER = WATCHED.replace("SLEEP", "sleep(40)").replace("UNSET", "puts(argv[1])")
IN_ITS_TIME = WATCHED.replace("SLEEP", "usleep(900000)").replace("UNSET", "return 0")
SLOW_BUILD = "held: held.c\n\tsleep 7\n\tgcc -o held held.c\n"


def graded(
    folder: Path, program: str, budget: int | None, *keys: str, makefile: str = "", cases: int = 8
) -> dict[str, object]:
    text = SPEC.replace("    REPEAT\n", "".join(f"    {key}\n" for key in keys))
    text = text.replace("[1, 2, 3, 4, 5, 6, 7, 8]", str([*range(1, cases + 1)]))
    files = {"work/ada/held.c": program, **({"work/ada/Makefile": makefile} if makefile else {})}
    lay(folder, {"specs/held.yaml": text, **files})
    asked = [] if budget is None else ["--budget", str(budget)]
    subprocess.run(
        command("run", "work/ada", "--spec", "held", *asked), cwd=folder, capture_output=True, timeout=200, check=False
    )
    found: dict[str, object] = json.loads((folder / "reports/held/ada/report.json").read_text())
    return found


@pytest.mark.timeout(250)
@each_row
def test_a_submission_that_takes_too_long_in_all_is_ungraded(
    tmp_path: Path, program: str, budget: int, keys: tuple[str, ...], makefile: str
) -> None:
    found = graded(tmp_path, program, budget, *keys, makefile=makefile)
    assert (found["verdict"], found["score"]) == ("ungraded", None)
    cases = [case for test in found["tests"] for case in test["cases"]]  # type: ignore[attr-defined]
    assert f"used up its {budget} s of the machine's time" in cases[-1]["message"]
    assert {case["verdict"] for case in cases} <= {"passed", "failed", "ungraded"}


@pytest.mark.timeout(250)
def test_honest_work_never_meets_the_budget_of_its_limits(tmp_path: Path) -> None:
    found = graded(tmp_path, HONEST, None, "repeat: 2", "memory-clean: true", cases=3)  # each of which has its share
    assert (found["verdict"], found["score"]) == ("passed", 8)


@pytest.mark.timeout(250)
def test_where_a_value_comes_from_is_left_out_before_a_case_is(tmp_path: Path) -> None:
    found = graded(tmp_path, IN_ITS_TIME, 60, "memory-clean: true")
    assert found["verdict"] == "failed"


def test_what_a_spec_allows_by_default(tmp_path: Path) -> None:
    path = tmp_path / "held.yaml"
    for keys, allowed in (("", 30 + 8 + 3 * 40), ("memory-clean: true", 30 + 8 + 3 * 40 + 8 * (20 + 25 * 5))):
        path.write_text(SPEC.replace("REPEAT", keys or "repeat: 1"))
        assert (
            default_work_seconds(load(path), toolchain("c", read_data_cached(TOOLCHAINS_FILE, user_cache()))) == allowed
        )
