"""What is wrong with a spec: each function finds one kind of flaw.

First tests whose outcome is fixed, then settings without effect, rules that students cannot know, and texts that people
read and copy; last what only running the instructor's functions or the reference can show.
"""

import math
import re
import shlex
import unicodedata
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from fractions import Fraction

from msgspec.structs import replace

from grader.check.by_reference import hint_of_lines, timed_answers
from grader.check.expected_results import ROOM, NearestLimit, ReferenceResult, nearest_limit
from grader.check.samples import find_witnesses, read_samples
from grader.check.second_answers import describe_doubt
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import languages, run
from grader.core.build.layout import covering
from grader.core.comparators.regex import matches_everything
from grader.core.comparators.tokens import Closeness
from grader.core.deviations.table import DEVIATIONS
from grader.core.errors import GraderError
from grader.core.judge.case import reachable
from grader.core.kind import KINDS, kind_of
from grader.core.model.judgement import Verdict
from grader.core.model.layout import Change
from grader.core.model.payload import Payload
from grader.core.model.spec import Case, Expected, ExpectedFiles
from grader.core.reader.files import read_data
from grader.core.text import count, listed, one_line, points, quote, seconds, size
from grader.core.yaml.nodes import entries_of
from grader.core.yaml.value import key_path
from grader.kinds.sources import NOTEBOOK_SOURCES

# ---------------------------------------------------------------- outcomes that are fixed


_ANY_OUTPUT = "any output of any program is right"


@lint_rule("warning", "never-fails")
def tests_that_never_fail(subject: Subject) -> Iterator[Flaw]:
    """A test that every program passes gives points away and tells nobody anything."""
    for path, test in subject.tests():
        sure = [case for case in test.cases if all(case.tolerate.get(kind) == 1 for kind in reachable(case))]
        is_whole = len(sure) == len(test.cases)
        # Those that leave something for the next may be there for that alone.
        alone = [case for case in sure if not test.in_order or case is test.cases[-1]]
        places = {path: sure[0]} if is_whole else {subject.path(case): case for case in alone}
        for place, case in places.items():
            keeps_all = "everything that may be wrong keeps all of the credit"
            patterns = [asked.want[0] for _, asked in case.texts if asked.how == "regex" and asked.want]
            anything = f"the pattern {quote(patterns[0])} matches any text" if patterns else _ANY_OUTPUT
            why = keeps_all if reachable(case) else anything
            what = "this test" if is_whole else "this case"
            yield place, f"{why}: only a crash or a limit can fail {what}; expect what a wrong one lacks"


@lint_rule("warning", "silence-passes")
def silent_programs(subject: Subject) -> Iterator[Flaw]:
    """What only must not be written is not written by a program that does nothing either."""
    for case in (case for test in subject.spec.tests for case in test.cases):
        expect = case.expect
        if expect.exit != "any" or expect.files or kind_of(case).runs != "program":
            continue
        streams = [asked for _, _, _, asked in expect.streams if asked and asked.is_checked]
        if streams and not any(asked.leaves for asked in streams):
            message = "a program that writes nothing is right here: say beside not, in all, what must be written"
            yield subject.path(case, "expect"), message


@lint_rule("warning", "failure-alone")
def failing_programs(subject: Subject) -> Iterator[Flaw]:
    """An exit status alone is what a program has that fails for another reason, or that does nothing else."""
    for case in (case for test in subject.spec.tests for case in test.cases):
        expect, status = case.expect, case.expect.exit
        may_succeed = status in ("any", "success", "reference") or (isinstance(status, tuple) and 0 in status)
        if may_succeed or expect.files or kind_of(case).runs != "program":
            continue
        if all(leaf.want == ("",) for _, _, _, asked in expect.streams if asked for leaf in asked.leaves):
            ends = "with a failure" if status == "failure" else f"with status {' or '.join(map(str, status))}"
            message = f"a program that only ends {ends}, whatever it is given, is right here: ask for a message as well"
            yield subject.path(case, "expect.exit", "expect"), message


@lint_rule("error", "never-passes")
def tests_that_never_pass(subject: Subject) -> Iterator[Flaw]:
    """A test that contradicts itself, or another, costs points that nobody can get."""
    files = subject.spec.files
    needed = [one.names[0] if len(one.names) == 1 and one.costs is None else "" for one in files.required]
    for place, name in enumerate(needed):
        if not _is_glob(name) and covering(name, files.forbidden):
            yield f"files.required[{place}]", f'"{name}" is forbidden as well, so that nothing is ever built: drop one'
        elif _is_glob(name) and name in files.discard:
            yield f"files.required[{place}]", f'"{name}" is discarded before it is looked for: drop one of the two'
    hopeless: set[str] = set()
    for path, test in subject.tests():
        for place, need in enumerate(test.needs):
            if need in hopeless:
                yield (
                    f"{path}.needs[{place}]",
                    f'"{need}" can never pass, so this test is always skipped: mend that one',
                )
        # Cases that are written once and stand for many have one flaw, not many.
        found = dict(flaw for case in test.cases for flaw in _contradictions(subject, case))
        yield from found.items()
        if found or not hopeless.isdisjoint(test.needs):
            hopeless.add(test.name)


def _is_glob(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _contradictions(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find what no program can do: with its files, within its limits, and by what its kind asks."""
    files = case.expect.files or ExpectedFiles()
    for pattern in files.absent:
        for name in (*files.present, *files.contents):
            if name == pattern or (not _is_glob(name) and fnmatchcase(name, pattern)):
                message = f'"{name}" must be there and, by "{pattern}", must not: take one of the two out'
                yield subject.path(case, "expect.files.absent", "expect.files"), message
                break
    most = case.limits.get("output")
    if most is not None and 1 not in case.tolerate.values():
        for name, _, _, stream in case.expect.streams:
            least = _shortest(stream) if stream else 0
            if least > most:
                problem = f"the expected text has {least} bytes, and the limit of the output is {int(most)}"
                yield subject.path(case, f"expect.{name}", "expect"), f"{problem}: raise the limit"


def _shortest(stream: Expected) -> int:
    """Return how many bytes the shortest right output has, without what every tolerance may leave out."""
    known = [leaf.want if leaf.how in ("text", "lines") and not leaf.is_selective else None for leaf in stream.leaves]
    return min((sum(len(text.encode(errors="surrogatepass")) for text in want or ()) for want in known), default=0)


# ---------------------------------------------------------------- what has no effect, what students cannot know


@lint_rule("warning", "ignored-expectation")
def ignored_expectations(subject: Subject) -> Iterator[Flaw]:
    """Something is asked for that is never looked at, so that the test is weaker than it reads."""
    for case in (case for test in subject.spec.tests for case in test.cases):
        for key, asked in case.texts:
            for name, pattern, effect in (("only", asked.only, "chosen"), ("skip", asked.skip, "left out")):
                if pattern and matches_everything(pattern):
                    path = subject.path(case, f"expect.{key}", "expect")
                    yield path, f"every line is {effect} by {name}, whatever it says: write what those lines have"
        if case.expect.crash == "allowed" and not _may_fail(case):
            path = subject.path(case, "expect.crash", "expect")
            yield path, "an uncaught exception never ends with status 0: leave out crash, or expect another status"


def _may_fail(case: Case) -> bool:
    """Whether a status that is not 0 leaves any credit."""
    status = case.expect.exit
    is_only_zero = status == "success" or (isinstance(status, tuple) and not any(status))
    return not is_only_zero or bool(case.tolerate.get("exit-status"))


@lint_rule("warning", "unreachable-tolerance")
def unreachable_tolerances(subject: Subject) -> Iterator[Flaw]:
    """A tolerance without effect misleads whoever reads the spec about what is forgiven."""
    cases = [(case.path, case) for test in subject.spec.tests for case in test.cases]
    for path in subject.nodes:
        holder, _, kind = path.rpartition(".")
        if kind not in DEVIATIONS or not re.fullmatch(r"(?:.*\.)?tolerate", holder):
            continue
        above = holder.removesuffix("tolerate")
        below = [case for place, case in cases if f"{place}.".startswith(above)]
        if below and not any(kind in reachable(case) for case in below):
            where = "no test" if holder == "tolerate" else "nothing here"
            yield path, f"{where} can have this deviation: drop it, or compare in a way that can tell it"
    yield from _idle_closeness(subject)


def _idle_closeness(subject: Subject) -> Iterator[Flaw]:
    """Find how far numbers may be off where none is wanted."""
    for case in (case for _, test in subject.tests() for case in test.cases):
        for key, asked in case.texts:
            is_close = asked.how in ("tokens", "lines") and not asked.get(Closeness).is_exact
            if is_close and asked.want and not any(re.search(r"\d", word) for word in asked.want):
                path = subject.path(case, f"expect.{key}", "expect")
                yield path, "there is no number among these words, so that its tolerance does nothing: drop it"


@lint_rule("warning", "idle-hint")
def unreachable_hints(subject: Subject) -> Iterator[Flaw]:
    """A hint for what cannot happen is read by nobody; often another name was meant."""
    for path, test in subject.tests():
        possible = {kind for case in test.cases for kind in reachable(case)}
        for name in test.hint:
            if name in DEVIATIONS and name not in possible:
                message = "no case here can have this deviation: drop the hint, or compare in a way that can tell it"
                yield f"{path}.hint.{name}", message


@lint_rule("warning", "idle-adjustment")
def idle_adjustments(subject: Subject) -> Iterator[Flaw]:
    """An adjustment, a repair or a cost without effect, or with all of it, is hardly what was meant."""
    for place, (name, one) in enumerate(subject.spec.adjustments.items()):
        if one.change == Change() and not one.points:
            message = f"nothing is changed for {one_line(name)}: say under rename, with, prepare, run or points what is"
            yield f"adjustments[{place}]", message
    most = subject.spec.max_score
    for place, file in enumerate(subject.spec.files.required):
        if file.costs is not None and (not file.costs or file.costs > most):
            problem = "costs nothing: put it under optional" if not file.costs else "costs more than there is"
            yield f"files.required[{place}].costs", f"a missing file {problem}, or change the points"
    for path, test in subject.tests():
        if test.costs > most:
            yield f"{path}.costs", "this costs more than there is: take less off, or change the points"
    listed_under = "repairs.try" if "repairs.try" in subject.nodes else "repairs"
    for place, repair in enumerate(subject.spec.repairs):
        if repair.costs > most or not repair.keeps:
            message = "nothing is left of the points, so that it is of no use: let it keep some"
            yield f"{listed_under}[{place}]", message
    if "repairs.at-most" in subject.nodes and subject.spec.max_repairs > len(subject.spec.repairs):
        there = count(len(subject.spec.repairs), "repair")
        yield "repairs.at-most", f"there {'is' if there.startswith('1 ') else 'are'} only {there}: leave out at-most"


@lint_rule("warning", "replaced-file")
def replaced_files(subject: Subject) -> Iterator[Flaw]:
    """A file is asked for that does not count: the course's own is put in its place."""
    files = subject.spec.build.files if subject.spec.build else {}
    for place, one in enumerate(subject.spec.files.required):
        if files.keys() & set(one.names):
            yield (
                f"files.required[{place}]",
                "build: {with: ...} replaces this: ask for it, or put it there, but not both",
            )


@lint_rule("warning", "unasked-file")
def unasked_files(subject: Subject) -> Iterator[Flaw]:
    """A file that is looked at under a name that nobody has been told costs everybody the points."""
    files = subject.spec.files
    known = [name for one in files.required for name in one.names] + list(files.optional)
    for path, test in subject.tests():
        asked = {name for case in test.cases if case.payload for name in case.payload.sources}
        asked -= set(NOTEBOOK_SOURCES if subject.spec.notebook else ())
        for name in sorted(asked) if known else ():
            if not any(fnmatchcase(name, one) or fnmatchcase(one, name) for one in known):
                key = kind_of(test.cases[0]).name
                yield f"{path}.{key}.files", f"nobody is asked to hand in {name}: is it another name under files?"


@lint_rule("warning", "idle-default")
def idle_defaults(subject: Subject) -> Iterator[Flaw]:
    """A default without effect makes readers believe that it holds somewhere."""
    for key, node in entries_of(subject.nodes.get("defaults")).items():
        paths = [key_path(key, name) for name in entries_of(node)] if key in ("env", "files", "expect") else [key]
        for path in paths:
            same = ("run", "terminal") if path in ("run", "terminal") else (path,)
            if not any(
                ("terminal" if key == "run" else key) not in (kind := kind_of(case)).beside
                and (key == "run" or kind.goes_with is None or key in kind.goes_with)
                and not any(f"{holder}.{name}" in subject.nodes for holder in holders for name in same)
                for case, holders in subject.holders()
            ):
                yield f"defaults.{path}", "no case has this: each says otherwise, or cannot use it; drop it"


@lint_rule("warning", "ineffective-once")
def ineffective_once(subject: Subject) -> Iterator[Flaw]:
    """A deviation that cannot be charged twice is charged once anyway; perhaps its tolerance was forgotten."""
    for place, kind in enumerate(subject.spec.once):
        charging = [
            test.name
            for _, test in subject.tests()
            if any(kind in reachable(case) and 0 < case.tolerate.get(kind, 0) < 1 for case in test.cases)
        ]
        if len(charging) <= 1:
            where = f'only "{charging[0]}" charges' if charging else "no test charges"
            yield (
                f"once[{place}]",
                f"{where} a part of the credit for it, so that it is never charged twice: drop it, or tolerate a part",
            )


@lint_rule("warning", "idle-patience")
def ineffective_early_stop(subject: Subject) -> Iterator[Flaw]:
    """A patience without effect makes readers believe that cases are skipped."""
    bound = [(path, test) for path, test in subject.tests() if f"{path}.patience" in subject.nodes]
    for path, test in bound:
        if len(test.cases) <= (test.patience or 1):
            cases = count(len(test.cases), "case")
            yield f"{path}.patience", f"this test has {cases}, so that none is ever skipped by this: drop it"
    for path, test in subject.tests():
        if len(test.cases) == 1 and (test.in_order or test.stops):
            why = "goes on with what it leaves" if test.in_order else "is ever skipped by this"
            yield (
                f"{path}.{'in-order' if test.in_order else 'stop'}",
                f"this test has one case, so that none {why}: drop it",
            )
        elif test.stops and f"{path}.patience" in subject.nodes:
            yield f"{path}.patience", "the test ends at its first failure, and that comes before this: drop it"
    others = [test for path, test in subject.tests() if f"{path}.patience" not in subject.nodes]
    if "patience" in subject.nodes and all(len(test.cases) <= (test.patience or 1) for test in others):
        yield (
            "patience",
            "no test has more cases than that and does not say otherwise, so that this is of no use: drop it",
        )


@lint_rule("warning", "idle-budget")
def idle_budgets(subject: Subject) -> Iterator[Flaw]:
    """A budget without effect makes readers believe that cases are skipped."""
    spec = subject.spec
    if spec.budget is None:
        return
    toolchain = languages.toolchain(
        spec.toolchain, languages.with_own(read_data(languages.TOOLCHAINS_FILE), spec.languages)
    )
    allowed = run.measuring.time_allowed(spec, toolchain)
    # To run all is of use where without a word about it something would be skipped.
    least = (
        spec.budget
        if math.isfinite(spec.budget)
        else run.measuring.TimeLedger.of(replace(spec, budget=None), toolchain).budget
    )
    if allowed <= least:
        problem = f"the limits of all runs together allow {seconds(allowed)}"
        yield "budget", f"{problem}, so that none is ever skipped by this: drop it, or ask for less"


@lint_rule("warning", "repeated-case")
def repeated_cases(subject: Subject) -> Iterator[Flaw]:
    """A case that is there twice counts twice and tests nothing new; often a variable was forgotten."""
    first: dict[str, str] = {}
    by_path: dict[str, list[tuple[str, str]]] = {}
    for test in subject.spec.tests:
        for case in test.cases:
            # Written out, for 1 and true are equal, and other arguments.
            given = (replace(one, id="", path="") for one in (*test.earlier(case), case))
            if (before := first.setdefault(repr([*given]), case.id)) != case.id:
                by_path.setdefault(subject.path(case), []).append((case.id, before))
    for path, pairs in by_path.items():
        case_id, before = pairs[0]
        others = f", and {len(pairs) - 1} more like it" if len(pairs) > 1 else ""
        yield path, f"`{case_id}` is the same as `{before}`{others}: it tests nothing new; change it or take it out"


_MAX_FEATURES = 4  # named in one remark


@lint_rule("warning", "hidden-feature")
def hidden_features(subject: Subject) -> Iterator[Flaw]:
    """What only hidden tests ask for, students cannot have tried."""
    tests = list(subject.tests())
    shown = [test for _, test in tests if test.visibility == "visible"]
    if not shown:
        yield "tests", "every test is hidden: students see nothing of what is asked; make one visible"
        return
    known = {feature for test in shown for case in test.cases for feature in _features(case)}
    for path, test in tests:
        found = dict.fromkeys(feature for case in test.cases for feature in _features(case) if feature not in known)
        if test.visibility != "visible" and found:
            features = " and ".join(list(found)[:_MAX_FEATURES])
            message = f"only hidden tests have {features}, so students cannot know of it: show it in a visible test"
            yield f"{path}.visibility", message


def _features(case: Case) -> Iterator[str]:
    """Iterate over what is special about a case, as far as a student has to know of it."""
    yield from (f"the option {one_line(arg)}" for arg in case.args if re.match(r"--?[A-Za-z]", arg))
    yield from (f"the environment variable {name}" for name in case.env)
    kind, payload = kind_of(case), case.payload or Payload()
    present = {
        "standard input": case.stdin,
        "files beside the program": case.files,
        "a terminal": (case.terminal and not kind.is_on_terminal) or case.both,
        **dict.fromkeys(payload.features, True),
        f"the command `{one_line(shlex.join(case.command or ()))}`": case.command,
        "an exit status": case.expect.exit != "any",
        "files that the program leaves": case.expect.files,
    }
    yield from (feature for feature, is_there in present.items() if is_there)
    yield from (f"the function `{name}`" for name in payload.called)
    for _, name, _, stream in case.expect.streams:
        if stream and stream.is_checked:
            yield name
            yield from (f"the comparator {one.how}" for one in (*stream.leaves, *stream.denied))


# ---------------------------------------------------------------- what people read and copy

_LOOKS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", 'looks like "-"'),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000", "looks like a blank"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc", 'looks like "\'"'),
    **dict.fromkeys("\u201c\u201d\u201e\u201f", "looks like '\"'"),
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", "cannot be seen"),
}
_STRANGE = re.compile(f"[{''.join(_LOOKS)}]")
_TEXT_KEYS = ("args", "stdin", "env", "files", "command", "expect", "each")
_KIND_KEYS = (kind.key for kind in KINDS.values() if kind.has_payload)
_FOR_PROGRAMS = re.compile(  # the paths of texts that programs get, or that are compared with their output
    r"(?:program|reference)(?:\[\d+\])?"
    rf"|(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)\.(?:{'|'.join((*_TEXT_KEYS, *_KIND_KEYS))})\b.*"
)


@lint_rule("warning", "typographic")
def typographic_characters(subject: Subject) -> Iterator[Flaw]:
    """A dash or quotation mark of a word processor: students type the plain one, and lose the points."""
    for path, text in subject.texts.items():
        if _FOR_PROGRAMS.fullmatch(path) and (found := _STRANGE.search(text)):
            yield path, f"{_looks_of(found)}; write what students type"
    seen = set()
    for answer in subject.answers:
        case, execution = answer.case, answer.execution
        if execution is None:
            continue
        path = subject.path(case, "expect")
        for name, _, stream, asked in case.expect.streams:
            output = execution.stdout if stream == "stdout" else execution.stderr
            if not asked or not asked.asks_reference or (path, name) in seen:
                continue
            if found := _STRANGE.search(output.decode(errors="replace")):
                seen.add((path, name))
                yield path, f"{name} of the reference in `{case.id}`: {_looks_of(found)}; write what students type"


def _looks_of(found: re.Match[str]) -> str:
    character, before = found[0], found.string[: found.start()]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    name = unicodedata.name(character).lower()
    return f"line {line}, character {column} is U+{ord(character):04X} ({name}), which {_LOOKS[character]}"


_AMOUNT = r"(\d+(?:\.\d+)?)\s+(?:points?|pts|marks?)\b"
_AMOUNT_BEFORE = r"(?:\(|\b(?:worth|for|gives?|gets?|earns?|scores?|makes?|there are|out of|totals?|total of)\s+)"
_NO_PLACE = r"(?!\s+(?:each|apiece|per|every|off|of|on|at|from|inside|outside|in (?:the|an?))\b)"
_AMOUNT_BEHIND = r"(?=\s+(?:in all|in total|altogether|together|for)\b(?!\s+(?:each|every)\b))"
_IN_TOTAL = r"\b(?:total|max(?:imum)?) (?:points|marks)(?: (?:is|are|of))?\s*[:=]?\s*(\d+(?:\.\d+)?)\b"
_STATED_POINTS = re.compile(
    rf"(?i){_AMOUNT_BEFORE}{_AMOUNT}{_NO_PLACE}|(?<![\w.,-]){_AMOUNT}{_AMOUNT_BEHIND}|{_IN_TOTAL}"
)
"""a number of points to be had; other points are places, and "2 points each" may be each of anything"""
_AT_THE_END = re.compile(rf"(?i)[(\[,:;\u2013\u2014-]\s*{_AMOUNT}\s*[)\]]?$")
"""a number of points in a title: "Lab 3, 100 points" """


@lint_rule("warning", "points-told")
def wrong_points_stated(subject: Subject) -> Iterator[Flaw]:
    """The description tells students another number of points than they can get."""
    tests = subject.spec.tests
    for path, test in subject.tests():
        for key, stated in (("about", _stated_points(test.about)), ("name", _points_of_title(test.name))):
            if stated and test.points not in stated and sum(stated) != test.points:
                yield (
                    f"{path}.{key}",
                    f"it says {_stated_text(stated)}, and the test has {points(test.points)}: make them one",
                )
    every = sum((test.points for test in tests), Fraction(0))
    in_all = {subject.spec.max_score, every}
    about, title = _stated_points(subject.spec.about), _points_of_title(subject.spec.title)
    for key, stated, right in (("about", about, in_all | {test.points for test in tests}), ("title", title, in_all)):
        if stated and sum(stated) not in right and not any(number in right for number in stated):
            all_points = points(subject.spec.max_score)
            yield key, f"it says {_stated_text(stated)}, and the tests have {all_points} together: make them one"


def _stated_points(text: str) -> list[Fraction]:
    return [Fraction(found[1] or found[2] or found[3]) for found in _STATED_POINTS.finditer(text)]


def _points_of_title(text: str) -> list[Fraction]:
    found = _AT_THE_END.search(text)
    return [Fraction(found[1])] if found else []


def _stated_text(numbers: list[Fraction]) -> str:
    texts = [points(number) for number in numbers]
    return f"{' and '.join(texts)} {'point' if texts == ['1'] else 'points'}"


@lint_rule("warning", "no-points")
def no_points(subject: Subject) -> Iterator[Flaw]:
    """Nobody can get a point."""
    tests = subject.spec.tests
    if not subject.spec.max_score:
        if all(test.bonus for test in tests) and any(test.points for test in tests):
            yield (
                "tests",
                "every test is a bonus, so that the maximum is 0: take `bonus` out of what everybody has to do",
            )
        else:
            yield "tests", "all tests together have 0 points: give some to what matters"


# ---------------------------------------------------------------- what is told by running something


@lint_rule("error", "reference-fails", asks="reference")
def reference_failures(subject: Subject) -> Iterator[Flaw]:
    """Where the reference fails, nobody knows what is expected, and every submission is ungraded."""
    failed = [answer for answer in subject.answers if answer.error and not answer.is_apart]
    errors = {answer.error for answer in failed}
    if len(errors) == 1 and len(failed) > 1:
        yield "reference", f"{one_line(errors.pop())}: nobody can be graded; mend it"
        return
    for path, some in _by_place(subject, failed).items():
        errors_text = listed([one_line(some[0].error)], total=len(some))
        yield path, f"`{some[0].case.id}`: {errors_text}: nobody can be graded; mend it"


@lint_rule("error", "reference-differs", asks="reference")
def reference_differences(subject: Subject) -> Iterator[Flaw]:
    """The reference does not satisfy the spec: one of the two is wrong, and students pay for it."""
    differing = [answer for answer in subject.answers if answer.is_wrong and answer.result]
    for path, some in _by_place(subject, differing).items():
        result = some[0].result
        message = one_line(result.message.text if result else "")
        if result and result.verdict == Verdict.UNGRADED:
            yield path, f"`{some[0].case.id}`: {message}: nobody can be graded; mend it"
            continue
        message = re.sub("^Your program", "The reference", message)
        cases_text = listed([f"`{some[0].case.id}`"], total=len(some))
        yield path, f"the reference is not right in {cases_text}: {message}{hint_of_lines(some[0])} Mend one of the two"


@lint_rule("error", "unsteady-reference", asks="reference")
def doubtful_answers(subject: Subject) -> Iterator[Flaw]:
    """A reference that gives another answer each time is right by accident: students are compared with one of them."""
    doubtful = [answer for answer in subject.answers if answer.doubt]
    for path, some in _by_place(subject, doubtful).items():
        doubt, cases_text = some[0].doubt, listed([f"`{some[0].case.id}`"], total=len(some))
        if doubt:
            yield path, f"{cases_text}: {describe_doubt(doubt)}"


@lint_rule("warning", "copied-sample")
def copied_samples(subject: Subject) -> Iterator[Flaw]:
    """A right sample that is the reference itself has full marks whatever the spec says."""
    try:
        found = find_witnesses(subject.spec, read_samples(subject.spec))
    except GraderError:  # verify tells of samples without a statement
        return
    if found.copies and not found.independent and not found.is_named:
        yield "reference", f"{found.describe_copies}: add a right program that somebody else wrote"


def _by_place(subject: Subject, some: list[ReferenceResult]) -> Mapping[str, list[ReferenceResult]]:
    paths: dict[str, list[ReferenceResult]] = {}
    for answer in some:
        paths.setdefault(subject.path(answer.case, "expect", "interactor"), []).append(answer)
    return paths


@lint_rule("warning", "tight-limit", asks="reference")
def tight_limits(subject: Subject) -> Iterator[Flaw]:
    """A limit below three times what the reference takes fails right programs on a slower machine."""
    tightest: dict[str, tuple[NearestLimit, str]] = {}
    for answer, execution, limits, path in timed_answers(subject):
        nearest = nearest_limit(execution, limits)
        longest = max(len(execution.stdout), len(execution.stderr))
        if longest > limits.output:
            problem = f"the reference writes {size(longest)}, and the limit of the output is {size(limits.output)}"
            yield path, f"in `{answer.case.id}` {problem}: raise `output`, or nobody can do the same"
        if (
            nearest.is_tight
            and not nearest.is_exceeded
            and (path not in tightest or nearest.ratio < tightest[path][0].ratio)
        ):
            tightest[path] = nearest, answer.case.id
    taken = sum(one.execution.time * one.case.repeat.times for one in subject.answers if one.execution)
    if subject.spec.budget is not None and subject.spec.budget < ROOM * taken:
        problem = f"the reference takes {seconds(taken)} in all, and the budget is {seconds(subject.spec.budget)}"
        yield "budget", f"{problem}: give students at least {ROOM} times what it takes"
    for path, (nearest, case_id) in tightest.items():
        problem = f"the reference takes {nearest.taken:.2g} s {nearest.clock}, and the limit is {nearest.limit:g} s"
        yield path, f"in `{case_id}` {problem}: give students at least {ROOM} times what it takes"
