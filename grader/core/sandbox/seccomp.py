"""What a student's program may not ask of the kernel, at any level: a filter of system calls (seccomp(2)).

A deny-list, since interpreters need many calls. It refuses calls that reach other processes, other users' keys or new
namespaces, that take memory of no process, or that no course needs and in which faults were found again and again. The
answer is "not implemented" where libraries have a fallback for that, else "not permitted".

The table is our own: the numbers never change, a test compares them with the kernel's headers, and a library for it
would be a package in C: pyseccomp needs libseccomp on the machine, and its last release is of 2021.
"""

import errno
import platform
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from grader.core.errors import HostError
from grader.core.model.spec import Permission

# ---------------------------------------------------------------- what is refused

REFUSED: Mapping[str, tuple[int, int | None]] = {  # system calls that are refused whatever they are given
    # name: (number on x86-64, number on aarch64)
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "modify_ldt": (154, None),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "clone3": (435, 435),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "mount": (165, 40),
    "umount2": (166, 39),
    "mount_setattr": (442, 442),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "openat2": (437, 437),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "syslog": (103, 116),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "vhangup": (153, 58),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    # Which files of the machine lie in its memory, where another program may have left a message so.
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "iopl": (172, None),
    "ioperm": (173, None),
}

SYNCS: Mapping[str, tuple[int, int]] = {
    "sync": (162, 81),
    "syncfs": (306, 267),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "sync_file_range": (277, 84),
}
"""those that wait for the machine's disks: they succeed at once, since nothing that a command writes outlives it"""

_OURS: Mapping[str, tuple[int, int]] = {  # what we ask for ourselves
    "prctl": (157, 167),
    "setgroups": (116, 159),
    "setresgid": (119, 149),
    "setresuid": (117, 147),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
_SHARED: Mapping[str, tuple[int, int]] = {  # calls for what commands without a network of their own would share
    "mq_open": (240, 180),  # where there is no namespace for them, the queues could not be found again
    # Where there is one file system for all, it shows who opens which file, and Landlock allows it.
    "inotify_add_watch": (254, 27),
}
_PUBLIC: Mapping[str, tuple[int, int]] = {"msgget": (68, 186), "semget": (64, 190)}
"""calls for what a command that is private has not"""

_UNKNOWN = {
    # glibc starts threads by clone then, whose flags a filter can read; those of clone3 lie in memory.
    *("clone3", "memfd_create", "memfd_secret", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd"),
    # Its flags lie in memory, too; whoever has no use of it opens as before.
    "openat2",
    *("mincore", "cachestat"),
    *("open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"),
}
_PERMITTED: Mapping[Permission, tuple[str, ...]] = {
    "shared-memory": ("shmget", "shmat", "shmctl", "shmdt"),
    "tracing": ("ptrace", "process_vm_readv", "process_vm_writev"),
}

_NEW_NAMESPACES = 0x7E020000
_TO_TERMINALS = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX, which type into a terminal as if its user did
_MS_SYNC, _FADV_DONTNEED, _MADV_PAGEOUT = 4, 4, 21  # waits for the disk; drops pages, to be read again
_O_DIRECT = (0x4000, 0x10000)
"""reading past the cache, from the disk each time; the sandbox's own folders cannot do it either on many kernels"""
_MREMAP_FIXED, _PROT_EXEC = 2, 4  # moving memory to where other memory may be, and running it
_SET_FLAGS = 4  # F_SETFL, which sets O_DIRECT later
_NEGATIVE = 0x80000000  # from here on a descriptor is none, which the kernel itself says
_LEASES = (1024, 1026)  # F_SETLEASE and F_NOTIFY, which delay or watch other processes at shared files
_FILE_LOCKS = (5, 6, 7, 36, 37, 38)
"""F_GETLK, F_SETLK, F_SETLKW and those of open files: locks on the machine's programs are seen in every sandbox"""
_UNIX, _INET, _INET6 = 1, 2, 10
_FCNTL, _FLOCK = (72, 25), (73, 32)

# ---------------------------------------------------------------- as the kernel reads it

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7), "arm64": (1, 0xC00000B7)}
"""the place in the table, and how the kernel calls the machine (AUDIT_ARCH)"""
_X32 = 0x40000000  # from here on the numbers are those of x86-64 with short pointers
_LOAD, _RETURN = 0x20, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_DONE = _FAIL  # it succeeds without anything being done
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16
_Instruction = tuple[int, int, int, int]
"""code, how many to skip when it holds, how many when it does not, and the figure"""
_Numbers = tuple[int | None, int | None]
_Rule = tuple[_Numbers, int, int, tuple[int, ...], int, int]
"""call, which argument decides, how it is compared, with what, the answer if that holds, and else"""


@cache
def system_call_filter(
    permits: frozenset[Permission] = frozenset(),
    *,
    network: bool = True,
    is_watched: bool = False,
    is_private: bool = False,
) -> bytes:
    """Return the filter for a program with these permissions, as the kernel loads it.

    One that `is_watched` by valgrind does not turn data into code, which could give valgrind orders that nobody sees.
    Without `network` there are no sockets but pairs of them, and no queues of messages. One that `is_private` only
    seems to lock files, and shares no semaphores. Raises HostError for a machine whose numbers we have not.
    """
    at, machine = _machine()
    permits -= {"tracing"} if is_watched else set()  # it could write into valgrind
    allowed = {name for permission in permits for name in _PERMITTED[permission]}
    answers: dict[int, list[_Instruction]] = {}
    calls: Mapping[str, _Numbers] = {**REFUSED, **({} if network else _SHARED), **(_PUBLIC if is_private else {})}
    for name, numbers in calls.items():
        number = numbers[at]
        if number is not None and name not in allowed:
            is_unknown = name in _UNKNOWN or name not in REFUSED
            answers[number] = [(_RETURN, 0, 0, _FAIL | (errno.ENOSYS if is_unknown else errno.EPERM))]
    for numbers, argument, test, values, answer, otherwise in _rules(at, network=network, is_watched=is_watched):
        number = numbers[at]
        if number is not None:
            answers[number] = [_load(argument), *_each(test, values, answer), (_RETURN, 0, 0, otherwise)]
    answers[SYNCS["sync"][at]] = [(_RETURN, 0, 0, _DONE)]
    locks = _FILE_LOCKS if is_private else ()
    if is_private:
        answers[_FLOCK[at]] = [(_RETURN, 0, 0, _DONE)]
    answers[_FCNTL[at]] = [
        *(_load(1), *_each(_IF_EQUAL, _LEASES, _FAIL | errno.EPERM), *_each(_IF_EQUAL, locks, _DONE)),
        *((_IF_EQUAL, 1, 0, _SET_FLAGS), (_RETURN, 0, 0, _ALLOW)),
        *(_load(2), *_each(_IF_ANY_BIT, (_O_DIRECT[at],), _FAIL | errno.EINVAL), (_RETURN, 0, 0, _ALLOW)),
    ]
    return _assembled(machine, answers)


def _assembled(machine: int, answers: Mapping[int, list[_Instruction]]) -> bytes:
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _MACHINE_AT),
        *((_IF_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)),
        (_LOAD, 0, 0, _NUMBER_AT),
        *((_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)),
        *_search(_sections(answers)),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _rules(at: int, *, network: bool, is_watched: bool) -> Iterator[_Rule]:
    """Yield the answers to calls that depend on an argument.

    Most of them would wait for a disk of the machine, have it read again, or show what was read: a program that only
    did this would look like one that a busy machine kept from working. A watched program that makes memory executable
    which it may have written is killed, so that its run does not pass for a complete one. Mappings of its own cannot be
    distinguished from those that valgrind makes for it.
    """
    no_family, families = _FAIL | errno.EAFNOSUPPORT, (_UNIX, _INET, _INET6) if network else ()
    yield (56, 220), 0, _IF_ANY_BIT, (_NEW_NAMESPACES,), _FAIL | errno.EPERM, _ALLOW  # clone
    yield (16, 29), 1, _IF_EQUAL, _TO_TERMINALS, _FAIL | errno.EPERM, _ALLOW  # ioctl
    yield (41, 198), 0, _IF_EQUAL, families, _ALLOW, no_family  # socket
    yield (53, 199), 0, _IF_EQUAL, (_UNIX,), _ALLOW, no_family  # socketpair
    for numbers in SYNCS.values():
        yield numbers, 0, _IF_AT_LEAST, (_NEGATIVE,), _ALLOW, _DONE
    yield (26, 227), 2, _IF_ANY_BIT, (_MS_SYNC,), _DONE, _ALLOW  # msync
    yield (221, 223), 3, _IF_EQUAL, (_FADV_DONTNEED,), _DONE, _ALLOW  # fadvise64
    yield (28, 233), 2, _IF_EQUAL, (_MADV_PAGEOUT,), _FAIL | errno.EINVAL, _ALLOW  # madvise
    yield (2, None), 1, _IF_ANY_BIT, (_O_DIRECT[at],), _FAIL | errno.EINVAL, _ALLOW  # open
    yield (257, 56), 2, _IF_ANY_BIT, (_O_DIRECT[at],), _FAIL | errno.EINVAL, _ALLOW  # openat
    # preadv2 and pwritev2, which with RWF_NOWAIT tell what lies in the machine's memory, and with others wait for disks
    for numbers in ((327, 286), (328, 287)):
        yield numbers, 5, _IF_EQUAL, (0,), _ALLOW, _FAIL | errno.EOPNOTSUPP
    if is_watched:
        for numbers in ((10, 226), (329, 288)):  # mprotect and pkey_mprotect
            yield numbers, 2, _IF_ANY_BIT, (_PROT_EXEC,), _KILL, _ALLOW
        yield (25, 216), 3, _IF_ANY_BIT, (_MREMAP_FIXED,), _KILL, _ALLOW


@cache
def call_number(name: str) -> int:
    """Return the number of a call that we make ourselves. Raises HostError as `system_call_filter` does."""
    return (_OURS.get(name) or REFUSED[name])[_machine()[0]] or -1


def _machine() -> tuple[int, int]:
    if platform.machine() not in _MACHINES:
        raise HostError(f"there is no filter of system calls for {platform.machine()}; grade on x86-64 or aarch64")
    return _MACHINES[platform.machine()]


def _each(test: int, values: tuple[int, ...], answer: int) -> Iterator[_Instruction]:
    for value in values:
        yield (test, 0, 1, value)
        yield (_RETURN, 0, 0, answer)


def _load(argument: int) -> _Instruction:
    """Look at an argument of the call; at its lower half, which is all that the kernel looks at."""
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument)


def _sections(answers: Mapping[int, list[_Instruction]]) -> Sequence[tuple[int, list[_Instruction]]]:
    """Return the first number of each section with its answer: the given one, or between these that it is allowed."""
    allowed = [(_RETURN, 0, 0, _ALLOW)]
    by_number = {0: allowed}
    for number in sorted(answers):
        by_number |= {number: answers[number], number + 1: allowed}
    last: list[_Instruction] = []
    return [(start, last := answer) for start, answer in by_number.items() if answer != last]


def _search(sections: Sequence[tuple[int, list[_Instruction]]]) -> list[_Instruction]:
    """Find the section of a number by halves.

    When a program starts, the kernel runs its filter once for each existing number, and compiles all of it.
    """
    if len(sections) == 1:
        return sections[0][1]
    half = len(sections) // 2
    below = _search(sections[:half])
    return [(_IF_AT_LEAST, len(below), 0, sections[half][0]), *below, *_search(sections[half:])]
