"""What people are told when the sandbox does not come up, with the very words of bubblewrap 0.8 and the kernel."""

from pathlib import Path
from threading import Event

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Launch
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS, outer
from grader.core.sandbox.command import remedy
from tests.support.rows import read_data

COMPLAINTS = read_data(__file__)["COMPLAINTS"]


@pytest.mark.parametrize(("complaint", "told"), COMPLAINTS)
def test_a_known_complaint_has_a_remedy(complaint: str, told: str) -> None:
    assert told in remedy(complaint)
    assert remedy(complaint).isprintable()


@pytest.mark.parametrize("complaint", ["", "bwrap: Something else", "prlimit: failed to set the NPROC resource limit"])
def test_an_unknown_one_has_none(complaint: str) -> None:
    assert not remedy(complaint)


@pytest.mark.parametrize(("complaint", "told"), [*COMPLAINTS[:1], ("bwrap: Something else", "Something else")])
def test_the_failure_says_what_to_do(
    complaint: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
    program.chmod(0o755)
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001:  # what starts it is not us
            folder.chmod(0o755)
    monkeypatch.setattr(outer, "PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(HostError, match="the sandbox could not be set up: bwrap: ") as raised:
        execute(LEVELS["full"], Launch(argv=("true",)), Event())
    assert complaint in str(raised.value)
    assert told in str(raised.value)
