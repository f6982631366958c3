"""The handout of an assignment for students, in Markdown: what is asked, what it is worth, what is tolerated.

It is made of the spec and of what the reference does, so that it describes exactly what is graded. Of a hidden test it
shows the points alone.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, product
from statistics import mode
from typing import Any, NamedTuple

from grader.author.to_yaml import reference_answer
from grader.core import generate, run
from grader.core.build.artifact import describe_repair
from grader.core.comparators import in_words
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.judge.case import reachable
from grader.core.kind import kind_of
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Expectation, Expected, Leaf, Repeat, Spec, Test, Tolerances
from grader.core.notebook import is_notebook, module_name
from grader.core.pipeline import Course, generate_for
from grader.core.report.document import code, fenced, inline
from grader.core.report.html import fill_in
from grader.core.report.json import turn_text
from grader.core.text import capital, count, count_points, joined, percent, points, seconds, show, size

_MAX_CASES_SHOWN = 12  # cases of a test that are written out
_MAX_LISTED_OF_FOLDER = 5  # files of one folder that are named one by one


def _codes(names: Iterable[str], word: str = "") -> str:
    """Write names as code: a list, or with the word before the last one a part of a sentence."""
    written = list(map(code, names))
    return joined(written, word) if word else ", ".join(written)


_WRITERS: dict[str, Any] = {
    "capital": capital,
    "code": code,
    "codes": _codes,
    "command": lambda words: code(shlex.join(words)),
    "command_text": run.runner.command_text,
    "count": count,
    "count_points": count_points,
    "describe_repair": describe_repair,
    "fenced": fenced,
    "in_words": in_words,
    "inline": inline,
    "joined": joined,
    "kind_of": kind_of,
    "meanings": DEVIATION_MEANINGS,
    "percent": percent,
    "points": points,
    "seconds": seconds,
    "show": show,
    "size": size,
}  # what the templates write with


class _Alike(NamedTuple):
    """Cases of a test with the same expectations, which stand together."""

    described: Sequence[str]  # lines of Markdown
    cases: Sequence[Case]  # that are listed below them
    more: int  # cases that are not
    files: Sequence[tuple[str, int, Sequence[str]]]  # small input files: the name, the version and the lines
    drawn: Sequence[str]  # which of their inputs are generated
    expected: str  # in Markdown; empty where each case states its own


class _ShownTest(NamedTuple):
    """A visible test, and what is told of it besides its keys."""

    test: Test
    limits: Limits  # of most of its cases
    needs: Sequence[str]
    unlike: Sequence[str]  # both without the tests that students do not see
    weights: Sequence[str]  # the cases that count other than 1, where not all count the same
    repeats: Mapping[Repeat, int]
    further_runs: Mapping[str, int]  # in words; both with the number of cases
    has_answer: bool
    groups: Sequence[_Alike]
    tolerated: Tolerances  # other than in most tests


def to_handout(course: Course, when: str = "") -> str:
    """Write the handout of the course's spec; `when` says when it is due. Raises HostError when the reference fails."""
    course = generate_for(course, generate.NOBODY)
    spec = course.spec
    shown = [test for test in spec.tests if test.visibility == "visible"]
    cases = [case for test in shown for case in test.cases]
    limits = {test.name: mode(_limits_of(case, course) for case in test.cases) for test in shown}
    tolerate = _mostly_tolerated(shown)
    notebooks = filter(is_notebook, spec.files.required_names if spec.notebook else ())
    budget = run.measuring.TimeLedger.of(spec, course.toolchain)
    kinds = product(("hidden", "after-due"), (False, True))
    unseen = ([test for test in spec.tests if (test.visibility, test.bonus) == kind] for kind in kinds)
    page = fill_in(
        "handout.txt",
        **_WRITERS,
        spec=spec,
        when=when,
        origin=": ".join(filter(None, (spec.course, spec.source))),
        needed=", ".join(_codes(file.names, "or") for file in spec.files.required if file.costs is None),
        ours=_listed_work_files(spec.build.files if spec.build else {}),
        modules=[(name, module_name(name)) for name in notebooks],
        is_started=any(map(_starts_program, cases)),
        session=_sample_session(course, shown),
        rows=[*([test] for test in shown), *filter(None, unseen)],
        tests=[_shown_test(test, spec, tolerate, limits[test.name]) for test in shown],
        usual=mode(limits.values()) if limits else run.runner.limits_of(course.toolchain.limits, {}),
        output_factor=run.runner.OUTPUT_FACTOR if any("output" not in case.limits for case in cases) else None,
        budget=budget if budget.budget < run.measuring.time_allowed(spec, course.toolchain) else None,
        tolerate=sorted(tolerate.items(), key=lambda item: -item[1]),
    )
    return page.decode()


def _limits_of(case: Case, course: Course) -> Limits:
    """Return the limits of a case as if its answer were short."""
    return run.runner.limits_of_case(case, course.toolchain, Execution() if case.asks_reference else None)


def _mostly_tolerated(tests: Sequence[Test]) -> Tolerances:
    """Return what most of the tests tolerate in which that can happen."""
    first = [(case.tolerate, reachable(case)) for test in tests for case in test.cases[:1]]
    given = {kind: [own.get(kind, Fraction(0)) for own, able in first if kind in able] for kind in DEVIATION_MEANINGS}
    return {kind: mode(shares) for kind, shares in given.items() if shares and mode(shares)}


def _listed_work_files(files: Mapping[str, bytes]) -> str:
    """List the files of the course; of a folder with many in it their number and size."""
    folders: dict[str, list[str]] = {"": []}
    for name in files:
        folders.setdefault(name.rpartition("/")[0].partition("/")[0], []).append(name)
    listed: list[str] = []
    for folder, names in folders.items():
        total = f"({count(len(names), 'file')}, {size(sum(len(files[name]) for name in names))})"
        is_summed_up = folder and len(names) > _MAX_LISTED_OF_FOLDER
        listed += [f"{code(f'{folder}/')} {total}"] if is_summed_up else map(code, names)
    return ", ".join(listed)


def _starts_program(case: Case) -> bool:
    return case.command is None and kind_of(case).is_typed


# ---------------------------------------------------------------- a test: what is started, and what must come of it


def _shown_test(test: Test, spec: Spec, tolerate: Tolerances, limits: Limits) -> _ShownTest:
    """Look at a visible test; what most tests `tolerate` stands elsewhere."""
    cases, visible = test.cases, [shown.name for shown in spec.tests if shown.visibility == "visible"]
    needs, unlike = ([inline(name) for name in visible if name in names] for names in (test.needs, test.unlike))
    has_weights = len({case.weight for case in cases}) > 1 and not test.all_or_nothing
    further = (str(payload.extra_run) for case in cases for payload in case.also.values())
    tolerated: dict[str, Fraction] = {}
    for kind in DEVIATION_MEANINGS:
        shares = {case.tolerate.get(kind, Fraction(0)) for case in cases if kind in reachable(case)}
        if len(shares) == 1 and shares != {tolerate.get(kind, Fraction(0))}:
            (tolerated[kind],) = shares
    return _ShownTest(
        test=test,
        limits=limits,
        needs=needs,
        unlike=unlike,
        weights=[f"{inline(case.id)} ({points(case.weight)})" for case in cases if case.weight != 1 and has_weights],
        repeats=Counter(case.repeat for case in cases if case.repeat.times > 1),
        further_runs=Counter(filter(None, further)),
        has_answer=kind_of(cases[0]).has_answer,
        groups=list(_groups_of(test, spec)),
        tolerated=tolerated,
    )


def _groups_of(test: Test, spec: Spec) -> Iterator[_Alike]:
    """Put cases with the same expectations together; calls and rules state theirs one by one."""
    texts = {case.id: describe_expectation(case.expect) if kind_of(case).is_typed else "" for case in test.cases}
    ranks = {expected: rank for rank, expected in enumerate(dict.fromkeys(texts.values()))}
    ordered = test.cases if test.in_order else sorted(test.cases, key=lambda case: ranks[texts[case.id]])
    for expected, alike in groupby(ordered, lambda case: texts[case.id]):
        cases = list(alike)
        described = kind_of(cases[0]).describe_cases(cases, spec)
        if not isinstance(described, str):
            yield _Alike([*described], (), 0, (), (), expected)
            continue
        by_command = {run.runner.command_text(case, spec): case for case in cases}
        known = list(by_command.values()) if cases[0].payload and cases[0].payload.is_secret else cases
        shown, more = known[:_MAX_CASES_SHOWN], len(known[_MAX_CASES_SHOWN:])
        yield _Alike([described], shown, more, [*_small_files(shown)], _describe_generated(cases, spec), expected)


_MAX_FILE_LINES, _MAX_FILE_BYTES = 20, 2000  # of an input file whose contents are shown


def _small_files(cases: Sequence[Case]) -> Iterator[tuple[str, int, Sequence[str]]]:
    """Yield the names, versions and lines of small input files of text, once each."""
    shown: dict[str, list[bytes]] = {}
    for name, content in (item for case in cases for item in case.files.items()):
        versions = shown.setdefault(name, [])
        is_long = len(content) > _MAX_FILE_BYTES or content.count(b"\n") > _MAX_FILE_LINES
        if content in versions or is_long or b"\0" in content or content.decode(errors="ignore").encode() != content:
            continue
        versions.append(content)
        yield name, len(versions), _lines_of(content)


def _describe_generated(cases: Sequence[Case], spec: Spec) -> list[str]:
    """Describe which of the inputs shown are generated, where programs are graded with other values."""
    if not spec.seed:
        return []
    drawn = []
    numbers = {(number.name, number.low, number.high) for case in cases for number in case.generated_numbers}
    for name, low, high in sorted(numbers):
        place = f"argument {int(name[5:-1]) + 1}" if name.startswith("args[") else code(name)
        drawn.append(f"{place} is a number from {low} to {high}")
    places = {"args": "the arguments", "stdin": "standard input"}
    generated = dict.fromkeys(place for case in cases for place in case.generated_inputs)
    described = [places.get(place) or f"the file {code(place[6:])}" for place in generated]
    if any(case.is_generated and kind_of(case).runs == "harness" for case in cases):
        described.append("what the function is given")
    drawn += [f"{what} is made by a program of the course" for what in described]
    return drawn


# ---------------------------------------------------------------- a sample session: what the reference does

_MAX_LINES = 20  # lines of an output that are shown
_MAX_EXAMPLES = 6


def _sample_session(course: Course, tests: Sequence[Test]) -> list[str]:
    """Show the first case of each test that starts the program, if there is a reference; HostError when that fails."""
    firsts = [test.cases[0] for test in tests if _starts_program(test.cases[0]) and course.spec.has_references]
    examples = ((case, reference_answer(case, course)) for case in firsts[:_MAX_EXAMPLES])
    return [line for example in examples for line in _typed_example(course, *example)]


def _typed_example(course: Course, case: Case, execution: Execution) -> Iterator[str]:
    command = show(run.runner.command_text(case, course.spec))
    if execution.transcript:
        yield f"$ {command}"
        width = max(7, *(len(f"> {turn.role}") for turn in execution.transcript))
        for turn in execution.transcript:
            speaker = "other" if kind_of(case).runs == "partner" else "you"
            given = f"> {turn.role}" if turn.role else speaker
            who = given if turn.stream == "stdin" else turn.role or "program"
            for number, line in enumerate(turn_text(turn).removesuffix("\n").split("\n")):
                yield f"  {who if not number else '':{width}}  {line}".rstrip()
        return
    yield from (f"$ {command} << END", *_lines_of(case.stdin), "END") if case.stdin else (f"$ {command}",)
    for heading, output in (([], execution.stdout), (["[standard error]"], execution.stderr)):
        lines = _lines_of(output)
        yield from (*(heading if lines else ()), *lines[:_MAX_LINES])
        if len(lines) > _MAX_LINES:
            yield f"… and {len(lines) - _MAX_LINES} more lines"


def _lines_of(data: bytes) -> list[str]:
    return show(data.removesuffix(b"\n")).split("\n") if data else []


# ---------------------------------------------------------------- what is expected, in words


def describe_expectation(expect: Expectation) -> str:
    """Describe what a program must do, as the items of a list, exact texts in blocks below their items."""
    return fill_in("expectation.txt", **_WRITERS, expect=expect, exact_text=_exact_text).decode()


def _exact_text(expected: Expected) -> str | None:
    """Return the text that all of an output must be; None for what is compared in another way."""
    is_whole = isinstance(expected, Leaf) and expected.how == "text" and not expected.is_selective
    want = expected.leaves[0].want if is_whole else None
    return want[0] if want else None
