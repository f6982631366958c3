"""What is an archive, and of which kind: by the first bytes of a file alone, and by what its name promises.

Nothing is read here, so that who only asks needs none of the libraries that read archives.
"""

from grader.core.build.tree import Refused

# Of names that promise an archive; not all of them can be read.
ARCHIVE_ENDINGS = (".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".rar", ".7z")
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
GZIP, BZIP2, XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"  # how tars begin that are packed
TAR_MAGIC, TAR = slice(257, 262), b"ustar"  # where a tar says that it is one, and how
HEAD_BYTES = TAR_MAGIC.stop  # of a file, for `looks_like_archive`
# How archives begin that are not read, and what they are called.
_FOREIGN = {
    b"Rar!\x1a\x07": "RAR",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"LZIP": "lzip",
    b"\x1f\x9d": "compress",
    b"MSCF": "cabinet",
}


class NoArchiveError(Exception):
    """The bytes are neither a zip nor a tar, packed or not."""


def looks_like_archive(head: bytes) -> bool:
    """Whether a file begins as an archive does that can be read; it may still be damaged."""
    return head.startswith((GZIP, BZIP2, XZ, *ZIPS)) or head[TAR_MAGIC] == TAR


def is_called_archive(name: str, head: bytes) -> bool:
    """Whether a file was meant as an archive, by its name or as one of a kind that is not read."""
    return name.lower().endswith(ARCHIVE_ENDINGS) or head.startswith(tuple(_FOREIGN))


def no_archive(head: bytes) -> Refused:
    """Say of a file that was meant as an archive why it is none that can be read."""
    kind = next((kind for start, kind in _FOREIGN.items() if head.startswith(start)), "")
    what = f"this is an archive of the kind {kind}, which is not read here" if kind else "this is no archive"
    return Refused(f"{what if head else 'the file is empty'}; hand it in again, packed as a zip")
