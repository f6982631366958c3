"""Mutants for unit tests: the tested reference, with a change of its source."""

import ast

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.spec import Case, Spec
from grader.kinds.unit_tests.model import UnitRun, unit_of
from grader.kinds.unit_tests.probe import reference_files_for
from grader.verify.source_mutants import ReferenceProgram, used_names


def given_to_method(case: Case) -> object:
    """Return which method it is."""
    unit = unit_of(case)
    return (unit.file, unit.method) if unit else None


def silence_method(_facts: CaseFacts | None) -> CaseFacts:
    """Return what is recorded of a method that never came to its end."""
    return UnitRun(is_recorded=False)


def excuse_without_files(case: Case, spec: Spec, found: Execution | GraderError) -> str:
    """Excuse a reference none of whose files the unit test could be about, or where the test itself is broken."""
    unit = unit_of(case)
    if unit and unit.fault:
        return unit.fault
    own = spec.with_reference(spec.reference_name(case) or "")
    has_none = unit is not None and not reference_files_for(unit, own)
    return str(found) if has_none and isinstance(found, GraderError) else ""


def is_run_as_compiled(case: Case) -> bool:
    """Whether nothing is compiled in the time that is measured: a test for JUnit is, with the reference each time."""
    unit = unit_of(case)
    return unit is None or unit.framework != "junit"


def names_in_test(case: Case, program: ReferenceProgram) -> frozenset[str]:
    """Return the functions of the reference that the test names, and those that modules use when they are run."""
    unit = unit_of(case)
    used = used_names(ast.parse(unit.source)) if unit and unit.framework != "junit" else frozenset()
    # Methods that make, show and compare objects are called without their names.
    return program.top | {name for name in program.uses if name in used or name.startswith("__")}
