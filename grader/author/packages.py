"""Install the packages that a spec requires: `grader packages`, once on a machine, with pip.

pip unpacks wheels and runs none of their code. A package that comes as source alone is built by its own code, so that
is left out unless the course asks for it.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

from grader.core import languages, python_packages
from grader.core.cache import replace_files
from grader.core.errors import HostError
from grader.core.model.spec import Spec
from grader.core.reader.files import read_data
from grader.core.reader.spec import load
from grader.core.reader.types import package_name
from grader.core.text import joined, one_line

_TIMEOUT = 1800  # seconds for pip, which may load hundreds of megabytes


class PackageSource(NamedTuple):
    """Where packages come from."""

    wheels: Path | None = None  # the folder from which all are taken, without a network; None for pip's own index
    builds: bool = False  # whether a package may be built from its source, whose code then runs on this machine
    fresh: bool = False  # whether packages that are installed already are installed anew


Installed = tuple[python_packages.PythonPackages, bool]
"""an environment that is there now, and whether it is new"""


def install_packages(path: Path, source: PackageSource) -> tuple[Spec, tuple[Installed, ...]]:
    """Install what a spec requires, for the Python of the sandbox and, where its functions need that, for ours.

    Raises HostError when there is no pip, or it fails.
    """
    spec = load(path)
    if not spec.requires:
        return spec, ()
    data = languages.with_own(read_data(languages.TOOLCHAINS_FILE), spec.languages)
    toolchain = languages.toolchain(spec.toolchain, data)
    interpreter = languages.find_tool(toolchain.interpreter, toolchain.package).resolve()
    pythons = {python_packages.version_of_python(_run([str(interpreter), "--version"])): interpreter}
    if python_packages.runs_in_our_python(spec):
        pythons.setdefault(python_packages.OWN_VERSION, Path(sys.executable))
    return spec, tuple(_install(spec.requires, python, at, source) for python, at in pythons.items())


def _install(requires: Sequence[str], python: str, interpreter: Path, source: PackageSource) -> Installed:
    packages = python_packages.find_packages(requires, python)
    if packages and not source.fresh:
        return packages, False
    parent = python_packages.folder_to_install_in()
    try:
        parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        beside = tempfile.TemporaryDirectory(prefix="new-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        problem = f"cannot make a folder in {parent}: {error.strerror}; name another in XDG_CACHE_HOME"
        raise HostError(problem) from error
    target = parent / python_packages.name_of_environment(requires, python)
    with beside as name:
        made = Path(name) / "new"
        libraries = python_packages.libraries_in(made, python)
        _run(_pip_command(requires, interpreter, libraries, source))
        # A virtual environment also sees the packages of the system, such as pytest.
        _run([str(interpreter), "-I", "-m", "venv", "--without-pip", "--system-site-packages", str(made)])
        present = distributions(path=[str(libraries)])
        versions = dict(sorted((package_name(package.metadata["Name"]), package.version) for package in present))
        described = python_packages.describe_packages(requires, python, versions)
        replace_files(made, {python_packages.DESCRIPTION: (described,)})
        (made / python_packages.DESCRIPTION).chmod(0o644)
        if target.exists():
            target.rename(Path(name) / "old")
        made.rename(target)
    if not (packages := python_packages.find_packages(requires, python)):
        raise HostError(f"{target} was written, and other users may change it: its folders must be yours alone")
    return packages, True


def _pip_command(requires: Sequence[str], interpreter: Path, libraries: Path, source: PackageSource) -> list[str]:
    """Return the command that installs into a folder for an interpreter, which need not be that of pip.

    It is our pip, or the system's. Raises HostError when there is none.
    """
    quiet = ("--disable-pip-version-check", "--no-input", "--quiet", "--no-warn-script-location")
    offline = ("--no-index", "--find-links", str(source.wheels.absolute())) if source.wheels else ()
    wheels = () if source.builds else ("--only-binary", ":all:")
    for python in (sys.executable, "/usr/bin/python3"):
        pip = [python, "-m", "pip"]
        asked = Path(python).exists() and subprocess.run([*pip, "--version"], capture_output=True, check=False)
        if asked and asked.returncode == 0:
            target = ("--python", str(interpreter), "install", *quiet, "--target", str(libraries))
            return [*pip, *target, *offline, *wheels, "--", *requires]
    raise HostError("there is no pip, which installs packages: apt-get install python3-pip")


def _run(command: Sequence[str]) -> str:
    """Run a command of ours or pip's, and return what it printed. Raises HostError with its last error.

    What it makes, every user can read, and nobody but us write.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**own, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    run = partial(subprocess.run, env=environment, timeout=_TIMEOUT, umask=0o022, check=False)
    try:
        done = run(command, capture_output=True, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{command[0]} failed: {error}") from error
    if done.returncode != 0:
        lines = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        line = lines[-1] if lines else (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        advice = "; if it comes as source alone, --build runs its code to make a wheel" if "No matching" in line else ""
        raise HostError(f"pip cannot install the packages: {one_line(line)}{advice}")
    return done.stdout


def installed_to_text(spec: Spec, installed: Sequence[Installed]) -> str:
    """Say what is there now, a line for each environment."""
    lines = []
    for packages, is_new in installed:
        names = joined(list(map(" ".join, packages.versions.items())))
        state = "installed" if is_new else "already installed"
        lines.append(f"{spec.id}: {names} for Python {packages.python}: {state} in {packages.folder}")
    return "\n".join(lines) or f"{spec.id} requires no packages."


def installed_to_json(spec: Spec, installed: Sequence[Installed]) -> str:
    """Render the same as JSON."""
    environments = [
        {"python": packages.python, "folder": str(packages.folder), "packages": dict(packages.versions), "new": is_new}
        for packages, is_new in installed
    ]
    return json.dumps({"spec": spec.id, "requires": list(spec.requires), "environments": environments}, indent=2)
