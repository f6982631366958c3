"""Which languages a machine has, for tests that run programs in them."""

import os
import shutil

import pytest

from grader.core.languages import TOOLCHAINS_FILE, toolchain
from grader.core.reader.files import read_data

TOOLCHAINS = {name: toolchain(name, data) for data in [read_data(TOOLCHAINS_FILE)] for name in data}
IN_CI = frozenset(
    ("java", "python", "c", "cpp", "prolog", "shell", "javascript", "lua", "perl", "ruby", "pascal", "bash", "sql")
)
"""those that `make test` installs: their tests never skip there"""


def is_here(name: str) -> bool:
    """Whether a language is on this machine, or has to be."""
    there = shutil.which(TOOLCHAINS[name].version[0], path="/usr/bin:/bin") is not None
    return there or (name in IN_CI and "CI" in os.environ)


def each(*names: str) -> pytest.MarkDecorator:
    """Make a test for each of the languages, that skips where one is missing and need not be there."""
    return pytest.mark.parametrize(
        "language",
        [
            pytest.param(name, marks=[] if is_here(name) else pytest.mark.skip(f"{name} is not on this machine"))
            for name in names
        ],
    )
