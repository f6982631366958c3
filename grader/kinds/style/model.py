"""Tools that look at the style of sources, as data, and what a test makes of their findings."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.spec import Payload

FindingFormat = Literal["sarif", "checkstyle", "lines"]
"""How a tool writes its findings: SARIF 2.1.0; the XML of Checkstyle; or lines as compilers write them"""


class StyleTool(Struct, frozen=True, kw_only=True):
    """A program that examines sources: how to start it, limit it to the course's rules, and read its output."""

    name: str = ""  # how people call it, which is how it is started by hand
    command: tuple[str, ...]  # what starts it; options follow, and then the files
    written: tuple[str, ...] = ()  # options with which it writes for programs, where people need none
    format: FindingFormat
    endings: tuple[str, ...] = ()  # endings of the files that it examines, unless a spec names files
    config: tuple[str, ...] = ()  # options that give it the course's rules, for `{config}`; empty when it takes none
    brought: Mapping[str, str] = {}  # rules that it brings with it: name -> what stands for `{config}` then
    file: str = "{file}"  # what stands for `{config}` when the rules are in a file of the course
    alone: tuple[str, ...] | None = ()  # options for the rules that it has by itself; None when it has none
    select: str = ""  # the option for `{rules}` that alone count; empty when it has none
    ignore: str = ""  # the option for `{rules}` that do not count
    deaf: tuple[str, ...] = ()  # options with which no comment in a source turns it off
    silencers: tuple[str, ...] = ()  # of comments that do, where it has no such option; without group 1 they do not
    settings: tuple[str, ...] = ()  # files by which a student could configure it nevertheless: it is never given any
    done: tuple[int, ...] = ()  # the statuses of a successful run; empty: any, because its format shows success
    show: tuple[str, ...] = ()  # paths of the machine that it needs in addition to /usr: absolute paths, or globs
    remedy: str = ""  # the command that installs it
    package: str = ""  # the installed distribution that defines it, and its version


class StyleCheck(Payload, frozen=True, kw_only=True):
    """The request to a tool about the source of a submission, and the cost of its findings."""

    tool: StyleTool
    options: tuple[str, ...]  # between its command and the files
    files: tuple[str, ...] = ()  # names or globs of the files; without any, those with the tool's endings
    config: Mapping[str, bytes] = {}  # name -> content of a file of the course that is copied to them
    heeds_comments: bool = False  # whether comments in a source may turn the tool off
    free: int = 0  # findings that cost nothing
    costs: Fraction | None = None  # points that each further one costs; None when any costs all of them
    at_most: Fraction | None = None  # points that all of them cost together, when that is less than those of the test
    points: Fraction = Fraction(1)  # of the test

    sources = property(lambda self: self.files)
    command_text = property(lambda self: lambda _spec: self.text)
    packaged = property(lambda self: (self.tool,) if self.tool.package else ())

    text = property(lambda self: " ".join((*self.tool.command, *self.options, *self.asked)))  # as one types it
    asked = property(lambda self: self.files or tuple(f"*{ending}" for ending in self.tool.endings))

    def credit(self, findings: int) -> Fraction:
        """Return the share of the points that so many findings leave."""
        further = max(0, findings - self.free)
        if self.costs is None or not self.points:
            return Fraction(0 if further else 1)
        taken = further * self.costs
        return max(Fraction(0), 1 - (taken if self.at_most is None else min(taken, self.at_most)) / self.points)


_PYTHON, _JAVA = (".py",), (".java",)
_CURLY = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp")
_FORMATS = ("LLVM", "GNU", "Google", "Chromium", "Microsoft", "Mozilla", "WebKit")

_TOOLS = (
    StyleTool(
        command=("ruff", "check"),
        written=("--no-cache", "--output-format=sarif"),
        format="sarif",
        config=("--config={config}",),
        alone=("--isolated",),  # otherwise it would search for rules in the sources' folder
        endings=_PYTHON,
        select="--select={rules}",
        ignore="--ignore={rules}",
        deaf=("--ignore-noqa",),
        done=(0, 1),
        remedy="pip install 'fairgrader[style]'",
    ),
    StyleTool(
        command=("pycodestyle",),
        format="lines",
        config=("--config={config}",),
        endings=_PYTHON,
        select="--select={rules}",
        ignore="--ignore={rules}",
        settings=("setup.cfg", "tox.ini"),
        silencers=(r"(?i)#[ \t]*(no)(?:qa|pep8)\b",),
        done=(0, 1),
    ),
    StyleTool(
        command=("checkstyle",),
        written=("-f", "xml"),
        format="checkstyle",
        config=("-c", "{config}"),
        brought={"sun_checks": "/sun_checks.xml", "google_checks": "/google_checks.xml"},
        alone=None,
        endings=_JAVA,
        silencers=(
            r"(CHECKSTYLE)[:.] ?(?:OFF|ON|STOP|START)\b",
            r"(SUPPRESS) CHECKSTYLE\b",
            r"@(?:java\.lang\.)?(SuppressWarnings)\b",
        ),
        show=("/etc/java-*",),  # Debian keeps the configuration there, and no Java starts without it
    ),
    StyleTool(
        command=("clang-format", "--dry-run"),
        format="lines",
        config=("--style={config}",),
        brought={name: name for name in _FORMATS},
        file="file:{file}",
        alone=None,
        endings=_CURLY,
        settings=(".clang-format-ignore",),
        silencers=(r"(clang)-format[ \t]+o(?:ff|n)\b",),
        done=(0,),
    ),
    StyleTool(
        command=("shellcheck", "--norc"),
        written=("--format=checkstyle",),
        format="checkstyle",
        endings=(".sh", ".bash", ".ksh", ".dash"),
        select="--include={rules}",
        ignore="--exclude={rules}",
        silencers=(r"(?m)#[ \t]*(shell)check[ \t](?!shell=\w+[ \t]*$)",),
        done=(0, 1),
    ),
)
STYLE_TOOLS: Mapping[str, StyleTool] = {
    (name := tool.command[0]): replace(tool, name=name, remedy=tool.remedy or f"apt-get install {name}")
    for tool in _TOOLS
}
"""the tools that a spec can name; a spec can start another one itself, if its output is in one of the formats"""
