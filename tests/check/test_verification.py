"""`grader verify` of a small course: what is right passes, and each thing that is wrong is told."""

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from msgspec.structs import replace

from grader.check import sample_results, verification
from grader.check.mutants import Fate
from grader.check.sample_results import MORE_SAMPLES
from grader.check.samples import read_samples, sample_differences
from grader.check.verification import Verification, describe_verification, verification_key, verify_spec
from grader.core.errors import SpecError, UsageError
from grader.core.model.report import Job
from grader.core.model.spec import Case
from grader.core.pipeline import grade, prepare, work_on
from grader.core.reader.spec import load
from grader.core.run.measuring import WorkerSlots
from grader.grading_class.grading import report_key
from tests.support.commands import run_grader_text
from tests.support.courses import course, submission
from tests.support.examples import examples
from tests.support.expected import ROOT
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
DOUBLE = DATA["DOUBLE"]
HEAD = DATA["HEAD"]
RIGHT = "  - {name: two, points: 6, each: {n: [1, 7]}, args: ['{n}', '4'], expect: reference}\n"
WEAK = "  - {name: two, points: 6, each: {n: [1, 7]}, args: ['{n}', '4'], expect: {stdout: {contains: ['8']}}}\n"
ONE = "  - {name: two, points: 6, args: ['4'], expect: reference}\n"
OTHER = '  - {name: help, points: 4, command: python3 echo.py 5, expect: {stdout: "10\\n"}}\n'


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def laid_out(
    folder: Path, tests: str, stated: str = "alice: {score: 10}\n", reference: str = DOUBLE, **samples: str
) -> Path:
    """A course with samples, of which that of `alice` is right unless it is given, and what is stated of them."""
    path = course(folder, HEAD + tests, reference)
    for name, program in {"alice": DOUBLE, **samples}.items():
        submission(folder / "sample_submissions", name, program)
    (folder / "sample_submissions" / "echo" / "expected.yaml").write_text(stated)
    return path


def verify(path: Path, **more: Any) -> Verification:
    return verify_spec(path, prepare(path), **more)


def survivors(found: Verification) -> set[str]:
    return {trial.mutant.name for trial in found.of(Fate.SURVIVED)}


def call(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_grader_text("verify", *words, cwd=cwd, environment={"COLUMNS": "120"})


def test_a_reference_with_two_answers_is_not_right(tmp_path: Path) -> None:
    path = laid_out(tmp_path, ONE, "alice: {score: 6}\n", f"import os\nprint(os.getcwd())\n{DOUBLE}")
    found = verify(path, samples=False, most=0)
    assert not found.is_right
    told = describe_verification(found)
    assert told.summary.startswith("echo: reference: two answers in 1 case;")
    (line,) = [line for line in told.lines if "two answers" in line]
    place = f"{path}:11:49: error: tests[0].expect: `two`: "
    assert line.startswith(f"{place}asked twice, the reference gives two answers: first `/box`, then ")
    assert json.loads(told.json)["remarks"][0]["rule"] == "unsteady-reference"
    assert json.loads(told.json)["reference"][0]["doubt"] == {
        "first": "`/box`",
        "second": "`/work/elsewhere`",
        "causes": ["the working folder"],
    }


def test_samples_that_are_the_reference_are_no_witnesses(tmp_path: Path) -> None:
    stated = "alice: {score: 6}\nbob: {score: 6}\nceline: {score: 0}\n"
    bob = DOUBLE.replace("number + number", "2 * number")
    path = laid_out(tmp_path, ONE, stated, alice=DOUBLE.replace("\n", "\r\n"), bob=bob, celine="print(1)\n")
    told = describe_verification(verify(path, most=0))
    line = "the sample `alice` is the reference itself: its full marks prove nothing (1 independent right sample)."
    assert f"{path}:7:12: note: reference: {line} [copied-sample]" in told.lines
    assert (json.loads(told.json)["copies"], json.loads(told.json)["independent"]) == (["alice"], 1)


def test_a_right_spec_notices_every_mutant(tmp_path: Path) -> None:
    found = verify(laid_out(tmp_path, RIGHT + OTHER))
    assert found.is_right
    assert not found.is_ungraded
    assert not survivors(found)
    assert found.killed == 1
    names = {trial.mutant.name: trial for trial in found.trials}
    assert names["two/stdout/final-newline"].outcome == Fate.TOLERATED
    assert names["two/stdout/order"].outcome == Fate.KILLED
    assert names["two/stdout/order"].cost == 6
    assert names["two/stdout/order"].named
    assert names["two/stdout/wrong-stream"].cost == 3
    assert names["help/stdout/nothing"].cost == 4  # the sample shows what is right there
    source = names["echo.double: number + number -> number - number"]
    assert source.outcome == Fate.KILLED
    assert source.cost == 3
    assert source.cost_is_least


def test_more_samples_than_processors_are_graded_at_a_time_since_some_only_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"s{number}" for number in range(1 + MORE_SAMPLES)] + ["slow"]
    stated = "".join(f"{name}: {{score: 6}}\n" for name in ["alice", *names[1:-1], "last"])
    late = "slow: {score: 0, tests: {two: {score: 0, verdicts: [timeout]}}}\n"
    path = laid_out(tmp_path, ONE, stated + late, **dict.fromkeys([*names[1:], "last"], DOUBLE))
    waiting, met = iter(names), Barrier(len(names))

    def begun(_case: Case) -> None:
        if next(waiting, None):
            met.wait(timeout=60)

    order: list[str] = []

    def work_in_order(jobs: Sequence[Job], *rest: Any) -> Iterator[Any]:
        order.extend(job.submission.id for job in jobs)
        return work_on(jobs, *rest)

    monkeypatch.setattr(sample_results, "work_on", work_in_order)
    said: list[str] = []
    found = verify_spec(path, replace(prepare(path), on_case_start=begun), jobs=2, most=1, on_progress=said.append)
    assert [held.sample.submission.id for held in found.samples if held.differences] == ["slow"]
    assert order == ["slow", "alice", "s1", "s2", "last"]  # what is stated to time out is begun first
    assert "grading the samples: 5 of 5" in said
    assert said[-1] == "trying mutants of the source: 1 of 1"


def test_what_fails_with_one_sample_is_told_and_ends_the_others(tmp_path: Path) -> None:
    stated = "alice: {score: 6}\nslow: {score: 0, tests: {two: {score: 0, verdicts: [timeout]}}}\n"
    path = laid_out(tmp_path, ONE, stated, slow="import time\ntime.sleep(60)\n")
    begun = iter([None, UsageError("the disk is full")])

    def fail_with_the_second(_case: Case) -> None:
        if error := next(begun, None):
            raise error

    with pytest.raises(UsageError, match="the disk is full"):
        verify_spec(path, replace(prepare(path), on_case_start=fail_with_the_second), jobs=2)


@pytest.mark.slow
def test_what_has_not_changed_is_not_run_again(tmp_path: Path) -> None:
    stated = "alice: {score: 9}\nbert: {score: 9}\nmuch: {score: 6, tests: {two: {score: 3, verdicts: [output]}}}\n"
    call = "{in: echo, declare: def double(number), calls: [{args: [3], expect: {returns: reference}}]}"
    limited = RIGHT.replace("}\n", ", limits: {output: 64 KiB}}\n")
    bert = DOUBLE.replace("number + number", "number * 2")
    much = DOUBLE.replace("    for", "    while args[0] == '1': print(1)\n    for")
    tests = f"{limited}  - {{name: call, points: 3, functions: {call}}}\n"
    path = laid_out(tmp_path, tests, stated, bert=bert, much=much)
    path.write_text(path.read_text().replace("time: 5 s, cpu: 5 s", "time: 60 s, cpu: 60 s"))  # far off on any machine
    begun: list[str] = []

    def runs(**more: Any) -> tuple[bool, int, list[str]]:
        begun.clear()
        found = verify_spec(
            path, replace(prepare(path), on_case_start=lambda case: begun.append(case.id)), most=2, **more
        )
        return not any(held.differences for held in found.samples), found.recalled, sorted(begun)

    every = sorted(["call[1]", "two[n=1]", "two[n=7]"] * 3)
    assert runs() == (True, 0, every)
    path.write_text(path.read_text().replace("title: Double", "title: Doubled"))
    is_right, recalled, made = runs()
    assert (is_right, made) == (True, [])  # nor that of `much`, which a limit ended as is stated
    assert recalled >= len(every) - 1 + 2  # and the mutants
    assert runs(fresh=True) == (True, 0, every)
    path.write_text(path.read_text().replace("[1, 7]", "[1, 8]"))
    assert runs()[2] == ["two[n=8]"] * 3
    samples = tmp_path / "sample_submissions" / "echo"
    (samples / "bert" / "echo.py").write_text(DOUBLE)
    assert runs()[2] == ["call[1]", "two[n=1]", "two[n=8]"]
    (samples / "expected.yaml").write_text(stated.replace("score: 3", "score: 2"))
    # A limit of output ended `much`, in which the machine has no part, whatever is stated.
    assert [runs()[::2] for _ in range(2)] == [(False, []), (False, [])]


def test_a_mutant_is_measured_again_when_the_machine_may_be_to_blame(tmp_path: Path) -> None:
    killed = DOUBLE.replace("    return", "    if number == 99:\n        os.kill(os.getpid(), 9)\n    return")
    path = laid_out(tmp_path, ONE, "alice: {score: 6}\n", "import os\n" + killed)
    asked = []

    class Watched(WorkerSlots):
        @contextmanager
        def alone(self) -> Iterator[None]:
            asked.append("alone")
            with super().alone():
                yield

    found = verify_spec(path, replace(prepare(path), slots=Watched(1)), most=None)
    (trial,) = [one for one in found.trials if one.mutant.name == "echo.double: number == 99 -> number != 99"]
    assert (trial.outcome, trial.verdict) == (Fate.KILLED, "crashed")
    assert asked


def test_a_rule_that_no_sample_breaks_is_told(tmp_path: Path) -> None:
    rules = "  - {name: source, points: 2, source: {forbid: [import: itertools, {loop: in double}]}}\n"
    stated = "alice: {score: 8}\nbert: {score: 7, tests: {source: {score: 1}}}\n"
    path = laid_out(tmp_path, ONE + rules, stated, bert="import itertools\n" + DOUBLE)
    found = verify(path, most=0)
    assert found.unbroken == ("source[forbid loop in double]",)
    told = (
        "source[forbid loop in double]: no sample breaks this rule; add one that does, which shows that it is noticed."
    )
    assert f"{told} [unbroken-rule]" in "".join(describe_verification(found).lines)
    assert verify(path, most=0, samples=False).unbroken == ()


BOARD = DATA["BOARD"]
OPEN = DATA["OPEN"]


@pytest.mark.slow
def test_what_a_spec_leaves_open_is_no_survivor(tmp_path: Path) -> None:
    elsewhere = BOARD.replace("[[number", "[[1 - number").replace("board[0]", "board[1][1] = board[0]")
    bert = elsewhere.replace("Enter", "Enter a number")
    stated = "alice: {score: 6}\nbert: {score: 6}\n"
    found = verify(laid_out(tmp_path, OPEN, stated, BOARD, alice=BOARD, bert=bert))
    assert not survivors(found)
    assert {"cells/returned/other", "only/stdout/number-more", "argument/arguments/first-undone"} <= {
        trial.mutant.name for trial in found.of(Fate.KILLED)
    }
    assert found.is_right, found


def test_a_weak_spec_has_survivors(tmp_path: Path) -> None:
    found = verify(laid_out(tmp_path, WEAK, "alice: {score: 6}\n"))
    assert not found.is_right
    assert {"two/stdout/number-more", "two/stdout/something-else"} & survivors(found) == set()
    assert {"two/answers/only[n=1]", "two/stdout/one-missing-first", "two/stdout/one-repeated"} <= survivors(found)
    assert found.killed is not None
    assert found.killed < 0.98


def test_equivalent_mutants_are_set_aside_and_wrong_markings_told(tmp_path: Path) -> None:
    weak = verify(laid_out(tmp_path / "weak", WEAK, "alice: {score: 6}\n"))
    marks = "".join(f"  - {{mutant: {json.dumps(name)}, reason: Left open.}}\n" for name in survivors(weak))
    more = "  - {mutant: two/stdout/nothing, reason: No.}\n  - {mutant: nobody/*, reason: No.}\n"
    marked = f"{WEAK}equivalent:\n{marks}"
    assert verify(laid_out(tmp_path / "marked", marked, "alice: {score: 6}\n")).is_right
    found = verify(laid_out(tmp_path / "wrong", marked + more, "alice: {score: 6}\n"))
    assert not found.is_right
    assert {trial.mutant.name for trial in found.of(Fate.EQUIVALENT)} == survivors(weak)
    assert found.of(Fate.EQUIVALENT)[0].reason == "Left open."
    assert json.loads(describe_verification(found).json)["markings"] == [
        "equivalent: two/stdout/nothing matches only mutants that are noticed: take it out, or correct the name",
        "equivalent: nobody/* matches no mutant: take it out, or correct the name",
    ]


def test_a_marking_of_a_source_mutant_that_was_not_run_is_right(tmp_path: Path) -> None:
    marks = 'equivalent:\n  - {mutant: "echo.double: return*", reason: It is left open.}\n'
    found = verify(laid_out(tmp_path, RIGHT + OTHER + marks), most=0)
    assert not found.markings
    assert (found.untried, found.untried.total()) == ({"returned values": 1, "operators": 1, "lines left out": 1}, 3)
    assert verify(tmp_path / "specs/echo.yaml").markings


def test_mutants_that_there_is_no_time_for_are_told_and_run_with_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MAX_MUTANT_SECONDS", 0.001)
    path = laid_out(tmp_path, RIGHT + OTHER)
    found = verify(path)
    monkeypatch.setattr(verification, "_MUTANTS_AT_A_TIME", 1)
    short = verify(path)
    assert len([trial for trial in short.trials if trial.mutant.kind == "source"]) == 1
    assert short.untried.total() == len(found.trials) - len(short.trials) > 0
    assert json.loads(describe_verification(short).json)["complete"] is False
    told = json.loads(describe_verification(short).json)["not_run"]
    assert sum(told["mutants_by_change"].values()) == told["mutants"] == short.untried.total()
    assert f"{short.untried.total()} further mutants of the source were not run (" in " ".join(
        describe_verification(short).lines
    )
    assert not verify(path, most=None).untried


def test_a_sample_that_gets_something_else_is_told(tmp_path: Path) -> None:
    stated = "alice: {score: 7, tests: {two: {score: 3, verdicts: [failed], deviations: [wrong]}}}\n"
    found = verify(laid_out(tmp_path, RIGHT + OTHER, stated))
    assert not found.is_right
    assert found.samples[0].differences == (
        "the score should be 7, and is 10",
        "two: the score should be 3, and is 6",
        "two: the verdicts should be failed, and are none",
        "two: the deviations should be wrong, and are none",
    )


def test_a_reference_that_is_wrong_is_told(tmp_path: Path) -> None:
    tests = RIGHT + "  - {name: three, points: 4, args: ['3'], expect: {stdout: \"7\\n\"}}\n"
    found = verify(laid_out(tmp_path, tests))
    assert not found.is_right
    assert not found.is_ungraded
    assert [one.case.id for one in found.answered if one.is_wrong] == ["three"]
    assert found.unknown == ("three",)


def test_a_tolerance_that_nothing_shows_is_told(tmp_path: Path) -> None:
    path = laid_out(tmp_path, RIGHT + OTHER)
    assert verify(path).unshown == ()
    path.write_text(path.read_text().replace("wrong-stream: 50%", "wrong-stream: 50%, zero-based: 50%, order: 0%"))
    found = verify(path)
    assert (found.is_right, found.unshown) == (True, ("zero-based",))
    told = "Tolerated, but in no sample and no mutant: zero-based. A sample with it shows what it gets."
    assert f"{path}:9:11: note: tolerate: {told} [unshown-tolerance]" in describe_verification(found).lines


def test_a_reference_that_fails_leaves_the_spec_ungraded(tmp_path: Path) -> None:
    found = verify(laid_out(tmp_path, RIGHT + OTHER, reference="raise ValueError('no')\n"))
    assert found.is_ungraded
    assert "ValueError: no" in found.answered[0].error


def test_without_samples_only_the_reference_shows_what_is_right(tmp_path: Path) -> None:
    found = verify(course(tmp_path, HEAD + RIGHT + OTHER, DOUBLE))
    assert found.unknown == ("help",)
    assert not found.is_right
    told = [one for one in describe_verification(found).lines if "put a right program into sample_" in one]
    assert len(told) == 1
    assert "`right: {score: 10}`" in told[0]


def test_a_name_in_braces_is_said_as_it_is(tmp_path: Path) -> None:
    odd = "  - {name: help, points: 4, each: {n: ['{{ 7 }}']}, command: 'python3 echo.py {n}', expect: {exit: 0}}\n"
    found = verify(course(tmp_path, HEAD + RIGHT + odd, DOUBLE), most=0)
    assert found.unknown == ("help[n={{ 7 }}]",)
    assert "tests[1]: help[n={{ 7 }}]: nobody shows what is right: no reference can, " in "\n".join(
        describe_verification(found).lines
    )


def test_a_limit_that_is_too_near_is_told(tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(0.4)\n" + DOUBLE
    path = course(tmp_path, HEAD.replace("time: 5 s", "time: 1 s") + RIGHT, slow)
    found = verify(path, most=0)
    assert [timing.is_tight for timing in found.timings] == [True]
    assert not found.is_right


def test_what_a_student_s_program_takes_counts_more_than_the_reference(tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(0.4)\n" + DOUBLE
    path = laid_out(tmp_path, RIGHT.replace("}\n", ", limits: {time: 1 s}}\n"), "alice: {score: 6}\n", slow)
    (timing,) = verify(path, most=0).timings
    assert not timing.is_tight
    assert timing.reference is not None
    assert timing.reference >= 0.4
    assert timing.sample is not None
    assert timing.sample < timing.reference


@pytest.mark.slow
def test_a_tight_test_is_measured_again_and_the_others_keep_their_figures(tmp_path: Path) -> None:
    tight = "  - {name: tight, points: 4, args: ['5'], limits: {time: 1 s}, expect: reference}\n"
    path = laid_out(tmp_path, tight + RIGHT, alice="import time\ntime.sleep(0.4)\n" + DOUBLE)
    found = verify(path, most=0).timings
    assert {timing.test: timing.is_tight for timing in found} == {"tight": True, "two": False}
    assert all(timing.sample is not None and timing.sample >= 0.4 for timing in found)


# ---------------------------------------------------------------- statements


@each_row
def test_a_statement_that_cannot_be_is_told(tmp_path: Path, stated: str, message: str) -> None:
    spec = load(laid_out(tmp_path, RIGHT + OTHER, stated))
    with pytest.raises(SpecError) as error:
        read_samples(spec)
    assert message in str(error.value)


def test_what_to_write_is_told_where_nothing_is_stated(tmp_path: Path) -> None:
    spec = load(laid_out(tmp_path, RIGHT + OTHER))
    stated = tmp_path / "sample_submissions" / "echo" / "expected.yaml"
    stated.unlink()
    told = f"there is no {stated}; it says what each sample must get: alice. Write a line for each, such as "
    with pytest.raises(UsageError, match=re.escape(f"{told}`alice: {{score: 10}}`")):
        read_samples(spec)


@each_row
def test_a_statement_says_as_much_as_it_says(tmp_path: Path, stated: str, differences: int) -> None:
    path = laid_out(tmp_path, RIGHT + OTHER, f"alice: {stated}\n", alice="raise ValueError")
    (sample,) = read_samples(load(path))
    assert len(sample_differences(grade(Job(spec=path, submission=sample.submission)), sample)) == differences


# ---------------------------------------------------------------- the command


@pytest.mark.slow
def test_the_command_says_it_on_its_last_line(tmp_path: Path) -> None:
    name = "names_are_whole_where_programs_read_them_" * 3
    laid_out(tmp_path, RIGHT + OTHER.replace("help", name))
    done = call("echo", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    assert last.startswith("echo: reference: full marks; samples: 1 of 1 as expected; mutants: ")
    assert "100 % lose points" in last
    assert last.endswith("limits: ok")
    assert "\x1b" not in done.stdout
    assert re.findall(f"(?m)^{name}/stdout/[a-z-]+ ", done.stdout)
    assert re.findall(f"(?m)^{name}  ", done.stdout)


@pytest.mark.slow
def test_the_command_shows_survivors_first_and_exits_with_1(tmp_path: Path) -> None:
    laid_out(tmp_path, WEAK, "alice: {score: 6}\n")
    done = call("specs/echo.yaml", "--no-samples", cwd=tmp_path)
    assert done.returncode == 1
    assert "survived" in done.stdout.splitlines()[1]
    assert "samples: not graded" in done.stdout.splitlines()[-1]


KEPT = "This result is from the cache"


@pytest.mark.slow
def test_what_is_right_and_unchanged_is_not_run_again(tmp_path: Path) -> None:
    laid_out(tmp_path, RIGHT, stated="alice: {score: 6}\n")
    words = ("specs/echo.yaml", "--mutants", "2")
    first, second = call(*words, cwd=tmp_path), call(*words, cwd=tmp_path)
    assert (first.returncode, KEPT in first.stdout) == (0, False)
    assert (second.returncode, KEPT in second.stdout) == (0, True)
    assert [line for line in second.stdout.splitlines() if not line.startswith(KEPT)] == first.stdout.splitlines()
    assert KEPT not in call(*words, "--fresh", cwd=tmp_path).stdout
    assert KEPT not in call(*words, "--no-samples", cwd=tmp_path).stdout
    alice = tmp_path / "sample_submissions" / "echo" / "alice" / "echo.py"
    alice.write_text(DOUBLE.replace("number + number", "number * 2"))
    assert KEPT not in call(*words, cwd=tmp_path).stdout
    alice.write_text("print(1)\n")
    for _ in range(2):
        wrong = call(*words, cwd=tmp_path)
        assert (wrong.returncode, KEPT in wrong.stdout) == (1, False)


@pytest.mark.slow
@each_row
def test_whatever_a_verification_depends_on_is_in_its_key(tmp_path: Path, file: str, added: str) -> None:
    path = laid_out(tmp_path, RIGHT, stated="alice:\n  score: 6\n")

    def key(most: int = 60) -> object:
        course = prepare(path)
        return verification_key(course, asdict(report_key(course)), most, samples=True)

    before = key()
    assert key() == before
    assert key(61) != before
    (tmp_path / file).write_text((tmp_path / file).read_text() + added)
    assert key() != before


@pytest.mark.slow
def test_json_tells_everything(tmp_path: Path) -> None:
    laid_out(tmp_path, RIGHT + OTHER, "alice: {score: 9}\n")
    done = call("echo", "--format", "json", "--mutants", "1", "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["right"] is False
    assert told["samples"] == [
        {"name": "alice", "score": "10", "expected": "9", "differences": ["the score should be 9, and is 10"]}
    ]
    assert {"case": "help", "apart": "it is another command than the program"} in told["reference"]
    kinds = [mutant["kind"] for mutant in told["mutants"]]
    assert kinds.count("source") == 1
    same = [mutant for mutant in told["mutants"] if mutant["outcome"] == "same"]
    assert same
    assert told["limits"][0]["test"] == "two"


@each_row
def test_what_cannot_be_verified_has_its_own_exit_code(
    tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    laid_out(tmp_path, RIGHT + OTHER, reference="raise ValueError('no')\n")
    done = call(*words, cwd=tmp_path)
    assert done.returncode == code
    assert message in done.stdout + done.stderr


# ---------------------------------------------------------------- the specs that are shipped


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("path", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_specs_of_this_repository_are_right(
    path: Path, monkeypatch: pytest.MonkeyPatch, cache_of_all: Path
) -> None:
    # The reference was asked for the samples, which are graded in test_samples.py.
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_all))
    found = verify_spec(path, prepare(path, workers=2), jobs=2, most=examples(60), samples=False)
    told = [trial.mutant.name for trial in found.of(Fate.SURVIVED)]
    assert found.killed is not None
    assert found.killed >= 0.98, told
    assert not [trial.mutant.name for trial in found.of(Fate.SURVIVED) if trial.mutant.rule == "visible"]
    assert not found.markings
    assert not found.unknown
    assert not [one.case.id for one in found.answered if one.is_wrong]
