"""What a student puts in the place of what the probe tells: whatever it is, it is judged, and in bounded time."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.kinds.functions.model import Calls, ExpectedValue
from grader.kinds.functions.run import from_wire
from grader.kinds.harness.host import python_driver
from tests.support.functions import call, expecting, function, python, recorded, sealed
from tests.support.payloads import calls_in
from tests.support.rows import each_row

F = function("def f(a)", 4, then=(call("def g()"),))
ASKED = expecting(F, returns=ExpectedValue(want=4), args={0: ExpectedValue(want=5)})
MAX_SEARCH_SECONDS = 60
RETURNED = {"event": "returned", "value": 4}


def judged(execution: Execution) -> CaseResult:
    case = Case(id="a", kind="functions", payload=ASKED)
    return judge(case, execution, None, toolchain=Toolchain(name="python"), command="f(4)")


def read(*records: object) -> Execution:
    lines = (one if isinstance(one, bytes) else json.dumps(one).encode() for one in records)
    return recorded(ASKED, sealed(*lines))


LOADED = {"event": "loaded"}


@each_row
def test_what_is_forged_is_judged(records: list[bytes]) -> None:
    result = judged(read(*records))
    assert result.verdict in {Verdict.CRASHED, Verdict.FAILED}
    assert not result.credit
    assert result.message
    result.message.text.encode()


@pytest.mark.slow
@pytest.mark.timeout(MAX_SEARCH_SECONDS)
@pytest.mark.parametrize("unit", [b"[],", b"{},", b"0,", b"[[", b"\n", b'"a",'])
def test_a_file_of_any_size_is_read_in_bounds(unit: bytes) -> None:
    loaded, whole = b'{"event": "loaded"}', b'{"event": "returned", "value": [' + unit * (14 * 2**20 // len(unit))
    many = b'{"event": "returned", "value": [%b0]}' % (unit * (2 * 2**20 // len(unit)))
    for record in (sealed(loaded, whole, many), sealed(loaded) + whole + many):
        assert calls_in(recorded(ASKED, record)) == Calls(loaded=True)


def test_more_is_told_than_there_are_calls() -> None:
    calls = calls_in(read(LOADED, *[RETURNED] * 1000))
    assert len(calls.returned) == 2


# ---------------------------------------------------------------- by programs


@each_row
def test_whatever_a_module_does_is_its_own(source: str, tmp_path: Path) -> None:
    result = judged(python(f"{source}def g(): pass\n", ASKED, tmp_path))
    assert result.verdict in {Verdict.CRASHED, Verdict.FAILED}
    assert not result.credit


def test_a_python_without_its_own_digests_seals_records_too() -> None:
    lacking = "import sys\nsys.modules.update(_sha2=None, _sha256=None)\n"
    text = f"{lacking}{python_driver()}\nprint(_sha256(b'a').hexdigest())"
    found = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, check=True)
    assert found.stdout.decode().strip() == hashlib.sha256(b"a").hexdigest()


def test_a_value_is_read_up_to_the_size_that_a_probe_writes() -> None:
    written = [[None] * 99_999, [None] * 99_998]
    assert len(from_wire(written)) == 2
    with pytest.raises(ValueError):  # noqa: PT011 - it has no words
        from_wire([*written, None])
