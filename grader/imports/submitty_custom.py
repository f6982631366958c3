"""Runs a validator of the course's as Submitty does, and ends as an output validator of the Kattis problem format does.

It is called as `input answer feedback JSON`: JSON is what the validator reads, and the folder `files` beside this file
has its other files. It reads what is judged from its standard input. `grader import submitty` puts a copy of this file
beside the assignment.
"""

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ACCEPTED, REJECTED, FAULT = 42, 43, 1
_MAX_MESSAGE = 2000


def main() -> int:
    """Run the validator and return the status; what went wrong with the validator itself is on standard error."""
    feedback, asked = Path(sys.argv[3]), json.loads(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(Path(__file__).with_name("files"), work, dirs_exist_ok=True)
        place = work / asked["testcase_prefix"] / asked["actual_file"]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(sys.stdin.buffer.read())
        (work / "custom_validator_input.json").write_text(json.dumps(asked))
        done = subprocess.run(
            shlex.split(asked["command"]), cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
        )
        written = work / "validation_results.json"
        text = written.read_bytes() if written.is_file() else done.stdout
    try:
        score, message = _read_result(json.loads(text))
    except (ValueError, TypeError, KeyError) as error:
        sys.stderr.write(f"the validator ended with {done.returncode} and wrote no result: {error}\n")
        return FAULT
    (feedback / "teammessage.txt").write_text(message or "The validator of the course did not accept this.")
    if score <= 0:
        return REJECTED
    (feedback / "score_multiplier.txt").write_text(repr(score))
    return ACCEPTED


def _read_result(said: Any) -> tuple[float, str]:
    """Return the score, from 0 to 1, and the message for the student; an exception for what is no result."""
    if "data" in said and said.get("status") != "success":
        raise ValueError(f"it says {said.get('status')!r}")
    data = said.get("data", said)  # an older protocol has no `data`
    told = data.get("message", "")
    if isinstance(told, list):
        told = "; ".join(str(one.get("message", "")) for one in told)
    return min(1.0, max(0.0, float(data["score"]))), str(told)[:_MAX_MESSAGE]


if __name__ == "__main__":
    sys.exit(main())
