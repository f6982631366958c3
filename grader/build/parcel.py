"""A submission as content, for a machine that cannot see its folder: the same digest and the same findings there.

Links, pipes and other things that are never looked at travel as names alone, and become links that lead nowhere.
"""

import os
from pathlib import Path
from typing import Any

import msgspec

from grader.build.staging import read_submission
from grader.build.tree import File, Tree, write
from grader.errors import HostError


def pack(path: Path) -> bytes:
    """Read a submission, folder or archive, into bytes; raises UsageError, HostError or `Refused` as staging does."""
    tree = read_submission(path)
    files = [(os.fsencode(name), file.executable, file.content) for name, file in tree.files.items()]
    names = [[os.fsencode(name) for name in sorted(some)] for some in (tree.folders, tree.left_out)]
    return msgspec.msgpack.encode([files, *names])


def unpack(content: bytes, target: Path) -> None:
    """Write what `pack` returned into the empty folder `target`; raises HostError when that fails."""
    kind = tuple[list[tuple[bytes, bool, bytes]], list[bytes], list[bytes]]
    decoded: Any = msgspec.msgpack.decode(content, type=kind)
    files, folders, left_out = decoded
    tree = Tree(
        files={os.fsdecode(name): File(content=data, executable=executable) for name, executable, data in files},
        folders=frozenset(map(os.fsdecode, folders)),
        left_out=tuple(map(os.fsdecode, left_out)),
    )
    write(tree, target)
    for name in tree.left_out:
        try:
            (target / name).symlink_to("nowhere")
        except OSError as error:
            raise HostError(f"cannot copy the submission to {target}: {error.strerror}; is the disk full?") from error
