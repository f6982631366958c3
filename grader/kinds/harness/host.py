"""Starts a driver of ours in the sandbox, gives it its request, and reads its record (docs/reference/probes.md).

The driver reads the request, which has no expectations, and writes the first mark to standard output before it loads
student code: nothing can remove that mark from the pipe. Then the student's code may do anything: the record may be
removed, forged, or of any size and shape. Each line has a digest of the secret, the line and all lines before it.
"""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch

PROBES = Path(__file__).with_name("probes")
MAX_LINE_LENGTH = 4 * 2**20  # bytes of a line of a record that are read
_LINE = lazy_regex(rb"(?m)^([0-9a-f]{64})(.*)\n?")  # its digest, and what it says


class Driver(Struct, frozen=True, kw_only=True):
    """A driver that is ready: its language, and the files that its command needs in the working folder."""

    language: str
    files: Mapping[str, bytes] = {}


class Outcome(Struct, frozen=True, kw_only=True):
    """How a call, a method of a test, or a test in a report ended badly; all of it may come from the student's code."""

    type: str = ""  # the full name of the exception
    message: str = ""
    place: str = ""  # the innermost line of the student's own, as `bank.py:12`; empty where there is none


@cache
def python_driver(*names: str) -> str:
    """Return the text of a driver in Python, which does nothing before it is called."""
    return "\n".join((PROBES / f"{name}.py").read_text() for name in ("base", *names))


def with_request(launch: Launch, request: Mapping[str, Any], secret: str, limit: int) -> Launch:
    """Return `launch` with a request before its input, whose names come of the secret, and `limit` bytes of record."""
    mark, name = (hashlib.sha256(f"{what} {secret}".encode()).hexdigest()[:16] for what in ("mark", "name"))
    data = json.dumps({**request, "mark": mark, "record": f".{name}", "secret": secret}).encode()
    stdin = b"%010d" % len(data) + data + launch.stdin
    return replace(launch, stdin=stdin, collect=(f".{name}",), collect_limit=limit)


def request_of(launch: Launch) -> tuple[dict[str, Any], bytes]:
    """Return the request of a launch, and the input behind it."""
    end = 10 + int(launch.stdin[:10])
    return json.loads(launch.stdin[10:end]), launch.stdin[end:]


def with_new_secret(launch: Launch, purpose: str) -> Launch:
    """Return the launch for the same request with another secret, always the same for the same `purpose`."""
    request, stdin = request_of(launch)
    secret = hashlib.sha256(f"{purpose} {request['secret']}".encode()).hexdigest()[:32]
    return with_request(replace(launch, stdin=stdin), request, secret, launch.collect_limit)


def output_after_marks(execution: Execution, mark: str, what: str) -> list[bytes]:
    """Return standard output between the marks of a driver. HostError when that, `what` it is, did not start."""
    parts = execution.stdout.split(f"\x1e{mark}\n".encode())
    if len(parts) == 1 and not execution.limit:
        errors = execution.stderr[:1000].decode(errors="backslashreplace").strip()
        raise HostError(f"{what} did not start: {errors or 'it says nothing'}")
    return parts


def read_record(data: bytes, secret: str, *, passes_others: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the lines of a record up to the first foreign line, or all but those; too long lines are skipped."""
    content, end = hashlib.sha256(), 0
    for line in _LINE.finditer(data):
        with_line = content.copy()
        with_line.update(line[2])
        seal = hashlib.sha256(secret.encode() + with_line.hexdigest().encode()).hexdigest()
        is_ours = secrets.compare_digest(seal.encode(), line[1])
        if not passes_others and (not is_ours or line.start() != end):
            return
        content, end = with_line if is_ours else content, line.end()
        with suppress(ValueError, RecursionError):
            if is_ours and len(line[2]) <= MAX_LINE_LENGTH and isinstance(record := json.loads(line[2]), dict):
                yield record
