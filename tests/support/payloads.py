"""What a kind adds to a case, and what it found out of a run, where a test knows that it is there."""

from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Interactor
from grader.kinds.functions.model import Calls, FunctionCase, calls_of, functions_of
from grader.kinds.memory_clean.model import Watched
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


def calls_in(execution: Execution) -> Calls:
    found = calls_of(execution)
    assert found
    return found


def watched_in(execution: Execution) -> Watched:
    found = Watched.of(execution)
    assert found
    return found
