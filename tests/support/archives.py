"""Archives of any content, as hostile as it may be: zip and tar, entry by entry."""

import io
import stat
import tarfile
import zipfile


def make_zip(*entries: tuple[str | zipfile.ZipInfo, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip with these entries, each a name, or all that is said of it, and a content."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for info, content in entries:
            archive.writestr(info, content)
    return stream.getvalue()


def special(name: str, kind: int = stat.S_IFLNK) -> zipfile.ZipInfo:
    """Return an entry of a zip that is a link, or of another kind; its content is where a link leads."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o644) << 16
    return info


def member(name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    """Return an entry of a tar."""
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(content), link
    return info


def make_tar(*entries: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar with these entries and their contents."""
    stream = io.BytesIO()
    with tarfile.TarFile(fileobj=stream, mode="w", format=form) as archive:
        for info, content in entries:
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def tar_of(name: str, content: bytes = b"") -> bytes:
    """Return a tar of one file."""
    return make_tar((member(name, content), content))
