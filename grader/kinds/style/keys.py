"""The keys of `style`: a tool that looks at the style of the source."""

from collections.abc import Mapping

from grader.core.yaml.types import Begin, Type, any_of, form, key, list_of, tables_of, word
from grader.core.yaml.value import parse_count, parsed
from grader.kinds.style.model import STYLE_TOOLS, StyleCheck

tables = tables_of(
    Begin("style-test", of=StyleCheck),
    key("run", "style-tool", required=True),
    ("ruff", "checkstyle", ["cppcheck", "--enable=style", "--template=gcc"]),
    "The tool; of one that is not known here its command, as a list, which the names of the files follow.",
    key("format", "finding-format", "How a tool that is not known here writes its findings.", examples=("sarif",)),
    key("files", "names", "Names or globs of the files that are looked at. Without it, all that the tool is for."),
    key("config", "text", examples=("style/ruff.toml", "google_checks", "LLVM")),
    "The rules: a file of the course, or the name of some that the tool brings with it.",
    key("select", "style-rules", "Rules that alone count, as the tool calls them.", examples=(["E", "F"],)),
    key("ignore", "style-rules", "Rules that do not count.", examples=(["E501"],)),
    key("suppress", "suppression", default="ignored"),
    "Whether comments in a source, such as `# noqa`, turn the tool off for a line or more.",
    key("free", "free-findings", "How many findings cost nothing.", examples=(3,)),
    key("costs", "points", examples=(0.5,)),
    "The points that each further finding costs. Without it, any costs all points of the test.",
    key("at-most", "points", "The points that findings cost together, at most.", beside="costs"),
)
types: Mapping[str, Type] = {
    "style-tool": Type(
        any_of({"enum": list(STYLE_TOOLS)}, list_of("argument", 1)), "a tool by its name, or a command as a list"
    ),
    "finding-format": word(
        "format",
        sarif="SARIF 2.1.0, on either stream.",
        checkstyle="The XML of Checkstyle, which other tools write too.",
        lines="Lines such as `queens.c:12:5: a text`, as compilers write them.",
    ),
    "style-rules": list_of("style-rule", 1),
    "style-rule": form(r"^[A-Za-z0-9_][\w.:/-]*$", "the name of a rule, such as E501"),
    "suppression": word(
        "way with such comments", ignored="They count for nothing.", allowed="They turn it off, as the tool has it."
    ),
    "free-findings": Type(
        {"type": "integer", "minimum": 0},
        "a whole number, 0 or more",
        parsed(lambda word: 0 if word == "0" else parse_count(word), "a number of findings, 0 or more", 0),
    ),
}
goes_with = ("unlike",)
beside = {"*": "{key} has no meaning beside style, for which the program is not run: make a test of its own"}
_EXAMPLE = {"run": "ruff", "select": ["E", "F"], "free": 3, "costs": 0.5}
_ABOUT = "A tool that looks at the style of the source, instead of runs of the program; each finding may cost."
added = {"test": key("style", "style-test", _ABOUT, examples=(_EXAMPLE,))}
