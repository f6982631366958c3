"""Python packages that an assignment requires: an environment made by `grader packages`, only read from then on."""

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from grader.core.cache import grader_cache_folder, key_digest, why_untrusted
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Spec
from grader.core.text import joined

SYSTEM_FOLDER = Path("/var/cache/grader/packages")  # of root, in which all users look for an environment
DESCRIPTION = "grader-packages.json"
_VERSION = lazy_regex(r"Python (3\.[0-9]{1,3})\b")
OWN_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"  # of the course's checks and generators


class PythonPackages(Struct, frozen=True, kw_only=True):
    """An environment with the packages that a spec requires."""

    folder: Path
    python: str  # the version of Python for which it was made: `3.13`
    versions: Mapping[str, str]  # every package in it -> its version


def libraries_in(folder: Path, python: str) -> Path:
    """Return where the packages of an environment for that version of Python lie."""
    return folder / "lib" / f"python{python}" / "site-packages"


def describe_packages(requires: Sequence[str], python: str, versions: Mapping[str, str]) -> bytes:
    """Write what `find_packages` reads beside the packages, once all of them are there."""
    return msgspec.json.encode({"requires": sorted(requires), "python": python, "versions": versions})


def name_of_environment(requires: Sequence[str], python: str) -> str:
    """Return the name of the folder for these packages: one for each set of requirements, version and machine."""
    return f"python{python}-{key_digest([sorted(requires), python, os.uname().machine])[:16]}"


def folder_to_install_in() -> Path:
    """Return the folder in which this user makes environments: the first that programs in the sandbox can reach."""
    own = grader_cache_folder() / "packages"
    return own if os.geteuid() != 0 or is_open_to_all(own) else SYSTEM_FOLDER


def is_open_to_all(folder: Path) -> bool:
    """Whether users of all kinds can enter a folder, or what is there of the way to it."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in (folder, *folder.parents) if parent.exists())


def version_of_python(text: str) -> str:
    """Return `3.13` of "Python 3.13.5"; raises HostError when it is no version of Python."""
    if not (match := _VERSION.search(text)):
        raise HostError(f"the packages that the assignment requires are for Python, and this is not: {text}")
    return match[1]


def find_packages(requires: Sequence[str], python: str) -> PythonPackages | None:
    """Return the environment with these packages; None when there is none that we can trust and reach."""
    name = name_of_environment(requires, python)
    for at in (grader_cache_folder() / "packages" / name, SYSTEM_FOLDER / name):
        if not (at / DESCRIPTION).is_file() or why_untrusted(at) or (os.geteuid() == 0 and not is_open_to_all(at)):
            continue
        with suppress(OSError, msgspec.MsgspecError, KeyError):
            description = msgspec.json.decode((at / DESCRIPTION).read_bytes(), type=dict[str, Any])
            return PythonPackages(folder=at, python=python, versions=dict[str, str](description["versions"]))
    return None


def require_packages(spec: Spec, python: str) -> PythonPackages:
    """Return the environment with the packages that a spec requires. Raises HostError when it is not there."""
    if packages := find_packages(spec.requires, python):
        return packages
    verb, them = ("is", "it") if len(spec.requires) == 1 else ("are", "them")
    lacking = f"{joined(spec.requires)} {verb} not installed for Python {python}, and the assignment requires {them}"
    raise HostError(f"{lacking}: run `grader packages {spec.id}` once on this machine")


def runs_in_our_python(spec: Spec) -> bool:
    """Whether Python code of the course runs beside us instead of in the sandbox: checks and generators."""
    cases = [case for test in spec.tests for case in test.cases]
    is_generated = any(":" in generated.function for case in cases for generated in case.generated_inputs.values())
    return is_generated or any(
        (case.payload and case.payload.generated_by) or any(asked.how == "check" for _, asked in case.texts)
        for case in cases
    )


def libraries_of_course_functions(spec: Spec) -> str:
    """Return the folder from which checks and generators import; "" for none, HostError where it is not there."""
    is_needed = spec.requires and runs_in_our_python(spec)
    return str(libraries_in(require_packages(spec, OWN_VERSION).folder, OWN_VERSION)) if is_needed else ""
