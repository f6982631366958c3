"""What the reference shows of a spec: what it fails, limits that it exceeds, what it writes by mistake."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from grader.check.expected_results import CAUSES, ROOM, AnswerDoubt, NearestLimit, ReferenceResult, nearest_limit
from grader.check.samples import files_of_reference, find_copies, read_samples
from grader.check.subject import RULE_TABLE, Subject
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
from grader.core.text import one_line
from grader.kinds import Flaw, flaw, lint_rule

_MAX_SEARCHED = 2**16  # bytes of an output in which patterns are looked for

# ---------------------------------------------------------------- what it fails


@lint_rule("reference-fails")
def _reference_failures(subject: Subject) -> Iterator[Flaw]:
    failed = [answer for answer in subject.answers if answer.error and not answer.is_apart]
    if len(failed) > 1 and len({answer.error for answer in failed}) == 1:
        yield flaw("reference", "everywhere", error=failed[0].error)
        return
    for path, first, total in _by_place(subject, failed):
        yield flaw(path, "in-case", case=first.case.id, error=first.error, total=total)


@lint_rule("reference-differs")
def _reference_differences(subject: Subject) -> Iterator[Flaw]:
    wrong = [answer for answer in subject.answers if answer.is_wrong and answer.result]
    for path, first, total in _by_place(subject, wrong):
        if first.result and first.result.verdict == Verdict.UNGRADED:
            yield flaw(path, "ungraded", case=first.case.id, message=first.result.message.text)
        elif first.result:
            message = re.sub("^Your program", "The reference", one_line(first.result.message.text))
            for_lines = any(_is_meant_for_lines(pattern, output) for _, pattern, output in _patterns(first))
            yield flaw(path, "wrong", case=first.case.id, total=total, message=message, is_meant_for_lines=for_lines)


@lint_rule("unsteady-reference")
def _doubtful_answers(subject: Subject) -> Iterator[Flaw]:
    for path, first, total in _by_place(subject, [answer for answer in subject.answers if answer.doubt]):
        if first.doubt:
            yield flaw(path, "in-case", case=first.case.id, total=total, doubt=describe_doubt(first.doubt))


def describe_doubt(doubt: AnswerDoubt) -> str:
    """Say that the second answer is another one, on what it depends, and what to do."""
    rule = RULE_TABLE["unsteady-reference"]
    cures = dict.fromkeys(CAUSES.get(cause, rule.words)["cure"] for cause in doubt.causes)
    return rule.say("doubt", doubt=doubt, causes=[f"on {cause}" for cause in doubt.causes], cures=cures)


@lint_rule("copied-sample")
def _copied_samples(subject: Subject) -> Iterator[Flaw]:
    with suppress(GraderError):  # verify tells of samples without a statement
        copies, independent = find_copies(subject.spec, read_samples(subject.spec))
        is_known = any(name.startswith("sample_submissions/") for name in files_of_reference(subject.spec))
        if copies and not independent and not is_known:
            yield flaw("reference", copies=copies, independent=0, is_alone=True)


def _by_place(subject: Subject, answers: list[ReferenceResult]) -> Iterator[tuple[str, ReferenceResult, int]]:
    """Yield the first of these answers at each place in the spec, and how many there are."""
    paths: dict[str, list[ReferenceResult]] = {}
    for answer in answers:
        paths.setdefault(subject.path(answer.case, "expect", "interactor"), []).append(answer)
    yield from ((path, group[0], len(group)) for path, group in paths.items())


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
        yield path, *min(group, key=lambda pair: pair[1].ratio)


@lint_rule("exceeded-limit")
def _exceeded_limits(subject: Subject) -> Iterator[Flaw]:
    for path, name, nearest in _nearest_limits(subject):
        if nearest.is_exceeded:
            yield flaw(path, case=name, near=nearest)


@lint_rule("tight-limit")
def _tight_limits(subject: Subject) -> Iterator[Flaw]:
    for path, name, nearest in _nearest_limits(subject):
        if nearest.is_tight and not nearest.is_exceeded:
            yield flaw(path, "time", case=name, near=nearest, room=ROOM)
    for path, answer, limits in _timed(subject):
        longest = max(len(answer.execution.stdout), len(answer.execution.stderr)) if answer.execution else 0
        if longest > limits.output:
            yield flaw(path, "output", case=answer.case.id, written=longest, limit=limits.output)
    in_all = sum(answer.execution.time * answer.case.repeat.times for answer in subject.answers if answer.execution)
    if subject.spec.budget is not None and subject.spec.budget < ROOM * in_all:
        yield flaw("budget", "budget", taken=in_all, budget=subject.spec.budget, room=ROOM)


_LOOSE, _MUCH_MORE = 300.0, 100  # seconds that hardly any program is meant to take; times what the reference takes


@lint_rule("loose-limit")
def _loose_limits(subject: Subject) -> Iterator[Flaw]:
    longest: dict[str, tuple[float, float]] = {}
    for answer in subject.answers:
        limit = float(answer.case.limits.get("time") or 0)
        if answer.execution and answer.is_timed and limit >= _LOOSE:
            path = subject.path(answer.case, "limits.time", "limits")
            path = path if "limits" in path else "limits.time"
            longest[path] = max(longest.get(path, (0.0, limit)), (answer.execution.time, limit))
    for path, (taken, limit) in longest.items():
        if limit > _MUCH_MORE * max(taken, 0.1):
            yield flaw(path, limit=limit, taken=max(taken, 0.01))


# ---------------------------------------------------------------- what it writes by mistake

_DEBUG = lazy_regex(rb"(?i)\W*(?:debug|dbg|trace|xxx|got here|here)\b.*")  # a line for the author of a program
_PROMPT = lazy_regex(rb".*[:?>=]\s*")


@lint_rule("debug-output")
def _debug_output(subject: Subject) -> Iterator[Flaw]:
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
            path = subject.expect(asking, stream) if asking else "reference"
            yield flaw(path, "trace", line=traces[0], stream=name, is_asked=bool(asking))
    lines = [execution.stderr.split(b"\n")[0] for _, execution in runs]
    is_asked = any(case.expect.stderr and case.expect.stderr.is_checked for case, _ in runs)
    if not is_asked and all(lines) and not all(map(_PROMPT.fullmatch, lines)) and not any(map(_DEBUG.fullmatch, lines)):
        yield flaw("reference", "stderr", line=lines[0])


@lint_rule("share-by-chance")
def _shares_by_chance(subject: Subject) -> Iterator[Flaw]:
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
            yield flaw(subject.expect(case, key), times=times, total=lines.total(), line=line)


# ---------------------------------------------------------------- patterns that were meant otherwise

_SPECIAL = re.compile(r"[.^$*+?{}\[\]|()]")


@lint_rule("text-as-pattern", once=True, each="answers")
def _texts_as_patterns(subject: Subject, answer: ReferenceResult) -> Iterator[Flaw]:
    for key, pattern, output in _patterns(answer):
        if _SPECIAL.search(pattern) and pattern.encode(errors="replace") in output:
            yield flaw(subject.expect(answer.case, key), pattern=pattern, sign=_SPECIAL.findall(pattern)[0])


def _patterns(answer: ReferenceResult) -> Iterator[tuple[str, str, bytes]]:
    """Yield the pattern for each stream of a case, with what the reference writes there."""
    for key, asked in answer.case.texts if answer.execution else ():
        if asked.how == "regex" and asked.want is not None and key in ("stdout", "stderr"):
            yield key, asked.want[0], getattr(answer.execution, key)[:_MAX_SEARCHED]


def _is_meant_for_lines(pattern: str, output: bytes) -> bool:
    """Whether `^` and `$` were meant for lines in a pattern that is not found in an output."""
    is_plain = re.fullmatch(r"\^?(?:[^\\.^$*+?{}\[\]|()])+\$?", pattern)
    return bool(is_plain and re.search(f"(?m){pattern}".encode(errors="replace"), output))
