"""How what is handed in has to be laid out and built, and what the course puts right in it."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field

from grader.core.model.limits import LimitOverrides

Commands = tuple[tuple[str, ...], ...]  # commands, each in words, that run one after the other
Trouble = Literal["missing", "build-failed", "cannot-start"]


class RequiredFile(Struct, frozen=True, kw_only=True):
    """A file that a submission must have."""

    names: tuple[str, ...]  # names or globs, of which any one is enough
    costs: Fraction | None = None  # points that it costs when it is missing; None when nothing can be built without it


class FileRules(Struct, frozen=True, kw_only=True):
    """Names or globs of the files of a submission."""

    required: tuple[RequiredFile, ...] = ()
    discard: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    made: tuple[str, ...] | None = None  # what the build makes; None where nothing is built
    is_inspected: bool = False

    @property
    def required_names(self) -> tuple[str, ...]:
        """The names of all that is required."""
        return tuple(name for one in self.required for name in one.names)


class Build(Struct, frozen=True, kw_only=True):
    """How a program is made: commands, one after the other, and the files that they must leave behind."""

    run: Commands
    produces: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)  # they replace what was handed in under their names
    jars: tuple[str, ...] = ()
    limits: LimitOverrides = field(default_factory=dict)


class NotebookRules(Struct, frozen=True, kw_only=True):
    """How a module is made of a notebook."""

    goes_on: bool = False
    leaves_out_broken: bool = False


def matches_glob(name: str, pattern: str) -> bool:
    """Whether a path matches a glob in which `*` goes over folders, and `**/` stands for none as well."""
    return fnmatchcase(name, pattern) or any(
        matches_glob(name, pattern[: found.start()] + pattern[found.end() :])
        for found in re.finditer(r"(?<![^/])\*\*/", pattern)
    )


def java_class_path(build: Build | None) -> Mapping[str, str]:
    """Return the setting by which Java's tools find the course's archives, before all that was handed in."""
    return {"CLASSPATH": ":".join((*build.jars, "."))} if build and build.jars else {}


class Change(Struct, frozen=True, kw_only=True):
    """What the course changes in the work of a student before it is built, in this order."""

    rename: Mapping[str, str] = field(default_factory=dict)  # a name, or a glob for one file -> the name it gets
    files: Mapping[str, bytes] = field(default_factory=dict)
    prepare: Commands = ()
    run: Commands = ()  # the commands that build it, instead of those of the spec; none for those
    leave_out: Literal["", "broken-cells"] = ""


class Repair(Struct, frozen=True, kw_only=True):
    """What the course does for work that cannot be built or started as it was handed in, and what that costs."""

    name: str
    about: str
    when: Trouble
    missing: tuple[str, ...] = ()  # for `missing`: the required files that are, of which the change may do without
    change: Change
    keeps: Fraction = Fraction(1)
    costs: Fraction = Fraction(0)


class Adjustment(Struct, frozen=True, kw_only=True):
    """What the instructor decided for one submission, and why."""

    reason: str
    change: Change = Change()
    points: Fraction = Fraction(0)
