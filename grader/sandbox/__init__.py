"""Where untrusted processes live: a command in, a cage out.

The protection of a level is wholly determined by the argument lists that its module makes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import UsageError
from grader.model import SandboxInfo
from grader.sandbox import bare, bubblewrap
from grader.sandbox.cage import OPEN, READY, Cage, Start
from grader.sandbox.folder import collect, copy_in, names_in, write_in

__all__ = ["LEVELS", "OPEN", "READY", "Cage", "Sandbox", "choose", "collect", "copy_in", "names_in", "write_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A level of protection: what to say of it, and how to start a command in it."""

    info: SandboxInfo
    start: Start


LEVELS: Mapping[str, Sandbox] = {
    "full": Sandbox(info=SandboxInfo(level="full"), start=bubblewrap.start),
    "none": Sandbox(
        info=SandboxInfo(
            level="none",
            warnings=("No sandbox: the submission ran with all the rights of the user who graded it.",),
        ),
        start=bare.start,
    ),
}


def choose(level: str) -> Sandbox:
    """Return the sandbox of that name; `auto` is `full`, and never less. Raises UsageError for another name."""
    name = "full" if level == "auto" else level
    if name not in LEVELS:
        raise UsageError(f"there is no sandbox level {level!r}; choose one of: auto, {', '.join(LEVELS)}")
    return LEVELS[name]
