"""The rows of the page on other frameworks: each command is run as it stands there, where its tool is there."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.core.errors import HostError
from grader.core.languages import find_tool
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare
from tests.support.layouts import ROOT

pytestmark = pytest.mark.usefixtures("shared_cache")

PAGE = ROOT / "docs" / "how-to" / "use-other-test-frameworks.md"
_ROW = re.compile(r"\|[^|]*\| (?P<command>`[^|]*) \| (?P<report>`(?:junit|tap|go|cargo|unity)`|that of [^|]*) \|")
_NODE_TEST = """
const { test } = require("node:test");
const assert = require("node:assert");
const add = require("../sum.js");
test("ones", () => assert.strictEqual(add(1, 1), 2));
test("twos", () => assert.strictEqual(add(2, 2), 4));
"""
_JEST_TEST = """
const add = require("../sum.js");
test("ones", () => expect(add(1, 1)).toBe(2));
test("twos", () => expect(add(2, 2)).toBe(4));
"""
_JAVASCRIPT = ("javascript", "sum.js", "module.exports = (a, b) => a + b;\n", "a + b")
_ES_MODULE = ("javascript", "sum.mjs", "export default (a, b) => a + b;\n", "a + b")
_GO = ("go", "sum.go", "package sum\n\nfunc Add(a, b int) int { return a + b }\n", "a + b")
_RUST = ("rust", "src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n", "a + b")
_C = ("c", "sum.c", "int add(int a, int b) { return a + b; }\n", "a + b")
_CPP = ("cpp", "sum.cpp", "int add(int a, int b) { return a + b; }\n", "a + b")
_RUBY = ("ruby", "sum.rb", "def add(a, b)\n  a + b\nend\n", "a + b")
_LUA = ("lua", "sum.lua", "return { add = function(a, b) return a + b end }\n", "a + b")
_PERL = ("perl", "Sum.pm", "package Sum;\nsub add { return $_[0] + $_[1] }\n1;\n", "$_[0] + $_[1]")
_SHELL = ("bash", "sum.sh", 'echo "$(($1 + $2))"\n', "$1 + $2")
_CATCH = """
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
int add(int a, int b);
TEST_CASE("ones") { REQUIRE(add(1, 1) == 2); }
TEST_CASE("twos") { REQUIRE(add(2, 2) == 4); }
"""
_GTEST = """
#include <gtest/gtest.h>
int add(int a, int b);
TEST(Sum, Ones) { EXPECT_EQ(add(1, 1), 2); }
TEST(Sum, Twos) { EXPECT_EQ(add(2, 2), 4); }
"""
_CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(sum CXX)
enable_testing()
foreach(name ones twos)
  add_executable(${name} tests/${name}.cpp sum.cpp)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
"""
_PROGRAM_TEST = "int add(int a, int b);\nint main() { return add(%d, %d) != %d; }\n"
_TAP_IN_C = """
#include <stdio.h>
int add(int, int);
int main(void) {
    printf("1..2\\n%sok 1 - ones\\n", add(1, 1) == 2 ? "" : "not ");
    printf("%sok 2 - twos\\n", add(2, 2) == 4 ? "" : "not ");
    return add(1, 1) != 2 || add(2, 2) != 4;
}
"""
_MAKEFILE = "check: t\n\t./t\nt: tests/sum_test.c sum.c\n\tgcc -o t tests/sum_test.c sum.c\n"
_BATS = """
@test "ones" { [ "$(bash sum.sh 1 1)" = 2 ]; }
@test "twos" { [ "$(bash sum.sh 2 2)" = 4 ]; }
"""
_MINITEST = """
require "minitest/autorun"
require "minitest/reporters"
require_relative "../sum"
Minitest::Reporters.use! Minitest::Reporters::JUnitReporter.new("results")
class SumTest < Minitest::Test
  def test_ones = assert_equal(2, add(1, 1))
  def test_twos = assert_equal(4, add(2, 2))
end
"""
_RSPEC = """
require_relative "../sum"
describe "sum" do
  it("ones") { expect(add(1, 1)).to eq 2 }
  it("twos") { expect(add(2, 2)).to eq 4 }
end
"""
_BUSTED = """
local sum = require("sum")
describe("sum", function()
  it("ones", function() assert.are.equal(2, sum.add(1, 1)) end)
  it("twos", function() assert.are.equal(4, sum.add(2, 2)) end)
end)
"""
_MORE = """
use lib ".";
use Test::More tests => 2;
use Sum;
is(Sum::add(1, 1), 2, "ones");
is(Sum::add(2, 2), 4, "twos");
"""
_GO_TEST = """
package sum

import "testing"

func TestOnes(t *testing.T) { check(t, 1, 2) }
func TestTwos(t *testing.T) { check(t, 2, 4) }
func check(t *testing.T, n, wanted int) {
\tif Add(n, n) != wanted {
\t\tt.Errorf("%d", n)
\t}
}
"""
_CARGO_TEST = """
#[test]
fn ones() { assert_eq!(sum::add(1, 1), 2); }
#[test]
fn twos() { assert_eq!(sum::add(2, 2), 4); }
"""
_CARGO = '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n'
_MODULES = {"NODE_PATH": "/usr/lib/node_modules"}
Row = tuple[str, tuple[str, str, str, str], Mapping[str, str], Mapping[str, Any]]
ROWS: Mapping[str, Row] = {
    # the beginning of a command -> a tool, the submission, the files of the course, and further keys
    "node --test --test-reporter=tap": ("node", _JAVASCRIPT, {"tests/sum.test.js": _NODE_TEST}, {}),
    "node --test --test-reporter=junit": ("node 20", _JAVASCRIPT, {"tests/sum.test.js": _NODE_TEST}, {}),
    "jest": (
        "jest",
        _JAVASCRIPT,
        {"tests/sum.test.js": _JEST_TEST},
        {"env": {"JEST_JUNIT_OUTPUT_FILE": "{report}", **_MODULES}},
    ),
    "mocha": (
        "mocha",
        _JAVASCRIPT,
        {
            "tests/sum.spec.js": _NODE_TEST.replace("const { test }", "const { it: test }").replace(
                'require("node:test")', "global"
            )
        },
        {},
    ),
    "vitest": (
        "vitest",
        _ES_MODULE,
        {
            "tests/sum.test.mjs": 'import { expect, test } from "vitest";\nimport add from "../sum.mjs";\n'
            'test("ones", () => expect(add(1, 1)).toBe(2));\ntest("twos", () => expect(add(2, 2)).toBe(4));\n'
        },
        {"env": _MODULES},
    ),
    "go": ("go", _GO, {"sum_test.go": _GO_TEST, "go.mod": "module sum\n\ngo 1.19\n"}, {}),
    "cargo": ("cargo", _RUST, {"tests/sum.rs": _CARGO_TEST, "Cargo.toml": _CARGO}, {}),
    "[rustc": (
        "rustc",
        _RUST,
        {"tests/sum.rs": '#[path = "../src/lib.rs"]\nmod sum;\n' + _CARGO_TEST},
        {},
    ),
    "[g++ -o t tests/sum_test.cpp sum.cpp -lgtest": ("/usr/include/gtest", _CPP, {"tests/sum_test.cpp": _GTEST}, {}),
    "[g++ -o t tests/sum_test.cpp sum.cpp,": ("/usr/include/catch2", _CPP, {"tests/sum_test.cpp": _CATCH}, {}),
    "[cmake": (
        "ctest",
        _CPP,
        {
            "CMakeLists.txt": _CMAKE,
            "tests/ones.cpp": _PROGRAM_TEST % (1, 1, 2),
            "tests/twos.cpp": _PROGRAM_TEST % (2, 2, 4),
        },
        {},
    ),
    "make": ("make", _C, {"Makefile": _MAKEFILE, "tests/sum_test.c": _TAP_IN_C}, {}),
    "rspec": ("rspec", _RUBY, {"spec/sum_spec.rb": _RSPEC}, {}),
    "ruby": (
        "/usr/share/doc/ruby-minitest-reporters",
        _RUBY,
        {"tests/sum_test.rb": _MINITEST},
        {"from": "results/*.xml"},
    ),
    "busted": ("busted", _LUA, {"tests/sum_spec.lua": _BUSTED}, {}),
    "bats": ("bats", _SHELL, {"tests/sum.bats": _BATS}, {}),
    "perl": ("perl", _PERL, {"tests/sum.t": _MORE}, {}),
}
NOT_TRIED = {
    "[gcc -DUNITY_USE_FLUSH_STDOUT": "Unity's own files would have to be here",
    "phpunit": "PHP is on no machine of ours",
}
IN_CI = ("make", "node", "perl")
"""tools that `make test` installs, or that are there anyway: their rows never skip there"""


def rows() -> Mapping[str, tuple[str, str]]:
    """Return the commands of the page by how they begin, each with its report: TAP where a program of ours decides."""
    written = [match for line in PAGE.read_text().splitlines() if (match := _ROW.match(line))]
    commands = {row["command"].strip("`").partition("`")[0]: row["report"].strip("`") for row in written}
    begins = (*ROWS, *NOT_TRIED)
    assert all(command.startswith(begins) for command in commands), [*commands]
    return {
        next(one for one in begins if command.startswith(one)): (command, report if " " not in report else "tap")
        for command, report in commands.items()
    }


def is_here(tool: str) -> bool:
    """Whether a sandbox has a tool, in a version that is told behind its name or a later one."""
    if tool.startswith("/"):
        return Path(tool).exists()
    tool, _, oldest = tool.partition(" ")
    if oldest:
        version = subprocess.run(["/usr/bin/env", tool, "--version"], capture_output=True, text=True, check=False)
        if int((re.findall(r"\d+", version.stdout) or ["0"])[0]) < int(oldest):
            return False
    try:
        return bool(find_tool(tool, tool))
    except HostError:
        return False


def test_each_row_is_tried_or_says_why_not() -> None:
    assert sorted(rows()) == sorted((*ROWS, *NOT_TRIED))


@pytest.mark.parametrize("begin", ROWS)
def test_the_command_of_a_row_grades(begin: str, tmp_path: Path) -> None:
    tool, (language, name, right, part), files, more = ROWS[begin]
    if not is_here(tool) and not (tool in IN_CI and "CI" in os.environ):
        pytest.skip(f"{tool} is not on this machine")
    command, report = rows()[begin]
    unit = {"report": report, "with": sorted(files), **({"from": more["from"]} if "from" in more else {})}
    unit["command"] = yaml.safe_load(command) if command.startswith("[") else command
    spec = {
        "spec": 1,
        "id": "sums",
        "title": "Sums",
        "language": language,
        "files": {"required": [name]},
        "program": ["cat", name],
        "reference": {"files": "reference", "program": ["cat", name]},
        "limits": {"time": "100 s", "cpu": "100 s", "memory": "2 GiB", "processes": 512},
        "tests": [{"name": "sums", "points": 2, "unit": unit, **({"env": more["env"]} if "env" in more else {})}],
    }
    written = {**files, f"reference/{name}": right, "specs/sums.yaml": yaml.safe_dump(spec)}
    for place, text in written.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    course = prepare(tmp_path / "specs/sums.yaml")

    def graded(student: str, text: str) -> Report:
        work = tmp_path / "submissions" / student
        (work / name).parent.mkdir(parents=True)
        (work / name).write_text(text)
        return grade(Job(spec=tmp_path / "specs/sums.yaml", submission=Submission(id=student, path=work)), course)

    found = graded("right", right)
    told = [case.message for case in found.tests[0].cases]
    assert (found.score, len(told)) == (2, 2), told
    # Right for 2 and 2 alone.
    times = part.replace("+", "*")
    assert graded("wrong", right.replace(part, times)).score == 1
    if not begin.startswith("[g++"):  # half a minute for a compiler
        assert graded("broken", f")]}} nothing (\n{right}").score == 0
