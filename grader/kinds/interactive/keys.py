"""The keys of `interactor`, and of a validator as a `check`."""

import re
from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.model.spec import Interactor
from grader.core.reader.types import LIMITS_OF_PROGRAM
from grader.core.yaml.types import Begin, Rule, Type, any_of, key, keys_of, list_of, ref, tables_of
from grader.core.yaml.value import Keys, parsed

_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,29}"
MAX_ROLES, MAX_PASSES = 16, 100
_JUDGES_OUTPUT = re.compile(r"(?:(?!functions).)*expect\.stdout\.check\.\w+").fullmatch
_READER = "grader.kinds.interactive.language"
_READ_PROGRAM = lazy_call("grader.core.reader.validators", "read_course_program")
_PASSES = Rule(lambda said, _: said["passes"] > MAX_PASSES, f"wanted a number of passes from 1 to {MAX_PASSES}")
_OF_OUTPUT = "are for what a program writes: say the check under stdout, and alone"
_MAX_SCORE: Keys = keys_of(
    key("max_score", "points", examples=(40,)),
    "What it writes into `feedback/score.txt` for all of the credit; it then has to write that file whenever it "
    "accepts. Without this, what it writes there is a share from 0 to 1.",
    Rule(lambda said, _: said["max_score"] == 0, "wanted a number above 0"),
)
beside = {
    "stdin": "stdin has no meaning beside an interactor, which is what the program reads: give it that under input",
    "dialogue": "a case has a dialogue or an interactor, which both speak with the program: take one of them out",
    "terminal": "an interactor speaks through pipes: take terminal out",
    "both": "an interactor speaks through pipes: take run out",
    "expect": "",  # reading the interactor says what of it does not go
    "memory-clean": "memory-clean has no meaning beside interactor, for an interactor does not wait for a program that "
    "is so much slower: take it out",
}
tables = tables_of(
    Begin("interactor", of=Interactor),
    key("program", "path", read=_READ_PROGRAM, examples=("reference/guess.py",)),
    "Its file, below the course root; what lies beside it is there too.",
    key("args", "arguments", "Its arguments, each as it is written; no student sees them."),
    key("input", "content", "What it finds in the file `input` of its working folder."),
    key("answer", "content", "What it finds in the file `answer` of its working folder."),
    key("programs", "roles", into="roles", aliases="processes num_processes roles players"),
    (["encoder", "decoder"],),
    "The student's program is started once for each of these at the same time, each in a sandbox of its own. The "
    "interactor reads what one writes from the file `NAME.out` of its working folder, and writes to `NAME.in`.",
    key("passes", "count"),
    "How often the student's program may be started, each time when the last one was right and the interactor left "
    "`nextpass.in` in its folder `feedback`.",
    _PASSES,
    _MAX_SCORE,
    key("limits", about="What the interactor may use; of the time only that counts in which it has the turn."),
    Begin("role"),
    key("name", "role-name", required=True, examples=("encoder",)),
    "A name of your own, of letters, digits, `_` and `-`, at most 30.",
    key("args", "arguments", examples=(["--decode"],)),
    "Its arguments, behind those of the program and of the case; without this, its name.",
    Begin("validator", of=Interactor),
    key("validator", "validator-program", into="program", required=True, examples=("reference/validate.py",)),
    "Its file, below the course root; what lies beside it is there too. It is called with the names of the files "
    "`input` and `answer` and of a folder for what it says, and reads what is judged.",
    key("args", "arguments", "Further arguments, each as it is written.", examples=(["float_tolerance", "1e-6"],)),
    key("answer", "content"),
    "What it finds in the file `answer`; without this, what the reference writes, where there is one.",
    LIMITS_OF_PROGRAM,
    key("passes", "count"),
    "How often the program may be run, each time when it was right and the validator left `nextpass.in`, which is the "
    "next standard input, in its folder `feedback`. Of standard output only.",
    _PASSES,
    Rule(lambda said, at: said["passes"] > 1 and not _JUDGES_OUTPUT(at.path), f"several passes {_OF_OUTPUT}"),
    _MAX_SCORE,
    Rule(lambda _, at: not _JUDGES_OUTPUT(at.path), f"scores {_OF_OUTPUT}"),
)
types: Mapping[str, Type] = {
    "validator-program": Type(ref("path"), read=_READ_PROGRAM),
    "role-name": Type(
        {"type": "string", "pattern": f"^{_NAME}$"},
        "letters, digits, `_` and `-`, at most 30, a letter first",
        parsed(
            lambda word: word if re.fullmatch(_NAME, word) else None,
            "a name of letters, digits, _ and -, at most 30, that begins with a letter",
            "",
        ),
    ),
    "named-role": Type(any_of(ref("role-name"), ref("role"))),
    "roles": list_of("named-role", 2, schema={"maxItems": MAX_ROLES}, read=lazy_call(_READER, "read_roles")),
    "interaction": Type(
        any_of(ref("path"), {"minProperties": 1, **ref("interactor")}), read=lazy_call(_READER, "read_interactor")
    ),
}
_EXAMPLES = ("reference/guess.py", {"program": "reference/guess.py", "args": ["42"]})
_ABOUT = "A program of the course that speaks with the student's, and says whether that is right."
_ALIASES = "interaction interactive validator"
added = {"case": key("interactor", "interaction", _ABOUT, aliases=_ALIASES, examples=_EXAMPLES, after="repeat")}
