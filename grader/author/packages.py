"""Install the packages that a spec requires: `grader packages`, once on a machine, with pip.

pip unpacks wheels and runs none of their code. A package that comes as source alone is built by its own code, so that
is left out unless the course asks for it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
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
_ASK_VERSION = "import sys; print('Python', sys.version.split()[0])"


class PackageSource(NamedTuple):
    """Where packages come from."""

    wheels: Path | None = None  # the folder from which all are taken, without a network; None for pip's own index
    builds: bool = False  # whether a package may be built from its source, whose code then runs on this machine
    fresh: bool = False  # whether packages that are installed already are installed anew


class Installed(NamedTuple):
    """An environment that is there now."""

    packages: python_packages.PythonPackages
    is_new: bool


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
    pythons = {python_packages.version_of_python(_run([str(interpreter), "-I", "-c", _ASK_VERSION])): interpreter}
    if python_packages.runs_in_our_python(spec):
        pythons.setdefault(python_packages.OWN_VERSION, Path(sys.executable))
    return spec, tuple(_install(spec.requires, python, at, source) for python, at in pythons.items())


def _install(requires: Sequence[str], python: str, interpreter: Path, source: PackageSource) -> Installed:
    found = python_packages.find_packages(requires, python)
    if found and not source.fresh:
        return Installed(found, is_new=False)
    parent = python_packages.folder_to_install_in()
    try:
        parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        temporary = Path(tempfile.mkdtemp(prefix="new-", dir=parent))
    except OSError as error:
        told = f"cannot make a folder in {parent}: {error.strerror}; name another in XDG_CACHE_HOME"
        raise HostError(told) from error
    try:
        libraries = python_packages.libraries_in(temporary, python)
        _run(_pip_command(requires, interpreter, libraries, source))
        _make_environment(temporary, python, interpreter)
        there = distributions(path=[str(libraries)])
        versions = dict(sorted((package_name(one.metadata["Name"]), one.version) for one in there))
        described = python_packages.describe_packages(requires, python, versions)
        replace_files(temporary, {python_packages.DESCRIPTION: (described,)}, sync=True)
        _let_all_read(temporary)
        target = parent / python_packages.name_of_environment(requires, python)
        if target.exists():
            target.rename(temporary.with_name(f"{temporary.name}-old"))
        temporary.rename(target)
    finally:
        for leftover in (temporary, temporary.with_name(f"{temporary.name}-old")):
            shutil.rmtree(leftover, ignore_errors=True)
    if not (found := python_packages.find_packages(requires, python)):
        raise HostError(f"{target} was written, and other users may change it: its folders must be yours alone")
    return Installed(found, is_new=True)


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
    """Run a command of ours or pip's, and return what it printed. Raises HostError with its last error."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**own, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=_TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{command[0]} failed: {error}") from error
    if done.returncode != 0:
        lines = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        said = lines[-1] if lines else (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        advice = "; if it comes as source alone, --build runs its code to make a wheel" if "No matching" in said else ""
        raise HostError(f"pip cannot install the packages: {one_line(said)}{advice}")
    return done.stdout


def _make_environment(folder: Path, python: str, interpreter: Path) -> None:
    """Make the folder a virtual environment (PEP 405) that also sees the packages of the system, such as pytest."""
    (folder / "bin").mkdir()
    for name in ("python", "python3", f"python{python}"):
        (folder / "bin" / name).symlink_to(interpreter)
    settings = f"home = {interpreter.parent}\ninclude-system-site-packages = true\nversion = {python}\n"
    (folder / "pyvenv.cfg").write_text(settings, encoding="utf-8")


def _let_all_read(folder: Path) -> None:
    """Let every user read the packages, and nobody but us write them."""
    for path in (one for one in (folder, *folder.rglob("*")) if not one.is_symlink()):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def installed_to_text(spec: Spec, installed: Sequence[Installed]) -> str:
    """Say what is there now, a line for each environment."""
    lines = []
    for one, is_new in installed:
        names = joined(list(map(" ".join, one.versions.items())))
        state = "installed" if is_new else "already installed"
        lines.append(f"{spec.id}: {names} for Python {one.python}: {state} in {one.folder}")
    return "\n".join(lines) or f"{spec.id} requires no packages."


def installed_to_json(spec: Spec, installed: Sequence[Installed]) -> str:
    """Render the same as JSON."""
    environments = [
        {"python": one.python, "folder": str(one.folder), "packages": dict(one.versions), "new": is_new}
        for one, is_new in installed
    ]
    return json.dumps({"spec": spec.id, "requires": list(spec.requires), "environments": environments}, indent=2)
