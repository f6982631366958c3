"""Split a class into shards for independent machines (every N-th entry), and merge their results.

The merged class equals a class graded on one machine. All results must have the same spec, reference, tools and
grader, else nothing is merged. Their order does not matter. One report at a time is in memory.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry
from grader.core.report.json import from_json
from grader.core.text import one_line
from grader.results.store import (
    STORE_NAME,
    ReportKey,
    Results,
    files_of,
    locked,
    open_store,
    read_store,
    results_of,
    update_files,
)

_COMMON = {
    "spec": "spec",
    "reference": "reference",
    "toolchain": "tools or sandbox",
    "grader": "version of grader",
}
"""the parts of a key that all reports of a class share -> their names in messages"""


def to_shard(text: str) -> tuple[int, int]:
    """Read `2/8`, the second of eight; raises UsageError for anything else."""
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text)
    number, count = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= count:
        raise UsageError(f"--shard takes a part and the number of parts, such as 2/8, and not {text!r}")
    return number, count


def shard_of(entries: Sequence[Entry], shard: tuple[int, int]) -> tuple[Entry, ...]:
    """Return the entries of one part; all parts together are the class."""
    number, count = shard
    return tuple(entries[number - 1 :: count])


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The merged results, valid while the folder is locked."""

    results: Results
    missing: tuple[str, ...]
    """shards that were not among the results: `2/3`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shard:
    """One of the results, without its reports."""

    path: Path
    """its grades.db"""
    about: Mapping[str, str]
    shards: tuple[tuple[int, int], ...]
    """which parts of how many; empty for a whole class"""
    entries: Mapping[str, Entry]
    keys: Mapping[str, ReportKey]
    """of the entries that are graded"""


@contextmanager
def merge_shards(paths: Sequence[Path], out: Path, *, after_due: bool = False) -> Iterator[Merged]:
    """Merge results into `out`: grades.db and the students' folders, which is locked inside the block.

    Raises UsageError when they do not belong to one class; ungraded and missing submissions stay open.
    """
    sources = sorted(map(_read_source, paths), key=lambda source: (source.shards, str(source.path)))
    if out.resolve() in {source.path.parent.resolve() for source in sources}:
        raise UsageError(f"{one_line(str(out))} is itself one of the results: choose another folder with --out")
    _check_same_class(sources)
    common = _common_key(sources)
    missing = _missing_shards(sources)
    with locked(out), open_store(out) as store:
        present = store.about().get("spec", sources[0].about["spec"])
        if present != sources[0].about["spec"]:
            raise UsageError(
                f"{one_line(str(out))} holds the grades of another assignment, {present}: choose another --out"
            )
        store.forget()  # an earlier merge may have used another spec
        entries = {entry.id: entry for entry in _best_entries(sources)}
        store.enrol(list(entries.values()), _common_facts(sources, missing))
        course = store.about().get("course", "")
        for name, written, stored_key in _reports(sources):
            report = from_json(written)
            key = stored_key or replace(common, submission=report.submission.digest)
            store.put(name, key, written, report.verdict)
            files = partial(files_of, entries[name], written, course=course, after_due=after_due)
            update_files(entries[name], files, store, out, after_due=after_due)
        yield Merged(results=results_of(store, after_due=after_due), missing=missing)


def _read_source(path: Path) -> _Shard:
    database = path / STORE_NAME if path.is_dir() else path
    if database.name != STORE_NAME or not database.is_file():
        raise UsageError(f"there is no {STORE_NAME} at {one_line(str(path))}: name folders that `grader class` wrote")
    with read_store(database) as store:
        about, entries, keys = store.about(), store.entries(), store.finished()
    if "spec" not in about:
        raise UsageError(f"{one_line(str(path))} is not finished: run its `grader class` again")
    return _Shard(
        path=database,
        about=about,
        shards=tuple(map(to_shard, about.get("shard", "").split())),
        entries={entry.id: entry for entry in entries},
        keys={entry.id: keys[entry.id] for entry in entries if entry.id in keys},
    )


# ---------------------------------------------------------------- do they belong together


def _check_same_class(sources: Sequence[_Shard]) -> None:
    first = sources[0]
    for other in sources[1:]:
        if other.about["spec"] != first.about["spec"]:
            names = f"{first.about['spec']} and {other.about['spec']}"
            raise UsageError(f"{_folders_of(first, other)} are of two assignments, {names}: merge each by itself")
        if other.about.get("digest") != first.about.get("digest"):
            raise _differ("spec", first, other)
    counts = {count: source for source in sources for _, count in source.shards}
    if len(counts) > 1:
        (one, first), (two, other) = list(counts.items())[:2]
        raise UsageError(f"{_folders_of(first, other)} are of {one} and of {two} parts: merge parts of one division")


def _common_key(sources: Sequence[_Shard]) -> ReportKey:
    """Return the key that all reports share, without the submission; raises UsageError when they differ."""
    found = [(source, name, key) for source in sources for name, key in source.keys.items()]
    if not found:
        return ReportKey(submission="", spec=sources[0].about.get("digest", ""), reference="", toolchain="", grader="")
    first, _, wanted = found[0]
    for source, _, key in found:
        for part in _COMMON:
            if getattr(key, part) != getattr(wanted, part):
                raise _differ(part, first, source)
    seen: dict[str, _Shard] = {}
    for source, name, key in found:
        first = seen.setdefault(name, source)
        if first.keys[name] != key:
            raise UsageError(
                f"{one_line(name)} is in {_folders_of(first, source)} with two submissions: take one of them out, "
                "and grade that part again"
            )
    return replace(wanted, submission="")


def _differ(part: str, first: _Shard, other: _Shard) -> UsageError:
    word = _COMMON[part]
    if first is other:
        where = one_line(str(first.path.parent))
        return UsageError(
            f"{where} has reports made with more than one {word}: run its `grader class` again to its end"
        )
    return UsageError(f"{_folders_of(first, other)} were not made with the same {word}: grade both again with the same")


def _folders_of(first: _Shard, other: _Shard) -> str:
    return f"{one_line(str(first.path.parent))} and {one_line(str(other.path.parent))}"


# ---------------------------------------------------------------- what they are together


def _missing_shards(sources: Sequence[_Shard]) -> tuple[str, ...]:
    """Return the missing shards; none when a whole class is among the results."""
    there = {shard for source in sources for shard in source.shards}
    if not there or not all(source.shards for source in sources):
        return ()
    count = next(iter(there))[1]
    return tuple(f"{number}/{count}" for number in range(1, count + 1) if (number, count) not in there)


def _common_facts(sources: Sequence[_Shard], missing: Sequence[str]) -> dict[str, str]:
    shards = sorted({shard for source in sources for shard in source.shards}) if missing else []
    unused = [line for source in sources for line in source.about.get("unused", "").split("\n") if line]
    return {
        **{name: value for name, value in sources[0].about.items() if name != "format"},
        "shard": " ".join(f"{number}/{count}" for number, count in shards),
        "unused": "\n".join(dict.fromkeys(unused)),
    }


def _best_entries(sources: Sequence[_Shard]) -> list[Entry]:
    """Return one entry for each id; of several, the graded one is preferred, then one with a submission."""
    chosen: dict[str, tuple[int, Entry]] = {}
    for source in sources:
        for name, entry in source.entries.items():
            rank = 2 if name in source.keys else int(entry.path is not None)
            if name not in chosen or rank > chosen[name][0]:
                chosen[name] = (rank, entry)
    return [entry for _, entry in chosen.values()]


def _reports(sources: Sequence[_Shard]) -> Iterator[tuple[str, bytes, ReportKey | None]]:
    """Yield one report for each id: the graded one, with its key, else the ungraded one."""
    graded_somewhere = {name for source in sources for name in source.keys}
    done: set[str] = set()
    for source in sources:
        with read_store(source.path) as store:
            for name in source.entries:
                if name in done or (name in graded_somewhere and name not in source.keys):
                    continue
                if (written := store.get(name)) is not None:
                    done.add(name)
                    yield name, written, source.keys.get(name)
