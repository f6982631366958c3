"""What the reference shows of a spec: limits that it exceeds, what it writes by mistake, patterns that are texts."""

import re
from collections import Counter
from collections.abc import Iterator

from grader.check.expected_results import NearestLimit, ReferenceResult, nearest_limit
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import run
from grader.core.bounded_regex import lines_that_count
from grader.core.comparators.lines import LineOptions
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.text import quote

_MAX_SEARCHED = 2**16  # bytes of an output in which patterns are looked for


def timed_answers(subject: Subject) -> Iterator[tuple[ReferenceResult, Execution, Limits, str]]:
    """Yield the reference's answers whose time says something, each with its limits and where the spec says them."""
    for answer in subject.answers:
        if answer.execution is None or subject.course is None or answer.is_apart or not answer.is_timed:
            continue
        path = subject.path(answer.case, "limits")
        path = "limits" if "limits" not in path and "limits" in subject.nodes else path
        limits = run.launch.limits_of_case(answer.case, subject.course.toolchain, answer.execution)
        yield answer, answer.execution, limits, path


@lint_rule("error", "exceeded-limit", asks="reference")
def exceeded_limits(subject: Subject) -> Iterator[Flaw]:
    """A limit that the reference does not keep fails every program that does the same."""
    longest: dict[str, tuple[NearestLimit, str]] = {}
    for answer, execution, limits, path in timed_answers(subject):
        nearest = nearest_limit(execution, limits)
        if nearest.is_exceeded and (path not in longest or nearest.ratio < longest[path][0].ratio):
            longest[path] = nearest, answer.case.id
    for path, (nearest, case_id) in longest.items():
        problem = f"the reference takes {nearest.taken:.2g} s {nearest.clock}, and the limit is {nearest.limit:g} s"
        yield path, f"in `{case_id}` {problem}: nobody who does the same passes; raise the limit"


_LOOSE = 300.0  # seconds that hardly any program is meant to take
_MUCH_MORE = 100  # times what the reference takes


@lint_rule("warning", "loose-limit", asks="reference")
def loose_limits(subject: Subject) -> Iterator[Flaw]:
    """A program that never ends takes all of its time, in each case and for each student."""
    longest: dict[str, tuple[float, float]] = {}
    for answer in subject.answers:
        limit = float(answer.case.limits.get("time") or 0)
        if answer.execution is None or not answer.is_timed or limit < _LOOSE:
            continue
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
    found = [
        (one, one.execution)
        for one in subject.answers
        if one.execution is not None and not one.is_apart and not kind_of(one.case).is_on_terminal
    ]
    if not found or len(found) < len(subject.answers) or any(execution.status for _, execution in found):
        return
    yield from _traces(subject, found)
    lines = [execution.stderr.split(b"\n")[0] for _, execution in found]
    is_asked = any(one.case.expect.stderr and one.case.expect.stderr.is_checked for one, _ in found)
    is_odd = not is_asked and all(lines) and not all(map(_PROMPT.fullmatch, lines))
    if is_odd and not any(map(_DEBUG.fullmatch, lines)):
        problem = f"it writes to standard error in every case, such as {quote(lines[0])}, and no case looks at that"
        yield "reference", f"{problem}: take it out, or expect it"


def _traces(subject: Subject, found: list[tuple[ReferenceResult, Execution]]) -> Iterator[Flaw]:
    """Find lines with the word `debug` and the like, on either stream of every case."""
    for stream, name in (("stdout", "standard output"), ("stderr", "standard error")):
        texts = [getattr(execution, stream)[:_MAX_SEARCHED] for _, execution in found]
        traces = [next(filter(_DEBUG.fullmatch, text.splitlines()), b"") for text in texts]
        if not all(traces):
            continue
        asking = next((one.case for one, _ in found if _asks(one, stream)), None)
        effect = "every program has to write it, too" if asking else "no case looks at that"
        path = subject.path(asking, f"expect.{stream}", "expect") if asking else "reference"
        yield path, f"the reference writes {quote(traces[0])} to {name} in every case, and {effect}: remove it"


def _asks(answer: ReferenceResult, stream: str) -> bool:
    asked = getattr(answer.case.expect, stream)
    return bool(asked and asked.asks_reference)


# ---------------------------------------------------------------- shares that anybody gets


@lint_rule("warning", "share-by-chance")
def shares_by_chance(subject: Subject) -> Iterator[Flaw]:
    """A line that an output is full of is written by a program that can do nothing else, and earns its share."""
    answers = {one.case.id: one.execution for one in subject.answers if one.execution}
    for case in (case for _, test in subject.tests() for case in test.cases):
        for key, asked in case.texts:
            if not asked.get(LineOptions).by_line:
                continue
            answer = answers.get(case.id, Execution())
            outputs = {"stdout": answer.stdout, "stderr": answer.stderr, **answer.files}
            wanted = "\n".join(asked.want).encode() if asked.want else outputs.get(key.removeprefix("files."), b"")
            wanted = lines_that_count(wanted[:_MAX_SEARCHED], only=asked.only, skip=asked.skip, part=asked.part)
            lines = Counter(wanted.splitlines())
            line, times = max(lines.items(), key=lambda one: one[1], default=(b"", 0))
            if times > 1 and 2 * times >= lines.total():
                problem = f"{times} of {lines.total()} lines are {quote(line)}: a program that writes nothing else"
                path = subject.path(case, f"expect.{key}", "expect")
                yield path, f"{problem} has their share; leave them out by skip, or take credit out"


# ---------------------------------------------------------------- patterns that were meant otherwise

_SPECIAL = re.compile(r"[.^$*+?{}\[\]|()]")


@lint_rule("warning", "text-as-pattern", asks="reference")
def texts_as_patterns(subject: Subject) -> Iterator[Flaw]:
    """Signs such as `.` and `?` mean more than themselves in a pattern, so that other texts are right as well."""
    reported = set()
    for answer in subject.answers:
        for key, asked in answer.case.texts:
            if asked.how != "regex" or asked.want is None or key not in ("stdout", "stderr") or not answer.execution:
                continue
            (pattern,) = asked.want
            path = subject.path(answer.case, f"expect.{key}", "expect")
            output = getattr(answer.execution, key)[:_MAX_SEARCHED]
            if path not in reported and _SPECIAL.search(pattern) and pattern.encode(errors="replace") in output:
                reported.add(path)
                sign = quote(_SPECIAL.findall(pattern)[0])
                problem = f"the reference writes {quote(pattern)} as it stands, but {sign} is special in a pattern"
                yield path, f"{problem}: write `contains` instead of `regex`, or a backslash before such characters"


def hint_of_lines(answer: ReferenceResult) -> str:
    """Return what to change in a pattern whose `^` and `$` were meant for lines; empty where that is not the reason."""
    for key, asked in answer.case.texts:
        if asked.how != "regex" or asked.want is None or key not in ("stdout", "stderr") or not answer.execution:
            continue
        lines = getattr(answer.execution, key)[:_MAX_SEARCHED].splitlines()
        plain = re.fullmatch(r"\^?((?:[^\\.^$*+?{}\[\]|()])+)\$?", asked.want[0])
        if plain and _is_line(plain[0], plain[1].encode(errors="replace"), lines):
            return " `^` and `$` mean the whole text: begin the pattern with `(?m)` for lines."
    return ""


def _is_line(pattern: str, text: bytes, lines: list[bytes]) -> bool:
    """Whether a line begins and ends as a pattern without signs but `^` and `$` says."""
    return any(
        text in line
        and (not pattern.startswith("^") or line.startswith(text))
        and (not pattern.endswith("$") or line.endswith(text))
        for line in lines
    )
