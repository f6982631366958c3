"""Third-party Python packages that an assignment requires: an environment made once, and only read from then on.

An environment is a virtual environment of the interpreter in the sandbox, which finds by its place what lies in it.
Its folder is named for the requirements and the version of Python, so a change of either asks for another one. Grading
never makes one: `grader packages` does (`author/packages.py`).

Programs run as other users where we are root, and these cannot reach a home folder. So root has a second place.
"""

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from grader.core.cache import grader_cache_folder, key_digest, why_untrusted
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case, Spec
from grader.core.text import joined

SYSTEM_FOLDER = Path("/var/cache/grader/packages")
"""where root keeps environments whose home no other user can enter, and where all users look for one"""
DESCRIPTION = "grader-packages.json"
_VERSION = lazy_regex(r"Python (3\.[0-9]{1,3})\b")
OWN_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
"""of the interpreter that runs us, and with us the course's checks and generators"""


class PythonPackages(Struct, frozen=True, kw_only=True):
    """An environment with the packages that a spec requires."""

    folder: Path
    python: str
    """the version of Python for which it was made: `3.13`"""
    versions: Mapping[str, str]
    """every package in it -> its version"""

    @property
    def libraries(self) -> Path:
        """The folder from which its packages are imported."""
        return libraries_in(self.folder, self.python)


class _Description(Struct, frozen=True, kw_only=True):
    """What is written beside the packages, once all of them are there."""

    requires: tuple[str, ...]
    python: str
    versions: Mapping[str, str]


def libraries_in(folder: Path, python: str) -> Path:
    """Return where the packages of an environment for that version of Python lie."""
    return folder / "lib" / f"python{python}" / "site-packages"


def describe_packages(requires: Sequence[str], python: str, versions: Mapping[str, str]) -> bytes:
    """Write what `find_packages` reads."""
    return msgspec.json.encode(_Description(requires=tuple(sorted(requires)), python=python, versions=versions))


def name_of_environment(requires: Sequence[str], python: str) -> str:
    """Return the name of the folder for these packages: one for each set of requirements, version and machine."""
    return f"python{python}-{key_digest([sorted(requires), python, os.uname().machine])[:16]}"


def folders_of_environments() -> tuple[Path, ...]:
    """Return the folders in which environments are looked for, the user's own first."""
    return (grader_cache_folder() / "packages", SYSTEM_FOLDER)


def folder_to_install_in() -> Path:
    """Return the folder in which this user makes environments: the first that programs in the sandbox can reach."""
    own, of_system = folders_of_environments()
    return own if os.geteuid() != 0 or is_open_to_all(own) else of_system


def is_open_to_all(folder: Path) -> bool:
    """Whether users of all kinds can enter a folder, or what is there of the way to it."""
    there = (one for one in (folder, *folder.parents) if one.exists())
    return all(one.stat().st_mode & stat.S_IXOTH for one in there)


def version_of_python(text: str) -> str:
    """Return `3.13` of "Python 3.13.5"; raises HostError when it is no version of Python."""
    found = _VERSION.search(text)
    if not found:
        raise HostError(f"the packages that the assignment requires are for Python, and this is not: {text}")
    return found[1]


def find_packages(requires: Sequence[str], python: str) -> PythonPackages | None:
    """Return the environment with these packages; None when there is none that we can trust and reach."""
    name = name_of_environment(requires, python)
    for folder in folders_of_environments():
        at = folder / name
        if not (at / DESCRIPTION).is_file() or why_untrusted(at) or (os.geteuid() == 0 and not is_open_to_all(at)):
            continue
        try:
            found = msgspec.json.decode((at / DESCRIPTION).read_bytes(), type=_Description)
        except (OSError, msgspec.MsgspecError):
            continue
        return PythonPackages(folder=at, python=python, versions=found.versions)
    return None


def require_packages(spec: Spec, python: str) -> PythonPackages | None:
    """Return the environment of a spec; None when it requires nothing. Raises HostError when it is not there."""
    if not spec.requires:
        return None
    if found := find_packages(spec.requires, python):
        return found
    raise HostError(missing_packages(spec.id, spec.requires, python))


def missing_packages(spec_id: str, requires: Sequence[str], python: str) -> str:
    """Say which packages are not installed, and how to install them."""
    one = len(requires) == 1
    return (
        f"{joined(requires)} {'is' if one else 'are'} not installed for Python {python}, and the assignment requires "
        f"{'it' if one else 'them'}: run `grader packages {spec_id}` once on this machine"
    )


def runs_in_our_python(spec: Spec) -> bool:
    """Whether Python code of the course runs beside us instead of in the sandbox: checks and generators."""
    return any(_runs_function(case) for test in spec.tests for case in test.cases)


def _runs_function(case: Case) -> bool:
    is_generated = any(":" in one.function for one in case.generated_inputs.values())
    is_payload_generated = bool(case.payload and case.payload.is_generated)
    return is_generated or is_payload_generated or any(asked.how == "check" for _, asked in case.texts)


def libraries_of_course_functions(spec: Spec) -> str:
    """Return the folder from which checks and generators import what the spec requires; empty when nothing is.

    Raises HostError when they are run and it is not there.
    """
    if not spec.requires or not runs_in_our_python(spec):
        return ""
    found = require_packages(spec, OWN_VERSION)
    return str(found.libraries) if found else ""
