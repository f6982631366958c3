"""The distribution: what an image is made of becomes a wheel, and that works where nothing of the repository is.

It has a name of its own, since `grader` on the package index is somebody else's.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.rows import read_data

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "examples" / "docker" / "Dockerfile"
SHARED = (
    "man/man1/grader.1",
    "bash-completion/completions/grader",
    "zsh/site-functions/_grader",
    "fish/vendor_completions.d/grader.fish",
)
DATA = read_data(__file__)
GENERATED = {".pyc", ".so"}
FORKED = DATA["FORKED"]
"""runs two commands, each of which says when it was loaded"""


def call(*words: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command that knows nothing of the repository; return what it prints."""
    known = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        words, cwd=cwd, env=known | environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class NewObject:
    """What was built of the files that an image gets, and the environment that has it alone."""

    source: Path
    wheel: Path
    bin: Path


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory: pytest.TempPathFactory) -> NewObject:
    folder = tmp_path_factory.mktemp("distribution")
    context = folder / "context"
    context.mkdir()
    for name in re.findall(r"(?m)^!(.+)$", DOCKERFILE.with_name("Dockerfile.dockerignore").read_text()):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, context / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, context / name)
    # The wheel is made of the source distribution, so that has all that is needed.
    source = built("sdist", context, folder)
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    wheel = built("wheel", folder / source.name.removesuffix(".tar.gz"), folder)
    clean = folder / "clean"
    call(sys.executable, "-m", "venv", "--without-pip", clean, cwd=folder)
    # What it depends on is lent, but not what stands beside that in a .pth of its own: the repository.
    (lent,) = (clean / "lib").glob("python*/site-packages")
    (lent / "lent.pth").write_text(sysconfig.get_path("purelib"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", clean / "bin" / "python")
    call(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)
    return NewObject(source=source, wheel=wheel, bin=clean / "bin")


def built(kind: str, source: Path, to: Path, **environment: str) -> Path:
    """Let setuptools do what pip asks of it, without fetching a setuptools for it."""
    code = f"from setuptools.build_meta import build_{kind} as build; print(build({str(to)!r}))"
    return to / call(sys.executable, "-c", code, cwd=source, **environment).splitlines()[-1]


def files_of_the_program() -> set[str]:
    found = {path for path in (ROOT / "grader").rglob("*") if path.is_file() and path.suffix not in GENERATED}
    compiled = {*(ROOT / "grader/core/sandbox").glob("starter-*")}  # for this machine
    return {path.relative_to(ROOT).as_posix() for path in found - compiled} | {"pytest_grader.py"}


def test_every_file_of_the_program_is_shipped(made: NewObject) -> None:
    with zipfile.ZipFile(made.wheel) as wheel, tarfile.open(made.source) as source:
        in_wheel = set(wheel.namelist())
        in_source = {name.partition("/")[2] for name in source.getnames()}
    assert files_of_the_program() <= in_wheel
    assert files_of_the_program() <= in_source
    for name in SHARED:
        assert [shipped for shipped in in_wheel if shipped.endswith(f".data/data/share/{name}")], name
        assert f"share/{name}" in in_source


def test_the_wheel_works_where_nothing_of_the_repository_is(made: NewObject, tmp_path: Path) -> None:
    grader = made.bin / "grader"
    cache = str(tmp_path / "cache")
    course = tmp_path / "course"
    course.mkdir()
    where = call(made.bin / "python", "-c", "import grader, pytest_grader; print(grader.__file__)", cwd=course)
    assert made.bin.parent in Path(where.strip()).parents
    for words, said in (
        (("new", "sum", "--language", "python"), "specs/sum.yaml"),
        (("lint", "specs/sum.yaml"), ""),
        (("verify", "specs/sum.yaml", "--mutants", "3"), "sum"),
        (("run", "sample_submissions/sum/right"), "full marks"),
        (("export", "gradescope-zip", "specs/sum.yaml", "--out", "auto.zip"), ""),
        (("schema",), '"$schema"'),
        (("handout", "specs/sum.yaml"), "#"),
    ):
        assert said in call(grader, *words, cwd=course, XDG_CACHE_HOME=cache)
    page = (course / "reports" / "sum" / "right" / "feedback.html").read_text()
    assert "<style" in page
    assert (course / "auto.zip").stat().st_size > 0


def test_the_wheel_has_a_starter_that_runs_where_nothing_can_be_compiled_or_written(
    made: NewObject, tmp_path: Path
) -> None:
    (installed,) = (made.bin.parent / "lib").glob("python*/site-packages/grader/core/sandbox")
    starters = [*installed.glob(f"starter-{os.uname().machine}-*")]
    assert len(starters) == 2, "the program and the library"
    assert made.wheel.name.endswith(f"-py3-none-linux_{os.uname().machine}.whl")
    only = tmp_path / "only"
    only.mkdir()
    (only / "bwrap").symlink_to(shutil.which("bwrap") or "")
    for starter in starters:
        starter.chmod(0o444)
    installed.chmod(0o555)
    doctor = (made.bin / "grader", "doctor", "c")
    cache = str(tmp_path / "cache")
    said = call(*doctor, cwd=tmp_path, PATH=str(only), XDG_CACHE_HOME=cache)
    assert "its starter and the starter's library came with the package" in said
    assert "forked" in call(made.bin / "python", "-c", FORKED, cwd=tmp_path, PATH=str(only), XDG_CACHE_HOME=cache)
    source = installed / "starter.c"
    source.write_text(f"{source.read_text()}\n")  # of which the starter is not made
    assert "its starter and the starter's library were compiled here" in call(
        *doctor, cwd=tmp_path, XDG_CACHE_HOME=cache
    )


def test_without_a_compiler_the_wheel_is_for_all_machines_and_has_no_starter(made: NewObject, tmp_path: Path) -> None:
    with tarfile.open(made.source) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / made.source.name.removesuffix(".tar.gz")
    wheel = built("wheel", unpacked, tmp_path, PATH="")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if "/starter-" in name]


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man")
def test_man_finds_the_page_in_the_environment(made: NewObject, tmp_path: Path) -> None:
    found = call("man", "-w", "grader", cwd=tmp_path, PATH=f"{made.bin}:/usr/bin:/bin")
    assert found.strip() == str(made.bin.parent / "share" / "man" / "man1" / "grader.1")


def test_what_is_imported_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = {"distributed", "dask", "pytest", "_pytest"}  # the extras; and what is loaded by pytest alone
    asked_for = {re.split(r"[^\w-]", line)[0].lower().replace("-", "_") for line in project["dependencies"]}
    called = {
        "yaml": "pyyaml",
        "markdown_it": "markdown_it_py",
    }  # the others are imported by the name of their distribution
    given_away = "_stand_in.py"  # is copied beside tests, which say themselves what they require
    ours = [path for path in (ROOT / "grader").rglob("*.py") if not path.name.endswith(given_away)]
    names = {name.partition(".")[0] for path in ours for name in imports_of(path)}
    others = names - sys.stdlib_module_names - {"grader", "__main__"} - optional
    assert {called.get(name, name) for name in others} == asked_for


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


# ---------------------------------------------------------------- the image


def instructions(name: str) -> list[str]:
    """Return what a Dockerfile says after a word, with its continued lines joined."""
    text = re.sub(r"(?m)^#.*\n", "", DOCKERFILE.read_text()).replace("\\\n", " ")
    return re.findall(rf"(?m)^{name} (.+)$", text)


def test_the_image_s_packages_can_be_had() -> None:
    if shutil.which("apt-get") is None:
        pytest.skip("this is no Debian")
    packages, _, _ = instructions("RUN")[0].partition("&& rm")
    names = packages.split("--no-install-recommends")[1].split()
    assert "bubblewrap" in names
    assert call("apt-get", "install", "--simulate", "--no-install-recommends", *names, cwd=ROOT)


def test_the_image_starts_what_was_installed(made: NewObject, tmp_path: Path) -> None:
    (entry,) = instructions("ENTRYPOINT")
    (command,) = instructions("CMD")
    assert "/opt/grader/bin/pip install" in instructions("RUN")[1]
    (variables,) = instructions("ENV")
    path = dict(word.split("=") for word in variables.split())["PATH"]
    there = path.replace("/opt/grader/bin", str(made.bin))
    assert there != path
    (program,) = json.loads(entry)
    started = shutil.which(program, path=there)
    assert started == str(made.bin / program)
    assert "Grade programs" in call(started, *json.loads(command), cwd=tmp_path, PATH=there)


# ---------------------------------------------------------------- the name


def test_what_is_installed_is_called_fairgrader() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (project["name"], project["scripts"]) == ("fairgrader", {"grader": "grader.cli:run_as_program"})


def test_no_text_says_to_install_what_is_somebody_else_s() -> None:
    places = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile", "docs", "examples", "grader")]
    files = [path for place in places for path in (place, *place.rglob("*")) if path.is_file()]
    for path in files:
        if path.suffix in {".md", ".py", ".yml", ".yaml", ".sh", ""}:
            said = re.findall(r"(?:pip|pipx|uv)\s+install\s[^\n`]*", path.read_text(errors="replace"))
            wrong = [line for line in said if re.search(r"""(?:^|[\s'"])grader(?:\[\w+\])?(?:[\s'"=<>~]|$)""", line)]
            assert not wrong, f"{path}: {wrong}"
