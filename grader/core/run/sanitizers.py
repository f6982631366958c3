"""Programs that a compiler's sanitizer watches, as after `gcc -fsanitize=address`: which these are, and their room.

Sanitizers reserve 14 to 36 TiB of addresses, all of which the limit of the data segment counts. So a command that may
start such a program may reserve as much as it likes; what is resident of it is bounded as for any other.
"""

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch
from grader.core.model.stored_file import contents_of

_ADDRESSES_BYTES = 2**48  # more than a process has addresses for, on x86-64 and aarch64
_FLAG = b"-fsanitize="
_ELF = b"\x7fELF"
_LINKED = (b"__asan_init", b"__tsan_init", b"__msan_init", b"__lsan_init")
_RUNTIMES = (*_LINKED, *(name + b"Sanitizer" for name in (b"Address", b"Thread", b"Memory", b"Leak")))
"""what a program names that is linked with one, and what stands in one that has it within, even without symbols"""
_MAX_SCRIPT_BYTES = 2**18  # of a Makefile or a script; there is no longer one that a person wrote
_QUARANTINE_SHARE, _MAX_QUARANTINE_MIB = 8, 256
"""of the memory, for blocks that were freed and are watched for uses; ASan's default is the same at any limit"""
_NO_LEAKS = lazy_regex(rb"(?m)^(?:==\d+==)?LeakSanitizer has encountered a fatal error")
_NO_ROOM = lazy_regex(rb"(?m)^==\d+==(?:ERROR: \w+Sanitizer failed to allocate 0x|Shadow memory range interleaves)")
_NO_PLACE = lazy_regex(rb"(?m)^FATAL: ThreadSanitizer: unexpected memory mapping")
_MAX_RANDOM_BITS = 28
"""of addresses, up to which sanitizers find the places that they need free, whatever their version"""
_AT_FIXED_ADDRESSES = ("/usr/bin/setarch", "--addr-no-randomize")
"""starts a program that has the same addresses in each run (util-linux)"""


def has_sanitizer(code: bytes) -> bool:
    """Whether the code of a program or library has a sanitizer that needs the process for itself."""
    return code.startswith(_ELF) and any(mark in code for mark in _RUNTIMES)


def make_room_for_sanitizers(launch: Launch) -> Launch:
    """Return the launch with the room and the options that a sanitizer needs; unchanged where none may be started."""
    folder, given = launch.folder, contents_of(launch.files).values()  # large files of a case are data
    if not (
        any(_FLAG.decode() in word for word in launch.argv)
        or any(isinstance(content, bytes) and _names_sanitizer(content) for content in given)
        or (folder and folder.exists() and _look_through(os.fspath(folder), folder.stat().st_mtime_ns))
    ):
        return launch
    options = [f"quarantine_size_mb={min(_MAX_QUARANTINE_MIB, launch.limits.memory // _QUARANTINE_SHARE // 2**20)}"]
    if "LD_PRELOAD" in launch.env:  # it refuses to start behind a library of ours, such as the clock of the reference
        options.append("verify_asan_link_order=0")
    options += filter(None, [launch.env.get("ASAN_OPTIONS")])  # the last counts
    launch = replace(launch, reserved=_ADDRESSES_BYTES, env={**launch.env, "ASAN_OPTIONS": ":".join(options)})
    if _random_bits() > _MAX_RANDOM_BITS and os.access(_AT_FIXED_ADDRESSES[0], os.X_OK):
        return replace(launch, argv=(*_AT_FIXED_ADDRESSES, *launch.argv), preload="")
    return launch


def check_sanitizer(execution: Execution, launch: Launch, *, allows_tracing: bool) -> None:
    """Raise HostError when this machine, where nobody's does, keeps a program's sanitizer from working."""
    if launch.reserved != _ADDRESSES_BYTES or execution.limit or not execution.status:
        return
    given = (*contents_of(launch.files).values(), *execution.files.values())
    built = map(_read, _files_below(os.fspath(launch.folder))) if launch.folder else ()
    programs = (code for code in chain(given, built) if isinstance(code, bytes) and code.startswith(_ELF))
    if not any(mark + b"\0" in code for code in programs for mark in _LINKED):
        return
    said = execution.stderr + execution.stdout  # a build writes both to one
    if not (allows_tracing and "tracing" in launch.permits) and _NO_LEAKS.search(said):
        raise HostError(
            "LeakSanitizer looks for leaks with system calls that this sandbox refuses; grade at level `full`, or turn "
            "it off in the program (`int __lsan_is_turned_off(void) { return 1; }`)"
        )
    is_strict = _read("/proc/sys/vm/overcommit_memory").strip() == b"2"
    if _NO_ROOM.search(said) and (is_strict or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY):
        raise HostError(
            "the compiler's sanitizer cannot reserve its addresses here; lift `ulimit -v` and vm.overcommit_memory=2"
        )
    if _NO_PLACE.search(said) and _random_bits() > _MAX_RANDOM_BITS:
        raise HostError(
            "ThreadSanitizer cannot start here; install setarch (util-linux), set vm.mmap_rnd_bits to "
            f"{_MAX_RANDOM_BITS}, or use a newer compiler"
        )


def _random_bits() -> int:
    return int(_read("/proc/sys/vm/mmap_rnd_bits") or _MAX_RANDOM_BITS + 1)  # only root may read it


def _names_sanitizer(content: bytes) -> bool:
    """Whether a file has a sanitizer or builds what has one."""
    return has_sanitizer(content) or (len(content) <= _MAX_SCRIPT_BYTES and _FLAG in content)


@lru_cache(maxsize=64)
def _look_through(folder: str, _changed: int) -> bool:
    return any(_names_sanitizer(_read(path)) for path in _files_below(folder))


def _files_below(folder: str) -> Iterator[str]:
    for inside, _, names in os.walk(folder):
        yield from (os.path.join(inside, name) for name in names)  # noqa: PTH118 - thousands of files


def _read(path: str) -> bytes:
    """Return a program or library, or as much of another file as a person may have written; nothing of a link."""
    flags = os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError), open(path, "rb", opener=lambda name, mode: os.open(name, mode | flags)) as file:
        head = file.read(_MAX_SCRIPT_BYTES + 1)
        return head + file.read() if head.startswith(_ELF) else head
    return b""
