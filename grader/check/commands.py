"""Commands that start something else than they read: what only a shell understands, and what nobody brings."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import PurePosixPath

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.build.layout import staging_rules
from grader.core.kind import kind_of
from grader.core.languages import locate_tool
from grader.core.model.layout import Build
from grader.core.model.spec import PROGRAM_KINDS, Spec
from grader.core.text import joined, quote

_LIST = r"(?:\[\d+\])?"
_OF_SUBMISSIONS = rf"program|build\.run{_LIST}|(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)\.command"
_OF_COURSE = rf"reference(?:\.(?:program|build{_LIST}))?|references\.[^.\[]+(?:\.(?:program|build{_LIST}))?"
_COMMANDS = re.compile(rf"{_OF_SUBMISSIONS}|{_OF_COURSE}|repairs(?:\.try)?\[\d+\]\.(?:run|prepare){_LIST}")
"""the paths of commands that are written as one text"""
_WITH_ARGUMENTS = re.compile(r"program|reference(?:\.program)?")
"""the paths of commands that the arguments of a case follow"""
_MAX_SHOWN = 80  # characters of a command in a message

# ---------------------------------------------------------------- what only a shell understands

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\[^\w]")
_HIDDEN = "\x1a"  # stands for a character that is quoted, and means itself in a shell, too
_OPERATOR = re.compile(r".*(?:[|;]|&&).*|&|\d?(?:>>?|<<?).*|&>.*")
_VARIABLE = re.compile(r".*(?:\$[A-Za-z_{(]|`).*|~/.*")
_GLOB = re.compile(r"(?=.*[./])[\w./-]*[*?][\w./*?-]*")
_BUILTIN = re.compile(r"cd|export|source|set|ulimit|umask|alias|[A-Za-z_]\w*=.*")
_TAKES_PATTERN = re.compile(r"-(?:i?name|i?path|cp|classpath|-class-path|-include|-exclude)(?:=.*)?")
"""options whose values are patterns for the program itself"""
_READS_PATTERNS = ("find", "grep", "egrep", "sed", "awk", "expr", "rg", "perl")
_SEPARATED_NAME = re.compile(r"[\w.-]+(?:\\[\w.-]+)+")  # `reference\echo.py`


@lint_rule("warning", "no-shell")
def shell_words(subject: Subject) -> Iterator[Flaw]:
    """No shell runs the commands of a spec: what only a shell understands is an argument for the program."""
    for path, text in _commands(subject):
        bare = _hidden(text)
        words = bare.split()
        if found := next(filter(_SEPARATED_NAME.fullmatch, words), ""):
            yield path, f"a backslash separates no folders here: write `{found.replace(chr(92), '/')}`"
        elif words and (problem := _shell_syntax(words)):
            yield path, f"no shell runs this, {problem}: {_in_a_shell(path, text, bare)}"


def _shell_syntax(words: Sequence[str]) -> str:
    """Return what is wrong with the words of a command, in which quoted characters are hidden; empty for nothing."""
    if _BUILTIN.fullmatch(words[0]):
        return f"and only a shell knows {quote(words[0])}"
    for before, word in zip(("", *words), words, strict=False):
        shown = quote(word.replace(_HIDDEN, "…"))
        is_pattern = any(map(_TAKES_PATTERN.fullmatch, (before, word))) or words[0] in _READS_PATTERNS
        if _OPERATOR.fullmatch(word):
            return f"so {shown} and what follows are arguments"
        if _VARIABLE.fullmatch(word):
            return f"so {shown} stays as it is written"
        if _GLOB.fullmatch(word) and not is_pattern:
            return f"so {shown} stays as it is written, and no file is called so"
    return ""


def _in_a_shell(path: str, text: str, bare: str) -> str:
    """Return how a command is written so that a shell runs it; with the arguments of a case where they follow."""
    ends = [(0, 0), *(found.span() for found in re.finditer(r"&&|;", bare)), (len(bare), 0)]
    steps = [text[before[1] : after[0]].strip() for before, after in pairwise(ends)]
    if len(steps) > 1 and path.startswith(("build.run", "repairs")) and not re.search(r"[|<>$`*?]|\|\|", bare):
        commands = ", ".join(step if "," not in step else f'"{step}"' for step in steps)
        return f"write a list of commands, [{commands}], or `{_shell_command(text)}`"
    if not _WITH_ARGUMENTS.fullmatch(path):
        return f"write `{_shell_command(text)}`"
    end = next((place.start() for place in re.finditer(r";|\s(?:[|&]|\d?[<>])", bare)), len(text))
    given = f'{text[:end]} "$@"{text[end:]}'
    return f"write `{_shell_command(given)} sh`"


def _shell_command(text: str) -> str:
    command = f"sh -c {shlex.quote(text)}"
    return command if len(command) <= _MAX_SHOWN else "sh -c '…'"


# ---------------------------------------------------------------- what the sandbox does not allow

_INSTALLS = re.compile(
    r"(?:python3? -m )?pip3? install|(?:apt|apt-get|dnf|yum|apk|brew|conda) (?:\S+ )*(?:install|update|add)"
    r"|npm (?:install|ci|i)|(?:curl|wget|git clone)"
)
_NOT_PACKAGES = re.compile(r"-.*|install|pip3?|python3?|sudo|.*\.txt|\.|.*/.*")


@lint_rule("warning", "no-install")
def installing_commands(subject: Subject) -> Iterator[Flaw]:
    """In the sandbox nobody is root and there is no network: what installs something there fails for everybody."""
    for path, text in _commands(subject):
        words = text.split()
        is_root = words[:1] == ["sudo"]
        found = _INSTALLS.match(" ".join(words[is_root:]))
        if not found and not is_root:
            continue
        remedy = "install it once on the machine that grades, or put the files into the course and name them under with"
        if found and "pip" in found[0]:
            names = ", ".join(word for word in words if not _NOT_PACKAGES.fullmatch(word)) or "…"
            remedy = f"name the packages under `requires: [{names}]`, and `grader packages` installs them once"
        lacking = "nobody is root in the sandbox" if is_root else "the sandbox has no network"
        more = " and it has no network" if is_root and found else ""
        yield path, f"{lacking}{more}: {remedy if found else 'leave out `sudo`'}"


# ---------------------------------------------------------------- programs that are not started

_CLASS = re.compile(r"[A-Z]\w*")
_CLASS_FILE = re.compile(r"[\w.$]+\.class")


@lint_rule("warning", "wrong-start")
def wrong_starts(subject: Subject) -> Iterator[Flaw]:
    """A program that cannot be started writes nothing, and everybody gets 0 points."""
    spec = subject.spec
    made = [*spec.files.required_names, *(spec.build.produces if spec.build else ())]
    for path, command, _ in _programs(subject):
        first, *others = command
        kind = PROGRAM_KINDS.get(PurePosixPath(first).suffix)
        classes = [word for word in others if _CLASS_FILE.fullmatch(word)]
        if kind and not kind.build and "/" not in first:
            words = [word.format(file=first, name=first) for word in kind.start]
            yield path, f"{quote(first)} is no command, but a file: write `{shlex.join([*words, *others])}`"
        elif "/" not in first and first in made:
            yield path, f"{quote(first)} is looked up among the commands of the system: write `./{shlex.join(command)}`"
        elif first == "java" and classes:
            name = classes[0].removesuffix(".class")
            yield path, f"java takes the name of a class, not of its file: write `java {name}`"
        elif first == "python" and spec.language == "python" and not locate_tool(first):
            yield path, f"there is no `python` here: write `{shlex.join(['python3', *others])}`"


@lint_rule("warning", "other-language")
def other_languages(subject: Subject) -> Iterator[Flaw]:
    """By its language a program is built, limited and understood when it crashes; that of its files is another."""
    spec = subject.spec
    if spec.build and "build" in subject.nodes:
        return
    endings = {PurePosixPath(name).suffix for name in spec.files.required_names}
    languages = {PROGRAM_KINDS[ending].language for ending in endings if ending in PROGRAM_KINDS}
    known = {kind.language for kind in PROGRAM_KINDS.values()}
    if "language" in subject.nodes and spec.language in known and languages and spec.language not in languages:
        names = joined([quote(name) for name in spec.files.required_names], "and")
        verb = "is" if len(spec.files.required_names) == 1 else "are"
        problem = f"by the ending, {names} {verb} in {min(languages)}, and this is {spec.language}"
        yield "language", f"{problem}: make them agree"


# ---------------------------------------------------------------- files that nobody brings

_SOURCE = re.compile(
    r"(?:\./)?[\w-][\w./-]*\.(?:py|java|c|cc|cpp|cxx|pl|js|mjs|ts|rb|go|rs|hs|ml|scm|lua|php|kt|cs|sh|jar)"
)
_BUILDERS = re.compile(
    r"(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|javac|rustc|ghc|ocamlopt|ocamlc|tsc|mcs|fpc|kotlinc)(?:-\d+)?"
)
_COPYING = ("cp", "mv", "ln", "install", "touch", "tee", "make", "ninja")  # commands that make the files that they name
_MAKING_NOTHING = ("chmod", "true", "test", "echo", "ls", "cat", "file", "which")
_STARTERS = ("timeout", "nice", "env", "stdbuf", "valgrind", "sh", "bash")
"""commands that start the program behind them"""
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


@lint_rule("warning", "missing-file")
def absent_files(subject: Subject) -> Iterator[Flaw]:
    """A file that nobody is asked for, and that the course does not bring, is not there when it is needed."""
    spec, build = subject.spec, subject.spec.build
    handed_in = [*spec.files.required_names, *spec.files.optional]
    asked = [*handed_in, *(f"{name.removesuffix('.ipynb')}.py" for name in handed_in if name.endswith(".ipynb"))]
    renamed = [name for one in spec.repairs for name in (*one.change.rename.values(), *one.change.files)]
    given = [*asked, *(build.files if build else ()), *renamed]
    command = build.run[0] if build and asked else ("",)
    if command == ("make",) and not any(_is_brought(name, given) for name in _MAKEFILES):
        yield "build.run", "make needs a Makefile: name it under files, or put the course's there with `with`"
    for before, word in pairwise(command) if _BUILDERS.fullmatch(command[0]) else ():  # what the first step compiles
        if before != "-o" and _SOURCE.fullmatch(word) and not _is_brought(word, given):
            path = "build.run[0]" if "build.run[0]" in subject.nodes else "build.run"
            yield path, f"nobody is asked to hand in {quote(word)}: name it under files: required{_close(word, given)}"
    yield from _missing_programs(subject, given)
    yield from _unmade_products(subject, given)
    yield from _missing_in_reference(spec)


def _missing_programs(subject: Subject, given: Sequence[str]) -> Iterator[Flaw]:
    """Find programs that are neither handed in nor made by the build."""
    build = subject.spec.build
    made = build.produces if build else ()
    for path, command, beside in _programs(subject):
        source = _source_of_class(command, build)
        name = source or _started_file(command)
        is_made = bool(made) and not source
        is_known = bool(given) and not (build and name == command[0])  # what is started by its path is a product
        if not name or not (is_made or is_known) or _is_brought(name, [*made, *given, *beside]):
            continue
        problem = f"nobody is asked to hand in {quote(name)}: name it under files: required{_close(name, given)}"
        if build and not source:
            problem = f"{quote(name)} is not kept of the build: name it under produces, or under files: required"
        made_problem = f"the build does not produce {quote(name)}: name it under produces{_close(name, made)}"
        yield path, made_problem if is_made else problem


def _unmade_products(subject: Subject, given: Sequence[str]) -> Iterator[Flaw]:
    """Find products that no command makes: they would have to be handed in, and no product is taken from there."""
    build = subject.spec.build
    commands = build.run if build else ()
    words = (pair for command in commands if command[0] not in _COPYING for pair in pairwise(command))
    read = {word.removeprefix("./") for before, word in words if before != "-o"}
    makes_nothing = all(command[0] in _MAKING_NOTHING for command in commands)
    path = "build.produces" if build and build.produces else "build.run"
    for name in staging_rules(subject.spec).made or ():
        is_read = name in read and _SOURCE.fullmatch(name)
        if "*" not in name and (is_read or makes_nothing) and not _is_brought(name, given):
            problem = f"the build does not make {quote(name)}, and it is not taken from what is handed in"
            yield path, f"{problem}: name it under files: required"


def _started_file(command: Sequence[str]) -> str:
    """Return the file that a command starts, with or without an interpreter; empty where that is unclear."""
    first = next((word for word in command if word.startswith("./")), "") if command[0] in _STARTERS else command[0]
    if "/" in first[1:] and first[0] != "/":
        return first
    is_plain = not {"-c", "-m", "-e"}.intersection(command)
    return next(filter(_SOURCE.fullmatch, command), "") if is_plain else ""


def _source_of_class(command: Sequence[str], build: Build | None) -> str:
    """Return the source of the class of Java that a command starts; empty where that is unclear."""
    name = command[1] if command[0] == "java" and len(command) > 1 and _CLASS.fullmatch(command[1]) else ""
    return f"{name}.java" if name and build and build.run[0][0] == "javac" else ""


def _missing_in_reference(spec: Spec) -> Iterator[Flaw]:
    """Find a program that the reference starts, and that is not where it runs: in its folder, or at the course root."""
    work = spec.reference_work
    if work is None:
        name = _started_file(spec.reference or ("",))
        if name and "/" not in name and not (spec.root / name).exists():
            elsewhere = sorted(path.relative_to(spec.root).as_posix() for path in spec.root.glob(f"*/{name}"))
            if elsewhere:
                yield "reference", f"there is no {quote(name)} beside specs: write `{elsewhere[0]}`"
    elif work.is_like_submissions and not work.files and not work.build:
        folder = spec.root / work.folder
        inside = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
        name = _started_file(spec.program)
        if name and inside and not _is_brought(name, [*inside, *work.beside]):
            problem = f"{quote(name)}, which `program` starts, is not in the folder {quote(work.folder)}"
            yield "reference", f"{problem}: put it there{_close(name, inside)}"


def _is_brought(name: str, known: Sequence[str]) -> bool:
    """Whether a file is among names and globs; a glob fits its last part as well."""
    path = PurePosixPath(name)
    return any(fnmatchcase(path.as_posix(), one) or fnmatchcase(path.name, one) for one in known)


def _close(name: str, known: Sequence[str]) -> str:
    """Return, for the end of a message, which file may be meant: the only one with that ending."""
    ending = PurePosixPath(name).suffix
    alike = [one for one in known if PurePosixPath(one).suffix == ending and "*" not in one]
    return f", or is it {quote(alike[0])}?" if len(alike) == 1 else ""


# ---------------------------------------------------------------- where commands stand


def _commands(subject: Subject) -> Iterator[tuple[str, str]]:
    """Iterate over the commands that are written as one text, each with its path."""
    return ((path, text) for path, text in subject.texts.items() if _COMMANDS.fullmatch(path))


def _programs(subject: Subject) -> Iterator[tuple[str, tuple[str, ...], Mapping[str, bytes]]]:
    """Iterate over what is started of a submission: the path, the command, and the files that each case puts beside it.

    Commands for a shell are left to `shell_words`.
    """
    started: dict[str, tuple[tuple[str, ...], Mapping[str, bytes]]] = {}
    for case in (case for case in subject.cases if kind_of(case).is_typed):
        command = case.command or subject.spec.program
        path = subject.path(case, "command") if case.command else "program"
        _, before = started.get(path, (command, case.files))
        started[path] = command, {name: content for name, content in before.items() if name in case.files}
    for path, (command, beside) in started.items():
        words = _hidden(subject.texts.get(path, "")).split()
        if not any(map(_SEPARATED_NAME.fullmatch, words)) and not (words and _shell_syntax(words)):
            yield path, command, beside


def _hidden(text: str) -> str:
    """Return a command with each quoted character replaced by one that means nothing."""
    return _QUOTED.sub(lambda found: _HIDDEN * len(found[0]), text)
