"""Which tests of a spec a Kattis package can have: cases that read standard input, with the output as what counts.

What a package cannot say is left out case by case, with the reason and what to do about it. What is left is a list of
tests that grader itself can run, so that the labels of the package come from the same cases.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.lines import LineOptions
from grader.core.comparators.tokens import Closeness
from grader.core.course import Course
from grader.core.deviations.table import STREAM_KINDS, TEXT_KINDS
from grader.core.errors import GraderError, UsageError
from grader.core.judge.case import reachable_in_text
from grader.core.lazy import lazy_regex
from grader.core.model.spec import ANYTHING, Case, CheckOptions, Expected, Leaf, Repeat, Spec, Test
from grader.core.pipeline import reference_execution
from grader.core.text import count_points, joined, listed, percent
from grader.exports.kattis_programs.output_validator import explain_mistake

CHECKED = "check"  # the comparator of the course's own functions
_BOUNDS = {"tolerance": "float_absolute_tolerance", "relative": "float_relative_tolerance"}
_PLAIN_WORD = lazy_regex(rb"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?![^\d]*(?i:nan|inf))[^\d]+")
_FACTS = frozenset({"output", "stdout", "input", "expected", "expected_stdout"})
_COMPARED = frozenset({"text", "lines", "tokens", "numbers", "contains", "regex", "any", CHECKED})
_CARRIED: Mapping[str, frozenset[str]] = {  # comparator -> the deviations that a package can overlook with it
    **dict.fromkeys(("text", "lines", "contains"), TEXT_KINDS),
    "tokens": frozenset({"letter-case"}),
}
_HERE = "; grade it here"
_Reasons = tuple[tuple[object, str], ...]  # whether something holds, and a sentence about it
_NO_COUNT = {"needs": "of what it needs", "bonus": "of being on top", "costs": "of what it takes off"}


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


def choose_tests(course: Course, notes: list[str]) -> list[KattisTest]:
    """Return what a package can have of the tests; adds to `notes` what it cannot, a line for each.

    Raises UsageError when nothing is left, HostError when the reference fails.
    """
    tests = [chosen for test in course.spec.tests if (chosen := _choose_cases(test, course, notes))]
    if not any(test.points for test in tests):
        raise UsageError(f"nothing of {course.spec.id} can be in a Kattis package: {'; '.join(notes)}")
    notes += _changed_rules(course.spec, tests)
    # No package shows anybody a test that is hidden and worth nothing.
    return [test for test in tests if test.points or test.test.visibility == "visible"]


def _choose_cases(test: Test, course: Course, notes: list[str]) -> KattisTest | None:
    reasons: dict[str, list[str]] = {}
    chosen: list[KattisCase] = []
    for case in test.cases:
        choice = next((reason for holds, reason in _unsaid(test, case) if holds), "") or _choose_case(case, course)
        if isinstance(choice, str):
            reasons.setdefault(choice, []).append(case.id)
        else:
            chosen.append(choice)
    chosen = [] if test.all_or_nothing and reasons else chosen
    share = sum((datum.case.weight for datum in chosen), Fraction(0)) / sum(case.weight for case in test.cases)
    points = test.points * share
    for reason, cases in reasons.items():
        what = listed(cases, most=5) if chosen else f"test {test.name}"
        notes.append(f"Left out: {what} ({count_points(test.points - points)}): {reason}")
    return KattisTest(test=test, points=points, cases=tuple(chosen)) if chosen else None


def _choose_case(case: Case, course: Course) -> KattisCase | str:
    """Return a case with its answer, or why a package cannot have it and what to do."""
    asked = case.expect.stdout if isinstance(case.expect.stdout, Leaf) else Leaf(how="any", want=())
    kept = {kind: share for kind, share in case.tolerate.items() if _is_kept(kind, share, asked)}
    repeat = case.repeat if case.repeat.counts == "worst" else Repeat()
    plain = replace(case, args=(), tolerate=kept, terminal=False, both=False, repeat=repeat)
    flags, has_reference = tuple(_flags_of(asked, frozenset(kept))), course.spec.reference_name(case) is not None
    own = _ask_reference(plain, course) if has_reference else None
    if case.args and not (own and own == _ask_reference(replace(plain, args=case.args), course)):
        return "args: a package has no arguments, and the reference needs them; let the program read standard input"
    if has_reference and own is None:
        return f"exit: the reference does not end with status 0, which a package takes for a crash{_HERE}"
    answer = own or b""
    if asked.want and (join := COMPARATORS[asked.how].join or (b"".join if asked.how == "text" else None)):
        answer = join(tuple(want.encode(errors="surrogatepass") for want in asked.want))
    if asked.how != CHECKED and own is not None and (why := explain_mistake(flags, own, answer, case.stdin)):
        return f"{asked.how}: the package would refuse what the reference writes ({why}){_HERE}"
    return KattisCase(case=plain, answer=answer, flags=flags)


def _is_kept(kind: str, share: Fraction, asked: Leaf) -> bool:
    return share == 1 and kind in _CARRIED.get(asked.how, ())


def _ask_reference(case: Case, course: Course) -> bytes | None:
    """Return what the reference writes; None where it ends with another status than 0. Raises HostError."""
    execution = reference_execution(case, course)
    if isinstance(execution, GraderError):
        if case.args:
            raise execution
        return None  # it may need its arguments
    return execution.stdout if execution.status == 0 else None


def _unsaid(test: Test, case: Case) -> _Reasons:
    """Return each feature of a case that a package may lack: whether the case uses it, and what to do."""
    expect = case.expect
    env, files, also = (listed(list(names), most=3) for names in (case.env, case.files, case.also))
    fails = expect.exit == "failure" or (isinstance(expect.exit, tuple) and 0 not in expect.exit)
    looks_elsewhere = expect.screen or (expect.stderr is not None and expect.stderr.is_checked)
    alone = f"there, a program that fails {joined(list(test.unlike), 'or')} could have its points by the same output"
    return (
        (test.unlike, f"unlike: {alone}{_HERE}"),
        (test.scoring, "scoring: the default grader scores the groups; write the program into graders/ yourself"),
        (test.in_order, f"in-order: a package runs each case by itself{_HERE}"),
        (test.credit, "credit: a package has no steps of points; write a test for each step"),
        (case.payload, f"{case.kind}: a package starts programs, with standard input alone{_HERE}"),
        (case.command, f"command: a package starts nothing but the program that was handed in{_HERE}"),
        (case.is_generated, "generated inputs: a package has the same for everybody; write some into the spec"),
        (env, f"env: a package sets no variables ({env}); let the program read its input"),
        (files, f"files: a package has none beside the input ({files}); put them into stdin"),
        (case.terminal, f"terminal: a package has pipes alone{_HERE}"),
        (also, f"{also}: a package looks at the output alone{_HERE}"),
        (looks_elsewhere, "stderr: a package looks at standard output alone; write it there, or grade it here"),
        (expect.files, "files: a package does not look at written files; let the program write to standard output"),
        (fails, f"exit: a package takes every status but 0 for a crash{_HERE}"),
        (expect.crash == "allowed", f"crash: a package takes every crash for a mistake{_HERE}"),
        *_unsaid_of_output(expect.stdout or ANYTHING),
    )


def _unsaid_of_output(asked: Expected) -> _Reasons:
    if not isinstance(asked, Leaf):
        asked = Leaf(how="any, all and not" if asked.is_checked else "any", want=())
    options = asked.get(CheckOptions)
    others = [name for name in options.takes if name not in _FACTS]
    close, by_line = not asked.get(Closeness).is_exact, asked.get(LineOptions).by_line
    has_part = asked.part and asked.want and asked.how != "regex"
    no_such = "the package's comparison has no such; compare"
    return (
        (asked.how not in _COMPARED, f"{asked.how}: {no_such} text, lines, tokens or numbers"),
        (by_line, "credit: the package's comparison gives all or nothing, no share of the lines"),
        (asked.how == "lines" and close, f"tolerance: of lines {no_such} tokens or numbers"),
        (asked.how == "contains" and asked.want is None, f"contains: reference: {no_such} lines, with `only`"),
        (has_part, "part: the package's comparison takes it of the answer, too; compare with the reference"),
        (options.validator, "validator: a program of the course judges; put it into output_validators/ yourself"),
        (others, f"check: a package does not know {joined(others, 'or')}; let the check take output and input alone"),
    )


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
    words = [(key, value) for key, value in named.items() if value or key.startswith("option.")]
    words += [("want", want) for want in asked.want or () if asked.how in ("contains", "regex")]
    yield from (f"{key}={quote(str(value), safe='_.-~,:/', errors='surrogatepass')}" for key, value in words)


def default_flags(datum: KattisCase) -> tuple[str, ...] | None:
    """Return the arguments with which the default validator compares the same; None where it cannot."""
    how, *rest = datum.flags
    given = dict(flag.partition("=")[::2] for flag in rest)
    kinds = given.pop("ignore", "")
    bounds = tuple(word for key in _BOUNDS if key in given for word in (_BOUNDS[key], given.pop(key)))
    is_more = given or how not in ("text", "tokens") or kinds not in ("", "letter-case")
    if is_more or datum.case.repeat.times > 1:  # an argument tells the runs apart
        return None
    if bounds and not all(map(_PLAIN_WORD.fullmatch, datum.answer.split())):
        return None  # there a word is a number or is none, here a number may be a part of it
    case = () if kinds else ("case_sensitive",)
    return (*case, *bounds, *(("space_change_sensitive",) if how == "text" else ()))


def check_files(spec: Spec, tests: Sequence[KattisTest]) -> Mapping[str, bytes]:
    """Return the modules of the folder in which the checks of the tests lie; raises UsageError for several folders."""
    leaves = (leaf for test in tests for datum in test.cases for leaf in (datum.case.expect.stdout or ANYTHING).leaves)
    asked = sorted({leaf.get(CheckOptions).function.partition(":")[0] for leaf in leaves if leaf.how == CHECKED})
    folder, *others = {PurePosixPath(name).parent for name in asked}
    if others:
        raise UsageError(f"the checks {listed(asked, most=3)} lie in several folders; put them into one")
    if wrong := [name for name in asked if PurePosixPath(name).name in ("main.py", "grader.py")]:
        raise UsageError(f"{wrong[0]}, a check, has a name that the package needs; name it otherwise")
    paths = {PurePosixPath(name): text for name, text in spec.attached.items() if name.endswith(".py")}
    return {str(path.relative_to(folder)): text for path, text in paths.items() if path.is_relative_to(folder)}


def _changed_rules(spec: Spec, tests: Sequence[KattisTest]) -> Iterator[str]:
    """Yield what the package judges in another way than the spec, a line for each."""
    ids = {datum.case.id for test in tests for datum in test.cases}
    cases = [case for test in tests for case in test.test.cases if case.id in ids]
    asked = [(case.expect.stdout, kind, share) for case in cases for kind, share in case.tolerate.items() if share]
    there = ((out, kind, share) for out, kind, share in asked if out and kind in STREAM_KINDS | reachable_in_text(out))
    lost = {k: share for out, k, share in there if not (isinstance(out, Leaf) and _is_kept(k, share, out))}
    kinds = listed([f"{kind} ({percent(share)} here)" for kind, share in lost.items()])
    without = "the package has none, and the reference writes the same without; programs have to read the input"
    any_exit = "any is right here; there, a program that ends with another than 0 has crashed"
    once = "where not the worst run counts, a case is run once; there, chance may decide its verdict"
    rules: _Reasons = (
        (lost, f"Wrong there: {kinds}. A package accepts an output or does not; the samples are labelled by that."),
        (any(case.args for case in cases), f"Arguments: {without}."),
        (any(case.both for case in cases), "run: both: programs are started through pipes alone."),
        (any(case.repeat.times > 1 and case.repeat.counts != "worst" for case in cases), f"repeat: {once}."),
        (any(case.expect.exit == "any" for case in cases), f"Exit status: {any_exit}."),
        (spec.once, f"once: {listed(list(spec.once), most=5)} counts in every test."),
    )
    yield from (sentence for holds, sentence in rules if holds)
    for name, names in _NO_COUNT.items():
        if affected := [test.test.name for test in tests if getattr(test.test, name)]:
            yield f"{name}: the points of {listed(affected, most=5)} count regardless {names}."
