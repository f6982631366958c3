"""Shards made by hand out of one graded class: what is merged is what was parted, byte for byte."""

import dataclasses
import os
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry, Student
from grader.core.model.layout import Submission
from grader.core.model.report import Judgement, Report, Verdict
from grader.core.report.formats import render
from grader.core.report.json import safe_name, to_json, to_report, write_files
from grader.grading_class import merging
from grader.results.class_files import update_class_files
from grader.results.store import STORE_NAME, ReportKey, Results, locked, open_store
from tests.support.report_samples import full_report, hostile_report
from tests.support.rows import each_row

KEY = ReportKey(submission="", spec="p", reference="r", toolchain="t", grader="0")
ABOUT = {"spec": "pa1", "title": "Queens", "digest": "p", "max_score": "100.0", "spec_text": "spec: 1\n"}
NAMES = ("alice", "bob", "Müller\n::error::", "a\udcff\x1b", "=1+2", "zoe", "yan")


def entry(name: str, *, handed_in: bool = True) -> Entry:
    return Entry(id=name, path=Path("class", name) if handed_in else None, students=(Student(id=name),))


@cache
def graded(name: str, *, verdict: Verdict = Verdict.FAILED, title: str = "Queens") -> Report:
    found: Judgement = hostile_report(os.fsencode(name)) if name.startswith(("M", "a\udcff")) else full_report()
    later = tuple(
        replace(one, test=replace(one.test, visibility="after-due")) if one.test.visibility == "hidden" else one
        for one in found.tests
    )
    found = replace(
        found,
        submission=Submission(id=name, path=Path()),
        submission_digest=f"digest of {name!a}",
        spec=replace(found.spec, title=title),
        tests=later,
    )
    if verdict is Verdict.UNGRADED:
        found = replace(found, verdict=verdict, score=None)
    return to_report(replace(found, verdict=verdict))


def keep(
    folder: Path,
    entries: Sequence[Entry],
    reports: Mapping[str, Report],
    *,
    key: ReportKey = KEY,
    about: Mapping[str, str] | None = None,
) -> Path:
    """Write the store of a class, or of a part of it."""
    with open_store(folder) as store:
        store.enrol(entries, {**ABOUT, "shard": "", "unused": "notes.txt is no submission", **(about or {})})
        for name, one in reports.items():
            store.put(name, dataclasses.replace(key, submission=one.submission.digest), to_json(one), one.verdict)
    return folder


def shards(folder: Path, count: int, names: Sequence[str] = NAMES) -> list[Path]:
    """Write a class in `count` parts."""
    entries = [*map(entry, sorted(names)), entry("zzz", handed_in=False)]
    return [
        keep(
            folder / f"part{number}",
            entries[number - 1 :: count],
            {one.id: graded(one.id) for one in entries[number - 1 :: count] if one.path},
            about={"shard": f"{number}/{count}"},
        )
        for number in range(1, count + 1)
    ]


def whole(folder: Path, *, after_due: bool = False) -> Path:
    """Write the same class in one, with all its files."""
    keep(
        folder,
        [*map(entry, sorted(NAMES)), entry("zzz", handed_in=False)],
        {name: graded(name) for name in NAMES},
        about={"after_due": "yes" if after_due else ""},
    )
    with open_store(folder) as store:
        update_class_files(store, folder)
        for name in NAMES:
            files = {**render(graded(name), after_due=after_due), "report.json": to_json(graded(name))}
            write_files(files, folder / safe_name(name))
    return folder


def merge(paths: Sequence[Path], out: Path, *, after_due: bool = False) -> tuple[Results, tuple[str, ...]]:
    """Merge as the command does."""
    with merging.merge_shards(paths, out, after_due=after_due) as merged:
        return merged


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("grades.db"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.name != "grades.lock"}


@pytest.mark.slow
@pytest.mark.parametrize("after_due", [False, True])
@pytest.mark.parametrize("count", [1, 3, 8])
def test_the_parts_of_a_class_become_the_class(tmp_path: Path, count: int, after_due: bool) -> None:  # noqa: FBT001
    merged = merge(shards(tmp_path, count), tmp_path / "out", after_due=after_due)
    assert merged[1] == ()
    assert contents(tmp_path / "out") == contents(whole(tmp_path / "whole", after_due=after_due))
    with open_store(tmp_path / "out") as store, open_store(tmp_path / "whole") as other:
        assert (store.finished(), store.about(), store.entries()) == (other.finished(), other.about(), other.entries())
        assert [store.get(name) for name in NAMES] == [other.get(name) for name in NAMES]


def test_the_order_of_the_results_plays_no_part(tmp_path: Path) -> None:
    folders = shards(tmp_path, 3)
    first = None
    for number, order in enumerate(permutations(folders)):
        merge(order, tmp_path / f"out{number}")
        found = contents(tmp_path / f"out{number}")
        first = first or found
        assert found == first


def test_a_missing_part_is_named_and_can_come_later(tmp_path: Path) -> None:
    one, two, three = shards(tmp_path, 3)
    merged = merge([three, one], tmp_path / "most")
    assert (merged[1], merged[0].book.shard) == (("2/3",), "1/3 3/3")
    merged = merge([two / STORE_NAME, tmp_path / "most"], tmp_path / "out")
    assert (merged[1], merged[0].book.shard) == ((), "")
    assert contents(tmp_path / "out") == contents(whole(tmp_path / "whole"))


def merged_two(
    folder: Path,
    first: Mapping[str, Report | None],
    second: Mapping[str, Report | None],
    key: ReportKey = KEY,
    about: Mapping[str, str] | None = None,
) -> tuple[Results, tuple[str, ...]]:
    """Merge two results; a student without a report is not graded yet."""
    for name, reports in (("one", first), ("two", second)):
        keep(
            folder / name,
            [entry(student) for student in reports],
            {student: one for student, one in reports.items() if one},
            key=key if name == "two" else KEY,
            about=about if name == "two" else None,
        )
    return merge([folder / "one", folder / "two"], folder / "out")


@each_row
def test_what_was_made_in_different_ways_is_not_merged(
    tmp_path: Path, key: ReportKey, about: Mapping[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        merged_two(tmp_path, {"a": graded("a")}, {"b": graded("b")}, key, about)
    assert not (tmp_path / "out").exists()


def test_one_result_that_was_made_in_two_ways_is_not_merged(tmp_path: Path) -> None:
    with open_store(keep(tmp_path / "one", [entry("a"), entry("b")], {"a": graded("a")})) as store:
        other = dataclasses.replace(KEY, submission="digest", grader="x")
        store.put("b", other, to_json(graded("b")), Verdict.FAILED)
    with pytest.raises(UsageError, match=r"one has reports made with more than one version of grader: run its"):
        merge([tmp_path / "one"], tmp_path / "out")


def test_parts_of_two_divisions_are_not_merged(tmp_path: Path) -> None:
    three, four = shards(tmp_path / "3", 3)[0], shards(tmp_path / "4", 4)[1]
    with pytest.raises(UsageError, match="of 3 and of 4 parts"):
        merge([three, four], tmp_path / "out")


def test_who_is_in_two_results_with_the_same_is_there_once(tmp_path: Path) -> None:
    merged = merged_two(tmp_path, {"a": graded("a"), "b": graded("b")}, {"b": graded("b"), "c": None})
    assert [grade.entry.id for grade in merged[0].book.grades] == ["a", "b", "c"]


def test_what_was_decided_for_one_stays_with_its_report(tmp_path: Path) -> None:
    parts = shards(tmp_path, 2)
    with open_store(parts[0]) as store:
        name, key = next(iter(store.finished().items()))
        store.put(
            name, dataclasses.replace(key, submission="with what was decided"), to_json(graded(name)), Verdict.FAILED
        )
    merge(parts, tmp_path / "out")
    with open_store(tmp_path / "out") as store:
        assert store.finished()[name].submission == "with what was decided"


def test_who_is_in_two_results_with_two_submissions_stops_us(tmp_path: Path) -> None:
    one = graded("a")
    other = replace(one, submission=replace(one.submission, digest="another"))
    with pytest.raises(UsageError, match=r"a is in .*one and .*two with two submissions"):
        merged_two(tmp_path, {"a": graded("a")}, {"a": other})


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("other", [None, "ungraded"])
def test_a_grade_counts_more_than_none(tmp_path: Path, other: str | None, swapped: bool) -> None:  # noqa: FBT001
    without = graded("a", verdict=Verdict.UNGRADED) if other else None
    sides: list[Mapping[str, Report | None]] = [{"a": graded("a")}, {"a": without}]
    merged = merged_two(tmp_path, *(reversed(sides) if swapped else sides))
    (only,) = merged[0].book.grades
    assert only.report
    assert only.report.verdict is Verdict.FAILED


@pytest.mark.parametrize("swapped", [False, True])
def test_the_reason_why_something_is_ungraded_counts_more_than_none(tmp_path: Path, *, swapped: bool) -> None:
    sides: list[Mapping[str, Report | None]] = [{"a": None}, {"a": graded("a", verdict=Verdict.UNGRADED)}]
    merged = merged_two(tmp_path, *(reversed(sides) if swapped else sides))
    (only,) = merged[0].book.grades
    assert only.report
    assert only.report.verdict is Verdict.UNGRADED


def test_what_is_not_graded_is_left_open(tmp_path: Path) -> None:
    merged = merged_two(tmp_path, {"a": None, "b": graded("b", verdict=Verdict.UNGRADED)}, {"b": None})
    a, b = merged[0].book.grades
    assert (a.report, a.entry.path is None) == (None, False)
    assert b.report
    assert b.report.score is None
    with open_store(tmp_path / "out") as store:
        assert store.finished() == {}


def test_nothing_of_an_earlier_merging_stays(tmp_path: Path) -> None:
    keep(
        tmp_path / "old",
        [entry("a")],
        {"a": graded("a")},
        about={"digest": "x"},
        key=dataclasses.replace(KEY, spec="x"),
    )
    merge([tmp_path / "old"], tmp_path / "out")
    merged = merged_two(tmp_path, {"a": None}, {"b": graded("b")})
    assert [(grade.entry.id, grade.report is None) for grade in merged[0].book.grades] == [("a", True), ("b", False)]


def test_the_results_themselves_are_not_written_over(tmp_path: Path) -> None:
    folders = shards(tmp_path, 2)
    before = contents(folders[0])
    (tmp_path / "link").symlink_to(folders[0])
    for out in (folders[0], tmp_path / "link"):
        with pytest.raises(UsageError, match="itself one of the results"):
            merge(folders, out)
    assert contents(folders[0]) == before


def test_another_assignment_and_another_grader_keep_their_folder(tmp_path: Path) -> None:
    folders = shards(tmp_path, 2)
    keep(tmp_path / "other", [], {}, about={"spec": "pa9"})
    with pytest.raises(UsageError, match="another assignment, pa9"):
        merge(folders, tmp_path / "other")
    with locked(tmp_path / "busy"), pytest.raises(UsageError, match="another grader"):
        merge(folders, tmp_path / "busy")


@pytest.mark.parametrize("what", ["nothing", "empty", "note.txt", "half"])
def test_what_is_no_result_is_said(tmp_path: Path, what: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "note.txt").write_text("hello")
    with open_store(tmp_path / "half"):
        pass
    with pytest.raises(UsageError, match=what):
        merge([tmp_path / what], tmp_path / "out")
