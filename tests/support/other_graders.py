"""Small assignments in the forms of other graders, laid out for tests of the import. All of it is made up here."""

from collections.abc import Mapping

CHECK50_SIMPLE: Mapping[str, str] = {
    ".cs50.yml": """\
check50:
  files:
    - !exclude "*"
    - !require "greet.py"
  checks:
    greets Ada:
      - run: python3 greet.py
        stdin: Ada
        stdout: Hello, Ada
        exit: 0
    counts letters:
      - run: python3 greet.py -n
        stdin:
          - Bo
        stdout:
          - Hello, Bo
          - "2"
""",
}
CHECK50: Mapping[str, str] = {
    ".cs50.yml": """\
check50:
  files: &files
    - !exclude "*"
    - !require halve.py
  dependencies:
    - numpy
submit50:
  files: *files
""",
    "long.txt": "a\nb\n",
    "__init__.py": '''\
import check50
from re import escape

PROGRAM = "python3 halve.py"


@check50.check()
def exists():
    """halve.py exists"""
    check50.exists("halve.py")


@check50.check(exists)
def halves_eight():
    """8 gives 4"""
    check50.run(PROGRAM).stdin("8").stdout(number(4), "4").stdout("done.\\n").exit(0)


@check50.check(exists)
def says_no_more():
    """2 gives 1 and nothing else"""
    check50.run(PROGRAM).stdin("2").stdout("1 done.\\n", regex=False).stdout(check50.EOF).exit()


@check50.check(halves_eight)
def rejects_words():
    """asks again after "two" and after an empty line"""
    for wrong in ["two", ""]:
        check50.run(PROGRAM).stdin(wrong).reject()


@check50.check(exists, timeout=5)
def helps():
    """-h tells how it is used"""
    out = check50.run(PROGRAM + " -h").stdout()
    if not out.startswith("usage"):
        raise check50.Mismatch("usage", out)


@check50.check(exists)
@check50.hidden("Try larger numbers.")
def hidden_one():
    """large numbers"""
    out = check50.run(PROGRAM).stdin("1000").stdout()
    if "500" not in out:
        raise check50.Failure("no 500", help="Mind long numbers.")


@check50.check(exists)
def with_file():
    """a file that is included"""
    check50.include("long.txt")
    check50.run("wc -l < long.txt").stdout("2").exit(0)


def number(wanted):
    """only this number"""
    return fr"(?<!\\d){wanted}(?!\\d)"
''',
}
HALVE = """\
import sys

if "-h" in sys.argv:
    sys.exit("usage: halve.py")
while True:
    text = input("Number: ")
    if text.isdigit():
        break
print(int(text) // 2, "done.")
"""
SUBMITTY: Mapping[str, str] = {
    "config/config.json": """\
{
  // as real ones have it: "comments" and directives
  "resource_limits" : { "RLIMIT_CPU" : 6, "RLIMIT_FSIZE" : 100000 },
  "max_submission_size" : 1000000,
  "testcases" : [
    { "type" : "FileCheck", "title" : "README", "actual_file" : "README.txt", "points" : 1 },
    { "type" : "Compilation", "title" : "Compilation", "command" : "clang -Wall -o frame.out -- *.c",
      "executable_name" : "frame.out", "points" : 2 },
    { "title" : "Frame 3", "command" : "./frame.out 3", "points" : 3,
      "validation" : [ { "method" : "diff", "actual_file" : "STDOUT.txt", "expected_file" : "frame_3.txt" } ] },
    #include "more.json"
    /* { "title" : "not now" } */
    { "title" : "Sorted", "command" : [ "./frame.out 2", "sort < STDOUT_0.txt" ], "points" : 2, "hidden" : true,
      "validation" : [ { "method" : "warnIfEmpty", "actual_file" : "STDOUT_0.txt" },
        { "method" : "diff", "comparison" : "byLine", "lineSwapOk" : true, "deduction" : 1.0,
          "actual_file" : "STDOUT_1.txt", "expected_file" : "sorted.txt" } ] },
    { "title" : "Picture", "command" : "./frame.out 2", "points" : 1,
      "validation" : [ { "method" : "ImageDiff", "actual_file" : "a.png", "expected_file" : "b.png" } ] },
    { "type" : "FileCheck", "title" : "Submission Limit", "points" : -5, "max_submissions" : 3 }
  ]
}
""",
    "config/more.json": """\
    { "title" : "No argument", "command" : "./frame.out", "points" : 4, "extra_credit" : true,
      "validation" : [ { "method" : "errorIfNotEmpty", "actual_file" : "STDOUT.txt" },
                       { "method" : "searchToken", "data" : [ "usage" ], "actual_file" : "STDERR.txt" } ] },
    { "title" : "Count", "command" : "./frame.out < lines.txt", "points" : 2,
      "validation" : [
        { "method" : "intComparison", "comparison" : "ge", "term" : 3, "actual_file" : "STDOUT.txt" } ] },
""",
    "config/test_output/frame_3.txt": "***\n* *\n***\n",
    "config/test_output/sorted.txt": "**\n**\n",
    "config/test_input/lines.txt": "a\nb\nc\n",
}
FRAME = """\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc < 2) {
        int lines = 0, c;
        while ((c = getchar()) != EOF) lines += c == '\\n';
        if (lines) printf("%d lines\\n", lines); else fprintf(stderr, "usage: frame.out SIZE\\n");
        return 0;
    }
    int n = atoi(argv[1]);
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) putchar(y % (n - 1) == 0 || x % (n - 1) == 0 ? '*' : ' ');
        putchar('\\n');
    }
    return 0;
}
"""
EXERCISM_PYTHON: Mapping[str, str] = {
    ".meta/config.json": """\
{
  "blurb": "Say whether a year is a {round} one.",
  "authors": ["nobody"],
  "files": {"solution": ["round_year.py"], "test": ["round_year_test.py"], "example": [".meta/example.py"]}
}
""",
    ".meta/example.py": "def is_round(year):\n    return year % 10 == 0\n",
    "round_year.py": "def is_round(year):\n    pass\n",
    "round_year_test.py": """\
import unittest

from round_year import is_round


class RoundYearTest(unittest.TestCase):
    def test_1990_is_round(self):
        self.assertIs(is_round(1990), True)

    def test_1994_is_not(self):
        self.assertIs(is_round(1994), False)
""",
}
EXERCISM_JAVA: Mapping[str, str] = {
    ".meta/config.json": """\
{"files": {"solution": ["src/main/java/Half.java"], "test": ["src/test/java/HalfTest.java"],
  "example": [".meta/src/reference/java/Half.java"], "editor": ["build.gradle"]}}
""",
    ".meta/src/reference/java/Half.java": "class Half { static int of(int n) { return n / 2; } }\n",
    "src/main/java/Half.java": "class Half { static int of(int n) { return 0; } }\n",
    "build.gradle": "",
    "src/test/java/HalfTest.java": """\
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

public class HalfTest {
    @Test
    public void ofFour() { assertEquals(2, Half.of(4)); }

    @Disabled("Remove to run test")
    @Test
    public void ofZero() { assertEquals(0, Half.of(0)); }
}
""",
}
EXERCISM_C: Mapping[str, str] = {
    ".meta/config.json": """\
{"blurb": "Say whether a year is a leap year.", "files": {
  "solution": ["leap.c", "leap.h"], "test": ["test_leap.c"], "example": [".meta/example.c"]}}
""",
    ".meta/example.c": """\
#include "leap.h"
bool leap_year(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
""",
    "leap.c": """\
#include "leap.h"
""",
    "leap.h": """\
#ifndef LEAP_H
#define LEAP_H
#include <stdbool.h>
bool leap_year(int year);
#endif
""",
    "test_leap.c": """\
#include "test-framework/unity.h"
#include "leap.h"

static void test_not_divisible_by_4(void)
{
   TEST_ASSERT_FALSE(leap_year(2015));
}

static void test_divisible_by_4(void)
{
   TEST_IGNORE();   // delete this line to run test
   TEST_ASSERT_TRUE(leap_year(1996));
}

static void test_century(void)
{
   TEST_IGNORE();
   TEST_ASSERT_FALSE(leap_year(1900));
}

int main(void)
{
   UnityBegin("test_leap.c");
   RUN_TEST(test_not_divisible_by_4);
   RUN_TEST(test_divisible_by_4);
   RUN_TEST(test_century);
   return UnityEnd();
}
""",
    "test-framework/unity.h": """\
#ifndef UNITY_H
#define UNITY_H
#include <setjmp.h>
void UnityBegin(const char *file);
int UnityEnd(void);
void unity_run(void (*test)(void), const char *name, int line);
void unity_true(int condition, int line, const char *message);
void unity_ignore(int line);
#define RUN_TEST(f) unity_run(f, #f, __LINE__)
#define TEST_ASSERT_TRUE(c) unity_true(!!(c), __LINE__, "Expected TRUE Was FALSE")
#define TEST_ASSERT_FALSE(c) unity_true(!(c), __LINE__, "Expected FALSE Was TRUE")
#define TEST_IGNORE() unity_ignore(__LINE__)
#endif
""",
    "test-framework/unity.c": """\
#include "unity.h"
#include <stdio.h>
static const char *file, *current;
static int tests, failures, ignored, state;
static jmp_buf frame;
void UnityBegin(const char *name) { file = name; }
void unity_true(int condition, int line, const char *message)
{
   if (condition) return;
   printf("%s:%d:%s:FAIL: %s\\n", file, line, current, message);
   state = 1;
   longjmp(frame, 1);
}
void unity_ignore(int line)
{
   printf("%s:%d:%s:IGNORE\\n", file, line, current);
   state = 2;
   longjmp(frame, 1);
}
void unity_run(void (*test)(void), const char *name, int line)
{
   current = name; state = 0; tests++;
   if (setjmp(frame) == 0) test();
   if (state == 0) printf("%s:%d:%s:PASS\\n", file, line, name);
   failures += state == 1; ignored += state == 2;
#ifdef UNITY_USE_FLUSH_STDOUT
   fflush(stdout);
#endif
}
int UnityEnd(void)
{
   printf("\\n-----------------------\\n%d Tests %d Failures %d Ignored \\n", tests, failures, ignored);
   puts(failures ? "FAIL" : "OK");
   return failures;
}
""",
}
EXERCISM_REPORTED: Mapping[str, Mapping[str, str]] = {
    "javascript": {
        ".meta/config.json": """\
{"files": {"solution": ["leap.js"], "test": ["leap.spec.js"], "example": [".meta/proof.ci.js"]}}
""",
        ".meta/proof.ci.js": """\
export const isLeap = (year) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
""",
        "leap.js": """\
export const isLeap = (year) => { throw new Error("Remove this line"); };
""",
        "leap.spec.js": """\
import { describe, expect, test, xtest } from '@jest/globals';
import { isLeap } from './leap';

describe('Leap', () => {
  test('not divisible by 4', () => { expect(isLeap(2015)).toBe(false); });
  xtest('divisible by 4', () => { expect(isLeap(1996)).toBe(true); });
  xtest('century', () => { expect(isLeap(1900)).toBe(false); });
});
""",
        "package.json": """\
{"name": "x", "scripts": {"test": "jest ./*"}}
""",
    },
    "go": {
        ".meta/config.json": """\
{"files": {"solution": ["leap.go"], "test": ["leap_test.go"], "example": [".meta/example.go"],
  "editor": ["cases_test.go"]}}
""",
        ".meta/example.go": """\
package leap

// IsLeapYear says whether a year is one.
func IsLeapYear(year int) bool { return year%4 == 0 && year%100 != 0 || year%400 == 0 }
""",
        "leap.go": """\
package leap

func IsLeapYear(year int) bool { panic("implement") }
""",
        "go.mod": """\
module leap

go 1.18
""",
        "cases_test.go": """\
package leap

var testCases = []struct {
	description string
	year        int
	expected    bool
}{
	{"year not divisible by 4", 2015, false},
	{"divisible by 4", 1996, true},
	{"century", 1900, false},
}
""",
        "leap_test.go": """\
package leap

import "testing"

func TestLeapYears(t *testing.T) {
	for _, tc := range testCases {
		t.Run(tc.description, func(t *testing.T) {
			if actual := IsLeapYear(tc.year); actual != tc.expected {
				t.Fatalf("IsLeapYear(%d) = %t, want %t", tc.year, actual, tc.expected)
			}
		})
	}
}

func BenchmarkLeap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		IsLeapYear(1900)
	}
}
""",
    },
    "rust": {
        ".meta/config.json": """\
{"files": {"solution": ["src/lib.rs", "Cargo.toml"], "test": ["tests/leap.rs"], "example": [".meta/example.rs"]}}
""",
        ".meta/example.rs": """\
pub fn is_leap(year: u64) -> bool {
    year % 4 == 0 && year % 100 != 0 || year % 400 == 0
}
""",
        "Cargo.toml": """\
[package]
name = "leap"
version = "0.1.0"
edition = "2021"

[dependencies]
""",
        "src/lib.rs": """\
pub fn is_leap(_year: u64) -> bool {
    todo!()
}
""",
        "tests/leap.rs": """\
use leap::*;

#[test]
fn not_divisible_by_4() {
    assert!(!is_leap(2015));
}

#[test]
#[ignore]
fn divisible_by_4() {
    assert!(is_leap(1996));
}

#[test]
#[ignore]
fn century() {
    assert!(!is_leap(1900));
}
""",
    },
}
PRAIRIELEARN: Mapping[str, str] = {
    "info.json": '{"uuid": "1", "title": "Halves: \\"all\\" of them", "gradingMethod": "External",\n'
    '"externalGradingOptions": {"enabled": true, "image": "prairielearn/grader-python"}}\n',
    "question.html": '<pl-question-panel>Halve.</pl-question-panel>\n<pl-file-editor file-name="halves.py">\n',
    "tests/ans.py": """\
def half(number):
    return number / 2


def halves(numbers):
    return [number / 2 for number in numbers]
""",
    "tests/setup_code.py": "x = 5\n",
    "tests/test.py": """\
from code_feedback import Feedback
from pl_helpers import name, points
from pl_unit_test import PLTestCase


class Test(PLTestCase):
    @points(2)
    @name("half of a number")
    def test_0(self):
        score = 0
        case = [7]
        user_val = Feedback.call_user(self.st.half, *case)
        if Feedback.check_scalar(f"half({case})", self.ref.half(*case), user_val):
            score += 1
        Feedback.set_score(score)

    @points(3)
    @name("half of each")
    def test_1(self):
        ref_val = self.ref.halves([1, 2])
        if Feedback.check_list("halves", ref_val, Feedback.call_user(self.st.halves, [1, 2])):
            Feedback.set_score(1)
        else:
            Feedback.set_score(0)

    @points(1)
    @name("no loop")
    def test_2(self):
        Feedback.set_score(0.5 if "for" in open("halves.py").read() else 1)
""",
}
