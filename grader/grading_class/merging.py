"""Split a class into shards for independent machines (every N-th entry), and merge their results.

The merged class equals a class graded on one machine. All results must have the same spec, reference, tools and
grader, else nothing is merged. Their order does not matter. Few reports at a time are in memory.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry
from grader.core.report.json import from_json
from grader.core.text import one_line
from grader.grading_class.grading import MAX_BATCH
from grader.results import store as stores
from grader.results.class_files import update_class_files

_COMMON = {"spec": "spec", "reference": "reference", "toolchain": "tools or sandbox", "grader": "version of grader"}
"""the parts of a key that all reports of a class share -> their names in messages"""
_SAME = "{both} were not made with the same {fact}: grade both again with the same"
_MIXED = "{folder} has reports made with more than one {fact}: run its `grader class` again to its end"
# It is retried, whatever its key.
_UNGRADED = stores.ReportKey(submission="", spec="", reference="", toolchain="", grader="")


def to_shard(text: str) -> tuple[int, int]:
    """Read `2/8`, the second of eight; raises UsageError for anything else."""
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text)
    number, count = map(int, match.groups()) if match else (0, 0)
    if not 1 <= number <= count:
        raise UsageError(f"--shard takes a part and the number of parts, such as 2/8, and not {text!r}")
    return number, count


class _Shard(Struct, frozen=True, kw_only=True):
    """One of the results, without its reports."""

    path: Path  # its grades.db
    about: Mapping[str, str]
    shards: tuple[str, ...]  # which parts of how many, as `2/8`; empty for a whole class
    entries: Mapping[str, Entry]
    keys: Mapping[str, stores.ReportKey]  # of the entries with a report

    def rank(self, name: str) -> tuple[bool, bool, bool]:
        """Return how much it knows of an entry: its grade, else why it has none, else that something was handed in."""
        return self.keys.get(name, _UNGRADED) != _UNGRADED, name in self.keys, self.entries[name].path is not None


@contextmanager
def merge_shards(
    paths: Sequence[Path], out: Path, *, after_due: bool = False
) -> Iterator[tuple[stores.Results, tuple[str, ...]]]:
    """Merge results into `out`, with all files of the class; the folder is locked inside the block.

    Yields the merged results, and the shards that were not among them: `2/3`. Raises UsageError when they do not belong
    to one class; ungraded and missing submissions stay open.
    """
    sources = sorted(map(_read_source, paths), key=lambda it: ([*map(to_shard, it.shards)], str(it.path)))
    if out.resolve() in {source.path.parent.resolve() for source in sources}:
        raise UsageError(f"{one_line(str(out))} is itself one of the results: choose another folder with --out")
    _check_same_class(sources)
    parts = sorted({shard for source in sources for shard in source.shards}, key=to_shard)
    count = to_shard(parts[0])[1] if all(source.shards for source in sources) else 0
    missing = tuple(part for number in range(1, count + 1) if (part := f"{number}/{count}") not in parts)
    best: dict[str, _Shard] = {}
    for source in sources:
        better = (name for name in source.entries if name not in best or source.rank(name) > best[name].rank(name))
        best |= dict.fromkeys(better, source)
    unused = [line for source in sources for line in source.about.get("unused", "").split("\n") if line]
    facts = {
        **sources[0].about,
        "shard": " ".join(parts if missing else ()),
        "unused": "\n".join(dict.fromkeys(unused)),
        "after_due": "yes" if after_due else "",
    }
    with stores.locked(out), stores.open_store(out) as store:
        if (present := store.about().get("spec", facts["spec"])) != facts["spec"]:
            raise UsageError(f"{one_line(str(out))} has grades of another assignment, {present}: choose another --out")
        store.forget()  # an earlier merge may have used another spec
        store.enrol([source.entries[name] for name, source in best.items()], facts)
        for source in sources:
            _copy_reports(source, [name for name in best if best[name] is source], store, out, facts)
        yield update_class_files(store, out), missing


def _copy_reports(
    source: _Shard, names: Sequence[str], store: stores.GradeStore, out: Path, about: Mapping[str, str]
) -> None:
    """Store the reports of these entries, and write their files, a few in one transaction."""
    with stores.read_store(source.path) as database:
        for start in range(0, len(names), MAX_BATCH):
            with store.batch():
                for name in names[start : start + MAX_BATCH]:
                    if (written := database.get(name)) is not None:
                        store.put(name, source.keys[name], written, from_json(written).verdict)
                        stores.update_files(source.entries[name], store, out, about)


def _read_source(path: Path) -> _Shard:
    database = path / stores.STORE_NAME if path.is_dir() else path
    if database.name != stores.STORE_NAME or not database.is_file():
        where = one_line(str(path))
        raise UsageError(f"there is no {stores.STORE_NAME} at {where}: name folders that `grader class` wrote")
    with stores.read_store(database) as store:
        about, finished, entries = store.about(), store.finished(), {entry.id: entry for entry in store.entries()}
        keys = {name: finished.get(name, _UNGRADED) for name in entries if name in finished or store.get(name)}
    if "spec" not in about:
        raise UsageError(f"{one_line(str(path))} is not finished: run its `grader class` again")
    return _Shard(path=database, about=about, shards=tuple(about.get("shard", "").split()), entries=entries, keys=keys)


def _check_same_class(sources: Sequence[_Shard]) -> None:
    """Raise UsageError for the first fact in which two of them differ, or one with itself."""
    known: dict[str, tuple[object, _Shard]] = {}
    for source in sources:
        for fact, value, message in _common_facts(source):
            before, first = known.setdefault(fact, (value, source))
            if before != value:
                folders = [one_line(str(side.path.parent)) for side in (first, source)]
                both, form = " and ".join(folders), _MIXED if first is source else message
                raise UsageError(form.format(both=both, folder=folders[1], fact=fact, one=before, other=value))


def _common_facts(source: _Shard) -> Iterator[tuple[str, object, str]]:
    """Yield what all results share: its name, its value, and what is said where it differs."""
    yield "assignment", source.about["spec"], "{both} are of two assignments, {one} and {other}: merge each by itself"
    yield "digest", source.about.get("digest"), _SAME.replace("{fact}", "spec")
    for shard in source.shards:
        yield "count", to_shard(shard)[1], "{both} are of {one} and of {other} parts: merge parts of one division"
    for name, key in ((name, key) for name, key in source.keys.items() if key != _UNGRADED):
        yield from ((what, getattr(key, part), _SAME) for part, what in _COMMON.items())
        who = one_line(name).replace("{", "{{").replace("}", "}}")
        remedy = "with two submissions: take one of them out, and grade that part again"
        yield f"submission of {name}", key, f"{who} is in {{both}} {remedy}"
