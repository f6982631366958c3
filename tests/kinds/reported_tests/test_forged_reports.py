"""Submissions that write the report of the course's tests themselves, and end the run before these tests can."""

import json
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare

pytestmark = pytest.mark.usefixtures("shared_cache")

C_SPEC = """spec: 1
id: sums
title: Sums
language: c
files: {required: [sums.c]}
program: ./main
build: {run: gcc -o main sums.c -DMAIN, produces: [main]}
limits: {time: 1 s}
reference: {files: reference, language: c, build: gcc -o main sums.c -DMAIN, program: ./main}
tests:
  - name: unity
    points: 3
    unit: {command: [gcc -o t tests/sums_test.c sums.c, ./t], report: unity, with: [tests/sums_test.c]}
"""
C_TESTS = r"""
#include <stdio.h>
int add(int, int);
static int failed;
static void check(const char *name, int ok) {
    failed += !ok;
    printf("tests/sums_test.c:9:%s:%s\n", name, ok ? "PASS" : "FAIL");
    fflush(stdout);
}
int main(void) {
    check("ones", add(1, 1) == 2);
    check("twos", add(2, 2) == 4);
    check("zero", add(0, 0) == 0);
    printf("3 Tests %d Failures 0 Ignored\n", failed);
    return failed;
}
"""
C_BEGIN = r"""
#include <stdlib.h>
#include <unistd.h>
static const char forged[] = "a.c:9:ones:PASS\na.c:9:twos:PASS\na.c:9:zero:PASS\n3 Tests 0 Failures 0 Ignored\n";
static void forge(void) {
    if (write(1, forged, sizeof forged - 1) < 0) abort();
}
#ifdef MAIN
int main(void) { return 0; }
#else
static int first = 1;
__attribute__((constructor)) static void begin(void) { BEGIN; }
int add(int a, int b) {
    if (first) { first = 0; FIRST; }
    return a + b * (RIGHT);
}
#endif
"""
ALL_PASSED = "All tests passed by their report, but the command"
PARTS = {"BEGIN": "", "FIRST": "", "RIGHT": "0"}
C_SUBMISSIONS: list[tuple[str, dict[str, str], float, str]] = [
    ("right", {"RIGHT": "1"}, 3, ""),
    ("wrong", {}, 1, "`ones` failed"),
    # As the page says: a report that is complete, and an end with the right status.
    ("exits-first", {"FIRST": "forge(); exit(0)"}, 3, ""),
    ("exits-with-another-status", {"BEGIN": "forge(); _exit(3)"}, 0, ALL_PASSED),
    ("never-ends", {"FIRST": "forge(); for (;;)"}, 0, ALL_PASSED),
    ("aborts", {"FIRST": "forge(); abort()"}, 0, ALL_PASSED),
    ("exits-later", {"RIGHT": "a < 2 ? 1 : (exit(1), 0)"}, 1, ""),
]


def _grade(spec: Path, name: str, source: str) -> Report:
    work = spec.parent.parent / "submissions" / name
    work.mkdir(parents=True)
    (work / f"sums.{spec.stem}").write_text(source)
    return grade(Job(spec=spec, submission=Submission(id=name, path=work)), prepare(spec))


def _course(folder: Path, language: str, spec: str, tests: str, reference: str) -> Path:
    for name in ("specs", "tests", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / f"sums.{language}").write_text(reference)
    (folder / "tests" / f"sums_test.{language}").write_text(tests)
    path = folder / "specs" / f"{language}.yaml"
    path.write_text(spec)
    return path


def _c_source(**parts: str) -> str:
    lines = [f"#define {name} {parts.get(name, default)}" for name, default in PARTS.items()]
    return "\n".join((*lines, C_BEGIN))


def test_a_program_in_c_that_ends_the_tests_itself_is_asked_how(tmp_path: Path) -> None:
    spec = _course(tmp_path, "c", C_SPEC, C_TESTS, _c_source(RIGHT="1"))
    for name, parts, score, message in C_SUBMISSIONS:
        report = _grade(spec, name, _c_source(**parts))
        told = report.tests[0].cases[0].message
        assert (report.score, told[: len(message)]) == (score, message), (name, told)


NODE_SPEC = """spec: 1
id: sums
title: Sums
language: javascript
files: {required: [sums.js]}
program: node sums.js
reference: node reference/sums.js
tests:
  - name: tap
    points: 2
    unit: {command: COMMAND tests/sums_test.js, report: tap, with: [tests/sums_test.js]}
"""
NODE_TESTS = """const { test } = require("node:test");
const assert = require("node:assert");
const { add } = require("../sums");
test("ones", () => assert.strictEqual(add(1, 1), 2));
test("twos", () => assert.strictEqual(add(2, 2), 4));
"""
NODE_FORGED = json.dumps("TAP version 13\nok 1 - ones\nok 2 - twos\n1..2\n")
NODE_SUBMISSIONS = {
    "right": ("module.exports = { add: (a, b) => a + b };", 2),
    "prints": (f"require('fs').writeSync(1, {NODE_FORGED}); process.exit(0);", 0),
}


def test_a_module_that_prints_a_report_below_nodes_runner_is_not_believed(tmp_path: Path) -> None:
    reference = NODE_SUBMISSIONS["right"][0]
    command = "node --test --test-reporter=tap"
    spec = _course(tmp_path, "js", NODE_SPEC.replace("COMMAND", command), NODE_TESTS, reference)
    for name, (source, score) in NODE_SUBMISSIONS.items():
        report = _grade(spec, name, source)
        assert report.score == score, (name, [case.message for case in report.tests[0].cases])
