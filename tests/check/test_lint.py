"""The rules of `lint`: what each finds, and above all what it leaves alone."""

from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.check.runner import RULE_DESCRIPTIONS, RULES, Examination, asking, circle, examine
from grader.core import generate
from grader.core.cache import Cache
from grader.core.comparators.regex import matches_everything
from grader.core.errors import CourseProgramError, GraderError, HostError
from grader.core.judge.case import reachable
from grader.core.model.execution import Runner
from grader.core.model.spec import Spec
from tests.support.courses import SPEC, course, load_text
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
HEAD: str = DATA["HEAD"]


@pytest.fixture(autouse=True)
def _own_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def examined(folder: Path, text: str) -> Examination:
    """What is found in a spec, nothing being run."""
    return examine(lay(folder, {"x.yaml": text}) / "x.yaml", None)


def found(folder: Path, text: str) -> list[str]:
    """The rules that a spec breaks, each with the path."""
    examination = examined(folder, text)
    assert examination.spec, examination.remarks
    return [f"{remark.rule} {remark.path}" for remark in examination.remarks]


def test(*bodies: str) -> str:
    """A spec with a test for each body."""
    named = (f"- name: t{number}\n  {body.replace(chr(10), chr(10) + '  ')}" for number, body in enumerate(bodies, 1))
    return HEAD + "tests:\n" + "\n".join(named) + "\n"


test.__test__ = False  # type: ignore[attr-defined]


@each_row
def test_what_is_found_in_a_whole_spec(text: str, rules: list[str], tmp_path: Path) -> None:
    assert found(tmp_path, text) == rules


@each_row
def test_what_is_right_is_left_alone(bodies: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("")
    assert found(tmp_path, test(*bodies)) == []


@each_row
def test_what_is_wrong_is_found_once(bodies: tuple[str, ...], rules: list[str], tmp_path: Path) -> None:
    assert found(tmp_path, test(*bodies)) == rules


@each_row
def test_a_pattern_that_matches_everything(patterns: list[str], *, is_vacuous: bool) -> None:
    assert {matches_everything(pattern) for pattern in patterns} == {is_vacuous}


@each_row
def test_circles(needs: dict[str, dict[str, str]], told: list[str]) -> None:
    (path, message), *others = [*circle(needs).items()] or [("", "")]
    assert (path, sorted(others)) == (told[0] if told else "", [(other, "") for other in told[1:]])
    assert message.endswith("none of them can ever run; take one of these needs out") == bool(told)


def test_a_command_of_several_lines_is_told_in_one(tmp_path: Path) -> None:
    text = test("expect: {stdout: a}", 'visibility: hidden\ncommand: ["sh", "-c", "a\\nb"]\nexpect: {stdout: a}')
    (told,) = [remark.message for remark in examined(tmp_path, text).remarks if remark.rule == "hidden-feature"]
    assert "\n" not in told
    assert r"the command `sh -c 'a\nb'`" in told


def test_a_circle_beside_other_mistakes(tmp_path: Path) -> None:
    text = test("needs: [t2]\npoint: 3\nexpect: {exit: 0}", "needs: [t1, t3]\nexpect: {exit: 0}")
    told = [(remark.rule, remark.path) for remark in examined(tmp_path, text).remarks]
    assert told == [("needs-circle", "tests[0].needs[0]"), ("spec", "tests[0].point"), ("spec", "tests[1].needs[1]")]


def test_every_rule_says_what_it_is_about() -> None:
    assert all(about.endswith(".") for about, _ in RULE_DESCRIPTIONS.values())


def test_a_right_course_has_no_remark_and_nothing_is_unchecked(tmp_path: Path) -> None:
    examination = examine(course(tmp_path), asking("auto", 2))
    assert (examination.remarks, dict(examination.unchecked)) == ((), {})


def _without_sandbox(path: Path, **_: object) -> None:
    raise HostError(f"no sandbox for {path.name}")


def test_what_could_not_be_checked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.check.runner.prepare", _without_sandbox)
    path = course(tmp_path)
    asked = {name for name, rule in RULES.items() if rule.asks == "reference"}
    assert set(examine(path, None).unchecked) == {*asked, "course-function", "unsteady-draw"}
    assert examine(path, asking("auto", 2)).unchecked == dict.fromkeys(asked, "no sandbox for echo.yaml")
    path.write_text(
        SPEC.replace("reference: python3 reference/echo.py\n", "").replace("expect: reference", "expect: {exit: 0}")
    )
    assert examine(path, asking("auto", 2)).unchecked == dict.fromkeys(asked, "there is no reference")


def test_what_is_known_to_be_right_is_not_run_again_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, reference = course(tmp_path), tmp_path / "reference"
    lay(reference, DATA["WITH_A_HELPER"])
    tool = tmp_path / "cc"
    tool.touch(mode=0o644)
    monkeypatch.setattr("grader.check.runner.SYSTEM_PATH", str(tool))
    ask = asking("auto", 2)
    first = examine(path, ask)
    assert [one.rule for one in first.remarks] == ["debug-output"]
    monkeypatch.setattr("grader.check.runner.prepare", _without_sandbox)
    assert examine(path, ask) == first
    renamed = path.parent / ".." / path.parent.name / path.name
    assert [one.file for one in examine(renamed, ask).remarks] == [str(renamed)]
    assert examine(path, asking("none", 2)).unchecked
    for name in ("words.py", "echo.py"):
        before = (reference / name).read_text()
        (reference / name).write_text(f"{before}#\n")
        assert examine(path, ask).unchecked
        (reference / name).write_text(before)
    path.write_text(f"{path.read_text()}\n")
    assert examine(path, ask).unchecked
    path.write_text(path.read_text()[:-1])
    assert examine(path, asking("auto", 1)) == first
    tool.chmod(0o755)
    assert examine(path, asking("auto", 1)).unchecked
    tool.chmod(0o644)
    assert examine(path, asking("auto", 1)) == first


def test_a_check_that_reads_what_the_spec_does_not_name_is_called_each_time(tmp_path: Path) -> None:
    checked = "  - name: checked\n    args: [one]\n    expect: {stdout: {check: reference/checks.py:judge}}\n"
    path, words = course(tmp_path, SPEC + checked), tmp_path / "words.txt"
    lay(tmp_path / "reference", {"checks.py": DATA["READS_A_FILE"]})
    words.write_text("one\n")
    ask = asking("auto", 2)
    assert examine(path, ask).remarks == ()
    words.write_text("two\n")
    assert [one.rule for one in examine(path, ask).remarks] == ["reference-differs"]


def test_a_draw_that_failed_once_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = "  - name: drawn\n    stdin: {generate: reference/draw.py}\n    expect: reference\n"
    path, ask = course(tmp_path, SPEC + drawn), asking("auto", 2)
    (tmp_path / "reference" / "draw.py").write_text("print(1)\n")
    generate_inputs = generate.generate_inputs

    def failing(spec: Spec, run: Runner | None = None, cache: Cache | None = None) -> Spec:
        if run and cache is None:
            raise HostError("the disk is full")
        return generate_inputs(spec, run, cache)

    with monkeypatch.context() as broken:
        broken.setattr(generate, "generate_inputs", failing)
        first = examine(path, ask)
    monkeypatch.setattr("grader.check.runner.prepare", _without_sandbox)
    assert not first.unchecked
    assert examine(path, ask).unchecked


def test_the_name_of_a_spec_may_be_no_text(tmp_path: Path) -> None:
    path = course(tmp_path)
    path = path.rename(path.with_name("\udcff.yaml"))
    assert examine(path, asking("auto", 2)).remarks == ()


@pytest.mark.parametrize("fault", [HostError("the disk is full"), CourseProgramError("the reference failed", "")])
def test_what_is_wrong_or_may_be_the_fault_of_the_machine_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: GraderError
) -> None:
    path, ask = course(tmp_path), asking("auto", 2)
    with monkeypatch.context() as broken:
        broken.setattr("grader.check.expected_results._SecondAsker._ask", lambda *_, **__: fault)
        examine(path, ask)
    with monkeypatch.context() as broken:
        broken.setattr("grader.check.expected_results.reference_execution", lambda *_: fault)
        assert [one.rule for one in examine(path, ask).remarks] == ["reference-fails"]
    assert (examine(path, ask).remarks, dict(examine(path, ask).unchecked)) == ((), {})
    monkeypatch.setattr("grader.check.runner.prepare", _without_sandbox)
    assert not examine(path, ask).unchecked


def test_a_reference_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    path = course(tmp_path)
    (tmp_path / "reference" / "echo.py").unlink()
    (remark,) = examine(path, asking("auto", 2)).remarks
    assert (remark.rule, remark.path, remark.line) == ("reference-fails", "reference", 7)


def test_a_reference_need_not_have_the_functions(tmp_path: Path) -> None:
    assert examine(course(tmp_path, SPEC + DATA["FUNCTIONS"]), asking("auto", 2)).remarks == ()
    wrong = "import sys\nprint(*sys.argv[1:])\ndef double(n):\n    return n\n"
    (tmp_path / "reference" / "echo.py").write_text(wrong)
    (remark,) = examine(tmp_path / "specs" / "echo.yaml", asking("auto", 2)).remarks
    assert (remark.rule, remark.path) == ("reference-differs", "tests[2].functions.calls[0].expect")
    assert "`double(1)` returned 1; 2 is expected" in remark.message


@each_row
def test_a_prompt_of_the_reference_that_may_be_its_answer(tmp_path: Path, asked: str, told: list[str]) -> None:
    path = course(tmp_path, SPEC + DATA["READ"])
    (tmp_path / "reference" / "echo.py").write_text(DATA["READER"].replace("ASKED", repr(asked)))
    assert [f"{one.rule} {one.path}" for one in examine(path, asking("auto", 2)).remarks] == told


def test_names_of_cases_cannot_break_a_line(tmp_path: Path) -> None:
    (remark,) = examined(tmp_path, test('each: {n: ["a\\nb\\u202e", c]}\nexpect: {exit: 0}')).remarks
    assert remark.rule == "repeated-case"
    assert str(remark).isprintable()


def test_names_are_never_read_as_templates(tmp_path: Path) -> None:
    (remark,) = examined(tmp_path, test('each: {n: ["{{ 7 * 7 }}{% if %}", c]}\nexpect: {exit: 0}')).remarks
    assert "{{ 7 * 7 }}{% if %}" in remark.message


def test_the_kinds_of_no_expectation_are_none(tmp_path: Path) -> None:
    (case,) = load_text(tmp_path, test("expect: {stdout: any}")).tests[0].cases
    assert reachable(case) == set()
    assert reachable(replace(case, tolerate={"wrong": Fraction(1)})) == set()


def test_cr_lf_is_told_of_scripts_that_it_keeps_from_running(tmp_path: Path) -> None:
    lay(tmp_path, DATA["SCRIPTS"])
    text = test("stdin: {file: in.txt}\nfiles: {own.sh: {file: own.sh}}\nexpect: {stdout: a}")
    text = text.replace("program: java Echo", "program: java Echo\nreference: sh reference/run.sh")
    found = [remark for remark in examined(tmp_path, text).remarks if remark.rule == "crlf-script"]
    told = sorted(remark.message.split()[3] for remark in found)
    assert told == ["own.sh", "reference/first", "reference/run.sh", "reference/tool"]
    assert {remark.path for remark in found} == {"reference", "tests[0].files.own.sh.file"}
