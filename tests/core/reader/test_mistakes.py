"""Small wrong specs, each with every message that it must get: whoever finds one adds it to a file of `mistakes/`.

A wrong spec is told where it is wrong, what was found there and what to do, once for each mistake and no more.
"""

import textwrap
from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader.spec import load
from grader.core.yaml.parsing import parse
from tests.support.rows import each_row, read_data

FILES = read_data(__file__)["FILES"]
TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\n"
TESTS = "tests: [{name: t, expect: {exit: 0}}]\n"
TEST = "tests:\n  - name: t\n    expect: {exit: 0}\n"


def wrong_specs(name: str) -> list[tuple[str, list[str]]]:
    """Return the specs of a file, and of each its lines with `!`: the messages that it must get."""
    found = []
    before, indent = FILES[name]
    for block in Path(__file__).with_name("mistakes").joinpath(f"{name}.txt").read_text().split("\n\n"):
        lines = block.rstrip("\n").split("\n")
        spec = "".join(f"{line}\n" for line in lines if not line.startswith("! "))
        messages = [line.removeprefix("! ") for line in lines if line.startswith("! ")]
        found.append((before + textwrap.indent(spec, indent), messages))
    return found


def test_every_file_of_wrong_specs_is_read() -> None:
    assert {path.stem for path in Path(__file__).with_name("mistakes").iterdir()} == FILES.keys()


def messages_of(spec: str | bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that are said of a wrong spec, read as `x.yaml` in a folder."""
    monkeypatch.chdir(folder)
    Path("x.yaml").write_bytes(spec if isinstance(spec, bytes) else spec.encode())
    with pytest.raises(SpecError) as raised:
        load(Path("x.yaml"))
    return str(raised.value).splitlines()


@pytest.mark.parametrize(("spec", "messages"), [row for name in FILES for row in wrong_specs(name)])
def test_every_mistake_is_told_once(
    spec: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]


@each_row
def test_a_file_that_is_no_tree_of_texts(
    spec: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}"]


def test_a_message_is_one_short_line_whatever_the_spec_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = TOP + TESTS + '? "a\\n\\u202e' + "b" * 5000 + '"\n: 1\n'
    (message,) = messages_of(spec, tmp_path, monkeypatch)
    assert message.startswith(r"x.yaml:6:3: a\n\u202ebbb")
    assert len(message) < 330
    assert message.isprintable()


@each_row
def test_what_is_no_yaml_is_told_with_what_to_do(text: str, place: str, remedy: str) -> None:
    with pytest.raises(SpecError) as raised:
        parse(text.encode(), "x.yaml")
    assert str(raised.value).startswith(f"x.yaml:{place}: this is not YAML: {remedy}"), str(raised.value)


def test_an_archive_of_classes_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jar").write_text("none")
    said = messages_of(
        f"{TOP}language: java\nbuild: {{run: javac X.java, jars: [a.jar]}}\n{TESTS}", tmp_path, monkeypatch
    )
    wanted = "wanted an archive of classes, such as lib/stdlib.jar, found"
    assert said == [f'x.yaml:6:35: build.jars[0]: {wanted} "a.jar"']


@each_row
def test_a_file_may_have_too_long_a_name(
    spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert message in "\n".join(messages_of(f"{TOP}{spec}", tmp_path, monkeypatch))


@each_row
def test_words_of_other_tools_are_told_in_ours(
    place: str, words: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = "expect: {stdout: {%s}}" if place.endswith("stdout.") else "expect: {%s}"
    if "dialogue" in place:
        holder = "dialogue: [{%s}]"
    elif "limits" in place:
        holder = "expect: {exit: 0}\n    limits: {%s}"
    for word, written in words.items():
        if not place:
            spec = f"{TOP}{word}: 1\n{TESTS}"
        elif place == "tests[0].":
            spec = f"{TOP}{TEST}    {word}: 1\n"
        else:
            spec = f"{TOP}tests:\n  - name: t\n    {holder % f'{word}: 1'}\n"
        told = messages_of(spec, tmp_path, monkeypatch)
        assert any(message.endswith(f'{place}{word}: unknown key; did you mean "{written}"?') for message in told), told
