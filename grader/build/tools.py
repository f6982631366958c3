"""What this machine has of the tools that a spec needs. A missing one is our fault, never a student's."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from grader.errors import HostError
from grader.model import Launch, Runner, Spec, Toolchain

_SEARCH_PATH = "/usr/bin:/bin"
PACKAGES = {"make": "make", "cmake": "cmake", "ant": "ant", "sh": "dash", "bash": "bash"}
"""Debian packages of what builds are started with"""


class Remember(Protocol):
    """Keeps an answer between runs, under a key that says all it depends on."""

    def __call__(self, key: object, kind: type[str], find: Callable[[], str]) -> str:
        """Return what is kept under `key`, or what `find` returns."""


def check_tools(spec: Spec, toolchain: Toolchain, remember: Remember, run: Runner) -> Mapping[str, str]:
    """Return the versions of the tools that `spec` needs, by name.

    Raises HostError that names the package of a tool that is missing. Only the system's own folders count, since a
    sandbox shows nothing else.
    """
    for command in spec.build.run if spec.build else ():
        if "/" not in command[0] and command[0] not in spec.files.required:
            find_tool(command[0], PACKAGES.get(command[0], toolchain.package))
    if not toolchain.version:
        return {}
    name = toolchain.version[0]
    program = find_tool(name, toolchain.package).resolve()
    facts = program.stat()
    key = ["version", toolchain.version, str(program), facts.st_size, facts.st_mtime_ns]
    return {name: remember(key, str, lambda: version(toolchain, run))}


def find_tool(name: str, package: str) -> Path:
    """Return where a program is; raises HostError, with the package to install, when it is missing."""
    found = shutil.which(name, path=_SEARCH_PATH)
    if found is None:
        remedy = f"install it (apt-get install {package})" if package else "install it"
        raise HostError(f"{name} is missing from {_SEARCH_PATH}; {remedy}")
    return Path(found)


def version(toolchain: Toolchain, run: Runner) -> str:
    """Return the first line of what a toolchain tells of its version; raises HostError when it does not work."""
    execution = run(Launch(argv=toolchain.version))
    lines = (execution.stdout + execution.stderr).decode(errors="backslashreplace").strip().splitlines()
    if execution.status != 0 or not lines:
        raise HostError(
            f"{' '.join(toolchain.version)} does not work in the sandbox: {lines[0] if lines else 'it says nothing'}; "
            f"is {toolchain.package} installed as a whole?"
        )
    return lines[0]
