"""Languages as data: what `toolchains.yaml` says, checked, and how it changes the command that starts a program."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from grader.errors import HostError
from grader.model import Limits, Toolchain

TOOLCHAINS_FILE = Path(__file__).with_name("toolchains.yaml")
"""The languages; whoever can read YAML hands its mapping to `toolchain`."""

_MIB = 2**20
_FIELDS = {field.name for field in fields(Toolchain)}
_LIMITS = {field.name for field in fields(Limits)}


def toolchain(name: str, data: Any) -> Toolchain:
    """Return the language `name` out of the mapping of `TOOLCHAINS_FILE`; HostError when it is not (rightly) there."""
    entry = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(entry, Mapping):
        raise HostError(f"{TOOLCHAINS_FILE} has no language {name}; add it, or install grader anew")
    try:
        found = msgspec.convert({**entry, "name": name}, Toolchain, strict=False)
    except msgspec.ValidationError as error:
        raise HostError(f"{TOOLCHAINS_FILE}: {name}: {error}") from error
    unknown = (entry.keys() - _FIELDS) | ((found.limits.keys() | found.build_limits.keys()) - _LIMITS)
    if unknown:
        raise HostError(f"{TOOLCHAINS_FILE}: {name}: nothing is called {', '.join(sorted(map(str, unknown)))}")
    return found


def start(toolchain: Toolchain, argv: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Put the interpreter's options behind its name; a command that starts something else stays as it is."""
    if PurePosixPath(argv[0]).name != toolchain.interpreter:
        return argv
    heap = max(1, limits.memory * 3 // 4 // _MIB)  # the rest is for code, threads and the collector
    short = toolchain.start_short if limits.cpu < toolchain.short else ()
    return (argv[0], *(option.replace("{heap}", str(heap)) for option in (*toolchain.start, *short)), *argv[1:])
