"""Unit tests in Java in an image of the JDK: the verdicts of the JDK itself, and no archive but as it was made."""

import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pytest

from grader.core.cache import user_cache
from grader.core.model.judgement import Job
from grader.core.model.submission import Submission
from grader.core.pipeline import Course, grade, prepare
from grader.kinds.unit_tests import java_image, probe
from grader.kinds.unit_tests.java_image import image_machine, image_options, image_probe
from grader.kinds.unit_tests.junit_jars import JUNIT_JARS
from tests.support.courses import course, submission

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SPEC = """
spec: 1
id: bank
title: A bank
language: java
files: {required: [Bank.java]}
build: {run: javac Bank.java, produces: ["*.class"]}
program: java Bank
tests:
  - name: bank
    unit: {junit: tests/BankTest.java}
"""
TEST = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BankTest {
    @Test void crashes() { Bank.crash(); }
    @Test void prints() {
        System.out.println(Bank.twice(3));
        assertTrue(new java.awt.image.BufferedImage(2, 2, 1).getGraphics() == null, "not seven");
    }
    @ParameterizedTest @ValueSource(ints = {1, 2}) void varies(int n) { assertEquals(2 * n, Bank.twice(n)); }
    @Test void seesInside() { assertEquals("none", Bank.lookInside()); }
    @Test void writesArchive() { assertEquals("refused", Bank.write()); }
}
"""
BANK = """
import java.io.*;
public class Bank {
    static int twice(int number) { return 2 * number; }
    static void crash() { throw new IllegalStateException("4711"); }
    static String lookInside() {
        String found = "";
        for (String name : new String[] {"sun.misc.Unsafe", "com.sun.management.HotSpotDiagnosticMXBean",
                "com.sun.tools.attach.VirtualMachine", "jdk.jfr.Recording"}) {
            try { found += Class.forName(name).getName(); } catch (ClassNotFoundException none) { }
        }
        for (Object one : java.lang.management.ManagementFactory.getPlatformMBeanServer().queryNames(null, null))
            if (one.toString().contains("HotSpotDiagnostic")) found += one;
        return found.isEmpty() ? "none" : found;
    }
    static String write() {
        String image = System.getProperty("java.home");
        for (String name : new String[] {"unit.jsa", "probe.jar", "lib/modules", "new"}) {
            try (OutputStream out = new FileOutputStream(image + "/" + name, true)) { return name; }
            catch (IOException refused) { }
        }
        return "refused";
    }
}
"""

MODULES = ["java.base", "java.compiler", "java.desktop", "java.logging", "java.management", "java.sql", "java.xml"]


@pytest.fixture(scope="module", name="folder")
def _folder() -> Iterator[Path]:
    """A cache that programs in the sandbox can reach, which no folder of a test below `/tmp` is."""
    folder = Path(tempfile.mkdtemp(prefix="grader-test-", dir="/var/tmp"))
    (folder / "grader").mkdir()
    for part in (folder, folder / "grader"):
        part.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))


def graded(path: Path, folder: Path) -> tuple[Course, dict[str, tuple[str, str, str]]]:
    handed_in = submission(folder, program="")
    (handed_in / "Bank.java").write_text(BANK)
    made = prepare(path)
    report = grade(Job(spec=path, submission=Submission(id="a", path=handed_in)), made)
    return made, {case.id: (case.verdict, case.message, case.stdout or "") for case in report.tests[0].cases}


def asked_twice(modules: Sequence[str], classes: bytes, jars: Sequence[str]) -> str:
    java_image.find_or_make_image(modules, classes, jars, user_cache())
    return java_image.find_or_make_image(modules, classes, jars, user_cache())


@pytest.fixture(scope="module", name="image")
def _image(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image with few modules, which is made sooner."""
    at = tmp_path_factory.mktemp("classes")
    sources = [probe._PROBES / name for name in probe._JAVA_PROBE]
    javac = shutil.which("javac") or ""
    subprocess.run([javac, "-cp", ":".join(JUNIT_JARS), "-d", at, *sources], check=True, timeout=100)
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(at.rglob("*.class")):
            file.write(path, path.relative_to(at))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        found = asked_twice(MODULES, archive.getvalue(), JUNIT_JARS)
    assert found
    return Path(found)


def test_verdicts_and_messages_are_those_of_the_jdk_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = course(tmp_path / "course", SPEC)
    (tmp_path / "course/tests").mkdir()
    (tmp_path / "course/tests/BankTest.java").write_text(TEST)
    assert prepare(path).prepared["unit"].image == "", "who grades once makes none"
    made, found = graded(path, tmp_path / "one")
    assert made.prepared["unit"].image
    assert {name.partition("[")[2].strip("]"): verdict for name, (verdict, _, _) in found.items()} == {
        "crashes": "crashed",
        "prints": "failed",
        "varies": "passed",
        "seesInside": "passed",
        "writesArchive": "passed",
    }
    monkeypatch.setattr(probe, "find_or_make_image", lambda *_: "")
    made, plain = graded(path, tmp_path / "two")
    assert made.prepared["unit"].image == ""
    plain.pop("bank[writesArchive]")  # the JDK's own folder has no archive, nor can it be written
    found.pop("bank[writesArchive]")
    assert found == plain


def test_a_damaged_image_is_not_used_and_made_again(image: Path) -> None:
    assert java_image._is_whole(image)
    for name in java_image._ARCHIVES:
        archive = image / name
        content = archive.read_bytes()
        archive.chmod(0o644)
        for damaged in (content[:100_000], content[:-1] + b"x", b""):
            archive.write_bytes(damaged)
            assert not java_image._is_whole(image), name
        archive.write_bytes(content)
    assert java_image._is_whole(image)
    (image / "grader-image.json").write_text("{}")
    assert not java_image._is_whole(image)
    (image / "unit.jsa").write_bytes(b"")
    assert asked_twice(MODULES, Path(image_probe(str(image))).read_bytes(), JUNIT_JARS) == str(image)
    assert java_image._is_whole(image)


@pytest.mark.parametrize("change", ["none", "another time of a library", "no archive", "an archive of nothing"])
def test_an_archive_that_does_not_fit_is_passed_over_without_a_word(image: Path, tmp_path: Path, change: str) -> None:
    """The machine itself looks at it: what it says would be in a student's output."""
    jar, archive = Path(image_probe(str(image))), image / "unit.jsa"
    stat, content = jar.stat(), archive.read_bytes()
    archive.chmod(0o644)
    if change == "another time of a library":
        os.utime(jar, (1, 1))
    elif change == "no archive":
        archive.unlink()
    elif change == "an archive of nothing":
        archive.write_bytes(bytes(len(content)))
    fields = ["mark", "record", "secret", "junit", ".", "Warmup.java", "grader.Warmup.passes", "", ""]
    request = "\n".join(fields).encode()
    path = ":".join((str(jar), *JUNIT_JARS))
    command = [image_machine(str(image)), *image_options(str(image)), "-cp", path, "grader.UnitProbe"]
    try:
        given = b"%010d" % len(request) + request
        done = subprocess.run(command, input=given, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    finally:
        os.utime(jar, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        archive.write_bytes(content)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"\x1emark\n", b"")
    assert b'"done": 1' in (tmp_path / "record").read_bytes()


@pytest.mark.parametrize("lacks", ["java", "a place", "room", "a working jlink"])
def test_where_no_image_can_be_made_there_is_none(lacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if lacks == "java":
        monkeypatch.setattr(java_image, "locate_tool", lambda _: None)
    elif lacks == "a place":
        monkeypatch.setenv("XDG_CACHE_HOME", "/tmp/nowhere")
        monkeypatch.setattr(java_image, "_SYSTEM_FOLDER", Path("/tmp/nowhere"))
    elif lacks == "room":
        monkeypatch.setattr(java_image, "_MIN_FREE_BYTES", 2**70)
    modules = ["java.base" if lacks == "room" else "no.such.module"]
    assert asked_twice(modules, b"no archive", [str(tmp_path)]) == ""
