"""The instructor's checks, run in a process of their own with limits on time and size.

A check is trusted, but its input is not, so its answer is read as data. If it exceeds a limit, a large output of the
student is a wrong answer; with a small output the fault is the check's.
"""

import pickle
import weakref
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from grader.core.errors import HostError, Wrong
from grader.core.helper_process import Helper, HelperProcess
from grader.core.lazy import lazy_call
from grader.core.model.execution import LARGE_OUTPUT_BYTES
from grader.core.model.spec import CheckOptions
from grader.core.model.values import OUTPUT, Check, Checks, Facts, PartlyRight

CHECK_SECONDS, CHECK_MEMORY = 30, 4 * 2**30  # for one check: of processor time, and bytes of address space

_BY_STUDENT = (OUTPUT, "stdout", "stderr", "files", "returned")
_to_json, _from_json = lazy_call("json", "dumps"), lazy_call("json", "loads")
_CODE = """
from pathlib import Path
from grader.core.errors import Wrong
sys.modules["grader"].Wrong = Wrong
from grader.core.oracle.course_functions import serve_checks
root, seconds, further = arguments
if further:
    import os
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    sys.path.append(further)
serve_checks(Path(root), seconds)
"""


def load_checks(root: Path, *, seconds: int = CHECK_SECONDS, memory: int = CHECK_MEMORY, libraries: str = "") -> Checks:
    """Return what makes the checks of a course ready; raises HostError for one that cannot be called.

    `libraries` is a folder from which they import further packages.
    """
    server = Helper(
        task="run the course's checks",
        code=_CODE,
        packages=("grader", "grader.core.oracle"),
        with_libraries=True,
        with_site=True,
        memory=memory,
    )
    idle, start = list[HelperProcess](), partial(HelperProcess, server, str(root), seconds, libraries)

    @cache
    def ready(function: str, options: tuple[tuple[str, str], ...], takes: tuple[str, ...]) -> Mapping[str, Any]:
        request = {"function": function, "options": dict(options), "takes": takes}
        _ask(idle, start, request, {})
        return request

    def check(asked: CheckOptions, facts: Facts) -> Check:
        request = ready(asked.function, tuple(asked.arguments.items()), asked.takes)
        taken = {name: getattr(facts, name) for name in asked.takes if name != OUTPUT}
        return lambda output: _ask(idle, start, request, {OUTPUT: output, **taken})

    weakref.finalize(start, _end_all, idle)  # with the last user of it
    return check


def _ask(
    idle: list[HelperProcess], start: Callable[[], HelperProcess], request: Mapping[str, Any], facts: Mapping[str, Any]
) -> None:
    """Run a check on these facts; without any, only prepare it."""
    try:
        process = idle.pop()
    except IndexError:
        process = start()
    answer = None
    try:
        answer = _from_json(process.ask(_to_request(request, facts)) or "null")
    finally:
        if answer is None:
            _end_all([process])
        else:
            idle.append(process)
    if answer is None or answer.get("exhausted"):
        _describe_too_much(request["function"], facts, "memory" if answer else "time")
    elif "share" in answer:
        raise PartlyRight(answer["wrong"], Fraction(answer["share"]))
    elif "wrong" in answer:
        raise Wrong(answer["wrong"])
    elif "fault" in answer:
        raise HostError(answer["fault"])
    elif "interrupted" in answer:
        raise KeyboardInterrupt


def _to_request(request: Mapping[str, Any], facts: Mapping[str, Any]) -> bytes:
    """Write a request for `serve_checks`: its size on a line, then the request and its facts, as bytes or JSON."""
    plain = {
        name: dict(value) if isinstance(value, Mapping) else _from_json(_to_json(value, default=str))
        for name, value in facts.items()
        if not isinstance(value, bytes)
    }
    written = pickle.dumps({**request, "facts": {**facts, **plain}})
    return b"%d\n%b" % (len(written), written)


def _describe_too_much(function: str, facts: Mapping[str, Any], what: str) -> None:
    written = max((_size_of(value) for name, value in facts.items() if name in _BY_STUDENT), default=0)
    if written > LARGE_OUTPUT_BYTES:
        raise Wrong(f"The text is too long to check ({written:,} bytes); far less is expected.")
    raise HostError(f"the check {function} takes too much {what}, or ended the process; make it quicker")


def _size_of(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(map(_size_of, value.values()))
    return len(value if isinstance(value, bytes) else _to_json(value, default=str))


def _end_all(processes: list[HelperProcess]) -> None:
    while processes:
        processes.pop().close()
