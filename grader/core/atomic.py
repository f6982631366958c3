"""Files that are replaced whole or not at all, whoever else writes or reads them meanwhile."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path


def replace_files(
    folder: Path, files: Mapping[str, Sequence[bytes | memoryview]], mode: int = 0o600, *, sync: bool = True
) -> None:
    """Write files of these parts beside those in `folder`, safe with `sync`, and then put them in their places."""
    beside = {name: folder / f".{name}.{os.urandom(8).hex()}" for name in files}
    try:
        for name, parts in files.items():
            descriptor = os.open(beside[name], os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(parts)
                file.flush()
                if sync:
                    os.fsync(file.fileno())
        for name, path in beside.items():
            path.replace(folder / name)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)
