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
from tests.support.sampled import SAMPLED, SAMPLED_FILES, in_sample

# A thousand starts of the program compile it once, also on machines that are told to keep nothing of what they compile.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A loaded machine is slow and not wrong: no example may fail for the time that it takes.
settings.register_profile("grader", deadline=None, max_examples=examples(100))
settings.load_profile("grader")

collect_ignore = ["adding", "attacks", "first_sentences", "imports/cases"]

SLOW: Mapping[str, str] = {
    "author/test_public.py": "grades samples by the copy for students",
    "author/test_watch.py": "waits for files to change",
    "grading_class/test_cluster.py": "starts a scheduler and workers",
    "core/build/test_crashes.py": "every language, each started for several programs",
    "core/build/test_right_programs.py": "compilers of many languages",
    "core/deviations/test_long_texts.py": "bounds of time and memory",
    "core/judge/test_judge_bounds.py": "bounds of time and memory",
    "core/report/test_report_page_browser.py": "a browser",
    "core/run/test_backstop.py": "a limit of the kernel, which counts whole seconds",
    "core/run/test_large_grader.py": "twenty cases at each level, by a grader of 600 MiB",
    "kinds/reported_tests/test_framework_rows.py": "frameworks of many languages, each with its compiler",
    "core/run/test_measuring.py": "programs beside one another, each near a limit",
    "core/run/test_measure.py": "a busy machine, and limits that are waited for",
    "core/run/test_starved.py": "a small share of a processor, and limits that are waited for",
    "core/sandbox/test_beside.py": "cases beside one another at level container",
    "core/sandbox/test_busy_programs.py": "thousands of starts",
    "core/sandbox/test_container.py": "containers of several levels",
    "core/sandbox/test_cost.py": "counts the system calls of a start",
    "core/sandbox/test_memory.py": "programs that fill their memory",
    "core/sandbox/test_neighbours.py": "programs that take all that a user may have",
    "exports/test_gradescope_zip.py": "installs what runs in Gradescope's container",
    "results/test_class_page_browser.py": "a browser",
    "imports/test_kattis_parity.py": "verifies imported packages in all their languages",
    "kinds/functions/test_calls_java.py": "a compiler and a virtual machine for each call",
    "reference/test_linear_checks.py": "counts the lines that each check runs on long outputs",
    "kinds/source_rules/test_deep_nesting.py": "sources that take their reader's time",
    "review": "a class that is reviewed, also in a browser",
    "test_adding.py": "carries out the steps of CONTRIBUTING.md in a copy",
    "test_attacks.py": "attacks, on the real sandbox and without one",
    "test_beginners.py": "samples of ten assignments in seven languages",
    "test_bench.py": "measures",
    "test_cli_adjust.py": "classes, each command a process",
    "test_cli_class.py": "classes, interrupted, killed and resumed",
    "test_cli_past.py": "classes in parts, and what became of them",
    "test_cli_progress.py": "a terminal that is watched while programs run",
    "test_cli_pytest.py": "each test starts pytest, which starts grader",
    "test_cli_watch.py": "waits for files to change",
    "test_distribution.py": "builds and installs the wheel",
    "test_doctor.py": "tries every language",
    "test_examples.py": "the steps of CI and samples of the examples",
    "test_first_sentences.py": "programs of beginners, each with its course",
    "test_fuzz.py": "random and damaged inputs",
    "test_large_class.py": "a class of forty",
    "test_memory.py": "bounds of memory",
    "test_page_examples.py": "a spec and its programs for every example of the documents",
    "test_pages.py": "the commands of the documents",
    "test_pipeline_measure.py": "a busy machine",
    "test_pytest_plugin.py": "each test starts pytest, which starts grader",
    "test_references.py": "all references",
    "test_shells.py": "completion in every shell",
    "test_results_links.py": "a class or a run for each link",
    "test_samples.py": "samples of the assignments",
    "test_short_of.py": "starts with too little of everything",
    "test_shown_commands.py": "the commands of the documents",
    "test_work_budget.py": "programs that keep a worker busy, until their budget is used up",
    "test_surroundings.py": "starts in odd surroundings",
    "test_tutorial.py": "the commands of the documents",
}
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
