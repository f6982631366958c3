"""What is wrong with checks and generators of the course, or is probably not meant."""

from collections.abc import Iterator

from msgspec.structs import replace

from grader.check.subject import Subject
from grader.core import generate, oracle
from grader.core.comparators.check import unread_parameters
from grader.core.errors import HostError
from grader.core.model.spec import Case, CheckOptions
from grader.core.model.values import Facts
from grader.core.python_packages import libraries_of_course_functions
from grader.core.run.start import or_failure
from grader.kinds import Flaw, flaw, lint_rule


def _checks_in(subject: Subject) -> Iterator[tuple[str, CheckOptions]]:
    """Iterate over the checks of a spec, each with its place; over one that stands for many cases several times."""
    for case in subject.cases:
        for key, leaf in case.texts:
            if isinstance(leaf.options, CheckOptions):
                yield subject.expect(case, key), leaf.options


def _functions_in(subject: Subject) -> Iterator[tuple[str, CheckOptions, str, str]]:
    """Iterate over the checks, each once, with its place, its file and its name."""
    for asked, path in {asked.function: (asked, path) for path, asked in [*_checks_in(subject)][::-1]}.values():
        file, _, name = asked.function.rpartition(":")
        yield path, asked, file, name


@lint_rule("course-function")
def _uncallable_checks(subject: Subject) -> Iterator[Flaw]:
    spec, course = subject.spec, subject.course
    libraries = "" if course else libraries_of_course_functions(spec)
    checks = course.checks if course else oracle.checks.load_checks(spec.root, libraries=libraries)
    for path, asked in _checks_in(subject):
        if course or not asked.validator:
            try:
                checks(asked, Facts())
            except HostError as error:
                yield flaw(path, "check", error=str(error))


@lint_rule("unwritten-check")
def _unwritten_checks(subject: Subject) -> Iterator[Flaw]:
    for path, asked, file, name in _functions_in(subject):
        if asked.unwritten:
            yield flaw(path, file=file, line=asked.unwritten, name=name)


@lint_rule("blind-check")
def _unread_facts(subject: Subject) -> Iterator[Flaw]:
    for path, asked, file, name in _functions_in(subject):
        line, unread = unread_parameters(asked, subject.spec.attached.get(file, b""))
        if unread and not asked.unwritten:
            yield flaw(path, file=file, line=line, name=name, unread=unread)


# ---------------------------------------------------------------- generators


def failing_generator(subject: Subject) -> Flaw | None:
    """Return where the first function fails that generates something, and how; None where all generate."""
    spec = subject.spec
    failure = or_failure(generate.generate_inputs, spec)
    if not isinstance(failure, HostError):
        return None
    for test in spec.tests:
        for case in (case for case in test.cases if case.generated_inputs or case.is_generated):
            alone = replace(spec, tests=(replace(test, cases=(case,)),))
            if isinstance(or_failure(generate.generate_inputs, alone), HostError):
                seeds = [generator.seed for generator in case.generated_inputs.values()]
                values = {"case": case.id, "seed": seeds[0] if seeds else ""}
                return flaw(_path_of_generator(subject, case), "generator", error=failure, **values)
    return flaw("tests", "generator", error=failure, case="")


def failing_generator_program(subject: Subject, error: str) -> Iterator[Flaw]:
    """Find the first case for which a program draws, if it is the one that an error is about."""
    for case in subject.cases:
        if any(error.startswith(f"{generator.function} ") for generator in case.generated_inputs.values()):
            yield flaw(_path_of_generator(subject, case), "generator", error=error, case="")
            return


def _path_of_generator(subject: Subject, case: Case) -> str:
    """Return the path of the generator itself, or of what is nearest."""
    for key in (*case.generated_inputs, "args", "stdin", "files", "functions"):
        path = subject.path(case, key)
        if path.endswith(f".{key}"):
            return f"{path}.generate" if f"{path}.generate" in subject.nodes else path
    return subject.path(case)
