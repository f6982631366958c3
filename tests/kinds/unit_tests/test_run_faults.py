"""Whose fault it is that a method fails: a submission's, or the course's own."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.check.subject import Subject, finders_in
from grader.core.model.layout import Build
from grader.core.reader.spec import load
from grader.core.run.runner import command_text
from grader.kinds.unit_tests import check
from grader.kinds.unit_tests.faults import find_missing_class
from grader.kinds.unit_tests.model import UnitMethod
from tests.support.courses import course
from tests.support.packages import lay, zipped
from tests.support.rows import read_data

DATA = read_data(__file__)
FIND = dict(finders_in(check))
MISSING, SOURCES, LACKING = (DATA[name] for name in ("MISSING", "SOURCES", "LACKING"))


# ---------------------------------------------------------------- archives


def archive(**classes: str) -> bytes:
    return zipped({f"{name.replace('__', '/')}.class": content for name, content in classes.items()})


ASSERTJ = archive(org__assertj__core__Api="names net/bytebuddy/ByteBuddy and net/bytebuddy/Gone")
BYTE_BUDDY = archive(net__bytebuddy__ByteBuddy="names nothing", org__objenesis__Objenesis="nothing")


def junit(jars: Mapping[str, bytes]) -> UnitMethod:
    return UnitMethod(framework="junit", file="tests/T.java", source=b"class T { }", method="T.one", jars=jars)


@pytest.mark.parametrize("message", MISSING)
def test_a_class_that_an_archive_needs_and_none_has(message: str, tmp_path: Path) -> None:
    spec = load(course(tmp_path))
    found = find_missing_class(junit(jars={"lib/assertj.jar": ASSERTJ}), spec, message)
    assert MISSING[message] in found
    assert bool(MISSING[message]) == bool(found)
    both = {"lib/assertj.jar": ASSERTJ, "lib/byte-buddy.jar": BYTE_BUDDY}
    assert not find_missing_class(junit(jars=both), spec, message)


def subject(folder: Path, keys: str = "", **files: bytes) -> Subject:
    """Return a spec with a test for JUnit, with further keys of `unit` and files of the course."""
    path = course(folder, DATA["SPEC"].replace("BankTest.java}", f"BankTest.java{keys}}}"))
    lay(folder, {"tests/BankTest.java": b"class BankTest { @Test void a() { } }", **files})
    return Subject.of(load(path), "")


@pytest.mark.parametrize("source", SOURCES)
def test_values_that_are_not_there_are_found(source: str, tmp_path: Path) -> None:
    test = f"class BankTest {{ @Test void zero() {{ }} {source} }}".encode()
    files = {"tests/rows.csv": b"1\n", "tests/BankTest.java": test}
    found = [*FIND["values-missing"](subject(tmp_path, ", with: [tests/rows.csv]", **files))]
    assert len(found) == SOURCES[source]


def test_the_command_that_repeats_a_method_has_its_archives(tmp_path: Path) -> None:
    keys = ", jars: [lib/a.jar], with: [tests/Base.java]"
    files = {"lib/a.jar": ASSERTJ, "lib/b.jar": BYTE_BUDDY, "tests/Base.java": b"class Base { }"}
    found = subject(tmp_path, keys, **files)
    build = Build(run=(), jars=("lib/b.jar",), files={"lib/b.jar": BYTE_BUDDY})
    (case,) = found.spec.tests[0].cases
    console = "/usr/share/java/junit-platform-console-standalone.jar"
    assert command_text(case, replace(found.spec, build=build)) == (
        f"javac -cp {console}:lib/a.jar:lib/b.jar:. -d . tests/BankTest.java tests/Base.java && "
        f"java -jar {console} -cp lib/a.jar:lib/b.jar:. -m 'BankTest#a'"
    )


@pytest.mark.parametrize("keys", LACKING)
def test_libraries_without_what_they_need_are_found(keys: str, tmp_path: Path) -> None:
    shaded = archive(org__assertj__core__Api="names org/assertj/core/internal/bytebuddy")
    files = {"lib/a.jar": ASSERTJ, "lib/b.jar": BYTE_BUDDY, "lib/shaded.jar": shaded}
    found = [remark.message for remark in FIND["unit-test-lacks"](subject(tmp_path, f", {keys}", **files))]
    assert len(found) == bool(LACKING[keys])
    assert LACKING[keys] in "".join(found)
