from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec, Toolchain
from grader.core.oracle.answers import ask_reference, reference_files
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from tests.support.packages import lay
from tests.support.rows import each_row

PYTHON = (Toolchain(name="python", crash=(r"^Traceback \(most recent call last\):",)),)
ECHO = "import sys\nprint(sys.argv[1:], repr(sys.stdin.read()))\n"


def spec(root: Path, *reference: str) -> Spec:
    return Spec(id="x", title="X", root=root, digest="", tests=(), program=("true",), reference=reference)


class Counted:
    """A real runner that counts how often it was asked."""

    def __init__(self) -> None:
        self.launches: list[Launch] = []

    def __call__(self, launch: Launch) -> Execution:
        self.launches.append(launch)
        return execute(LEVELS["full"], launch, Event())


def answer(
    tmp_path: Path,
    program: str,
    runner: Counted,
    args: tuple[str, ...] = (),
    *,
    stdin: bytes = b"",
    kept: str = "cache",
) -> Execution:
    files: Mapping[str, bytes] = {"reference/p.py": program.encode()}
    launch = Launch(argv=("python3", "reference/p.py", *args), stdin=stdin)
    return ask_reference(
        launch, files=files, toolchains=lambda: PYTHON, run=runner, cache=Cache(folder=tmp_path / kept)
    )


def test_an_answer_is_asked_once(tmp_path: Path) -> None:
    runner = Counted()
    first, second = (answer(tmp_path, ECHO, runner, ("8",), stdin=b"\xff") for _ in range(2))
    assert first == second
    assert first.stdout == b"['8'] '\\udcff'\n"
    assert len(runner.launches) == 1


@each_row
def test_it_is_asked_again_for(tmp_path: Path, program: str, args: tuple[str, ...], stdin: bytes) -> None:
    runner = Counted()
    answer(tmp_path, ECHO, runner, ("8",))
    answer(tmp_path, program, runner, args, stdin=stdin)
    assert len(runner.launches) == 2


@each_row
def test_a_reference_that_crashes_is_our_failure_and_not_kept(tmp_path: Path, program: str, why: str) -> None:
    runner = Counted()
    for _ in range(2):
        with pytest.raises(HostError, match=why):
            answer(tmp_path, program, runner)
    assert len(runner.launches) == 2


def test_an_uncaught_exception_is_an_answer_only_where_it_may_be_one(tmp_path: Path) -> None:
    launch, files = Launch(argv=("python3", "reference/p.py")), {"reference/p.py": b"1 / 0\n"}
    asked = partial(
        ask_reference, launch, files=files, toolchains=lambda: PYTHON, run=Counted(), cache=Cache(folder=tmp_path)
    )
    assert asked(may_crash=True).status == 1
    with pytest.raises(HostError, match="ZeroDivisionError"):
        asked(may_crash=False)


def test_an_exit_status_is_no_crash(tmp_path: Path) -> None:
    assert answer(tmp_path, "import sys; sys.exit('Usage: x')", Counted()).status == 1


def test_a_damaged_answer_is_asked_again(tmp_path: Path) -> None:
    runner = Counted()
    answer(tmp_path, ECHO, runner)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(kept.read_bytes()[:-5])
    answer(tmp_path, ECHO, runner)
    assert len(runner.launches) == 2


def test_a_store_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert answer(tmp_path, "print(1)", Counted(), kept="file").stdout == b"1\n"


def test_the_files_beside_the_reference_belong_to_it(tmp_path: Path) -> None:
    lay(tmp_path / "reference", {"p.py": "import q", "q.py": "", "__pycache__/p.pyc": b"x"})
    (tmp_path / "secret").write_text("")
    assert set(reference_files(spec(tmp_path, "python3", "reference/p.py"))) == {"reference/p.py", "reference/q.py"}


def test_a_missing_reference_is_our_failure(tmp_path: Path) -> None:
    with pytest.raises(HostError, match=r"the reference is missing: there is no reference/p\.py"):
        reference_files(spec(tmp_path, "python3", "reference/p.py"))


def test_it_may_write_as_much_as_a_spec_allows(tmp_path: Path) -> None:
    runner = Counted()
    for output in (2**20, 100 * 2**20):
        launch = Launch(argv=("python3", "reference/p.py", str(output)), limits=Limits(output=output))
        files = {"reference/p.py": ECHO.encode()}
        ask_reference(launch, files=files, toolchains=lambda: PYTHON, run=runner, cache=Cache(folder=tmp_path))
    assert [asked.limits.output for asked in runner.launches] == [64 * 2**20, 100 * 2**20]
    with pytest.raises(HostError, match="wrote more than 64 MiB; set `output` under the test's `limits`"):
        answer(tmp_path, "import os\nwhile True: os.write(1, bytes(2**20))\n", runner)


def test_an_answer_is_kept_byte_for_byte(tmp_path: Path) -> None:
    """Much output is mostly read again and again: nothing is decoded for that, and nothing becomes larger."""
    cache, answer = Cache(folder=tmp_path), Execution(stdout=bytes(range(256)) * 2**12, status=0)
    cache.store("much", answer)
    assert cache.look_up("much", Execution) == answer
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_size < len(answer.stdout) + 2**12
    kept.write_bytes(kept.read_bytes().replace(b"\x07\x08", b"\x08\x07", 1))
    assert cache.look_up("much", Execution) is None


def test_what_cannot_be_kept_is_found_again(tmp_path: Path) -> None:
    cache = Cache(folder=tmp_path)
    assert [cache.get_or_make("x", int, lambda: 2**70) for _ in range(2)] == [2**70, 2**70]
