"""Change the arithmetic of grades in one place after the other, and see whether a test beside it notices.

    python bench/mutants.py [--sample N] [--seed N] [PART_OF_A_PATH ...]

What is changed is in `mutations.py`, where is in `mutant_groups.py`. A test that runs the changed line is tried, the
quickest first, until one fails; tests of other folders do not count, since whoever changes a module runs those beside
it. The tests are collected once, and each mutant is a fork in which the code of the functions is replaced; what is
changed outside of functions is imported anew. Survivors are printed, but for those of `equivalent_mutants.yaml`, which
no test can notice. The status is 1 when a module has fewer than MIN_SCORE killed.

mutmut 3 and cosmic-ray were not taken: the one leaves constants of modules alone and works on a copy of all, the other
starts a process for each mutant, which here takes a second and more.
"""

import argparse
import ast
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
import yaml
from _pytest.runner import runtestprotocol
from mutant_groups import GROUPS, Group
from mutations import Mutant, mutants_of

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.yaml")
MIN_SCORE = 0.95
MIN_TIMEOUT_SECONDS = 60.0
TIMEOUT_FACTOR = 20
"""a mutant may take so many times what its tests take without it"""
MAX_MEMORY_BYTES = 6 * 2**30

_PYTEST = (
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "--assert=plain",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
    "-m",
    "not slow and not load and not soak",
)


def main() -> int:
    """Make the mutants, try them, and print what is left."""
    os.chdir(ROOT)
    asked = _arguments()
    sys.dont_write_bytecode = True
    importlib.import_module("hypothesis")  # before all forks: it takes longer than most of them
    modules = [(group, name) for group in GROUPS for name in group.modules if _is_asked(name, asked.parts)]
    trees = {name: ast.parse((ROOT / name).read_text()) for _, name in modules}
    all_mutants = [
        (name, mutant)
        for group, name in modules
        for mutant in mutants_of(ROOT / name, trees[name], frozenset(group.modules[name]))
    ]
    if asked.sample is not None and asked.sample < len(all_mutants):
        chance = random.Random(asked.seed)  # noqa: S311  (a sample, no secret)
        chosen = sorted(chance.sample(range(len(all_mutants)), asked.sample))
        all_mutants = [all_mutants[place] for place in chosen]
    found: list[Tried] = []
    for group in GROUPS:
        mine = [(name, one) for name, one in all_mutants if name in group.modules]
        if mine:
            found += _try_group(group, mine, trees)
    return _tell(found, is_sample=asked.sample is not None)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Change the judge in one place at a time; a test has to notice.")
    parser.add_argument("parts", nargs="*", help="only modules with one of these in their path")
    parser.add_argument("--sample", type=int, help="only so many mutants, chosen by the seed")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _is_asked(name: str, parts: Sequence[str]) -> bool:
    return not parts or any(part in name for part in parts)


# ---------------------------------------------------------------- what became of each


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A mutant, and what came of it."""

    name: str
    mutant: Mutant
    end: str
    """`killed`, `time-out`, `survived`, or `not reached` by any test"""

    @property
    def is_killed(self) -> bool:
        """Whether a test noticed."""
        return self.end in ("killed", "time-out")


@dataclass
class _Count:
    """How many mutants of a module came to which end."""

    killed: int = 0
    by_time: int = 0
    """of those that were killed"""
    equivalent: int = 0
    survived: int = 0

    @property
    def score(self) -> float:
        """The share that was killed of those that can be."""
        return self.killed / (self.killed + self.survived) if self.killed + self.survived else 1.0

    def row(self, name: str) -> str:
        """Write a row of the table."""
        numbers = (self.killed + self.equivalent + self.survived, self.killed, self.by_time, self.equivalent)
        return f"{name:34}{''.join(f'{number:>11}' for number in (*numbers, self.survived))}{self.score:8.1%}"


def _tell(found: Sequence[Tried], *, is_sample: bool) -> int:
    """Print the survivors and the scores; return 1 where one is too low."""
    known = yaml.safe_load(EQUIVALENT.read_text())
    equivalent = {(one["file"], one["line"], one["change"]) for one in known}
    used, counts, total = set(), defaultdict[str, _Count](_Count), _Count()
    for one in found:
        key = (one.name, one.mutant.text, one.mutant.change)
        for count in (counts[one.name], total):
            count.killed += one.is_killed
            count.by_time += one.end == "time-out"
            count.equivalent += not one.is_killed and key in equivalent
            count.survived += not one.is_killed and key not in equivalent
        if not one.is_killed:
            used.add(key)
        if not one.is_killed and key not in equivalent:
            why = " (no test runs it)" if one.end == "not reached" else ""
            print(f"{one.name}:{one.mutant.line}: {one.mutant.change}{why}\n    {one.mutant.text}")
    print(f"{'':34}{'mutants':>11}{'killed':>11}{'by time':>11}{'equivalent':>11}{'survived':>11}{'score':>8}")
    print(*(count.row(name) for name, count in counts.items()), total.row("all"), sep="\n")
    stale = [key for key in equivalent if key[0] in counts and key not in used]
    if not is_sample and stale:
        print("No mutant any more, or a test notices it; take it out of the list of equivalent ones:")
        print(*(f"  {name}: {change}\n    {text}" for name, text, change in sorted(stale)), sep="\n")
    return int(not is_sample and any(count.score < MIN_SCORE for count in counts.values()))


# ---------------------------------------------------------------- one group of modules, and its tests


def _try_group(group: Group, mine: Sequence[tuple[str, Mutant]], trees: Mapping[str, ast.Module]) -> list[Tried]:
    """Collect the tests in a process of their own, and try the mutants in forks of it, or of this one."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        results, log = Path(folder) / "results", Path(folder) / "log"
        tests = [*group.tests, *(f"--{'deselect' if '::' in one else 'ignore'}={one}" for one in group.ignored)]
        process = os.fork()
        if not process:
            _begin_fork(log)
            code = 1
            try:
                plugin = _Forks([(one, trees[name]) for name, one in mine], results, folder)
                code = pytest.main([*_PYTEST, f"--basetemp={folder}/collecting", *tests], plugins=[plugin])
            except BaseException:  # noqa: BLE001  (this fork may not go on as the process that it came from)
                traceback.print_exc()
            os._exit(code)
        if os.waitpid(process, 0)[1]:
            sys.exit(f"the tests beside {', '.join(group.modules)} do not pass as they are:\n{log.read_text()}")
        ends = [json.loads(line) for line in results.read_text().splitlines()]
        for place, one in enumerate(ends):
            if one["end"] == "import":
                name, mutant = mine[place]
                ends[place] = {"end": _try_anew(name, mutant, trees[name], one, folder)}
    return [Tried(name=name, mutant=one, end=end["end"]) for (name, one), end in zip(mine, ends, strict=True)]


def _begin_fork(log: Path = Path(os.devnull)) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    silence, said = os.open(os.devnull, os.O_RDWR), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for descriptor, end in enumerate((silence, said, said)):
        os.dup2(end, descriptor)


def _wait(process: int, seconds: float) -> str:
    """Return what came of a fork, and end whatever is left of it."""
    descriptor = os.pidfd_open(process)
    ready = select.select([descriptor], [], [], seconds)[0]
    os.close(descriptor)
    if not ready:
        os.kill(process, signal.SIGKILL)
    status = os.waitpid(process, 0)[1]
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if not ready:
        return "time-out"
    return "survived" if status == 0 else "killed"


@dataclass(eq=False)
class _Forks:
    """A plug-in of pytest that tries each mutant in a fork of the process that collected the tests."""

    mutants: Sequence[tuple[Mutant, ast.Module]]
    results: Path
    folder: str
    seconds: dict[str, float] = field(default_factory=dict)
    """how long each test takes"""
    reached: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """file and line -> the tests that run it"""
    killers: dict[str, int] = field(default_factory=dict)
    """tests that noticed a mutant -> which was the last: that often notices the next as well"""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once as they are, and then those for each mutant."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        items = {item.nodeid: item for item in session.items if not _draws_examples(item)}
        paths = {str(one.path) for one, _ in self.mutants}
        for path in sorted(paths):
            importlib.import_module(
                path.removeprefix(f"{ROOT}/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            )
        self._learn(items, paths)
        functions = _functions_of(paths)
        gc.collect()
        gc.freeze()
        with self.results.open("w", buffering=1) as file:
            for mutant, tree in self.mutants:
                file.write(json.dumps(self._try(mutant, tree, items, functions)) + "\n")
        return True

    def _learn(self, items: Mapping[str, pytest.Item], paths: set[str]) -> None:
        """See in a fork what passes as it is, how long it takes, and which lines it runs."""
        told = Path(self.folder) / "reached"
        process = os.fork()
        if not process:
            _begin_fork()
            with told.open("w") as file:
                caches = _caches_of(paths)
                for item in items.values():
                    for cache in caches:  # else only the first test runs what is behind one
                        cache.cache_clear()
                    begun = time.process_time()
                    is_passed, lines = _traced(item, paths)
                    row = {"test": item.nodeid, "seconds": time.process_time() - begun, "passed": is_passed}
                    file.write(json.dumps({**row, "lines": lines}) + "\n")
            os._exit(0)
        os.waitpid(process, 0)
        rows = [json.loads(line) for line in told.read_text().splitlines()]
        failing = [row["test"] for row in rows if not row["passed"]]
        if failing or len(rows) != len(items):
            raise pytest.UsageError("\n".join(failing) or f"the tests ended after {len(rows)} of {len(items)}")
        for row in rows:
            self.seconds[row["test"]] = row["seconds"]
            for path, line in row["lines"]:
                self.reached[path, line].add(row["test"])

    def _tests_for(self, mutant: Mutant) -> list[str]:
        """Return the tests that run what is changed, or what reads a constant that is: the quickest first."""
        path = str(mutant.path)
        lines = set(mutant.lines)
        if mutant.names:
            tree = ast.parse(mutant.path.read_text())
            lines |= {x.lineno for x in ast.walk(tree) if isinstance(x, ast.Name) and x.id in mutant.names}
        found = {test for line in lines for test in self.reached.get((path, line), ())}
        return sorted(found, key=lambda test: (-self.killers.get(test, -1), self.seconds[test], test))

    def _tests_beside(self, mutant: Mutant) -> list[str]:
        """Return the tests of all files that run anything of a module, for a table or a default."""
        reaching = {test for (path, _), some in self.reached.items() if path == str(mutant.path) for test in some}
        files = {test.partition("::")[0] for test in reaching}
        found = [test for test in self.seconds if test.partition("::")[0] in files]
        return sorted(found, key=lambda test: (self.seconds[test], test))

    def _try(
        self,
        mutant: Mutant,
        tree: ast.Module,
        items: Mapping[str, pytest.Item],
        functions: Mapping[tuple[str, str, int], Sequence[FunctionType]],
    ) -> dict[str, object]:
        replaced = _replacements(mutant, tree, functions)
        tests = self._tests_for(mutant)
        if replaced is None:  # other modules may read a table or a default as well
            tests += [test for test in self._tests_beside(mutant) if test not in set(tests)]
            seconds = sum(self.seconds[test] for test in tests)
            return {"end": "import", "tests": tests, "seconds": seconds} if tests else {"end": "not reached"}
        if not tests:
            return {"end": "not reached"}
        place, told = tempfile.mkdtemp(dir=self.folder), Path(self.folder) / "killer"
        told.write_text("")
        process = os.fork()
        if not process:
            _begin_fork()
            for function, code in replaced:
                function.__code__ = code
            os._exit(_fails([items[test] for test in tests], place, told))
        end = _wait(process, max(MIN_TIMEOUT_SECONDS, TIMEOUT_FACTOR * sum(self.seconds[test] for test in tests)))
        shutil.rmtree(place, ignore_errors=True)
        if killer := told.read_text():
            self.killers[killer] = 1 + max(self.killers.values(), default=0)
        return {"end": end}


def _draws_examples(item: pytest.Item) -> bool:
    """Whether a test has examples of Hypothesis, which are others each time."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


def _traced(item: pytest.Item, paths: set[str]) -> tuple[bool, list[tuple[str, int]]]:
    """Run a test; return whether it passed, and the lines of the modules that it ran."""
    lines: set[tuple[str, int]] = set()

    def enter(frame: FrameType, _event: str, _: Any) -> Any:
        path = frame.f_code.co_filename
        if path not in paths:
            return None

        def step(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                lines.add((path, frame.f_lineno))
            return step

        lines.add((path, frame.f_lineno))
        return step

    threading.settrace(enter)
    sys.settrace(enter)
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return not any(report.failed for report in reports), sorted(lines)


def _fails(items: Sequence[pytest.Item], place: str, told: Path) -> int:
    """Run tests until one fails; return 1 then, with its name in a file, and else 0."""
    factory = items[0].config._tmp_path_factory  # type: ignore[attr-defined]  # noqa: SLF001
    factory._basetemp = Path(place)  # noqa: SLF001
    for item, after in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            told.write_text(item.nodeid)
            return 1
    return 0


# ---------------------------------------------------------------- changed code in a process that runs

_NO_CODE = compile("", "", "exec")
_OPTIMISED = 0x1
"""the flag of code whose variables have places: that of functions"""


def _objects() -> list[object]:
    """Return all that Python keeps track of, also what `tests/conftest.py` froze once the tests were collected."""
    gc.unfreeze()
    return gc.get_objects()


def _functions_of(paths: set[str]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return all functions there are of some files, by file, name and line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for one in _objects():
        if type(one) is FunctionType and one.__code__.co_filename in paths:
            code = one.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return found


def _caches_of(paths: set[str]) -> "list[_lru_cache_wrapper[Any]]":
    """Return the caches of the functions of some files."""
    return [
        one
        for one in _objects()
        if type(one) is _lru_cache_wrapper and getattr(one.__wrapped__, "__code__", _NO_CODE).co_filename in paths
    ]


def _replacements(
    mutant: Mutant, tree: ast.Module, functions: Mapping[tuple[str, str, int], Sequence[FunctionType]]
) -> list[tuple[FunctionType, CodeType]] | None:
    """Return the functions that a mutant changes, with their code; None when it has to be imported."""
    before = compile(tree, str(mutant.path), "exec", dont_inherit=True)
    after = mutant.compiled(tree)
    olds, news = _parts(before), _parts(after)
    changed = []
    for key, old in olds.items():
        new = news.get(key, [])
        if old == new or (key not in functions and "<locals>" in old[0].co_qualname):
            continue  # what is made each time anew, within another function, changes with that
        if len(old) != 1 or len(new) != 1:
            return None
        if not old[0].co_flags & _OPTIMISED:  # a module, or the body of a class
            if _own(old[0]) != _own(new[0]):
                return None
            continue
        if key not in functions:  # what makes a table, once
            return None
        for function in functions[key]:
            if function.__code__.co_freevars != new[0].co_freevars:
                return None
            changed.append((function, new[0]))
    return changed


def _parts(code: CodeType) -> dict[tuple[str, str, int], list[CodeType]]:
    found: dict[tuple[str, str, int], list[CodeType]] = defaultdict(list)

    def walk(one: CodeType) -> None:
        found[one.co_filename, one.co_qualname, one.co_firstlineno].append(one)
        for constant in one.co_consts:
            if isinstance(constant, CodeType):
                walk(constant)

    walk(code)
    return found


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a body does by itself; the functions in it are compared by themselves."""
    constants = [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]
    return code.co_code, constants, code.co_names


# ---------------------------------------------------------------- changed code that is imported


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with other code than its file has."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, _name: str) -> CodeType:
        return self._code


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, and leaves all others to others."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        self._name, self._path, self._code = name, path, code

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, self._path, self._code)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


@dataclass(frozen=True, eq=False)
class _Only:
    """A plug-in of pytest that runs some tests in an order."""

    tests: Sequence[str]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = {test: place for place, test in enumerate(self.tests)}
        items[:] = sorted((one for one in items if one.nodeid in order), key=lambda one: order[one.nodeid])


def _try_anew(name: str, mutant: Mutant, tree: ast.Module, asked: Mapping[str, Any], folder: str) -> str:
    """Import everything in a fork that has nothing of ours yet, with the changed module; run the tests that need it."""
    tests: list[str] = asked["tests"]
    process = os.fork()
    if not process:
        _begin_fork()
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        sys.meta_path.insert(0, _Finder(module, str(mutant.path), mutant.compiled(tree)))
        options = [*_PYTEST, "-x", f"--basetemp={tempfile.mkdtemp(dir=folder)}"]
        for file in dict.fromkeys(test.partition("::")[0] for test in tests):  # mostly the first notices
            end = pytest.main([*options, file], plugins=[_Only(tests)])
            if end not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                os._exit(1)
        os._exit(0)
    return _wait(process, 120.0 + TIMEOUT_FACTOR * asked["seconds"])


if __name__ == "__main__":
    sys.exit(main())
