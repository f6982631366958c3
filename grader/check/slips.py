"""Commands and texts that a shell, YAML, a program or grader reads otherwise than they were meant."""

import re
import shlex
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import PurePosixPath

from grader.check.samples import files_of_reference
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.build.layout import staging_rules
from grader.core.deviations.sentences import possible_prompt, without_questions
from grader.core.judge.case import reachable, reachable_in_text
from grader.core.kind import kind_of
from grader.core.languages import locate_tool
from grader.core.model.spec import PROGRAM_KINDS, STREAMS, Case, Leaf
from grader.core.text import joined, one_line, quote
from grader.core.yaml.value import parse_range

_CASE = r"(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)"
_LIST = r"(?:\[\d+\])?"
_OF_SUBMISSIONS = rf"program|build\.run{_LIST}|{_CASE}\.command"
_OF_COURSE = rf"reference(?:\.(?:program|build{_LIST}))?|references\.[^.\[]+(?:\.(?:program|build{_LIST}))?"
_COMMANDS = re.compile(rf"{_OF_SUBMISSIONS}|{_OF_COURSE}|repairs(?:\.try)?\[\d+\]\.(?:run|prepare){_LIST}")
"""the paths of commands that are written as one text"""
_WITH_ARGUMENTS = re.compile(r"program|reference(?:\.program)?")
"""the paths of commands that the arguments of a case follow"""
_MAX_COMMAND, _MAX_SHOWN, _MAX_PROMPT = 80, 40, 60  # characters of a command, a text and a prompt in a message
_MAX_SEARCHED = 2**16  # bytes of an input that are looked at
_INPUT = rf"{_CASE}\.stdin|{_CASE}\.args\[\d+\]"
_OUTPUT = rf"{_CASE}\.expect\.(?:stdout|stderr|screen)(?:\.(?:text|contains|lines)(?:\[\d+\])?|\.(?:any|all)\[\d+\])?"
_FOR_PROGRAMS = re.compile(rf"{_INPUT}|{_OUTPUT}")
_FOR_PEOPLE = re.compile(r"title|course|source|about|tests\[\d+\]\.(?:name|about|hint)")

# ---------------------------------------------------------------- what only a shell understands

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\[^\w]")
_HIDDEN = "\x1a"  # stands for a character that is quoted, and means itself in a shell, too
_GLOB = re.compile(r"(?=.*[./])[\w./-]*[*?][\w./*?-]*")
_SHELL_SIGNS = {
    re.compile(r".*(?:[|;]|&&).*|&|\d?(?:>>?|<<?).*|&>.*"): "and what follows are arguments",
    re.compile(r".*(?:\$[A-Za-z_{(]|`).*|~/.*"): "stays as it is written",
    _GLOB: "stays as it is written, and no file is called so",
}
"""words that mean something to a shell -> what they are without one"""
_BUILTIN = re.compile(r"cd|export|source|set|ulimit|umask|alias|[A-Za-z_]\w*=.*")
_TAKES_PATTERN = re.compile(r"-(?:i?name|i?path|cp|classpath|-class-path|-include|-exclude)(?:=.*)?")
"""options whose values are patterns for the program itself"""
_READS_PATTERNS = ("find", "grep", "egrep", "sed", "awk", "expr", "rg", "perl")
_SEPARATED_NAME = re.compile(r"[\w.-]+(?:\\[\w.-]+)+")  # `reference\echo.py`


@lint_rule("warning", "no-shell")
def shell_words(subject: Subject) -> Iterator[Flaw]:
    """No shell runs the commands of a spec: what only a shell understands is an argument for the program."""
    for path, text in _commands(subject):
        bare = _hide_quoted(text)
        words = bare.split()
        if name := next(filter(_SEPARATED_NAME.fullmatch, words), ""):
            yield path, f"a backslash separates no folders here: write `{name.replace(chr(92), '/')}`"
        elif problem := _shell_syntax(words):
            yield path, f"no shell runs this, {problem}: {_with_shell(path, text, bare)}"


def _shell_syntax(words: Sequence[str]) -> str:
    """Return what is wrong with the words of a command, in which quoted characters are hidden; empty for nothing."""
    if words and _BUILTIN.fullmatch(words[0]):
        return f"and only a shell knows {quote(words[0])}"
    for before, word in pairwise(("", *words)):
        is_pattern = any(map(_TAKES_PATTERN.fullmatch, (before, word))) or words[0] in _READS_PATTERNS
        for sign, effect in _SHELL_SIGNS.items():
            if sign.fullmatch(word) and not (sign is _GLOB and is_pattern):
                return f"so {quote(word.replace(_HIDDEN, '…'))} {effect}"
    return ""


def _with_shell(path: str, text: str, bare: str) -> str:
    """Return how a command is written so that a shell runs it; with the arguments of a case where they follow."""
    is_plain = bare == text and path.startswith(("build.run", "repairs")) and not re.search(r"[|<>$`*?,]", text)
    steps = re.split(r"\s*(?:&&|;)\s*", text) if is_plain else []
    listed = f"a list of commands, [{', '.join(steps)}], or " if len(steps) > 1 else ""
    end = next(re.finditer(r";|\s(?:[|&]|\d?[<>])|$", bare)).start()
    given = f'{text[:end]} "$@"{text[end:]}' if _WITH_ARGUMENTS.fullmatch(path) else text
    command = f"sh -c {shlex.quote(given)}"
    command = command if len(command) <= _MAX_COMMAND else "sh -c '…'"
    return f"write {listed}`{command}{'' if given == text else ' sh'}`"


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
        match = _INSTALLS.match(" ".join(words[is_root:]))
        remedy = "install it once on the machine that grades, or put the files into the course and name them under with"
        if match and "pip" in match[0]:
            names = ", ".join(word for word in words if not _NOT_PACKAGES.fullmatch(word)) or "…"
            remedy = f"name the packages under `requires: [{names}]`, and `grader packages` installs them once"
        lacking = "nobody is root in the sandbox" if is_root else "the sandbox has no network"
        more = " and it has no network" if is_root and match else ""
        if match or is_root:
            yield path, f"{lacking}{more}: {remedy if match else 'leave out `sudo`'}"


# ---------------------------------------------------------------- programs that are not started

_CLASS = re.compile(r"[A-Z]\w*")
_CLASS_FILE = re.compile(r"[\w.$]+\.class")


@lint_rule("warning", "wrong-start")
def wrong_starts(subject: Subject) -> Iterator[Flaw]:
    """A program that cannot be started writes nothing, and everybody gets 0 points."""
    spec = subject.spec
    own_files = [*spec.files.required_names, *(spec.build.produces if spec.build else ())]
    for path, command, _ in _programs(subject):
        first, *arguments = command
        kind = PROGRAM_KINDS.get(PurePosixPath(first).suffix)
        class_file = next(filter(_CLASS_FILE.fullmatch, arguments), "")
        if kind and not kind.build and "/" not in first:
            words = [word.format(file=first, name=first) for word in kind.start]
            yield path, f"{quote(first)} is no command, but a file: write `{shlex.join([*words, *arguments])}`"
        elif "/" not in first and first in own_files:
            yield path, f"{quote(first)} is looked up among the commands of the system: write `./{shlex.join(command)}`"
        elif first == "java" and class_file:
            what = "java takes the name of a class, not of its file"
            yield path, f"{what}: write `java {class_file.removesuffix('.class')}`"
        elif first == "python" and spec.language == "python" and not locate_tool(first):
            yield path, f"there is no `python` here: write `{shlex.join(['python3', *arguments])}`"


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
    renamed = [name for repair in spec.repairs for name in (*repair.change.rename.values(), *repair.change.files)]
    given = [*asked, *(build.files if build else ()), *renamed]
    command = build.run[0] if build and asked else ("",)
    if command == ("make",) and not any(_is_brought(name, given) for name in _MAKEFILES):
        yield "build.run", "make needs a Makefile: name it under files, or put the course's there with `with`"
    for before, word in pairwise(command) if _BUILDERS.fullmatch(command[0]) else ():  # what the first step compiles
        if before != "-o" and _SOURCE.fullmatch(word) and not _is_brought(word, given):
            path = "build.run[0]" if "build.run[0]" in subject.nodes else "build.run"
            yield path, f"nobody is asked to hand in {quote(word)}: name it under files: required{_guess(word, given)}"
    yield from _missing_programs(subject, given)
    yield from _unmade_products(subject, given)


def _missing_programs(subject: Subject, given: Sequence[str]) -> Iterator[Flaw]:
    """Find programs that are neither handed in nor made by the build."""
    build = subject.spec.build
    products = build.produces if build else ()
    for path, command, beside in _programs(subject):
        is_java = command[0] == "java" and build is not None and build.run[0][0] == "javac"
        source = f"{command[1]}.java" if is_java and _CLASS.fullmatch("".join(command[1:2])) else ""
        name = (f"{command[1]}.class" if source and _is_brought(source, given) else source) or _started_file(command)
        is_made = bool(products) and name != source
        is_known = bool(given) and not (build and name == command[0])  # what is started by its path is a product
        problem = f"nobody is asked to hand in {quote(name)}: name it under files: required{_guess(name, given)}"
        if is_made:
            problem = f"the build does not produce {quote(name)}: name it under produces{_guess(name, products)}"
        elif build and name != source:
            problem = f"{quote(name)} is not kept of the build: name it under produces, or under files: required"
        if name and (is_made or is_known) and not _is_brought(name, [*products, *given, *beside]):
            yield path, problem


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
    is_plain = {"-c", "-m", "-e"}.isdisjoint(command)
    return next(filter(_SOURCE.fullmatch, command), "") if is_plain else ""


def _is_brought(name: str, known: Sequence[str]) -> bool:
    """Whether a file is among names and globs; a glob fits its last part as well."""
    path = PurePosixPath(name)
    return any(fnmatchcase(path.as_posix(), pattern) or fnmatchcase(path.name, pattern) for pattern in known)


def _guess(name: str, known: Sequence[str]) -> str:
    """Return, for the end of a message, which file may be meant: the only one with that ending."""
    ending = PurePosixPath(name).suffix
    alike = [pattern for pattern in known if PurePosixPath(pattern).suffix == ending and "*" not in pattern]
    return f", or is it {quote(alike[0])}?" if len(alike) == 1 else ""


# ---------------------------------------------------------------- where commands stand


def _commands(subject: Subject) -> Iterator[tuple[str, str]]:
    """Iterate over the commands that are written as one text, each with its path."""
    return ((path, text) for path, text in subject.texts.items() if _COMMANDS.fullmatch(path))


def _programs(subject: Subject) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Iterate over what is started of a submission: the path, the command, and the files that a case puts beside it.

    Commands for a shell are left to `shell_words`.
    """
    started = (
        (subject.path(case, "command"), case.command, (*case.files,))
        if case.command
        else ("program", subject.spec.program, (*case.files,))
        for case in subject.cases
        if kind_of(case).is_typed
    )
    for path, command, beside in dict.fromkeys(started):
        words = _hide_quoted(subject.texts.get(path, "")).split()
        if not any(map(_SEPARATED_NAME.fullmatch, words)) and not _shell_syntax(words):
            yield path, command, beside


def _hide_quoted(text: str) -> str:
    """Return a command with each quoted character replaced by one that means nothing."""
    return _QUOTED.sub(lambda match: _HIDDEN * len(match[0]), text)


# ---------------------------------------------------------------- how YAML reads it


@lint_rule("warning", "cut-text", each="texts")
def cut_texts(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    """Behind a blank, `#` begins a comment, and what follows is not read."""
    sign = r"#\w" if _FOR_PEOPLE.fullmatch(path) else r"#\d" if _FOR_PROGRAMS.fullmatch(path) else ""
    rest = subject.written(path)[0]
    if sign and text and rest.startswith(text) and re.match(rf"\s+{sign}", rest[len(text) :]):
        whole, shown = (quote(part, most=_MAX_SHOWN) for part in (rest.strip().rstrip(",}]"), text))
        yield path, f"this is only {shown}, since ` #` begins a comment: put {whole} in quotes"


@lint_rule("warning", "literal-escape", takes_course=True, each="texts")
def literal_escapes(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    r"""Only in double quotes `\n` is the end of a line; elsewhere students would have to write a backslash."""
    is_meant = re.fullmatch(rf"{_OUTPUT}|{_CASE}\.stdin", path) and not path.startswith(subject.shown_right)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|[A-Za-z]:\\\S*", "", text) if is_meant else ""
    written = re.search(r"(?<!\\)\\([nt])", bare)
    if written and subject.written(path)[0][:1] not in ('"', "|", ">"):
        remedy = "put the text in double quotes, or write its lines below `|`"
        yield path, f"`{written[0]}` is a backslash and the letter {written[1]} here: {remedy}"


@lint_rule("warning", "folded-text", takes_course=True, each="texts")
def folded_texts(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    """Below `>` lines are joined, so that a program gets, or has to write, one line."""
    if _FOR_PROGRAMS.fullmatch(path) and not path.startswith(subject.shown_right):
        first, *below = map(str.strip, subject.written(path))
        if first.startswith(">") and all(below) and " ".join(below) in text:
            yield path, "below `>` the lines are joined to one line: write `|`"


@lint_rule("warning", "range-in-list", each="texts")
def listed_ranges(_: Subject, path: str, text: str) -> Iterator[Flaw]:
    """A range in a list is a text, so that there is one case instead of many."""
    match = re.fullmatch(r"tests\[\d+\]\.each\.(.+)\[\d+\]", path)
    if match and parse_range(text):
        yield path, f"in a list `{text}` is one value, and no range: write `{match[1]}: {text}`, or all the values"


@lint_rule("warning", "unfilled-variable")
def unfilled_variables(subject: Subject) -> Iterator[Flaw]:
    """A variable in other signs than braces stays as it is written."""
    variables = (re.fullmatch(r"(tests\[\d+\])\.each\.([^.\[]+)", path) for path in subject.nodes)
    for test, name in (match.groups() for match in variables if match):
        texts = {path: text for path, text in subject.texts.items() if path.startswith(f"{test}.")}
        written = re.compile(rf"\$\{{?{name}\b\}}?|%{name}%|\{{\{{ ?{name} ?\}}\}}")
        filled = re.compile(rf"(?<![$\{{])\{{{name}\}}(?!\}})")
        place = next(((path, sign[0]) for path, text in texts.items() if (sign := written.search(text))), None)
        if place and not any(map(filled.search, texts.values())):
            yield place[0], f"`{place[1]}` is not replaced by what `each` says: write `{{{name}}}`"


# ---------------------------------------------------------------- what was meant as something else

_MAX_NAME = 200  # bytes of a content that may be the name of a file
_FILE_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.[A-Za-z]\w*")


@lint_rule("warning", "name-for-content", once=True, each="cases")
def names_for_contents(subject: Subject, case: Case) -> Iterator[Flaw]:
    """The name of a file, where its content is meant, is all that the program gets or has to write."""
    texts = [(subject.path(case, "stdin"), case.stdin.decode(errors="replace"))]
    for key, asked in case.texts:
        is_text = asked.how in ("text", "lines", "tokens") and not asked.is_selective
        texts += [
            (subject.expect(case, key), want) for want in asked.want or () if len(asked.want or ()) == 1 and is_text
        ]
    for name, content in case.files.items():
        path = subject.path(case, f"files.{name}", "files")
        texts.append((path, "" if f"{path}.file" in subject.nodes else content[:_MAX_NAME].decode(errors="replace")))
    for path, text in texts:
        if _is_file_of_course(subject, text) and text not in case.files:
            yield path, f"this is the name of a file of the course, not its content: write `{{file: {text}}}`"


@lint_rule("warning", "number-within-a-number", each="cases")
def numbers_within_numbers(subject: Subject, case: Case) -> Iterator[Flaw]:
    """A text that begins or ends with a number is contained in longer numbers too, so that wrong ones pass."""
    leaves = ((key, leaf) for key, asked in case.compared for leaf in (*asked.leaves, *asked.denied))
    for key, text in ((key, text) for key, leaf in leaves if leaf.how == "contains" for text in leaf.want or ()):
        if digits := re.search(r"\A\d+|\d+\Z", text):
            longer = f"{text}0" if digits.start() else f"1{text}"
            whole = "`contains: reference` looks for whole words and numbers; so does `regex` with `\\b`"
            yield subject.expect(case, key), f"{quote(longer)} contains {quote(text)} as well: {whole}"


@lint_rule("warning", "file-not-given", once=True)
def files_not_given(subject: Subject) -> Iterator[Flaw]:
    """A program finds the files of its case alone, and none of those that lie in the course."""
    spec = subject.spec
    brought = {*spec.files.required_names, *spec.files.optional, *(spec.build.files if spec.build else ())}
    for case in subject.cases:
        written = {*case.expect.files.contents, *case.expect.files.present} if case.expect.files else set()
        for word in (word for word in case.args if word not in {*brought, *written, *case.files}):
            if file := _file_of_course(subject, word):
                remedy = f"write `files: {{{word}: {{file: {file}}}}}` beside args"
                message = f"{quote(word)} is a file of the course that is not beside the program: {remedy}"
                yield subject.path(case, "args"), message


def _file_of_course(subject: Subject, text: str) -> str:
    """Return the path of the file that a text names, at the course root or in a folder there; empty for none."""
    if _is_file_of_course(subject, text) or not _FILE_NAME.fullmatch(text) or "/" in text:
        return text if _is_file_of_course(subject, text) else ""
    alike = [path for path in subject.spec.root.glob(f"*/{text}") if path.is_file()]
    return alike[0].relative_to(subject.spec.root).as_posix() if len(alike) == 1 else ""


def _is_file_of_course(subject: Subject, text: str) -> bool:
    return bool(_FILE_NAME.fullmatch(text)) and (subject.spec.root / text).is_file()


@lint_rule("warning", "joined-arguments", each="texts")
def joined_arguments(_: Subject, path: str, text: str) -> Iterator[Flaw]:
    """An option and its value in one argument are what no shell hands over, and no program understands."""
    match = re.fullmatch(r"(-[A-Za-z]|--[A-Za-z][\w-]*) (\S+)", text)
    if match and re.fullmatch(rf"{_CASE}\.args\[\d+\]", path):
        yield path, f"{quote(text)} is one argument with a blank in it: write `{match[1]}, {match[2]}`"


# ---------------------------------------------------------------- line ends of Windows

# make, Python, Java, awk and most interpreters read CR LF; the kernel takes the CR for a part of the interpreter's name
# in a `#!` line, and a shell for a part of each command.
_INTERPRETER_LINE = re.compile(rb"#! ?/[^\n]*\r\n")
_SHELL_LINE = re.compile(rb"#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b")


@lint_rule("warning", "crlf-script")
def scripts_with_cr(subject: Subject) -> Iterator[Flaw]:
    """A script that an editor saved as on Windows cannot be run: what it checks or makes is ungraded for everybody."""
    attached = subject.spec.attached
    for name, content in sorted({**files_of_reference(subject.spec), **attached}.items()):
        is_shell = PurePosixPath(name).suffix in (".sh", ".bash") or _SHELL_LINE.match(content)
        names_none = _INTERPRETER_LINE.match(content)
        if names_none or (is_shell and b"\r\n" in content):
            broken = "a shell takes the CR for a part of each command"
            broken = "its #! line then names an interpreter that does not exist" if names_none else broken
            shown = one_line(name)
            cure = f"save it with LF (`sed -i 's/\\r$//' {shown}`), and in git write `* text=auto eol=lf` into"
            path = next(
                (path for path, text in subject.texts.items() if name in text), "reference" * (name not in attached)
            )
            yield path, f"the lines of {shown} end in CR LF, as on Windows: {broken}; {cure} .gitattributes"


@lint_rule("warning", "windows-input", once=True, each="cases")
def inputs_of_windows(subject: Subject, case: Case) -> Iterator[Flaw]:
    """An input that an editor saved as on Windows has characters that nobody sees, and programs trip over them."""
    path, head = subject.path(case, "stdin", "cases.from"), case.stdin[:_MAX_SEARCHED]
    has_mark = head.startswith(BOM_UTF8)
    is_written_out = path.endswith("stdin") and path in subject.texts
    if not is_written_out and (has_mark or b"\r\n" in head):
        fault = "begins with a byte order mark" if has_mark else "ends its lines in CR LF"
        yield path, f"the input of `{case.id}` {fault}, as on Windows, and programs read that: save it without"


# ---------------------------------------------------------------- prompts that are taken for answers, or for none


@lint_rule("warning", "needless-prompt")
def needless_prompts(subject: Subject) -> Iterator[Flaw]:
    """A program that reads nothing asks nothing: what stands before its answer is a wrong label, and would pass."""
    for path in (path for path in subject.nodes if re.fullmatch(r"(?:.*\.)?tolerate\.prompt", path)):
        below = [case for case in subject.below(path.removesuffix("tolerate.prompt")) if case.tolerate.get("prompt")]
        below = [case for case in below if "prompt" in reachable(case)]
        is_read = any(case.stdin or "stdin" in case.generated_inputs or kind_of(case).has_input for case in below)
        if below and not is_read:
            yield path, "nothing is read from standard input here, so this only lets any label stand before the answer"


@lint_rule("warning", "written-prompt", each="cases")
def written_prompts(subject: Subject, case: Case) -> Iterator[Flaw]:
    """A prompt in the expected text is a part of the answer, and who asks with other words loses points."""
    for key, asked in _tolerating_prompts(case):
        text = "\n".join(asked.want or ()).encode(errors="surrogatepass")
        if prompts := without_questions(text, case.stdin).prompts:
            shown = quote(prompts[0][0], most=_MAX_PROMPT)
            message = f"{shown} is a prompt, and every program has to write this one: leave it out of the text"
            yield subject.expect(case, key), message


@lint_rule("warning", "unclear-prompt", asks="reference")
def unclear_prompts(subject: Subject) -> Iterator[Flaw]:
    """What is taken for the answer of the reference and is its prompt costs everybody points who asks otherwise."""
    for case, execution in ((answer.case, answer.execution) for answer in subject.answers if answer.execution):
        for key in (key for key, asked in _tolerating_prompts(case) if asked.want is None):
            if prompt := possible_prompt(getattr(execution, key), case.stdin, execution.prompt):
                advice = "if it is its prompt, have it ask with a word such as `Enter`"
                shown = quote(prompt, most=_MAX_PROMPT)
                yield subject.expect(case, key), f"{shown} counts as a part of the reference's answer: {advice}"


def _tolerating_prompts(case: Case) -> Iterator[tuple[str, Leaf]]:
    """Yield each stream in which prompts are recognised and tolerated, and how it is compared."""
    for key, leaf in case.texts if case.tolerate.get("prompt") else ():
        if key in STREAMS and "prompt" in reachable_in_text(leaf):
            yield key, leaf
