"""Version 2 of control groups, by files as the kernel shows them: this machine may have its memory in version 1."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.core.sandbox import cgroup
from grader.core.sandbox.cgroup import ControlGroup, Hierarchy
from tests.support.rows import each_row

APP = "user.slice/user-1000.slice/user@1000.service/app.slice"
SCOPE, SESSION, SERVICE = f"{APP}/run-r1.scope", "user.slice/user-1000.slice/session-3.scope", "system.slice/ci.service"
MIB = 2**20


def second_version(root: Path) -> Hierarchy:
    return next(found for found in cgroup._candidates() if str(root) in found.folders["memory"])


@pytest.fixture
def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As systemd lays it out: what is handed to a user is what its own manager has divided."""
    for name in (SCOPE, SESSION, SERVICE):
        (tmp_path / name).mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.rglob("*")):
        if folder.is_dir():
            (folder / "cgroup.procs").touch()
            (folder / "cgroup.subtree_control").write_text("")
    (tmp_path / APP / "cgroup.subtree_control").write_text("memory pids\n")
    (tmp_path / "mountinfo").write_text(f"30 23 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw,nsdelegate\n")
    monkeypatch.setattr(cgroup, "_MOUNTS", str(tmp_path / "mountinfo"))
    monkeypatch.setattr(cgroup, "_OURS", str(tmp_path / "cgroup"))
    return tmp_path


@pytest.mark.parametrize(("ours", "found"), [(SCOPE, [APP]), (SESSION, []), (SERVICE, [])])
def test_groups_are_made_where_a_part_is_ours(ours: str, found: list[str], mounted: Path) -> None:
    (mounted / "cgroup").write_text(f"0::/{ours}\n")
    candidates = list(cgroup._candidates())
    assert [one.folders["memory"] for one in candidates] == [str(mounted / name) for name in found]
    assert all(one.version == "cgroup v2" for one in candidates)


@each_row
def test_an_end_for_want_of_memory_is_told_from_that_of_others(
    events: str, peak: int | None, exhausted: int, *, killed_by_host: bool, mounted: Path
) -> None:
    (mounted / "cgroup").write_text(f"0::/{SCOPE}\n")
    (mounted / SCOPE / "memory.events").write_text(f"low 0\nhigh 0\nmax 7\n{events}\noom_group_kill 0\n")
    if peak is not None:
        (mounted / SCOPE / "memory.peak").write_text(f"{peak}\n")
    folders = dict.fromkeys(("memory", "pids"), str(mounted / SCOPE))
    group = ControlGroup(second_version(mounted), folders, ExitStack(), memory=100 * MIB)
    assert (group.exhausted(), group.is_killed_by_host()) == (exhausted, killed_by_host)


@each_row
def test_another_command_has_a_group_only_when_nothing_is_left_in_it(
    change: dict[str, str | None], mounted: Path, *, like_new: bool
) -> None:
    (mounted / "cgroup").write_text(f"0::/{SCOPE}\n")
    files = {"cgroup.procs": "", "memory.events": "oom 0\noom_kill 0\n", "memory.current": "9\n", "memory.peak": "9\n"}
    for name, text in {**files, **change}.items():
        (mounted / SCOPE / name).unlink(missing_ok=True)
        if text is not None:
            (mounted / SCOPE / name).write_text(text)
    folders = dict.fromkeys(("memory", "pids"), str(mounted / SCOPE))
    assert ControlGroup(second_version(mounted), folders, ExitStack(), memory=100 * MIB).is_like_new() is like_new
