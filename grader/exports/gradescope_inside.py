"""The part of `run_autograder` that a shell cannot do safely: names become paths, and texts become JSON.

Called as `python -I -m grader.exports.gradescope_inside link|level|explain ...`, inside the container.
"""

import json
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

from grader.core.errors import HostError
from grader.core.report.json import safe_name, write_files
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from grader.core.sandbox.self_test import failed_self_tests, trial
from grader.core.text import show

_MAX_LOG_BYTES = 4000  # bytes of the log that are shown after a failure
_FAILED = (
    "This submission could not be graded. That is no fault of yours; show the staff what follows, if anything does."
)


def link(metadata: str, submission: str, folder: str) -> None:
    """Put a link to `submission` into `folder`, called by its students as one safe name, else `submission`."""
    try:
        users = json.loads(Path(metadata).read_bytes())["users"]
        names = [user.get("name") or user.get("email") or user.get("id") for user in users]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        names = []  # without names, the submission can still be graded
    team = ", ".join(sorted(str(name) for name in names if name))
    (Path(folder) / safe_name(team or "submission")).symlink_to(Path(submission).absolute())


def best_level() -> str:
    """Return the best level that this container allows now; `full`, which refuses with a reason, if it allows none."""
    for level in ("full", "container"):  # only instructors choose one without protection
        with suppress(HostError):
            if not failed_self_tests(level, execute(choose(level), trial(level), Event())):
                return level
    return "full"


def explain_failure(not_graded: str, log: str, folder: str) -> None:
    """Write results.json into `folder`: `not_graded`, which has no score, with the last bytes of `log` as its text."""
    results: dict[str, Any] = json.loads(Path(not_graded).read_bytes())
    end_of_log = show(Path(log).read_bytes()[-_MAX_LOG_BYTES:]).strip()
    results["output"] = "\n\n".join(filter(None, (_FAILED, end_of_log)))
    write_files({"results.json": json.dumps(results, indent=2).encode() + b"\n"}, Path(folder))


if __name__ == "__main__":
    command, *given = sys.argv[1:]
    if command == "level":
        sys.stdout.write(f"{best_level()}\n")
    else:
        {"link": link, "explain": explain_failure}[command](*given)
