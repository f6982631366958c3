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

from grader.author.to_yaml import reference_answer
from grader.core import generate, run
from grader.core.build.artifact import describe_repair
from grader.core.comparators import in_words
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.judge.case import reachable
from grader.core.kind import kind_of
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Expectation, Expected, Leaf, Spec, Test, Tolerances
from grader.core.notebook import is_notebook, module_name
from grader.core.pipeline import Course, generate_for
from grader.core.report.document import code, fenced, inline
from grader.core.report.json import turn_text
from grader.core.text import capital, count, count_points, joined, percent, points, seconds, show, size

_MAX_CASES_SHOWN = 12  # cases of a test that are written out


def to_handout(course: Course, when: str = "") -> str:
    """Write the handout of the course's spec; `when` says when it is due. Raises HostError when the reference fails."""
    course = generate_for(course, generate.NOBODY)
    spec = course.spec
    shown = [test for test in spec.tests if test.visibility == "visible"]
    limits = {test.name: mode(_limits_of(case, course) for case in test.cases) for test in shown}
    usual = mode(limits.values()) if limits else run.runner.limits_of(course.toolchain.limits, {})
    tolerate = _mostly_tolerated(shown)
    parts = (
        _describe_assignment(spec),
        _describe_making(spec, [case for test in shown for case in test.cases]),
        _sample_session(course, shown),
        _table_of_points(spec, shown),
        *(_describe_test(test, spec, tolerate, limits[test.name], usual) for test in shown),
        _describe_usage(usual, course, shown),
        _table_of_tolerance(tolerate, spec.once),
        _describe_repairs(spec),
        ["## When it is due", "", inline(when)] if when else [],
        _how_to_check(spec),
    )
    return "\n\n".join(filter(None, ("\n".join(part).strip("\n") for part in parts))) + "\n"


def _how_to_check(spec: Spec) -> Iterator[str]:
    """Say how to get `grader`, and how to grade one's own work with the public copy."""
    file = f"specs/{spec.id}.yaml"
    yield from ("## To check it yourself", "")
    install = f"{code('pipx install fairgrader')}, or {code('pipx install .')} in a copy of its source"
    missing = f"{code('grader doctor')} says what else is missing."
    yield f"Install {code('grader')} once, on Linux with Python 3.11 or later: {install}. {missing}"
    yield from ("", f"Then, in the folder that you were given, which has {code(file)} in it:", "")
    yield from fenced([f"grader run YOUR-FOLDER --spec {file}"])


def _limits_of(case: Case, course: Course) -> Limits:
    """Return the limits of a case as if its answer were short."""
    return run.runner.limits_of_case(case, course.toolchain, Execution() if case.asks_reference else None)


def _describe_limits(limits: Limits) -> str:
    """Describe limits: "10 s, 10 s of processor time, 512 MiB of memory, ..."."""
    cpu = "" if limits.cpu == limits.time else f"{limits.cpu:g} s of processor time, "
    return (
        f"{limits.time:g} s, {cpu}{size(limits.memory, digits=6)} of memory, {size(limits.output, digits=6)} of output "
        f"on each stream and {limits.processes} processes"
    )


def _describe_usage(usual: Limits, course: Course, tests: Sequence[Test]) -> Iterator[str]:
    """Describe what a run may use, that long output is allowed without a limit, and how long all runs may take."""
    allowed = _describe_limits(usual)
    yield from ("## Limits", "", f"One run may use {allowed}. A run that needs more is stopped, and gets no points.")
    if any("output" not in case.limits for test in tests for case in test.cases):
        yield f"If the expected output is long, a program may write {run.runner.OUTPUT_FACTOR} times as much as that."
    budget = run.measuring.TimeLedger.of(course.spec, course.toolchain)
    if budget.budget < run.measuring.time_allowed(course.spec, course.toolchain):
        what = "runs that were ended at a limit have" if budget.of_ended else "all runs together have"
        yield f"When {what} taken more than {seconds(budget.budget)}, the rest is not run."


def _mostly_tolerated(tests: Sequence[Test]) -> Tolerances:
    """Return what most of the tests tolerate in which that can happen."""
    first = [(case.tolerate, reachable(case)) for test in tests for case in test.cases[:1]]
    given = {kind: [own.get(kind, Fraction(0)) for own, able in first if kind in able] for kind in DEVIATION_MEANINGS}
    return {kind: mode(shares) for kind, shares in given.items() if shares and mode(shares)}


# ---------------------------------------------------------------- the assignment


def _describe_assignment(spec: Spec) -> Iterator[str]:
    """Describe the assignment, where it comes from, and the files to hand in."""
    yield f"# {inline(spec.title)}"
    if origin := ": ".join(filter(None, (spec.course, spec.source))):
        yield from ("", inline(origin))
    if spec.about:
        yield from ("", inline(spec.about))
    rules, build = spec.files, spec.build
    required = [(file.costs, joined(list(map(code, file.names)), "or")) for file in rules.required]
    needed = ", ".join(names for costs, names in required if costs is None)
    priced = [(names, count_points(cost), "is" if cost == 1 else "are") for cost, names in required if cost is not None]
    replaced = "What you hand in under these names is replaced."
    named = [
        ("Required", needed, "Without these nothing can be graded."),
        *(("Required", names, f"Without it {costs} {verb} taken off.") for names, costs, verb in priced),
        ("Allowed as well", _codes(rules.optional), ""),
        ("Not allowed", _codes(rules.forbidden), "A submission with one of these is not graded."),
        ("Put there by us", _listed_work_files(build.files if build else {}), replaced),
        ("On the class path, for you to use", _codes(build.jars if build else ()), ""),
        ("Removed before the build", _codes(rules.discard), "There is no need to hand these in."),
    ]
    if any(names for _, names, _ in named):
        yield from ("", "## What to hand in", "")
    yield from (f"- {title}: {names}. {note}".rstrip() for title, names, note in named if names)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code, names))


_MAX_LISTED_OF_FOLDER = 5  # files of one folder that are named one by one


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


def _describe_repairs(spec: Spec) -> Iterator[str]:
    """Describe what is repaired, for whom, and what that costs."""
    if not spec.repairs:
        return
    yield from ("## What is repaired", "", "What cannot be built or started as it was handed in is tried again:", "")
    troubles = {"build-failed": "If the build fails", "cannot-start": "If what was built cannot be started"}
    for repair in spec.repairs:
        trouble = troubles.get(repair.when) or f"Without {joined(list(map(code, repair.missing)))}"
        yield f"- {trouble}: {inline(describe_repair(repair))}"
    most = min(spec.max_repairs, len(spec.repairs))
    combined = f" If none helps alone, up to {most} of them are combined, each at its price." if most > 1 else ""
    yield from ("", f"The first of these that helps is used, and the report names it.{combined}")


def _describe_making(spec: Spec, cases: Sequence[Case]) -> Iterator[str]:
    yield from ("## How it is built and started", "")
    if spec.build:
        commands = " and then ".join(code(shlex.join(command)) for command in spec.build.run)
        clause = f", which has to make {_codes(spec.build.produces)}" if spec.build.produces else ""
        yield f"It is built with {commands}{clause}."
    elif not spec.notebook:
        yield "There is nothing to build."
    for name in filter(is_notebook, spec.files.required_names if spec.notebook else ()):
        clause = f"The cells of {code(name)} with code in them become the module {code(module_name(name))}"
        yield f"{clause}, from top to bottom. Cells are numbered as after `Restart Kernel and Run All Cells`."
    if any(_starts_program(case) for case in cases):
        yield f"It is started with {code(shlex.join(spec.program))}; the arguments follow."
    if spec.requires:
        names = joined([code(name) for name in spec.requires])
        yield f"It may import {names}, which {'is' if len(spec.requires) == 1 else 'are'} installed."
    own = ", but where a test says that it shares one" if any(test.in_order for test in spec.tests) else ""
    yield f"Every run has a new folder of its own{own}, and no network."


def _starts_program(case: Case) -> bool:
    return case.command is None and kind_of(case).is_typed


def _table_of_points(spec: Spec, shown: Sequence[Test]) -> Iterator[str]:
    def worth(tests: Sequence[Test]) -> str:
        given = points(sum((test.points for test in tests), Fraction(0)))
        costs = sum((test.costs or Fraction(0) for test in tests), Fraction(0))
        return f"{given}, or up to {points(costs)} off" if costs else given + " (bonus)" * tests[0].bonus

    yield from ("## Points", "", "| test | points |", "|:--|--:|")
    yield from (f"| {inline(test.name, is_cell=True)} | {worth([test])} |" for test in shown)
    # Of the tests that students do not see, each kind is one line, with what may be said of it.
    whens = {"hidden": "not shown", "after-due": "shown after the due date"}
    for (visibility, when), bonus in product(whens.items(), (False, True)):
        if alike := [test for test in spec.tests if test.visibility == visibility and test.bonus == bonus]:
            yield f"| {count(len(alike), 'more test')}, {when} | {worth(alike)} |"
    yield f"| **all** | **{points(spec.max_score)}** |"


def _table_of_tolerance(tolerate: Tolerances, once: Sequence[str]) -> Iterator[str]:
    yield from ("## What is tolerated", "")
    if not tolerate:
        yield "Nothing: what a program writes has to be exactly what is asked for, unless a test says otherwise."
        return
    yield from ("| if this is all that differs | a case keeps |", "|:--|--:|")
    rows = sorted(tolerate.items(), key=lambda item: -item[1])
    yield from (f"| {inline(DEVIATION_MEANINGS[kind].removesuffix('.'))} | {percent(share)} |" for kind, share in rows)
    yield from ("", "If two of these differ, their shares are multiplied. Any other difference leaves nothing.")
    if once:
        sentence = "However many tests have them, these cost points in one test alone, where they cost the most:"
        yield from ("", sentence, "", *(f"- {inline(DEVIATION_MEANINGS[kind])}" for kind in once))


# ---------------------------------------------------------------- a test: what is started, and what must come of it


def _rules_of(test: Test, spec: Spec) -> str:
    """Describe what decides about the points of a test: its cases together, those before, repeated runs."""
    cases, visible = test.cases, [shown.name for shown in spec.tests if shown.visibility == "visible"]
    needed, unlike = ([inline(name) for name in visible if name in names] for names in (test.needs, test.unlike))
    counts = [f"{inline(case.id)} ({points(case.weight)})" for case in cases if case.weight != 1]
    has_weights = len({case.weight for case in cases}) > 1 and not test.all_or_nothing
    steps = [(step.right, "their share" if step.share is None else percent(step.share)) for step in test.credit]
    rules = (
        (test.about, inline(test.about)),
        (test.all_or_nothing and len(cases) > 1, "All of it has to be right: there are no points for a part."),
        (test.scoring, "The points come from a program of the course, which is told how each case ended."),
        *(
            (right, f"With {count(right, 'right case')} or more there is {share} of the points.")
            for right, share in steps
        ),
        (has_weights, f"Not all cases count the same: {joined(counts)}, and every other case 1."),
        (needed, f"It is run only when {' and '.join(needed)} passed."),
        (unlike, f"While nothing is right in {joined(unlike, 'or')}, what the program writes there is not right here."),
    )
    return " ".join((*(sentence for applies, sentence in rules if applies), *_describe_runs(test)))


def _describe_test(test: Test, spec: Spec, tolerate: Tolerances, limits: Limits, usual: Limits) -> Iterator[str]:
    """Describe a visible test; `tolerate` and the `usual` limits stand elsewhere."""
    scored = f"{count_points(test.points)}{', as a bonus' if test.bonus else ''}" if test.points else "not scored"
    scored = f"takes up to {count_points(test.costs)} off" if test.costs else scored
    yield f"## {inline(test.name)}: {scored}"
    if paragraph := _rules_of(test, spec):
        yield from ("", paragraph)

    # Cases with the same expectations stand together; calls and rules state theirs one by one.
    def expected_in(case: Case) -> tuple[str, ...]:
        return tuple(describe_expectation(case.expect)) if kind_of(case).is_typed else ()

    ranks = {expected: rank for rank, expected in enumerate(dict.fromkeys(map(expected_in, test.cases)))}
    cases = test.cases if test.in_order else sorted(test.cases, key=lambda case: ranks[expected_in(case)])
    for expected, alike in groupby(cases, expected_in):
        yield from ("", *_describe_cases(list(alike), spec))
        if expected:
            yield from ("", "Expected:", "", *expected)
    for kind in DEVIATION_MEANINGS:
        shares = {case.tolerate.get(kind, Fraction(0)) for case in test.cases if kind in reachable(case)}
        if len(shares) == 1 and shares != {tolerate.get(kind, Fraction(0))}:
            yield from ("", f"Tolerated here: {inline(DEVIATION_MEANINGS[kind])} This keeps {percent(*shares)}.")
    if limits != usual:
        yield from ("", f"Here one run may use {_describe_limits(limits)}.")


def _describe_runs(test: Test) -> Iterator[str]:
    """Describe repeated runs, and when the rest of a test is skipped."""
    cases = test.cases
    if test.in_order:
        yield "Its cases share one folder, in this order: each finds what the one before left there."
    for repeat in dict.fromkeys(case.repeat for case in cases if case.repeat.times > 1):
        which = "All of it" if all(case.repeat == repeat for case in cases) else "Some of it"
        what = "what comes most often" if repeat.counts == "most" else f"the {repeat.counts} run"
        yield f"{which} is run {repeat.times} times, and {what} counts."
    also = Counter(name for case in cases for name in case.also)
    for name, number in also.items():
        if text := next(str(case.also[name].extra_run) for case in cases if name in case.also):
            yield f"{'Every run' if number == len(cases) else 'Some of it'} {text}."
    if both := [case.both for case in cases if case.both]:
        which = "All of it" if len(both) == len(cases) else "Some of it"
        yield f"{which} is run through a pipe and on a terminal, and has to be right in both ways."
    if test.stops and len(cases) > 1:
        yield "It ends at the first case that fails; the rest is not run, which changes no points."
    elif test.patience is not None and len(cases) > test.patience and kind_of(cases[0]).has_answer:
        yield f"When {count(test.patience, 'case')} in a row ran out of time, the rest is not run."


def _describe_cases(cases: Sequence[Case], spec: Spec) -> Iterator[str]:
    described = kind_of(cases[0]).describe_cases(cases, spec)
    if not isinstance(described, str):
        yield from described
        return
    yield described
    yield ""
    by_command = {run.runner.command_text(case, spec): case for case in cases}
    known = list(by_command.values()) if cases[0].payload and cases[0].payload.is_secret else cases
    for case in known[:_MAX_CASES_SHOWN]:
        start = describe_start(case, spec) if kind_of(case).is_typed else ""
        yield f"- {start}{kind_of(case).describe_case(case, spec)}"
    if len(known) > _MAX_CASES_SHOWN:
        yield f"- and {len(known) - _MAX_CASES_SHOWN} more"
    yield from _small_files(known[:_MAX_CASES_SHOWN])
    yield from _describe_generated(cases, spec)


_MAX_FILE_LINES, _MAX_FILE_BYTES = 20, 2000  # of an input file whose contents are shown


def _small_files(cases: Sequence[Case]) -> Iterator[str]:
    """Show the contents of small input files of text, once each; of another version of one, it is said which."""
    shown: dict[str, list[bytes]] = {}
    for name, content in (item for case in cases for item in case.files.items()):
        versions = shown.setdefault(name, [])
        is_long = len(content) > _MAX_FILE_BYTES or content.count(b"\n") > _MAX_FILE_LINES
        if content in versions or is_long or b"\0" in content or content.decode(errors="ignore").encode() != content:
            continue
        versions.append(content)
        title = f"{code(name)} (version {len(versions)})" if len(versions) > 1 else code(name)
        yield from ("", f"{title}:", "", *fenced(_lines_of(content))) if content else ("", f"{title} is empty.")


def _describe_generated(cases: Sequence[Case], spec: Spec) -> Iterator[str]:
    """Describe which of the inputs shown are generated, where programs are graded with other values."""
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
    if spec.seed and drawn:
        whom = ", for each student apart" if spec.seed == "student" else ""
        yield from ("", f"These are examples. What counts is drawn{whom}: {joined(drawn)}.")


def describe_start(case: Case, spec: Spec) -> str:
    """Describe the command of a case and the program's surroundings, as one line of Markdown."""
    text = code(run.runner.command_text(case, spec))
    if case.env:
        text += f", with {', '.join(code(f'{name}={value}') for name, value in case.env.items())}"
    if case.stdin:
        text += f", with {code(case.stdin.decode(errors='backslashreplace'))} on standard input"
    if case.files:
        text += f", beside {', '.join(map(code, sorted(case.files)))}"
    return text


# ---------------------------------------------------------------- a sample session: what the reference does

_MAX_LINES = 20  # lines of an output that are shown
_MAX_EXAMPLES = 6


def _sample_session(course: Course, tests: Sequence[Test]) -> Iterator[str]:
    """Show the first case of each test that starts the program, if there is a reference; HostError when that fails."""
    firsts = [test.cases[0] for test in tests if _starts_program(test.cases[0]) and course.spec.has_references]
    examples = ((case, reference_answer(case, course)) for case in firsts[:_MAX_EXAMPLES])
    lines = [line for example in examples for line in _typed_example(course, *example)]
    if lines:
        yield from ("## A sample session", "", *fenced(lines))
    if "[standard error]" in lines:
        yield from ("", "Lines below `[standard error]` are written to that stream, all others to standard output.")


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

_MAX_LINES_OF_TEXT = 40  # lines of an exact text
_STATUSES = {"success": "0", "failure": "any but 0", "reference": "that of the course's own solution"}


def describe_expectation(expect: Expectation) -> Iterator[str]:
    """Describe what a program must do, as the items of a list, exact texts in blocks below their items."""
    for _, name, _, expected in expect.streams:
        if expected is not None:
            yield from _describe_content(f"- {capital(name)}:", expected)
    if expect.exit != "any":
        status, crash = expect.exit, ""
        if status != "success" and (isinstance(status, str) or any(status)):  # an uncaught exception may be such an end
            crash = f" An uncaught exception {'counts too' if expect.crash == 'allowed' else 'does not count'}."
        wanted = _STATUSES[status] if isinstance(status, str) else " or ".join(map(str, status))
        yield f"- Exit status: {wanted}.{crash}"
    if files := expect.files:
        for must, names in (("must", files.present), ("must not", files.absent)):
            yield from [f"- Afterwards there {must} be {_codes(names)}."] if names else ()
        for name, content in files.contents.items():
            yield from _describe_content(f"- The file {code(name)}:", content)


def _describe_content(title: str, expected: Expected) -> Iterator[str]:
    """Describe a text: an exact one in a block, nothing, or what it is compared by."""
    is_whole = isinstance(expected, Leaf) and expected.how == "text" and not expected.is_selective
    want = expected.leaves[0].want if is_whole else None
    if want is None:
        yield f"{title} {in_words(expected, code)}."
    elif not want[0]:
        yield f"{title} nothing."
    else:
        lines = show(want[0].removesuffix("\n")).split("\n")
        without = "" if want[0].endswith("\n") else ", without a newline at the end"
        yield f"{title} exactly{without}"
        yield from ("", *(f"  {line}" for line in fenced(lines[:_MAX_LINES_OF_TEXT])))
        if len(lines) > _MAX_LINES_OF_TEXT:
            yield f"  and {len(lines) - _MAX_LINES_OF_TEXT} more lines."
