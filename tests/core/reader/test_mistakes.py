"""Small wrong specs, each with every message it must get: in a block, the lines with `!` are the messages.

A wrong spec is told where it is wrong, what was found there and what to do, once for each mistake and no more.
"""
# ruff: noqa: E501 -- messages are compared whole

import textwrap
from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader import load
from grader.core.yaml.parsing import parse

TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\n"
TESTS = "tests: [{name: t, expect: {exit: 0}}]\n"
TEST = "tests:\n  - name: t\n    expect: {exit: 0}\n"
EXPECT = "tests:\n  - name: t\n    expect:\n"

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
! 6:38: limits.memory: wanted a size of 1 MiB or more, such as "512 MiB" or "64 MB", found "1 TB"
! 6:52: limits.output: wanted a size such as "512 MiB", "8 MB" or "64 KiB", found "many"
! 6:69: limits.processes: wanted a whole number that is 1 or more, found "0"
! 6:72: limits.tme: unknown key; did you mean "time"?

limits: {memory: 1 KiB}
! 6:18: limits.memory: wanted a size of 1 MiB or more, such as "512 MiB" or "64 MB", found "1 KiB"

tolerate: {final-newlin: 100%, order: 101%, wrong: 5, prompt: [1%]}
! 6:12: tolerate.final-newlin: unknown deviation; did you mean "final-newline"?
! 6:39: tolerate.order: wanted a share from 0% to 100%, found "101%"
! 6:52: tolerate.wrong: wanted a share from 0% to 100%, found "5"
! 6:63: tolerate.prompt: wanted a share from 0% to 100%, found a list

once: [final-newlin, final-newline, order, order]
! 6:8: once[0]: unknown deviation "final-newlin"; did you mean "final-newline"?
! 6:44: once[3]: "order" is in this list more than once: keep one
"""

WRONG_TESTS = r"""
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
! 9:5: tests[1]: this makes more than 10000 cases in all: shorten each or cases

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

WRONG_EXPECTATIONS = r"""
stdot: x
! 8:7: tests[0].expect.stdot: unknown key; did you mean "stdout"?

stdout: [a]
! 8:15: tests[0].expect.stdout: wanted a text, reference, any or a mapping such as {lines: [...]}, found a list

stdout:
! 8:14: tests[0].expect.stdout: wanted text, or "" for an empty one, found nothing

stdout: reference
exit: reference
files: {same: {a: reference}}
! 8:15: tests[0].expect.stdout: there is no reference: add its command to the spec, under the key "reference"
! 9:13: tests[0].expect.exit: there is no reference: add its command to the spec, under the key "reference"
! 10:25: tests[0].expect.files.same.a: there is no reference: add its command to the spec, under the key "reference"

stdout: {lines: reference}
! 8:23: tests[0].expect.stdout.lines: there is no reference: add its command to the spec, under the key "reference"

stdout: {}
! 8:15: tests[0].expect.stdout: wanted one of text, contains, regex, lines, tokens, numbers, json, file, any, all, not, found none of them

stdout: {text: a, regex: b}
! 8:15: tests[0].expect.stdout: wanted one of text, contains, regex, lines, tokens, numbers, json, file, any, all, not, found text and regex

stdout: {order: any}
! 8:23: tests[0].expect.stdout.order: order belongs to lines only

stdout: {text: a, order: any}
! 8:32: tests[0].expect.stdout.order: order belongs to lines only

stdout: {lines: [a], order: some}
! 8:35: tests[0].expect.stdout.order: unknown order "some"; did you mean "same"?

stdout: {lines: [a], tolerance: 1}
! 8:39: tests[0].expect.stdout.tolerance: tolerance belongs to numbers and tokens only

stdout: {tokens: a, tolerance: 0}
! 8:38: tests[0].expect.stdout.tolerance: 0 changes nothing here: leave it out, or say how far numbers may be off

stdout: {numbers: 1, relative: 1}
! 8:38: tests[0].expect.stdout.relative: wanted a number over 0 and under 1, such as 1e-6, found "1"

stdout: {numbers: 1, relativ: 0.1}
! 8:28: tests[0].expect.stdout.relativ: unknown key; did you mean "relative"?

stdout: {regex: a, about: ""}
! 8:33: tests[0].expect.stdout.about: say on one line what the pattern asks for, such as: a line with the sum

stdout: {contains: a, about: x}
! 8:36: tests[0].expect.stdout.about: about belongs to regex only

stdout: {all: [{contains: a}]}
! 8:21: tests[0].expect.stdout.all: 1 to hold together: name two or more, or leave all out

stdout: {all: [a, any, a]}
! 8:25: tests[0].expect.stdout.all[1]: any asks for nothing: take it out
! 8:30: tests[0].expect.stdout.all[2]: this is in the list already: keep one

stdout: {not: any}
! 8:21: tests[0].expect.stdout.not: then nothing at all is right: say what must not be written

stdout: {not: {contains: [a, b]}}
! 8:21: tests[0].expect.stdout.not: must none of these texts occur, or not all? For none, write any: [{contains: ...}, ...] here

stdout: {not: {any: [a, {not: b}]}}
! 8:21: tests[0].expect.stdout.not: what must not be not so is asked for: say it without the two

stdout: {not: a, contains: b}
! 8:15: tests[0].expect.stdout: wanted one of text, contains, regex, lines, tokens, numbers, json, file, any, all, not, found contains and not

stdout: {numbers: [1, x], tolerance: -1}
! 8:29: tests[0].expect.stdout.numbers[1]: wanted a number, found "x"
! 8:44: tests[0].expect.stdout.tolerance: wanted a number that is 0 or more, found "-1"

stdout: {numbers: 1 2, tolerance: '1'}
! 8:41: tests[0].expect.stdout.tolerance: wanted a number that is 0 or more, found the text "1"

stdout: {contains: []}
! 8:26: tests[0].expect.stdout.contains: wanted at least one text, found an empty list

stdout: {contains: [a, '']}
! 8:30: tests[0].expect.stdout.contains[1]: an empty text is contained in everything: name what must be there

stdout: {regex: '[a'}
! 8:23: tests[0].expect.stdout.regex: this is no regular expression: unterminated character set at position 0

stdout: {regex: 'a{99999999999}'}
! 8:23: tests[0].expect.stdout.regex: this is no regular expression: the repetition number is too large

stdout: {lines: a}
! 8:23: tests[0].expect.stdout.lines: wanted a list, found "a"

stdout: {lines: ["a\nb"]}
! 8:24: tests[0].expect.stdout.lines[0]: a line has no line break in it: make it several

stdout: {tokens: [a b]}
! 8:25: tests[0].expect.stdout.tokens[0]: a token is not empty and has no blanks in it: make it several

stdout: {json: {a: [.inf], b: , a: 1}}
! 8:27: tests[0].expect.stdout.json.a[0]: JSON has no such number; write it in quotes for the text
! 8:37: tests[0].expect.stdout.json.b: wanted text, or "" for an empty one, found nothing
! 8:39: tests[0].expect.stdout.json.a: this key is here twice, first in line 8: keep one

stdout: {json: reference}
! 8:22: tests[0].expect.stdout.json: there is no reference: add its command to the spec, under the key "reference"

stdout: {check: 'a:b', n: [8]}
stderr: {chek: a}
! 8:23: tests[0].expect.stdout.check: wanted a function of the course's own, such as reference/checks.py:boards, found the text "a:b"
! 8:33: tests[0].expect.stdout.n: wanted text, found a list
! 9:16: tests[0].expect.stderr.chek: unknown key; did you mean "check"?

stdout: {check: '../a.py:b'}
! 8:23: tests[0].expect.stdout.check: wanted a relative path without .., found the text "../a.py:b"

stdout: {check: 'x.py:not a name'}
! 8:23: tests[0].expect.stdout.check: wanted a function of the course's own, such as reference/checks.py:boards, found the text "x.py:not a name"

stdout: {check: }
! 8:23: tests[0].expect.stdout.check: wanted text, or "" for an empty one, found nothing

exit: 256
! 8:13: tests[0].expect.exit: wanted 0 to 255, a list of such numbers, success, failure, reference or any, found "256"

exit: []
! 8:13: tests[0].expect.exit: wanted at least one number, found an empty list

exit: [0, x]
! 8:17: tests[0].expect.exit[1]: wanted 0 to 255, a list of such numbers, success, failure, reference or any, found "x"

exit: sucess
! 8:13: tests[0].expect.exit: wanted 0 to 255, a list of such numbers, success, failure, reference or any, found "sucess"

exit: '0'
! 8:13: tests[0].expect.exit: wanted 0 to 255, a list of such numbers, success, failure, reference or any, found the text "0"

files: {}
! 8:14: tests[0].expect.files: this names no file: name some under present, absent or same

files: {present: a, absent: [/b], same: {c: [d]}}
! 8:24: tests[0].expect.files.present: wanted a list, found "a"
! 8:36: tests[0].expect.files.absent[0]: wanted a relative path without .., found "/b"
! 8:51: tests[0].expect.files.same.c: wanted text, found a list

files: [a]
! 8:14: tests[0].expect.files: wanted a mapping, found a list

stdout: {n}
! 8:16: tests[0].expect.stdout.n: unknown key; there are: text, contains, regex, lines, tokens, numbers, json, check, file, any, all, not, about, order, tolerance, relative, only, skip, part
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


def _blocks(table: str, before: str = "", indent: str = "") -> list[tuple[str, list[str]]]:
    blocks = []
    for block in table.strip("\n").split("\n\n"):
        lines = block.split("\n")
        spec = "".join(f"{line}\n" for line in lines if not line.startswith("! "))
        messages = [line.removeprefix("! ") for line in lines if line.startswith("! ")]
        blocks.append((before + textwrap.indent(spec, indent), messages))
    return blocks


def _messages(spec: str | bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(folder)
    Path("x.yaml").write_bytes(spec if isinstance(spec, bytes) else spec.encode())
    with pytest.raises(SpecError) as raised:
        load(Path("x.yaml"))
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("spec", "messages"),
    [
        *_blocks(WRONG_SPECS),
        *_blocks(WRONG_KEYS, TOP + TESTS),
        *_blocks(WRONG_TESTS, TOP),
        *_blocks(WRONG_TEST_KEYS, TOP + TEST, " " * 4),
        *_blocks(WRONG_EXPECTATIONS, TOP + EXPECT, " " * 6),
    ],
)
def test_every_mistake_is_told_once(
    spec: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages
    assert _messages(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]


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
            "2:1604: more than 100000 values, what an alias stands for counted each time",
        ),
        (
            "[" + "x, " * 100_001 + "]",
            "1:299996: more than 100000 values, what an alias stands for counted each time",
        ),
        (b"#" * (2**22 + 1), "1:1: more than 4 MiB: move long texts to files of their own"),
    ],
)
def test_a_file_that_is_no_tree_of_texts(
    spec: str | bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _messages(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}"]


def test_five_mistakes_are_five_messages_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((spec, messages),) = _blocks(FIVE)
    assert len(messages) == 5
    assert _messages(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]


def test_a_message_is_one_short_line_whatever_the_spec_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = TOP + TESTS + '? "a\\n\\u202e' + "b" * 5000 + '"\n: 1\n'
    (message,) = _messages(spec, tmp_path, monkeypatch)
    assert message.startswith(r"x.yaml:6:3: a\n\u202ebbb")
    assert len(message) < 330
    assert message.isprintable()


@pytest.mark.parametrize(
    ("text", "place", "remedy"),
    [
        ("a: 1\n\tb: 2\n", "2:1", "the line is indented with a tab"),
        ("a: 1\nb: c: d\n", "2:5", "a colon and a blank are in a value"),
        ('a: 1\nb: "c\nd: e\n', "2:4", "the quote that opens here is not closed"),
        ("a: 1\nb: [c, d\ne: f\n", "3:2", "a `[` in line 2 is not closed"),
        ("a: 1\nb: {c: d\ne: f\n", "3:2", "a `{` in line 2 is not closed"),
        (
            "a:\n  b: |\n      1\n    2\n  c: d\n",
            "2:6",
            "line 4 is indented less than the first line of the text below",
        ),
        ("a:\n  b: 'c\n    d' e\n", "2:6", "the quote that opens here is closed by that in line 3"),
        ("a:\n  b: 'c' d\n", "2:10", "there is more behind a quote that closes what line 2 opens"),
        ("a: 1\nb: %c\n", "2:4", "no value begins with `%`; put it in quotes"),
        ("- a: 1\n - b: 2\n", "2:2", "the line is indented otherwise than those around it"),
        ("a:\n- b: 1\n  c: 2\n - d: 3\n", "4:2", "the line is indented otherwise than those around it"),
    ],
)
def test_what_is_no_yaml_is_told_with_what_to_do(text: str, place: str, remedy: str) -> None:
    with pytest.raises(SpecError) as raised:
        parse(text.encode(), "x.yaml")
    assert str(raised.value).startswith(f"x.yaml:{place}: this is not YAML: {remedy}"), str(raised.value)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("", {"name": "title", "run": "program", "timeout": "limits: {time: ...}", "stdin": "defaults: {stdin: ...}"}),
        ("tests[0].", {"input": "stdin", "Input": "stdin", "output": "expect: {stdout: ...}", "arguments": "args"}),
        (
            "tests[0].",
            {"expected": "expect", "timeout": "limits: {time: ...}", "cmd": "command", "hidden": "visibility: hidden"},
        ),
        (
            "tests[0].",
            {"exit-code": "expect: {exit: ...}", "score": "points", "description": "about", "environment": "env"},
        ),
        ("tests[0].expect.", {"output": "stdout", "exit_code": "exit", "contains": "stdout: {contains: ...}"}),
        ("tests[0].expect.stdout.", {"equals": "text", "pattern": "regex", "includes": "contains"}),
        ("tests[0].limits.", {"timeout": "time", "ram": "memory"}),
        ("tests[0].dialogue[0].", {"input": "send", "output": "expect", "timeout": "within"}),
    ],
)
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
        told = _messages(spec, tmp_path, monkeypatch)
        assert any(message.endswith(f'{place}{word}: unknown key; did you mean "{written}"?') for message in told), told
