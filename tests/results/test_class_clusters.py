import dataclasses
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.core.model.gradebook import Student
from grader.core.model.report import Judgement, Verdict, summarise
from grader.kinds.functions.model import Calls, Missing
from grader.results.statistics import Cluster, clusters_of
from tests.support.class_samples import SIZES, STDOUT_SENTENCE, class_of, sample_class
from tests.support.examples import examples
from tests.support.report_samples import broken_report, case_result, deviation, report_of, scored_test
from tests.support.rows import each_row


def report(outputs: dict[str, bytes], kind: str = "wrong", verdict: Verdict = Verdict.FAILED) -> Judgement:
    cases = tuple(
        case_result(name, verdict, f"{name} is {output.decode()}.", stdout=output, deviations=(deviation(kind),))
        for name, output in outputs.items()
    )
    return report_of(scored_test("usage", cases, verdict))


def found(reports: dict[str, Judgement]) -> list[Cluster]:
    return clusters_of(class_of(reports).book)


def told(clusters: list[Cluster]) -> list[tuple[str, tuple[str, ...], list[str]]]:
    return [(",".join(one.tests), one.cases, [*one.members]) for one in clusters]


def test_the_same_output_up_to_blanks_is_a_cluster_and_the_largest_comes_first() -> None:
    reports = {
        "a": report({"x": b"one two\n"}),
        "b": report({"x": b"three"}),
        "c": report({"x": b"onetwo"}),
        "d": report({"x": b"three\n"}),
        "e": report({"x": b" three\n\n"}),
        "f": report({"x": b"alone"}),
    }
    clusters = found(reports)
    assert told(clusters) == [("usage", ("x",), ["b", "d", "e"]), ("usage", ("x",), ["a", "c"])]
    assert clusters[1].sentence == "x is one two ."
    assert clusters[1].example.entry.id == "a"


def test_cases_are_named_in_the_order_of_the_spec() -> None:
    right = report({"x": b"1", "y": b"2", "z": b"3"}, verdict=Verdict.PASSED)
    wrong = {"b": report({"z": b"3"}), "c": report({"y": b"2", "z": b"3"}), "d": report({"y": b"2", "z": b"3"})}
    assert told(found({"a": right, **wrong})) == [("usage", ("y", "z"), ["b", "c", "d"])]


@each_row
def test_whose_outputs_are_one_cluster(outputs: dict[str, dict[str, bytes]], clusters: dict[str, list[str]]) -> None:
    reports = {name: report(own) for names, own in outputs.items() for name in names.split()}
    assert told(found(reports)) == [
        ("usage", tuple(cases.split()), names) for one, names in clusters.items() for cases in [one.partition(":")[0]]
    ]


OUTPUTS = st.lists(
    st.fixed_dictionaries({}, optional={case: st.sampled_from([b"1", b"2", b"3"]) for case in "vwxyz"}),
    min_size=2,
    max_size=12,
)


@given(outputs=OUTPUTS)
@settings(max_examples=examples(100), deadline=None)
def test_nobody_is_in_two_clusters_for_one_case(outputs: list[dict[str, bytes]]) -> None:
    def judged(found: dict[str, bytes]) -> Judgement:
        tests = [
            scored_test(name, report({case: found[case]}).tests[0].cases, Verdict.FAILED)
            for name, case in (("one", "v"), ("two", "w"))
            if case in found
        ]
        rest = {case: output for case, output in found.items() if case in "xyz"}
        return report_of(*report(rest).tests, *tests)

    clusters = found({f"s{number}": judged(one) for number, one in enumerate(outputs)})
    places = [(case, name) for one in clusters for case in one.cases for name in one.members]
    assert len(set(places)) == len(places)
    assert all(len(one.members) > 1 for one in clusters)


def test_that_nothing_was_printed_is_no_mistake_in_common() -> None:
    assert not found({"a": report({"x": b"", "y": b"\n"}), "b": report({"x": b" ", "y": b""})})
    assert len(found({"a": report({"x": b""}, "exit-status"), "b": report({"x": b""}, "exit-status")})) == 1


def test_a_function_that_is_missing_in_several_tests_is_one_cluster() -> None:
    def lacking(others: str) -> Judgement:
        message = f"`Queens` has no `place`; the assignment asks for `void place()`; there is `{others}`."
        wrong = replace(deviation(message=message), stream="call")
        run = Execution(facts=Calls(loaded=True, missing=Missing(call=0)))
        cases = [
            replace(case_result(f"{name}[1]", message=message, deviations=(wrong,)), run=summarise(run))
            for name in ("place", "remove")
        ]
        return report_of(*(scored_test(case.id[:-3], (case,), Verdict.FAILED) for case in cases))

    (cluster,) = found({"a": lacking("main"), "b": lacking("run"), "c": lacking("go")})
    assert told([cluster]) == [("place,remove", ("place[1]", "remove[1]"), ["a", "b", "c"])]
    assert cluster.sentence == "`Queens` has no `place`; the assignment asks for `void place()`; there is `main`."


def test_another_mistake_of_the_same_students_is_another_cluster() -> None:
    both = {"x": report({"x": b"1"}), "y": report({"y": b"2"}, "order")}
    mixed = replace(both["x"], tests=(both["x"].tests[0], *both["y"].tests))
    assert told(found({"a": mixed, "b": mixed})) == [("usage", ("x",), ["a", "b"]), ("usage", ("y",), ["a", "b"])]


def test_one_sentence_about_the_same_students_in_several_tests_is_one_cluster() -> None:
    def missing(*tests: str) -> Judgement:
        case = case_result("x", Verdict.FAILED, "There is no such function.", stdout=b"1")
        return report_of(*(scored_test(name, (replace(case, id=f"{name}[1]"),), Verdict.FAILED) for name in tests))

    one = {"a": missing("row", "diagonal"), "b": missing("diagonal", "row"), "c": missing("row", "random")}
    assert told(found(one)) == [("row,diagonal", ("row[1]", "diagonal[1]"), ["a", "b", "c"])]
    two = {"a": missing("row"), "b": missing("row"), "c": missing("random"), "d": missing("random")}
    assert len(found(two)) == 2


def test_what_passed_or_was_not_run_or_was_our_fault_is_in_none() -> None:
    never = case_result("x", Verdict.SKIPPED, "")
    reports = [
        report({"x": b"1"}, verdict=Verdict.PASSED),
        report({"x": b"1"}, verdict=Verdict.UNGRADED),
        report_of(scored_test("usage", (replace(never, run=None),), Verdict.SKIPPED)),
    ]
    for one in reports:
        assert not found({"a": one, "b": one})


def test_how_a_program_ended_is_part_of_what_it_did() -> None:
    killed = report({"x": b"1"})
    case = replace(killed.tests[0].cases[0], run=summarise(Execution(stdout=b"1", signal=9)))
    assert not found({"a": report({"x": b"1"}), "b": replace(killed, tests=(replace(killed.tests[0], cases=(case,)),))})


@each_row
def test_what_a_function_did_is_compared_too(one: Calls, other: Calls, *, is_same: bool) -> None:
    def calling(calls: Calls) -> Judgement:
        return report_of(
            scored_test("f", (replace(case_result(), run=summarise(Execution(facts=calls))),), Verdict.FAILED)
        )

    assert bool(found({"a": calling(one), "b": calling(other)})) == is_same


@each_row
def test_who_wrote_nothing_is_alike_only_if_it_ended_alike(
    one: tuple[Verdict, Execution], other: tuple[Verdict, Execution], *, is_same: bool
) -> None:
    def ended(verdict: Verdict, execution: Execution) -> Judgement:
        case = replace(case_result("x", verdict, "It ended."), run=summarise(execution), deviations=())
        return report_of(scored_test("f", (case,), verdict))

    assert bool(found({"a": ended(*one), "b": ended(*other)})) == is_same


def test_a_cause_with_a_name_is_one_cluster_whatever_was_written() -> None:
    reports = {"a": report({"x": b"1"}, "wrong-stream"), "b": report({"x": b"2"}, "wrong-stream")}
    reports |= {"c": report({"x": b"1"}, "order")}
    assert told(found(reports)) == [("usage", ("x",), ["a", "b"])]


def test_what_is_wrong_with_files_is_compared_too() -> None:
    def leaving(message: str) -> Judgement:
        wrong = replace(deviation(message=message), stream="files")
        return report_of(scored_test("f", (case_result(message=message, deviations=(wrong,)),), Verdict.FAILED))

    assert found({"a": leaving("No a.txt."), "b": leaving("No a.txt.")})
    assert not found({"a": leaving("No a.txt."), "b": leaving("No b.txt.")})


def test_those_that_do_not_build_for_the_same_reason_are_a_cluster() -> None:
    other = broken_report()
    other = replace(other, build=replace(other.build, message="There is no Makefile."))
    clusters = found({"a": broken_report(), "b": other, "c": broken_report()})
    assert told(clusters) == [("", (), ["a", "c"])]
    assert clusters[0].sentence == "Queens.java:3: error: ';' expected"


def test_a_team_counts_with_all_its_members() -> None:
    book = class_of({"a": report({"x": b"1"}), "b": report({"x": b"1"})}).book
    team = dataclasses.replace(
        book.grades[0], entry=dataclasses.replace(book.grades[0].entry, students=(Student(id="m"), Student(id="n")))
    )
    (cluster,) = clusters_of(dataclasses.replace(book, grades=(team, book.grades[1])))
    assert cluster.students == 3


def test_a_cluster_of_a_hidden_test_is_not_for_students() -> None:
    hidden = report({"x": b"1"})
    hidden = replace(
        hidden, tests=(replace(hidden.tests[0], test=replace(hidden.tests[0].test, visibility="after-due")),)
    )
    assert [one.is_visible for one in found({"a": hidden, "b": hidden})] == [False]


def test_a_large_class_is_told_in_a_few_sentences() -> None:
    clusters = clusters_of(sample_class(300).book)
    sizes = [cluster.students for cluster in clusters]
    assert sizes == sorted(sizes, reverse=True)
    assert len(clusters) < 15
    usage = next(cluster for cluster in clusters if cluster.sentence == STDOUT_SENTENCE)
    assert usage.cases == ("usage[1]", "usage[2]", "usage[3]", "usage[4]")
    blanks = next(cluster for cluster in clusters if cluster.tests == ("listing",))
    assert blanks.cases == tuple(f"listing[n={n}]" for n in SIZES[:3])
    assert {case.credit for case in blanks.example.report.tests[2].cases} == {float(Fraction(9, 10))}  # type: ignore[union-attr]
