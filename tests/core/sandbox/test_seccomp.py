"""What a program may not ask of the kernel, tried at each level by a program in C that asks for it."""

import ctypes
import errno
import platform
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Literal

import pytest

from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Permission
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from grader.core.sandbox.command import StartPlan, spawn
from grader.core.sandbox.seccomp import _PERMITTED, REFUSED, SYNCS, call_number, system_call_filter
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
LEVELS = ["full", "none", "container"]
MINUTES = 120
AT = {"x86_64": 0, "aarch64": 1}[platform.machine()]
HEADERS = ["asm/unistd_64.h" if AT == 0 else "asm/unistd.h", "asm-generic/unistd.h"]


def compiled(folder: Path, source: str, *options: str) -> Path:
    (folder / "attack.c").write_text(source)
    subprocess.run(
        ["/usr/bin/gcc", "-w", "-o", "attack", "attack.c", *options], cwd=folder, check=True, timeout=MINUTES
    )
    (folder / "attack.c").unlink()
    return folder


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("ask"), DATA["ASK"])


def told(level: str, folder: Path, *words: object, permits: tuple[Permission, ...] = ()) -> Execution:
    launch = Launch(argv=("./attack", *map(str, words)), folder=folder, permits=permits, limits=Limits(time=60))
    return execute(choose(level), launch, Event())


def answers(level: str, folder: Path, *words: object, permits: tuple[Permission, ...] = ()) -> list[int]:
    execution = told(level, folder, *words, permits=permits)
    assert execution.status == 0, execution
    return [int(line) for line in execution.stdout.split()]


@pytest.mark.parametrize(("place", "header"), [*enumerate(HEADERS)], ids=["this machine", "aarch64"])
def test_the_numbers_are_the_kernels(place: int, header: str) -> None:
    command = [
        "/usr/bin/gcc",
        "-E",
        "-dM",
        "-D__ARCH_WANT_MEMFD_SECRET",
        "-D__ARCH_WANT_SYS_CLONE3",
        "-include",
        header,
    ]
    output = subprocess.run([*command, "-x", "c", "/dev/null"], capture_output=True, check=True, timeout=MINUTES).stdout
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\n", output.decode())}
    column = AT if place == 0 else 1
    ours = {name: numbers[column] for name, numbers in {**REFUSED, **SYNCS}.items() if numbers[column] is not None}
    assert {name: number for name, number in ours.items() if name in known} == {
        name: known[name] for name in ours if name in known
    }
    newer = {name: number for name, number in ours.items() if name not in known}
    last = max(known.values(), default=0)
    assert all(number is not None and number > 448 for number in newer.values()), (newer, last)


@pytest.mark.parametrize("level", LEVELS)
def test_every_refused_call_is_refused(level: str, asking: Path) -> None:
    names = [name for name, numbers in REFUSED.items() if numbers[AT] is not None]
    got = answers(level, asking, *(word for name in names for word in (call_number(name), -1, -1)))
    assert {
        name: answer for name, answer in zip(names, got, strict=True) if answer not in (errno.EPERM, errno.ENOSYS)
    } == {}


@pytest.mark.parametrize("name", DATA["MUST_BE_REFUSED"].split())
def test_what_has_to_be_refused_is_in_the_table(name: str) -> None:
    assert name in REFUSED


WITH_FLAGS = (327, 286), (328, 287)
"""preadv2 and pwritev2"""
MAX_STEPS = 16
"""of the filter for a call: the kernel takes them for every number there is, each time that a program is started"""


def answer_of(program: bytes, number: int, argument: int) -> tuple[int, int]:
    """Return what a filter says of a call, and after how many steps (linux/filter.h)."""
    machine = {0: 0xC000003E, 1: 0xC00000B7}[AT]
    call = struct.pack("=IIQ6Q", number, machine, 0, *[argument] * 6)
    steps, at, loaded = 0, 0, 0
    while True:
        code, hit, miss, figure = struct.unpack_from("=HBBI", program, 8 * at)
        steps, at = steps + 1, at + 1
        if code == 0x06:
            return figure, steps
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", call, figure)
        else:
            holds = {0x15: loaded == figure, 0x35: loaded >= figure, 0x45: bool(loaded & figure)}[code]
            at += hit if holds else miss


@pytest.mark.parametrize("permits", [(), ("shared-memory", "tracing")])
def test_the_filter_refuses_what_is_in_the_table_in_few_steps(permits: tuple[Permission, ...]) -> None:
    program = system_call_filter(frozenset(permits))
    allowed = {name for permission in permits for name in _PERMITTED[permission]}
    refused = {numbers[AT] for name, numbers in {**REFUSED, **SYNCS}.items() if name not in allowed}
    refused |= {call[AT] for call in WITH_FLAGS}
    for number in range(600):
        answer, steps = answer_of(program, number, 1)  # which is fine for each call that is looked into
        assert (answer != 0x7FFF0000) == (number in refused), number
        assert steps <= MAX_STEPS


SOCKETS, IOCTL, CLONE, FCNTL = ((41, 198), (53, 199)), (16, 29), (56, 220), (72, 25)
MSYNC, OPENAT = (26, 227), (257, 56)
BY_ARGUMENT = [
    # Of a call that looks at an int the kernel sees the lower half alone: the upper one must not hide anything.
    *(
        (call, family + upper, 1, errno.EAFNOSUPPORT)
        for call in SOCKETS
        for family in (16, 17, 40, 38, 31)  # netlink, packet, vsock, alg, bluetooth
        for upper in (0, 1 << 32)
    ),
    *(
        (IOCTL, descriptor, request + upper, errno.EPERM)
        for descriptor in (0, 9)
        for request in (0x5412, 0x541C)
        for upper in (0, 1 << 32, -1 << 32)
    ),
    *((CLONE, flag | 17, 0, errno.EPERM) for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000)),
    *((CLONE, flag | 17, 0, errno.EPERM) for flag in (0x10000000, 0x20000000, 0x40000000, 0x7E020000)),
    *((FCNTL, 1, request, errno.EPERM) for request in (1024, 1026)),
    # What waits for a disk of the machine is done at once; only a descriptor that is none is left to the kernel.
    *((numbers, 1, 0, 0) for numbers in SYNCS.values()),
    *((numbers, 999, 0, 0) for numbers in SYNCS.values()),
    *((numbers, -1, 0, errno.EBADF) for name, numbers in SYNCS.items() if name != "sync"),
    (MSYNC, 0, 4096, 0),
    # What reads from the disk again is refused as by kernels that cannot do it.
    (OPENAT, -100, 0, errno.EINVAL),
    (FCNTL, 1, 4, errno.EINVAL),
    # And what is asked beside them by everybody is not.
    (IOCTL, 0, 0x5401, errno.ENOTTY),
    (FCNTL, 1, 1, 0),
]


@pytest.mark.parametrize("level", LEVELS)
def test_calls_are_refused_by_their_arguments(level: str, asking: Path) -> None:
    words = [word for call, first, second, _ in BY_ARGUMENT for word in (call[AT], first, second)]
    got = answers(level, asking, *words)
    assert answers(level, asking, SOCKETS[0][AT], 2, 1) == [
        errno.EAFNOSUPPORT if level == "container" else errno.EINVAL
    ]
    wrong = [(case, answer) for case, answer in zip(BY_ARGUMENT, got, strict=True) if answer != case[3]]
    assert wrong == []


@pytest.mark.skipif(AT != 0, reason="there are no others on this machine")
@pytest.mark.parametrize("level", LEVELS)
def test_calls_of_another_machine_are_refused(level: str, tmp_path: Path) -> None:
    assert told(level, compiled(tmp_path, DATA["FOREIGN"])).stdout.split() in ([b"-38", b"-1"], [b"-14", b"-1"])


@contextmanager
def with_a_key(name: bytes) -> Iterator[None]:
    """Hold a key in the session keyring of this thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(call_number("keyctl"), 1, None)
    key = libc.syscall(call_number("add_key"), b"user", name, b"secret", 6, ctypes.c_int(-3))
    assert key > 0, ctypes.get_errno()
    try:
        yield
    finally:
        libc.syscall(call_number("keyctl"), 3, key)


SEARCH = DATA["SEARCH"].replace("KEYCTL", str(call_number("keyctl")))


@pytest.mark.parametrize(("thread", "found"), [(None, b"True"), ("shared", b"False"), ("own", b"False")])
def test_the_keys_of_the_instructor_are_not_handed_on(
    thread: Literal["shared", "own"] | None, found: bytes, tmp_path: Path
) -> None:
    """Even to one that may ask for keys, as those that we start may not."""
    argv = [sys.executable, "-c", SEARCH]

    def look() -> None:
        with with_a_key(b"grader-canary"), (tmp_path / "found").open("wb") as output:
            streams = (subprocess.DEVNULL, output.fileno(), 2)
            if thread is None:
                subprocess.run(argv, stdout=output, check=True, timeout=60)
            else:
                plan = StartPlan(argv=argv, env={}, folder="/", streams=streams, new_session=True, thread=thread)
                spawn(plan).wait(60)

    with_own_keyring = Thread(target=look)
    with_own_keyring.start()
    with_own_keyring.join(90)
    assert (tmp_path / "found").read_bytes().strip() == found


@pytest.mark.parametrize("level", LEVELS)
def test_no_program_waits_for_the_disks_of_the_machine(level: str, tmp_path: Path) -> None:
    assert told(level, compiled(tmp_path, DATA["DISKS"])).stdout == b"000 00 00 12 00 22 22 22 0 1 44 95 95 38 kept 9\n"


@pytest.mark.parametrize(("number", "name"), [((10, 226)[AT], "mprotect"), ((329, 288)[AT], "pkey_mprotect")])
def test_a_watched_program_that_turns_data_into_code_is_killed(number: int, name: str) -> None:
    watched = system_call_filter(is_watched=True)
    found = {protection: answer_of(watched, number, protection)[0] for protection in (1, 3, 4, 5, 7)}
    assert found == {1: 0x7FFF0000, 3: 0x7FFF0000, 4: 0x80000000, 5: 0x80000000, 7: 0x80000000}, name
    assert answer_of(system_call_filter(), number, 7)[0] == 0x7FFF0000


def test_a_watched_program_writes_into_no_memory_by_another_way() -> None:
    watched = system_call_filter(frozenset({"tracing"}), is_watched=True)
    free = system_call_filter(frozenset({"tracing"}))
    for name in ("ptrace", "process_vm_writev"):
        number = REFUSED[name][AT]
        assert number is not None
        assert (answer_of(watched, number, 0)[0] >> 16, answer_of(free, number, 0)[0]) == (5, 0x7FFF0000)


# ---------------------------------------------------------------- what courses need


def without_network(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if "// net" not in line and "# net" not in line)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@each_row
def test_what_courses_need_is_allowed(
    level: str, files: dict[str, str], script: str, permits: tuple[Permission, ...], output: str
) -> None:
    if level == "container":
        if "-fsanitize=leak" in script:
            pytest.skip("what finds leaks needs /proc, which is not there")
        files, output = {path: without_network(text) for path, text in files.items()}, output.removeprefix("A\n")
    launch = Launch(
        argv=("sh", "-c", script),
        files={path: text.encode() for path, text in files.items()},
        permits=permits,
        limits=Limits(time=90, cpu=60, memory=2**30, processes=128),
    )
    execution = execute(choose(level, ("/etc/java-*",)), launch, Event())
    assert (execution.status, execution.stdout.decode()) == (0, output), execution.stderr.decode()


def test_no_other_language_has_what_c_has(asking: Path) -> None:
    names = ["shmget", "shmat", "ptrace", "process_vm_readv"]
    words = [word for name in names for word in (call_number(name), -1, -1)]
    assert errno.EPERM not in answers("full", asking, *words, permits=("shared-memory", "tracing"))
    assert set(answers("full", asking, *words)) == {errno.EPERM}
