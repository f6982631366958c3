import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.reader.spec import load
from grader.imports import Written, exercism, write_assignment
from grader.imports.exercism import TRACKS, import_exercism, lacking_packages
from tests.support.other_graders import EXERCISM_JAVA, EXERCISM_REPORTED
from tests.support.packages import lay, zipped
from tests.support.payloads import unit_in
from tests.support.rows import each_row


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_exercism(lay(folder / "some-exercise", files)), folder / "course")


@each_row
def test_an_exercise_in_java_has_all_of_its_methods(written_as: str, tmp_path: Path) -> None:
    name = "src/test/java/HalfTest.java"
    text = EXERCISM_JAVA[name].replace('@Disabled("Remove to run test")\n    @Test', written_as)
    assert written_as in text
    text = text.replace("api.Disabled;", "api.Disabled;\nimport org.junit.jupiter.api.condition.*;")
    written = imported(tmp_path, {**EXERCISM_JAVA, name: text})
    (test,) = load(written.spec).tests
    assert (test.name, float(test.points), len(test.cases)) == ("HalfTest", 2, 2)
    kept = (tmp_path / "course/data/some-exercise/HalfTest.java").read_text()
    assert not re.search(r"@(?:Disabled|Ignore)\b", kept)
    assert ("@DisabledOnOs" in kept) == ("OnOs" in written_as)
    assert (tmp_path / "course/reference/some-exercise/src/main/java/Half.java").is_file()


def test_exercises_in_java_share_the_archives_of_assertj(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "src/test/java/HalfTest.java"
    line = "import static org.assertj.core.api.Assertions.assertThat;\nimport com.acme.Other;\n"
    files = {**EXERCISM_JAVA, name: line + EXERCISM_JAVA[name]}
    monkeypatch.setattr("grader.imports.exercism.JAVA_LIBRARIES", tmp_path)
    first, second, third = (lay(tmp_path / f"exercises/{one}", files) for one in ("one", "two", "three"))
    without = write_assignment(import_exercism(first), tmp_path / "course")
    assert any(
        "The tests need org.assertj (Debian: libassertj-core-java, which is found then)" in note
        for note in without.notes
    )
    for jar in ("assertj-core", "byte-buddy"):
        (tmp_path / f"{jar}.jar").write_bytes(zipped({f"{jar}.txt": ""}))
    written = write_assignment(import_exercism(second), tmp_path / "course")
    (test,) = load(written.spec).tests
    unit = unit_in(test.cases[0])
    assert list(unit.jars) == ["lib/assertj-core.jar", "lib/byte-buddy.jar"]
    assert [note for note in written.notes if "tests need" in note] == [
        "The tests need com.acme: name its archive under jars; see use-unit-tests."
    ]
    own = tmp_path / "course/lib/assertj-core.jar"  # the course's own version stays
    own.write_bytes((tmp_path / "byte-buddy.jar").read_bytes())
    again = write_assignment(import_exercism(third), tmp_path / "course")
    assert "lib/assertj-core.jar" in written.files
    assert not any(one.startswith("lib/") for one in again.files)
    assert own.read_bytes() == (tmp_path / "byte-buddy.jar").read_bytes()


@each_row
def test_crates_that_an_exercise_needs_are_named(more: str, notes: list[str], tmp_path: Path) -> None:
    files = dict(EXERCISM_REPORTED["rust"])
    written = imported(tmp_path, {**files, "Cargo.toml": files["Cargo.toml"] + more})
    assert [note for note in written.notes if "crates" in note] == [
        f"The tests need the crates {crates}: cargo has to find them on the machine." for crates in notes
    ]


def test_an_exercise_without_a_test_is_refused(tmp_path: Path) -> None:
    files = {**EXERCISM_REPORTED["go"], "leap_test.go": "package leap\n\n// Define your tests here\n"}
    with pytest.raises(UsageError, match="there is no test in leap_test"):
        imported(tmp_path, files)


@each_row
def test_what_the_machine_has_of_jest_is_not_asked_for(
    installed: tuple[str, ...], lacking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in installed:
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(exercism, "NODE_MODULES", tmp_path)
    monkeypatch.setattr(exercism, "locate_tool", lambda name: tmp_path if name in installed else None)
    (javascript,) = (one for one in TRACKS if one.language == "javascript")
    track = replace(javascript, npm=("jest", "jest-junit", "@babel/plugin-a"))
    assert " ".join(lacking_packages(track)) == lacking
