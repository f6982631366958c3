"""What the reference shows of a spec: what it fails, limits that it exceeds, what it writes by mistake."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from grader.check.expected_results import ROOM, NearestLimit, ReferenceResult, describe_doubt, nearest_limit
from grader.check.samples import find_witnesses, read_samples
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import run
from grader.core.bounded_regex import lines_that_count
from grader.core.comparators.lines import LineOptions
from grader.core.errors import GraderError
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.report import Verdict
from grader.core.model.spec import STREAMS
from grader.core.text import listed, one_line, quote, seconds, size

_MAX_SEARCHED = 2**16  # bytes of an output in which patterns are looked for

# ---------------------------------------------------------------- what it fails


@lint_rule("error", "reference-fails", asks="reference")
def reference_failures(subject: Subject) -> Iterator[Flaw]:
    """Where the reference fails, nobody knows what is expected, and every submission is ungraded."""
    failed = [answer for answer in subject.answers if answer.error and not answer.is_apart]
    if len(failed) > 1 and len({answer.error for answer in failed}) == 1:
        yield "reference", f"{one_line(failed[0].error)}: nobody can be graded; mend it"
        return
    for path, group in _by_place(subject, failed).items():
        error = listed([one_line(group[0].error)], total=len(group))
        yield path, f"`{group[0].case.id}`: {error}: nobody can be graded; mend it"


@lint_rule("error", "reference-differs", asks="reference")
def reference_differences(subject: Subject) -> Iterator[Flaw]:
    """The reference does not satisfy the spec: one of the two is wrong, and students pay for it."""
    wrong = [answer for answer in subject.answers if answer.is_wrong and answer.result]
    for path, group in _by_place(subject, wrong).items():
        result, name = group[0].result, f"`{group[0].case.id}`"
        message = one_line(result.message.text if result else "")
        if result and result.verdict == Verdict.UNGRADED:
            yield path, f"{name}: {message}: nobody can be graded; mend it"
        else:
            message = re.sub("^Your program", "The reference", message) + _hint_of_lines(group[0])
            where = listed([name], total=len(group))
            yield path, f"the reference is not right in {where}: {message} Mend one of the two"


@lint_rule("error", "unsteady-reference", asks="reference")
def doubtful_answers(subject: Subject) -> Iterator[Flaw]:
    """A reference that gives another answer each time is right by accident: students are compared with one of them."""
    for path, group in _by_place(subject, [answer for answer in subject.answers if answer.doubt]).items():
        if doubt := group[0].doubt:
            yield path, f"{listed([f'`{group[0].case.id}`'], total=len(group))}: {describe_doubt(doubt)}"


@lint_rule("warning", "copied-sample")
def copied_samples(subject: Subject) -> Iterator[Flaw]:
    """A right sample that is the reference itself has full marks whatever the spec says."""
    with suppress(GraderError):  # verify tells of samples without a statement
        witnesses = find_witnesses(subject.spec, read_samples(subject.spec))
        if witnesses.copies and not witnesses.independent and not witnesses.is_named:
            yield "reference", f"{witnesses.describe_copies}: add a right program that somebody else wrote"


def _by_place(subject: Subject, answers: list[ReferenceResult]) -> Mapping[str, list[ReferenceResult]]:
    paths: dict[str, list[ReferenceResult]] = {}
    for answer in answers:
        paths.setdefault(subject.path(answer.case, "expect", "interactor"), []).append(answer)
    return paths


# ---------------------------------------------------------------- limits


def _timed(subject: Subject) -> Iterator[tuple[str, ReferenceResult, Limits]]:
    """Yield the reference's answers whose time says something, each with its limits and where the spec says them."""
    for answer in subject.answers:
        if answer.execution and subject.course and not answer.is_apart and answer.is_timed:
            path = subject.path(answer.case, "limits")
            path = "limits" if "limits" not in path and "limits" in subject.nodes else path
            yield path, answer, run.runner.limits_of_case(answer.case, subject.course.toolchain, answer.execution)


def _nearest_limits(subject: Subject) -> Iterator[tuple[str, str, NearestLimit]]:
    """Yield for each place with limits what the reference takes where it comes nearest to one, and that one."""
    by_path: dict[str, list[tuple[str, NearestLimit]]] = {}
    for path, answer, limits in _timed(subject):
        by_path.setdefault(path, []).append((answer.case.id, nearest_limit(answer.execution or Execution(), limits)))
    for path, group in by_path.items():
        name, limit = min(group, key=lambda pair: pair[1].ratio)
        taken = f"the reference takes {limit.taken:.2g} s {limit.clock}, and the limit is {limit.limit:g} s"
        yield path, f"in `{name}` {taken}", limit


@lint_rule("error", "exceeded-limit", asks="reference")
def exceeded_limits(subject: Subject) -> Iterator[Flaw]:
    """A limit that the reference does not keep fails every program that does the same."""
    for path, taken, nearest in _nearest_limits(subject):
        if nearest.is_exceeded:
            yield path, f"{taken}: nobody who does the same passes; raise the limit"


@lint_rule("warning", "tight-limit", asks="reference")
def tight_limits(subject: Subject) -> Iterator[Flaw]:
    """A limit below three times what the reference takes fails right programs on a slower machine."""
    remedy = f"give students at least {ROOM} times what it takes"
    for path, taken, nearest in _nearest_limits(subject):
        if nearest.is_tight and not nearest.is_exceeded:
            yield path, f"{taken}: {remedy}"
    for path, answer, limits in _timed(subject):
        longest = max(len(answer.execution.stdout), len(answer.execution.stderr)) if answer.execution else 0
        if longest > limits.output:
            problem = f"the reference writes {size(longest)}, and the limit of the output is {size(limits.output)}"
            yield path, f"in `{answer.case.id}` {problem}: raise `output`, or nobody can do the same"
    in_all = sum(answer.execution.time * answer.case.repeat.times for answer in subject.answers if answer.execution)
    if subject.spec.budget is not None and subject.spec.budget < ROOM * in_all:
        problem = f"the reference takes {seconds(in_all)} in all, and the budget is {seconds(subject.spec.budget)}"
        yield "budget", f"{problem}: {remedy}"


_LOOSE = 300.0  # seconds that hardly any program is meant to take
_MUCH_MORE = 100  # times what the reference takes


@lint_rule("warning", "loose-limit", asks="reference")
def loose_limits(subject: Subject) -> Iterator[Flaw]:
    """A program that never ends takes all of its time, in each case and for each student."""
    longest: dict[str, tuple[float, float]] = {}
    for answer in subject.answers:
        limit = float(answer.case.limits.get("time") or 0)
        if answer.execution and answer.is_timed and limit >= _LOOSE:
            path = subject.path(answer.case, "limits.time", "limits")
            path = path if "limits" in path else "limits.time"
            longest[path] = max(longest.get(path, (0.0, limit)), (answer.execution.time, limit))
    for path, (taken, limit) in longest.items():
        if limit > _MUCH_MORE * max(taken, 0.1):
            problem = f"a program that never ends takes {limit:g} s, and the reference {max(taken, 0.01):.2g} s"
            yield path, f"{problem}: is it ms? Some seconds are enough"


# ---------------------------------------------------------------- what it writes by mistake

_DEBUG = lazy_regex(rb"(?i)\W*(?:debug|dbg|trace|xxx|got here|here)\b.*")
"""a line that looks like a trace for the author of a program"""
_PROMPT = lazy_regex(rb".*[:?>=]\s*")


@lint_rule("warning", "debug-output", asks="reference")
def debug_output(subject: Subject) -> Iterator[Flaw]:
    """What the reference writes for its author, students would have to write as well, or it confuses whoever looks."""
    runs = [
        (answer.case, answer.execution)
        for answer in subject.answers
        if answer.execution and not (answer.is_apart or answer.execution.status or kind_of(answer.case).is_on_terminal)
    ]
    if not runs or len(runs) < len(subject.answers):
        return
    for stream, name in STREAMS.items():
        texts = [getattr(execution, stream)[:_MAX_SEARCHED] for _, execution in runs]
        traces = [next(filter(_DEBUG.fullmatch, text.splitlines()), b"") for text in texts]
        asked = ((case, getattr(case.expect, stream)) for case, _ in runs)
        asking = next((case for case, text in asked if text and text.asks_reference), None)
        if all(traces):
            effect = "every program has to write it, too" if asking else "no case looks at that"
            path = subject.expect(asking, stream) if asking else "reference"
            yield path, f"the reference writes {quote(traces[0])} to {name} in every case, and {effect}: remove it"
    lines = [execution.stderr.split(b"\n")[0] for _, execution in runs]
    is_asked = any(case.expect.stderr and case.expect.stderr.is_checked for case, _ in runs)
    if not is_asked and all(lines) and not all(map(_PROMPT.fullmatch, lines)) and not any(map(_DEBUG.fullmatch, lines)):
        problem = f"it writes to standard error in every case, such as {quote(lines[0])}, and no case looks at that"
        yield "reference", f"{problem}: take it out, or expect it"


@lint_rule("warning", "share-by-chance", takes_course=True)
def shares_by_chance(subject: Subject) -> Iterator[Flaw]:
    """A line that an output is full of is written by a program that can do nothing else, and earns its share."""
    answers = {answer.case.id: answer.execution for answer in subject.answers if answer.execution}
    shared = ((case, key, asked) for case in subject.cases for key, asked in case.texts)
    for case, key, asked in (row for row in shared if row[2].get(LineOptions).by_line):
        answer = answers.get(case.id, Execution())
        outputs = {"stdout": answer.stdout, "stderr": answer.stderr, **answer.files}
        wanted = "\n".join(asked.want).encode() if asked.want else outputs.get(key.removeprefix("files."), b"")
        wanted = lines_that_count(wanted[:_MAX_SEARCHED], only=asked.only, skip=asked.skip, part=asked.part)
        lines = Counter(wanted.splitlines())
        line, times = max(lines.items(), key=lambda item: item[1], default=(b"", 0))
        if times > 1 and 2 * times >= lines.total():
            problem = f"{times} of {lines.total()} lines are {quote(line)}: a program that writes nothing else"
            yield subject.expect(case, key), f"{problem} has their share; leave them out by skip, or take credit out"


# ---------------------------------------------------------------- patterns that were meant otherwise

_SPECIAL = re.compile(r"[.^$*+?{}\[\]|()]")


@lint_rule("warning", "text-as-pattern", asks="reference", once=True, each="answers")
def texts_as_patterns(subject: Subject, answer: ReferenceResult) -> Iterator[Flaw]:
    """Signs such as `.` and `?` mean more than themselves in a pattern, so that other texts are right as well."""
    for key, pattern, output in _patterns(answer):
        if _SPECIAL.search(pattern) and pattern.encode(errors="replace") in output:
            sign = quote(_SPECIAL.findall(pattern)[0])
            problem = f"the reference writes {quote(pattern)} as it stands, but {sign} is special in a pattern"
            remedy = "write `contains` instead of `regex`, or a backslash before such characters"
            yield subject.expect(answer.case, key), f"{problem}: {remedy}"


def _patterns(answer: ReferenceResult) -> Iterator[tuple[str, str, bytes]]:
    """Yield the pattern for each stream of a case, with what the reference writes there."""
    for key, asked in answer.case.texts if answer.execution else ():
        if asked.how == "regex" and asked.want is not None and key in ("stdout", "stderr"):
            yield key, asked.want[0], getattr(answer.execution, key)[:_MAX_SEARCHED]


def _hint_of_lines(answer: ReferenceResult) -> str:
    """Return what to change in a pattern whose `^` and `$` were meant for lines; empty where that is not the reason."""
    for _, pattern, output in _patterns(answer):
        is_plain = re.fullmatch(r"\^?(?:[^\\.^$*+?{}\[\]|()])+\$?", pattern)
        if is_plain and re.search(f"(?m){pattern}".encode(errors="replace"), output):
            return " `^` and `$` mean the whole text: begin the pattern with `(?m)` for lines."
    return ""
