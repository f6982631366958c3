"""The formats of one student, each decoded by types that a sample of the real format has to fit as well."""

import json
from dataclasses import replace as changed
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from grader.core.errors import HostError, UsageError
from grader.core.model.report import ByHand, Judgement, ReportedFinal, Verdict
from grader.core.model.spec import Test
from grader.core.report.json import from_json, to_json, to_report
from grader.exports.registry import EXPORTS, make_export
from grader.exports.request import Exported
from grader.exports.single import FILE_LIMIT, fields_from_environment, fit_report, pending
from tests.support.export_samples import FOLDER, graded, keeping_secrets, request_of, ungraded
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    full_report,
    hostile_report,
    report_of,
    scored_test,
)
from tests.support.rows import each_row, read_data

Number = int | float
Text = Annotated[str, Meta(min_length=1)]
Formatted = Literal["text", "html", "simple_format", "md", "ansi"]
Seen = Literal["visible", "hidden", "after_due_date", "after_published"]
Whole = Annotated[int, Meta(ge=0)]
Instant = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$")]
NAMES = ("autolab", "classroom50", "exercism", "gradescope", "prairielearn")


class _Strict(Struct, forbid_unknown_fields=True):
    pass


class _GradescopeTest(_Strict):
    score: Number | UnsetType = UNSET
    max_score: Number | UnsetType = UNSET
    status: Literal["passed", "failed"] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    name_format: Formatted | UnsetType = UNSET
    number: str | UnsetType = UNSET
    output: str | UnsetType = UNSET
    output_format: Formatted | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    visibility: Seen | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET


class _Leader(_Strict):
    name: str
    value: Number | str
    order: Literal["asc", "desc"] | UnsetType = UNSET


class Gradescope(_Strict):
    score: Number | UnsetType = UNSET
    execution_time: Number | UnsetType = UNSET
    output: str | UnsetType = UNSET
    output_format: Formatted | UnsetType = UNSET
    test_output_format: Formatted | UnsetType = UNSET
    test_name_format: Formatted | UnsetType = UNSET
    visibility: Seen | UnsetType = UNSET
    stdout_visibility: Seen | UnsetType = UNSET
    extra_data: dict[str, Any] | UnsetType = UNSET
    tests: list[_GradescopeTest] | UnsetType = UNSET
    leaderboard: list[_Leader] | UnsetType = UNSET


class _Image(_Strict):
    url: str
    label: str | UnsetType = UNSET


class _PrairieTest(_Strict):
    name: str
    points: Annotated[float, Meta(ge=0)]
    max_points: Annotated[float, Meta(ge=0)]
    description: str | UnsetType = UNSET
    message: str | UnsetType = UNSET
    output: str | UnsetType = UNSET
    images: list[_Image] | UnsetType = UNSET


class PrairieLearn(_Strict):
    gradable: bool
    score: Annotated[float, Meta(ge=0, le=1)] | UnsetType = UNSET
    message: str | UnsetType = UNSET
    output: str | UnsetType = UNSET
    images: list[_Image] | UnsetType = UNSET
    format_errors: list[str] | UnsetType = UNSET
    tests: list[_PrairieTest] | UnsetType = UNSET


class _RoomTest(Struct, rename={"test_name": "test-name", "max_score": "max-score"}):
    test_name: Text
    passed: bool
    score: Whole
    max_score: Whole


class _Pusher(_Strict):
    username: Text
    id: int | None = None


class Classroom50(_Strict, rename={"max_score": "max-score"}):
    schema: Literal["classroom50/result/v1"]
    classroom: Text
    assignment: Text
    assignment_type: Literal["individual", "group", "team"]
    owner: Text
    submission: Annotated[str, Meta(pattern="^submit/")]
    commit: Text
    release: Text
    review: Text
    datetime: Instant
    score: Whole
    max_score: Whole
    tests: list[_RoomTest]
    graded_at: Instant | UnsetType = UNSET
    submitted_by: _Pusher | UnsetType = UNSET


class Autolab(_Strict):
    scores: dict[str, float]
    scoreboard: list[Any] | UnsetType = UNSET


class _ExercismTest(_Strict):
    name: str
    status: Literal["pass", "fail", "error"]
    message: str | None = None
    output: str | None = None
    test_code: str | None = None
    task_id: int | None = None


class Exercism(_Strict):
    version: Literal[1, 2, 3]
    status: Literal["pass", "fail", "error"]
    tests: list[_ExercismTest]
    message: str | None = None


SHAPES: dict[str, Any] = {
    "gradescope": Gradescope,
    "prairielearn": PrairieLearn,
    "classroom50": Classroom50,
    "autolab": Autolab,
    "exercism": Exercism,
}
DATA = read_data(__file__)
ROOM = DATA["ROOM"]


def made(name: str, report: Judgement | None, *, student: str = "ada", **asked: Any) -> Exported:
    fields = {"fields": ROOM} if name == "classroom50" else {}
    return make_export(name, request_of({student: report}, **{**fields, **asked}))


def read(name: str, report: Judgement, **asked: Any) -> Any:
    return json.loads(made(name, report, **asked).content)


def shaped(name: str, content: bytes) -> Any:
    return msgspec.json.decode(content, type=SHAPES[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_types_take_a_sample_of_the_real_format_and_refuse_another(name: str) -> None:
    sample = (FOLDER / f"{name}.json").read_bytes()
    shaped(name, sample)
    wrong = {**json.loads(sample), "a_key_that_is_none": 1}
    with pytest.raises(msgspec.ValidationError):
        shaped(name, json.dumps(wrong).encode())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "report", [full_report(), broken_report(), keeping_secrets()], ids=["full", "broken", "secret"]
)
def test_an_export_has_the_shape_of_its_format(name: str, report: Judgement) -> None:
    shaped(name, made(name, report).content)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_keep_the_shape_and_give_no_command_to_a_ci_system(name: str, data: bytes) -> None:
    content = made(name, hostile_report(data)).content
    shaped(name, content)
    text = content.decode("utf-8", "strict")
    assert "##" not in text
    assert all(character == "\n" or character.isprintable() for character in text)
    assert not any(line.lstrip().startswith("::") for line in text.split("\n"))


def test_gradescope_has_numbers_and_the_total_decides() -> None:
    data = read("gradescope", full_report())
    assert data["score"] == 39.17
    assert isinstance(data["execution_time"], float)
    assert [(test["number"], test["name"], test["score"], test["max_score"]) for test in data["tests"]] == [
        ("1", "usage", 4.17, 10),
        ("2", "count", 30, 30),
        ("3", "verbose", 0, 40),
        ("4", "secret", 0, 10),
        ("5", "speed", 0, 10),
        ("6", "clean (bonus)", 5, 5),
    ]
    assert data["extra_data"]["submission_digest"] == "c0de" * 16


def test_gradescope_tells_the_sentence_the_command_the_difference_and_the_hint() -> None:
    usage, _, verbose, *_ = read("gradescope", full_report())["tests"]
    assert usage["status"] == "failed"
    assert usage["output"].startswith("Anything but -v and a number prints the usage message to standard error.\n\n")
    assert (
        "usage[1], usage[2], usage[3] and 2 more: part of the points\n│ The usage message is right" in usage["output"]
    )
    assert usage["output"].endswith("Hint: System.err is standard error.")
    assert "\n│ $ java -jar Queens -v 4\n" in verbose["output"]
    assert "\n│ - (2,·4,·1,·3)⏎\n" in verbose["output"]


def test_numbers_of_tests_order_as_text() -> None:
    tests = [scored_test(f"t{number}", (case_result(),), Verdict.FAILED) for number in range(11)]
    numbers = [test["number"] for test in read("gradescope", report_of(*tests))["tests"]]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == 11


@pytest.mark.parametrize(
    ("visibility", "platform"), [("visible", "visible"), ("hidden", "hidden"), ("after-due", "after_due_date")]
)
def test_gradescope_knows_our_visibilities(
    visibility: Literal["visible", "hidden", "after-due"], platform: str
) -> None:
    result = scored_test("a", (case_result(),), Verdict.FAILED)
    report = report_of(replace(result, test=replace(result.test, visibility=visibility)))
    assert read("gradescope", report)["tests"][0]["visibility"] == platform


def test_gradescope_has_no_score_for_what_is_ungraded_and_says_so() -> None:
    exported = made("gradescope", ungraded())
    data = json.loads(exported.content)
    shaped("gradescope", exported.content)
    assert "score" not in data
    assert all("score" not in test and "status" not in test for test in data["tests"])
    assert "The grader failed" in data["output"]
    assert exported.left_out == ("ada is ungraded: the file has no score, and says so",)


def test_gradescope_has_no_score_before_there_is_a_result() -> None:
    shaped("gradescope", pending())
    data = json.loads(pending())
    assert "score" not in data
    assert data["tests"] == []
    assert "not graded yet" in data["output"]


def test_gradescope_tells_why_it_was_not_built() -> None:
    data = read("gradescope", broken_report())
    assert data["score"] == 0
    assert "Your program does not compile\n│ Queens.java:3: error: ';' expected\n│ $ make\n" in data["output"]


def test_prairielearn_has_a_share_of_the_points() -> None:
    data = read("prairielearn", full_report())
    assert data["gradable"] is True
    assert data["score"] == pytest.approx(0.3917)
    assert data["tests"][0]["points"] == 4.17


def test_prairielearn_takes_nothing_from_who_is_ungraded() -> None:
    exported = made("prairielearn", ungraded())
    shaped("prairielearn", exported.content)
    assert json.loads(exported.content)["gradable"] is False
    assert "score" not in json.loads(exported.content)
    assert len(exported.left_out) == 1


def test_prairielearn_stops_at_full_marks_and_says_so() -> None:
    exported = made("prairielearn", graded(110))
    assert json.loads(exported.content)["score"] == 1
    assert exported.notes == ("ada has 110 of 100 points: PrairieLearn takes it as full marks",)


@pytest.mark.parametrize(("most", "tests"), [(2400, 6), (800, 6), (300, 0)])
def test_what_prairielearn_does_not_take_is_cut_the_texts_first(most: int, tests: int) -> None:
    content, is_cut = fit_report(to_report(full_report()), most=most)
    data = json.loads(content)
    assert is_cut
    assert len(content) <= most
    assert data["score"] == pytest.approx(39.17 / 100)
    assert len(data["tests"]) == tests
    assert "is cut" in data["message"]
    shaped("prairielearn", content)


@pytest.mark.slow
def test_prairielearn_gets_no_more_than_a_megabyte_and_staff_know_that_it_is_cut() -> None:
    case = case_result("c", message="word " * 200)
    report = report_of(*[scored_test(f"{'t' * 60}{number}", (case,), Verdict.FAILED) for number in range(900)])
    exported = made("prairielearn", report)
    assert len(exported.content) <= FILE_LIMIT
    assert exported.notes == ("the report of ada was too long for PrairieLearn: texts are cut",)


def test_classroom50_keeps_every_grade_exact() -> None:
    data = read("classroom50", full_report())
    assert (data["score"], data["max-score"]) == (3917, 10000)
    assert [(test["passed"], test["score"], test["max-score"]) for test in data["tests"][:2]] == [
        (False, 417, 1000),
        (True, 3000, 3000),
    ]
    assert data["owner"] == "ada-abara"


def test_classroom50_never_has_more_than_all_points() -> None:
    exported = made("classroom50", graded(110))
    data = json.loads(exported.content)
    assert data["score"] == data["max-score"] == 10000
    assert data["tests"][0]["score"] <= data["tests"][0]["max-score"]
    assert len(exported.notes) == 1


@each_row
def test_classroom50_wants_its_fields_right(fields: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        made("classroom50", graded(100), fields={**ROOM, **fields})


def test_classroom50_takes_its_fields_from_the_runner() -> None:
    environment = {"CLASSROOM": "a", "USERNAME": "b", "OWNER": "", "COMMIT_URL": "c", "PATH": "d"}
    assert fields_from_environment(environment) == {"classroom": "a", "owner": "b", "commit": "c", "review": "c"}


@pytest.mark.parametrize("name", ["classroom50", "autolab"])
def test_where_a_file_without_a_score_cannot_be_there_is_none_for_who_is_ungraded(name: str) -> None:
    with pytest.raises(HostError, match="ada is ungraded"):
        made(name, ungraded())


def test_autolab_reads_one_line() -> None:
    content = made("autolab", full_report()).content
    assert content.count(b"\n") == 1
    assert json.loads(content)["scores"]["usage"] == 4.17


def test_autolab_adds_up_to_what_the_score_says() -> None:
    case = case_result("count", Verdict.FAILED, "")
    thirds = [scored_test(name, (case,), Verdict.FAILED, Fraction(1, 3), 1) for name in "abc"]
    scores = json.loads(made("autolab", report_of(*thirds, score=1)).content)["scores"]
    assert scores == {"a": 0.34, "b": 0.33, "c": 0.33}


def test_exercism_has_an_error_only_when_nothing_ran() -> None:
    assert read("exercism", graded(100))["status"] == "pass"
    assert read("exercism", full_report())["status"] == "fail"
    assert read("exercism", ungraded())["status"] == "error"
    broken = read("exercism", broken_report())
    assert (broken["status"], broken["tests"]) == ("error", [])
    assert "';' expected" in broken["message"]


def test_exercism_has_neither_pass_nor_fail_for_who_is_excused() -> None:
    excused = ReportedFinal(score=None, by_hand=(ByHand(why="ill", excused=True),))
    request = request_of({"ada": graded(50)})
    (grade,) = request.book.grades
    report = replace(from_json(request.file(grade, "report.json") or b""), final=excused)
    book = changed(request.book, grades=(changed(grade, report=report),))
    exported = make_export("exercism", changed(request, book=book, file=lambda *_: to_json(report)))
    assert json.loads(exported.content)["status"] == "error"
    assert "You are excused" in json.loads(exported.content)["message"]
    assert exported.notes == ("ada has no score: the student is excused",)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_of_one_student_wants_one_report(name: str) -> None:
    with pytest.raises(UsageError, match=r"--student \(ada, ben\)"):
        make_export(
            name, request_of({"ada": graded(1), "ben": graded(2)}, fields=ROOM if name == "classroom50" else {})
        )
    with pytest.raises(UsageError, match="there is no report of ada: nothing was handed in"):
        made(name, None)


def test_a_bonus_is_named_and_a_score_is_exact() -> None:
    test = Test(name="extra", points=Fraction(5), cases=(), bonus=True)
    result = replace(scored_test("extra", (case_result(),), Verdict.PASSED, Fraction(1, 3)), test=test)
    found = read("gradescope", report_of(result, score=Fraction(1, 3)))["tests"][0]
    assert (found["name"], found["score"]) == ("extra (bonus)", 0.33)


def test_every_format_of_one_student_is_tested_here() -> None:
    assert {name for name, one in EXPORTS.items() if one.is_single} == {*NAMES, "sarif"}
