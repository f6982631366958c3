"""The layout of a submission, and its correction where the intent is clear: a finding instead of a zero.

A chain of small steps, each from a tree to a tree with its findings; what is still missing then is the problem.
"""

import os
import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from msgspec.structs import replace

from grader.core.build.tree import COMPILED, FileTree, folders_above
from grader.core.kind import kinds_in
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.layout import FileRules, Finding, RequiredFile, Staged, matches_glob
from grader.core.model.spec import Spec
from grader.core.text import joined, listed

NOT_REGULAR, UNPACKED, DISCARDED, BACKUP = "not-regular", "unpacked", "discarded", "backup"
EXTRA_FOLDER, MISSING_FOLDER, NAME_CASE = "extra-folder", "missing-folder", "name-case"
_MAX_HOME_DEPTH = 3
_SHOWN_NAMES = 5
_Names = tuple[str, ...]  # any one of them is enough
_Arranged = tuple[FileTree, list[Finding]]
_get_close_matches = lazy_call("difflib", "get_close_matches")
_GLOB = lazy_regex(r"[*?\[]")
_SCRIPT = lazy_regex(r"\.(?:py|sh|bash|rb|pl|js|lua|php|R)$")
_TYPED_IN = "onlinetext.html"  # the file that Moodle makes of a text typed in besides the files
# As editors, browsers and file managers name their copies; the groups together are the name of the original.
_COPY_NAME = lazy_regex(
    r"(.+)~ | \#(.+)\# | \.?(.+)\.sw[op] | (.+)\.(?:bak|orig) | Copy\ of\ (.+) |"
    r"(.+) (?:\ \(\d+\) | \ -\ Copy | \ copy(?:\ \d+)?) (\.[^.]*)?",
    re.VERBOSE | re.DOTALL,
)
# The ending of a compiler's product -> the endings of its possible sources.
_C = (".c", ".cc", ".cpp", ".cxx")
_SOURCES = {".class": (".java", ".kt"), ".o": (*_C, ".C"), ".obj": _C, ".gch": ("",)}


def archive_within(tree: FileTree, archives: Collection[str], rules: FileRules) -> str:
    """Return the only archive in a folder, as Moodle delivers it, where nothing else is there or files are missing."""
    wanted = (*rules.required_names, *rules.optional)
    bases = {name: PurePosixPath(name).name for name in tree.files}
    archives = [name for name in archives if not any(fnmatchcase(bases[name], pattern) for pattern in wanted)]
    beside = [name for name in tree.files if name not in archives and bases[name] != _TYPED_IN]
    is_wanted = not beside or _present(beside, _needed(rules)) != _needed(rules)
    return archives[0] if len(archives) == 1 and is_wanted else ""


def with_unpacked(tree: FileTree, name: str, inside: FileTree, rules: FileRules) -> _Arranged:
    """Put the content of the archive `name` in its place, with a finding; it stays where it has no missing file."""
    around = _without(tree, {name}).files
    message = f"the work is in {name}, which was unpacked"
    if not around:
        return inside, [Finding(kind=UNPACKED, message=message)]
    needed = _needed(rules)
    present = _present(around, needed)
    if present and present == _present((*around, *inside.files), needed):
        return tree, []
    inside, findings = _from_home(inside, needed)
    place = name[: name.rfind("/") + 1]
    files = {place + inner: file for inner, file in inside.files.items()}
    folders = {place + inner for inner in inside.folders}
    # A file of the archive has the same path, or stands in the way; or its folder does.
    hidden = {other for other in (*around, *tree.folders) if not folders_above([f"{other}/"]).isdisjoint(files)}
    hidden |= around.keys() & folders
    if twice := hidden & around.keys():
        message += f"; files both in it and beside it were taken from it: {_list_some(twice)}"
    merged = FileTree(
        files=files | {other: file for other, file in around.items() if other not in hidden},
        folders=frozenset(folders | (tree.folders - hidden)),
        left_out=(*tree.left_out, *inside.left_out),
    )
    return merged, [Finding(kind=UNPACKED, message=message), *findings]


def _without(tree: FileTree, names: Collection[str]) -> FileTree:
    return tree._replace(files={name: file for name, file in tree.files.items() if name not in names})


def _needed(rules: FileRules) -> list[_Names]:
    """Return the names of the required files without which nothing can be built."""
    return [file.names for file in rules.required if file.costs is None]


def _present(names: Collection[str], wanted: Iterable[_Names]) -> list[_Names]:
    """List what is wanted of which one name is in some folder, ignoring letter case."""
    return [group for group in wanted if any(_folders_with(names, pattern) for pattern in group)]


def arrange(tree: FileTree, rules: FileRules, staged: Staged) -> tuple[FileTree, Staged]:
    """Correct a submission's layout and check it against the rules; return the tree, and what is `staged` of it."""
    # The work begins where its required files are, or else where optional files in folders are.
    within = _present(tree.files, [(name,) for name in rules.optional if "/" in name])
    is_begun = _present(tree.files, _needed(rules)) or not within
    arranged, moved = _into_folder(tree, rules) or _from_home(tree, _needed(rules) if is_begun else within)
    findings = [*_finding_of(NOT_REGULAR, "links, pipes, sockets and devices were left out", tree.left_out), *moved]
    arranged, dropped = _discard(arranged, rules)
    products = _products(arranged, rules)
    arranged = _without(arranged, products)
    findings += _finding_of(DISCARDED, "handed-in build products were removed before the build", dropped | products)
    backups = _backups(arranged, rules)
    findings += _finding_of(BACKUP, "backup copies were left out", backups)
    arranged, renamed = _with_required_case(_without(arranged, backups), rules)
    missing = missing_files(arranged, rules)
    problem = staged.problem or problem_with(arranged, rules, missing, tree)
    findings = [*staged.findings, *findings, *renamed]
    return arranged, replace(staged, findings=tuple(findings), problem=problem, missing=missing)


def _products(tree: FileTree, rules: FileRules) -> set[str]:
    """Return what the build makes anew, unless it is required or may be there: `make` would take it as up to date.

    A glob such as `*` covers sources too: of these, what is compiled is a product, or an unnamed kind of script.
    """
    if rules.made is None:
        return set()
    asked = (*rules.required_names, *rules.optional)
    globs = {glob for glob in rules.made if _GLOB.search(glob)}
    vague = {glob for glob in globs if not re.search(r"\w", glob.rpartition("/")[2])}
    vague |= {glob for glob in globs if any(matches_glob(name, glob) for name in asked)}

    def is_product(name: str, content: bytes) -> bool:
        is_asked = any(re.search(r"\w", pattern) and matches(name.casefold(), pattern.casefold()) for pattern in asked)
        if is_asked or covering(name, rules.forbidden):
            return False
        path = PurePosixPath(name)
        stem = path.stem.partition("$")[0] if path.suffix == ".class" else path.stem
        if any(str(path.with_name(stem + ending)) in tree.files for ending in _SOURCES.get(path.suffix, ()) if stem):
            return True  # it is compiled of the file beside it
        is_script = rules.is_inspected and content.startswith(b"#!") and not _SCRIPT.search(name)
        skipped = set[str]() if is_script or content.startswith(COMPILED) else vague
        return any(matches_glob(name, glob) for glob in rules.made or () if glob not in skipped)

    return {name for name, file in tree.files.items() if is_product(name, file.content)}


def staging_rules(spec: Spec) -> FileRules:
    """Return the rules for the files of a submission, with what the build of the spec makes."""
    if spec.build is None:
        return spec.files
    globs = spec.build.produces
    started = [name for name in started_files(spec) if not globs or any(matches_glob(name, glob) for glob in globs)]
    return replace(
        spec.files, made=(*globs, *started), is_inspected=any(kind.runs == "source" for kind in kinds_in(spec))
    )


def started_files(spec: Spec) -> tuple[str, ...]:
    """Return the paths, as `./NAME`, that commands of the spec start; without scripts, which need no build."""
    starts = {command[0] for command in commands_of(spec)}
    names = {name.removeprefix("./") for name in starts if "/" in name[1:] and name[0] != "/"}
    return tuple(sorted(name for name in names if ".." not in name.split("/") and not _SCRIPT.search(name)))


def commands_of(spec: Spec) -> set[tuple[str, ...]]:
    """Return the commands that start programs: the spec's, and its cases'."""
    return {
        command for command in (spec.program, *(case.command for test in spec.tests for case in test.cases)) if command
    }


def _backups(tree: FileTree, rules: FileRules) -> set[str]:
    """Return the copies that lie beside their originals; a copy stays where the rules ask for nothing but that copy."""
    names = {name.casefold() for name in tree.files}

    def is_copy(name: str) -> bool:
        folder, slash, own = name.rpartition("/")
        while match := _COPY_NAME.fullmatch(own):
            own = "".join(filter(None, match.groups()))
            if f"{folder}{slash}{own}".casefold() in names:
                return True
        return False

    backups = set(filter(is_copy, tree.files))
    others = tree.files.keys() - backups
    for pattern in (*rules.required_names, *rules.optional):
        if not any(matches(name, pattern) for name in others):
            backups -= {name for name in backups if matches(name, pattern)}
    return backups


def _from_home(tree: FileTree, wanted: Iterable[_Names]) -> _Arranged:
    """Take the work out of the one folder that has every wanted file, or else out of a folder around everything."""
    places = [set[str]().union(*(_folders_with(tree.files, name) for name in group)) for group in wanted]
    if places and all("" in place for place in places):
        return tree, []
    folders = set[str]().union(*places)
    home = folders.pop() if len(folders) == 1 and all(places) else _folder_around(tree)
    if not home:
        return tree, []
    inside = f"{home}/"
    message = f"the work was found in the folder {home}"
    if outside := {name for name in tree.files if not name.startswith(inside)}:
        message += f"; files outside it were left out: {_list_some(outside)}"
    moved = tree._replace(
        files={name.removeprefix(inside): file for name, file in tree.files.items() if name.startswith(inside)},
        folders=frozenset(name.removeprefix(inside) for name in tree.folders if name.startswith(inside)),
    )
    return moved, [Finding(kind=EXTRA_FOLDER, message=message)]


def _into_folder(tree: FileTree, rules: FileRules) -> _Arranged | None:
    """Put work into the folder where the rules expect all of it; None where there is none, or it has work already."""
    needed = _needed(rules)
    names = [name for group in needed for name in group] or list(rules.optional)
    folder = os.path.commonpath([str(PurePosixPath(name).parent) for name in names]) if names else ""
    if folder in {"", "."} or _GLOB.search(folder) or any(_folders_with(tree.files, name) for name in names):
        return None
    start = f"{folder}/"
    bare = [tuple(name.removeprefix(start) for name in group) for group in needed]
    present = _present(tree.files, [(name.removeprefix(start),) for name in names])
    inside, findings = _from_home(tree, bare or present)
    if not _present(inside.files, present):
        return None
    around = {name for name in inside.files if any(matches(name, pattern) for pattern in rules.optional)}
    placed = inside._replace(
        files={name if name in around else start + name: file for name, file in inside.files.items()},
        folders=folders_above([start, *(f"{start}{name}/" for name in inside.folders)]),
    )
    message = f"the work was put into the folder {folder}, where the assignment expects it"
    return placed, [*findings, Finding(kind=MISSING_FOLDER, message=message)]


def _folder_around(tree: FileTree) -> str:
    """Return the innermost folder that has all in it, or ""."""
    everything, home = {*tree.files, *tree.folders}, ""
    for _ in range(_MAX_HOME_DEPTH):
        tops = {home + name[len(home) :].partition("/")[0] for name in everything if name != home[:-1]}
        if len(tops) != 1 or not tops <= tree.folders:
            break
        home = f"{tops.pop()}/"
        everything = {name for name in everything if name.startswith(home)}
    return home[:-1]


def _folders_with(names: Iterable[str], pattern: str) -> set[str]:
    """Return the folders that contain a matching file, ignoring letter case."""
    count = pattern.count("/") + 1
    splits = [parts for name in names if count <= len(parts := name.split("/")) <= count + _MAX_HOME_DEPTH]
    wanted = pattern.casefold()
    return {"/".join(split[:-count]) for split in splits if matches("/".join(split[-count:]).casefold(), wanted)}


def _with_required_case(tree: FileTree, rules: FileRules) -> _Arranged:
    """Give files the names that are asked for, where only the letter case of theirs differs."""
    files, folders, findings = dict(tree.files), tree.folders, []
    required = [name for file in rules.required if not _is_present(file, tree) for name in file.names]
    plain = [name for name in rules.optional if not _GLOB.search(name) and name not in files]
    for wanted in (*required, *plain):
        alike = [name for name in files if name.casefold() == wanted.casefold()]
        above = folders_above([wanted])
        if len(alike) != 1 or alike == [wanted] or wanted in folders or not above.isdisjoint(files):
            continue
        (given,) = alike
        files[wanted] = files[given]
        # A Makefile may rely on the name as it is; else two files with one class in them would not compile.
        own_name = os.fsencode(PurePosixPath(given).name)
        if not any(own_name in file.content for name, file in files.items() if name not in {given, wanted}):
            del files[given]
        folders |= above
        findings.append(Finding(kind=NAME_CASE, message=f"{given} was taken as {wanted}"))
    return tree._replace(files=files, folders=folders), findings


def _is_present(required: RequiredFile, tree: FileTree) -> bool:
    return any(matches(name, pattern) for name in tree.files for pattern in required.names)


def missing_files(tree: FileTree, rules: FileRules) -> tuple[RequiredFile, ...]:
    """Return what is required and not there; nothing where there is what is forbidden, which nothing makes good."""
    if any(covering(name, rules.forbidden) for name in tree.files):
        return ()
    return tuple(file for file in rules.required if not _is_present(file, tree))


def describe_missing(missing: Collection[RequiredFile]) -> str:
    """Say which files are missing; of several names of one, any would do."""
    names = [joined(file.names, "or") for file in missing]
    return f"{joined(names)} {'is' if len(names) == 1 else 'are'} missing"


def problem_with(
    tree: FileTree, rules: FileRules, lacking: Collection[RequiredFile], handed_in: FileTree
) -> str | None:
    """Say why a tree cannot be built, which lacks these files; `handed_in` has what may have been meant for them."""
    forbidden = {hit for name in tree.files if (hit := covering(name, rules.forbidden))}
    if forbidden:
        return f"the submission has files that are not allowed: {_list_some(forbidden)}"
    needed = [file for file in lacking if file.costs is None]
    if not needed:
        return None
    sentence = describe_missing(needed)
    if not handed_in.files:
        return f"the submission is empty: {sentence}"
    # What may have been meant: the same name elsewhere, a copy, or a slip of the keyboard.
    spare = sorted(name for name in handed_in.files if not any(matches(name, glob) for glob in rules.required_names))
    by_base = {PurePosixPath(name).name.casefold(): name for name in reversed(spare)}
    bases = [PurePosixPath(name).name.casefold() for file in needed for name in file.names]
    close = [match for base in bases for match in _get_close_matches(base, by_base, n=1, cutoff=0.7)]
    similar = dict.fromkeys(by_base[base] for base in close)
    return f"{sentence}, but there is {' and '.join(similar)}" if similar else sentence


def _discard(tree: FileTree, rules: FileRules) -> tuple[FileTree, set[str]]:
    """Drop what the rules discard and do not require; return the names of what was dropped as well."""
    everything = {*tree.files, *tree.folders} - {*rules.required_names}
    covered = {name: hit for name in everything if (hit := covering(name, rules.discard)) is not None}
    rest = _without(tree, covered)
    return rest._replace(folders=tree.folders - covered.keys() | folders_above(rest.files)), set(covered.values())


def matches(name: str, pattern: str) -> bool:
    """Whether a path matches a glob, part by part: `*.java` is not `src/A.java`."""
    parts, patterns = name.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def covering(name: str, patterns: tuple[str, ...]) -> str | None:
    """Return what matches one of the globs, at any depth: the path itself or a folder above it, or None."""
    parts = name.split("/")
    ends = ((end, pattern) for end in range(1, len(parts) + 1) for pattern in patterns if pattern.count("/") < end)
    starts = ((end - pattern.count("/") - 1, end, pattern) for end, pattern in ends)
    hits = ("/".join(parts[:end]) for start, end, pattern in starts if matches("/".join(parts[start:end]), pattern))
    return next(hits, None)


def _finding_of(kind: str, text: str, names: Collection[str]) -> list[Finding]:
    return [Finding(kind=kind, message=f"{text}: {_list_some(names)}")] if names else []


def _list_some(names: Collection[str]) -> str:
    return listed(sorted(names), most=_SHOWN_NAMES)
