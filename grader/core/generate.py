"""The generated values of cases: their seeds, and the functions and programs of the course that generate them.

Where a spec names its `seed`, it is derived from a secret (HMAC-SHA256), for the course or for each student: nobody
without the secret can predict it or choose it, and it is the same at every regrade.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path, PurePosixPath
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.cache import Cache, file_digests
from grader.core.errors import HostError
from grader.core.model import VERSION
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits, limit_sentence
from grader.core.model.spec import INTERACTOR_STARTS, SECRET_FILE, Case, GeneratedInput, Spec
from grader.core.oracle.course_functions import make_values
from grader.core.python_packages import libraries_of_course_functions
from grader.core.seeded_random import SeededRandom, derive
from grader.core.text import one_line

if TYPE_CHECKING:
    from grader.core.course import Course

NOBODY = "/nobody"  # the submission for values with which nobody is graded: no submission has this id
MIN_SECRET = 16  # the fewest bytes of a secret, so that it cannot be guessed

_LIMITS = Limits(time=60, cpu=60, memory=2 * 2**30, output=64 * 2**20, processes=256)  # of a generating program
_SEED_DIGITS = 15
"""of the seed that a program gets: hexadecimal ones, so that it is a number that every language can hold"""


def generate_for_submission(course: "Course", student: str) -> "Course":
    """Return the course with all that is generated for the submission of that id, or for none.

    Raises HostError, also when files that the spec names have changed meanwhile.
    """
    spec = course.spec
    if seed := seed_for(spec, course.secret, student):
        spec = import_module("grader.core.reader.spec").read(spec.source_text, spec.id, spec.root, seed=seed)
        if spec.digest != course.spec.digest:
            raise HostError(f"files that the spec {spec.id} names have changed while it was used: start again")
    return replace(course, spec=generate_inputs(spec, course.execute, course.cache))


def find_secret(root: Path) -> str:
    """Return the secret of a course, empty when it has none. HostError when it is too short or others can read it."""
    path = root / SECRET_FILE
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise HostError(f"{path} cannot be read, and what is drawn comes of it: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        is_private = not os.fstat(file.fileno()).st_mode & 0o077
        secret = file.read().strip()
    if not is_private:
        raise HostError(f"others can read {path}, and with it foretell what is drawn: chmod 600 {path}")
    if len(secret) < MIN_SECRET:
        raise HostError(f"{path} is too short for a secret: put {MIN_SECRET} characters or more that nobody guesses")
    return secret.hex()


def seed_for(spec: Spec, secret: str, student: str = "") -> str:
    """Return the seed of the values for a submission or for none; empty where only the spec's id decides."""
    return derive(secret or "no secret", spec.id, student) if spec.seed else ""


def generate_inputs(spec: Spec, run: Runner | None = None, cache: Cache | None = None) -> Spec:
    """Return the spec with all values that functions and programs generate; without `run`, only those of functions.

    Without `cache`, programs run again. Raises HostError when a generator fails, or yields too few or wrong values.
    """
    counts: dict[tuple[str, str], tuple[GeneratedInput, int]] = {}
    for case in (case for test in spec.tests for case in test.cases):
        for generated in filter(None, (case.payload and case.payload.generated_by, *case.generated_inputs.values())):
            key = (generated.function, generated.seed)
            counts[key] = generated, max(counts.get(key, (generated, 0))[1], generated.index + 1)
    if not counts:
        return spec
    values = {
        key: make_values(spec.root, one.function, _seeded(one), count, libraries=libraries_of_course_functions(spec))
        for key, (one, count) in counts.items()
        if ":" in one.function
    }

    def filled(case: Case) -> Case:
        payload: Any = case.payload
        if payload and (own := payload.generated_by):
            return replace(case, payload=payload.with_generated(values[own.function, own.seed][own.index]))
        for place, generated in case.generated_inputs.items():
            if ":" in generated.function:
                case = _with_value(case, place, generated, values[generated.function, generated.seed][generated.index])
            elif run:
                case = _with_value(case, place, generated, _ask_program(generated, run, cache))
        return case

    tests = (replace(test, cases=tuple(map(filled, test.cases))) for test in spec.tests)
    return replace(spec, tests=tuple(tests))


def _seeded(generated: GeneratedInput) -> Callable[[int], Random]:
    if generated.by_chance:
        return lambda number: SeededRandom(derive(generated.seed, str(number)))
    return lambda number: Random(f"{generated.seed} {number}" if number else generated.seed)  # noqa: S311 - reproducible on purpose


def _ask_program(generated: GeneratedInput, run: Runner, cache: Cache | None) -> bytes:
    """Return what a program prints for a seed, or printed once."""
    start = INTERACTOR_STARTS[PurePosixPath(generated.function).suffix]
    seed = int(derive(generated.seed, str(generated.index))[:_SEED_DIGITS], 16)
    argv = (*start, generated.function, str(seed))

    def find() -> bytes:
        done = run(Launch(argv=argv, files=generated.files, limits=_LIMITS))
        if done.status != 0 or done.limit:
            error_line = one_line(done.stderr.strip().rpartition(b"\n")[2])
            why = f"it {limit_sentence(done.limit)}" if done.limit else error_line or "it says nothing of why"
            raise HostError(f"{generated.function} {seed}, which draws for the spec, failed: {why}")
        return done.stdout

    if cache is None:
        return find()
    return cache.get_or_make(["drawn", VERSION, argv, file_digests(generated.files)], bytes, find)


def _with_value(case: Case, place: str, generated: GeneratedInput, value: object) -> Case:
    """Return the case with the generated value in its place."""
    if place == "args":
        return replace(case, args=_to_words(generated.function, value))
    if not isinstance(value, str | bytes):
        raise HostError(f"{generated.function}: it draws {value!r:.80} for {place}; a text is wanted")
    data = value.encode(errors="surrogateescape") if isinstance(value, str) else value
    return replace(
        case, **({"stdin": data} if place == "stdin" else {"files": {**case.files, place.removeprefix("files."): data}})
    )


def _to_words(function: str, value: object) -> tuple[str, ...]:
    if isinstance(value, bytes):  # of a program
        value = tuple(line.decode(errors="surrogateescape") for line in value.splitlines())
    if not isinstance(value, tuple) or any(
        isinstance(part, bool | tuple | bytes | type(None)) or "\0" in str(part) for part in value
    ):
        raise HostError(f"{function}: it draws {value!r:.80}, and no list of arguments: texts and numbers, no NUL")
    return tuple(map(str, value))
