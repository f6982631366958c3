"""Where a public copy goes: never over anything but an earlier one."""

from pathlib import Path

from grader.author.public import MARK, Public
from grader.errors import UsageError
from grader.model import Spec
from grader.report import write_files


def place(spec: Spec, target: Path) -> Path:
    """Return where the copy goes. Raises UsageError when something else is there."""
    if target.is_dir():
        target = target / "specs" / f"{spec.id}.yaml"
    if target.exists() and not _is_copy(target):
        raise UsageError(f"{target} is there, and is no public copy: name another file")
    return target


def put(public: Public, target: Path) -> list[Path]:
    """Write the copy and the files that it needs; return where they are.

    Raises UsageError, and writes nothing, when there are files that no earlier copy has put there; HostError when they
    cannot be written.
    """
    root = _root(target)
    others = [name for name, content in public.files.items() if _differs(root / name, content)]
    if others and not target.exists():
        raise UsageError(f"{', '.join(others)} in {root}: there already, and different; name a folder of its own")
    for name, content in public.files.items():
        path = root / name
        if path.is_file() and not _differs(path, content):
            continue
        write_files({path.name: content}, path.parent, "the public copy")
    write_files({target.name: public.text}, target.parent, "the public copy")
    return [target, *(root / name for name in public.files)]


def _root(target: Path) -> Path:
    """Return the folder that the names in a spec are relative to."""
    folder = target.absolute().parent
    return folder.parent if folder.name == "specs" else folder


def _is_copy(path: Path) -> bool:
    return path.is_file() and path.read_bytes().startswith(MARK.encode())


def _differs(path: Path, content: bytes) -> bool:
    return path.exists() and (not path.is_file() or path.read_bytes() != content)
