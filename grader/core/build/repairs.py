"""Work that cannot be built or started as it was handed in: what the course mends in it; and what was decided for one.

A repair is tried only in the trouble that it is for, in the order of the spec; the first that helps is taken. If none
helps by itself, those are combined that brought the work further; where none starts, the first that was built is taken.
"""

import shutil
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.layout import matches, missing_files, problem_with
from grader.core.build.staging import read_submission
from grader.core.build.tree import FileTree, TreeFile, folders_above, write_tree
from grader.core.errors import HostError
from grader.core.model.layout import (
    Adjustment,
    Artifact,
    Build,
    Change,
    FailedRepair,
    FileRules,
    Finding,
    Repair,
    Repaired,
    Staged,
)
from grader.core.model.spec import Spec
from grader.core.text import count_points, full_sentence, joined, one_line, percent, quote

REPLACED = "replaced"  # the kind of finding of a file in whose place the course has put its own
_MAX_BUILDS, _MAX_ATTEMPTS = 8, 40  # of repairs, alone or combined, for one submission: not each comes to a build
_NO_START = "it was built, and cannot be started"


class Builder(Struct, frozen=True, kw_only=True):
    """What building takes: both may raise HostError."""

    build: Callable[[Spec, Staged, Path], Artifact]  # builds staged work into an empty folder
    starts: Callable[[Artifact], bool]  # whether what was built can be started


def adjust(staged: Staged, adjustment: Adjustment, rules: FileRules, target: Path) -> Staged:
    """Change staged work as was decided for this one, in a new folder; HostError where that does not fit its files."""
    changed = _changed_tree(read_submission(staged.folder), adjustment.change)
    if isinstance(changed, str):
        raise HostError("what `adjustments` says cannot be done with these files: look at its `rename` and `with`")
    write_tree(changed, _new_folder(target))
    return _checked(replace(staged, folder=target), changed, rules)


def put_beside(staged: Staged, build: Build, rules: FileRules, target: Path) -> Staged:
    """Add the course's files of a build to staged work in a new folder, and say which of the student's they replace.

    What has a folder in the way of a file is not built; a file that is asked for and not there may be the course's.
    """
    if not build.files or (staged.problem and not staged.missing):
        return staged
    tree = read_submission(staged.folder)
    changed = _changed_tree(tree, Change(files=build.files))
    if isinstance(changed, str):
        names = joined([quote(name) for name in build.files], "or")
        problem = f"a file or folder is in the way of {names}, which the course puts there"
        return replace(staged, problem=problem, missing=())
    findings = tuple(
        Finding(kind=REPLACED, message=f"{one_line(name)} was replaced by the course's own")
        for name, one in tree.files.items()
        if build.files.get(name, one.content) != one.content
    )
    write_tree(changed, _new_folder(target))
    missing = missing_files(changed, rules)
    own = problem_with(tree, rules, missing, tree)  # of the student's own: what is forbidden may be put there
    return replace(staged, folder=target, findings=(*staged.findings, *findings), missing=missing, problem=own)


class _Attempt(Struct, frozen=True):
    """Work with some of the repairs made, and what became of it."""

    tree: FileTree
    work: Staged
    built: Artifact
    problem: str  # why it cannot be built or started; empty when it can
    repairs: tuple[Repair, ...] = ()


def build_with_repairs(spec: Spec, staged: Staged, folder: Path, builder: Builder) -> Artifact:
    """Build staged work as it is, or else, in folders below `folder`, with the fewest and first repairs that help."""
    best = as_it_is = builder.build(spec, staged, _new_folder(folder / "built"))
    problem = _problem_of(as_it_is, spec, builder)
    if not problem or not spec.repairs:
        return as_it_is
    first = _Attempt(read_submission(staged.folder), staged, as_it_is, problem)
    tried: list[FailedRepair] = []
    for found in islice(_attempts(spec, first, folder, builder), _MAX_ATTEMPTS):
        if not found.problem:
            return _as_repaired(found, first, tried)
        tried.append(FailedRepair(names=_names(found.repairs), message=found.problem))
        if found.built.build.ok and not best.build.ok:
            best = _as_repaired(found, first, ())
        elif found.built is not as_it_is:
            shutil.rmtree(found.built.folder, ignore_errors=True)
            shutil.rmtree(found.work.folder, ignore_errors=True)
    return replace(best, build=replace(best.build, tried=tuple(tried)))


def _attempts(spec: Spec, first: _Attempt, folder: Path, builder: Builder) -> Iterator[_Attempt]:
    """Try the repairs, then two of them together, and so on; yield what became of each attempt."""
    waiting, seen, builds = [first], set[frozenset[str]](), 0
    for before in waiting:  # which grows
        for repair in _repairs_for(spec, before):
            repairs = (*before.repairs, repair)
            if frozenset(_names(repairs)) in seen:
                continue
            tree = _changed_tree(before.tree, repair.change)
            if isinstance(tree, str):
                yield replace(first, repairs=repairs, problem=tree)
                continue
            seen.add(frozenset(_names(repairs)))
            work = _checked(first.work, tree, spec.files, [name for one in repairs for name in one.missing])
            after = replace(first, repairs=repairs, tree=tree, work=work, problem=work.problem or "")
            if not work.problem and builds == _MAX_BUILDS:
                return
            if not work.problem:
                builds += 1
                after = _build(spec, after, folder, builder, builds)
            yield after
            if after.problem != before.problem or after.problem == _NO_START:
                waiting.append(after)  # else it brought the work no further, and neither would it with others


def _build(spec: Spec, attempt: _Attempt, folder: Path, builder: Builder, number: int) -> _Attempt:
    """Write work with repairs down and build it, with the commands of these: of those with `run` the last builds."""
    work = replace(attempt.work, folder=_new_folder(folder / f"mended-{number}"))
    write_tree(attempt.tree, work.folder)
    changes = [one.change for one in attempt.repairs]
    together = Change(
        prepare=tuple(command for one in changes for command in one.prepare),
        run=next((one.run for one in reversed(changes) if one.run), ()),
        leave_out=next((one.leave_out for one in changes if one.leave_out), ""),
    )
    built = builder.build(spec_for(spec, together), work, _new_folder(folder / f"built-{number}"))
    return replace(attempt, work=work, built=built, problem=_problem_of(built, spec, builder))


def _problem_of(built: Artifact, spec: Spec, builder: Builder) -> str:
    """Say why a build failed, or its result cannot be started, where that is asked; empty when neither is so."""
    if not built.build.ok:
        return built.build.message or "the build failed"
    return _NO_START if any(one.when == "cannot-start" for one in spec.repairs) and not builder.starts(built) else ""


def _names(repairs: Collection[Repair]) -> tuple[str, ...]:
    return tuple(repair.name for repair in repairs)


def spec_for(spec: Spec, change: Change) -> Spec:
    """Return the spec with the commands that build changed work; without a build, these make the required files."""
    if change.leave_out and spec.notebook:
        spec = replace(spec, notebook=replace(spec.notebook, leaves_out_broken=True))
    if spec.build:
        return replace(spec, build=replace(spec.build, run=(*change.prepare, *(change.run or spec.build.run))))
    required = (one.names[0] for one in spec.files.required if one.costs is None and len(one.names) == 1)
    return replace(spec, build=Build(run=change.prepare, produces=tuple(required))) if change.prepare else spec


def _new_folder(path: Path) -> Path:
    try:
        path.mkdir()
    except OSError as error:
        raise HostError(f"cannot make {path}: {error.strerror}; is the disk full?") from error
    return path


def _repairs_for(spec: Spec, before: _Attempt) -> list[Repair]:
    """List the repairs for what is wrong with the work, of those that were not made yet."""
    work, trouble = before.work, "cannot-start"
    if work.problem:
        trouble = "missing" if work.missing else ""
    elif not before.built.build.ok:
        trouble = "" if before.built.build.limit else "build-failed"
    made = before.repairs
    lacking = {name for one in work.missing for name in one.names} - {name for one in made for name in one.missing}
    fitting = (one for one in spec.repairs if one.when == trouble and lacking.issuperset(one.missing))
    return [one for one in fitting if one not in made and len(made) < spec.max_repairs]


def _as_repaired(found: _Attempt, first: _Attempt, tried: Collection[FailedRepair]) -> Artifact:
    built, as_it_was = found.built, first.built
    repairs, done = found.repairs, built.build
    messages = tuple(map(describe_repair, repairs))
    made = Repaired(repairs=repairs, messages=messages, command=done.command, log=done.log, time=done.time)
    handed_in = as_it_was.folder if as_it_was.build.ok else first.work.folder
    if all(one.change == Change(leave_out=one.change.leave_out) for one in repairs):
        handed_in = built.folder  # the same notebook without the cells that nobody can read
    why = as_it_was.build.message or "the build succeeded, but its result cannot be started"
    changed = {"ok": True, "message": why, "repaired": made, "tried": tuple(tried), "findings": done.findings}
    return Artifact(folder=built.folder, build=replace(as_it_was.build, **changed), handed_in=handed_in)


def describe_repair(repair: Repair) -> str:
    """Say what is repaired, and what that costs."""
    keeps = [f"keeps {percent(repair.keeps)} of the credit"] if repair.keeps < 1 else []
    costs = [f"costs {count_points(repair.costs)}"] if repair.costs else []
    return f"{full_sentence(repair.about)} This {' and '.join([*keeps, *costs]) or 'costs nothing'}."


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
    folders = tree.folders | folders_above(files)
    if hidden := sorted(folders & files.keys()):
        return f"a file and a folder would have the name {one_line(hidden[0])}"
    return tree._replace(files=files, folders=folders)


def _checked(staged: Staged, tree: FileTree, rules: FileRules, excused: Collection[str] = ()) -> Staged:
    """Say what is wrong with a changed tree, but for the missing files that are `excused`."""
    missing = missing_files(tree, rules)
    unexcused = [one for one in missing if not set(one.names) & set(excused)]
    return replace(staged, missing=missing, problem=problem_with(tree, rules, unexcused, tree))
