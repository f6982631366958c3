"""What is wrong with a spec: fixed outcomes, settings without effect, what students cannot know, the course's code."""

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
from grader.check.subject import RULE_TABLE, Subject
from grader.core import generate, languages, oracle, run
from grader.core.build.layout import covering
from grader.core.comparators.check import unread_parameters
from grader.core.comparators.regex import matches_everything
from grader.core.comparators.tokens import Closeness
from grader.core.deviations.table import DEVIATIONS, KINDS_THAT_KEEP_WORDS
from grader.core.errors import HostError
from grader.core.judge.case import reachable
from grader.core.judge.totals import shows_answer
from grader.core.kind import KINDS, kind_of
from grader.core.model.layout import Change
from grader.core.model.spec import Case, CheckOptions, Expected, ExpectedFiles, Leaf, Payload, Test
from grader.core.model.values import Facts
from grader.core.python_packages import libraries_of_course_functions
from grader.core.reader.files import read_data
from grader.core.run.start import or_failure
from grader.core.text import one_line
from grader.core.yaml.nodes import entries_of
from grader.core.yaml.value import key_path
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.sources import NOTEBOOK_SOURCES

# ---------------------------------------------------------------- outcomes that are fixed


@lint_rule("never-fails", each="tests")
def _tests_that_never_fail(subject: Subject, path: str, test: Test) -> Iterator[Flaw]:
    sure = [case for case in test.cases if all(case.tolerate.get(kind) == 1 for kind in reachable(case))]
    is_whole = len(sure) == len(test.cases)
    # Those that leave something for the next may be there for that alone.
    alone = [case for case in sure if not test.in_order or case is test.cases[-1]]
    for place, case in ({path: sure[0]} if is_whole else {subject.path(case): case for case in alone}).items():
        patterns = [asked.want[0] for _, asked in case.texts if asked.how == "regex" and asked.want]
        yield flaw(place, is_whole=is_whole, is_forgiven=bool(reachable(case)), patterns=patterns)


@lint_rule("silence-passes", each="cases")
def _silent_programs(subject: Subject, case: Case) -> Iterator[Flaw]:
    streams = [asked for _, _, _, asked in case.expect.streams if asked and asked.is_checked]
    is_open = case.expect.exit == "any" and not case.expect.files and kind_of(case).runs == "program"
    if is_open and streams and not any(asked.leaves for asked in streams):
        yield flaw(subject.path(case, "expect"))


@lint_rule("failure-alone", each="cases")
def _failing_programs(subject: Subject, case: Case) -> Iterator[Flaw]:
    expect, status = case.expect, case.expect.exit
    may_succeed = status in ("any", "success", "reference") or (isinstance(status, tuple) and 0 in status)
    if may_succeed or expect.files or kind_of(case).runs != "program":
        return
    if all(leaf.want == ("",) for _, _, _, asked in expect.streams if asked for leaf in asked.leaves):
        yield flaw(subject.expect(case, "exit"), status=status)


@lint_rule("never-passes")
def _unbuildable_files(subject: Subject) -> Iterator[Flaw]:
    files = subject.spec.files
    needed = [file.names[0] if len(file.names) == 1 and file.costs is None else "" for file in files.required]
    for place, name in enumerate(needed):
        if not _is_glob(name) and covering(name, files.forbidden):
            yield flaw(f"files.required[{place}]", "forbidden", name=name)
        elif _is_glob(name) and name in files.discard:
            yield flaw(f"files.required[{place}]", "discarded", name=name)


def _is_glob(name: str) -> bool:
    return any(mark in name for mark in "*?[")


@lint_rule("never-passes", each="cases", once=True)
def _contradictions(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find what no program can do: with its files, and within its limits."""
    files = case.expect.files or ExpectedFiles()
    for pattern in files.absent:
        present = (*files.present, *files.contents)
        both = (name for name in present if name == pattern or (not _is_glob(name) and fnmatchcase(name, pattern)))
        if name := next(both, ""):
            yield flaw(subject.path(case, "expect.files.absent", "expect.files"), "absent", name=name, pattern=pattern)
    most = case.limits.get("output", math.inf) if 1 not in case.tolerate.values() else math.inf
    for name, _, _, stream in case.expect.streams:
        if stream and (least := _shortest(stream)) > most:
            yield flaw(subject.expect(case, name), "too-long", least=least, most=int(most))


def _shortest(stream: Expected) -> int:
    """Return how many bytes the shortest right output has, without what every tolerance may leave out."""
    known = [leaf.want if leaf.how in ("text", "lines") and not leaf.is_selective else None for leaf in stream.leaves]
    return min((sum(len(text.encode(errors="surrogatepass")) for text in want or ()) for want in known), default=0)


# ---------------------------------------------------------------- what has no effect


@lint_rule("ignored-expectation", each="cases")
def _ignored_expectations(subject: Subject, case: Case) -> Iterator[Flaw]:
    for key, asked in case.texts:
        for name, pattern in (("only", asked.only), ("skip", asked.skip)):
            if pattern and matches_everything(pattern):
                yield flaw(subject.expect(case, key), name)
    status = case.expect.exit
    is_only_zero = status == "success" or (isinstance(status, tuple) and not any(status))
    if case.expect.crash == "allowed" and is_only_zero and not case.tolerate.get("exit-status"):
        yield flaw(subject.expect(case, "crash"), "crash")


@lint_rule("unreachable-tolerance")
def _unreachable_tolerances(subject: Subject) -> Iterator[Flaw]:
    for path in subject.nodes:
        holder, _, kind = path.rpartition(".")
        if kind in DEVIATIONS and re.fullmatch(r"(?:.*\.)?tolerate", holder):
            below = subject.below(holder.removesuffix("tolerate"))
            if below and not any(kind in reachable(case) for case in below):
                yield flaw(path, "deviation", is_for_all=holder == "tolerate")
    for case in subject.cases:
        for key, asked in case.texts:
            is_close = asked.how in ("tokens", "lines") and not asked.get(Closeness).is_exact
            if is_close and asked.want and not any(re.search(r"\d", word) for word in asked.want):
                yield flaw(subject.expect(case, key), "closeness")


@lint_rule("idle-hint", each="tests")
def _unreachable_hints(_: Subject, path: str, test: Test) -> Iterator[Flaw]:
    possible = {kind for case in test.cases for kind in reachable(case)}
    yield from (flaw(f"{path}.hint.{name}") for name in test.hint if name in DEVIATIONS.keys() - possible)


@lint_rule("idle-adjustment")
def _idle_adjustments(subject: Subject) -> Iterator[Flaw]:
    spec, most = subject.spec, subject.spec.max_score
    for place, (name, adjustment) in enumerate(spec.adjustments.items()):
        if adjustment.change == Change() and not adjustment.points:
            yield flaw(f"adjustments[{place}]", "adjustment", name=name)
    for place, file in enumerate(spec.files.required):
        if file.costs is not None and (not file.costs or file.costs > most):
            yield flaw(f"files.required[{place}].costs", "file", costs=file.costs)
    for path, test in subject.tests():
        if test.costs and test.costs > most:
            yield flaw(f"{path}.costs", "test")
    listed_under = "repairs.try" if "repairs.try" in subject.nodes else "repairs"
    for place, repair in enumerate(spec.repairs):
        if repair.costs > most or not repair.keeps:
            yield flaw(f"{listed_under}[{place}]", "repair")
    if "repairs.at-most" in subject.nodes and spec.max_repairs > len(spec.repairs):
        yield flaw("repairs.at-most", "at-most", number=len(spec.repairs))


@lint_rule("replaced-file")
def _replaced_files(subject: Subject) -> Iterator[Flaw]:
    files = subject.spec.build.files if subject.spec.build else {}
    for place, file in enumerate(subject.spec.files.required):
        if not files.keys().isdisjoint(file.names):
            yield flaw(f"files.required[{place}]")


@lint_rule("unasked-file", each="tests")
def _unasked_files(subject: Subject, path: str, test: Test) -> Iterator[Flaw]:
    known = [*subject.spec.files.required_names, *subject.spec.files.optional]
    asked = {name for case in test.cases if case.payload for name in case.payload.sources}
    for name in sorted(asked - set(NOTEBOOK_SOURCES if subject.spec.notebook else ())) if known else ():
        if not any(fnmatchcase(name, pattern) or fnmatchcase(pattern, name) for pattern in known):
            yield flaw(f"{path}.{kind_of(test.cases[0]).name}.files", name=name)


@lint_rule("idle-default")
def _idle_defaults(subject: Subject) -> Iterator[Flaw]:
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
                yield flaw(f"defaults.{path}", "default")


@lint_rule("ineffective-once")
def _ineffective_once(subject: Subject) -> Iterator[Flaw]:
    for place, kind in enumerate(subject.spec.once):
        charging = [
            test.name
            for test in subject.spec.tests
            if any(kind in reachable(case) and 0 < case.tolerate.get(kind, 0) < 1 for case in test.cases)
        ]
        if len(charging) <= 1:
            yield flaw(f"once[{place}]", charging=charging)


@lint_rule("idle-patience")
def _ineffective_early_stop(subject: Subject) -> Iterator[Flaw]:
    unbound = []
    for path, test in subject.tests():
        is_bound = f"{path}.patience" in subject.nodes
        unbound += [] if is_bound else [test]
        if is_bound and len(test.cases) <= (test.patience or 1):
            yield flaw(f"{path}.patience", "test", cases=len(test.cases))
        if len(test.cases) == 1 and test.in_order:
            yield flaw(f"{path}.in-order", "in-order")
        elif len(test.cases) == 1 and test.stops:
            yield flaw(f"{path}.stop", "stop")
    if "patience" in subject.nodes and all(len(test.cases) <= (test.patience or 1) for test in unbound):
        yield flaw("patience", "all")


@lint_rule("idle-budget")
def _idle_budgets(subject: Subject) -> Iterator[Flaw]:
    spec = subject.spec
    if spec.budget is None:
        return
    data = read_data(languages.TOOLCHAINS_FILE)
    toolchain = languages.toolchain(spec.toolchain, languages.with_own(data, spec.languages))
    allowed, least = run.measuring.time_allowed(spec, toolchain), spec.budget
    if not math.isfinite(least):  # to run all is of use where without a word about it something would be skipped
        least = run.measuring.TimeLedger.of(replace(spec, budget=None), toolchain).budget
    if allowed <= least:
        yield flaw("budget", allowed=allowed)


@lint_rule("repeated-case")
def _repeated_cases(subject: Subject) -> Iterator[Flaw]:
    first: dict[str, str] = {}
    by_path: dict[str, list[tuple[str, str]]] = {}
    for test in subject.spec.tests:
        for case in test.cases:
            # Written out, for 1 and true are equal, and other arguments.
            given = repr([replace(step, id="", path="") for step in (*test.earlier(case), case)])
            if (before := first.setdefault(given, case.id)) != case.id:
                by_path.setdefault(subject.path(case), []).append((case.id, before))
    for path, [(case_id, before), *more] in by_path.items():
        yield flaw(path, case=case_id, before=before, more=len(more))


@lint_rule("idle-key")
def _keys_without_effect(subject: Subject) -> Iterator[Flaw]:
    paths = RULE_TABLE["idle-key"].words
    above = {path[: sign.start()] for path in subject.nodes for sign in re.finditer(r"[.\[]", path)}
    for path in subject.nodes:
        undoes = f"defaults.{path.rpartition('.')[2]}" in subject.nodes  # of which nothing is wanted here
        if re.fullmatch(paths["containers"], path) and path not in subject.texts and path not in above and not undoes:
            yield flaw(path, "empty")
    seen = set()
    for path, text in subject.texts.items():
        if match := re.fullmatch(paths["in-lists"], path):
            if (match[1], text) in seen:
                yield flaw(path, "twice", text=text)
            seen.add((match[1], text))
    writing = {test.name for test in subject.spec.tests if any(map(shows_answer, test.cases))}
    for path, test in subject.tests():
        if test.unlike and test.name not in writing:
            yield flaw(f"{path}.unlike", "unlike")
        for number, name in enumerate(test.unlike if test.name in writing else ()):
            if name not in writing:
                yield flaw(f"{path}.unlike[{number}]", "unlike-that", name=name)


@lint_rule("no-points")
def _no_points(subject: Subject) -> Iterator[Flaw]:
    tests = subject.spec.tests
    if not subject.spec.max_score:
        is_bonus = all(test.bonus for test in tests) and any(test.points for test in tests)
        yield flaw("tests", "bonus" if is_bonus else "none")


# ---------------------------------------------------------------- what students cannot know


@lint_rule("hidden-feature")
def _hidden_features(subject: Subject) -> Iterator[Flaw]:
    shown = [test for test in subject.spec.tests if test.visibility == "visible"]
    if not shown:
        yield flaw("tests", "all-hidden")
        return
    known = {feature for test in shown for case in test.cases for feature in _features(case)}
    for path, test in subject.tests():
        features = dict.fromkeys(chain.from_iterable(map(_features, test.cases)))
        unseen = [feature for feature in features if feature not in known]
        if test.visibility != "visible" and unseen:
            yield flaw(f"{path}.visibility", "features", features=unseen)


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


@lint_rule("never-passes", once=True)
def _contradicting_cases(subject: Subject) -> Iterator[Flaw]:
    """Find cases in which a program is given the same as in one before, and must answer otherwise."""
    before: dict[str, list[Case]] = {}
    for test in subject.spec.tests:
        for case in (case for case in test.cases if not case.is_generated):
            twins = before.setdefault(given(case, test), [])
            if rival := next((twin for twin in twins if _contradict(case, twin)), None):
                yield flaw(subject.path(case, "expect"), "contradicts", case=case.id, rival=rival.id)
            twins.append(case)


def _contradict(case: Case, twin: Case) -> bool:
    """Whether no output and no status is right in both of two cases."""
    forgiven = {kind for side in (case, twin) for kind, share in side.tolerate.items() if share == 1}
    if not forgiven <= KINDS_THAT_KEEP_WORDS:
        return False
    known = {"success": frozenset({0}), "failure": frozenset(range(1, 256))}
    exits = (side.expect.exit for side in (case, twin))
    ours, theirs = (frozenset(status) if isinstance(status, tuple) else known.get(status) for status in exits)
    if ours is not None and theirs is not None and ours.isdisjoint(theirs):
        return True
    texts, twin_texts = _exact_texts(case), _exact_texts(twin)
    return any(texts[key] != twin_texts[key] for key in texts.keys() & twin_texts.keys())


def _exact_texts(case: Case) -> dict[object, list[str]]:
    """Return the numbers, or the sorted characters, of each text that is compared so that no other words are right."""
    texts: dict[object, list[str]] = {}
    for key, _, _, asked in case.expect.streams:
        if isinstance(asked, Leaf) and asked.how in {"text", "lines", "tokens", "numbers"} and asked.want is not None:
            words = sorted(re.sub(r"\s", "", " ".join(asked.want)).casefold())
            words = [repr(float(word)) for word in asked.want] if asked.how == "numbers" else words
            if not asked.is_selective and asked.get(Closeness).is_exact:
                texts[key, asked.how == "numbers"] = words
    return texts


@lint_rule("shown-input")
def _shown_inputs(subject: Subject) -> Iterator[Flaw]:
    tests = subject.spec.tests
    visible = {given(case, test): case.id for test in tests if test.visibility == "visible" for case in test.cases}
    for path, test in subject.tests():
        same = [visible[key] for case in test.cases if (key := given(case, test)) in visible]
        is_full = any(case.args or case.stdin or case.files for case in test.cases)
        if test.visibility != "visible" and len(same) == len(test.cases) and is_full:
            yield flaw(f"{path}.visibility", case=same[0])


# ---------------------------------------------------------------- what people read and copy

_LOOKS = {character: look for look, characters in RULE_TABLE["typographic"].words.items() for character in characters}
_STRANGE = re.compile(f"[{''.join(_LOOKS)}]")
_OF_KINDS = (kind.key for kind in KINDS.values() if kind.has_payload)
_FOR_PROGRAMS = re.compile(  # the paths of texts that programs get, or that are compared with their output
    rf"(?:program|reference)(?:\[\d+\])?|(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)"
    rf"\.(?:args|stdin|env|files|command|expect|each|{'|'.join(_OF_KINDS)})\b.*"
)


@lint_rule("typographic", once=True)
def _typographic_characters(subject: Subject) -> Iterator[Flaw]:
    texts = [(path, dict[str, str](), text) for path, text in subject.texts.items() if _FOR_PROGRAMS.fullmatch(path)]
    for answer in (answer for answer in subject.answers if answer.execution):
        for name, _, stream, asked in answer.case.expect.streams:
            if asked and asked.asks_reference:
                output = getattr(answer.execution, "stdout" if stream == "stdout" else "stderr")
                where = {"stream": name, "case": answer.case.id}
                texts.append((subject.path(answer.case, "expect"), where, output.decode(errors="replace")))
    for path, where, text in texts:
        if match := _STRANGE.search(text):
            before, sign = text[: match.start()], match[0]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            name = f"U+{ord(sign):04X} ({unicodedata.name(sign).lower()})"
            yield flaw(path, where=where, line=line, column=column, name=name, look=_LOOKS[sign])


_AMOUNTS = RULE_TABLE["points-told"].words
_STATED_POINTS = re.compile(f"(?i){_AMOUNTS['worth']}|{_AMOUNTS['in-all']}|{_AMOUNTS['total']}")
_AT_THE_END = re.compile(f"(?i){_AMOUNTS['at-the-end']}")


@lint_rule("points-told")
def _wrong_points_stated(subject: Subject) -> Iterator[Flaw]:
    spec = subject.spec
    in_all = {spec.max_score, sum((test.points for test in spec.tests), Fraction(0))}
    stated = [
        ("about", _STATED_POINTS, spec.about, in_all | {test.points for test in spec.tests}, spec.max_score),
        ("title", _AT_THE_END, spec.title, in_all, spec.max_score),
    ]
    for path, test in subject.tests():
        stated.append((f"{path}.about", _STATED_POINTS, test.about, {test.points}, test.points))
        stated.append((f"{path}.name", _AT_THE_END, test.name, {test.points}, test.points))
    for path, pattern, text, right, have in stated:
        numbers = [Fraction(next(filter(None, match.groups()))) for match in pattern.finditer(text)]
        if numbers and sum(numbers) not in right and right.isdisjoint(numbers):
            yield flaw(path, stated=numbers, have=have, is_test=path.startswith("tests["))


# ---------------------------------------------------------------- checks and generators of the course


def _checks_in(subject: Subject) -> Iterator[tuple[str, CheckOptions]]:
    """Iterate over the checks of a spec, each with its place; over one that stands for many cases several times."""
    for case in subject.cases:
        for key, leaf in case.texts:
            if isinstance(leaf.options, CheckOptions):
                yield subject.expect(case, key), leaf.options


def _functions_in(subject: Subject) -> Iterator[tuple[str, CheckOptions, str, str]]:
    """Iterate over the checks, each once, with its place, its file and its name."""
    for asked, path in {asked.function: (asked, path) for path, asked in [*_checks_in(subject)][::-1]}.values():
        file, _, name = asked.function.rpartition(":")
        yield path, asked, file, name


@lint_rule("course-function")
def _uncallable_checks(subject: Subject) -> Iterator[Flaw]:
    spec, course = subject.spec, subject.course
    libraries = "" if course else libraries_of_course_functions(spec)
    checks = course.checks if course else oracle.checks.load_checks(spec.root, libraries=libraries)
    for path, asked in _checks_in(subject):
        if course or not asked.validator:
            try:
                checks(asked, Facts())
            except HostError as error:
                yield flaw(path, "check", error=str(error))


@lint_rule("unwritten-check")
def _unwritten_checks(subject: Subject) -> Iterator[Flaw]:
    for path, asked, file, name in _functions_in(subject):
        if asked.unwritten:
            yield flaw(path, file=file, line=asked.unwritten, name=name)


@lint_rule("blind-check")
def _unread_facts(subject: Subject) -> Iterator[Flaw]:
    for path, asked, file, name in _functions_in(subject):
        line, unread = unread_parameters(asked, subject.spec.attached.get(file, b""))
        if unread and not asked.unwritten:
            yield flaw(path, file=file, line=line, name=name, unread=unread)


def failing_generator(subject: Subject) -> Flaw | None:
    """Return where the first function fails that generates something, and how; None where all generate."""
    spec = subject.spec
    failure = or_failure(generate.generate_inputs, spec)
    if not isinstance(failure, HostError):
        return None
    for test in spec.tests:
        for case in (case for case in test.cases if case.generated_inputs or case.is_generated):
            alone = replace(spec, tests=(replace(test, cases=(case,)),))
            if isinstance(or_failure(generate.generate_inputs, alone), HostError):
                seed = next((generator.seed for generator in case.generated_inputs.values()), "")
                return flaw(_path_of_generator(subject, case), "generator", error=failure, case=case.id, seed=seed)
    return flaw("tests", "generator", error=failure, case="")


def failing_generator_program(subject: Subject, error: str) -> Iterator[Flaw]:
    """Find the first case for which a program draws, if it is the one that an error is about."""
    for case in subject.cases:
        if any(error.startswith(f"{generator.function} ") for generator in case.generated_inputs.values()):
            yield flaw(_path_of_generator(subject, case), "generator", error=error, case="")
            return


def _path_of_generator(subject: Subject, case: Case) -> str:
    """Return the path of the generator itself, or of what is nearest."""
    path = subject.path(case, *case.generated_inputs, "args", "stdin", "files", "functions")
    return f"{path}.generate" if f"{path}.generate" in subject.nodes else path
