"""The keys of the language: their meanings, their kinds of values, and the required ones; and the schema made of them.

A key has the name of its type: types refer to each other. Rows define a mapping: `Begin`, its rules, then its keys.
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, takewhile
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.lines import LineOptions
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.kind import KINDS, CaseParts, Kind, kind_of
from grader.core.lazy import lazy_call
from grader.core.model import layout
from grader.core.model.limits import LIMITS
from grader.core.model.spec import MAX_TIMEOUTS_IN_A_ROW, Case, Expectation, Interactor, Repeat, ScoreGroup, Spec, Test
from grader.core.notebook import is_notebook
from grader.core.reader import expectation, generated, types, validators
from grader.core.text import count
from grader.core.yaml import types as of
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import json_text, table
from grader.core.yaml.types import Begin, Rule, Said, Type, key, keys_of, read_as
from grader.core.yaml.value import Fields, Key, Keys, Value, in_quotes, inner_name, keyword, wrong

FILE = Path(__file__).parent / "spec.schema.json"  # as it is shipped, for editors that are given a path
KEYS_OF_KINDS = (Kind("", "", "program", generated.__name__), *KINDS.values())  # what is added to these tables
_FALSY_DEFAULTS = ("boolean", "free-findings", "value-points")  # types whose default may be false or 0
TYPES: dict[str, Type] = {  # by name; the schema of a mapping is made of its table
    **types.SIMPLE_TYPES,
    **expectation.EXPECTED_TYPES,
    **{name: kind for of_kind in KEYS_OF_KINDS for name, kind in of_kind.types.items()},
}


def _define(*rows: Any) -> None:
    """Define the types of mappings: each by its head and the rows of its keys, with the keys that kinds add."""
    for start, end in pairwise((*(at for at, row in enumerate(rows) if isinstance(row, Begin)), len(rows))):
        head, own, placed = rows[start], rows[start + 1 : end], dict[str, Key]()
        defaults = dict(zip(head.of.__struct_fields__[::-1], head.of.__struct_defaults__[::-1], strict=False))
        rules = (*takewhile(lambda row: isinstance(row, Rule), own),)
        keys = keys_of(*own[len(rules) :])
        added = [pair for of_kind in KEYS_OF_KINDS for pair in of_kind.added.get(head.name, {}).items()]
        for name, row in keys.items():
            value = None if row.required or row.default is not None else defaults.get(row.into)
            placed |= {name: row, **{new: key for new, key in added if (key.after or [*keys][-1]) == name}}
            if isinstance(value, Fraction) or (isinstance(value, int | str) and (value or row.kind in _FALSY_DEFAULTS)):
                node: Any = TYPES[row.kind].write(value)
                placed |= {name: replace(row, default=yaml.plain_value(node.text) if node.plain else node.text)}
        new = of.record(placed, head.make, *rules) if head.make else TYPES.get(head.name, Type())
        # It writes a record, or a mapping of its fields.
        write = partial(lambda keys, record: table(of.write_fields(record, keys, TYPES)), placed)
        TYPES[head.name] = replace(new, keys=placed, rules=rules, write=write if new.write is of.node_of else new.write)


def _make(record: Any, **said: Any) -> Any:
    change = layout.Change(**{name: said.pop(name) for name in layout.Change.__struct_fields__ if name in said})
    return record(change=change, **said)


def _make_group(said: Said, around: Interactor | None = None) -> ScoreGroup:
    """Make a group of scoring and those in it; one without a program of its own has that `around` it."""
    own = {name: said.pop(name) for name in ("args", "limits") if name in said}
    program = Interactor(**said.pop("program"), **own) if "program" in said else around
    groups = tuple(_make_group(group, program) for group in said.pop("groups", ()))
    return ScoreGroup(program=program or Interactor(program=""), groups=groups, **said)


def _check_test(said: Said, value: Value) -> None:
    keys, cases, names, before = (said[name] for name in ("keys", "cases", "names", "before"))
    for need in (need for word in ("needs", "unlike") if word in keys for need in yaml.items(keys[word])):
        if (name := yaml.text(need)) not in names:
            wrong(need, f"no test is called {in_quotes(name)}{yaml.suggestion(name, before)}")
        elif name not in before:
            later = f"{in_quotes(name)} comes later, and a test can need only those before it: move one of them"
            wrong(need, later if name != names[len(before)] else "a test cannot need itself")
    if (group := said.get("scoring")) and group.size not in (0, len(cases)):
        counted = f"its groups have {count(group.size, 'case')}, and the test has {len(cases)}: count them again"
        if not any(path.startswith(f"{value.path}.scoring.") for *_, path in value.context.problems):
            wrong(keys["scoring"], counted)
    if said["in_order"] and not {kind_of(case).runs for case in cases} <= {"program", "conversation"}:
        wrong(keys["in-order"], "only runs of the program, and dialogues, share a folder: make a test of their own")
    own = [case.id for case in cases]
    if "name" in keys and said["name"] not in before and (len({*own}) < len(own) or not said["ids"].isdisjoint(own)):
        wrong(value, f"two cases would be called the same, such as {in_quotes(own[0])}: rename the test or its values")
    if any(leaf.how == "lines" and leaf.get(LineOptions).by_line for case in cases for _, leaf in case.texts):
        check_steps(value, keys, "lines", "cases of which all lines are right")


def check_steps(value: Value, test: Fields, parts: str, right: str) -> None:
    """Report at `value` that a share for some of the `parts` has no effect, since only what is `right` counts."""
    if "all_or_nothing" in test and yaml.boolean(test["all_or_nothing"]):
        wrong(value, f"all_or_nothing gives nothing for a share of the {parts}: take one of them out")
    elif "credit" in test and not any(keyword(step) == "share" for _, step in yaml.entries(test["credit"]).values()):
        wrong(value, f"credit counts {right}, and none of its steps gives a share of these")


CHANGE: Keys = keys_of(  # what the course changes in the work of a student, before it is built
    key("rename", "renaming", examples=({"NQueens.java": "Queens.java"}, {"*.cpp": "queens.cpp"})),
    "Files that get another name. A glob must match exactly one file.",
    Rule(lambda said, _: len({*said["rename"].values()}) < len(said["rename"]), "two files would get one name"),
    key("with", "work-files", into="files"),
    ({"Makefile": {"file": "reference/Makefile"}}, {"lib": {"folder": "build/lib"}}),
    "Files and folders that replace or join those of the work.",
    key("prepare", "commands", examples=("sed -i '/^package /d' Queens.java",)),
    "Commands that change the files before the build; without a `build`, they leave the required files.",
    key("run", "commands", "What builds it, in place of the commands of `build`."),
    Rule(lambda _, at: not at.context.has_build, "run stands for that of build, and the spec has none"),
    key("leave-out", "left-out-cells", "Cells of a notebook to leave out: `broken-cells`, those that are no Python."),
    Rule(lambda _, at: not at.context.has_notebooks, "only notebooks have cells, and `language` is not notebook"),
)
_NO_CASES = "this group has no cases: say how many under cases"
_LOST = "{key} belong to a program: name it beside them, under program"
_NO_SCORES = "nothing says which program gives the points: name its file under program"
_NO_PROGRAM = Rule(lambda said, at: "program" not in {**said, **at.context.said}, _NO_SCORES)
_OF_PROGRAM = Rule(lambda said, at: "program" not in said and "program" in at.context.said, _LOST)
_define(
    Begin("case", of=Case),
    key("args", "given-arguments", aliases="parameters params"),
    (["-v", "8"], ["-v", {"random": "4..9", "count": 3}]),
    "The arguments of the program, each as it is written, or drawn.",
    key("stdin", "input", "Standard input. Without it the input is empty and at its end.", aliases="input keyboard"),
    key("env", "environment", "Environment variables, over those that the sandbox sets.", aliases="environment"),
    key("files", "given-files", "Files that are put into the working folder: name and content."),
    key("terminal", "boolean", "Whether standard input and output are a terminal.", aliases="tty pty"),
    key("run", "way", default="pipe"),
    "Whether it runs through pipes, on a terminal, or in both ways, and then has to be right in both.",
    Rule(lambda said, _: "terminal" in said, "run says all that terminal says: keep run alone"),
    key("repeat", "repetition", default=Repeat().times, examples=(3, {"times": 3, "counts": "most"})),
    "How often the case is run, and which run counts.",
    key("command", about="Another command instead of the program.", aliases="cmd exec", examples=("make clean",)),
    key("limits", about="Limits that override those above, key by key."),
    key("tolerate", "tolerances", "Tolerances that override those above, key by key."),
    key("expect", "expectation", "What the case is compared with.", examples=("reference",)),
    Begin("score-group", dict, ScoreGroup),
    _NO_PROGRAM,
    Rule(lambda said, _: said.keys().isdisjoint(("cases", "groups")), _NO_CASES),
    key("program", "path", read=validators.read_course_program, examples=("data/sums/graders/best.py",)),
    "Its file, below the course root; the files beside it are there, too. It reads a line `VERDICT SCORE` for each "
    "case, or each group, such as `WA 0`, and writes one such line. A group without it has that of the one around.",
    key("args", "arguments", "Its arguments, each as it is written.", examples=(["min"],)),
    _OF_PROGRAM,
    types.LIMITS_OF_PROGRAM,
    _OF_PROGRAM,
    key("cases", "count", "How many of the test's cases, in their order, are in this group."),
    Rule(lambda said, _: "groups" in said, "a group has cases or groups: put the cases into a group of their own"),
    key("groups", "score-groups", "Groups in it, in the order of the cases."),
    key("accept", "points"),
    "The score of an accepted case. If its judge has `max_score`, the judge writes the score.",
    key("reject", "points", "The score of any other case."),
    key("stop", into="stops"),
    "Whether the program reads only up to the first case or group that is not accepted.",
)
CASE, SCORE_GROUP = TYPES["case"].keys, TYPES["score-group"].keys

_HINTS = {  # how a case may end, or deviate -> the description of a hint for it
    "default": "Anything that goes wrong while the program runs, if no other hint fits.",
    "failed": "It is wrong, and no credit remains.",
    "partial": "It deviates, and a part of the credit remains.",
    "crashed": "It ended by a signal, or an uncaught exception.",
    "timeout": "It was stopped at a limit of time.",
    "memory": "It was stopped at its limit of memory.",
    "output": "It was stopped at its limit of output.",
    "build-failed": "There is nothing to run.",
    "skipped": "A test that this one needs did not pass.",
    **DEVIATION_MEANINGS,
}
_BOTH_STREAMS = "the screen shows both streams: name it alone, or the streams"
_COSTING = {"costs": "costs takes points off, and this test gives none: take {key} or costs out"}
_SCORED = {"scoring": "the points of this test come from scoring: take {key} out"}
_BY_GROUPS = {"scoring": "the groups of scoring may end early, each by itself: take one of the two out"}
_ALL = "all_or_nothing"
_WEIGHED = {_ALL: f"{_ALL} gives all points or none, however much a case counts: take one of them out", **_SCORED}
_STEPPED = {_ALL: f"{_ALL} is credit for all cases alone: take one of them out", **_SCORED}
_TOO_SMALL = 'wanted a size of 1 MiB or more, such as "512 MiB" or "64 MB"'
_LEAST = {"memory": (Rule(lambda said, _: said["memory"] < 2**20, _TOO_SMALL),)}
_NONE = "no build can fail: the spec has none"
_IDLE = "this repair does nothing: say under rename, with, prepare, run or leave-out what it does"
_NO_NOTEBOOK = "this is about notebooks, and `language` is not notebook: change that, or take this out"
_NO_JAVA = "only programs in java have archives of classes: say under language that they are"
_NO_STOP = "each case of this test has points of its own, which it would lose: add all_or_nothing"
_FEW_RUNS = "which run counts has no meaning among so few: ask for"

_define(
    Begin("spec", of=Spec),
    Rule(lazy_call("grader.core.reader.spec", "check_references")),
    key("spec", "version", "The version of the language. There is only 1.", required=True),
    key("id", required=True, examples=("cmps12b-pa2",)),
    "The name of the assignment in commands and paths: small letters, digits and hyphens.",
    key("title", "text", "The title of the assignment, as students see it.", aliases="name", required=True),
    key("course", "text", "The course, shown in reports and handouts."),
    key("source", "text", "Where the assignment comes from, shown in reports and handouts."),
    key("about", "text", aliases="description"),
    "What the program has to do, and what is left open and not graded; for students.",
    key("language", about="The language of submissions; it decides tools and limits."),
    Rule(
        lambda said, _: said["language"] == "notebook" and not any(map(is_notebook, said["files"].required_names)),
        "no notebook is required: name it under files, such as `required: [hw1.ipynb]`",
    ),
    key("notebook", examples=({"after-error": "go-on"},)),
    "How a module is made of a notebook of Jupyter, where `language` is `notebook`.",
    key("requires", "python-packages", aliases="packages dependencies modules pip"),
    (["numpy", "pandas>=2.2"],),
    "The packages for Python that its programs may import beside the standard library, each with a version where that "
    "matters. `grader packages` installs them once; grading never does.",
    key("files", "file-rules", "Which files a submission has, as names or globs."),
    key("build", about="How a program is made of the files. Without it there is nothing to build.", aliases="compile"),
    key("repairs"),
    "Repairs of work that cannot be built or started as it was handed in, each with its price. They are tried in this "
    "order: the first that helps counts or, if none helps alone, several of them together.",
    key("adjustments", about="Changes of single submissions, each with a reason, which the student reads."),
    key("program", "command", aliases="run command cmd executable", required=True, examples=("java -jar Queens",)),
    "How the student's program is started; the arguments of a case follow. No shell is involved.",
    key("reference", "reference-program", aliases="solution model_solution"),
    ("python3 reference/queens.py", "reference/queens.cpp", {"files": "reference/queens", "language": "c"}),
    "The instructor's own program; the word `reference` in a test stands for its output. Either the command that "
    "starts it, or the file or folder from which it is built.",
    key("references", "reference-programs"),
    ({"unique": "python3 reference/unique.py", "count": "reference/count.c"},),
    Rule(lambda said, _: not said["references"], "wanted at least one reference"),
    "References for the other programs of the assignment, by the name of the program in `command`. The reference for "
    "`program` may be among them, instead of under `reference`.",
    key("limits", about="What one execution may use. For missing limits, those of the language hold."),
    key("tolerate", "tolerances", examples=({"final-newline": "100%", "wrong-stream": "50%"},)),
    "What a deviation leaves of a case's credit. Any other deviation leaves nothing.",
    {"repeat": replace(CASE["repeat"], about="How often every case is run, and which run counts.")},
    key("once", "deviations", examples=(["wording", "letter-case"],)),
    "Deviations that cost points in one test only, where they cost most.",
    key("patience", default=MAX_TIMEOUTS_IN_A_ROW, examples=(5, "all")),
    "How many cases in a row may run out of time before the rest of their test is skipped, or all.",
    key("budget", examples=("5 min", "all")),
    "How long all runs of a submission may take together before the rest is skipped, or `all` to skip none. Without "
    "it, only runs that a limit ended count: 5 minutes, or half of the sum of all limits if that is more.",
    key("defaults", examples=({"files": {"words.txt": {"file": "data/words.txt"}}, "env": {"LC_ALL": "C"}},)),
    "What a case has unless it has its own; `env`, `files` and `expect` are merged key by key.",
    key("seed", examples=("student",)),
    "Random values come from a secret of the course, in its file draws.secret: the same values for all students, or "
    "others for each. Without this key they come from the id of the spec.",
    key("tests", about="The tests, in the order in which they run and are shown.", aliases="cases", required=True),
    key("equivalent", "markings", "The mutants of `grader verify` that are not wrong, each with the reason."),
    Begin("marking", lambda mutant, reason: (mutant, reason)),
    key("mutant", "name", required=True, examples=("listing/stdout/two-swapped", "*/exit/status")),
    "The name of a mutant, as `grader verify` shows it, or a glob.",
    key("reason", "text", "Why it is not wrong: what the assignment leaves open.", required=True),
    Begin("file-rules", layout.FileRules),
    key("required", "required-files", aliases="required_files"),
    (["Queens.java", {"any": ["README", "README.md"], "costs": 2}],),
    "Without these a submission cannot be built; one may have other names, or cost points instead.",
    key("discard", "names", "Removed before the build and reported, in addition to what `build` produces."),
    key("forbidden", "names", "A submission with one of these is not built."),
    key("optional", "names", "Files that may be missing; one in a folder shows where the work begins."),
    Begin("required-file", lambda name="", names=(), **said: layout.RequiredFile(names=names or (name,), **said)),
    key("name", "path", "Its name, or a glob.", alternative=True),
    key("any", "names", "Names or globs; one of these files is enough.", alternative=True, into="names"),
    Rule(lambda said, _: not said["names"], "wanted at least one name"),
    key("costs", "points", "The points that it costs if it is missing. Without this key, nothing is built then."),
    Begin("combined-repairs", dict, Spec),
    key("at-most", "count", into="max_repairs"),
    "How many of them may be combined for one submission; 1 for the first that helps alone.",
    key("try", "repair-list", "The repairs, in the order in which they are tried.", required=True, into="repairs"),
    Begin("repair", lambda trouble, **said: _make(layout.Repair, **trouble, **said), layout.Repair),
    Rule(lambda said, _: said["trouble"]["when"] and not any(map(said.get, layout.Change.__struct_fields__)), _IDLE),
    key("name", "id", required=True, examples=("no-makefile",)),
    "Its name in reports, like that of a deviation: small letters, digits and hyphens.",
    Rule(lambda said, _: said["name"] in DEVIATION_MEANINGS, "{} is a deviation already: give the repair another name"),
    key("about", "text", required=True, examples=("There was no Makefile, so that of the course was taken.",)),
    "What was repaired, in a sentence for students.",
    key("when", "trouble", required=True, into="trouble"),
    ("build-failed", {"missing": ["Makefile"]}, "cannot-start"),
    "When it is tried: if files are missing, if the build fails, or if the built program cannot start.",
    Rule(lambda _, at: keyword(at) == "build-failed" and not (at.context.has_build or at.context.has_notebooks), _NONE),
    CHANGE,
    key("keeps", "share", "What it leaves of the credit of each case that needs the build."),
    key("costs", "points", "The points that it takes off the whole."),
    Begin("missing-files", lambda missing: {"when": "missing", "missing": missing}),
    key("missing", "names", required=True),
    "Required files: all of these are missing, and no other file that the repair does not provide.",
    Rule(lambda said, _: not said["missing"], "wanted at least one name"),
    Rule(types.check_missing, ""),
    Begin("adjustment", lambda submission, **said: (submission, _make(layout.Adjustment, **said)), layout.Adjustment),
    key("submission", "name", "The name of the submission.", required=True),
    key("reason", "text", "Why, in a sentence for the student.", required=True),
    Rule(lambda said, _: not said["reason"], "wanted a reason, which the student reads"),
    CHANGE,
    key("points", "points-on-top", "Points on top of the whole, or off it.", examples=("+2", -3)),
    Begin("notebook", layout.NotebookRules, layout.NotebookRules),
    Rule(lambda _, at: not at.context.has_notebooks, _NO_NOTEBOOK),
    key("after-error"),
    "What happens when a cell ends with an exception: `stop`, as Jupyter does when it runs all cells, or `go-on` with "
    "the cells below it.",
    Begin("build", lambda files={}, jars={}, **said: layout.Build(files={**files, **jars}, jars=tuple(jars), **said)),
    key("run", "commands", aliases="command commands cmd", required=True),
    "The command that builds, or a list of commands.",
    key("produces", "names", aliases="outputs artifacts"),
    "Names or globs of the files that it must make; each case gets copies. Without it, the file that `./` starts. A "
    "handed-in file of that name is removed before, unless `files` has it as `required` or `optional`.",
    key("with", "work-files", into="files"),
    ({"Makefile": {"file": "build/Makefile"}}, {"lib": {"folder": "build/lib"}}),
    "Files and folders of the course that are put beside the work; they replace files that were handed in with these "
    "names. A folder `.` is that of the work.",
    key("jars", examples=(["lib/stdlib.jar"],)),
    "Archives of classes that submissions in Java use, below the course root. They are put into the work with these "
    "names and replace files that were handed in. `CLASSPATH` has them for the build, the program, its functions, unit "
    "tests and the reference.",
    Rule(lambda said, at: said["jars"] and at.context.language != "java", _NO_JAVA),
    key("limits", about="What the build may use."),
    Begin("reference-work"),
    key("files", "path", required=True, examples=("reference/queens.cpp", "reference/queens")),
    "Its file; the other files of that folder are beside it. Or its folder, which is laid out as a submission is.",
    key("language"),
    "Its language. Without it, a file has the language of its ending, and a folder that of the submissions.",
    key("build", "commands", into="commands"),
    "The commands that build it, in its folder. Without them, those of its language; for a folder in the language of "
    "the submissions, those of the spec.",
    key("program", "command", "How it is started there. Without it, as for `build`."),
    Begin("limits", dict),
    *(
        key(name, row.kind, row.about, aliases=row.aliases, examples=row.examples, rules=_LEAST.get(name, ()))
        for name, row in LIMITS.items()
    ),
    Begin("scoring", lambda **said: _make_group(said), ScoreGroup),
    _NO_PROGRAM,
    key("max", "points", required=True, into="most", examples=(100,)),
    "The score that is worth all points of the test.",
    Rule(lambda said, _: not said["most"], "wanted a number above 0"),
    SCORE_GROUP,
    Begin("defaults"),
    # A dialogue and calls belong to one test.
    {name: CASE[name] for name in ("args", "stdin", "env", "files", "terminal", "run", "command", "expect")},
    Begin("test", of=Test),
    Rule(_check_test),
    key("name", about="The name of the test, on one line; no other test has it.", aliases="title id", required=True),
    Rule(lambda said, _: said["name"] in said["before"], "another test is called {}: give each a name of its own"),
    key("about", "text", "What is tested, for students.", aliases="description"),
    key("points", aliases="score weight marks", default=1, unfit=_COSTING),
    "The points, shared equally by the cases. With 0 it is reported only.",
    key("weights", "case-weights", examples=({"n=8": 3, "n=1*": 0.5}, {"3": 2}), unfit=_WEIGHED),
    "How much cases count, by the text in brackets behind the name of the test, or by globs of it; the points are "
    "shared in these proportions. A name comes before a glob. All others count 1.",
    key("credit", "credit-steps", examples=({5: "50%", 7: "80%", 9: "100%"}, {5: "share"}), unfit=_STEPPED),
    "A number of right cases, and the share of its points that the test has from there on; below the first step it has "
    "none. `share` is the share of the cases themselves.",
    key("costs", "points", examples=(2,)),
    "The points that it takes off the whole if it is not right, in part if it is partly right. The test itself gives "
    "no points then.",
    Rule(lambda said, _: not said["costs"], "this takes nothing off: leave it out"),
    key("scoring", examples=({"program": "data/sums/best.py", "max": 100},), unfit=_COSTING),
    "Programs of the course that give the points, from the verdicts of all cases, and of groups of them.",
    key("bonus", "boolean", "Whether the points are on top of the maximum.", unfit=_COSTING),
    key("needs", "test-names", aliases="depends requires"),
    "Earlier tests that must pass first; else this one is skipped.",
    key("unlike", "test-names"),
    "Earlier tests. While none of them has points, a case of this test is wrong if the program writes the same as in "
    "them, such as nothing. So no program earns points by one answer to everything.",
    key("visibility", about="Who sees more than the name and the score."),
    key("hint", aliases="feedback"),
    ({"timeout": "Does every loop end?", "order": "Smaller numbers come first."},),
    "What a student reads who fails it; or a text for each way of failing.",
    key("all_or_nothing", "boolean", "Whether every case must pass for any points.", unfit=_SCORED),
    key("in-order", "boolean", unfit=_BY_GROUPS),
    "Whether its cases share one working folder, one after the other: each sees what the one before left there.",
    key("stop", into="stops", examples=("first-failure",), unfit=_SCORED),
    "The case at which a test that is all or nothing may end: the rest is skipped, and the score is the same.",
    Rule(lambda said, _: not said["all_or_nothing"], _NO_STOP),
    key("patience", examples=(5, "all")),
    "How many cases in a row may run out of time before the rest of this test is skipped, or all.",
    key("each", "variables", aliases="matrix parametrize"),
    ({"n": "1..10"}, {"n": [4, 6, 8]}, {"n": {"random": "4..9", "count": 3}}),
    "Variables and their values; every combination is a case, and {n} in a text is the value of n.",
    key("cases", aliases="tests examples", examples=({"from": "tests/*.in", "answers": "tests/*.out"},)),
    "The cases, or the files of which they are made. Their keys override those of the test.",
    CASE,
    Begin("hints", dict),
    Rule(lambda said, _: not said, "wanted a text, or hints under the names of verdicts and deviations"),
    *(key(name, "text", about, into=name) for name, about in _HINTS.items()),
    Begin("repetition-rule", Repeat, Repeat),
    key("times", "count", "The number of runs.", required=True),
    Rule(lambda said, _: said["times"] > types.MAX_RUNS, f"wanted a number of runs from 1 to {types.MAX_RUNS}"),
    key("counts", "counted", "Which run counts, by what it leaves of the points.", beside="times"),
    Rule(lambda said, _: said["counts"] == "most" and said["times"] in (1, 2), f"{_FEW_RUNS} 3 runs or more"),
    Rule(lambda said, _: said["times"] == 1, f"{_FEW_RUNS} 2 runs or more"),
    Begin("cases-of-files"),
    key("from", "path", required=True, examples=("tests/*.in",)),
    "Files below the course root, with one * in the name: each is the standard input of a case, in natural order; "
    "{name} is what the * stands for.",
    key("answers", "path", examples=("tests/*.out",)),
    "The file with the standard output of each case, with the * where its name goes.",
    Begin("file-content", lambda content: content),
    key("file", "path", into="content", required=True, read=lambda at: yaml.attach_unread(at, inner_name(at))),
    "A file below the course root, of which the content is taken.",
    Begin("folder-content"),
    key("folder", "path", required=True),
    "A folder below the course root, of which all files are copied, with the folders in which they are.",
    Begin("expectation-of-streams", of=Expectation),
    key("stdout", "stream", aliases="output expected_output expected_stdout standard_output"),
    "What standard output must be. Without this key it is not checked.",
    key("stderr", "stream", aliases="error expected_stderr standard_error"),
    "What standard error must be. Without this key it is not checked.",
    key("screen", "stream", unfit=dict.fromkeys(("stdout", "stderr"), _BOTH_STREAMS)),
    "In a dialogue: what both streams together must be, as a person sees them; `stdout` and `stderr` are missing then.",
    key("exit", aliases="exit_code exitcode status exit_status returncode return_code"),
    "The exit status. A crash is no exit, but the status of a signal may be required by its number.",
    key("crash"),
    "Whether an uncaught exception fails the case whatever its status, or is an exit with that status. A program that "
    "cannot be read or started fails in any case.",
    key("files", "expected-files", "What the working folder must hold after the run."),
    Begin("compared"),
    {name: replace(one.key, alternative=True) for name, one in COMPARATORS.items()},
    key("file", "path", examples=("answers/1.out",), alternative=True),
    "Exactly the text of a file below the course root; where its lines end in CR LF, LF is right as well.",
    key("any", "alternatives", examples=(["yes", {"contains": "right"}],), alternative=True),
    "Any of these is right: texts, comparators, reference; for a function also values.",
    key("all", "parts", examples=([{"contains": "Total"}, {"not": {"contains": "Error"}}],), alternative=True),
    "All of these hold, each for the whole text: comparators, texts, reference.",
    key("not", "stream", examples=({"contains": "Error"},), alternative=True),
    "This does not hold: a comparator or a text. Whatever else is written is right.",
    {name: key for comparator in COMPARATORS.values() for name, key in comparator.options.items()},
    key("only", "pattern", examples=(r"^\(",)),
    "A pattern: only lines in which it matches are compared, of the actual and of the expected output.",
    key("skip", "pattern", "A pattern: lines in which it matches are not compared.", examples=("^Enter",)),
    key("part", "pattern", examples=("ciphertext:", r"is (\d+)")),
    "A pattern: of each line in which it matches, the text behind the match is compared, without the spaces around it; "
    "or the text of its group, if it has one. Texts of the spec are that part already.",
    Begin("expected-files"),
    key("present", "names", "Names or globs of files that must be there."),
    key("absent", "names", "Names or globs of files that must not be there."),
    key("same", "same-files", "Names of files, and the text that each must hold."),
    *(row for of_kind in KEYS_OF_KINDS for row in of_kind.tables),
)
TABLES: Mapping[str, Keys] = {name: one.keys for name, one in TYPES.items() if one.keys}  # by kinds of mappings
TOP, TEST, COMPARED = (TABLES[name] for name in ("spec", "test", "compared"))
FREE_NAMES: Mapping[str, Key] = keys_of(  # a table that allows free names among its keys -> the value of such a name
    key("expected-files", "stream", examples=({"lines": ["1 5", "2 4"], "order": "any"},)),
    "The name of a file that must be there, and what it must hold, as for a stream.",
    {name: key for of_kind in KEYS_OF_KINDS for name, key in of_kind.added.get("*", {}).items()},
)

LATE: Keys = keys_of(
    key("per-day", "a share", "What each started day takes from the graded score.", required=True, examples=("-10 %",)),
    key("grace", "duration", "How much later is still in time.", default="0 min", examples=("15 min", "1 h")),
    key("at-most", "`3 days`", "How many days are counted at most; nothing more is taken for later ones."),
    key("closed-after", "`3 days`", "How many days after `due` nothing of the graded score counts any more."),
    key("free-days", "`3 days`", "How many late days cost a student nothing, in all assignments by their due dates."),
)

BY_HAND_FILE: Keys = {**key("adjustments"), **key("rubric")}  # lists of these two:
BY_HAND: Keys = keys_of(
    key("spec", "text", "The id of the assignment.", required=True),
    key("student", "text", "The id of a submission, as reports show it.", required=True),
    key("why", "text", "The reason, which the student reads; required where there is no `item`."),
    key("item", "text", "A rubric item, which has the reason and the points."),
    key("test", "text", "The test that it is about; without it, the whole."),
    key("points", "points-on-top", "What is added to the score; without it, this is a comment.", examples=("+2",)),
    key("score", "points", "The points of the test or the whole in place of graded ones, or of what is ungraded."),
    key("graded", "points", "What the test, or the whole, had when this was decided; a later change is reported."),
    key("due", "a date, a time and a zone", "Another due date, for this student alone."),
    key("excused", "boolean", "Whether the student is excused: no score, which is no zero."),
    key("file", "text", "The file of the submission that it is about."),
    key("line", "count", "The line of that file, from 1.", beside="file"),
    key("code", "text", "The text of that line, which the student sees beside the comment.", beside="line"),
)
RUBRIC_ITEM: Keys = keys_of(
    {"spec": BY_HAND["spec"]},
    key("item", "text", "Its id, by which `item` of a line names it.", required=True),
    key("why", "text", "The reason, which the students read.", required=True),
    {name: BY_HAND[name] for name in ("test", "points")},
)

FOR_ALL = [name for name, key in TOP.items() if name in CASE and CASE[name].kind == key.kind]  # there for every case
_BY_KEY = ("limits", "tolerate", "expect", *(kind.key for kind in KINDS.values() if kind.runs == "partner"))


def read_parts(keys: Fields, variables: Mapping[str, str] | None, names: Collection[str] = CASE.keys()) -> CaseParts:
    """Read those of the keys that make a case, with the variables filled in; None leaves braces alone."""
    filled = ((key, replace(value, context=replace(value.context, variables=variables))) for key, value in keys.items())
    parts: dict[str, Any] = {key: read_as(CASE[key].kind)(value) for key, value in filled if key in names}
    of.check_rules(keys, parts, [(keys[name], rule) for name in parts for rule in CASE[name].rules])
    if way := parts.pop("run", None):
        parts["terminal"] = way == "terminal"
    return {**parts, "both": way == "both"} if "terminal" in parts else parts


def merge_parts(upper: CaseParts, lower: CaseParts, *, by_key: Iterable[str] = _BY_KEY) -> CaseParts:
    """Merge parts: of a key in both, the upper one's value counts; the values under some keys are merged themselves."""
    return {**lower, **upper, **{key: {**lower.get(key, {}), **upper.get(key, {})} for key in by_key}}


def merge_defaults(parts: CaseParts, defaults: CaseParts) -> CaseParts:
    """Merge the parts of a case with the spec's defaults, without those that do not apply to its kind."""
    is_foreign = "/" not in (parts.get("command") or ("./",))[0]  # what a build makes is started by its path
    unfit = {kind.key for kind in KINDS.values() if is_foreign and kind.runs == "watcher"}
    unfit |= {key for kind in KINDS.values() if parts.get(kind.key) for key in kind.beside}
    fit = {key: value for key, value in defaults.items() if key not in unfit}
    return merge_parts(parts, fit, by_key=(*_BY_KEY, *({"env", "files"} & fit.keys())))


def make_schema() -> of.JsonSchema:
    """Return the schema of a spec: JSON Schema, draft 2020-12."""
    kinds = {name: _table_schema(kind.keys) if kind.keys else kind.schema for name, kind in TYPES.items()}
    for name, field in FREE_NAMES.items():
        kinds[name] |= {"additionalProperties": {"description": field.about, **of.ref(field.kind)}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:grader:spec:1",
        "title": "A spec of grader, version 1",
        "description": "The contract of one assignment. `grader lint` tells the mistakes that a schema cannot see.",
        **kinds.pop("spec"),
        # Without titles of their own, editors show that of the whole at each of these.
        "$defs": {name: {"title": name.replace("-", " "), **kind} for name, kind in sorted(kinds.items())},
    }


def schema_text() -> str:
    """Return the schema as the file that is shipped."""
    return f"{json_text(make_schema(), indent=2, ensure_ascii=False)}\n"


def _table_schema(keys: Keys) -> of.JsonSchema:
    """Return a mapping with these keys; with one whose other keys are free, or without it."""
    bound = {name: key for name, key in keys.items() if not key.others}
    owners = {name: key.beside.split() for name, key in bound.items() if key.beside}
    alternatives = [{"required": [name]} for name, key in bound.items() if key.alternative]
    pairs = [{"required": [*first["required"], *second["required"]]} for first, second in combinations(alternatives, 2)]
    rules: of.JsonSchema = {
        "type": "object",
        "properties": {name: _property(name, key) for name, key in bound.items()},
        "additionalProperties": False,
        "required": [name for name, key in bound.items() if key.required],
        "dependentRequired": {name: some for name, some in owners.items() if len(some) == 1},
        "dependentSchemas": {
            name: of.any_of(*({"required": [key]} for key in some)) for name, some in owners.items() if len(some) > 1
        },
        # In words by which editors go on offering the keys that belong to one.
        **({"minProperties": 1, "not": of.any_of(*pairs)} if alternatives and owners else {"oneOf": alternatives}),
    }
    rules = {name: rule for name, rule in rules.items() if rule or name in ("properties", "additionalProperties")}
    for name, entry in keys.items():
        if entry.others:
            alone = {"properties": {name: _property(name, entry)}, "additionalProperties": of.ref(entry.others)}
            # Not "anyOf": of that, editors would offer the keys of one alone.
            conditions = {"if": {"required": [name]}, "then": alone, "else": rules}
            return {"type": "object", "properties": alone["properties"], **conditions}
    return rules


def _property(name: str, key: Key) -> of.JsonSchema:
    extra = {"default": key.default, "examples": list(key.examples) or None}
    about = {"title": name, "description": key.about, **of.ref(key.kind)}
    return about | {word: value for word, value in extra.items() if value is not None}
