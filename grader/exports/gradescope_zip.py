"""Pack an assignment for Gradescope: a zip with `setup.sh` and `run_autograder` at its root.

It also contains the files of the course that this spec needs, grader's own source, to be installed, and `settings/`, a
file for each value that the scripts read: nothing is ever pasted into a script. The same spec gives the same bytes.
"""

import json
from importlib.metadata import requires
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core import build, generate, languages, oracle
from grader.core.model import VERSION
from grader.core.model.spec import SECRET_FILE, Spec
from grader.core.reader.files import read_data
from grader.core.sandbox import choose
from grader.exports.request import zip_of

_SCRIPTS = Path(__file__).with_name("gradescope_container")
_PACKAGE = Path(__file__).parent.parent
_SPARE_SECONDS = 60  # seconds of the platform's time that are reserved for the steps before and after grading


def to_gradescope_zip(spec: Spec, *, sandbox: str = "auto", minutes: int = 10) -> bytes:
    """Pack the assignment, to be graded at that sandbox level; `minutes` is the time that the platform allows.

    `auto` is the best level that a container allows at each run, and never `none`. Raises UsageError for an unknown
    level, HostError when a file of the reference cannot be read.
    """
    choose(sandbox)
    secret = generate.find_secret(spec.root) if spec.seed else ""
    # A course root that has this one spec.
    course = {**oracle.answers.reference_files(spec), **spec.attached, "grader.yaml": f"spec: {spec.id}\n".encode()}
    course |= {f"specs/{spec.id}.yaml": spec.source_text}
    course |= {SECRET_FILE: bytes.fromhex(secret)} if secret else {}
    settings = {"spec": f"specs/{spec.id}.yaml", "language": spec.language, "sandbox": sandbox}
    settings |= {"seconds": str(minutes * 60 - _SPARE_SECONDS), "packages": "\n".join(packages(spec))}
    files = {
        **{name: (_SCRIPTS / name).read_bytes() for name in ("setup.sh", "run_autograder")},
        **{f"settings/{name}": f"{value}\n".encode() for name, value in settings.items()},
        **{f"course/{name}": content for name, content in course.items()},
        **{f"grader/{name}": content for name, content in _own_source().items()},
    }
    return zip_of(files, [name for name in files if "/" not in name])


def packages(spec: Spec) -> tuple[str, ...]:
    """Return the Debian packages that the spec's commands and the grading need, sorted."""
    data: dict[str, Any] = languages.with_own(read_data(languages.TOOLCHAINS_FILE), spec.languages)
    toolchains = [languages.toolchain(name, data) for name in data]
    known = {
        **{program: tool.package for tool in reversed(toolchains) for program in (tool.interpreter, *tool.version[:1])},
        **build.artifact.PACKAGES,
    }
    own = languages.toolchain(spec.toolchain, data).package
    commands = [spec.program, *(spec.build.run if spec.build else ())]
    for view in (spec.with_reference(name) for name in ("", *spec.references)):
        commands += [view.reference or (), *(view.reference_work.build if view.reference_work else ())]
    cases = [case for test in spec.tests for case in test.cases]
    commands += [case.command or () for case in cases]
    programs = {PurePosixPath(command[0]).name for command in commands if command} - {""}
    payloads = filter(None, (payload for case in cases for payload in (case.payload, *case.also.values())))
    needed = {package for payload in payloads for package in payload.packages}
    needed |= {"bubblewrap", "util-linux", own, *(known[program] for program in programs if program in known)}
    return tuple(sorted(needed - {""}))


def _own_source() -> dict[str, bytes]:
    """Return the source that pip installs: the package as it runs here, and a pyproject.toml for it."""
    wanted = [need for need in requires("fairgrader") or () if "extra ==" not in need]
    paths = (path for path in _PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    # Level `container`, at which Gradescope grades, has no compiled starter.
    ours = (path for path in paths if not path.name.startswith("starter-"))
    own = {path.relative_to(_PACKAGE.parent).as_posix(): path.read_bytes() for path in ours}
    project = (_SCRIPTS / "project.toml").read_text().replace("VERSION", VERSION)
    return {"pyproject.toml": project.replace('["DEPENDENCIES"]', json.dumps(wanted, indent=4)).encode(), **own}
