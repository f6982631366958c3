"""Whatever moment a class is killed at, what was told as done is on the disk."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.core.report.formats import FORMATS
from grader.core.report.json import from_json
from grader.results.store import STORE_NAME, files_of, read_store
from tests.support.classes import finals
from tests.support.expected import ROOT

SIZE, KILLS = 14, 36


@pytest.mark.timeout(200)
def test_what_was_told_is_stored_and_written_and_the_rest_is_made_up_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.stored_class", str(tmp_path), str(SIZE), str(KILLS)]
    subprocess.run(command, cwd=ROOT, timeout=180, check=True)
    whole, interrupted = finals(tmp_path / "whole"), 0
    assert len(whole) == SIZE * len(FORMATS) + 4
    for number in range(KILLS):
        killed, resumed = tmp_path / f"killed-{number}", tmp_path / f"resumed-{number}"
        log = killed.with_name(f"{killed.name}.told")
        told = log.read_text().split() if log.exists() else []
        interrupted += 0 < len(told) < SIZE
        if told:
            with read_store(killed / STORE_NAME) as store:
                entries = {entry.id: entry for entry in store.entries()}
                for name in told:
                    report = store.get(name)
                    assert report, f"{name} was told, and is not stored"
                    assert from_json(report).submission.id == name
                    for file, content in files_of(entries[name], report, store.about()).items():
                        assert (killed / name / file).read_bytes() == content
        assert resumed.with_name(f"{resumed.name}.told").read_text().split().count("s000") == 1
        assert finals(resumed) == whole
    assert interrupted > KILLS // 6, "it was not killed in the midst of the class"
