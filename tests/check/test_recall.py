"""What a command came to before is taken for what it comes to, as long as nothing that it depends on has changed."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from grader.check.sample_results import RunCache
from grader.core.cache import Cache
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.run.measuring import WorkerSlots, measure_each
from grader.core.sandbox import LEVELS
from tests.support.processes import processor_taken
from tests.support.rows import each_row

DRAW = "head -c 9 /dev/urandom | od -An -tx1"
"""says something else each time"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    (work / "inner").mkdir(parents=True)
    (work / "inner" / "data").write_text("a")
    return work


@pytest.fixture
def recall(tmp_path: Path) -> Callable[..., RunCache]:
    return partial(RunCache, Cache(folder=tmp_path / "cache"), "alice")


def draw(folder: Path, script: str = DRAW) -> Launch:
    return Launch(argv=("sh", "-c", script), folder=folder, limits=Limits(time=20, cpu=20))


def said(
    memory: RunCache, *launches: Launch, most: int = 99, begun: Callable[[int], None] = lambda _: None
) -> list[bytes]:
    """What the commands write, measured as those of a submission are, until `most` are done."""
    measure = partial(measure_each, LEVELS["full"], cancelled=Event(), slots=WorkerSlots(1))
    found = islice(memory.measure_each(launches, measure, begun), most)
    return [done.stdout for done in found if isinstance(done, Execution)]


def test_the_same_is_recalled_in_its_place_and_the_rest_is_run(recall: Callable[..., RunCache], folder: Path) -> None:
    one, other, third = draw(folder), draw(folder, f"{DRAW};"), draw(folder, f"{DRAW}; :")
    before = recall("tools")
    (known,) = said(before, other)
    before.keep()
    again = recall("tools")
    begun: list[int] = []
    first, second, _ = said(again, one, other, third, begun=begun.append)
    assert (second, again.recalled, begun) == (known, 1, [0, 2])
    again.keep()
    assert said(recall("tools"), other, one) == [known, first]
    assert again.token == before.token


@pytest.mark.parametrize(
    "change",
    [
        lambda launch: replace(launch, stdin=b"a"),
        lambda launch: replace(launch, env={"A": "1"}),
        lambda launch: replace(launch, files={"a": b"a"}),
        lambda launch: replace(launch, terminal=True),
        lambda launch: replace(launch, dialogue=(Step(do="eof"),)),
        lambda launch: replace(launch, limits=Limits(time=21, cpu=20)),
        lambda launch: replace(launch, collect=("*",)),
        lambda launch: (launch.folder / "inner" / "data").write_text("b") and launch,
        lambda launch: (launch.folder / "inner" / "data").chmod(0o755) or launch,
        lambda launch: (launch.folder / "inner" / "more").mkdir() or launch,
    ],
)
def test_whatever_a_command_is_given_makes_it_another(
    recall: Callable[..., RunCache], folder: Path, change: Callable[[Launch], Launch]
) -> None:
    (known,) = said(memory := recall("tools"), draw(folder))
    memory.keep()
    assert said(recall("tools"), draw(folder)) == [known]
    assert said(recall("tools"), change(draw(folder))) != [known]


def test_where_its_files_lie_is_nothing_to_it(recall: Callable[..., RunCache], folder: Path) -> None:
    known = said(memory := recall("tools"), draw(folder))
    memory.keep()
    assert said(recall("tools"), draw(folder.rename(folder.with_name("elsewhere")))) == known


@each_row
def test_it_is_forgotten_when_something_around_has_changed(
    recall: Callable[..., RunCache], folder: Path, tmp_path: Path, now: dict[str, Any], *, is_recalled: bool
) -> None:
    before = recall("tools")
    known = said(before, draw(folder))
    before.keep()
    memory = recall(**now)
    assert (said(memory, draw(folder)) == known) is is_recalled
    assert (memory.token == before.token) is (now["around"] == "tools")
    memory.keep()
    assert len(list((tmp_path / "cache").iterdir())) == 1  # what was before takes no room


def test_what_is_not_kept_when_all_is_fresh_is_not_as_it_was_before(
    recall: Callable[..., RunCache], folder: Path
) -> None:
    said(memory := recall("tools"), draw(folder))
    memory.keep()
    recall("tools", fresh=True).keep()  # as where it hangs this time
    said(again := recall("tools"), draw(folder))
    assert again.recalled == 0


@pytest.mark.slow
@each_row
def test_what_comes_near_a_limit_is_run_again_only_where_the_machine_may_have_a_part_in_it(
    recall: Callable[..., RunCache], folder: Path, script: str, output: int, recalled: int
) -> None:
    launch = replace(draw(folder, script), limits=Limits(time=0.5, cpu=0.5, output=output))
    said(memory := recall("tools"), launch)
    memory.keep()
    again = recall("tools")
    said(again, launch)
    assert again.recalled == recalled


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "recalled"), [pytest.param(0.1, 1, id="ended by itself"), pytest.param(9, 0, id="ended by a limit")]
)
def test_what_a_limit_ended_on_a_busy_machine_is_run_again(
    recall: Callable[..., RunCache], seconds: float, recalled: int
) -> None:
    work = f"import time\nwhile time.process_time() < {seconds}: pass"
    argv = ("taskset", "--cpu-list", "0", "python3", "-c", work)
    launch = Launch(argv=argv, limits=Limits(time=20, cpu=0.4))
    with processor_taken():
        said(memory := recall("tools"), launch)
    memory.keep()
    said(again := recall("tools"), launch)
    assert again.recalled == recalled


def test_what_is_run_several_times_is_recalled_as_often(recall: Callable[..., RunCache], folder: Path) -> None:
    memory = recall("tools")
    drawn = said(memory, *[draw(folder)] * 3)
    assert len(set(drawn)) == 3
    memory.keep()
    again = recall("tools")
    assert said(again, draw(folder)) + said(again, *[draw(folder)] * 2) == drawn
    assert said(again, draw(folder))[0] not in drawn


def test_nothing_is_run_once_it_is_enough(recall: Callable[..., RunCache], folder: Path) -> None:
    one, other = draw(folder), draw(folder, f"{DRAW};")
    memory = recall("tools")
    assert len(said(memory, one, other, most=1)) == 1
    memory.keep()
    again = recall("tools")
    begun: list[int] = []
    assert len(said(again, one, other, begun=begun.append)) == 2
    assert (again.recalled, begun) == (1, [1])


def test_a_memory_stays_small(recall: Callable[..., RunCache], folder: Path, tmp_path: Path) -> None:
    used = []
    for number in range(6):
        memory = recall("tools")
        used.append(said(memory, draw(folder, f"{DRAW}; : {number}")))
        memory.keep()
    assert len(list((tmp_path / "cache").iterdir())) == 1
    assert [said(recall("tools"), draw(folder, f"{DRAW}; : {number}")) == used[number] for number in (4, 5)] == [
        False,
        True,
    ]
