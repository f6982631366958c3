"""Work that cannot be built or started as it was handed in: what the course mends in it; and what was decided for one.

A repair is tried only in the trouble that it is for, on the staged work afresh, in the order of the spec. The first
that helps is taken: the build succeeds, and where the spec has repairs for what cannot start, the program starts as
well. Where none starts, the first that was built is taken. For a build that was stopped at a limit there is none.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.layout import matches, missing_files, problem_with
from grader.core.build.staging import read_submission
from grader.core.build.tree import FileTree, TreeFile, write_tree
from grader.core.errors import HostError
from grader.core.model import Adjustment, Artifact, Build, Change, FileRules, Finding, Repair, Repaired, Spec, Staged
from grader.core.model.layout import Trouble
from grader.core.text import full_sentence, joined, one_line, percent, points, quote

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
    if changed is None:
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
    if changed is None:
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


def build_with_repairs(spec: Spec, staged: Staged, folder: Path, builder: Builder) -> Artifact:
    """Build staged work as it is, or else with the first repair of the spec that helps; `folder` is for the attempts.

    `staged` is never changed. Raises HostError when the sandbox fails or the disk does.
    """
    first = builder.build(spec, staged, _new_folder(folder / "built"))
    must_start = any(repair.when == "cannot-start" for repair in spec.repairs)
    if not spec.repairs or (first.build.ok and (not must_start or builder.starts(first))):
        return first
    second = None
    for number, repair in enumerate(_repairs_for(spec.repairs, _trouble(staged, first), staged), start=1):
        changed = _changed_tree(read_submission(staged.folder), repair.change)
        if changed is None:
            continue
        mended = _write_changed(staged, changed, spec.files, repair.missing, folder / f"mended-{number}")
        built = builder.build(spec_for(spec, repair.change), mended, _new_folder(folder / f"built-{number}"))
        if not built.build.ok:
            continue
        artifact = _as_repaired(repair, first, built, staged)
        if not must_start or builder.starts(built):
            return artifact
        second = second or artifact
    return first if first.build.ok or second is None else second


def spec_for(spec: Spec, change: Change) -> Spec:
    """Return the spec with the commands that build changed work."""
    return replace(spec, build=replace(spec.build, run=change.run)) if spec.build and change.run else spec


def _new_folder(path: Path) -> Path:
    try:
        path.mkdir()
    except OSError as error:
        raise HostError(f"cannot make {path}: {error.strerror}; is the disk full?") from error
    return path


def _trouble(staged: Staged, first: Artifact) -> Trouble | None:
    """Return what is wrong with work that is not simply built; None when no repair is for it."""
    if first.build.ok:
        return "cannot-start"
    if staged.problem:
        return "missing" if staged.missing else None
    return None if first.build.limit else "build-failed"


def _repairs_for(repairs: Collection[Repair], trouble: Trouble | None, staged: Staged) -> list[Repair]:
    lacking = {name for one in staged.missing for name in one.names}
    return [one for one in repairs if one.when == trouble and lacking.issuperset(one.missing)]


def _as_repaired(repair: Repair, first: Artifact, built: Artifact, staged: Staged) -> Artifact:
    made = Repaired(
        repair=repair,
        message=describe_repair(repair),
        command=built.build.command,
        log=built.build.log,
        time=built.build.time,
    )
    handed_in = first.folder if first.build.ok else staged.folder
    why = first.build.message or "the build succeeded, but its result cannot be started"
    result = replace(first.build, ok=True, message=why, repaired=made)
    return Artifact(folder=built.folder, build=result, handed_in=handed_in)


def describe_repair(repair: Repair) -> str:
    """Say what is repaired, and what that costs."""
    costs = []
    if repair.keeps < 1:
        costs.append(f"keeps {percent(repair.keeps)} of the credit")
    if repair.costs:
        costs.append(f"costs {points(repair.costs)} point{'' if repair.costs == 1 else 's'}")
    return f"{full_sentence(repair.about)} This {' and '.join(costs) or 'costs nothing'}."


# ---------------------------------------------------------------- changing files


def _changed_tree(tree: FileTree, change: Change) -> FileTree | None:
    """Return the tree with other names and the course's files; None where a name fits no file, or none alone."""
    files = dict(tree.files)
    for pattern, wanted in change.rename.items():
        found = [name for name in files if matches(name, pattern)]
        if len(found) != 1 or (wanted in files and found != [wanted]):
            return None
        files[wanted] = files.pop(found[0])
    files |= {name: TreeFile(content=content) for name, content in change.files.items()}
    above = _folders_above(files)
    if not (above | tree.folders).isdisjoint(files):
        return None
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
