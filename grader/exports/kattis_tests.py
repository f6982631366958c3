"""Which tests of a spec a Kattis package can have: cases that read standard input, with the output as what counts.

What a package cannot say is left out case by case, with the reason and what to do about it. What is left is a list of
tests that grader itself can run, so that the labels of the package come from the same cases.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from grader.core import oracle
from grader.core.comparators import COMPARATORS
from grader.core.comparators.lines import LineOptions
from grader.core.comparators.tokens import Closeness
from grader.core.course import Course
from grader.core.deviations.table import STREAM_KINDS, TEXT_KINDS
from grader.core.errors import GraderError, HostError, UsageError
from grader.core.judge.case import reachable_in_text
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.spec import ANYTHING, Case, CheckOptions, Expected, Leaf, Repeat, Spec, Test
from grader.core.pipeline import reference_execution
from grader.core.text import count_points, joined, listed, percent
from grader.exports.kattis_programs.output_validator import explain_mistake

CHECKED = "check"  # the comparator of the course's own functions
_BOUNDS = {"tolerance": "float_absolute_tolerance", "relative": "float_relative_tolerance"}
_PLAIN_WORD = lazy_regex(rb"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?![^\d]*(?i:nan|inf))[^\d]+")
_PLAIN = "_.-~,:/"
_FACTS = frozenset({"output", "stdout", "input", "expected", "expected_stdout"})
_TEXTS = ("text", "lines")
_WORDS = ("tokens", "numbers")
_CARRIED: Mapping[str, frozenset[str]] = {  # comparator -> the deviations that a package can overlook with it
    "text": TEXT_KINDS,
    "lines": TEXT_KINDS,
    "contains": TEXT_KINDS,
    "tokens": frozenset({"letter-case"}),
}


class KattisCase(Struct, frozen=True, kw_only=True):
    """A case with its answer, and the arguments of the output validator."""

    case: Case
    answer: bytes
    flags: tuple[str, ...]


class KattisTest(Struct, frozen=True, kw_only=True):
    """A test with the cases that a package can have, and their points."""

    test: Test
    points: Fraction
    cases: tuple[KattisCase, ...]

    @property
    def spec_test(self) -> Test:
        """The test as grader runs it."""
        cases = tuple(one.case for one in self.cases)
        return replace(self.test, cases=cases, points=self.points, needs=(), unlike=(), stops=False, patience=None)


def choose_tests(course: Course, notes: list[str]) -> tuple[KattisTest, ...]:
    """Return what a package can have of the tests; adds to `notes` what it cannot, a line for each.

    Raises UsageError when nothing is left, HostError when the reference fails.
    """
    found = tuple(chosen for test in course.spec.tests if (chosen := _choose_cases(test, course, notes)))
    if not any(one.points for one in found):
        raise UsageError(f"nothing of {course.spec.id} can be in a Kattis package: {'; '.join(notes)}")
    notes += _changed_rules(course.spec, found)
    return found


def _choose_cases(test: Test, course: Course, notes: list[str]) -> KattisTest | None:
    reasons: dict[str, list[str]] = {}
    chosen: list[KattisCase] = []
    for case in test.cases:
        found = _unsaid_of_test(test) or _choose_case(case, course)
        if isinstance(found, str):
            reasons.setdefault(found, []).append(case.id)
        else:
            chosen.append(found)
    weights = sum((case.weight for case in test.cases), Fraction(0))
    share = sum((one.case.weight for one in chosen), Fraction(0)) / weights
    if test.all_or_nothing and reasons:
        chosen = []
    points = test.points * share if chosen else Fraction(0)
    for reason, cases in reasons.items():
        whole = not chosen
        what = f"test {test.name}" if whole else f"{listed(cases, most=5)}"
        lost = test.points if whole else test.points - points
        notes.append(f"Left out: {what} ({count_points(lost)}): {reason}")
    return KattisTest(test=test, points=points, cases=tuple(chosen)) if chosen else None


def _unsaid_of_test(test: Test) -> str:
    if test.unlike:
        return (
            f"unlike: there, a program that fails {joined(list(test.unlike), 'or')} could have its points by writing "
            "the same everywhere; grade it here"
        )
    if test.scoring:
        return (
            "scoring: the package's groups are scored by the default grader; write the program into graders/ yourself"
        )
    if test.in_order:
        return "in-order: a package runs each case by itself; grade it here"
    if test.credit:
        return "credit: a package has no steps of points; write a test for each step"
    return ""


def _choose_case(case: Case, course: Course) -> "KattisCase | str":
    """Return a case with its answer, or why a package cannot have it and what to do."""
    if reason := next(_unsaid(case), ""):
        return reason
    asked = case.expect.stdout if isinstance(case.expect.stdout, Leaf) else Leaf(how="any", want=())
    kept = {kind: share for kind, share in case.tolerate.items() if share == 1 and kind in _carried(asked.how)}
    repeat = case.repeat if case.repeat.counts == "worst" else Repeat()
    plain = replace(case, args=(), tolerate=kept, terminal=False, both=False, repeat=repeat)
    flags = tuple(_flags_of(asked, frozenset(kept)))
    has_reference = course.spec.reference_name(case) is not None
    own = _ask_reference(plain, course) if has_reference else None
    if case.args and not (own and own == _ask_reference(replace(plain, args=case.args), course)):
        return "args: a package has no arguments, and the reference needs them; let the program read standard input"
    if has_reference and own is None:
        return "exit: the reference does not end with status 0, which a package takes for a crash; grade it here"
    answer = own or b""
    if asked.want and (join := COMPARATORS[asked.how].join or (b"".join if asked.how == "text" else None)):
        answer = join(tuple(want.encode(errors="surrogatepass") for want in asked.want))
    if asked.how != CHECKED and own is not None and (why := explain_mistake(flags, own, answer, case.stdin)):
        return f"{asked.how}: the package would refuse what the reference writes ({why}); grade it here"
    return KattisCase(case=plain, answer=answer, flags=flags)


def _carried(how: str) -> frozenset[str]:
    return _CARRIED.get(how, frozenset())


def _ask_reference(case: Case, course: Course) -> bytes | None:
    """Return what the reference writes; None where it ends with another status than 0. Raises HostError."""
    found: Execution | GraderError = reference_execution(case, course)
    if isinstance(found, GraderError):
        if case.args:
            raise found
        return None  # it may need its arguments
    return found.stdout if found.status == 0 else None


def _unsaid(case: Case) -> Iterator[str]:
    """Yield what a package cannot say of a case, with what to do."""
    expect = case.expect
    env, files, also = (listed(list(names), most=3) for names in (case.env, case.files, case.also))
    fails = expect.exit == "failure" or (isinstance(expect.exit, tuple) and 0 not in expect.exit)
    looks_elsewhere = expect.screen or (expect.stderr is not None and expect.stderr.is_checked)
    to_file = "a package does not look at files that were written; let the program write to standard output"
    reasons: tuple[tuple[object, str], ...] = (
        (
            case.kind != "program",
            f"{case.kind}: a package starts programs, with standard input alone; grade it here",
        ),
        (case.command, "command: a package starts nothing but the program that was handed in; grade it here"),
        (
            case.is_generated,
            "generated inputs: a package has the same for everybody; write some of them into the spec",
        ),
        (env, f"env: a package sets no variables ({env}); let the program read its input"),
        (files, f"files: a package has none beside the input ({files}); put them into stdin"),
        (case.terminal, "terminal: a package has pipes alone; grade it here"),
        (also, f"{also}: a package looks at the output alone; grade it here"),
        (
            looks_elsewhere,
            "stderr: a package looks at standard output alone; write it there, or grade it here",
        ),
        (expect.files, f"files: {to_file}"),
        (fails, "exit: a package takes every status but 0 for a crash; grade it here"),
        (expect.crash == "allowed", "crash: a package takes every crash for a mistake; grade it here"),
    )
    yield from (reason for holds, reason in reasons if holds)
    if expect.stdout:
        yield from _unsaid_of_output(expect.stdout)


def _unsaid_of_output(asked: Expected) -> Iterator[str]:
    if not isinstance(asked, Leaf):
        asked = Leaf(how="any, all and not" if asked.is_checked else "any", want=())
    if asked.how not in {*_TEXTS, *_WORDS, "contains", "regex", "any", CHECKED}:
        yield f"{asked.how}: the package's comparison has no such; compare text, lines, tokens or numbers"
    elif asked.get(LineOptions).by_line:
        yield "credit: the package's comparison gives all or nothing, and no share of the lines"
    elif asked.how == "lines" and not asked.get(Closeness).is_exact:
        yield "tolerance: the package's comparison of lines has none; compare tokens or numbers"
    elif asked.how == "contains" and asked.want is None:
        yield "contains: reference: the package's comparison has no such; compare lines, with `only`"
    elif asked.part and asked.want and asked.how != "regex":
        yield "part: the package's comparison takes it of the answer, too; compare with the reference"
    elif asked.get(CheckOptions).validator:
        yield "validator: a program of the course as the judge; put it into output_validators/ yourself"
    elif asked.how == CHECKED and (others := [name for name in asked.options.takes if name not in _FACTS]):
        yield f"check: a package does not know {joined(others, 'or')}; let the check take output and input alone"


# ---------------------------------------------------------------- arguments of the output validator


def _flags_of(asked: Leaf, kept: frozenset[str]) -> Iterator[str]:
    yield asked.how
    if kept:
        yield f"ignore={','.join(sorted(kept))}"
    only, check = asked.only, asked.get(CheckOptions)
    if only and "leading-space" in kept and only.startswith("^"):
        only = f"^[ \\t]*(?:{only[1:]})"
    if only and "letter-case" in kept:
        only = f"(?i){only}"
    named: dict[str, object] = {"only": only, "skip": asked.skip, "part": asked.part}
    named |= {name: repr(number) for name in _BOUNDS if (number := getattr(asked.get(Closeness), name))}
    named |= {} if asked.get(LineOptions).ordered else {"order": "any"}
    if asked.how == CHECKED:
        file, _, name = check.function.partition(":")
        named |= {"function": f"{PurePosixPath(file).stem}:{name}", "takes": ",".join(check.takes)}
        named |= {f"option.{key}": value for key, value in check.arguments.items()}
    yield from (f"{key}={_quoted(str(value))}" for key, value in named.items() if value or key.startswith("option."))
    if asked.how in ("contains", "regex"):
        yield from (f"want={_quoted(want)}" for want in asked.want or ())


def _quoted(value: str) -> str:
    return quote(value, safe=_PLAIN, errors="surrogatepass")


def default_flags(one: KattisCase) -> tuple[str, ...] | None:
    """Return the arguments with which the default validator compares the same; None where it cannot."""
    if one.case.repeat.times > 1:
        return None  # an argument tells its runs apart
    how, *rest = one.flags
    given = dict(flag.partition("=")[::2] for flag in rest)
    kinds = frozenset(filter(None, given.pop("ignore", "").split(",")))
    bounds = tuple(word for key in _BOUNDS if key in given for word in (_BOUNDS[key], given.pop(key)))
    if given or how not in ("text", "tokens") or kinds - {"letter-case"}:
        return None
    if bounds and not all(map(_PLAIN_WORD.fullmatch, one.answer.split())):
        return None  # there a word is a number or is none, here a number may be a part of it
    case = () if kinds else ("case_sensitive",)
    return (*case, *bounds, *(("space_change_sensitive",) if how == "text" else ()))


def check_files(course: Course, tests: Sequence[KattisTest]) -> Mapping[str, bytes]:
    """Return the files of the checks that the tests have, with what they import of their folder.

    Raises UsageError where they cannot lie in one folder.
    """
    asked = {
        leaf.get(CheckOptions).function.partition(":")[0]
        for test in tests
        for one in test.cases
        for leaf in (one.case.expect.stdout or ANYTHING).leaves
        if leaf.how == CHECKED
    }
    known = {**oracle.reference.reference_files(course.spec), **course.spec.attached}
    folders = {PurePosixPath(name).parent for name in asked}
    if len(folders) > 1:
        raise UsageError(f"the checks {listed(sorted(asked), most=3)} lie in several folders; put them into one")
    found: dict[str, bytes] = {}
    left = sorted(asked)
    while left:
        name = left.pop()
        try:
            content = known[name] if name in known else (course.spec.root / name).read_bytes()
        except OSError as error:
            raise HostError(f"{name}, a check of the course, cannot be read: {error.strerror}") from error
        found[PurePosixPath(name).name] = content
        beside = PurePosixPath(name).parent
        for module in _imported(content):
            path = (beside / f"{module}.py").as_posix()
            if f"{module}.py" not in found and (path in known or (course.spec.root / path).is_file()):
                left.append(path)
    if wrong := {"main.py", "grader.py"} & found.keys():
        raise UsageError(f"{min(wrong)}, beside a check, has a name that the package needs; name it otherwise")
    return found


def _imported(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


# ---------------------------------------------------------------- what changes


def _changed_rules(spec: Spec, chosen: Sequence[KattisTest]) -> Iterator[str]:
    """Yield what the package judges in another way than the spec, a line for each."""
    tests = [one.test for one in chosen]
    ids = {one.case.id for test in chosen for one in test.cases}
    cases = [case for test in tests for case in test.cases if case.id in ids]
    if partly := _no_longer_tolerated(cases):
        kinds = listed([f"{kind} ({percent(share)} here)" for kind, share in partly.items()])
        yield f"Wrong there: {kinds}. A package accepts an output or does not; the samples are labelled by that."
    without = "the package has none, and the reference writes the same without; programs have to read the input"
    any_exit = "any is right here; there, a program that ends with another than 0 has crashed"
    rules = (
        (any(case.args for case in cases), f"Arguments: {without}."),
        (any(case.both for case in cases), "run: both: programs are started through pipes alone."),
        (
            any(case.repeat.times > 1 and case.repeat.counts != "worst" for case in cases),
            "repeat: where not the worst run counts, a case is run once; there, chance may decide its verdict.",
        ),
        (any(case.expect.exit == "any" for case in cases), f"Exit status: {any_exit}."),
        (spec.once, f"once: {listed(list(spec.once), most=5)} counts in every test."),
    )
    yield from (sentence for holds, sentence in rules if holds)
    for name, names in (("needs", "of what it needs"), ("bonus", "of being on top"), ("costs", "of what it takes off")):
        if found := [test.name for test in tests if getattr(test, name)]:
            yield f"{name}: the points of {listed(found, most=5)} count regardless {names}."


def _no_longer_tolerated(cases: Sequence[Case]) -> Mapping[str, Fraction]:
    """Return the deviations that leave credit here, and are wrong in the package."""
    found: dict[str, Fraction] = {}
    for case in cases:
        asked = case.expect.stdout
        for kind, share in case.tolerate.items():
            is_kept = isinstance(asked, Leaf) and share == 1 and kind in _carried(asked.how)
            if asked and share and not is_kept and kind in STREAM_KINDS | reachable_in_text(asked):
                found[kind] = share
    return found
