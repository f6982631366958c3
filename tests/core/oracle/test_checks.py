import gc
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader import Wrong
from grader.core.errors import HostError
from grader.core.model.spec import CheckOptions
from grader.core.model.values import Check, Facts, PartlyRight
from grader.core.oracle.checks import load_checks
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
RIGHT = DATA["RIGHT"]
HELPER = "def answer(n):\n    return n.encode()\n"


def asked(root: Path, source: str, function: str = "boards", **options: str) -> CheckOptions:
    lay(root / "reference", {"checks.py": source, "queens.py": HELPER})
    return CheckOptions(function=f"reference/checks.py:{function}", arguments=options)


def without_facts(root: Path, **bounds: Any) -> Callable[[CheckOptions], Check]:
    checks = load_checks(root, **bounds)
    return lambda expected: checks(expected, Facts())


def test_a_right_output_and_a_wrong_one(tmp_path: Path) -> None:
    check = without_facts(tmp_path)(asked(tmp_path, RIGHT, n="8"))
    check(b"8")
    with pytest.raises(Wrong, match="Row 8 has two queens"):
        check(b"9")


def test_nothing_of_a_course_is_left_in_python(tmp_path: Path) -> None:
    modules, path = set(sys.modules), list(sys.path)
    for course, answer in (("one", b"1"), ("two", b"2")):
        root = tmp_path / course
        expected = asked(root, RIGHT)
        (root / "reference" / "queens.py").write_text(f"def answer(n):\n    return {answer!r}\n")
        without_facts(root)(expected)(answer)
        assert sorted(path.name for path in (root / "reference").iterdir()) == ["checks.py", "queens.py"]
    assert (set(sys.modules), sys.path) == (modules, path)


def test_a_file_is_loaded_once_and_a_dataclass_in_it_is_none_the_worse(tmp_path: Path) -> None:
    expected = asked(tmp_path, DATA["COUNTS_LOADS"])
    every = without_facts(tmp_path)
    for _ in range(3):
        every(expected)(b"")
    assert (tmp_path / "reference" / "loads").read_text() == "x"


@each_row
def test_a_file_that_cannot_be_used_is_our_fault(source: str, message: str, tmp_path: Path) -> None:
    expected = asked(tmp_path, source)
    with pytest.raises(HostError) as raised:
        without_facts(tmp_path)(expected)
    assert message in str(raised.value)


@each_row
def test_a_fault_of_the_check_is_never_a_students(source: str, message: str, tmp_path: Path) -> None:
    check = without_facts(tmp_path)(asked(tmp_path, source))
    with pytest.raises(HostError) as raised:
        check(b"")
    assert message in str(raised.value)


def test_a_missing_file_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(HostError, match=r"reference/checks\.py: there is no such Python file"):
        without_facts(tmp_path)(CheckOptions(function="reference/checks.py:boards"))


def test_an_interruption_goes_through(tmp_path: Path) -> None:
    check = without_facts(tmp_path)(asked(tmp_path, "def boards(output):\n    raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        check(b"")


def test_courses_load_side_by_side(tmp_path: Path) -> None:
    told: list[str] = []

    def load(number: int) -> None:
        root = tmp_path / str(number)
        expected = asked(root, RIGHT)
        (root / "reference" / "queens.py").write_text(
            f"import time\ntime.sleep(0.01)\nanswer = lambda n: b'{number}'\n"
        )
        try:
            without_facts(root)(expected)(str(number).encode())
        except (Wrong, HostError) as error:
            told.append(str(error))

    threads = [threading.Thread(target=load, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not told


def test_what_a_check_says_is_cut(tmp_path: Path) -> None:
    check = without_facts(tmp_path)(
        asked(tmp_path, "from grader import Wrong\ndef boards(o):\n    raise Wrong(o.decode())\n")
    )
    with pytest.raises(Wrong) as found:
        check(b"All of it:\n" + b"x" * 500_000)
    assert len(str(found.value)) < 70_000
    assert str(found.value).endswith("x\n… 434475 more characters")


BUSY = "def boards(o):\n    for _ in range(len(o) ** 2):\n        pass\n"
GREEDY = "def boards(o):\n    o * 10_000\n"
ENDING = "import os\ndef boards(o):\n    os._exit(0)\n"


@pytest.mark.parametrize("source", [BUSY, GREEDY, ENDING])
def test_what_is_too_much_for_a_check_ends_and_the_next_is_judged(source: str, tmp_path: Path) -> None:
    check = without_facts(tmp_path, seconds=1, memory=2**30)(asked(tmp_path, source))
    with pytest.raises(Wrong, match=r"too long to check \(500,000 bytes\)"):
        check(bytes(500_000))
    if source is not ENDING:
        check(b"")


HUGE: tuple[Facts, ...] = (
    Facts(files={"a": bytes(500_000), "b": b"1"}),
    Facts(returned=["a" * 250_000] * 2),
    Facts(stderr=bytes(500_001)),
)


@pytest.mark.parametrize("facts", HUGE)
def test_what_a_program_left_or_returned_is_its_own(facts: Facts, tmp_path: Path) -> None:
    (name,) = (one for one in ("files", "returned", "stderr") if getattr(facts, one))
    expected = replace(asked(tmp_path, f"def boards(output, {name}):\n    bytes(2**40)\n"), takes=("output", name))
    with pytest.raises(Wrong, match=r"too long to check \(500,\d+ bytes\)"):
        load_checks(tmp_path, memory=2**30)(expected, facts)(b"")


@each_row
def test_a_check_that_is_busy_with_little_is_at_fault(source: str, tmp_path: Path) -> None:
    check = without_facts(tmp_path, seconds=1, memory=2**30)(asked(tmp_path, source))
    with pytest.raises(HostError, match=r"checks\.py:boards takes too much \w+, or ended the process; make it quicker"):
        check(bytes(10))


def test_what_a_check_prints_is_no_answer(tmp_path: Path) -> None:
    source = "import os\ndef boards(o):\n    print('{}', flush=True)\n    os.write(1, b'{}')\n    raise ValueError\n"
    check = without_facts(tmp_path)(asked(tmp_path, source))
    for _ in range(2):
        with pytest.raises(HostError, match="ValueError"):
            check(b"")


def test_a_check_remembers_nothing_between_courses_and_ends_with_them(tmp_path: Path) -> None:
    source = "import os\nfrom grader import Wrong\ndef boards(o):\n    raise Wrong(str(os.getpid()))\n"
    check = without_facts(tmp_path)(asked(tmp_path, source))
    with pytest.raises(Wrong) as wrong:
        check(b"")
    process = int(str(wrong.value))
    assert Path(f"/proc/{process}").exists()
    del check, wrong  # its traceback holds it too
    gc.collect()
    assert not Path(f"/proc/{process}").exists()


SHARE = "from decimal import Decimal\nfrom fractions import Fraction\ndef boards(output):\n    return eval(output)\n"


@each_row
def test_a_share_is_exact_and_never_more_than_all(
    returned: str, share: str | None, sharing: Callable[[bytes], None]
) -> None:
    if share is None:
        sharing(returned.encode())
        return
    with pytest.raises((Wrong, HostError)) as raised:
        sharing(returned.encode())
    match raised.value:
        case PartlyRight() as partly:
            assert str(partly.share) == share
        case Wrong():
            assert share == "0"
        case fault:
            assert share == "fault"
            assert "reference/checks.py:3: it returned" in str(fault)


@pytest.fixture(scope="module")
def sharing(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], None]:
    root = tmp_path_factory.mktemp("course")
    return without_facts(root)(asked(root, SHARE))


def test_facts_are_told_as_they_are_and_options_come_before_them(tmp_path: Path) -> None:
    facts = Facts(stdout=b"no", expected=b"\xff\n", args=("\udcff", 1), files={"a\n": b"\0\n", "b": b""}, input=b"no")
    takes = ("expected", "args", "files", "returned")
    check = load_checks(tmp_path)(
        replace(asked(tmp_path, DATA["TELLS_FACTS"], input="8", stdout="o"), takes=takes), facts
    )
    for _ in range(2):
        with pytest.raises(Wrong) as raised:
            check(b"judged")
        assert str(raised.value) == repr(("o", b"\xff\n", ["\udcff", 1], {"a\n": b"\0\n", "b": b""}, None, "8"))
