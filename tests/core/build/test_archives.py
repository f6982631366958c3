import bz2
import gzip
import lzma
import stat
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from grader.core.build.archive import read_archive, unpack_archive
from grader.core.build.staging import check_path, read_submission, submission_digest
from grader.core.build.tree import MIB, NoArchiveError, Refused, StagingLimits
from grader.core.cache import Cache
from grader.core.errors import UsageError
from tests.support.archives import make_tar, make_zip, member, special, tar_of
from tests.support.examples import examples
from tests.support.rows import each_row

LIMITS = StagingLimits(files=20, depth=5, size=100_000, archive=400_000)


def unpacked(data: bytes, folder: Path) -> list[str]:
    """Unpack an archive in a new folder below `folder`; return the names of the files there."""
    (folder / "packed").write_bytes(data)
    (folder / "target").mkdir()
    unpack_archive(str(folder / "packed"), str(folder / "target"), LIMITS)
    return sorted(str(path.relative_to(folder / "target")) for path in folder.rglob("target/**/*") if path.is_file())


def test_reads_a_zip() -> None:
    script = special("src/run.sh", stat.S_IFREG | 0o100)
    tree = read_archive(make_zip(("src/", b""), ("src/Queens.java", b"class"), (script, b"#!")), LIMITS)
    assert {name: (file.content, file.executable) for name, file in tree.files.items()} == {
        "src/Queens.java": (b"class", False),
        "src/run.sh": (b"#!", True),
    }
    assert tree.folders == {"src"}


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_reads_a_tar(form: int, pack: Callable[[bytes], bytes]) -> None:
    data = make_tar(
        (member("./", kind=tarfile.DIRTYPE), b""), (member("./src/Queens.java", b"class"), b"class"), form=form
    )
    tree = read_archive(pack(data), LIMITS)
    assert {name: file.content for name, file in tree.files.items()} == {"src/Queens.java": b"class"}
    assert tree.folders == {"src"}


def test_reads_a_tar_older_than_its_magic() -> None:
    header = bytearray(tar_of("Queens.java", b"class"))
    header[257:265] = bytes(8)
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header[:512]):06o}\0 ".encode()
    assert read_archive(bytes(header), LIMITS).files["Queens.java"].content == b"class"


def test_a_zip_at_the_end_of_a_tar_stays_in_the_tar() -> None:
    inner = make_zip(("inner.txt", b"x"), method=zipfile.ZIP_STORED)
    assert list(read_archive(tar_of("jar", inner), LIMITS).files) == ["jar"]


def test_backslashes_of_windows_are_separators() -> None:
    tree = read_archive(make_zip(("src\\", b""), ("src\\pkg\\A.java", b"a")), LIMITS)
    assert list(tree.files) == ["src/pkg/A.java"]
    assert tree.folders == {"src", "src/pkg"}


def test_names_without_an_encoding_keep_their_bytes() -> None:
    data = make_zip(("caf_.txt", b"x")).replace(b"caf_.txt", b"caf\xe9.txt")
    assert list(read_archive(data, LIMITS).files) == ["caf\udce9.txt"]
    assert list(read_archive(make_zip(("größe.txt", b"x")), LIMITS).files) == ["größe.txt"]


def encrypted() -> bytes:
    data = bytearray(make_zip(("a", b"secret")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def wrong_checksum() -> bytes:
    data = make_zip(("a", b"content"), method=zipfile.ZIP_STORED)
    return data.replace(b"content", b"CONTENT")


def understated() -> bytes:
    """Declares one byte and unpacks to 5 MB."""
    data = bytearray(make_zip(("a", bytes(5_000_000))))
    data[22:26] = (1).to_bytes(4, "little")
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (1).to_bytes(4, "little")
    return bytes(data)


def null_in_name() -> bytes:
    return make_zip(("a_b", b"x")).replace(b"a_b", b"a\0b")


def invalid_utf8_name() -> bytes:
    return make_zip(("größe", b"x")).replace("größe".encode(), b"gr\xff\xff\xff\xffe")


def broken_header() -> bytes:
    data = bytearray(make_tar((member("a"), b""), (member("b"), b""), (member("c"), b"")))
    data[512 : 512 + 20] = b"x" * 20
    return bytes(data)


def negative_size() -> bytes:
    data = bytearray(tar_of("a"))
    data[124:136] = b"\xff" * 12
    data[148:156] = b" " * 8
    data[148:156] = f"{sum(data[:512]):06o}\0 ".encode()
    return bytes(data)


def chain_of_headers() -> bytes:
    """A pax header for a pax header for a pax header ..."""
    link = make_tar((member("x" * 300), b""))[:1024]
    return link * 2000


def sparse_member() -> bytes:
    info = member("a")
    info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.size": str(2**40), "GNU.sparse.map": "0,0"}
    return make_tar((info, b""))


class Packed(Struct, frozen=True):
    """An archive of a row: a zip or a tar of files, by their names, which may be cut off."""

    zip: Mapping[str, bytes] = {}
    tar: Mapping[str, bytes] = {}
    method: int = zipfile.ZIP_DEFLATED
    by_gzip: bool = False
    kept: int | None = None  # of its bytes

    @property
    def data(self) -> bytes:
        """Its bytes."""
        if self.zip:
            return make_zip(*self.zip.items(), method=self.method)[: self.kept]
        packed = make_tar(*((member(name, content), content) for name, content in self.tar.items()))
        return (gzip.compress(packed, mtime=0) if self.by_gzip else packed)[: self.kept]


MADE = {
    make.__name__: make
    for make in (
        *(encrypted, wrong_checksum, understated, null_in_name, invalid_utf8_name),
        *(broken_header, negative_size, chain_of_headers, sparse_member),
    )
}


@each_row
def test_refuses(tmp_path: Path, archive: Packed | str, says: str) -> None:
    data = MADE[archive]() if isinstance(archive, str) else archive.data
    with pytest.raises(Refused, match=says):
        read_archive(data, LIMITS)
    with pytest.raises(Refused, match=says if " one name" not in says else "on the way to a|two files|a file and"):
        unpacked(data, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"packed", "target"}
    assert sum(path.stat().st_size for path in (tmp_path / "target").rglob("*")) < LIMITS.size + LIMITS.files * 4096


@pytest.mark.parametrize(
    "data",
    [
        make_zip(("src/a", b"text" * 9_000), ("b", b"")),
        bz2.compress(make_tar((member("src/a", b"text" * 9_000), b"text" * 9_000), (member("b"), b""))),
    ],
)
def test_unpacks_what_it_reads(tmp_path: Path, data: bytes) -> None:
    assert unpacked(data, tmp_path) == ["b", "src/a"]
    assert (tmp_path / "target/src/a").read_bytes() == b"text" * 9_000


@pytest.mark.parametrize(
    "data", [b"", b"x", b"class Queens {}\n" * 99, gzip.compress(b"class Queens {}", mtime=0), b"Rar!\x1a\x07"]
)
def test_other_files_are_no_archives(data: bytes) -> None:
    with pytest.raises(NoArchiveError):
        read_archive(data, LIMITS)


def test_a_member_that_understates_its_size_is_not_unpacked_whole() -> None:
    data = understated()
    tracemalloc.start()
    with pytest.raises(Refused):
        read_archive(data, LIMITS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


SKIPPED = (".git/config", "work/__MACOSX/x", "._a", ".DS_Store", "__pycache__/a.pyc", "/.git/x", "../.git/config")


@pytest.mark.parametrize(
    "data",
    [
        make_zip(*((name, b"x") for name in SKIPPED), ("a", b"")),
        make_zip(*((f".git/{number}", b"x") for number in range(300)), ("a", b"")),
        make_zip((".git/pack", bytes(500_000)), ("a", b"")),
        make_zip((special(".git/link", stat.S_IFLNK), b"/etc"), ("a", b"")),
        make_tar(*((member(name, b"x"), b"x") for name in SKIPPED), (member("a"), b"")),
        make_tar(*((member(f".git/{number}", b"x"), b"x") for number in range(3_000)), (member("a"), b"")),
        gzip.compress(make_tar((member(".git/pack", bytes(500_000)), bytes(500_000)), (member("a"), b""))),
        make_tar((member(".git/link", kind=tarfile.SYMTYPE, link="/etc"), b""), (member("a"), b"")),
    ],
    ids=["names", "many", "large", "link"] * 2,
)
def test_what_is_skipped_counts_for_nothing(data: bytes) -> None:
    tree = read_archive(data, LIMITS)
    assert (list(tree.files), {*tree.folders} - {"work"}, tree.left_out) == (["a"], set(), ())


@pytest.mark.parametrize(
    "data",
    [
        make_zip((special("venv/python", stat.S_IFLNK), b"/usr/bin/python3"), ("a", b"")),
        make_zip((special("venv/python", stat.S_IFIFO), b""), ("a", b"")),
        *(
            make_tar((member("venv/python", kind=kind, link="/usr/bin/python3"), b""), (member("a"), b""))
            for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"Z")
        ),
        make_tar(
            (member(".", kind=tarfile.SYMTYPE, link="x"), b""),
            (member("venv/python", kind=b"2"), b""),
            (member("a"), b""),
        ),
    ],
)
def test_links_and_devices_are_left_out_as_in_a_folder(data: bytes) -> None:
    tree = read_archive(data, LIMITS)
    assert (list(tree.files), tree.left_out) == (["a"], ("venv/python",))


def test_a_link_that_leads_out_of_an_archive_of_a_course_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="a link that leads out of it: a"):
        unpacked(make_zip((special("a", stat.S_IFLNK), b"/etc/passwd")), tmp_path)


def test_entries_in_an_archive_within_an_archive_are_not_its_own() -> None:
    inner = make_zip(*((str(number), b"") for number in range(999)), method=zipfile.ZIP_STORED)
    tree = read_archive(make_zip(("lib.jar", inner), method=zipfile.ZIP_STORED), LIMITS)
    assert tree.files["lib.jar"].content == inner


def test_text_that_packs_very_well_is_no_bomb() -> None:
    assert read_archive(make_zip(("a", b" " * 99_999)), LIMITS).files["a"].content == b" " * 99_999


WHOLE = (
    make_zip(("src/a", b"text" * 50), ("b", b""), ("größe", b"x")),
    make_zip(("src/a", b"text" * 50), method=zipfile.ZIP_STORED),
    make_tar((member("src/a", b"text"), b"text"), (member("x" * 300), b""), (member("größe"), b"")),
    make_tar((member("src/a", b"text"), b"text"), (member("x" * 150), b""), form=tarfile.GNU_FORMAT),
    gzip.compress(tar_of("src/a", b"text" * 50)),
)


@given(
    st.sampled_from(WHOLE), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6), st.integers(0)
)
@settings(max_examples=examples(400))
def test_damage_anywhere_is_refused_or_harmless(whole: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(whole)
    for place, value in changes:
        data[place % len(data)] = value
    if cut % 3 == 0:
        del data[cut % len(data) :]
    try:
        tree = read_archive(bytes(data), LIMITS)
    except (Refused, NoArchiveError):
        return
    for name, file in tree.files.items():
        assert not name.startswith("/")
        assert ".." not in name.split("/")
        assert len(file.content) <= LIMITS.size


# ---------------------------------------------------------------- apart


def slow_header(length: int = 800_000) -> bytes:
    """Make a tar of which the headers keep tarfile of older Pythons busy for hours (CVE-2024-6232)."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, length
    content = b"1" * length
    return gzip.compress(info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-length % 512) + tar_of("a"))


def test_what_keeps_the_library_busy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "alice.tar.gz"
    path.write_bytes(slow_header())
    try:
        tree = read_submission(path, StagingLimits(seconds=1))
    except Refused as refused:
        busy = "the archive takes more than 1 s to read, so hand it in again as a plain zip"
        assert str(refused) in {busy, "the archive is damaged or cut off, so hand it in again: invalid header"}  # noqa: PT017 - if mended
    else:
        assert list(tree.files) == ["a"]  # another Python that is mended


def test_what_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "alice.tar.gz"
    path.write_bytes(gzip.compress(tar_of("a", bytes(60 * MIB))))
    with pytest.raises(Refused, match="more than 64 MiB to read"):
        read_submission(path, StagingLimits(memory=64 * MIB, size=99 * MIB))


def test_only_the_first_bytes_tell_the_kind_and_whoever_asks_unpacks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "alice"
    path.write_bytes(lzma.compress(tar_of("a", bytes(100 * MIB))))
    tracemalloc.start()
    check_path(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    with pytest.raises(Refused, match="the submission has more than 20 MiB, so hand it in again with less"):
        read_submission(path)
    path.write_bytes(b"#!/bin/sh\n" + make_zip(("a", b"")))
    with pytest.raises(UsageError, match="neither a folder nor a zip"):
        check_path(path)


def test_the_digest_of_an_archive_is_remembered_by_its_content(tmp_path: Path) -> None:
    cache, path = Cache(folder=tmp_path / "cache"), tmp_path / "alice.zip"
    seen = []
    for content in (make_zip(("a", b"1")), make_zip(("a", b"2")), make_zip(("a", b"1"))):
        path.write_bytes(content)
        seen.append(submission_digest(path, cache))
    assert (seen[0] == seen[2], seen[0] == seen[1], len(list(cache.folder.iterdir()))) == (True, False, 2)
