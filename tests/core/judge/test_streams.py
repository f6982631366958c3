"""Both streams of a case, with the usage messages that real programs write."""

from collections.abc import Callable
from fractions import Fraction

from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Expectation, Leaf
from tests.support.rows import each_row, from_data, read_data

Judged = Callable[..., CaseResult]

USAGE = "Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n"
ONE, TWO = USAGE.splitlines(keepends=True)
NOTHING = Leaf(how="text", want=("",))
TEXT = Leaf(how="text", want=(USAGE,))
TO_STDERR = Expectation(stdout=NOTHING, stderr=TEXT)
DATA = read_data(__file__)
TOLERATE = from_data(DATA["TOLERATE"], dict[str, Fraction])


def told(result: CaseResult) -> list[tuple[str, str]]:
    return [(deviation.kind, deviation.stream) for deviation in result.deviations]


def written(stdout: str, stderr: str, status: int = 1) -> Execution:
    return Execution(stdout=stdout.encode(), stderr=stderr.encode(), status=status)


@each_row
def test_usage_belongs_on_standard_error(
    judged: Judged, stdout: str, stderr: str, deviations: list[tuple[str, str]], credit: Fraction
) -> None:
    result = judged(written(stdout, stderr), TO_STDERR, TOLERATE)
    assert (told(result), result.credit) == (deviations, credit)


@each_row
def test_a_stream_that_is_not_named(
    judged: Judged, expect: Expectation, stdout: str, stderr: str, kinds: list[str]
) -> None:
    assert [kind for kind, _ in told(judged(written(stdout, stderr), expect))] == kinds


def test_both_exchanged_are_one_deviation(judged: Judged) -> None:
    expect = Expectation(stdout=Leaf(how="text", want=("out\n",)), stderr=Leaf(how="text", want=("err\n",)))
    result = judged(written("err\n", "out\n"), expect)
    assert [kind for kind, _ in told(result)] == ["wrong-stream"]
    assert result.message.text == "Standard output and standard error are exchanged."


def test_lines_in_another_order_are_not_split(judged: Judged) -> None:
    expect = Expectation(stdout=TEXT, stderr=Leaf(how="text", want=("a\nb\n",)))
    assert told(judged(written(USAGE, "b\na\n"), expect)) == [("order", "stderr")]


def test_a_kind_on_both_streams_is_charged_once(judged: Judged) -> None:
    expect = Expectation(stdout=Leaf(how="text", want=("out\n",)), stderr=Leaf(how="text", want=("err\n",)))
    result = judged(written("OUT\n", "ERR\n"), expect, {"letter-case": Fraction(1, 2)})
    assert told(result) == [("letter-case", "stdout"), ("letter-case", "stderr")]
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, Fraction(1, 2))


def test_lines_that_are_split_are_not_held_against_lines_of_other_places(judged: Judged) -> None:
    result = judged(written(TWO.replace("  ", " "), ONE), TO_STDERR, TOLERATE)
    assert result.message.text == (
        "Some lines were written to standard output and some to standard error; the assignment asks for "
        "standard error. "
        "This costs 50 % of the credit. Spaces within lines differ in standard output and standard error. "
        "This costs nothing."
    )


def test_each_kind_is_told_with_what_it_costs(judged: Judged) -> None:
    result = judged(written(USAGE.replace("  ", " ").replace("Usage", "usage")[:-1], ""), TO_STDERR, TOLERATE)
    assert result.message.text.count("This costs nothing.") == 2
    assert result.message.text.count("This costs 50 % of the credit.") == 1
    costly, _, free = result.message.text.partition("This costs 10 % of the credit; 45 % remains. ")
    assert "This costs 50 % of the credit." in costly
    assert free.endswith("This costs nothing.")


@each_row
def test_nothing_is_exchanged_where_one_of_both_is_wrong(judged: Judged, stdout: str, stderr: str) -> None:
    expect = Expectation(stdout=Leaf(how="text", want=("out\n",)), stderr=Leaf(how="text", want=("err\n",)))
    assert {kind for kind, _ in told(judged(written(stdout, stderr), expect))} == {"wrong"}
