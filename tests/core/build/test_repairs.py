"""Repairs and adjustments, from what was handed in to the report: real builds in the real sandbox."""

import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.core.build.artifact import Builder, adjust, build_with_repairs
from grader.core.build.staging import stage
from grader.core.errors import HostError
from grader.core.model.gradebook import Entry, Grade, Gradebook
from grader.core.model.layout import Adjustment, Artifact, BuildResult, Change, FileRules, Staged, Submission
from grader.core.model.report import Job, Report, ReportedSpec
from grader.core.model.spec import Spec
from grader.core.pipeline import grade
from grader.core.reader.spec import read
from grader.core.report.document import describe_work
from grader.core.report.json import from_json, to_json
from grader.core.report.junit import to_junit
from grader.core.report.plain import report_text
from grader.core.report.view import describe_groups
from grader.results.explain import explain_grade, explanation_to_json
from grader.results.store import Results
from grader.results.terminal import lay_out_explanation
from tests.support.languages import is_here
from tests.support.packages import lay
from tests.support.page_examples import examples
from tests.support.report_samples import to_feedback, to_page
from tests.support.required import required
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
JAVA = DATA["JAVA"]
MAKE = "hi:\n\tcp hi.sh hi\nclean:\n\trm -f junk\n"
BROKEN = "hi:\n\tnothing-like-that hi.sh\nclean:\n\trm -f junk\n"
HI = "#!/bin/sh\necho hi\n"
RIGHT = {"Makefile": MAKE, "hi.sh": HI}

Work = Mapping[str, str]


def graded(
    folder: Path, files: Mapping[str, str] | Mapping[str, bytes], spec: str = SPEC, name: str = "alice"
) -> Report:
    course = lay(folder / "course", {"specs/hi.yaml": spec, "other.mk": MAKE})
    submission = Submission(id=name, path=lay(folder / "work", files))
    return grade(Job(spec=course / "specs/hi.yaml", submission=submission))


def kinds(report: Report) -> dict[str, set[str]]:
    return {test.name: {one.kind for case in test.cases for one in case.deviations} for test in report.tests}


@each_row
def test_what_is_repaired(files: Work, repair: str, score: float, scores: tuple[float, ...], tmp_path: Path) -> None:
    report = graded(tmp_path, files)
    assert report.build.ok
    assert (report.build.repair.name if report.build.repair else "") == repair
    assert (report.score, tuple(test.score for test in report.tests[:3])) == (score, scores)
    assert report.max_score == 12
    having = {name for name, found in kinds(report).items() if repair in found}
    right = {test.name for test in report.tests for case in test.cases if case.credit}
    assert having == (right - {"clean"} if repair else set())


def test_a_shell_that_builds_is_not_asked_about_the_files_handed_in(tmp_path: Path) -> None:
    head = "spec: 1\nid: hi\ntitle: Hi\nlanguage: shell\nfiles: {required: [hi.sh]}\nprogram: ./hi\n"
    spec = f"""{head}build: {{run: [[sh, -c, cp hi.sh hi]], produces: [hi]}}
repairs: [{{name: other-name, about: It has another name., when: {{missing: [hi.sh]}}, rename: {{"*.sh": hi.sh}}}}]
tests: [{{name: says, points: 2, command: [sh, -c, ./hi | cat], expect: {{stdout: "hi\\n"}}}}]
"""
    report = graded(tmp_path, {"hello.sh": HI}, spec)
    assert (report.build.repair.name if report.build.repair else "", report.score) == ("other-name", 2)


@each_row
def test_what_is_not_repaired(files: Work, message: str, tmp_path: Path) -> None:
    report = graded(tmp_path, files)
    assert not report.build.ok
    assert not report.build.repair
    assert report.score == 0
    assert message in report.build.message
    assert {case.verdict for test in report.tests for case in test.cases} == {"build-failed"}


AT_MOST = "repairs:\n  at-most: {}\n  try:\n"


@each_row
def test_what_is_repaired_by_several(
    files: Work, at_most: int, repairs: list[str], score: float, tmp_path: Path
) -> None:
    report = graded(tmp_path, files, SPEC.replace("repairs:\n", AT_MOST.format(at_most)))
    assert report.build.ok is bool(repairs)
    assert report.score == score
    if not repairs:
        assert report.build.tried
        assert report.build.tried
        return
    repair = report.build.repair
    assert repair
    assert repair.name == " + ".join(repairs)
    assert list(repair.names or ()) == repairs
    having = {one.kind for case in report.tests[0].cases for one in case.deviations if one.stream == "build"}
    assert having == (set(repairs) if report.tests[0].score else set())
    assert from_json(to_json(report)) == report


def test_each_of_several_repairs_takes_its_own_points(tmp_path: Path) -> None:
    spec = SPEC.replace("keeps: 90%", "costs: 2").replace("keeps: 50%", "costs: 1")
    report = graded(tmp_path, {"Makefile": BROKEN, "x.sh": HI}, spec)
    assert report.score == 9
    assert report.on_top
    assert [(one.kind, one.points) for one in report.on_top] == [("other-name", -2), ("makefile-fails", -1)]
    assert report.build.repair
    assert report.build.repair.costs == 3
    assert len(describe_work(report)) == 1


def test_what_was_tried_in_vain_is_told_with_the_reason(tmp_path: Path) -> None:
    report = graded(tmp_path, {"Makefile": BROKEN, "a.sh": HI, "b.sh": HI})
    assert [(one.names, one.message) for one in report.build.tried or ()] == [
        (("other-name",), "2 files fit `*.sh`, and one is needed")
    ]
    entry = Entry(id="alice", students=(), path=tmp_path / "work")
    book = Gradebook(spec=ReportedSpec(id="hi", title="", digest=""), max_score=12, grades=())
    explained = explain_grade(
        Grade(entry=entry, report=report, folder="alice"),
        Results(path=tmp_path, book=book, file=lambda _grade, _name: None),
    )
    assert b'"2 files fit' in explanation_to_json(explained)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(*lay_out_explanation(explained))
    assert "other-name: 2 files fit `*.sh`, and one is needed" in console.export_text()


@pytest.mark.parametrize(("files", "score"), [({"src/x": HI, "a": ""}, 6), ({"src/x": "", "a": ""}, 0)])
def test_files_are_prepared_where_there_is_no_build(files: Work, score: float, tmp_path: Path) -> None:
    report = graded(
        tmp_path, files, DATA["PREPARED"].replace("prepare: [", "prepare: [[").replace("hi.sh']", "hi.sh']]")
    )
    assert report.score == score
    assert report.build.ok is bool(score)


@pytest.mark.slow
@pytest.mark.skipif(not is_here("java"), reason="Java is not on this machine")
@each_row
def test_a_source_in_another_encoding_is_repaired_as_the_page_shows(
    encoding: str, lacks: str, repair: str, score: float, tmp_path: Path
) -> None:
    content = DATA["SUM"].replace(lacks, "", 1).encode(encoding)
    report = graded(tmp_path, {"Sum.java": content}, f"{JAVA}{examples()['repair 5']}\n")
    assert report.score == score
    assert (report.build.repair.name if report.build.repair else "") == repair


def test_what_starts_with_no_repair_is_left_as_it_was_built(tmp_path: Path) -> None:
    spec = SPEC.replace("1s:.*:#!/bin/sh:", "1s:.*:#!/no/other:")
    report = graded(tmp_path, {**RIGHT, "hi.sh": "#!/no/sh\necho hi\n"}, spec)
    assert not report.build.repair
    assert report.score == 2


def test_a_repair_is_told_once_everywhere_and_the_first_failure_stays(tmp_path: Path) -> None:
    report = graded(tmp_path, {**RIGHT, "Makefile": BROKEN})
    repair = report.build.repair
    assert repair
    told = "The Makefile did not work. This keeps 50 % of the credit."
    assert repair.message == told
    assert (report.build.command, repair.command) == ("make", "make")
    assert "nothing-like-that" in report.build.log
    assert "cp hi.sh hi" in repair.log
    assert describe_work(report)[0].startswith(f"{told} As it was handed in: ")
    assert not [group for test in report.tests for group in describe_groups(test)]
    for text in (to_feedback(report), report_text(report), to_page(report).decode()):
        assert text.count("The Makefile did not work") == 1
        assert "nothing-like-that" in text
    assert b'type="makefile-fails"' in to_junit(report)
    assert from_json(to_json(report)) == report
    entry = Entry(id="alice", students=(), path=tmp_path / "work")
    book = Gradebook(spec=ReportedSpec(id="hi", title="", digest=""), max_score=12, grades=())
    explained = explain_grade(
        Grade(entry=entry, report=report, folder="alice"),
        Results(path=tmp_path, book=book, file=lambda _grade, _name: None),
    )
    assert explained.work == tuple(describe_work(report))


@each_row
def test_an_adjustment(adjustment: str, files: Work, score: float, told: str, tmp_path: Path) -> None:
    spec = f"{SPEC}adjustments:\n  - {{submission: alice, reason: Ill in May <b>, {adjustment}}}\n"
    report = graded(tmp_path, files, spec)
    assert report.score == score
    assert not report.build.repair or report.score == 0
    (line,) = [line for line in describe_work(report) if "Ill in May" in line]
    assert told in line
    assert "<b>" not in to_page(report).decode().partition("</head>")[2].replace("<b>program", "")


@each_row
def test_an_adjustment_that_does_not_fit_leaves_this_one_ungraded(
    adjustment: str, name: str, verdict: str, tmp_path: Path
) -> None:
    spec = f"{SPEC}adjustments: [{{submission: alice, reason: r, {adjustment}}}]\n"
    report = graded(tmp_path, RIGHT, spec, name)
    assert report.verdict == verdict
    assert not report.on_top or name == "alice"


@each_row
def test_a_file_that_costs_points(files: Work, score: float, told: list[str], tmp_path: Path) -> None:
    spec = SPEC.replace(
        "required: [Makefile, hi.sh]", "required: [Makefile, {name: hi.sh}, {any: [README, README.md], costs: 2}]"
    )
    report = graded(tmp_path, files, spec)
    assert report.score == score
    assert [line for line in describe_work(report) if "README" in line] == told


def test_a_file_with_several_names(tmp_path: Path) -> None:
    spec = SPEC.replace(
        "required: [Makefile, hi.sh]", "required: [{any: [Makefile, makefile.mk]}, {any: [hi.sh, hello.sh]}]"
    )
    spec = spec.replace("{missing: [hi.sh]}", "{missing: [hello.sh]}")
    report = graded(tmp_path / "a", {"Makefile": MAKE.replace("hi.sh", "hello.sh"), "hello.sh": HI}, spec)
    assert (report.score, report.build.repair or "") == (12, "")
    report = graded(tmp_path / "b", {"Makefile": MAKE, "x.sh": HI}, spec)
    assert report.build.repair
    assert (report.build.repair.name, report.score) == ("other-name", 11)
    assert "hi.sh or hello.sh is missing" in report.build.message


# ---------------------------------------------------------------- by itself


def contract() -> Spec:
    return read(SPEC.encode(), "hi.yaml", Path("/"))


def staged(folder: Path, files: Work, rules: FileRules | None = None) -> Staged:
    (folder / "staged").mkdir()
    submission = Submission(id="a", path=lay(folder / "work", files))
    return stage(submission, rules or contract().files, folder / "staged")


def test_what_fails_on_our_side_is_no_failed_build(tmp_path: Path) -> None:
    def build(_spec: Spec, work: Staged, target: Path) -> Artifact:
        if target.name != "built":
            raise HostError("the disk is full")
        return Artifact(folder=target, build=BuildResult(ok=False, message=work.problem or ""))

    with pytest.raises(HostError, match="the disk is full"):
        build_with_repairs(
            contract(), staged(tmp_path, {"hi.sh": ""}), tmp_path, Builder(build=build, starts=lambda _: True)
        )


def test_each_repair_begins_with_the_work_as_it_was_handed_in(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []

    def build(_spec: Spec, work: Staged, target: Path) -> Artifact:
        seen.append({path.name: path.read_text() for path in work.folder.iterdir()})
        return Artifact(folder=target, build=BuildResult(ok=False))

    work = staged(tmp_path, {"Makefile": "x", "hi.sh": "y"})
    build_with_repairs(contract(), work, tmp_path, Builder(build=build, starts=lambda _: True))
    assert seen[0] == seen[1] == {"Makefile": "x", "hi.sh": "y"}
    assert seen[2]["hi.sh"] == "y"
    assert "sh -n" in seen[2]["Makefile"]


def test_eight_builds_are_tried_and_what_failed_is_removed_at_once(tmp_path: Path) -> None:
    there: list[set[str]] = []

    def build(_spec: Spec, _work: Staged, target: Path) -> Artifact:
        (target / "product").touch()
        there.append({path.name for path in tmp_path.iterdir()} - {"work", "staged"})
        return Artifact(folder=target, build=BuildResult(ok=False, message=f"error {len(there)}"))

    (repair,) = [one for one in contract().repairs if one.name == "makefile-fails"]
    spec = replace(contract(), repairs=tuple(replace(repair, name=str(number)) for number in range(5)))
    work = staged(tmp_path, {"Makefile": "x", "hi.sh": "y"})
    done = build_with_repairs(spec, work, tmp_path, Builder(build=build, starts=lambda _: True))
    assert [len(one.names) for one in done.build.tried] == [1, 1, 1, 1, 1, 2, 2, 2]
    assert there == [{"built"}, *({"built", f"mended-{number}", f"built-{number}"} for number in range(1, 9))]
    assert {path.name for path in tmp_path.iterdir()} == {"work", "staged", "built"}


@each_row
def test_changes_of_files(change: Change, found: set[str] | None, tmp_path: Path) -> None:
    work = staged(tmp_path, {"a": "1", "b": "2"}, FileRules())
    if found is None:
        with pytest.raises(HostError, match="adjustments"):
            adjust(work, Adjustment(reason="", change=change), FileRules(), tmp_path / "new")
        return
    changed = adjust(work, Adjustment(reason="", change=change), FileRules(), tmp_path / "new")
    names = {path.relative_to(changed.folder).as_posix() for path in changed.folder.rglob("*") if path.is_file()}
    assert names >= (found - {"b"} if change.rename else found)
    assert {path.name for path in work.folder.iterdir()} == {"a", "b"}


def test_a_change_makes_good_what_is_missing_and_nothing_that_is_forbidden(tmp_path: Path) -> None:
    rules = FileRules(required=required("c"), forbidden=("b",))
    work = staged(tmp_path, {"a": "1", "b": "2"}, rules)
    changed = adjust(work, Adjustment(reason="", change=Change(rename={"a": "c"})), rules, tmp_path / "new")
    assert changed.problem == "the submission has files that are not allowed: b"
    allowed = replace(rules, forbidden=())
    changed = adjust(work, Adjustment(reason="", change=Change(rename={"a": "c"})), allowed, tmp_path / "newer")
    assert changed.problem is None
