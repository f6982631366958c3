"""What holds for all tests."""

import gc
import itertools
import os
import re
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression
from hypothesis import settings

from tests.support.examples import examples
from tests.support.rows import read_data
from tests.support.sampled import SAMPLED, SAMPLED_FILES, in_sample

# A thousand starts of the program compile it once, also on machines that are told to keep nothing of what they compile.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A loaded machine is slow and not wrong: no example may fail for the time that it takes.
settings.register_profile("grader", deadline=None, max_examples=examples(100))
settings.load_profile("grader")

collect_ignore = ["adding", "attacks", "first_sentences", "imports/cases"]

SLOW: Mapping[str, str] = read_data(__file__)["SLOW"]
"""files and folders that `make test-slow` runs and `make test` leaves out, each with what takes its time; a single test
of another file has the marker itself"""


@pytest.fixture(scope="session")
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder for what grader keeps by content: one for all workers of pytest."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "shared-cache"


@pytest.fixture(scope="session", autouse=True)
def shared_cache(cache_of_all: Path) -> Iterator[None]:
    """Let each test find what others kept, for a command that finds nothing takes twice the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache_of_all))
        yield


MARKERS = frozenset({"slow", "load", "soak"})
_HERE = Path(__file__).parent


@cache
def is_in_slow_table(path: Path) -> bool:
    """Return whether a file, or a folder above it, stands in `SLOW`."""
    if not path.is_relative_to(_HERE):
        return False
    relative = path.relative_to(_HERE)
    return any(place.as_posix() in SLOW for place in (relative, *relative.parents))


@cache
def named_markers(path: Path) -> frozenset[str]:
    """Return the markers that the text of a file or a table names: no test of it has another."""
    sampled = {"soak"} if path.is_relative_to(_HERE) and path.relative_to(_HERE).as_posix() in SAMPLED_FILES else ()
    return MARKERS.intersection(re.findall(r"\bmark\.(\w+)", path.read_text(encoding="utf-8"))).union(sampled)


def may_select(expression: str, certain: frozenset[str], possible: frozenset[str]) -> bool:
    """Return whether `-m EXPRESSION` may select a test of a file, by the markers of all its tests and of some."""
    if not set(re.findall(r"\w+", expression)) <= MARKERS | {"and", "or", "not"}:
        return True
    compiled = Expression.compile(expression)
    some = sorted(possible - certain)
    choices = itertools.product((False, True), repeat=len(some))
    sets = (certain.union(itertools.compress(some, chosen)) for chosen in choices)
    return any(compiled.evaluate(lambda name, /, markers=markers, **_: name in markers) for markers in sets)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip a file none of whose tests `-m` selects: five processes that import each file take a minute."""
    is_named = any(Path(name.partition("::")[0]).name == collection_path.name for name in config.args)
    if collection_path.suffix != ".py" or is_named or not config.option.markexpr:
        return None
    certain = frozenset({"slow"} if is_in_slow_table(collection_path) else ())
    return None if may_select(config.option.markexpr, certain, named_markers(collection_path)) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give what stands in `SLOW` or `SAMPLED` its marker, and refuse a marker that the text of a file does not name."""
    rows: Counter[str] = Counter()
    is_named = any("::" in name for name in config.args)  # whoever names a row gets it
    for item in items:
        found = MARKERS.intersection(mark.name for mark in item.iter_markers())
        if not found <= named_markers(item.path):
            raise pytest.UsageError(f"{item.nodeid}: write `mark.{min(found - named_markers(item.path))}` in this file")
        if is_in_slow_table(item.path):
            item.add_marker("slow")
        test = item.nodeid.partition("[")[0].removeprefix("tests/")
        if test in SAMPLED and not is_named:
            if not in_sample(rows[test], SAMPLED[test]):
                item.add_marker("soak")
            rows[test] += 1


def deal_slow_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return tests in an order in which each worker begins with slow files, each whole, and ends with quick tests.

    A worker gets an equal stretch of the list; one that is done takes the end of another's (`--dist worksteal`).
    """
    slow = [item for item in items if item.get_closest_marker("slow")]
    quick = iter([item for item in items if not item.get_closest_marker("slow")])
    files = [list(group) for _, group in itertools.groupby(slow, key=lambda item: item.path)]
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        share = list(itertools.chain.from_iterable(files[worker::workers]))
        stretch = (len(items) - len(dealt)) // (workers - worker)
        dealt += [*share, *itertools.islice(quick, max(0, stretch - len(share)))]
    return dealt


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin with what takes long, so that no worker is alone with it at the end."""
    if "PYTEST_XDIST_WORKER_COUNT" in os.environ:
        session.items[:] = deal_slow_first(session.items, int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, and none of what was made then: nearly all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
