"""The keys of `interactor`, and of a validator as a `check`."""

from collections.abc import Mapping

from grader.core.yaml.types import Type, any_of, list_of, ref, strict_text
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

_MAX_SCORE = Key(
    about="What it writes into `feedback/score.txt` for all of the credit; it then has to write that file whenever it "
    "accepts. Without this, what it writes there is a share from 0 to 1.",
    kind="points",
    examples=(40,),
)
INTERACTOR: Keys = {
    "program": Key(
        about="Its file, below the course root; what lies beside it is there too.",
        kind="path",
        examples=("reference/guess.py",),
    ),
    "args": Key(about="Its arguments, each as it is written; no student sees them.", kind="arguments"),
    "input": Key(about="What it finds in the file `input` of its working folder.", kind="content"),
    "answer": Key(about="What it finds in the file `answer` of its working folder.", kind="content"),
    "programs": Key(
        about="The student's program is started once for each of these at the same time, each in a sandbox of its own. "
        "The interactor reads what one writes from the file `NAME.out` of its working folder, and writes to `NAME.in`.",
        kind="roles",
        examples=(["encoder", "decoder"],),
    ),
    "passes": Key(
        about="How often the student's program may be started, each time when the last one was right and the "
        "interactor left `nextpass.in` in its folder `feedback`.",
        kind="count",
        default=1,
    ),
    "max_score": _MAX_SCORE,
    "limits": Key(
        about="What the interactor may use; of the time only that counts in which it has the turn.", kind="limits"
    ),
}
ROLE: Keys = {
    "name": Key(
        about="A name of your own, of letters, digits, `_` and `-`, at most 30.",
        kind="role-name",
        required=True,
        examples=("encoder",),
    ),
    "args": Key(
        about="Its arguments, behind those of the program and of the case; without this, its name.",
        kind="arguments",
        examples=(["--decode"],),
    ),
}
ROLE_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,29}"
MAX_ROLES = 16
VALIDATOR: Keys = {
    "validator": Key(
        about="Its file, below the course root; what lies beside it is there too. It is called with the names of the "
        "files `input` and `answer` and of a folder for what it says, and reads what is judged.",
        kind="validator-program",
        required=True,
        examples=("reference/validate.py",),
    ),
    "args": Key(
        about="Further arguments, each as it is written.", kind="arguments", examples=(["float_tolerance", "1e-6"],)
    ),
    "answer": Key(
        about="What it finds in the file `answer`; without this, what the reference writes, where there is one.",
        kind="content",
    ),
    "limits": Key(about="What it may use.", kind="limits"),
    "passes": Key(
        about="How often the program may be run, each time when it was right and the validator left `nextpass.in`, "
        "which is the next standard input, in its folder `feedback`. Of standard output only.",
        kind="count",
        default=1,
    ),
    "max_score": _MAX_SCORE,
}
_TYPES: Mapping[str, Type] = {
    "validator-program": Type(ref("path")),
    "role-name": Type(strict_text(f"^{ROLE_NAME}$"), "letters, digits, `_` and `-`, at most 30, a letter first"),
    "named-role": Type(any_of(ref("role-name"), ref("role"))),
    "roles": Type({**list_of("named-role", 2), "maxItems": MAX_ROLES}),
    "interaction": Type(any_of(ref("path"), {"minProperties": 1, **ref("interactor")})),
}


def keys() -> KindKeys:
    """Return what interactors and validators add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="case",
                name="interactor",
                after="repeat",
                key=Key(
                    about="A program of the course that speaks with the student's, and says whether that is right.",
                    kind="interaction",
                    examples=("reference/guess.py", {"program": "reference/guess.py", "args": ["42"]}),
                ),
            ),
        ),
        tables={"interactor": INTERACTOR, "validator": VALIDATOR, "role": ROLE},
        types=_TYPES,
        aliases=(
            ("interaction interactive validator", "interactor", "interactor"),
            ("processes num_processes roles players", "programs", "interactor.programs"),
        ),
    )
