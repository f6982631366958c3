"""The judgement of a student's tests: one sentence for the right program, and one for each wrong one."""

from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case
from grader.core.text import count, listed, quote
from grader.kinds.student_tests.model import SuiteFacts, TestedProgram

_MAX_NAMES = 4


def judge(case: Case, execution: Execution, _expected: Execution | None, _context: JudgeContext) -> Judged | Settled:
    """Return verdict and sentence where the tests are wrong about a program."""
    program, facts = TestedProgram.required(case), SuiteFacts.required(execution)
    message = _describe_miss(program.about, facts) if program.name else _describe_alarms(facts)
    return (Verdict.FAILED, Message(message, ("tests",))) if message else Judged()


def _describe_alarms(facts: SuiteFacts) -> str:
    if facts.problem:
        return facts.problem
    number = len(facts.false_alarms) + facts.unnamed_alarms
    if not number:
        return ""
    names = listed([quote(name) for name in facts.false_alarms], most=_MAX_NAMES)
    who = names or f"{facts.unnamed_alarms} of your tests"
    fail, they = ("fails", "it does") if number == 1 else ("fail", "they do")
    return f"{who} {fail} with the right program, so {they} not count."


def _describe_miss(about: str, facts: SuiteFacts) -> str:
    if facts.problem:
        return "This wrong program is not noticed, because none of your tests counts."
    if facts.is_noticed:
        return ""
    missed = f"one in which {about}" if about else "this one"
    return f"Your tests notice {facts.noticed} of {count(facts.total, 'wrong program')}; they miss {missed}."
