"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from grader.build.archive_kinds import ARCHIVE_ENDINGS
from grader.build.artifact import build_submission
from grader.build.layout import tell_missing
from grader.build.repairs import Builder, adjust, build_with_repairs, put_beside, spec_for
from grader.build.staging import check_path, is_archive, pack, stage, submission_digest, unpack
from grader.build.toolchains import (
    PACKAGES,
    TOOLCHAINS_FILE,
    check_tools,
    find_tool,
    may_have_said,
    toolchain,
    version,
    with_own,
)
from grader.build.tree import Refused

__all__ = [
    "ARCHIVE_ENDINGS",
    "PACKAGES",
    "TOOLCHAINS_FILE",
    "Builder",
    "Refused",
    "adjust",
    "build_submission",
    "build_with_repairs",
    "check_path",
    "check_tools",
    "find_tool",
    "is_archive",
    "may_have_said",
    "pack",
    "put_beside",
    "spec_for",
    "stage",
    "submission_digest",
    "tell_missing",
    "toolchain",
    "unpack",
    "version",
    "with_own",
]
