"""Work that cannot be built or started as it was handed in: what the course mends in it; and what was decided for one.

A repair is tried only in the trouble that it is for, in the order of the spec. The first that helps is taken: the
build succeeds, and where the spec has repairs for what cannot start, the program starts as well. Where none helps by
itself, those are combined that brought the work further: what is then wrong is for other repairs. Fewer come before
more, up to as many as the spec says. Where none starts, the first that was built is taken. For a build that was stopped
at a limit there is no repair.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.layout import matches, missing_files, problem_with
from grader.core.build.staging import read_submission
from grader.core.build.tree import FileTree, TreeFile, write_tree
from grader.core.errors import HostError
from grader.core.model.layout import Adjustment, Build, Change, FileRules, Repair, Trouble
from grader.core.model.spec import Spec
from grader.core.model.submission import Artifact, FailedRepair, Finding, Repaired, Staged
from grader.core.text import count_points, full_sentence, joined, one_line, percent, quote

REPLACED = "replaced"
"""the kind of finding of a file in whose place the course has put its own"""


class Builder(Struct, frozen=True, kw_only=True):
    """What building takes: both may raise HostError."""

    build: Callable[[Spec, Staged, Path], Artifact]
    """builds staged work into an empty folder"""
    starts: Callable[[Artifact], bool]
    """whether what was built can be started"""


def adjust(staged: Staged, adjustment: Adjustment, rules: FileRules, target: Path) -> Staged:
    """Change staged work as was decided for this one; `target` is the folder for it, which is not there yet.

    Raises HostError when that cannot be done: then the decision was made for other files.
    """
    changed = _changed_tree(read_submission(staged.folder), adjustment.change)
    if isinstance(changed, str):
        raise HostError("what `adjustments` says cannot be done with these files: look at its `rename` and `with`")
    return _write_changed(staged, changed, rules, (), target)


def put_beside(staged: Staged, build: Build, rules: FileRules, target: Path) -> Staged:
    """Add the course's files of a build to staged work, and say which of the student's they replace.

    `target` is the folder for that, which is not there yet. What cannot be read, or has a folder in the way of a file,
    is not built; a file that is asked for and not there may be the course's.
    """
    if not build.files or (staged.problem and not staged.missing):
        return staged
    tree = read_submission(staged.folder)
    changed = _changed_tree(tree, Change(files=build.files))
    if isinstance(changed, str):
        names = joined([quote(name) for name in build.files], "or")
        return replace(
            staged, problem=f"a file or folder is in the way of {names}, which the course puts there", missing=()
        )
    replaced = [name for name, one in tree.files.items() if build.files.get(name, one.content) != one.content]
    findings = tuple(
        Finding(kind=REPLACED, message=f"{one_line(name)} was replaced by the course's own") for name in replaced
    )
    write_tree(changed, _new_folder(target))
    missing = missing_files(changed, rules)
    problem = problem_with(tree, rules, missing, tree)  # of the student's own: what is forbidden may be put there
    return replace(staged, folder=target, findings=(*staged.findings, *findings), missing=missing, problem=problem)


_MAX_ATTEMPTS = 40
"""of the repairs for one submission, alone or combined: each may be a build"""
_NO_START = "it was built, and cannot be started"


class _Attempt(Struct, frozen=True, kw_only=True):
    """Work with some of the repairs made, and what became of it."""

    repairs: tuple[Repair, ...] = ()
    work: Staged
    built: Artifact
    problem: str
    """why it cannot be built or started; empty when it can"""


def build_with_repairs(spec: Spec, staged: Staged, folder: Path, builder: Builder) -> Artifact:
    """Build staged work as it is, or else with the fewest and first repairs that help; `folder` is for the attempts.

    `staged` is never changed. Raises HostError when the sandbox fails or the disk does.
    """
    must_start = any(repair.when == "cannot-start" for repair in spec.repairs)

    def attempt(work: Staged, spec: Spec, target: Path, repairs: tuple[Repair, ...] = ()) -> _Attempt:
        built = builder.build(spec, work, _new_folder(target))
        problem = "" if built.build.ok else built.build.message or "the build failed"
        if built.build.ok and must_start and not builder.starts(built):
            problem = _NO_START
        return _Attempt(repairs=repairs, work=work, built=built, problem=problem)

    first = attempt(staged, spec, folder / "built")
    if not first.problem or not spec.repairs:
        return first.built
    fallback: Artifact | None = None
    tried: list[FailedRepair] = []
    for found in islice(_combinations(spec, first, folder, attempt), _MAX_ATTEMPTS):
        if isinstance(found, FailedRepair):
            tried.append(found)
            continue
        if not found.problem:
            return _as_repaired(found, first, tried)
        tried.append(FailedRepair(names=_names(found.repairs), message=found.problem))
        if found.built.build.ok and not fallback:
            fallback = _as_repaired(found, first, ())
    if first.built.build.ok or fallback is None:
        return replace(first.built, build=replace(first.built.build, tried=tuple(tried)))
    return replace(fallback, build=replace(fallback.build, tried=tuple(tried)))


def _combinations(
    spec: Spec, first: _Attempt, folder: Path, attempt: Callable[[Staged, Spec, Path, tuple[Repair, ...]], _Attempt]
) -> Iterator[_Attempt | FailedRepair]:
    """Try the repairs, then two of them together, and so on; yield what became of each attempt."""
    waiting = deque([first])
    seen: set[frozenset[str]] = set()
    while waiting:
        before = waiting.popleft()
        if len(before.repairs) >= spec.max_repairs:
            continue
        for repair in _repairs_for(spec.repairs, before):
            repairs = (*before.repairs, repair)
            names = _names(repairs)
            if frozenset(names) in seen:
                continue
            changed = _changed_tree(read_submission(before.work.folder), repair.change)
            if isinstance(changed, str):
                yield FailedRepair(names=names, message=changed)
                continue
            seen.add(frozenset(names))
            excused = [name for one in repairs for name in one.missing]
            work = _write_changed(first.work, changed, spec.files, excused, folder / f"mended-{len(seen)}")
            after = attempt(work, _spec_for_repairs(spec, repairs), folder / f"built-{len(seen)}", repairs)
            yield after
            if after.problem != before.problem or after.problem == _NO_START:
                waiting.append(after)  # else it brought the work no further, and neither would it with others


def _names(repairs: Sequence[Repair]) -> tuple[str, ...]:
    return tuple(repair.name for repair in repairs)


def spec_for(spec: Spec, change: Change) -> Spec:
    """Return the spec with the commands that build changed work."""
    if change.leave_out and spec.notebook:
        spec = replace(spec, notebook=replace(spec.notebook, leaves_out_broken=True))
    if spec.build is None:
        return replace(spec, build=_preparation(spec, change)) if change.prepare else spec
    return replace(spec, build=replace(spec.build, run=(*change.prepare, *(change.run or spec.build.run))))


def _preparation(spec: Spec, change: Change) -> Build:
    """Return a build that only prepares files, for a spec without one; the required files come out of it."""
    required = (one.names[0] for one in spec.files.required if one.costs is None and len(one.names) == 1)
    return Build(run=change.prepare, produces=tuple(required))


def _spec_for_repairs(spec: Spec, repairs: Sequence[Repair]) -> Spec:
    """Return the spec with the commands that build work with these repairs: of those with `run` the last builds it."""
    prepare = tuple(command for one in repairs for command in one.change.prepare)
    run = next((one.change.run for one in reversed(repairs) if one.change.run), ())
    is_left_out = any(one.change.leave_out for one in repairs)
    return spec_for(spec, Change(prepare=prepare, run=run, leave_out="broken-cells" if is_left_out else ""))


def _new_folder(path: Path) -> Path:
    try:
        path.mkdir()
    except OSError as error:
        raise HostError(f"cannot make {path}: {error.strerror}; is the disk full?") from error
    return path


def _trouble(attempt: _Attempt) -> Trouble | None:
    """Return what is wrong with work that is not simply built; None when no repair is for it."""
    if attempt.built.build.ok:
        return "cannot-start"
    if attempt.work.problem:
        return "missing" if attempt.work.missing else None
    return None if attempt.built.build.limit else "build-failed"


def _repairs_for(repairs: Collection[Repair], before: _Attempt) -> list[Repair]:
    """List the repairs for what is wrong with the work, of those that were not made yet."""
    trouble = _trouble(before)
    lacking = {name for one in before.work.missing for name in one.names}
    lacking -= {name for one in before.repairs for name in one.missing}
    return [
        one for one in repairs if one.when == trouble and lacking.issuperset(one.missing) and one not in before.repairs
    ]


def _as_repaired(found: _Attempt, first: _Attempt, tried: Sequence[FailedRepair]) -> Artifact:
    built = found.built
    made = Repaired(
        repairs=found.repairs,
        messages=tuple(map(describe_repair, found.repairs)),
        command=built.build.command,
        log=built.build.log,
        time=built.build.time,
    )
    as_it_was = first.built
    handed_in = as_it_was.folder if as_it_was.build.ok else first.work.folder
    if all(one.change == Change(leave_out=one.change.leave_out) for one in found.repairs):
        handed_in = built.folder  # the same notebook without the cells that nobody can read
    why = as_it_was.build.message or "the build succeeded, but its result cannot be started"
    result = replace(
        as_it_was.build, ok=True, message=why, repaired=made, tried=tuple(tried), findings=built.build.findings
    )
    return Artifact(folder=built.folder, build=result, handed_in=handed_in)


def describe_repair(repair: Repair) -> str:
    """Say what is repaired, and what that costs."""
    costs = []
    if repair.keeps < 1:
        costs.append(f"keeps {percent(repair.keeps)} of the credit")
    if repair.costs:
        costs.append(f"costs {count_points(repair.costs)}")
    return f"{full_sentence(repair.about)} This {' and '.join(costs) or 'costs nothing'}."


# ---------------------------------------------------------------- changing files


def _changed_tree(tree: FileTree, change: Change) -> FileTree | str:
    """Return the tree with other names and the course's files; or why a name fits no file, or none alone."""
    files = dict(tree.files)
    for pattern, wanted in change.rename.items():
        found = [name for name in files if matches(name, pattern)]
        if len(found) != 1:
            fitting = f"{len(found)} files fit" if found else "no file fits"
            return f"{fitting} {quote(pattern)}, and one is needed"
        if wanted in files and found != [wanted]:
            return f"{one_line(found[0])} cannot be renamed: there is {one_line(wanted)} already"
        files[wanted] = files.pop(found[0])
    files |= {name: TreeFile(content=content) for name, content in change.files.items()}
    above = _folders_above(files)
    if hidden := sorted((above | tree.folders) & files.keys()):
        return f"a file and a folder would have the name {one_line(hidden[0])}"
    return FileTree(files=files, folders=tree.folders | above, left_out=tree.left_out)


def _folders_above(files: Mapping[str, TreeFile]) -> frozenset[str]:
    return frozenset(str(parent) for name in files for parent in PurePosixPath(name).parents) - {"."}


def _write_changed(staged: Staged, tree: FileTree, rules: FileRules, excused: Collection[str], target: Path) -> Staged:
    """Write a changed tree down, and say what is still wrong with it, but for the missing files that are `excused`."""
    write_tree(tree, _new_folder(target))
    missing = missing_files(tree, rules)
    unexcused = [one for one in missing if not set(one.names) & set(excused)]
    problem = problem_with(tree, rules, unexcused, tree)
    return replace(staged, folder=target, missing=missing, problem=problem)
