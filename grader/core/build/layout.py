"""What a submission should look like, and putting right what is meant well: a finding instead of a zero.

A chain of small steps, each from a tree to a tree with what it noticed: the folder in which the work lies, handed-in
build products, backup copies, and the letter case of a required name. What is still missing after that is the
submission's problem.
"""

import os
import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.archive_kinds import is_called_archive
from grader.core.build.tree import COMPILED, FileTree
from grader.core.lazy import lazy_regex
from grader.core.model.layout import FileRules, RequiredFile, matches_glob
from grader.core.model.spec import Spec
from grader.core.model.submission import Finding
from grader.core.text import joined, listed
from grader.kinds import kinds_in

NOT_REGULAR = "not-regular"
UNPACKED = "unpacked"
EXTRA_FOLDER = "extra-folder"
MISSING_FOLDER = "missing-folder"
DISCARDED = "discarded"
BACKUP = "backup"
NAME_CASE = "name-case"

_MAX_HOME_DEPTH = 3
_SHOWN_NAMES = 5
_GLOB = lazy_regex(r"[*?\[]")
_SCRIPT = lazy_regex(r"\.(?:py|sh|bash|rb|pl|js|lua|php|R)$")
_TYPED_IN = "onlinetext.html"
"""the file that Moodle makes of a text typed in besides the files"""
_COPY_NAME = lazy_regex(
    r"(.+)~ | \#(.+)\# | \.?(.+)\.sw[op] | (.+)\.(?:bak|orig) | Copy\ of\ (.+) |"
    r"(.+) (?:\ \(\d+\) | \ -\ Copy | \ copy(?:\ \d+)?) (\.[^.]*)?",
    re.VERBOSE | re.DOTALL,
)
"""As editors, browsers and file managers name their copies; the groups together are the name of the original."""
_SOURCES = {
    ".class": (".java", ".kt"),
    ".o": (".c", ".cc", ".cpp", ".cxx", ".C"),
    ".obj": (".c", ".cc", ".cpp", ".cxx"),
    ".gch": ("",),
}
"""the ending of what a compiler makes -> the endings of what it may be made of"""


class Layout(Struct, frozen=True, kw_only=True):
    """A tree put right, what was done to it, and what cannot be put right."""

    tree: FileTree
    findings: tuple[Finding, ...]
    problem: str | None
    missing: tuple[RequiredFile, ...] = ()
    """what is required and not there; where that is not all that is wrong, nothing"""


def archive_within(tree: FileTree, rules: FileRules) -> str:
    """Return the name of the archive in a folder that has the work in it, as Moodle and Canvas hand it over; or "".

    It is the only archive, and either there is no other file, or a required file is missing outside it.
    """
    wanted = (*rules.required_names, *rules.optional)
    archives = [
        name
        for name, file in tree.files.items()
        if is_called_archive(name, file.content)
        and not any(fnmatchcase(PurePosixPath(name).name, pattern) for pattern in wanted)
    ]
    if len(archives) != 1:
        return ""
    beside = [name for name in tree.files if name != archives[0] and PurePosixPath(name).name != _TYPED_IN]
    needed = [one for one in rules.required if one.costs is None]
    return archives[0] if not beside or _lacking_anywhere(beside, needed) else ""


def with_unpacked(
    tree: FileTree, name: str, inside: FileTree, rules: FileRules
) -> tuple[FileTree, tuple[Finding, ...]]:
    """Put what is in the archive `name` in its place, and say so; where it has nothing that is lacking, it stays."""
    around = {other: file for other, file in tree.files.items() if other != name}
    message = f"the work is in {name}, which was unpacked"
    if not around:
        return inside, (Finding(kind=UNPACKED, message=message),)
    needed = [one for one in rules.required if one.costs is None]
    lacking = _lacking_anywhere(around, needed)
    if len(lacking) < len(needed) and len(lacking) == len(_lacking_anywhere((*around, *inside.files), needed)):
        return tree, ()
    inside, findings = _from_home(inside, needed)
    place = name[: name.rindex("/") + 1] if "/" in name else ""
    files = {place + inner: file for inner, file in inside.files.items()}
    folders = {place + inner for inner in inside.folders}
    hidden = {other for other in (*around, *tree.folders) if _is_hidden(other, files)} | (around.keys() & folders)
    if twice := sorted(hidden & around.keys()):
        message += f"; files both in it and beside it were taken from it: {_some(twice)}"
    merged = FileTree(
        files=files | {other: file for other, file in around.items() if other not in hidden},
        folders=frozenset(folders | (tree.folders - hidden)),
        left_out=(*tree.left_out, *inside.left_out),
    )
    return merged, (Finding(kind=UNPACKED, message=message), *findings)


def _is_hidden(name: str, files: Collection[str]) -> bool:
    """Whether one of the files has this path, or stands in its way."""
    return any(path in files for path in (name, *map(str, PurePosixPath(name).parents)))


def _lacking_anywhere(names: Collection[str], needed: Collection[RequiredFile]) -> list[RequiredFile]:
    """List the required files that are in no folder, ignoring letter case."""
    return [one for one in needed if not any(_folders_with(names, pattern) for pattern in one.names)]


def arrange(tree: FileTree, rules: FileRules) -> Layout:
    """Correct a submission's layout and check it against the rules."""
    findings = _noticed(NOT_REGULAR, "links, pipes, sockets and devices were left out", tree.left_out)
    arranged, moved = _into_folder(tree, rules) or _from_home(tree, _in_place(tree, rules))
    findings += moved
    arranged, dropped = _drop(arranged, rules.discard, rules.required_names)
    arranged, products = _drop_products(arranged, rules)
    dropped |= products
    findings += _noticed(DISCARDED, "handed-in build products were removed before the build", dropped)
    arranged, dropped = _drop_backups(arranged, rules)
    findings += _noticed(BACKUP, "backup copies were left out", dropped)
    plain = [RequiredFile(names=(name,)) for name in rules.optional if not _GLOB.search(name)]
    arranged, renamed = _with_required_case(arranged, [*rules.required, *plain])
    findings += renamed
    missing = missing_files(arranged, rules)
    problem = problem_with(arranged, rules, missing, tree)
    return Layout(tree=arranged, findings=tuple(findings), problem=problem, missing=missing)


def _drop_products(tree: FileTree, rules: FileRules) -> tuple[FileTree, set[str]]:
    """Drop what the build makes anew, unless it is required or may be there: `make` would take it as up to date.

    A glob such as `*` covers sources too. Of what only such a glob matches, what is compiled is a product, and where
    rules look at the source, a script that no ending tells the language of.
    """
    if rules.made is None:
        return tree, set()
    asked = (*rules.required_names, *rules.optional)
    vague = {made for made in rules.made if _GLOB.search(made) and _is_vague(made, asked)}
    exact = set(rules.made) - vague

    def is_product(name: str, content: bytes) -> bool:
        is_asked = any(re.search(r"\w", one) and matches(name.casefold(), one.casefold()) for one in asked)
        if is_asked or covering(name, rules.forbidden):
            return False
        is_script = rules.is_inspected and content.startswith(b"#!") and not _SCRIPT.search(name)
        made = exact | vague if is_script or content.startswith(COMPILED) else exact
        return _has_source(name, tree.files) or any(matches_glob(name, one) for one in made)

    products = {name for name, file in tree.files.items() if is_product(name, file.content)}
    return tree._replace(files={name: file for name, file in tree.files.items() if name not in products}), products


def _is_vague(glob: str, asked: Collection[str]) -> bool:
    """Whether a glob of products matches what is asked for as well, or whatever there is."""
    return not re.search(r"\w", glob.rpartition("/")[2]) or any(matches_glob(name, glob) for name in asked)


def _has_source(name: str, names: Collection[str]) -> bool:
    """Whether a file is compiled of another one beside it, by its name."""
    path = PurePosixPath(name)
    stem = path.stem.partition("$")[0] if path.suffix == ".class" else path.stem
    return any(str(path.with_name(stem + ending)) in names for ending in _SOURCES.get(path.suffix, ()) if stem)


def staging_rules(spec: Spec) -> FileRules:
    """Return the rules for the files of a submission, with what the build of the spec makes."""
    if spec.build is None:
        return spec.files
    produces = spec.build.produces
    started = [name for name in started_files(spec) if not produces or any(matches_glob(name, one) for one in produces)]
    return replace(
        spec.files, made=(*produces, *started), is_inspected=any(kind.examines_source for kind in kinds_in(spec))
    )


def started_files(spec: Spec) -> tuple[str, ...]:
    """Return what commands of the spec start by a path, as `./NAME`, but for scripts, which nobody has to build."""
    commands = (spec.program, *(case.command for test in spec.tests for case in test.cases if case.command))
    names = {command[0].removeprefix("./") for command in commands if "/" in command[0][1:] and command[0][0] != "/"}
    return tuple(sorted(name for name in names if ".." not in name.split("/") and not _SCRIPT.search(name)))


def _drop_backups(tree: FileTree, rules: FileRules) -> tuple[FileTree, set[str]]:
    """Drop copies beside their originals, but not where only a copy is what the rules ask for."""
    names = {name.casefold() for name in tree.files}
    backups = {name for name in tree.files if _is_copy(name, names)}
    others = tree.files.keys() - backups
    for pattern in (*rules.required_names, *rules.optional):
        if not any(matches(name, pattern) for name in others):
            backups -= {name for name in backups if matches(name, pattern)}
    return tree._replace(files={name: file for name, file in tree.files.items() if name not in backups}), backups


def _is_copy(name: str, names: Collection[str]) -> bool:
    """Whether the name is that of a copy, and its original, also one of a copy, is among the names in small letters."""
    folder, slash, own = name.rpartition("/")
    while found := _COPY_NAME.fullmatch(own):
        own = "".join(filter(None, found.groups()))
        if f"{folder}{slash}{own}".casefold() in names:
            return True
    return False


def _in_place(tree: FileTree, rules: FileRules) -> list[RequiredFile]:
    """Return what tells where the work begins: what of it is required, if any is there, else what is in folders."""
    needed = [one for one in rules.required if one.costs is None]
    within = [RequiredFile(names=(name,)) for name in rules.optional if "/" in name]
    there = [one for one in within if one not in _lacking_anywhere(tree.files, within)]
    is_none_there = len(_lacking_anywhere(tree.files, needed)) == len(needed)
    return there if is_none_there and there else needed


def _from_home(tree: FileTree, required: Collection[RequiredFile]) -> tuple[FileTree, list[Finding]]:
    """Take the work out of the folder in which it lies.

    That is the folder with all that is required, when nothing of it is elsewhere, else the one around everything.
    """
    places = [set[str]().union(*(_folders_with(tree.files, name) for name in one.names)) for one in required]
    if places and all("" in place for place in places):
        home = ""
    elif places and len(set().union(*places)) == 1 and all(places):
        home = places[0].pop()
    else:
        home = _folder_around(tree)
    if not home:
        return tree, []
    inside = f"{home}/"
    outside = {name for name in tree.files if not name.startswith(inside)}
    message = f"the work was found in the folder {home}"
    if outside:
        message += f"; files outside it were left out: {_some(outside)}"
    moved = tree._replace(
        files={name.removeprefix(inside): file for name, file in tree.files.items() if name.startswith(inside)},
        folders=frozenset(name.removeprefix(inside) for name in tree.folders if name.startswith(inside)),
    )
    return moved, [Finding(kind=EXTRA_FOLDER, message=message)]


def _into_folder(tree: FileTree, rules: FileRules) -> tuple[FileTree, list[Finding]] | None:
    """Put work that was handed in without the folder in which the rules expect all of it into that folder.

    Return None where the rules name no such folder, or something of it is there.
    """
    needed = [one.names for one in rules.required if one.costs is None]
    names = [name for group in needed for name in group] or list(rules.optional)
    folder = os.path.commonpath([str(PurePosixPath(name).parent) for name in names]) if names else ""
    if folder in {"", "."} or _GLOB.search(folder) or any(_folders_with(tree.files, name) for name in names):
        return None
    start = f"{folder}/"
    bare = [RequiredFile(names=tuple(name.removeprefix(start) for name in group)) for group in needed]
    others = [RequiredFile(names=(name.removeprefix(start),)) for name in names]
    there = [one for one in others if one not in _lacking_anywhere(tree.files, others)]
    inside, findings = _from_home(tree, bare or there)
    if not there or all(one in _lacking_anywhere(inside.files, others) for one in there):
        return None
    around = {name for name in inside.files if any(matches(name, one) for one in rules.optional)}
    parents = {str(parent) for parent in PurePosixPath(folder).parents} - {"."}
    placed = inside._replace(
        files={name if name in around else start + name: file for name, file in inside.files.items()},
        folders=frozenset({folder, *parents, *(start + name for name in inside.folders)}),
    )
    message = f"the work was put into the folder {folder}, where the assignment expects it"
    return placed, [*findings, Finding(kind=MISSING_FOLDER, message=message)]


def _folder_around(tree: FileTree) -> str:
    everything = [name.split("/") for name in (*tree.files, *tree.folders)]
    home: list[str] = []
    for depth in range(_MAX_HOME_DEPTH):
        tops = {parts[depth] for parts in everything if len(parts) > depth}
        if len(tops) != 1 or "/".join([*home, *tops]) not in tree.folders:
            break
        home += tops
    return "/".join(home)


def _folders_with(names: Iterable[str], pattern: str) -> set[str]:
    """Return the folders that contain a matching file, ignoring letter case."""
    count = pattern.count("/") + 1
    splits = (name.split("/") for name in names)
    return {
        "/".join(parts[:-count])
        for parts in splits
        if count <= len(parts) <= count + _MAX_HOME_DEPTH
        and matches("/".join(parts[-count:]).casefold(), pattern.casefold())
    }


def _with_required_case(tree: FileTree, required: Collection[RequiredFile]) -> tuple[FileTree, list[Finding]]:
    files, folders = dict(tree.files), set(tree.folders)
    findings = []
    for wanted in (name for one in required if not _is_there(one, tree) for name in one.names):
        alike = [name for name in files if name.casefold() == wanted.casefold()]
        above = {str(parent) for parent in PurePosixPath(wanted).parents} - {"."}
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
    return tree._replace(files=files, folders=frozenset(folders)), findings


def _is_there(required: RequiredFile, tree: FileTree) -> bool:
    return any(matches(name, pattern) for name in tree.files for pattern in required.names)


def missing_files(tree: FileTree, rules: FileRules) -> tuple[RequiredFile, ...]:
    """Return what is required and not there; nothing where there is what is forbidden, which nothing makes good."""
    if any(covering(name, rules.forbidden) for name in tree.files):
        return ()
    return tuple(one for one in rules.required if not _is_there(one, tree))


def describe_missing(missing: Collection[RequiredFile]) -> str:
    """Say which files are missing; of several names of one, any would do."""
    names = [joined(one.names, "or") for one in missing]
    return f"{joined(names)} {'is' if len(names) == 1 else 'are'} missing"


def problem_with(
    tree: FileTree, rules: FileRules, lacking: Collection[RequiredFile], handed_in: FileTree
) -> str | None:
    """Say why a tree cannot be built, which lacks these files; `handed_in` has what may have been meant for them."""
    forbidden = {hit for name in tree.files if (hit := covering(name, rules.forbidden))}
    if forbidden:
        return f"the submission has files that are not allowed: {_some(forbidden)}"
    needed = [one for one in lacking if one.costs is None]
    if not needed:
        return None
    sentence = describe_missing(needed)
    missing = [name for one in needed for name in one.names]
    if not handed_in.files:
        return f"the submission is empty: {sentence}"
    spare = [name for name in handed_in.files if not any(matches(name, one) for one in rules.required_names)]
    similar = dict.fromkeys(name for pattern in missing if (name := _similar(pattern, spare)))
    return f"{sentence}, but there is {' and '.join(similar)}" if similar else sentence


def _similar(wanted: str, names: Iterable[str]) -> str | None:
    """Find a name that may have been meant: the same elsewhere, a copy, or a slip of the keyboard."""
    by_base = {PurePosixPath(name).name.casefold(): name for name in sorted(names, reverse=True)}
    close = get_close_matches(PurePosixPath(wanted).name.casefold(), by_base, n=1, cutoff=0.7)
    return by_base[close[0]] if close else None


def _drop(tree: FileTree, patterns: tuple[str, ...], kept: tuple[str, ...] = ()) -> tuple[FileTree, set[str]]:
    """Drop the files that a pattern matches, except those in `kept`; return what was dropped."""
    everything = (*tree.files, *tree.folders)
    covered = {name: hit for name in everything if name not in kept and (hit := covering(name, patterns)) is not None}
    files = {name: file for name, file in tree.files.items() if name not in covered}
    needed = {str(parent) for name in files for parent in PurePosixPath(name).parents}
    folders = frozenset(name for name in tree.folders if name not in covered or name in needed)
    return tree._replace(files=files, folders=folders), set(covered.values())


def matches(name: str, pattern: str) -> bool:
    """Whether a path matches a glob, part by part: `*.java` is not `src/A.java`."""
    parts, patterns = name.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def covering(name: str, patterns: tuple[str, ...]) -> str | None:
    """Return what matches one of the globs, at any depth: the path itself or a folder above it, or None."""
    parts = name.split("/")
    for end in range(1, len(parts) + 1):
        for pattern in patterns:
            start = end - pattern.count("/") - 1
            if start >= 0 and matches("/".join(parts[start:end]), pattern):
                return "/".join(parts[:end])
    return None


def _noticed(kind: str, text: str, names: Collection[str]) -> list[Finding]:
    return [Finding(kind=kind, message=f"{text}: {_some(names)}")] if names else []


def _some(names: Collection[str]) -> str:
    return listed(sorted(names), most=_SHOWN_NAMES)
