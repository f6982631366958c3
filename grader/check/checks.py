"""What is wrong with checks and generators of the course, or is probably not meant."""

from collections.abc import Iterator

from msgspec.structs import replace

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import generate, oracle
from grader.core.comparators.check import unread_parameters
from grader.core.errors import HostError
from grader.core.model.checks import Facts
from grader.core.model.spec import Case, CheckOptions
from grader.core.python_packages import libraries_of_course_functions
from grader.core.text import joined, one_line, quote


def _checks_in(subject: Subject) -> Iterator[tuple[str, CheckOptions]]:
    """Iterate over the checks of a spec, each with its place; over one that stands for many cases several times."""
    for case in (case for _, test in subject.tests() for case in test.cases):
        yield from (
            (subject.path(case, f"expect.{key}", "expect"), leaf.options)
            for key, leaf in case.texts
            if isinstance(leaf.options, CheckOptions)
        )


@lint_rule("error", "course-function", asks="functions")
def uncallable_checks(subject: Subject) -> Iterator[Flaw]:
    """A check or a generator that cannot be called leaves every submission ungraded."""
    checks = (
        subject.course.checks
        if subject.course
        else oracle.checks.load_checks(subject.spec.root, libraries=libraries_of_course_functions(subject.spec))
    )
    reported = set()
    for path, asked in _checks_in(subject):
        if asked.validator and not subject.course:
            continue
        try:
            checks(asked, Facts())
        except HostError as error:
            flaw = path, one_line(str(error))
            if flaw not in reported:
                reported.add(flaw)
                yield flaw


@lint_rule("error", "unwritten-check")
def unwritten_checks(subject: Subject) -> Iterator[Flaw]:
    """A check that an import left to be written leaves every submission ungraded until somebody writes it."""
    reported = set()
    for path, asked in _checks_in(subject):
        file, _, name = asked.function.rpartition(":")
        if asked.unwritten and asked.function not in reported:
            reported.add(asked.function)
            yield path, f"{file}:{asked.unwritten}: {name} is still to be written: until then its cases are ungraded"


@lint_rule("warning", "blind-check")
def unread_facts(subject: Subject) -> Iterator[Flaw]:
    """A check that does not look at what it judges gives everybody all points."""
    reported = set()
    for path, asked in _checks_in(subject):
        file, _, name = asked.function.rpartition(":")
        line, unread = unread_parameters(asked, subject.spec.attached.get(file, b""))
        if unread and asked.function not in reported and not asked.unwritten:
            reported.add(asked.function)
            shown = joined([f"`{one}`" for one in unread], "or")
            yield path, f"{file}:{line}: {name} never looks at {shown}: use it, or do not ask for it"


# ---------------------------------------------------------------- generators

_SEED_LENGTH = 64
_DRAWING_KEYS = ("args", "stdin", "files", "functions")
_GENERATOR_REMEDY = "mend the generator, or ask for fewer calls"


def failing_generator(subject: Subject) -> Flaw | None:
    """Return where the first function fails that generates something, and how; None where all generate."""
    spec = subject.spec
    try:
        generate.generate_inputs(spec)
    except HostError as error:
        told = str(error)
    else:
        return None
    for test in spec.tests:
        for case in filter(_is_generated, test.cases):
            try:
                generate.generate_inputs(replace(spec, tests=(replace(test, cases=(case,)),)))
            except HostError:
                seeds = [one.seed for one in case.generated_inputs.values()]
                seed = f" with the seed {quote(seeds[0], most=_SEED_LENGTH)}" if seeds else ""
                return _path_of_generator(subject, case), f"{told}, as for {quote(case.id)}{seed}: {_GENERATOR_REMEDY}"
    return "tests", f"{told}: {_GENERATOR_REMEDY}"


def failing_generator_program(subject: Subject, error: str) -> Iterator[Flaw]:
    """Find the first case for which a program draws, if it is the one that an error is about."""
    for case in (case for _, test in subject.tests() for case in test.cases):
        if any(error.startswith(f"{one.function} ") for one in case.generated_inputs.values()):
            yield _path_of_generator(subject, case), f"{error}: {_GENERATOR_REMEDY}"
            return


def _is_generated(case: Case) -> bool:
    return bool(case.generated_inputs) or case.is_generated


def _path_of_generator(subject: Subject, case: Case) -> str:
    """Return the path of the generator itself, or of what is nearest."""
    for key in (*case.generated_inputs, *_DRAWING_KEYS):
        path = subject.path(case, key)
        if path.endswith(f".{key}"):
            return f"{path}.generate" if f"{path}.generate" in subject.nodes else path
    return subject.path(case)
