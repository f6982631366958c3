"""Small wrong specs, each with every message that it must get: what is wrong with the file, and with its own keys.

A wrong spec is told where it is wrong, what was found there and what to do, once for each mistake and no more.
"""
# ruff: noqa: E501 -- messages are compared whole

from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.yaml.parsing import parse
from tests.support.mistakes import TEST, TESTS, TOP, blocks, messages_of
from tests.support.rows import each_row

WRONG_SPECS = r"""
# nothing
! 1:1: the file is empty

- a
! 1:1: wanted a mapping, found a list

text
! 1:1: wanted a mapping, found "text"

a: [1
b: 2
! 2:2: this is not YAML: a `[` in line 1 is not closed before this, or a comma is missing

a: [int f(int[] b)]
! 1:14: this is not YAML: a bracket is in a text; put the whole text in quotes, or a comma before the bracket

a: {b: struct node {int c}}
! 1:20: this is not YAML: a bracket is in a text; put the whole text in quotes, or a comma before the bracket

a: b: c
! 1:5: this is not YAML: a colon and a blank are in a value; put the whole value in quotes, or the second key on a line of its own

a: [b, "c": d: e]
! 1:14: this is not YAML: a colon and a blank are in a value; put the whole value in quotes

a: {b: Sum: 3}
! 1:11: this is not YAML: a colon and a blank are in a value; put the whole value in quotes

a:
  - name t
    b: c
! 3:6: this is not YAML: the line above is read on here; behind a key stand a colon and a blank, and keys of one mapping in one column

a: 'it's'
! 1:8: this is not YAML: there is more behind a quote that closes what line 1 opens; a quote inside is written as `''` or `\"`

a: ['it's', b]
! 1:9: this is not YAML: there is more behind a quote that closes what line 1 opens; a quote inside is written as `''` or `\"`

a: "b
c: d
e: "f"
! 1:4: this is not YAML: the quote that opens here is closed by that in line 3, and there is more behind it: close it where its text ends

a: 1
b: "c
d: e
! 2:4: this is not YAML: the quote that opens here is not closed

a: [*.class]
! 1:6: this is not YAML: no value begins with `*` or `&`; put it in quotes

title: "x\q"
! 1:10: this is not YAML: in double quotes a backslash begins an escape; use single quotes, or write two of them

a: *b
! 1:4: *b stands for nothing: no &b ends before it

a: &b [*b]
! 1:8: *b stands for nothing: no &b ends before it

id: !!python/name:os.system x
! 1:5: a tag (!) is not allowed: write the value alone

id: ! x
! 1:5: a tag (!) is not allowed: write the value alone

? [a]
: b
! 1:3: a key must be text

spec: 1
id: x
titel: T
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 3:1: titel: unknown key; did you mean "title"?

program: a b
tests: [{name: t, expect: {exit: 0}}]
! 1:1: id: this key is missing
! 1:1: spec: this key is missing
! 1:1: title: this key is missing

spec: 2
id: x
title: T
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 1:7: spec: wanted 1, the version of the language that this grader knows, found "2"

spec: "1"
id: x
title: T
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 1:7: spec: wanted 1, the version of the language that this grader knows, found the text "1"

spec: 1
id: Pa_2
title: T
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 2:5: id: wanted an id of small letters, digits and hyphens, found "Pa_2"

spec: 1
id: x
title:
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 3:7: title: wanted text, or "" for an empty one, found nothing

spec: 1
id: x
title: [T]
program: ./x
tests: [{name: t, expect: {exit: 0}}]
! 3:8: title: wanted text, found a list

spec: 1
id: x
title: T
program: ''
tests: [{name: t, expect: {exit: 0}}]
! 4:10: program: wanted a command, found the text ""

spec: 1
id: x
title: T
program: 'a "b'
tests: [{name: t, expect: {exit: 0}}]
! 4:10: program: this command cannot be split into words: no closing quotation

spec: 1
id: x
title: T
program: a \
tests: [{name: t, expect: {exit: 0}}]
! 4:10: program: this command cannot be split into words: no escaped character

spec: 1
id: x
title: T
program: []
tests: [{name: t, expect: {exit: 0}}]
! 4:10: program: wanted a command, found an empty list

spec: 1
id: x
title: T
program: [a, [b]]
tests: [{name: t, expect: {exit: 0}}]
! 4:14: program[1]: wanted text, found a list

spec: 1
id: x
title: T
program: "a\0b"
tests: [{name: t, expect: {exit: 0}}]
! 4:10: program: no program can be given the character U+0000 here: leave it out
"""
WRONG_KEYS = r"""
---
a: 1
! 6:1: a second document begins here: a file holds one

id: y
! 6:1: id: this key is here twice, first in line 2: keep one

colour: red
! 6:1: colour: unknown key; did you mean "course"?

language: jave
! 6:11: language: unknown language "jave"; did you mean "java"?

language: cobol
! 6:11: language: unknown language "cobol"; there are: java, python, c, cpp, prolog, shell, javascript, typescript, go, rust, csharp, kotlin, ruby, haskell, ocaml, lua, perl, pascal, r, fortran, bash, sql, notebook

language: notebook
! 6:11: language: no notebook is required: name it under files, such as `required: [hw1.ipynb]`

notebook: {after-error: go-on}
! 6:11: notebook: this is about notebooks, and `language` is not notebook: change that, or take this out

repairs: [{name: a, about: b, when: {missing: []}, leave-out: broken-cells}]
! 6:47: repairs[0].when.missing: wanted at least one name, found an empty list
! 6:63: repairs[0].leave-out: only notebooks have cells, and `language` is not notebook

files: {requird: [a]}
! 6:9: files.requird: unknown key; did you mean "required"?

files: {required: a}
! 6:19: files.required: wanted a list, found "a"

files: {required: [/a, ../b, '', .]}
! 6:20: files.required[0]: wanted a relative path without .., found "/a"
! 6:24: files.required[1]: wanted a relative path without .., found "../b"
! 6:30: files.required[2]: wanted a relative path without .., found the text ""
! 6:34: files.required[3]: wanted a relative path without .., found "."

build: make
! 6:8: build: wanted a mapping, found "make"

build: {produces: [a]}
! 6:8: build.run: this key is missing

build: {run: []}
! 6:14: build.run: wanted at least one command, found an empty list

build: {run: [make, '']}
! 6:21: build.run[1]: wanted a command, found the text ""

limits: {time: 10, cpu: 0 s, memory: 1 TB, output: many, processes: 0, tme: 1 s}
! 6:16: limits.time: wanted a time such as "10 s", "500 ms" or "2 min", found "10"
! 6:25: limits.cpu: wanted a time such as "10 s", "500 ms" or "2 min", found "0 s"
! 6:38: limits.memory: wanted a size such as "512 MiB", "8 MB" or "64 KiB", found "1 TB"
! 6:52: limits.output: wanted a size such as "512 MiB", "8 MB" or "64 KiB", found "many"
! 6:69: limits.processes: wanted a whole number that is 1 or more, found "0"
! 6:72: limits.tme: unknown key; did you mean "time"?

limits: {memory: 1 KiB}
! 6:18: limits.memory: wanted a size of 1 MiB or more, such as "512 MiB" or "64 MB", found "1 KiB"

tolerate: {final-newlin: 100%, order: 101%, wrong: 5, prompt: [1%]}
! 6:12: tolerate.final-newlin: unknown deviation "final-newlin"; did you mean "final-newline"?
! 6:39: tolerate.order: wanted a share from 0% to 100%, found "101%"
! 6:52: tolerate.wrong: wanted a share from 0% to 100%, found "5"
! 6:63: tolerate.prompt: wanted a share from 0% to 100%, found a list

once: [final-newlin, final-newline, order, order]
! 6:8: once[0]: unknown deviation "final-newlin"; did you mean "final-newline"?
! 6:44: once[3]: "order" is in this list more than once: keep one
"""
FIVE = """
spec: 1
id: Five
titel: T
program: ./x
tests:
  - name: t
    points: ten
    args: a
    expect: {exit: 0}
    needs: [u]
! 2:5: id: wanted an id of small letters, digits and hyphens, found "Five"
! 3:1: titel: unknown key; did you mean "title"?
! 7:13: tests[0].points: wanted a number of points, 0 or more, found "ten"
! 8:11: tests[0].args: wanted a list, found "a"
! 10:13: tests[0].needs[0]: no test is called "u"
"""


@pytest.mark.parametrize(
    ("spec", "messages"),
    [
        *blocks(WRONG_SPECS),
        *blocks(WRONG_KEYS, TOP + TESTS),
    ],
)
def test_every_mistake_is_told_once(
    spec: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (b"", "1:1: the file is empty"),
        (b"a: \xc3\xa9\nid: \xff\n", "2:5: the byte 0xff is not UTF-8: save the file as UTF-8"),
        (b"\xef\xbb\xbfid: \xc3\xa9\xff\n", "1:6: the byte 0xff is not UTF-8: save the file as UTF-8"),
        ("é: b\nt: é\a", "2:5: the character U+0007 cannot be in YAML: in double quotes, it can be an escape"),
        (
            "a:\n\t- b\n",
            "2:1: this is not YAML: the line is indented with a tab; use blanks alone",
        ),
        ("[" * 60, "1:51: lists and mappings are more than 50 deep"),
        ("{a: " * 200_000, "1:201: lists and mappings are more than 50 deep"),
        ("- &a " + "[" * 30 + "]" * 30 + "\n- " + "[" * 30 + "*a", "2:33: lists and mappings are more than 50 deep"),
        (
            "- &a [" + "x, " * 400 + "]\n- [" + "*a, " * 400 + "]",
            "2:996: more than 100000 values, what an alias stands for counted each time",
        ),
        (
            "[" + "x, " * 100_001 + "]",
            "1:299999: more than 100000 values, what an alias stands for counted each time",
        ),
        (b"#" * (2**22 + 1), "1:1: more than 4 MiB: move long texts to files of their own"),
    ],
)
def test_a_file_that_is_no_tree_of_texts(
    spec: str | bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}"]


def test_five_mistakes_are_five_messages_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((spec, messages),) = blocks(FIVE)
    assert len(messages) == 5
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]


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


def test_a_reference_may_have_too_long_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (said,) = messages_of(f"{TOP}reference: {{files: {'n' * 300}}}\n{TESTS}", tmp_path, monkeypatch)
    assert "reference.files: there is no file or folder" in said


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
