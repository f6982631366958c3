"""Where the tools of this machine are, of those that a sandbox can start."""

import shutil
from pathlib import Path

from grader.core.errors import HostError

SYSTEM_PATH = "/usr/bin:/bin"  # the folders in which tools are looked up, here and in the sandbox


def locate_tool(name: str, path: str | None = None) -> Path | None:
    """Return where a tool is on the `path`, which is `SYSTEM_PATH` unless another is named; None when it is nowhere."""
    found = shutil.which(name, path=path or SYSTEM_PATH)
    return Path(found) if found else None


def find_tool(name: str, package: str) -> Path:
    """Return where a tool is; raises HostError, with the Debian package to install, when it is missing."""
    if found := locate_tool(name):
        return found
    remedy = f"install it (apt-get install {package})" if package else "install it"
    raise HostError(f"{name} is missing from {SYSTEM_PATH}; {remedy}")
