"""What a tool found in a program's memory, as sentences and deviations: of findings that are made up."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.diagnosis import ReadLine
from grader.core.errors import HostError
from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Deviation, Message, Verdict
from grader.core.model.spec import Case, Toolchain
from grader.kinds.memory_clean.judge import confirm, describe, describe_actor, judge
from grader.kinds.memory_clean.model import CodePlace, MemoryFault, Sighting, Watched
from tests.support.rows import each_row

CASE = Case(id="a", tolerate={"memory-leak": Fraction(1, 2)})
HERE, THERE = CodePlace(function="add", file="list.c", line=7), CodePlace(function="make", file="list.c", line=3)
NAMED = CodePlace(function="add")


def seen(told: str, *calls: CodePlace) -> Sighting:
    return Sighting(text=told, calls=calls)


def fault(kind: str, told: str, *about: Sighting, place: CodePlace | None = HERE) -> MemoryFault:
    return MemoryFault(kind=kind, what=seen(told, *([place] if place else [])), about=about)


def leak(size: int = 8, blocks: int = 1, *calls: CodePlace) -> MemoryFault:
    return MemoryFault(kind="Leak_DefinitelyLost", what=seen("", *(calls or (THERE,))), bytes=size, blocks=blocks)


def read_line(file: str, line: int) -> str:
    return f"  line {line}; " if file == "list.c" else ""


def watched(*faults: MemoryFault) -> Execution:
    return Execution(status=0, also={"memory-clean": Watched(faults=faults)})


def memory_deviations(case: Case, execution: Execution, read_line: ReadLine) -> tuple[Deviation, ...]:
    context = JudgeContext(toolchain=Toolchain(name="c"), read_line=read_line, checks=lambda *_: lambda _: None)
    return judge(case, execution, None, context).deviations


def told(*faults: MemoryFault) -> str:
    return " ".join(one.message for one in memory_deviations(CASE, watched(*faults), read_line))


WRITE = fault(
    "InvalidWrite", "Invalid write of size 4", seen("Address 0x5 is 0 bytes after a block of size 40 alloc'd", THERE)
)


def test_faults_and_leaks_are_a_deviation_each_with_what_it_leaves() -> None:
    found = memory_deviations(CASE, watched(leak(), WRITE, leak()), read_line)
    assert [(one.kind, one.stream, one.keeps) for one in found] == [
        ("memory-fault", "memory", 0),
        ("memory-leak", "memory", Fraction(1, 2)),
    ]
    assert memory_deviations(CASE, watched(), read_line) == ()
    assert memory_deviations(CASE, Execution(status=0), read_line) == ()
    assert [one.kind for one in memory_deviations(CASE, watched(leak()), read_line)] == ["memory-leak"]


@each_row
def test_what_memory_it_was(about: str, where: str) -> None:
    for access in ("read", "write"):
        found = fault("Invalid", f"Invalid {access} of size 4", seen(about, THERE))
        assert told(found) == f"list.c:7 (`line 7;`) {access}s 4 bytes {where}."


def test_of_two_sightings_the_last_allocated_and_the_first_freed() -> None:
    where = seen("is 2 bytes inside a block of size 4 alloc'd", HERE)
    assert "that list.c:3 allocated" in told(fault("X", "Invalid read of size 1", where, seen("", THERE)))
    freed = seen("is 2 bytes inside a block of size 4 free'd", HERE)
    assert "that list.c:7 had freed" in told(fault("X", "Invalid read of size 1", freed, seen("", THERE)))
    assert (
        told(fault("X", "Invalid read of size 1")) == "list.c:7 (`line 7;`) reads 1 byte outside all allocated memory."
    )


@each_row
def test_what_was_done(found: MemoryFault, sentence: str) -> None:
    assert told(found) == f"list.c:7 (`line 7;`) {sentence}"


@each_row
def test_where_it_was(place: CodePlace | None, beginning: str) -> None:
    assert told(fault("InvalidJump", "", place=place)) == beginning


@each_row
def test_who_did_something(calls: tuple[CodePlace, ...], who: str) -> None:
    found = fault("MismatchedFree", "", *([seen("", *calls)] if calls else []))
    assert f"what {who} allocated" in told(found)


@each_row
def test_what_is_never_freed(found: MemoryFault, sentence: str) -> None:
    assert told(found) == sentence


@each_row
def test_where_else_it_was(lines: tuple[int, ...], more: str) -> None:
    others = [fault("InvalidJump", "", place=replace(HERE, line=line)) for line in lines]
    nowhere = fault("InvalidJump", "", place=None)
    assert (
        told(fault("InvalidJump", ""), *others, nowhere)
        == f"list.c:7 (`line 7;`) jumps to an address that holds no code{more}."
    )


def test_behind_another_sentence_the_first_fault_is_told_and_no_leak() -> None:
    assert describe(watched(leak(), WRITE), read_line)[0].startswith("list.c:7 (`line 7;`) writes 4 bytes")
    assert describe(watched(leak()), read_line)[0] == ""
    explained = replace(watched(WRITE), crash_cause="it followed a null pointer")
    told, places = describe(explained, read_line)
    assert (told, len(places)) == ("", 1)
    assert describe(Execution(status=0), read_line) == ("", ())


def test_the_places_of_all_are_spots() -> None:
    _, found = describe(watched(WRITE, leak(), fault("InvalidJump", "", place=NAMED)), read_line)
    assert [(one.file, one.line, one.source, one.rule) for one in found] == [
        ("list.c", 7, "line 7;", "memory-fault"),
        ("list.c", 3, "line 3;", "memory-leak"),
    ]
    assert found[1].what == "8 bytes that list.c:3 allocated are never freed."


def test_long_words_are_cut() -> None:
    line = told(fault("InvalidJump", "", place=replace(HERE, file="x.c")))
    assert line == "x.c:7 jumps to an address that holds no code."
    found = memory_deviations(CASE, watched(fault("InvalidJump", "")), lambda *_: "y" * 41)
    assert f"(`{'y' * 40}…`)" in found[0].message
    name = CodePlace(function="f" * 61)
    assert f"The function `{'f' * 60}…`" in told(fault("InvalidJump", "", place=name))


# ---------------------------------------------------------------- whether anybody knows

FINE = CaseResult(id="a", verdict=Verdict.PARTIAL, credit=Fraction(1, 2), command="")


def judged(credit: str) -> Any:
    return lambda _execution: replace(FINE, credit=Fraction(credit), message=Message("It differs."))


@each_row
def test_it_is_known_or_changes_nothing(result: CaseResult, found: Watched, credit: str) -> None:
    confirm(result, found, judged(credit))


@each_row
def test_what_nobody_knows_is_our_failure(found: Watched, told: str) -> None:
    with pytest.raises(HostError, match=f"^it is unknown whether your program handles its memory correctly: {told}"):
        confirm(FINE, found, judged("1/4"))


def test_the_code_that_a_class_has_without_being_written_is_not_the_place() -> None:
    head, use = CodePlace(function="Song", file="a.cpp", line=1), CodePlace(function="main", file="a.cpp", line=9)
    lines = {1: "struct Song {", 9: "Song first = songs.front();"}
    actor = describe_actor(seen("", head, use), lambda _file, line: lines[line])
    assert actor == "a.cpp:9 (`Song first = songs.front();`)"


def test_a_statement_of_several_lines_is_the_place() -> None:
    use = CodePlace(function="add", file="a.c", line=1), CodePlace(function="main", file="a.c", line=9)
    lines = {1: "struct song *one = find(", 9: "add();"}
    assert describe_actor(seen("", *use), lambda _file, line: lines[line]) == "a.c:1 (`struct song *one = find(`)"
