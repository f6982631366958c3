from fractions import Fraction

from msgspec.structs import replace

from grader.core.judge.case import judge
from grader.core.model.execution import Execution, FailedStep
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Expectation, Leaf, Step, Toolchain
from grader.kinds.dialogue.run import Dialogue
from tests.support.rows import each_row

PROMPT = Step(do="expect", text="Enter n: ")
STOP = FailedStep(step=PROMPT, number=1, ended=False, waited=2.0, before=b"Hello\nNumber: ")
RUN = Execution(stdout=b"Hello\nNumber: ", status=0, stop=STOP)
PYTHON = Toolchain(name="python", crash=(r"(?m)^Traceback \(most recent call last\):",))


def judged(execution: Execution, tolerate: dict[str, Fraction] | None = None) -> CaseResult:
    expect = Expectation(stdout=Leaf(how="text", want=("Enter n: 8\n",)), exit=(0,))
    case = Case(id="case", kind="dialogue", payload=Dialogue(steps=(PROMPT,)), tolerate=tolerate or {}, expect=expect)
    return judge(case, execution, None, toolchain=PYTHON, command="./program")


@each_row
def test_where_it_stopped_is_one_story(stop: FailedStep, asked: bool, message: str) -> None:  # noqa: FBT001 - a parameter of the table
    result = judged(replace(RUN, stop=stop, asked=asked))
    assert (result.verdict, result.credit, result.message.text) == (Verdict.FAILED, Fraction(0), message)
    assert [(one.kind, one.stream) for one in result.deviations] == [("wrong", "stdout")]


def test_nothing_at_all_was_printed() -> None:
    result = judged(Execution(status=0, stop=replace(STOP, before=b"")))
    assert result.message.text.endswith("it had printed nothing.")


def test_what_was_kept_back_can_be_tolerated_and_the_rest_is_held_all_the_same() -> None:
    late = Execution(stdout=b"Enter n: 8\n", status=0, stop=replace(STOP, late=True), asked=True)
    half = {"unflushed": Fraction(1, 2)}
    assert [one.kind for one in judged(late).deviations] == ["unflushed"]
    assert (judged(late).verdict, judged(late).credit) == (Verdict.FAILED, Fraction(0))
    assert (judged(late, half).verdict, judged(late, half).credit) == (Verdict.PARTIAL, Fraction(1, 2))
    assert judged(late).message.text.startswith(
        "Your program wrote `Enter n: ` only after its input was closed; flush standard output"
    )
    wrong = judged(replace(late, stdout=b"Enter n: 9\n"), half)
    assert ([one.kind for one in wrong.deviations], wrong.credit) == (["unflushed", "wrong"], Fraction(0))


@each_row
def test_an_end_and_the_dialogue_are_told_together(execution: Execution, verdict: Verdict, message: str) -> None:
    result = judged(execution)
    assert (result.verdict, result.credit, result.message.text) == (verdict, Fraction(0), message)


def test_a_dialogue_that_went_well_is_held_like_any_other() -> None:
    assert judged(Execution(stdout=b"Enter n: 8\n", status=0)).verdict == Verdict.PASSED
    assert [one.kind for one in judged(Execution(stdout=b"Enter n: 9\n", status=0)).deviations] == ["wrong"]
