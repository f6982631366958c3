"""What a kind adds to a case, and what it found out of a run, where a test knows that it is there."""

from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Interactor, Step
from grader.kinds.dialogue.model import dialogue_of
from grader.kinds.functions.model import Calls, FunctionCase, calls_of, functions_of
from grader.kinds.memory_clean.model import MemoryRule, Watched
from grader.kinds.unit_tests.model import UnitMethod, unit_of


def functions_in(case: Case) -> FunctionCase:
    found = functions_of(case)
    assert found
    return found


def unit_in(case: Case) -> UnitMethod:
    found = unit_of(case)
    assert found
    return found


def interactor_in(case: Case) -> Interactor:
    return Interactor.required(case)


def steps_in(case: Case) -> tuple[Step, ...]:
    return dialogue_of(case)


def memory_rule_in(case: Case) -> MemoryRule:
    return MemoryRule.required(case)


def calls_in(execution: Execution) -> Calls:
    found = calls_of(execution)
    assert found
    return found


def watched_in(execution: Execution) -> Watched:
    found = Watched.of(execution)
    assert found
    return found
