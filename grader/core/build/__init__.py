"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from grader.core.build.archive_kinds import ARCHIVE_ENDINGS
from grader.core.build.artifact import build_submission
from grader.core.build.layout import describe_missing, staging_rules
from grader.core.build.repairs import Builder, adjust, build_with_repairs, describe_repair, put_beside, spec_for
from grader.core.build.staging import check_path, is_archive, pack, read_work, stage, submission_digest, unpack
from grader.core.build.toolchains import (
    PACKAGES,
    PYPY,
    add_crashes_by_name,
    add_crashes_of_interpreters,
    candidate_toolchains,
    check_tools,
    version,
)
from grader.core.build.tree import Refused
from grader.core.find_tool import find_tool
from grader.core.languages import TOOLCHAINS_FILE, toolchain, with_own

__all__ = [
    "ARCHIVE_ENDINGS",
    "PACKAGES",
    "PYPY",
    "TOOLCHAINS_FILE",
    "Builder",
    "Refused",
    "add_crashes_by_name",
    "add_crashes_of_interpreters",
    "adjust",
    "build_submission",
    "build_with_repairs",
    "candidate_toolchains",
    "check_path",
    "check_tools",
    "describe_missing",
    "describe_repair",
    "find_tool",
    "is_archive",
    "pack",
    "put_beside",
    "read_work",
    "spec_for",
    "stage",
    "staging_rules",
    "submission_digest",
    "toolchain",
    "unpack",
    "version",
    "with_own",
]
