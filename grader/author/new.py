"""A new assignment that works at once: a spec, a reference, two samples, and what these must get.

What is written is a small assignment of its own, to be changed into the one that is meant. Nothing that is there is
ever overwritten.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.errors import HostError, UsageError
from grader.load import read_data
from grader.load.json_schema import schema_text
from grader.model import LANGUAGES

TEMPLATES = Path(__file__).with_name("templates")
SCHEMA = "specs/spec.schema.json"
"""what the first line of a spec names for editors; all specs of a course share it"""

PROGRAMS = (b"\x7fELF", b"#!")
"""how a file begins that can be started by its name"""
_JAVA_NAMES = ("", "String", "System", "Long", "NumberFormatException", "Object", "Override")
"""what a class cannot be called that uses them"""


def course_root(start: Path) -> Path:
    """Return the nearest folder at or above `start` that has `specs/`, or else `start` itself."""
    folders = [start, *start.parents]
    return next((folder for folder in folders if (folder / "specs").is_dir()), start)


def template(language: str) -> dict[str, Any]:
    """Read what the assignment is in a language. Raises UsageError for a language that there is not."""
    if language not in LANGUAGES:
        raise UsageError(f"unknown language {language!r}; there are: {', '.join(LANGUAGES)}")
    found: dict[str, Any] = read_data(TEMPLATES / f"{language}.yaml")
    return found


def assignment() -> dict[str, str]:
    """Read what the assignment is in every language."""
    found: dict[str, str] = read_data(TEMPLATES / "assignment.yaml")
    return found


def words(spec_id: str, language: str) -> dict[str, str]:
    """Return what the words of the templates stand for. Raises UsageError for what is no id."""
    if not re.fullmatch("[a-z0-9-]+", spec_id):
        raise UsageError(f"{spec_id!r} is no id: use small letters, digits and hyphens, such as queens-2")
    name = spec_id.strip("-").replace("-", "_") or "program"
    camel = "".join(part.capitalize() for part in spec_id.split("-"))
    if camel in _JAVA_NAMES or camel[:1].isdigit():
        camel = f"Program{camel}"
    found = {"id": spec_id, "module": name, "name": name, "Name": camel}
    return found | {key: filled(template(language)[key], found) for key in ("file", "program", "head")}


def filled(text: str, known: Mapping[str, str]) -> str:
    """Put the words into a text, with the indentation of the line that they stand on."""

    def put(match: re.Match[str]) -> str:
        return known[match[2]].rstrip("\n").replace("\n", f"\n{match[1] or ''}") if match[2] in known else match[0]

    return re.sub(r"(?m)(?:^([ ]*)(?=@))?@(\w+)@", lambda match: (match[1] or "") + put(match), text)


def new(spec_id: str, language: str) -> dict[str, bytes]:
    """Return the files of the assignment, by their names below the course root."""
    known = words(spec_id, language)
    own, shared = template(language), assignment()
    right = {filled(name, known): filled(text, known) for name, text in own["samples"].items()}
    wrong = {name: _changed(text, own["wrong"]) for name, text in right.items()}
    samples = f"sample_submissions/{spec_id}"
    files = {
        f"specs/{spec_id}.yaml": filled(shared["spec"], known),
        f"reference/{known['module']}.py": filled(shared["reference"], known),
        **{f"{samples}/right/{name}": text for name, text in right.items()},
        **{f"{samples}/wrong-stream/{name}": text for name, text in wrong.items()},
        f"{samples}/expected.yaml": filled(shared["expected"], known),
    }
    return {name: text.encode() for name, text in files.items()}


def _changed(text: str, changes: Mapping[str, str]) -> str:
    for old, other in changes.items():
        text = text.replace(old, other)
    return text


# ---------------------------------------------------------------- writing


def create(root: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files below `root`, and the schema if the course has none yet; return where they are.

    Raises UsageError with all that is there already, and HostError when a file cannot be written; either way nothing
    new is left.
    """
    missing = {} if (root / SCHEMA).exists() else {SCHEMA: schema_text().encode()}
    wanted = {root / name: content for name, content in {**files, **missing}.items()}
    _check_free(wanted)
    made: list[Path] = []
    try:
        for path, content in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                made.append(path)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                if content.startswith(PROGRAMS):
                    path.chmod(0o755)
    except OSError as error:
        for path in made:
            path.unlink(missing_ok=True)
        raise HostError(f"{error.filename or root} cannot be written: {error.strerror}") from error
    return made


def _check_free(wanted: Mapping[Path, bytes]) -> None:
    there = [str(path) for path in wanted if os.path.lexists(path)]
    if there:
        raise UsageError(f"nothing was written, for there is already: {', '.join(there)}; choose another id")
