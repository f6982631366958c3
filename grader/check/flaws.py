"""What is wrong with a spec: tests whose outcome is fixed, settings without effect, what students cannot know."""

import math
import re
import shlex
import unicodedata
from collections.abc import Iterator
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import chain

from msgspec.structs import replace

from grader.check.expected_results import given
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import languages, run
from grader.core.build.layout import covering
from grader.core.comparators.regex import matches_everything
from grader.core.comparators.tokens import Closeness
from grader.core.deviations.table import DEVIATIONS, KINDS_THAT_KEEP_WORDS
from grader.core.judge.case import reachable
from grader.core.judge.totals import shows_answer
from grader.core.kind import KINDS, kind_of
from grader.core.model.layout import Change
from grader.core.model.payload import Payload
from grader.core.model.spec import Case, Expected, ExpectedFiles, Leaf, Test
from grader.core.reader.files import read_data
from grader.core.text import count, one_line, points, quote, seconds
from grader.core.yaml.nodes import entries_of
from grader.core.yaml.value import key_path
from grader.kinds.sources import NOTEBOOK_SOURCES

# ---------------------------------------------------------------- outcomes that are fixed


@lint_rule("warning", "never-fails", each="tests")
def tests_that_never_fail(subject: Subject, path: str, test: Test) -> Iterator[Flaw]:
    """A test that every program passes gives points away and tells nobody anything."""
    sure = [case for case in test.cases if all(case.tolerate.get(kind) == 1 for kind in reachable(case))]
    is_whole = len(sure) == len(test.cases)
    # Those that leave something for the next may be there for that alone.
    alone = [case for case in sure if not test.in_order or case is test.cases[-1]]
    for place, case in ({path: sure[0]} if is_whole else {subject.path(case): case for case in alone}).items():
        patterns = [asked.want[0] for _, asked in case.texts if asked.how == "regex" and asked.want]
        why = f"the pattern {quote(patterns[0])} matches any text" if patterns else "any output of any program is right"
        why = "everything that may be wrong keeps all of the credit" if reachable(case) else why
        what = "this test" if is_whole else "this case"
        yield place, f"{why}: only a crash or a limit can fail {what}; expect what a wrong one lacks"


@lint_rule("warning", "silence-passes", each="cases")
def silent_programs(subject: Subject, case: Case) -> Iterator[Flaw]:
    """What only must not be written is not written by a program that does nothing either."""
    streams = [asked for _, _, _, asked in case.expect.streams if asked and asked.is_checked]
    is_open = case.expect.exit == "any" and not case.expect.files and kind_of(case).runs == "program"
    if is_open and streams and not any(asked.leaves for asked in streams):
        message = "a program that writes nothing is right here: say beside not, in all, what must be written"
        yield subject.path(case, "expect"), message


@lint_rule("warning", "failure-alone", each="cases")
def failing_programs(subject: Subject, case: Case) -> Iterator[Flaw]:
    """An exit status alone is what a program has that fails for another reason, or that does nothing else."""
    expect, status = case.expect, case.expect.exit
    may_succeed = status in ("any", "success", "reference") or (isinstance(status, tuple) and 0 in status)
    if may_succeed or expect.files or kind_of(case).runs != "program":
        return
    if all(leaf.want == ("",) for _, _, _, asked in expect.streams if asked for leaf in asked.leaves):
        ends = "with a failure" if status == "failure" else f"with status {' or '.join(map(str, status))}"
        message = f"a program that only ends {ends}, whatever it is given, is right here: ask for a message as well"
        yield subject.expect(case, "exit"), message


@lint_rule("error", "never-passes")
def tests_that_never_pass(subject: Subject) -> Iterator[Flaw]:
    """A test that contradicts itself, or another, costs points that nobody can get."""
    files = subject.spec.files
    needed = [file.names[0] if len(file.names) == 1 and file.costs is None else "" for file in files.required]
    for place, name in enumerate(needed):
        if not _is_glob(name) and covering(name, files.forbidden):
            yield f"files.required[{place}]", f'"{name}" is forbidden as well, so that nothing is ever built: drop one'
        elif _is_glob(name) and name in files.discard:
            yield f"files.required[{place}]", f'"{name}" is discarded before it is looked for: drop one of the two'
    # Cases that are written once and stand for many have one flaw, not many.
    yield from dict(flaw for case in subject.cases for flaw in _contradictions(subject, case)).items()


def _is_glob(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _contradictions(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find what no program can do: with its files, and within its limits."""
    files = case.expect.files or ExpectedFiles()
    for pattern in files.absent:
        present = (*files.present, *files.contents)
        both = (name for name in present if name == pattern or (not _is_glob(name) and fnmatchcase(name, pattern)))
        if name := next(both, ""):
            message = f'"{name}" must be there and, by "{pattern}", must not: take one of the two out'
            yield subject.path(case, "expect.files.absent", "expect.files"), message
    most = case.limits.get("output", math.inf) if 1 not in case.tolerate.values() else math.inf
    for name, _, _, stream in case.expect.streams:
        if stream and (least := _shortest(stream)) > most:
            problem = f"the expected text has {least} bytes, and the limit of the output is {int(most)}"
            yield subject.expect(case, name), f"{problem}: raise the limit"


def _shortest(stream: Expected) -> int:
    """Return how many bytes the shortest right output has, without what every tolerance may leave out."""
    known = [leaf.want if leaf.how in ("text", "lines") and not leaf.is_selective else None for leaf in stream.leaves]
    return min((sum(len(text.encode(errors="surrogatepass")) for text in want or ()) for want in known), default=0)


# ---------------------------------------------------------------- what has no effect


@lint_rule("warning", "ignored-expectation", each="cases")
def ignored_expectations(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Something is asked for that is never looked at, so that the test is weaker than it reads."""
    for key, asked in case.texts:
        for name, pattern, effect in (("only", asked.only, "chosen"), ("skip", asked.skip, "left out")):
            if pattern and matches_everything(pattern):
                message = f"every line is {effect} by {name}, whatever it says: write what those lines have"
                yield subject.expect(case, key), message
    status = case.expect.exit
    is_only_zero = status == "success" or (isinstance(status, tuple) and not any(status))
    if case.expect.crash == "allowed" and is_only_zero and not case.tolerate.get("exit-status"):
        message = "an uncaught exception never ends with status 0: leave out crash, or expect another status"
        yield subject.expect(case, "crash"), message


@lint_rule("warning", "unreachable-tolerance")
def unreachable_tolerances(subject: Subject) -> Iterator[Flaw]:
    """A tolerance without effect misleads whoever reads the spec about what is forgiven."""
    for path in subject.nodes:
        holder, _, kind = path.rpartition(".")
        if kind in DEVIATIONS and re.fullmatch(r"(?:.*\.)?tolerate", holder):
            below = subject.below(holder.removesuffix("tolerate"))
            if below and not any(kind in reachable(case) for case in below):
                where = "no test" if holder == "tolerate" else "nothing here"
                yield path, f"{where} can have this deviation: drop it, or compare in a way that can tell it"
    for case in subject.cases:
        for key, asked in case.texts:
            is_close = asked.how in ("tokens", "lines") and not asked.get(Closeness).is_exact
            if is_close and asked.want and not any(re.search(r"\d", word) for word in asked.want):
                message = "there is no number among these words, so that its tolerance does nothing: drop it"
                yield subject.expect(case, key), message


@lint_rule("warning", "idle-hint", each="tests")
def unreachable_hints(_: Subject, path: str, test: Test) -> Iterator[Flaw]:
    """A hint for what cannot happen is read by nobody; often another name was meant."""
    message = "no case here can have this deviation: drop the hint, or compare in a way that can tell it"
    possible = {kind for case in test.cases for kind in reachable(case)}
    yield from ((f"{path}.hint.{name}", message) for name in test.hint if name in DEVIATIONS.keys() - possible)


@lint_rule("warning", "idle-adjustment")
def idle_adjustments(subject: Subject) -> Iterator[Flaw]:
    """An adjustment, a repair or a cost without effect, or with all of it, is hardly what was meant."""
    spec, most = subject.spec, subject.spec.max_score
    for place, (name, adjustment) in enumerate(spec.adjustments.items()):
        if adjustment.change == Change() and not adjustment.points:
            message = f"nothing is changed for {one_line(name)}: say under rename, with, prepare, run or points what is"
            yield f"adjustments[{place}]", message
    for place, file in enumerate(spec.files.required):
        if file.costs is not None and (not file.costs or file.costs > most):
            problem = "costs nothing: put it under optional" if not file.costs else "costs more than there is"
            yield f"files.required[{place}].costs", f"a missing file {problem}, or change the points"
    for path, test in subject.tests():
        if test.costs and test.costs > most:
            yield f"{path}.costs", "this costs more than there is: take less off, or change the points"
    listed_under = "repairs.try" if "repairs.try" in subject.nodes else "repairs"
    for place, repair in enumerate(spec.repairs):
        if repair.costs > most or not repair.keeps:
            message = "nothing is left of the points, so that it is of no use: let it keep some"
            yield f"{listed_under}[{place}]", message
    if "repairs.at-most" in subject.nodes and spec.max_repairs > len(spec.repairs):
        number = f"{'is' if len(spec.repairs) == 1 else 'are'} only {count(len(spec.repairs), 'repair')}"
        yield "repairs.at-most", f"there {number}: leave out at-most"


@lint_rule("warning", "replaced-file")
def replaced_files(subject: Subject) -> Iterator[Flaw]:
    """A file is asked for that does not count: the course's own is put in its place."""
    files = subject.spec.build.files if subject.spec.build else {}
    message = "build: {with: ...} replaces this: ask for it, or put it there, but not both"
    for place, file in enumerate(subject.spec.files.required):
        if not files.keys().isdisjoint(file.names):
            yield f"files.required[{place}]", message


@lint_rule("warning", "unasked-file", each="tests")
def unasked_files(subject: Subject, path: str, test: Test) -> Iterator[Flaw]:
    """A file that is looked at under a name that nobody has been told costs everybody the points."""
    known = [*subject.spec.files.required_names, *subject.spec.files.optional]
    asked = {name for case in test.cases if case.payload for name in case.payload.sources}
    for name in sorted(asked - set(NOTEBOOK_SOURCES if subject.spec.notebook else ())) if known else ():
        if not any(fnmatchcase(name, pattern) or fnmatchcase(pattern, name) for pattern in known):
            message = f"nobody is asked to hand in {name}: is it another name under files?"
            yield f"{path}.{kind_of(test.cases[0]).name}.files", message


@lint_rule("warning", "idle-default")
def idle_defaults(subject: Subject) -> Iterator[Flaw]:
    """A default without effect makes readers believe that it holds somewhere."""
    for key, node in entries_of(subject.nodes.get("defaults")).items():
        paths = [key_path(key, name) for name in entries_of(node)] if key in ("env", "files", "expect") else [key]
        for path in paths:
            same = ("run", "terminal") if path in ("run", "terminal") else (path,)
            takers = [
                holders
                for case, holders in subject.holders()
                if ("terminal" if key == "run" else key) not in (kind := kind_of(case)).beside
                and (key == "run" or kind.goes_with is None or key in kind.goes_with)
            ]
            if all(any(f"{at}.{name}" in subject.nodes for at in holders for name in same) for holders in takers):
                yield f"defaults.{path}", "no case has this: each says otherwise, or cannot use it; drop it"


@lint_rule("warning", "ineffective-once")
def ineffective_once(subject: Subject) -> Iterator[Flaw]:
    """A deviation that cannot be charged twice is charged once anyway; perhaps its tolerance was forgotten."""
    for place, kind in enumerate(subject.spec.once):
        charging = [
            test.name
            for test in subject.spec.tests
            if any(kind in reachable(case) and 0 < case.tolerate.get(kind, 0) < 1 for case in test.cases)
        ]
        if len(charging) <= 1:
            where = f'only "{charging[0]}" charges' if charging else "no test charges"
            problem = f"{where} a part of the credit for it, so that it is never charged twice"
            yield f"once[{place}]", f"{problem}: drop it, or tolerate a part"


@lint_rule("warning", "idle-patience")
def ineffective_early_stop(subject: Subject) -> Iterator[Flaw]:
    """A patience without effect makes readers believe that cases are skipped."""
    unbound = []
    for path, test in subject.tests():
        is_bound = f"{path}.patience" in subject.nodes
        unbound += [] if is_bound else [test]
        if is_bound and len(test.cases) <= (test.patience or 1):
            cases = count(len(test.cases), "case")
            yield f"{path}.patience", f"this test has {cases}, so that none is ever skipped by this: drop it"
        if len(test.cases) == 1 and test.in_order:
            yield f"{path}.in-order", "this test has one case, so that none goes on with what it leaves: drop it"
        elif len(test.cases) == 1 and test.stops:
            yield f"{path}.stop", "this test has one case, so that none is ever skipped by this: drop it"
    if "patience" in subject.nodes and all(len(test.cases) <= (test.patience or 1) for test in unbound):
        message = "no test has more cases than that and does not say otherwise, so that this is of no use: drop it"
        yield "patience", message


@lint_rule("warning", "idle-budget")
def idle_budgets(subject: Subject) -> Iterator[Flaw]:
    """A budget without effect makes readers believe that cases are skipped."""
    spec = subject.spec
    if spec.budget is None:
        return
    data = read_data(languages.TOOLCHAINS_FILE)
    toolchain = languages.toolchain(spec.toolchain, languages.with_own(data, spec.languages))
    allowed, least = run.measuring.time_allowed(spec, toolchain), spec.budget
    if not math.isfinite(least):  # to run all is of use where without a word about it something would be skipped
        least = run.measuring.TimeLedger.of(replace(spec, budget=None), toolchain).budget
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
            given = repr([replace(step, id="", path="") for step in (*test.earlier(case), case)])
            if (before := first.setdefault(given, case.id)) != case.id:
                by_path.setdefault(subject.path(case), []).append((case.id, before))
    for path, [(case_id, before), *more] in by_path.items():
        also = f", and {len(more)} more like it" if more else ""
        yield path, f"`{case_id}` is the same as `{before}`{also}: it tests nothing new; change it or take it out"


_CONTAINERS = re.compile(r"(?:.*\.)?(?:unlike|needs|before|then|env|files|tolerate|repairs|adjustments|aliases|limits)")
"""paths of keys with lists or mappings"""
_LISTS = re.compile(r"(.*\.(?:unlike|needs|in|declare|structures|aliases))\[\d+\]")
"""paths of what is in lists of names"""


@lint_rule("warning", "idle-key")
def keys_without_effect(subject: Subject) -> Iterator[Flaw]:
    """A key without effect makes readers believe that something is looked at."""
    above = {path[: sign.start()] for path in subject.nodes for sign in re.finditer(r"[.\[]", path)}
    for path in subject.nodes:
        undoes = f"defaults.{path.rpartition('.')[2]}" in subject.nodes  # of which nothing is wanted here
        if _CONTAINERS.fullmatch(path) and path not in subject.texts and path not in above and not undoes:
            yield path, "there is nothing in it, so it has no effect: take it out"
    seen = set()
    for path, text in subject.texts.items():
        if match := _LISTS.fullmatch(path):
            if (match[1], text) in seen:
                yield path, f"{quote(text)} stands here twice, which has no effect: keep one"
            seen.add((match[1], text))
    writing = {test.name for test in subject.spec.tests if any(map(shows_answer, test.cases))}
    for path, test in subject.tests():
        if test.unlike and test.name not in writing:
            yield f"{path}.unlike", "nothing is compared here, for no program is run whose output counts: take it out"
        for number, name in enumerate(test.unlike if test.name in writing else ()):
            if name not in writing:
                message = f"nothing is compared with {quote(name)}, in which no program's output counts: take it out"
                yield f"{path}.unlike[{number}]", message


@lint_rule("warning", "no-points")
def no_points(subject: Subject) -> Iterator[Flaw]:
    """Nobody can get a point."""
    tests = subject.spec.tests
    if not subject.spec.max_score:
        is_bonus = all(test.bonus for test in tests) and any(test.points for test in tests)
        why = "every test is a bonus, so that the maximum is 0: take `bonus` out of what everybody has to do"
        yield "tests", why if is_bonus else "all tests together have 0 points: give some to what matters"


# ---------------------------------------------------------------- what students cannot know

_MAX_FEATURES = 4  # named in one remark


@lint_rule("warning", "hidden-feature")
def hidden_features(subject: Subject) -> Iterator[Flaw]:
    """What only hidden tests ask for, students cannot have tried."""
    shown = [test for test in subject.spec.tests if test.visibility == "visible"]
    if not shown:
        yield "tests", "every test is hidden: students see nothing of what is asked; make one visible"
        return
    known = {feature for test in shown for case in test.cases for feature in _features(case)}
    for path, test in subject.tests():
        features = dict.fromkeys(chain.from_iterable(map(_features, test.cases)))
        unseen = [feature for feature in features if feature not in known]
        if test.visibility != "visible" and unseen:
            what = " and ".join(unseen[:_MAX_FEATURES])
            message = f"only hidden tests have {what}, so students cannot know of it: show it in a visible test"
            yield f"{path}.visibility", message


def _features(case: Case) -> Iterator[str]:
    """Iterate over what is special about a case, as far as a student has to know of it."""
    yield from (f"the option {one_line(arg)}" for arg in case.args if re.match(r"--?[A-Za-z]", arg))
    yield from (f"the environment variable {name}" for name in case.env)
    payload = case.payload or Payload()
    present = {
        "standard input": case.stdin,
        "files beside the program": case.files,
        "a terminal": (case.terminal and not kind_of(case).is_on_terminal) or case.both,
        **dict.fromkeys(payload.features, True),
        f"the command `{one_line(shlex.join(case.command or ()))}`": case.command,
        "an exit status": case.expect.exit != "any",
        "files that the program leaves": case.expect.files,
    }
    yield from (feature for feature, is_there in present.items() if is_there)
    yield from (f"the function `{name}`" for name in payload.called)
    for _, name, _, stream in case.expect.streams:
        if stream and stream.is_checked:
            yield from (name, *(f"the comparator {leaf.how}" for leaf in (*stream.leaves, *stream.denied)))


# ---------------------------------------------------------------- cases that give a program the same

_EXACT = ("text", "lines", "tokens", "numbers")
"""comparators by which two texts of different words cannot both be right"""
_ANY_FAILURE = frozenset(range(1, 256))


@lint_rule(None, "never-passes", once=True)
def contradicting_cases(subject: Subject) -> Iterator[Flaw]:
    """Find cases in which a program is given the same as in one before, and must answer otherwise."""
    before: dict[str, list[Case]] = {}
    for test in subject.spec.tests:
        for case in (case for case in test.cases if not case.is_generated):
            twins = before.setdefault(given(case, test), [])
            if rival := next((twin for twin in twins if _contradict(case, twin)), None):
                problem = f"{quote(case.id)} is given the same as {quote(rival.id)}, and another answer is right"
                yield subject.path(case, "expect"), f"{problem}: no program can pass both; mend one of them"
            twins.append(case)


def _contradict(case: Case, twin: Case) -> bool:
    """Whether no output and no status is right in both of two cases."""
    forgiven = {kind for side in (case, twin) for kind, share in side.tolerate.items() if share == 1}
    if not forgiven <= KINDS_THAT_KEEP_WORDS:
        return False
    known = {"success": frozenset({0}), "failure": _ANY_FAILURE}
    exits = (side.expect.exit for side in (case, twin))
    ours, theirs = (frozenset(status) if isinstance(status, tuple) else known.get(status) for status in exits)
    if ours is not None and theirs is not None and ours.isdisjoint(theirs):
        return True
    texts, twin_texts = _exact_texts(case), _exact_texts(twin)
    return any(texts[key] != twin_texts[key] for key in texts.keys() & twin_texts.keys())


def _exact_texts(case: Case) -> dict[object, list[str]]:
    """Return the numbers, or the sorted characters, of each text of the spec that is compared exactly."""
    texts: dict[object, list[str]] = {}
    for key, _, _, asked in case.expect.streams:
        if isinstance(asked, Leaf) and asked.how in _EXACT and asked.want is not None:
            words = sorted(re.sub(r"\s", "", " ".join(asked.want)).casefold())
            words = [repr(float(word)) for word in asked.want] if asked.how == "numbers" else words
            if not asked.is_selective and asked.get(Closeness).is_exact:
                texts[key, asked.how == "numbers"] = words
    return texts


@lint_rule("warning", "shown-input")
def shown_inputs(subject: Subject) -> Iterator[Flaw]:
    """A hidden test with the input of a visible one finds out nothing about what students cannot have tried."""
    tests = subject.spec.tests
    visible = {given(case, test): case.id for test in tests if test.visibility == "visible" for case in test.cases}
    for path, test in subject.tests():
        same = [visible[key] for case in test.cases if (key := given(case, test)) in visible]
        is_full = any(case.args or case.stdin or case.files for case in test.cases)
        if test.visibility != "visible" and len(same) == len(test.cases) and is_full:
            problem = f"this is hidden, and gives the program the same as {quote(same[0])}, which students see"
            yield f"{path}.visibility", f"{problem}: give it another input, or show it"


# ---------------------------------------------------------------- what people read and copy

_LOOKS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", 'looks like "-"'),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000", "looks like a blank"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc", 'looks like "\'"'),
    **dict.fromkeys("\u201c\u201d\u201e\u201f", "looks like '\"'"),
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", "cannot be seen"),
}
_STRANGE = re.compile(f"[{''.join(_LOOKS)}]")
_OF_KINDS = (kind.key for kind in KINDS.values() if kind.has_payload)
_FOR_PROGRAMS = re.compile(  # the paths of texts that programs get, or that are compared with their output
    rf"(?:program|reference)(?:\[\d+\])?|(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)"
    rf"\.(?:args|stdin|env|files|command|expect|each|{'|'.join(_OF_KINDS)})\b.*"
)


@lint_rule("warning", "typographic", takes_course=True, once=True)
def typographic_characters(subject: Subject) -> Iterator[Flaw]:
    """A dash or quotation mark of a word processor: students type the plain one, and lose the points."""
    texts = [(path, "", text) for path, text in subject.texts.items() if _FOR_PROGRAMS.fullmatch(path)]
    for answer in (answer for answer in subject.answers if answer.execution):
        for name, _, stream, asked in answer.case.expect.streams:
            if asked and asked.asks_reference:
                where = f"{name} of the reference in `{answer.case.id}`: "
                output = getattr(answer.execution, "stdout" if stream == "stdout" else "stderr")
                texts.append((subject.path(answer.case, "expect"), where, output.decode(errors="replace")))
    for path, where, text in texts:
        if match := _STRANGE.search(text):
            before = text[: match.start()]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            name = f"U+{ord(match[0]):04X} ({unicodedata.name(match[0]).lower()})"
            problem = f"line {line}, character {column} is {name}, which {_LOOKS[match[0]]}"
            yield path, f"{where}{problem}; write what students type"


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
    spec = subject.spec
    in_all = {spec.max_score, sum((test.points for test in spec.tests), Fraction(0))}
    have = f"the tests have {points(spec.max_score)} together"
    stated = [
        ("about", _STATED_POINTS, spec.about, in_all | {test.points for test in spec.tests}, have),
        ("title", _AT_THE_END, spec.title, in_all, have),
    ]
    for path, test in subject.tests():
        for key, pattern, text in (("about", _STATED_POINTS, test.about), ("name", _AT_THE_END, test.name)):
            stated.append((f"{path}.{key}", pattern, text, {test.points}, f"the test has {points(test.points)}"))
    for path, pattern, text, right, have in stated:
        numbers = [Fraction(next(filter(None, match.groups()))) for match in pattern.finditer(text)]
        if numbers and sum(numbers) not in right and right.isdisjoint(numbers):
            texts = [points(number) for number in numbers]
            worth = f"{' and '.join(texts)} {'point' if texts == ['1'] else 'points'}"
            yield path, f"it says {worth}, and {have}: make them one"
