"""Judges as Submitty does, and ends as an output validator of the Kattis problem format does.

It is called as `input answer feedback JSON`, and reads what is judged from its standard input. JSON says how: by a
number, or by a validator of the course's, whose other files are in the folder `files` beside this file. `grader import
submitty` puts copies of this file beside the assignment.
"""

import json
import operator
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ACCEPTED, REJECTED, FAULT, _MAX_MESSAGE = 42, 43, 1, 2000
_WORDS = {"eq": "exactly", "ne": "not", "gt": "more than", "lt": "less than", "ge": "at least", "le": "at most"}


def main() -> int:
    """Judge, and return the status; what went wrong with the validator itself is on standard error."""
    feedback, asked, output = Path(sys.argv[3]), json.loads(sys.argv[4]), sys.stdin.buffer.read()
    try:
        score, message = (_compare_number if asked["method"] == "intComparison" else _ask_validator)(output, asked)
    except (ValueError, TypeError, KeyError) as error:
        sys.stderr.write(f"the validator wrote no result: {error}\n")
        return FAULT
    (feedback / "teammessage.txt").write_text(message or "The validator of the course did not accept this.")
    if score <= 0:
        return REJECTED
    (feedback / "score_multiplier.txt").write_text(repr(score))
    return ACCEPTED


def _compare_number(output: bytes, asked: Any) -> tuple[float, str]:
    if (found := re.match(rb"\s*([+-]?\d{1,18})", output)) is None:
        return 0, "The output does not begin with a number."
    holds = getattr(operator, asked["comparison"])(int(found[1]), asked["term"])
    told = f"The number is {int(found[1])}; {_WORDS[asked['comparison']]} {asked['term']} is expected."
    return float(holds), told


def _ask_validator(output: bytes, asked: Any) -> tuple[float, str]:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(Path(__file__).with_name("files"), work, dirs_exist_ok=True)
        place = work / asked["testcase_prefix"] / asked["actual_file"]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(output)
        (work / "custom_validator_input.json").write_text(json.dumps(asked))
        done = subprocess.run(
            shlex.split(asked["command"]), cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
        )
        written = work / "validation_results.json"
        said = json.loads(written.read_bytes() if written.is_file() else done.stdout)
    if "data" in said and said.get("status") != "success":
        raise ValueError(f"it says {said.get('status')!r}")
    data = said.get("data", said)  # an older protocol has no `data`
    told = data.get("message", "")
    if isinstance(told, list):
        told = "; ".join(str(one.get("message", "")) for one in told)
    return min(1.0, max(0.0, float(data["score"]))), str(told)[:_MAX_MESSAGE]


if __name__ == "__main__":
    sys.exit(main())
