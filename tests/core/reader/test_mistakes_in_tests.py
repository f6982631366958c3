"""Small wrong specs, each with every message that it must get: what is wrong with tests, their cases and keys."""
# ruff: noqa: E501 -- messages are compared whole

from pathlib import Path

import pytest

from tests.support.mistakes import TEST, TOP, blocks, messages_of

WRONG_TESTS = r"""
tests:
  - name: t
    expect: {exit: 0}
    weights: {n=5: 2}
! 8:14: tests[0].weights: a test with one case has nothing to share: take weights out

language: c
tests:
  - name: t
    functions:
      in: x.c
      structures: ["struct p { int x; }", "struct p { double x; }"]
      declare: int f(int a)
      calls: [{args: [1], expect: {returns: 1}}]
! 10:43: tests[0].functions.structures[1]: "p" is declared already: keep one

tests: []
! 5:8: tests: wanted at least one test, found an empty list

tests: {a: b}
! 5:8: tests: wanted a list, each entry of which begins with `- `, found a mapping

tests:
! 5:7: tests: wanted a list, found nothing

tests: [t]
! 5:9: tests[0]: wanted a mapping, found "t"

tests: [{expect: {exit: 0}}]
! 5:9: tests[0].name: this key is missing

tests:
  - name: "a\nb"
    expect: {exit: 0}
! 6:11: tests[0].name: wanted a name on one line, found the text "a\nb"

tests:
  - name: t
! 6:5: tests[0]: this case checks nothing: say under expect what stdout, stderr, exit or files must be

tests:
  - name: t
    expect: {}
! 6:5: tests[0]: this case checks nothing: say under expect what stdout, stderr, exit or files must be

tests:
  - name: t
    args: [a]
    cases:
      - args: [b]
        expect: {exit: 0}
      - args: [c]
! 11:9: tests[0].cases[1]: this case checks nothing: say under expect what stdout, stderr, exit or files must be

tests:
  - name: a
    needs: [b]
    expect: {exit: 0}
  - name: b
    needs: [a]
    expect: {exit: 0}
! 7:13: tests[0].needs[0]: "b" comes later, and a test can need only those before it: move one of them

tests:
  - name: t
    expect: {exit: 0}
  - name: t
    expect: {exit: 1}
! 8:11: tests[1].name: another test is called "t": give each a name of its own

tests:
  - expect: {exit: 0}
  - expect: {exit: 0}
! 6:5: tests[0].name: this key is missing
! 7:5: tests[1].name: this key is missing

tests:
  - name: t
    expect: {exit: 0}
    needs: [t, u, v]
  - name: u
    expect: {exit: 0}
    needs: [tt]
! 8:13: tests[0].needs[0]: a test cannot need itself
! 8:16: tests[0].needs[1]: "u" comes later, and a test can need only those before it: move one of them
! 8:19: tests[0].needs[2]: no test is called "v"
! 11:13: tests[1].needs[0]: no test is called "tt"; did you mean "t"?

tests:
  - name: t
    each: {n: 1..6000}
    expect: {exit: 0}
  - name: u
    each: {n: 1..6000}
    expect: {exit: 0}
! 9:5: tests[1]: this makes more than 10000 cases in all: shorten each or cases, or draw fewer calls

tests:
  - name: t[1]
    expect: {exit: 0}
  - name: t
    cases: [{args: []}]
    expect: {exit: 0}
! 8:5: tests[1]: two cases would be called the same, such as "t[1]": rename the test or its values

tests:
  - name: t
    functions: {in: x}
! 7:16: tests[0].functions: functions can be called in java, python, c, cpp and javascript only: say under language which it is

tests:
  - name: t
    expect: any
! 7:13: tests[0].expect: wanted reference or a mapping such as {stdout: …}, found "any"

tests:
  - name: t
    expect: reference
! 7:13: tests[0].expect: there is no reference: add its command to the spec, under the key "reference"
"""
WRONG_TEST_KEYS = r"""
points: -1
! 8:13: tests[0].points: wanted a number of points, 0 or more, found "-1"

points: many
! 8:13: tests[0].points: wanted a number of points, 0 or more, found "many"

points: '5'
! 8:13: tests[0].points: wanted a number of points, 0 or more, found the text "5"

bonus: yes
! 8:12: tests[0].bonus: wanted true or false, found "yes"

visibility: invisible
! 8:17: tests[0].visibility: unknown visibility "invisible"; did you mean "visible"?

needs: t
! 8:12: tests[0].needs: wanted a list, found "t"

agrs: [a]
! 8:5: tests[0].agrs: unknown key; did you mean "args"?

args: a
! 8:11: tests[0].args: wanted a list, found "a"

args: [a, [b], [c]]
! 8:15: tests[0].args[1]: wanted text, found a list
! 8:20: tests[0].args[2]: wanted text, found a list

args: [a, [b], {n}, c]
! 8:15: tests[0].args[1]: wanted text, found a list
! 8:20: tests[0].args[2]: wanted text, found a mapping (write "{n}" for a variable)

args: ['{m}']
! 8:12: tests[0].args[0]: {m} is no variable of this test (write {{m}} for the braces themselves)

args: ['{m}']
each: {n: 1..3}
! 8:12: tests[0].args[0]: {m} is no variable of this test; there are: n (write {{m}} for the braces themselves)

args: ["a\0"]
! 8:12: tests[0].args[0]: no program can be given the character U+0000 here: leave it out

each: {n: 3..1}
! 8:15: tests[0].each.n: wanted a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}, found "3..1"

each: {n: 1..100000}
! 8:11: tests[0].each: this makes more than 10000 cases: shorten a range or a list

each: {n: 1..200, m: 1..200}
! 8:11: tests[0].each: this makes more than 10000 cases: shorten a range or a list

each: {n: []}
! 8:15: tests[0].each.n: wanted a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}, found an empty list

each: {n: [4, 4]}
! 8:15: tests[0].each.n: "4" is in this list more than once: keep one

each: {n: 5}
! 8:15: tests[0].each.n: wanted a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}, found "5"

each: {}
! 8:11: tests[0].each: wanted at least one variable, such as {n: 1..10}, found an empty mapping

each: n
args: ['{n}']
! 8:11: tests[0].each: wanted a mapping, found "n"

each: {2: 1..3}
! 8:12: tests[0].each.2: wanted a variable's name, one word such as n, found "2"

each: {n: {random: 4..9, count: 3, x: y}}
args: ['{n}']
! 8:40: tests[0].each.n.x: unknown key; there are: random, count

each: {n: {random: 9..4, count: 30}}
args: ['{n}']
! 8:24: tests[0].each.n.random: wanted a range such as 4..9, the smaller end first, found "9..4"

each: {n: {random: 4..9, count: 7}}
args: ['{n}']
! 8:15: tests[0].each.n: there are only 6 numbers in 4..9: ask for that many at most

args: [{random: 1..2, count: 5}, {random: 1..2}]
! 6:5: tests[0]: 5 cases are asked for, and there are only 4 choices of these numbers, so that some would be the same: ask for fewer

args: [{cuont: 2, random: 1..9}]
! 8:13: tests[0].args[0].cuont: unknown key; did you mean "count"?

args: [{random: 1..9, count: 2}]
stdin: {generate: 'x.yaml:make', count: 3}
! 6:5: tests[0]: is this case to be drawn 2 or 3 times? Say the same count everywhere, or only once
! 9:23: tests[0].stdin.generate: wanted a function of the course's own, such as reference/checks.py:boards, found the text "x.yaml:make"

stdin: {generate: make.py}
! 8:23: tests[0].stdin.generate: wanted a function, reference/make.py:input, or a program in a folder whose name ends in .py, .sh or .java, found "make.py"

each: {n: {rand: 4..9}}
! 8:15: tests[0].each.n: wanted a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}, found a mapping

cases: []
! 8:12: tests[0].cases: wanted at least one case, found an empty list

cases: {args: [a]}
! 8:12: tests[0].cases: wanted a list, each entry of which begins with `- `, found a mapping

cases: [{name: a}]
! 8:14: tests[0].cases[0].name: unknown key; there are: args, stdin, env, files, terminal, run, repeat, dialogue, interactor, command, limits, memory-clean, tolerate, expect, functions

cases: [a]
! 8:13: tests[0].cases[0]: wanted a mapping, found "a"

env: {A=B: x, '': y, C: [z]}
! 8:11: tests[0].env.A=B: wanted the name of an environment variable, found "A=B"
! 8:19: tests[0].env.: wanted the name of an environment variable, found the text ""
! 8:29: tests[0].env.C: wanted text, found a list

files: {/etc/passwd: x, ../a: y, b/: z}
! 8:13: tests[0].files./etc/passwd: wanted a relative path without .., found "/etc/passwd"
! 8:29: tests[0].files.../a: wanted a relative path without .., found "../a"
! 8:38: tests[0].files.b/: wanted the name of a file, found "b/"

stdin: {file: ../x}
! 8:19: tests[0].stdin.file: wanted a relative path without .., found "../x"

stdin: {fil: x}
! 8:13: tests[0].stdin.fil: unknown key; did you mean "file"?

stdin: [a]
! 8:12: tests[0].stdin: wanted text, found a list

terminal: 1
! 8:15: tests[0].terminal: wanted true or false, found "1"

run: tty
! 8:10: tests[0].run: unknown way to run "tty"; there are: pipe, terminal, both

run: bothe
! 8:10: tests[0].run: unknown way to run "bothe"; did you mean "both"?

run: both
terminal: true
! 8:10: tests[0].run: run says all that terminal says: keep run alone

repeat: 0
! 8:13: tests[0].repeat: wanted a number of runs from 1 to 100, or a mapping such as {times: 3, counts: best}, found "0"

repeat: 101
! 8:13: tests[0].repeat: wanted a number of runs from 1 to 100, or a mapping such as {times: 3, counts: best}, found "101"

repeat: {count: best}
! 8:13: tests[0].repeat.times: this key is missing
! 8:14: tests[0].repeat.count: unknown key; did you mean "counts"?

repeat: {times: 3, counts: bset}
! 8:32: tests[0].repeat.counts: unknown rule "bset"; did you mean "best"?

repeat: {times: 1, counts: worst}
! 8:32: tests[0].repeat.counts: which run counts has no meaning among so few: ask for 2 runs or more

repeat: {times: 2, counts: most}
! 8:32: tests[0].repeat.counts: which run counts has no meaning among so few: ask for 3 runs or more

command: "'"
! 8:14: tests[0].command: this command cannot be split into words: no closing quotation
"""


@pytest.mark.parametrize(
    ("spec", "messages"),
    [
        *blocks(WRONG_TESTS, TOP),
        *blocks(WRONG_TEST_KEYS, TOP + TEST, " " * 4),
    ],
)
def test_every_mistake_in_a_test_is_told_once(
    spec: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]
