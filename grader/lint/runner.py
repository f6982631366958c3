"""`grader lint`: what is wrong with a spec, before students see it.

Mistakes of the language come first, all at once, as the reader reports them. A spec without mistakes is checked by
the rules below. Some of them run the reference where that is possible.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path

from grader.core.errors import HostError, Problem, SpecError
from grader.core.model.spec import Spec
from grader.core.pipeline import Course, prepare
from grader.core.python_packages import libraries_of_course_functions
from grader.core.reader.files import needs, source
from grader.core.reader.spec import load
from grader.core.text import one_line
from grader.kinds import KINDS, kind_named, kinds_in, list_with_followers
from grader.lint import (
    by_reference,
    checks,
    commands,
    flaws,
    prompts,
    same_input,
    scripts,
    slips,
)
from grader.lint.idle_keys import keys_without_effect
from grader.lint.subject import Flaw, FlawFinder, Level, LintRule, Subject
from grader.verify.expected_results import ReferenceResult, ask_all
from grader.verify.second_answers import ask_again

Ask = Callable[[Path], tuple[Course, tuple[ReferenceResult, ...]]]
"""Asks the reference in every case of a spec; raises HostError when nothing can be run here."""
Needs = Mapping[str, Mapping[str, str]]
"""test -> what it needs -> the path where that is stated"""

_MESSAGE_LIMIT = 1000
"""bytes of a message: names in it may be anything"""


LANGUAGE, CIRCLE = "spec", "needs-circle"
ABOUT: Mapping[str, str] = {
    LANGUAGE: "The file is no spec in the language that this grader knows; nothing is graded with it.",
    CIRCLE: "Tests that need one another are never run.",
}
"""the rules that are about files which are no specs; what they find is always an error"""
_GENERAL: Mapping[str, LintRule] = {
    "never-fails": LintRule(
        "warning",
        flaws.tests_that_never_fail,
        "A test that every program passes gives points away and tells nobody anything.",
    ),
    "silence-passes": LintRule(
        "warning",
        flaws.silent_programs,
        "What only must not be written is not written by a program that does nothing either.",
    ),
    "share-by-chance": LintRule(
        "warning",
        by_reference.shares_by_chance,
        "A line that an output is full of is written by a program that can do nothing else, and earns its share.",
        after="reference-differs",
    ),
    "failure-alone": LintRule(
        "warning",
        flaws.failing_programs,
        "An exit status alone is what a program has that fails for another reason, or that does nothing else.",
    ),
    "never-passes": LintRule(
        "error",
        lambda subject: chain(flaws.tests_that_never_pass(subject), same_input.contradicting_cases(subject)),
        "A test that contradicts itself, or another, costs points that nobody can get.",
    ),
    "ignored-expectation": LintRule(
        "warning",
        flaws.ignored_expectations,
        "Something is asked for that is never looked at, so that the test is weaker than it reads.",
    ),
    "typographic": LintRule(
        "warning",
        flaws.typographic_characters,
        "A dash, blank or quotation mark of a word processor in a text for programs: students type the plain one, "
        "and lose the points.",
    ),
    "no-shell": LintRule(
        "warning",
        commands.shell_words,
        "No shell runs the commands of a spec: what only a shell understands is an argument for the program.",
    ),
    "no-install": LintRule(
        "warning",
        commands.installing_commands,
        "In the sandbox nobody is root and there is no network: what installs something there fails for everybody.",
    ),
    "wrong-start": LintRule(
        "warning",
        commands.wrong_starts,
        "A program that cannot be started writes nothing, and everybody gets 0 points.",
    ),
    "other-language": LintRule(
        "warning",
        commands.other_languages,
        "By its language a program is built, limited and understood when it crashes; that of its files is another.",
    ),
    "missing-file": LintRule(
        "warning",
        commands.absent_files,
        "A file that nobody is asked for, and that the course does not bring, is not there when it is needed.",
    ),
    "cut-text": LintRule(
        "warning", slips.cut_texts, "Behind a blank, `#` begins a comment, and what follows is not read."
    ),
    "literal-escape": LintRule(
        "warning",
        slips.literal_escapes,
        "Only in double quotes `\\n` is the end of a line; elsewhere students would have to write a backslash.",
    ),
    "folded-text": LintRule(
        "warning", slips.folded_texts, "Below `>` lines are joined, so that a program gets, or has to write, one line."
    ),
    "range-in-list": LintRule(
        "warning", slips.listed_ranges, "A range in a list is a text, so that there is one case instead of many."
    ),
    "unfilled-variable": LintRule(
        "warning", slips.unfilled_variables, "A variable in other signs than braces stays as it is written."
    ),
    "name-for-content": LintRule(
        "warning",
        slips.names_for_contents,
        "The name of a file, where its content is meant, is all that the program gets or has to write.",
    ),
    "number-within-a-number": LintRule(
        "warning",
        slips.numbers_within_numbers,
        "A text that begins or ends with a number is contained in longer numbers too, so that wrong ones pass.",
    ),
    "file-not-given": LintRule(
        "warning",
        slips.files_not_given,
        "A program finds the files of its case alone, and none of those that lie in the course.",
    ),
    "joined-arguments": LintRule(
        "warning",
        slips.joined_arguments,
        "An option and its value in one argument are what no shell hands over, and no program understands.",
    ),
    "crlf-script": LintRule(
        "warning",
        scripts.scripts_with_cr,
        "A script that an editor saved as on Windows cannot be run: what it checks or makes is ungraded for everybody.",
    ),
    "windows-input": LintRule(
        "warning",
        scripts.inputs_of_windows,
        "An input that an editor saved as on Windows has characters that nobody sees, and programs trip over them.",
    ),
    "unasked-file": LintRule(
        "warning",
        flaws.unasked_files,
        "A file that is looked at under a name that nobody has been told costs everybody the points.",
    ),
    "points-told": LintRule(
        "warning",
        flaws.wrong_points_stated,
        "The description tells students another number of points than they can get.",
    ),
    "replaced-file": LintRule(
        "warning",
        flaws.replaced_files,
        "A file is asked for that does not count: the course's own is put in its place.",
    ),
    "no-points": LintRule("warning", flaws.no_points, "Nobody can get a point."),
    "unreachable-tolerance": LintRule(
        "warning",
        flaws.unreachable_tolerances,
        "A tolerance without effect misleads whoever reads the spec about what is forgiven.",
    ),
    "needless-prompt": LintRule(
        "warning",
        prompts.needless_prompts,
        "A program that reads nothing asks nothing: what stands before its answer is a wrong label, and would pass.",
    ),
    "written-prompt": LintRule(
        "warning",
        prompts.written_prompts,
        "A prompt in the expected text is a part of the answer, and who asks with other words loses points.",
    ),
    "idle-hint": LintRule(
        "warning",
        flaws.unreachable_hints,
        "A hint for what cannot happen is read by nobody; often another name was meant.",
    ),
    "idle-adjustment": LintRule(
        "warning",
        flaws.idle_adjustments,
        "An adjustment, a repair or a cost without effect, or with all of it, is hardly what was meant.",
    ),
    "idle-default": LintRule(
        "warning", flaws.idle_defaults, "A default without effect makes readers believe that it holds somewhere."
    ),
    "idle-key": LintRule(
        "warning", keys_without_effect, "A key without effect makes readers believe that something is looked at."
    ),
    "ineffective-once": LintRule(
        "warning",
        flaws.ineffective_once,
        "A deviation that cannot be charged twice is charged once without being asked to; perhaps its tolerance was "
        "forgotten.",
    ),
    "idle-patience": LintRule(
        "warning",
        flaws.ineffective_early_stop,
        "A patience without effect makes readers believe that cases are skipped.",
    ),
    "idle-budget": LintRule(
        "warning", flaws.idle_budgets, "A budget without effect makes readers believe that cases are skipped."
    ),
    "repeated-case": LintRule(
        "warning",
        flaws.repeated_cases,
        "A case that is there twice counts twice and tests nothing new; often a variable was forgotten.",
    ),
    "hidden-feature": LintRule(
        "warning", flaws.hidden_features, "What only hidden tests ask for, students cannot have tried."
    ),
    "shown-input": LintRule(
        "warning",
        same_input.shown_inputs,
        "A hidden test with the input of a visible one finds out nothing about what students cannot have tried.",
    ),
    "course-function": LintRule(
        "error",
        checks.uncallable_checks,
        "A check or a generator that cannot be called leaves every submission ungraded.",
        asks="functions",
    ),
    "unwritten-check": LintRule(
        "error",
        checks.unwritten_checks,
        "A check that an import left to be written leaves every submission ungraded until somebody writes it.",
    ),
    "blind-check": LintRule(
        "warning", checks.unread_facts, "A check that does not look at what it judges gives everybody all points."
    ),
    "copied-sample": LintRule(
        "warning",
        flaws.copied_samples,
        "A right sample that is the reference itself has full marks whatever the spec says.",
    ),
    "reference-fails": LintRule(
        "error",
        flaws.reference_failures,
        "Where the reference fails, nobody knows what is expected, and every submission is ungraded.",
        asks="reference",
    ),
    "reference-differs": LintRule(
        "error",
        flaws.reference_differences,
        "The reference does not satisfy the spec: one of the two is wrong, and students pay for it.",
        asks="reference",
    ),
    "unsteady-reference": LintRule(
        "error",
        flaws.doubtful_answers,
        "A reference that gives another answer each time is right by accident: students are compared with one of them.",
        asks="reference",
    ),
    "unclear-prompt": LintRule(
        "warning",
        prompts.unclear_prompts,
        "What is taken for the answer of the reference and is its prompt costs everybody points who asks otherwise.",
        asks="reference",
    ),
    "loose-limit": LintRule(
        "warning",
        by_reference.loose_limits,
        "A program that never ends takes all of its time, in each case and for each student.",
        asks="reference",
    ),
    "debug-output": LintRule(
        "warning",
        by_reference.debug_output,
        "What the reference writes for its author, students would have to write as well, or it confuses whoever looks.",
        asks="reference",
    ),
    "text-as-pattern": LintRule(
        "warning",
        by_reference.texts_as_patterns,
        "Signs such as `.` and `?` mean more than themselves in a pattern, so that other texts are right as well.",
        asks="reference",
    ),
    "exceeded-limit": LintRule(
        "error",
        by_reference.exceeded_limits,
        "A limit that the reference does not keep fails every program that does the same.",
        asks="reference",
    ),
    "tight-limit": LintRule(
        "warning",
        flaws.tight_limits,
        "A limit below three times what the reference takes fails right programs on a slower machine.",
        asks="reference",
    ),
}
"""name -> rule that concerns all kinds of cases, in the order in which they are listed; a rule is a function and an
entry; what concerns one kind stands in the `lint.py` of its room"""


def _collect_rules() -> Mapping[str, LintRule]:
    """Return the rules of all kinds and of each, every one with all that finds what breaks it."""
    brought = [item for name in KINDS for item in kind_named(name).lint_rules().items()]
    own = {name: rule for name, rule in brought if isinstance(rule, LintRule)}
    more = [(name, find) for name, find in brought if not isinstance(find, LintRule)]

    rules = {**_GENERAL, **own}
    return {
        name: replace(rules[name], find=_any_of(rules[name].find, *(find for other, find in more if other == name)))
        for name in list_with_followers(_GENERAL, {name: rule.after for name, rule in own.items()})
    }


def _any_of(*finders: FlawFinder) -> FlawFinder:
    return lambda subject: chain.from_iterable(find(subject) for find in finders)


RULES = _collect_rules()
"""name -> rule, in the order in which they are listed"""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Remark:
    """Something that is wrong: where (`line` and `column` count from 1), by which rule, and what to do about it."""

    file: str
    line: int
    column: int
    path: str
    rule: str
    level: Level
    message: str

    def __str__(self) -> str:
        """`specs/x.yaml:14:7: warning: tests[2]: ... [rule]`, as compilers write it, so that editors can jump there."""
        path = f"{self.path}: " if self.path else ""
        return f"{self.file}:{self.line}:{self.column}: {self.level}: {path}{self.message} [{self.rule}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """All that was found out about a spec."""

    file: str
    remarks: tuple[Remark, ...]
    spec: Spec | None = None
    """None when the file is none"""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """rule -> why it was not looked at"""


def asking(sandbox: str, jobs: int) -> Ask:
    """Return what asks references in the sandbox, `jobs` cases at a time."""

    def ask(path: Path) -> tuple[Course, tuple[ReferenceResult, ...]]:
        course = prepare(path, sandbox=sandbox, workers=jobs)
        return course, ask_again(course, ask_all(course, jobs), jobs)

    return ask


def examine(path: Path, ask: Ask | None) -> Examination:
    """Check a spec by all rules. Without `ask`, nothing of the course is run, and some rules are skipped."""
    try:
        spec = load(path)
    except SpecError as error:
        return Examination(file=str(path), remarks=_remark_problems(path, error.problems))
    subject = Subject(spec=spec, source=source(spec, str(path)))
    if ask is None:
        return _examination(subject, {"functions": "nothing was run", "reference": "nothing was run"})
    if stopped := _try_course_functions(subject):
        return stopped
    absent = {} if spec.has_references else {"reference": "there is no reference"}
    if absent and not _takes_course(spec):
        return _examination(subject, absent)
    try:
        course, answers = ask(path)
    except HostError as error:
        failed = checks.failing_generator_program(subject, str(error))
        drawn = [_remark(subject, "course-function", flaw) for flaw in failed]
        return _examination(subject, absent or {"reference": one_line(str(error), _MESSAGE_LIMIT)}, drawn)
    return _examination(replace(subject, course=course, answers=() if absent else answers), absent)


def _takes_course(spec: Spec) -> bool:
    """Whether a rule of one of the kinds in a spec runs something of the course's that is no reference."""
    rules = (rule for kind in kinds_in(spec) for rule in kind.lint_rules().values())
    return any(isinstance(rule, LintRule) and rule.takes_course for rule in rules)


def _try_course_functions(subject: Subject) -> Examination | None:
    """Return what can be said where packages are missing, or a generator fails; None where all is there."""
    try:
        libraries_of_course_functions(subject.spec)
    except HostError as error:
        why = one_line(str(error), _MESSAGE_LIMIT)
        return _examination(subject, {"functions": why, "reference": why})
    if flaw := checks.failing_generator(subject):
        return _examination(subject, {"reference": "a generator fails"}, [_remark(subject, "course-function", flaw)])
    return None


def _examination(subject: Subject, unchecked: Mapping[str, str], drawn: Sequence[Remark] = ()) -> Examination:
    """Hold a spec against the rules, but for those that ask for what is `unchecked`, with the reason."""
    found = [
        _remark(subject, name, flaw)
        for name, rule in RULES.items()
        if rule.asks not in unchecked
        for flaw in rule.find(subject)
    ]
    return Examination(
        file=subject.source.file,
        remarks=tuple(sorted({*found, *drawn})),
        spec=subject.spec,
        unchecked={name: unchecked[rule.asks] for name, rule in RULES.items() if rule.asks in unchecked},
    )


def _remark(subject: Subject, rule: str, flaw: Flaw) -> Remark:
    """Tell of a flaw where its path is, or the nearest above it that is written in the file."""
    path, message = flaw
    written, places = path, subject.source.places
    while written not in places:
        written = written[: max(written.rfind("."), written.rfind("["), 0)]
    line, column = places[written]
    return Remark(
        file=subject.source.file,
        line=line,
        column=column,
        path=path,
        rule=rule,
        level=RULES[rule].level,
        message=one_line(message, _MESSAGE_LIMIT),
    )


# ---------------------------------------------------------------- files that are no specs


def _remark_problems(path: Path, problems: tuple[Problem, ...]) -> tuple[Remark, ...]:
    """Make remarks of mistakes in the language; of needs that go round, one that says why no order helps."""
    try:
        round_trips = tuple(circles(needs(path.read_bytes(), str(path))))
    except (SpecError, OSError):
        round_trips = ()
    explained_problems: list[tuple[Problem, str]] = []
    explained: set[str] = set()
    places = {problem.path: problem for problem in problems}
    for (where, message), paths in round_trips:
        if where in places:
            explained |= paths
            explained_problems.append((places[where]._replace(message=message), CIRCLE))
    explained_problems += [(problem, LANGUAGE) for problem in problems if problem.path not in explained]
    return tuple(sorted(Remark(**problem._asdict(), rule=rule, level="error") for problem, rule in explained_problems))


def circles(needs: Needs) -> Iterator[tuple[Flaw, frozenset[str]]]:
    """Iterate over the circles among the needs of tests: what to say of each, and the paths of the needs in it.

    `load` refuses needs that look forward; this says why no order helps.
    """
    places = {name: place for place, name in enumerate(needs)}
    reported: set[frozenset[str]] = set()
    for start in needs:
        trail = _way_back(needs, start)
        paths = frozenset(needs[one][other] for one, other in pairwise(trail))
        if not trail or paths in reported:
            continue
        reported.add(paths)
        forward = next(pair for pair in pairwise(trail) if places[pair[1]] > places[pair[0]])
        round_trip = " needs ".join(f'"{name}"' for name in trail)
        message = f"{round_trip}: none of them can ever run; take one of these needs out"
        yield (needs[forward[0]][forward[1]], message), paths


def _way_back(needs: Needs, start: str) -> list[str]:
    """Return a shortest way from a test over its needs back to itself; nothing when there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for need in needs[way[-1]]:
            if need == start and len(way) > 1:
                return [*way, start]
            if need in needs and need not in seen and need != start:
                seen.add(need)
                ways.append([*way, need])
    return []
