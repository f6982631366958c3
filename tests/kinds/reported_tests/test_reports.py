"""Reports in the shapes in which frameworks write them, and in shapes in which none does."""

import pytest

from grader.kinds.reported_tests.model import TestReportFormat
from grader.kinds.reported_tests.report import MAX_REPORT_BYTES, MAX_RESULTS, read_test_report

NODE = """TAP version 13
# ok 9 - printed by the program
# Subtest: list
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 1.1
      ...
    # Subtest: takes \\# away
    not ok 2 - takes \\# away
      ---
      location: '/work/tests/list.test.js:6:3'
      error: |-
        Expected values to be strictly equal:

        3 !== 4

      expected: 4
      actual: 3
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (/work/tests/list.test.js:7:9)
      ...
    1..2
not ok 1 - list
  ---
  type: 'suite'
  ...
ok 2 - later # SKIP not today
ok 3 - some day # TODO
1..3
# tests 4
"""
GROUP_FAILS = "    ok 1 - adds\n    1..1\nnot ok 1 - list\n  ---\n  error: 'clean-up failed'\n  ...\n1..1\n"
VITEST = """TAP version 13
1..1
not ok 1 - list.test.mjs # time=9ms {
    1..1
    not ok 1 - list # time=8ms {
        1..2
        ok 1 - adds # time=1ms
        not ok 2 - takes away # time=5ms
            ---
            error:
                message: "expected 3 to be 4"
            at: "/work/list.test.mjs:3:5"
            ...
    }
}
"""
BATS = "1..2\nok 1 adds numbers\nnot ok 2 fails\n# (in test file tests/a.bats, line 2)\n#   `[ 1 -eq 2 ]' failed\n"
BUSTED = "ok 1 - list adds\nnot ok 2 - list fails\n# list_spec.lua @ 1\n# Failure message: list_spec.lua:4: nil\n1..2\n"
GTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3"><testsuite name="List">
<testcase name="Adds" file="l.cpp" line="3" status="run" result="completed" classname="List"/>
<testcase name="Fails" file="l.cpp" line="4" classname="List"><failure message="l.cpp:5&#x0A;Expected 4"/></testcase>
<testcase name="DISABLED_Old" status="notrun" result="suppressed" classname="List"/>
</testsuite></testsuites>
"""
CTEST = (
    '<testsuite name="(empty)"><testcase name="bad" classname="bad" status="fail"><failure message=""/>'
    '</testcase><testcase name="off" status="disabled"/><testcase name="left" status="notrun">'
    '<skipped message="SKIP_RETURN_CODE=77"/></testcase><testcase name="gone" status="notrun">'
    '<skipped message="Unable to find executable"/></testcase></testsuite>'
)
RSPEC = (
    '<testsuite name="rspec"><testcase classname="spec.list_spec" name="list errs" file="./spec/list_spec.rb">'
    '<error message="x" type="RuntimeError">no such list\n./spec/list_spec.rb:5:in block</error></testcase></testsuite>'
)
GO = (
    "".join(
        f'{{"Action":"{action}","Package":"list","Test":"{test}"{more}}}\n'
        for action, test, more in (
            ("run", "TestTable", ""),
            ("output", "TestTable/case_2", ',"Output":"    list_test.go:4: got 2\\n"'),
            ("pass", "TestTable/case_1", ""),
            ("fail", "TestTable/case_2", ""),
            ("fail", "TestTable", ""),
            ("output", "TestPanic", ',"Output":"panic: index out of range\\n"'),
            ("fail", "TestPanic", ""),
        )
    )
    + '{"Action":"fail","Package":"list"}\nnot JSON\n{"Action":[]}\n'
)
CARGO = """
running 3 tests
test adds ... ok
test later ... ignored, not today
test fails ... FAILED

failures:

---- fails stdout ----

thread 'fails' panicked at tests/list.rs:3:38:
assertion `left == right` failed
  left: 3
 right: 4
note: run with `RUST_BACKTRACE=1`


failures:
    fails

test result: FAILED. 1 passed; 1 failed; 1 ignored
"""
UNITY = """tests/test_list.c:10:test_adds:PASS
tests/test_list.c:16:test_fails:FAIL: Expected 4 Was 3. of two numbers
tests/test_list.c:20:test_later:IGNORE

-----------------------
3 Tests 1 Failures 1 Ignored
FAIL
"""
UNITY_AFTER_OUTPUT = """sum: 3, tests/test_list.c:10:test_adds:PASS
t.c:1:test_a:PASS: test_list.c:16:test_a:FAIL: Expected 4 Was 3
note: test_list.c:20:test_text:FAIL: Expected 'b. Was' Was 't.c:1:test_text:PASS'. Not. Here
at 1:2:3:test_list.c:24:test_colors:\x1b[42mPASS\x1b[00m
test_list.c:28:test_red:\x1b[41mFAIL\x1b[00m: Expected 0.5 Was 2.5. of the third

-----------------------
5 Tests 3 Failures 0 Ignored
\x1b[41mFAIL\x1b[00m
"""
READ: list[tuple[TestReportFormat, str, list[str]]] = [
    (
        "tap",
        NODE,
        [
            "passed list > adds",
            "failed list > takes # away: Expected values to be strictly equal:\n\n3 !== 4 (list.test.js:7) 3/4",
            "skipped later: not today",
            "todo some day",
        ],
    ),
    ("tap", GROUP_FAILS, ["failed list > adds: clean-up failed"]),
    ("tap", VITEST, ["passed list > adds", "failed list > takes away: expected 3 to be 4 (list.test.mjs:3)"]),
    ("tap", BATS, ["passed adds numbers", "failed fails: (in test file tests/a.bats, line 2) (a.bats:2)"]),
    ("tap", BUSTED, ["passed list adds", "failed list fails: list_spec.lua:4: nil (list_spec.lua:4)"]),
    ("junit", GTEST, ["passed Adds (l.cpp:3)", "failed Fails: l.cpp:5\nExpected 4 (l.cpp:4)", "skipped DISABLED_Old"]),
    (
        "junit",
        CTEST,
        ["failed bad", "skipped off", "skipped left: SKIP_RETURN_CODE=77", "error gone: Unable to find executable"],
    ),
    ("junit", RSPEC, ["error list errs: x (list_spec.rb:5)"]),
    (
        "go",
        GO,
        [
            "passed TestTable > case_1",
            "failed TestTable > case_2: got 2 (list_test.go:4)",
            "error TestPanic: index out of range",
        ],
    ),
    (
        "cargo",
        CARGO,
        [
            "passed adds",
            "skipped later: not today",
            "failed fails: assertion `left == right` failed left: 3 right: 4 (list.rs:3)",
        ],
    ),
    (
        "unity",
        UNITY,
        [
            "passed test_adds (test_list.c:10)",
            "failed test_fails: of two numbers (test_list.c:16) 3/4",
            "skipped test_later (test_list.c:20)",
        ],
    ),
    (
        "unity",
        UNITY_AFTER_OUTPUT,
        [
            "passed test_adds (test_list.c:10)",
            "failed test_a: t.c:1:test_a:PASS: test_list.c:16:test_a:FAIL: Expected 4 Was 3 (test_list.c:16) 3/4",
            "failed test_text: Not. Here (test_list.c:20) 't.c:1:test_text:PASS'/'b. Was'",
            "passed test_colors (test_list.c:24)",
            "failed test_red: of the third (test_list.c:28) 2.5/0.5",
        ],
    ),
]
ONE = '<testsuite name="s"><testcase name="a"/><testcase name="b"/></testsuite>'
DAMAGED: list[tuple[TestReportFormat, bytes, str, int, str]] = [
    ("junit", ONE.encode() + ONE.encode(), "void", 0, "more than one XML document"),
    ("junit", ONE[:-20].encode(), "read", 1, "breaks off"),
    ("junit", b'<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>', "void", 0, "entities"),
    ("junit", b"<testsuite>" * 100, "void", 0, "within each other"),
    ("junit", b"<html/>", "void", 0, "no JUnit XML"),
    ("junit", b"\xff\xfe\xfa", "void", 0, "no JUnit XML"),
    ("tap", b"Hello\n", "void", 0, "no TAP"),
    ("tap", b"1..3\nok 1 - a\nok 2 - \xff\xfe\n", "read", 2, "announces 3 tests and has 2"),
    ("tap", b"ok 1 - a\n", "read", 1, "no plan"),
    ("tap", b"1..2\nok 1 - a\nBail out! no disk\n", "read", 1, "given up (`Bail out!`): no disk"),
    ("tap", b"1..2\nok 1 - a\nok 1 - b\n", "read", 2, "two tests with the number 1"),
    ("tap", b"1..0 # skip no compiler\n", "read", 0, "all tests were skipped"),
    ("tap", b"".join(b" " * n + b"ok 1 - a\n" for n in range(200)), "read", 200, "two tests with the number 1"),
    ("go", b"FAIL\tlist [build failed]\n", "void", 0, "no events"),
    ("go", b'{"Action":"run","Package":"p","Test":"TestA"}\n', "read", 0, "TestA was begun and not finished"),
    ("go", b"{" * 100_000, "void", 0, "no events"),
    ("cargo", b"error: no such target\n", "void", 0, "no results"),
    ("cargo", b"running 2 tests\ntest a ... ok\n", "read", 1, "announces 2 tests and has 1"),
    ("unity", b"t.c:1:test_a:PASS\n", "read", 1, "breaks off"),
    ("unity", b"Segmentation fault\n", "void", 0, "no results"),
    ("tap", b"x" * (MAX_REPORT_BYTES + 1), "void", 0, "at most 16 MiB"),
    ("tap", b"ok\n" * (MAX_RESULTS + 1), "void", 0, "100001 results"),
]


@pytest.mark.parametrize(("form", "written", "expected"), READ)
def test_the_results_of_a_report_are_read(form: TestReportFormat, written: str, expected: list[str]) -> None:
    report = read_test_report(form, (written.encode(),)).report
    told = [
        f"{one.outcome} {one.name}"
        + (f": {one.message}" if one.message else "")
        + (f" ({one.place})" if one.place else "")
        + (f" {one.found}/{one.wanted}" if one.found else "")
        for one in report.results
    ]
    assert (told, report.problem) == (expected, "")


@pytest.mark.parametrize(("form", "written", "how", "results", "problem"), DAMAGED)
def test_a_damaged_report_is_described(
    form: TestReportFormat, written: bytes, how: str, results: int, problem: str
) -> None:
    report = read_test_report(form, (written,)).report
    assert ("void" if report.is_void else "read", len(report.results)) == (how, results)
    assert problem in report.problem


TWO = "TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n"
DOCUMENTS: list[tuple[str, tuple[int, ...], list[str], str]] = [
    (TWO, (2,), ["a", "b"], ""),
    (TWO + TWO, (2, 2), ["a", "b", "a", "b"], ""),
    ("1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n", (1, 2), ["a", "b", "c"], ""),
    (TWO + "# Subtest: c\n    ok 1 - d\n    1..1\nok 1 - c\n1..1\n", (2, 1), ["a", "b", "c > d"], ""),
    (TWO + "ok 1 - c\n", (2,), ["a", "b", "c"], "no plan"),
    (TWO + "1..2\nok 1 - c\n", (2, 2), ["a", "b", "c"], "announces 2 tests and has 1"),
    # What is not complete is no document: a program may write a line that looks like a plan.
    ("ok 1 - a\n1..5\nok 2 - b\n1..2\n", (2,), ["a", "b"], "two plans"),
    ("1..2\nok 1 - a\n1..1\nok 2 - b\n", (1,), ["a", "b"], "two plans"),
    (TWO + "ok 3 - c\n1..3\n", (2,), ["a", "b", "c"], "two plans"),
]


@pytest.mark.parametrize(("written", "plans", "names", "problem"), DOCUMENTS)
def test_one_document_may_follow_another(written: str, plans: tuple[int, ...], names: list[str], problem: str) -> None:
    report = read_test_report("tap", (written.encode(),)).report
    assert (report.plans, [one.name for one in report.results]) == (plans, names)
    assert problem in report.problem if problem else not report.problem
