"""Small wrong specs, each with every message that it must get: what is wrong with what is expected."""
# ruff: noqa: E501 -- messages are compared whole

from pathlib import Path

import pytest

from tests.support.mistakes import TOP, blocks, messages_of

EXPECT = "tests:\n  - name: t\n    expect:\n"
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

stdout: {text: a, credit: share}
! 8:33: tests[0].expect.stdout.credit: credit belongs to lines only

stdout: {lines: [a], credit: half}
! 8:36: tests[0].expect.stdout.credit: unknown way to give credit "half"; there are: all, share

stdout: {lines: [], credit: share}
! 8:35: tests[0].expect.stdout.credit: no line is expected, so that there is nothing to share: leave credit out

stdout: {not: {lines: [a], credit: share}}
! 8:21: tests[0].expect.stdout.not: only what is exactly so is denied, and no share of its lines: take credit out

stdout: {contains: [a], tolerance: 1}
! 8:42: tests[0].expect.stdout.tolerance: tolerance belongs to numbers, tokens and lines only

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
! 8:21: tests[0].expect.stdout.all: `all` needs at least two parts: name two or more, or leave all out

stdout: {all: [a, any, a]}
! 8:25: tests[0].expect.stdout.all[1]: any asks for nothing: take it out
! 8:30: tests[0].expect.stdout.all[2]: this is in the list already: keep one

stdout: {not: any}
! 8:21: tests[0].expect.stdout.not: then nothing at all is right: say what must not be written

stdout: {not: {contains: [a, b]}}
! 8:21: tests[0].expect.stdout.not: not all of these texts? Write `not: {any: [{contains: …}, …]}` if none may occur

stdout: {not: {any: [a, {not: b}]}}
! 8:21: tests[0].expect.stdout.not: `not` inside `not`: remove both

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
! 8:16: tests[0].expect.stdout.n: unknown key; there are: text, contains, regex, lines, tokens, numbers, json, check, file, any, all, not, about, order, credit, tolerance, relative, only, skip, part
"""


@pytest.mark.parametrize(
    ("spec", "messages"),
    [
        *blocks(WRONG_EXPECTATIONS, TOP + EXPECT, " " * 6),
    ],
)
def test_every_mistake_in_an_expectation_is_told_once(
    spec: str, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages
    assert messages_of(spec, tmp_path, monkeypatch) == [f"x.yaml:{message}" for message in messages]
