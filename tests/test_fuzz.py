"""Whatever the bytes, whoever reads them answers or raises an error of ours: random ones, and good ones damaged.

Some dozens of each here, 100,000 by `make fuzz`, which says how many by `GRADER_FUZZ`.
"""

import contextlib
import gzip
import io
import json
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader.core.build.archive import read_archive
from grader.core.build.staging import stage
from grader.core.build.tree import NoArchiveError, Refused, StagingLimits
from grader.core.errors import GraderError, HostError, SpecError
from grader.core.model.layout import FileRules, Staged, Submission
from grader.core.reader.spec import read
from grader.core.report.json import from_json, to_json, to_report
from grader.exports.gradescope_inside import link
from grader.people.names import read_name
from grader.people.people import find_owners, index_roster, read_roster
from tests.support.functions import MARK, function, recorded, sealed
from tests.support.payloads import calls_in
from tests.support.report_samples import full_report
from tests.support.required import required
from tests.support.rows import from_data, read_data

ROOT = Path(__file__).parents[1]
EXAMPLES = int(os.environ.get("GRADER_FUZZ", "0"))
LIMITS = StagingLimits(files=20, depth=5, size=100_000, archive=400_000)
RULES = FileRules(required=required("Makefile", "Queens.java"), discard=("*.class",), forbidden=("*.jar",))

Damaged = st.SearchStrategy[bytes]


def often(few: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try so many examples, or as many as are asked for. What was found once is a test of its own, in no database."""
    return settings(
        max_examples=EXAMPLES or few,
        database=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


def damaged(*whole: bytes, words: tuple[bytes, ...] = ()) -> Damaged:
    """Return good bytes with some changes, random ones, and random pieces of the good ones."""
    pieces = st.sampled_from(
        [*words, b"\0", b"\xff", b"\n", b"-1", b"99999999999999999999", b"\xed\xa0\x80", b"{}", b"["]
    )
    change = st.tuples(st.integers(0, 2**16), st.integers(0, 40), pieces | st.binary(max_size=6))
    return st.one_of(
        st.binary(max_size=200),
        st.lists(pieces, max_size=30).map(b"".join),
        st.builds(_change, st.sampled_from(whole), st.lists(change, min_size=1, max_size=8)),
    )


def _change(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, piece in changes:
        at = place % (len(data) + 1)
        moved = data[at : at + length] if length % 3 == 0 else b""  # said twice
        data = data[:at] + piece + moved + data[at + (length if length % 2 else 0) :]
    return data


# ---------------------------------------------------------------- specs

SPECS = tuple(path.read_bytes() for path in sorted((ROOT / "specs").glob("*.yaml")))
SMALL_SPECS = tuple(
    b"\n".join(whole.split(b"\n")[:40] + whole.split(b"\ntests:")[-1].split(b"\n")[:40]) for whole in SPECS
)
DATA = read_data(__file__)
YAML_WORDS = from_data(DATA["YAML_WORDS"], tuple[bytes, ...])


@often(40)
@given(damaged(*SPECS, *SMALL_SPECS, words=YAML_WORDS))
def test_specs(data: bytes) -> None:
    with contextlib.suppress(SpecError):
        assert read(data, "specs/x.yaml", ROOT).tests


# ---------------------------------------------------------------- archives and folders


def packed(form: int, *, zipped: bool = False, pack: bool = False) -> bytes:
    stream = io.BytesIO()
    entries = {"src/a": b"text" * 50, "b": b"", "größe": b"x", "deep/" * 3 + "x" * 90: b"y"}
    if zipped:
        with zipfile.ZipFile(stream, "w", form) as archive:
            for name, content in entries.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=stream, mode="w", format=form) as tar:
            for name, content in entries.items():
                info = tarfile.TarInfo(name)
                info.size, info.pax_headers = len(content), {"comment": "x"}
                tar.addfile(info, io.BytesIO(content))
    return gzip.compress(stream.getvalue(), mtime=0) if pack else stream.getvalue()


ARCHIVES = (
    *(packed(form, zipped=True) for form in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)),
    *(packed(form) for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)),
    packed(tarfile.PAX_FORMAT, pack=True),
)
ARCHIVE_WORDS = from_data(DATA["ARCHIVE_WORDS"], tuple[bytes, ...])


@often(40)
@given(damaged(*ARCHIVES, words=ARCHIVE_WORDS))
def test_archives(data: bytes) -> None:
    try:
        tree = read_archive(data, LIMITS)
    except (Refused, NoArchiveError):
        return
    assert sum(len(file.content) for file in tree.files.values()) <= LIMITS.size
    assert not [name for name in tree.files if name.startswith("/") or ".." in name.split("/")]


NAMES = st.binary(min_size=1, max_size=12).map(
    lambda raw: os.fsdecode(raw.replace(b"/", b"_").replace(b"\0", b"_"))
) | st.sampled_from(
    ["Makefile", "makefile", "Queens.java", "queens.java", "a.class", "b.jar", ".git", "src", "\n", "-rf"]
)
KINDS = st.sampled_from(["file", "file", "file", "folder", "link", "pipe", "closed"])


@often(12)
@given(st.lists(st.tuples(st.lists(NAMES, min_size=1, max_size=3), KINDS, st.binary(max_size=60)), max_size=8))
def test_folders(entries: list[tuple[list[str], str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        handed_in, target = Path(name) / "handed in", Path(name) / "staged"
        handed_in.mkdir()
        target.mkdir()
        for parts, kind, content in entries:
            with contextlib.suppress(OSError):  # a file where a folder is to be, `..`
                _make(handed_in.joinpath(*(part for part in parts if part not in (".", ".."))), kind, content)
        with contextlib.suppress(GraderError):
            staged = stage(Submission(id="x", path=handed_in), RULES, target, LIMITS)
            assert isinstance(staged, Staged)
            assert not [
                path for path in target.rglob("*") if path.is_symlink() or not (path.is_file() or path.is_dir())
            ]


def _make(path: Path, kind: str, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match kind:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(os.fsdecode(content.replace(b"\0", b"") or b"/etc"))
        case "pipe":
            os.mkfifo(path)
        case _:
            with path.open("xb") as file:  # there may be a pipe
                file.write(content)
            if kind == "closed":
                path.chmod(0)


# ---------------------------------------------------------------- people

ROSTERS = (
    b'id,name,email,team\ns1,Ada Lovelace,ada@example.org,red\ns2,"Bo, B.",bo@example.org,red\n',
    'Student;SIS Login ID;Section\n"Müller, Jörg";jm;A\nMei;mei;B\n'.encode("utf-8-sig"),
    "Username\tLast Name\tFirst Name\nx1\tLi\tMei\n".encode("utf-16"),
)


@often(30)
@given(damaged(*ROSTERS, words=(b",", b";", b"\t", b'"', b"\r", b"=1+1", b"id", b"email", b"Points Possible")), NAMES)
def test_rosters(data: bytes, name: str) -> None:
    with tempfile.NamedTemporaryFile(suffix=".csv") as file, contextlib.suppress(GraderError):
        Path(file.name).write_bytes(data)
        index = index_roster(read_roster(Path(file.name)))
        assert isinstance(find_owners(index, read_name(name), name), tuple)


@often(30)
@given(NAMES)
def test_names_of_what_was_handed_in(name: str) -> None:
    assert read_name(name).who is not None


@often(20)
@given(damaged(b'{"users": [{"name": "Ada", "id": 7}, {"email": "b@c"}]}', words=(b"null", b"{", b'"name":', b"1e999")))
def test_metadata_of_gradescope(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "metadata.json").write_bytes(data)
        (Path(name) / "links").mkdir()
        link(f"{name}/metadata.json", name, f"{name}/links")
        assert len(list((Path(name) / "links").iterdir())) == 1


# ---------------------------------------------------------------- what probes and programs tell

TOLD = from_data(DATA["TOLD"], tuple[bytes, ...])
TOLD_WORDS = from_data(DATA["TOLD_WORDS"], tuple[bytes, ...])
HEADING = "def f(a, b)"


@often(40)
@given(damaged(*TOLD, words=TOLD_WORDS), damaged(MARK + MARK + b"printed\n", words=(MARK,)))
def test_results_of_probes(data: bytes, printed: bytes) -> None:
    found = recorded(function(HEADING, 1, 2), sealed(*data.split(b"\n")) + data, printed)
    assert calls_in(found) is not None
    json.dumps(repr(calls_in(found)))


REPORT = to_json(to_report(full_report()))


@often(20)
@given(damaged(REPORT, words=(b"null", b'"', b"{", b"1e999", b'"score":', b"[" * 2000)))
def test_written_reports(data: bytes) -> None:
    with contextlib.suppress(HostError):
        assert from_json(data).format == 1
