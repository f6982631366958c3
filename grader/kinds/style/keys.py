"""The keys of `style`: a tool that looks at the style of the source."""

from collections.abc import Mapping

from grader.core.yaml.types import Type, any_of, any_text, list_of, word
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys
from grader.kinds.style.model import STYLE_TOOLS

STYLE: Keys = {
    "run": Key(
        about="The tool; of one that is not known here its command, as a list, which the names of the files follow.",
        kind="style-tool",
        required=True,
        examples=("ruff", "checkstyle", ["cppcheck", "--enable=style", "--template=gcc"]),
    ),
    "format": Key(
        about="How a tool that is not known here writes its findings.",
        kind="finding-format",
        examples=("sarif",),
    ),
    "files": Key(
        about="Names or globs of the files that are looked at. Without it, all that the tool is for.", kind="names"
    ),
    "config": Key(
        about="The rules: a file of the course, or the name of some that the tool brings with it.",
        kind="text",
        examples=("style/ruff.toml", "google_checks", "LLVM"),
    ),
    "select": Key(about="Rules that alone count, as the tool calls them.", kind="style-rules", examples=(["E", "F"],)),
    "ignore": Key(about="Rules that do not count.", kind="style-rules", examples=(["E501"],)),
    "suppress": Key(
        about="Whether comments in a source, such as `# noqa`, turn the tool off for a line or more.",
        kind="suppression",
        default="ignored",
    ),
    "free": Key(about="How many findings cost nothing.", kind="free-findings", default=0, examples=(3,)),
    "costs": Key(
        about="The points that each further finding costs. Without it, any costs all points of the test.",
        kind="points",
        examples=(0.5,),
    ),
    "at-most": Key(about="The points that findings cost together, at most.", kind="points", beside="costs"),
}
STYLE_TYPES: Mapping[str, Type] = {
    "style-tool": Type(
        any_of({"enum": list(STYLE_TOOLS)}, list_of("argument", 1)), "a tool by its name, or a command as a list"
    ),
    "finding-format": word(
        "format",
        {
            "sarif": "SARIF 2.1.0, on either stream.",
            "checkstyle": "The XML of Checkstyle, which other tools write too.",
            "lines": "Lines such as `queens.c:12:5: a text`, as compilers write them.",
        },
    ),
    "style-rules": Type(list_of("style-rule", 1)),
    "style-rule": Type(any_text(pattern=r"^[A-Za-z0-9_][\w.:/-]*$"), "the name of a rule"),
    "suppression": word(
        "way with such comments",
        {"ignored": "They count for nothing.", "allowed": "They turn it off, as the tool has it."},
    ),
    "free-findings": Type({"type": "integer", "minimum": 0}, "a whole number, 0 or more"),
}


def keys() -> KindKeys:
    """Return what style tools add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="test",
                name="style",
                key=Key(
                    about="A tool that looks at the style of the source, instead of runs of the program; each finding "
                    "may cost.",
                    kind="style-test",
                    examples=({"run": "ruff", "select": ["E", "F"], "free": 3, "costs": 0.5},),
                ),
            ),
        ),
        tables={"style-test": STYLE},
        types=STYLE_TYPES,
    )
