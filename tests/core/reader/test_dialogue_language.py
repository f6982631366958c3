from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.model.spec import Case, Step
from grader.core.reader.language import TYPES
from grader.core.reader.spec import load
from grader.core.yaml.value import parse_duration
from tests.support.payloads import steps_in

TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests:\n  - name: t\n"


def read(written: str, folder: Path) -> tuple[Case, ...]:
    path = folder / "x.yaml"
    path.write_text(TOP + "".join(f"    {line}\n" for line in written.strip("\n").split("\n")))
    return load(path).tests[0].cases


def mistakes(written: str, folder: Path) -> list[str]:
    with pytest.raises(SpecError) as raised:
        read(written, folder)
    return [f"{problem.path}: {problem.message}" for problem in raised.value.problems]


def test_the_steps_of_a_dialogue(tmp_path: Path) -> None:
    (case,) = read(
        r"""
each: {n: [4]}
dialogue:
  - expect: "Enter {n}: "
    within: 500 ms
  - send: "{n}"
  - send: no
  - expect: {regex: '^{n} is \d{1,2}$'}
  - send: {key: ctrl-d}
  - send: {key: ";"}
  - eof: true
    within: 2 s
""",
        tmp_path,
    )
    assert steps_in(case) == (
        Step(do="expect", text="Enter 4: ", within=0.5),
        Step(do="send", text="4"),
        Step(do="send", text="no"),
        Step(do="regex", text=r"^4 is \d{1,2}$"),
        Step(do="key", text="ctrl-d"),
        Step(do="key", text=";"),
        Step(do="eof", within=2),
    )


@pytest.mark.parametrize(
    ("written", "terminal"),
    [
        ("dialogue: [eof: true]", True),
        ("dialogue: [eof: true]\nterminal: true", True),
        ("dialogue: [eof: true]\nterminal: false", False),
        ("expect: {exit: 0}", False),
        ("terminal: false\ncases:\n  - dialogue: [eof: true]", False),
        ("dialogue: [expect: a]\ncases:\n  - dialogue: [eof: true]", True),
    ],
)
def test_a_dialogue_is_on_a_terminal_unless_it_is_written(written: str, terminal: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the table
    (case,) = read(written, tmp_path)
    assert case.terminal is terminal
    assert steps_in(case) in ((), (Step(do="eof"),))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("dialogue: []", ["dialogue: wanted at least one step, such as {send: text}, found an empty list"]),
        ("dialogue: a", ['dialogue: wanted a list, found "a"']),
        ("dialogue: [a]", ['dialogue[0]: wanted a mapping, found "a"']),
        (
            "dialogue: [exect: a]\nexpect: {exit: 0}",
            ['dialogue[0].exect: unknown key; did you mean "expect"?'],
        ),
        ("dialogue: [{}]", ["dialogue[0]: wanted one of expect, send, reject, eof, found none of them"]),
        ("dialogue: [within: 1 s]", ["dialogue[0]: wanted one of expect, send, reject, eof, found none of them"]),
        (
            "dialogue: [{expect: a, send: b}]",
            ["dialogue[0]: wanted one of expect, send, reject, eof, found expect and send"],
        ),
        (
            "dialogue: [{eof: true, within: soon}]",
            ['dialogue[0].within: wanted a time such as "10 s", "500 ms" or "2 min", found "soon"'],
        ),
        ("dialogue: [eof: false]", ['dialogue[0].eof: wanted true, found "false"']),
        ("dialogue: [eof: 1]", ['dialogue[0].eof: wanted true, found "1"']),
        (
            'dialogue: [expect: ""]',
            ["dialogue[0].expect: an empty text is found everywhere: name what must be there"],
        ),
        ("dialogue: [expect: [a]]", ["dialogue[0].expect: wanted text, found a list"]),
        (
            f"dialogue: [expect: {'a' * 8193}]",
            ["dialogue[0].expect: more than 8192 bytes at once: wait for its end, and hold all under expect"],
        ),
        (
            "dialogue: [expect: {regex: 'a)'}]",
            ["dialogue[0].expect.regex: this is no regular expression: unbalanced parenthesis at position 1"],
        ),
        (
            "dialogue: [expect: {regex: 'a*'}]",
            ["dialogue[0].expect.regex: this matches an empty text, found everywhere: name what must be there"],
        ),
        ("dialogue: [expect: {}]", ["dialogue[0].expect.regex: this key is missing"]),
        ("dialogue: [expect: {text: a}]", [
            "dialogue[0].expect.regex: this key is missing",
            "dialogue[0].expect.text: unknown key; there are: regex",
        ]),
        (
            "dialogue: [expect: a, send: {key: ctrl-x}]",
            ['dialogue[1].send.key: "ctrl-x" is no key, and no single character; did you mean "ctrl-z"?'],
        ),
        (
            "dialogue: [expect: '{q}']",
            ["dialogue[0].expect: {q} is no variable of this test (write {{q}} for the braces themselves)"],
        ),
        (
            "dialogue: [send: a]",
            [": this case checks nothing: say under expect what stdout, stderr, exit or files must be"],
        ),
        ("dialogue: [expect: a]\nstdin: b", [": stdin has no meaning beside a dialogue: send it line by line"]),
        (
            "dialogue: [expect: a, send: {key: ctrl-c}]\nterminal: false",
            [": the key ctrl-c needs a terminal whenever it is run: say run: terminal"],
        ),
        (
            "dialogue: [expect: a, send: {key: up}]\nrun: both",
            [": the key up needs a terminal whenever it is run: say run: terminal"],
        ),
        (
            "dialogue: [send: {key: ctrl-c}, eof: true]",
            [": wait for something before ctrl-c: it is lost on a program that has not started yet"],
        ),
        (f"dialogue: [{'send: a, ' * 1000}eof: true]", ["dialogue: more than 1000 steps: make it several cases"]),
    ],
)  # fmt: skip
def test_every_mistake_is_told_once(written: str, told: list[str], tmp_path: Path) -> None:
    found = mistakes(written, tmp_path)
    assert sorted(found) == sorted(f"tests[0]{'' if line.startswith(':') else '.'}{line}" for line in told)


@pytest.mark.parametrize("written", ["0.00005 s", "2 s", "1000000000 s", "12.345678901 s"])
def test_a_time_is_written_as_it_is_read(written: str) -> None:
    read = parse_duration(written)
    assert getattr(TYPES["duration"].write(read), "text", "") == written
