"""The keys of the language: their meanings, their kinds of values, and the required ones.

These tables are all that the readers accept, and all that `grader schema` shows to editors: other keys do not exist. A
kind of value is a name among `$defs` of the schema. A table is a kind too, under its name in `TABLES`.
"""

from collections.abc import Mapping

from grader.core.comparators import COMPARATORS
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.layout import DEFAULT_MAX_REPAIRS
from grader.core.model.spec import MAX_TIMEOUTS_IN_A_ROW
from grader.core.reader.limits import LIMITS
from grader.core.reader.share_keys import SHARE_KEYS, SHARE_TABLES
from grader.core.yaml.value import Key, Keys
from grader.kinds import KindKeys, all_kinds

KEYS_OF_KINDS: tuple[KindKeys, ...] = tuple(kind.keys() for kind in all_kinds() if kind.keys)
"""what the kinds add to these tables"""


def _with_added(table: str, keys: Keys) -> Keys:
    """Return the keys of a table with those that the kinds add to it, each in its place."""
    added = [one for of_kind in KEYS_OF_KINDS for one in of_kind.added if one.table == table]
    placed: dict[str, Key] = {}
    for name, key in keys.items():
        placed[name] = key
        placed |= {one.name: one.key for one in added if (one.after or list(keys)[-1]) == name}
    return placed


_TOP: Keys = {
    "spec": Key(about="The version of the language. There is only 1.", kind="version", required=True),
    "id": Key(
        about="The name of the assignment in commands and paths: small letters, digits and hyphens.",
        kind="id",
        required=True,
        examples=("cmps12b-pa2",),
    ),
    "title": Key(about="The title of the assignment, as students see it.", kind="text", required=True),
    "course": Key(about="The course, shown in reports and handouts.", kind="text"),
    "source": Key(about="Where the assignment comes from, shown in reports and handouts.", kind="text"),
    "about": Key(about="What the program has to do, and what is left open and not graded; for students.", kind="text"),
    "language": Key(
        about="The programming language of the submissions; it decides tools and limits.",
        kind="language",
        default="shell",
    ),
    "notebook": Key(
        about="How a module is made of a notebook of Jupyter, where `language` is `notebook`.",
        kind="notebook",
        examples=({"after-error": "go-on"},),
    ),
    "requires": Key(
        about="The packages for Python that its programs may import beside the standard library, each with a version "
        "where that matters. `grader packages` installs them once; grading never does.",
        kind="python-packages",
        examples=(["numpy", "pandas>=2.2"],),
    ),
    "files": Key(about="Which files a submission has, as names or globs.", kind="file-rules"),
    "build": Key(about="How a program is made of the files. Without it there is nothing to build.", kind="build"),
    "repairs": Key(
        about="What is done, in this order, for work that cannot be built or started as it was handed in: the first "
        "that helps, or where none helps alone, several of them, each with its price.",
        kind="repairs",
    ),
    "adjustments": Key(
        about="What was decided for single submissions, each with the reason, which the student reads.",
        kind="adjustments",
    ),
    "program": Key(
        about="How the student's program is started; the arguments of a case follow. No shell is involved.",
        kind="command",
        required=True,
        examples=("java -jar Queens",),
    ),
    "reference": Key(
        about="The instructor's own program, of which `reference` stands for the output: how it is started; or its "
        "file or folder, of which it is built.",
        kind="reference-program",
        examples=(
            "python3 reference/queens.py",
            "reference/queens.cpp",
            {"files": "reference/queens", "language": "c"},
        ),
    ),
    "references": Key(
        about="References for the other programs of the assignment, by the names that stand in each `command`. One for "
        "the `program` may stand here instead of under `reference`.",
        kind="reference-programs",
        examples=({"unique": "python3 reference/unique.py", "count": "reference/count.c"},),
    ),
    "limits": Key(about="What one execution may use. What is not named is the toolchain's.", kind="limits"),
    "tolerate": Key(
        about="What a deviation leaves of a case's credit. What is not named leaves nothing.",
        kind="tolerances",
        examples=({"final-newline": "100%", "wrong-stream": "50%"},),
    ),
    "repeat": Key(
        about="How often every case is run, and which run counts.",
        kind="repetition",
        default=1,
        examples=(3, {"times": 3, "counts": "most"}),
    ),
    "once": Key(
        about="Deviations that are charged once: in the test where that costs most points, and nowhere else.",
        kind="deviations",
        examples=(["wording", "letter-case"],),
    ),
    "patience": Key(
        about="How many cases in a row may run out of time before the rest of their test is skipped, or all.",
        kind="patience",
        default=MAX_TIMEOUTS_IN_A_ROW,
        examples=(5, "all"),
    ),
    "budget": Key(
        about="How long all runs of a submission may take together before the rest is skipped, or all. Without it, "
        "only runs that a limit ended count: 5 minutes, or half of what the limits of all allow if that is more.",
        kind="budget",
        examples=("5 min", "all"),
    ),
    "defaults": Key(
        about="What every case has that does not say otherwise; `env`, `files` and `expect` key by key.",
        kind="defaults",
        examples=({"files": {"words.txt": {"file": "data/words.txt"}}, "env": {"LC_ALL": "C"}},),
    ),
    "seed": Key(
        about="What is drawn comes from a secret of the course, in its file draws.secret: the same for all students, "
        "or other values for each. Without it, from the id of the spec.",
        kind="seed",
        examples=("student",),
    ),
    "tests": Key(about="The tests, in the order in which they run and are shown.", kind="tests", required=True),
    "equivalent": Key(
        about="The mutants of `grader verify` that are not wrong, each with the reason.", kind="markings"
    ),
}
TOP = _with_added("spec", _TOP)

MARKING: Keys = {
    "mutant": Key(
        about="The name of a mutant, as `grader verify` shows it, or a glob.",
        kind="name",
        required=True,
        examples=("listing/stdout/two-swapped", "*/exit/status"),
    ),
    "reason": Key(about="Why it is not wrong: what the assignment leaves open.", kind="text", required=True),
}

FILE_RULES: Keys = {
    "required": Key(
        about="Without these a submission cannot be built; one may have other names, or cost points instead.",
        kind="required-files",
        examples=(["Queens.java", {"any": ["README", "README.md"], "costs": 2}],),
    ),
    "discard": Key(about="Removed before the build and reported, in addition to what `build` produces.", kind="names"),
    "forbidden": Key(about="A submission with one of these is not built.", kind="names"),
    "optional": Key(about="May be there; one in a folder tells where the work begins.", kind="names"),
}

REQUIRED_FILE: Keys = {
    "name": Key(about="Its name, or a glob.", kind="path", alternative=True),
    "any": Key(about="Names or globs, of which any one is enough.", kind="names", alternative=True),
    "costs": Key(
        about="The points that it costs when it is missing; without this nothing is built then.", kind="points"
    ),
}

CHANGE: Keys = {
    "rename": Key(
        about="Files that get another name. A glob must match exactly one file.",
        kind="renaming",
        examples=({"NQueens.java": "Queens.java"}, {"*.cpp": "queens.cpp"}),
    ),
    "with": Key(
        about="Files and folders that are laid over the work.",
        kind="work-files",
        examples=({"Makefile": {"file": "reference/Makefile"}}, {"lib": {"folder": "build/lib"}}),
        into="files",
    ),
    "prepare": Key(
        about="Commands that change the files before the build; without a `build`, they leave the required files.",
        kind="commands",
        examples=("sed -i '/^package /d' Queens.java",),
    ),
    "run": Key(about="What builds it, in place of the commands of `build`.", kind="commands"),
    "leave-out": Key(
        about="What of a notebook is not taken: `broken-cells`, those that are no Python.", kind="left-out-cells"
    ),
}
"""what the course changes in the work of a student, before it is built"""

REPAIRS: Keys = {
    "at-most": Key(
        about="How many of them may be combined for one submission; 1 for the first that helps alone.",
        kind="count",
        default=DEFAULT_MAX_REPAIRS,
    ),
    "try": Key(about="The repairs, in the order in which they are tried.", kind="repair-list", required=True),
}

REPAIR: Keys = {
    "name": Key(
        about="Its name in reports, like that of a deviation: small letters, digits and hyphens.",
        kind="id",
        required=True,
        examples=("no-makefile",),
    ),
    "about": Key(
        about="What was repaired, in a sentence for students.",
        kind="text",
        required=True,
        examples=("There was no Makefile, so that of the course was taken.",),
    ),
    "when": Key(
        about="In which trouble it is tried: when files are missing, the build fails, or what was built cannot start.",
        kind="trouble",
        required=True,
        examples=("build-failed", {"missing": ["Makefile"]}, "cannot-start"),
    ),
    **CHANGE,
    "keeps": Key(about="What it leaves of the credit of each case that needs the build.", kind="share", default="100%"),
    "costs": Key(about="The points that it takes off the whole.", kind="points", default=0),
}
MISSING_FILES: Keys = {
    "missing": Key(
        about="Required files: each of these is missing, and nothing else that the repair does not bring.",
        kind="names",
        required=True,
    )
}

ADJUSTMENT: Keys = {
    "submission": Key(about="The name of the submission.", kind="name", required=True),
    "reason": Key(about="Why, in a sentence for the student.", kind="text", required=True),
    **CHANGE,
    "points": Key(about="Points on top of the whole, or off it.", kind="points-on-top", default=0, examples=("+2", -3)),
}

NOTEBOOK: Keys = {
    "after-error": Key(
        about="What happens when a cell ends with an exception: `stop`, as Jupyter does when it runs all cells, or "
        "`go-on` with the cells below it.",
        kind="after-error",
        default="stop",
    ),
}

BUILD: Keys = {
    "run": Key(about="The command that builds, or a list of commands.", kind="commands", required=True),
    "produces": Key(
        about="Names or globs it must leave behind, copied for each case; without it what `./` starts. Such a file "
        "that was handed in is removed before, unless `files` has it as `required` or `optional`.",
        kind="names",
    ),
    "with": Key(
        about="Files and folders of the course that are put beside the work, in place of what was handed in under the "
        "names of these files. A folder `.` is the work's own.",
        kind="work-files",
        examples=({"Makefile": {"file": "build/Makefile"}}, {"lib": {"folder": "build/lib"}}),
        into="files",
    ),
    "jars": Key(
        about="Archives of classes that submissions in Java use, below the course root. They lie in the work under "
        "these names, in place of what was handed in, and `CLASSPATH` names them to the build, the program, its "
        "functions, unit tests and the reference.",
        kind="jars",
        examples=(["lib/stdlib.jar"],),
    ),
    "limits": Key(about="What the build may use.", kind="limits"),
}

REFERENCE_WORK: Keys = {
    "files": Key(
        about="Its file, beside which all that lies in the folder is there too; or its folder, which is laid out as a "
        "submission is.",
        kind="path",
        required=True,
        examples=("reference/queens.cpp", "reference/queens"),
    ),
    "language": Key(
        about="Its language; without it that of the file's ending, and of a folder that of the submissions.",
        kind="language",
    ),
    "build": Key(
        about="The commands that build it, in its folder; without them its language's, or for a folder in the language "
        "of the submissions those of the spec.",
        kind="commands",
    ),
    "program": Key(about="How it is started there; without it likewise.", kind="command"),
}

_CASE: Keys = {
    "args": Key(
        about="The arguments of the program, each as it is written, or drawn.",
        kind="given-arguments",
        examples=(["-v", "8"], ["-v", {"random": "4..9", "count": 3}]),
    ),
    "stdin": Key(about="Standard input. Without it the input is empty and at its end.", kind="input"),
    "env": Key(about="Environment variables, over those that the sandbox sets.", kind="environment"),
    "files": Key(about="Files that are put into the working folder: name and content.", kind="given-files"),
    "terminal": Key(about="Whether standard input and output are a terminal.", kind="boolean", default=False),
    "run": Key(
        about="Whether it runs through pipes or on a terminal; or in both ways, and has to be right in both.",
        kind="way",
        default="pipe",
    ),
    "repeat": Key(
        about="How often the case is run, and which run counts.",
        kind="repetition",
        default=1,
        examples=(3, {"times": 3, "counts": "most"}),
    ),
    "command": Key(about="Another command instead of the program.", kind="command", examples=("make clean",)),
    "limits": Key(about="Limits over those above, key by key.", kind="limits"),
    "tolerate": Key(about="Tolerances over those above, key by key.", kind="tolerances"),
    "expect": Key(about="What the case is held against.", kind="expectation", examples=("reference",)),
}
CASE = _with_added("case", _CASE)

DEFAULTS: Keys = {key: CASE[key] for key in ("args", "stdin", "env", "files", "terminal", "run", "command", "expect")}
"""defaults that a spec may set for all tests; a dialogue and calls belong to one test"""

_TEST: Keys = {
    "name": Key(about="The name of the test, on one line; no other test has it.", kind="name", required=True),
    "about": Key(about="What is tested, for students.", kind="text"),
    "points": Key(
        about="The points, shared equally by the cases. With 0 it is reported only.", kind="points", default=1
    ),
    **SHARE_KEYS,
    "bonus": Key(about="Whether the points are on top of the maximum.", kind="boolean", default=False),
    "needs": Key(about="Earlier tests that must pass first; else this one is skipped.", kind="test-names"),
    "unlike": Key(
        about="Earlier tests: while none of them has points, a case of this one is wrong in which the program writes "
        "the same as there, such as nothing. So no program earns points by one answer to everything.",
        kind="test-names",
    ),
    "visibility": Key(about="Who sees more than the name and the score.", kind="visibility", default="visible"),
    "hint": Key(
        about="What to tell a student who fails it; or what to tell for each way of failing.",
        kind="hint",
        examples=({"timeout": "Does every loop end?", "order": "Smaller numbers come first."},),
    ),
    "all_or_nothing": Key(about="Whether every case must pass for any points.", kind="boolean", default=False),
    "stop": Key(
        about="At which case a test that is all or nothing may end: the rest of it is skipped, and its score the same.",
        kind="stop",
        examples=("first-failure",),
    ),
    "patience": Key(
        about="How many cases in a row may run out of time before the rest of this test is skipped, or all.",
        kind="patience",
        default=MAX_TIMEOUTS_IN_A_ROW,
        examples=(5, "all"),
    ),
    "each": Key(
        about="Variables and their values; every combination is a case, and {n} in a text is the value of n.",
        kind="variables",
        examples=({"n": "1..10"}, {"n": [4, 6, 8]}, {"n": {"random": "4..9", "count": 3}}),
    ),
    "cases": Key(
        about="The cases, or the files of which to make them; what they say is laid over what the test says.",
        kind="cases",
        examples=({"from": "tests/*.in", "answers": "tests/*.out"},),
    ),
    **CASE,
}
TEST = _with_added("test", _TEST)

HINT: Keys = {
    name: Key(about=about, kind="text")
    for name, about in {
        "default": "Whatever goes wrong while the program runs and no other hint is for.",
        "failed": "It is wrong, and nothing is left of the credit.",
        "partial": "It deviates, and a part of the credit is left.",
        "crashed": "It ended by a signal, or an uncaught exception.",
        "timeout": "It was stopped at a limit of time.",
        "memory": "It was stopped at its limit of memory.",
        "output": "It was stopped at its limit of output.",
        "build-failed": "There is nothing to run.",
        "skipped": "A test that this one needs did not pass.",
        **DEVIATION_MEANINGS,
    }.items()
}
"""how a case may end, or deviate -> the description of a hint for it"""

REPETITION: Keys = {
    "times": Key(about="The number of runs.", kind="count", required=True),
    "counts": Key(
        about="Which run counts, by what it leaves of the points.", kind="counted", default="worst", beside="times"
    ),
}

CASES_OF_FILES: Keys = {
    "from": Key(
        about="Files below the course root, with one * in the name: each is the standard input of a case, in natural "
        "order; {name} is what the * stands for.",
        kind="path",
        required=True,
        examples=("tests/*.in",),
    ),
    "answers": Key(
        about="The file with the standard output of each case, with the * where its name goes.",
        kind="path",
        examples=("tests/*.out",),
    ),
}

FILE_CONTENT: Keys = {
    "file": Key(about="A file below the course root, of which the content is taken.", kind="path", required=True)
}

FOLDER_CONTENT: Keys = {
    "folder": Key(
        about="A folder below the course root, of which all files are copied, with the folders in which they are.",
        kind="path",
        required=True,
    )
}

EXPECTATION: Keys = {
    "stdout": Key(about="What standard output must be. When it is not named it is not checked.", kind="stream"),
    "stderr": Key(about="What standard error must be. When it is not named it is not checked.", kind="stream"),
    "screen": Key(
        about="In a dialogue: what both streams together must be, as a person sees them; then neither is named.",
        kind="stream",
    ),
    "exit": Key(
        about="The exit status. A crash does not count as an exit; of a signal, its very status may be named.",
        kind="exit",
        default="any",
    ),
    "crash": Key(
        about="Whether an uncaught exception fails the case whatever its status, or is an exit with that status. A "
        "program that cannot be read or started fails in any case.",
        kind="crash",
        default="fails",
    ),
    "files": Key(about="What the working folder must hold after the run.", kind="expected-files"),
}

COMPARED: Keys = {
    **{name: comparator.key for name, comparator in COMPARATORS.items() if comparator.key},
    "file": Key(
        about="Exactly the text of a file below the course root; where its lines end in CR LF, LF is right as well.",
        kind="path",
        examples=("answers/1.out",),
        alternative=True,
    ),
    "any": Key(
        about="Any of these is right: texts, comparators, reference; for a function also values.",
        kind="alternatives",
        examples=(["yes", {"contains": "right"}],),
        alternative=True,
    ),
    "all": Key(
        about="All of these hold, each held against the whole text: comparators, texts, reference.",
        kind="parts",
        examples=([{"contains": "Total"}, {"not": {"contains": "Error"}}],),
        alternative=True,
    ),
    "not": Key(
        about="This does not hold: a comparator or a text. Whatever else is written is right.",
        kind="stream",
        examples=({"contains": "Error"},),
        alternative=True,
    ),
    **{name: key for comparator in COMPARATORS.values() for name, key in comparator.options.items()},
    "only": Key(
        about="A pattern: only lines in which it matches are compared, of what is written and of what is wanted.",
        kind="pattern",
        examples=(r"^\(",),
    ),
    "skip": Key(about="A pattern: lines in which it matches are not compared.", kind="pattern", examples=("^Enter",)),
    "part": Key(
        about="A pattern: of each line in which it matches, what follows it is compared, without the blanks around "
        "that; or what its group holds, if it has one. Texts of the spec are that part already.",
        kind="pattern",
        examples=("ciphertext:", r"is (\d+)"),
    ),
}
"""how a text is compared: by one of the alternatives, with its options"""

EXPECTED_FILES: Keys = {
    "present": Key(about="Names or globs of files that must be there.", kind="names"),
    "absent": Key(about="Names or globs of files that must not be there.", kind="names"),
    "same": Key(about="Names of files, and the text that each must hold.", kind="same-files"),
}
FREE_NAMES: Mapping[str, Key] = {
    "expected-files": Key(
        about="The name of a file that must be there, and what it must hold, as for a stream.",
        kind="stream",
        examples=({"lines": ["1 5", "2 4"], "order": "any"},),
    ),
    **{name: key for of_kind in KEYS_OF_KINDS for name, key in of_kind.free_names.items()},
}
"""a table that allows free names among its keys -> the value of such a name"""

CONFIGURATION: Keys = {
    "spec": Key(about="The spec of the submissions below, a path or an id.", kind="text"),
    "due": Key(
        about="When work is due: one time for the spec that this file names, or a time for each id.",
        kind="due-date",
        examples=("2026-11-20 23:59 Europe/Zurich", {"queens": "2026-11-20 23:59 Europe/Zurich"}),
    ),
    "late": Key(about="What late work costs. Without it, nothing.", kind="late-rule", beside="due"),
    "courses": Key(
        about="Folders below that are courses of your own. Any other course inside this one is refused: a student may "
        "have written it.",
        kind="paths",
        examples=(["examples/*"],),
    ),
}
"""the keys of `grader.yaml`"""

LATE: Keys = {
    "per-day": Key(
        about="What each started day takes from the graded score.", kind="loss", required=True, examples=("-10 %",)
    ),
    "grace": Key(
        about="How much later than `due` is still in time.",
        kind="duration",
        default="0 min",
        examples=("15 min", "1 h"),
    ),
    "at-most": Key(about="How many days are counted at most; nothing more is taken for later ones.", kind="days"),
    "closed-after": Key(about="How many days after `due` nothing of the graded score counts any more.", kind="days"),
    "free-days": Key(
        about="How many late days cost a student nothing, over all assignments of this file, in the order of their due "
        "dates.",
        kind="days",
    ),
}

BY_HAND_FILE: Keys = {
    "adjustments": Key(about="What was decided by hand, in any order.", kind="by-hand"),
    "rubric": Key(about="Reasons, with points or without, that are given to many students.", kind="rubric-item"),
}
BY_HAND: Keys = {
    "spec": Key(about="The id of the assignment.", kind="text", required=True),
    "student": Key(about="The id of a submission, as reports show it.", kind="text", required=True),
    "why": Key(about="The reason, which the student reads; required where there is no `item`.", kind="text"),
    "item": Key(about="A rubric item, which has the reason and the points.", kind="text"),
    "test": Key(about="The test that it is about; without it, the whole.", kind="text"),
    "points": Key(
        about="What is added to the score; without it, this is a comment.", kind="points-on-top", examples=("+2",)
    ),
    "score": Key(
        about="The points of the test, or of the whole, in place of graded ones; also of what is ungraded.",
        kind="points",
    ),
    "graded": Key(
        about="What the test, or the whole, had when this was decided; where it has something else now, that is told.",
        kind="points",
    ),
    "due": Key(about="Another due date, for this student alone.", kind="moment"),
    "excused": Key(about="Whether the student is excused: no score, which is no zero.", kind="boolean"),
    "file": Key(about="The file of the submission that it is about.", kind="text"),
    "line": Key(about="The line of that file, from 1.", kind="count"),
    "code": Key(about="The text of that line, which the student sees beside the comment.", kind="text"),
}
RUBRIC_ITEM: Keys = {
    "spec": Key(about="The id of the assignment.", kind="text", required=True),
    "item": Key(about="Its id, by which `item` of a line names it.", kind="text", required=True),
    "why": Key(about="The reason, which the students read.", kind="text", required=True),
    "test": Key(about="The test that it is about; without it, the whole.", kind="text"),
    "points": Key(
        about="What is added to the score; without it, this is a comment.", kind="points-on-top", examples=("-2",)
    ),
}
"""the keys of a rubric item in `adjustments.yaml`"""

TABLES: Mapping[str, Keys] = {
    "spec": TOP,
    "marking": MARKING,
    "file-rules": FILE_RULES,
    "required-file": REQUIRED_FILE,
    "combined-repairs": REPAIRS,
    "repair": REPAIR,
    "missing-files": MISSING_FILES,
    "adjustment": ADJUSTMENT,
    "build": BUILD,
    "notebook": NOTEBOOK,
    "reference-work": REFERENCE_WORK,
    "limits": LIMITS,
    "defaults": DEFAULTS,
    "test": TEST,
    "hints": HINT,
    "case": CASE,
    **SHARE_TABLES,
    "repetition-rule": REPETITION,
    "cases-of-files": CASES_OF_FILES,
    "file-content": FILE_CONTENT,
    "folder-content": FOLDER_CONTENT,
    "expectation-of-streams": EXPECTATION,
    "compared": COMPARED,
    "expected-files": EXPECTED_FILES,
    **{name: keys for of_kind in KEYS_OF_KINDS for name, keys in of_kind.tables.items()},
}
"""kind -> the keys of its mapping"""
