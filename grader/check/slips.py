"""Commands and texts that a shell, YAML, a program or grader reads otherwise than they were meant."""

import re
import shlex
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from grader.check.samples import files_of_reference
from grader.check.subject import RULE_TABLE, Subject
from grader.core.build.layout import staging_rules
from grader.core.deviations.sentences import possible_prompt, without_questions
from grader.core.judge.case import reachable, reachable_in_text
from grader.core.kind import kind_of
from grader.core.languages import locate_tool
from grader.core.model.spec import PROGRAM_KINDS, STREAMS, Case, Leaf
from grader.core.yaml.value import parse_range
from grader.kinds import Flaw, flaw, lint_rule

_CASE = r"(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)"
_MAX_COMMAND = 80  # characters of a command in a message
_MAX_SEARCHED = 2**16  # bytes of an input that are looked at
_INPUT = rf"{_CASE}\.stdin|{_CASE}\.args\[\d+\]"
_OUTPUT = rf"{_CASE}\.expect\.(?:stdout|stderr|screen)(?:\.(?:text|contains|lines)(?:\[\d+\])?|\.(?:any|all)\[\d+\])?"
_FOR_PROGRAMS = re.compile(rf"{_INPUT}|{_OUTPUT}")
_SHELL, _FILES = RULE_TABLE["no-shell"].lists, RULE_TABLE["missing-file"].lists
_COMMANDS = re.compile("|".join(_SHELL["commands"]))
_FOR_PEOPLE = re.compile(r"title|course|source|about|tests\[\d+\]\.(?:name|about|hint)")

# ---------------------------------------------------------------- what only a shell understands

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\[^\w]")
_HIDDEN = "\x1a"  # stands for a character that is quoted, and means itself in a shell, too
_SHELL_SIGNS = {sort: _SHELL[f"{sort}-sign"][0] for sort in ("operator", "variable", "glob")}
_SEPARATED_NAME = re.compile(r"[\w.-]+(?:\\[\w.-]+)+")  # `reference\echo.py`


@lint_rule("no-shell")
def _shell_words(subject: Subject) -> Iterator[Flaw]:
    for path, text in _commands(subject):
        bare = _hide_quoted(text)
        words = bare.split()
        if name := next(filter(_SEPARATED_NAME.fullmatch, words), ""):
            yield flaw(path, "folders", name=name)
        elif found := _shell_syntax(words):
            yield flaw(path, "shell", sort=found[0], word=found[1], **_with_shell(path, text, bare))


def _shell_syntax(words: Sequence[str]) -> tuple[str, str] | None:
    """Return what sort of word only a shell understands, and that word; quoted characters are hidden in it."""
    if words and (words[0] in _SHELL["builtins"] or re.match(r"[A-Za-z_]\w*=", words[0])):
        return "builtin", words[0]
    for before, word in pairwise(("", *words)):
        options = (part.partition("=")[0] for part in (before, word))
        is_pattern = words[0] in _SHELL["pattern-readers"] or any(option in _SHELL["options"] for option in options)
        for sort, sign in _SHELL_SIGNS.items():
            if re.fullmatch(sign, word) and not (sort == "glob" and is_pattern):
                return sort, word.replace(_HIDDEN, "…")
    return None


def _with_shell(path: str, text: str, bare: str) -> Mapping[str, Any]:
    """Return how a command is written so that a shell runs it; with the arguments of a case where they follow."""
    is_plain = bare == text and path.startswith(("build.run", "repairs")) and not re.search(r"[|<>$`*?,]", text)
    steps = re.split(r"\s*(?:&&|;)\s*", text) if is_plain else []
    end = next(re.finditer(r";|\s(?:[|&]|\d?[<>])|$", bare)).start()
    given = f'{text[:end]} "$@"{text[end:]}' if path in _SHELL["before-arguments"] else text
    command = f"sh -c {shlex.quote(given)}"
    command = command if len(command) <= _MAX_COMMAND else "sh -c '…'"
    return {"steps": steps if len(steps) > 1 else [], "command": command if given == text else f"{command} sh"}


# ---------------------------------------------------------------- what the sandbox does not allow


@lint_rule("no-install")
def _installing_commands(subject: Subject) -> Iterator[Flaw]:
    patterns = RULE_TABLE["no-install"].words
    for path, text in _commands(subject):
        words = text.split()
        is_root = words[:1] == ["sudo"]
        match = re.match(patterns["installs"], " ".join(words[is_root:]))
        packages = ", ".join(word for word in words if not re.fullmatch(patterns["no-package"], word)) or "…"
        if match or is_root:
            is_pip = match and "pip" in match[0]
            yield flaw(path, is_root=is_root, installs=bool(match), packages=packages if is_pip else "")


# ---------------------------------------------------------------- programs that are not started


@lint_rule("wrong-start")
def _wrong_starts(subject: Subject) -> Iterator[Flaw]:
    spec = subject.spec
    own_files = [*spec.files.required_names, *(spec.build.produces if spec.build else ())]
    for path, command, _ in _programs(subject):
        first, *arguments = command
        kind = PROGRAM_KINDS.get(PurePosixPath(first).suffix)
        class_file = next((word for word in arguments if re.fullmatch(r"[\w.$]+\.class", word)), "")
        if kind and not kind.build and "/" not in first:
            words = [word.format(file=first, name=first) for word in kind.start]
            yield flaw(path, "file", name=first, command=shlex.join([*words, *arguments]))
        elif "/" not in first and first in own_files:
            yield flaw(path, "own", name=first, command=shlex.join(command))
        elif first == "java" and class_file:
            yield flaw(path, "class", name=class_file.removesuffix(".class"))
        elif first == "python" and spec.language == "python" and not locate_tool(first):
            yield flaw(path, "python", command=shlex.join(["python3", *arguments]))


@lint_rule("other-language")
def _other_languages(subject: Subject) -> Iterator[Flaw]:
    spec, names = subject.spec, subject.spec.files.required_names
    if spec.build and "build" in subject.nodes:
        return
    endings = {PurePosixPath(name).suffix for name in names}
    languages = {PROGRAM_KINDS[ending].language for ending in endings if ending in PROGRAM_KINDS}
    known = {kind.language for kind in PROGRAM_KINDS.values()}
    if "language" in subject.nodes and spec.language in known and languages and spec.language not in languages:
        yield flaw("language", names=names, language=min(languages), own=spec.language)


# ---------------------------------------------------------------- files that nobody brings

_SOURCE = re.compile(rf"(?:\./)?[\w-][\w./-]*\.(?:{'|'.join(_FILES['source-endings'])})")


@lint_rule("missing-file")
def _absent_files(subject: Subject) -> Iterator[Flaw]:
    spec, build = subject.spec, subject.spec.build
    handed_in = [*spec.files.required_names, *spec.files.optional]
    asked = [*handed_in, *(f"{name.removesuffix('.ipynb')}.py" for name in handed_in if name.endswith(".ipynb"))]
    renamed = [name for repair in spec.repairs for name in (*repair.change.rename.values(), *repair.change.files)]
    given = [*asked, *(build.files if build else ()), *renamed]
    command = build.run[0] if build and asked else ("",)
    if command == ("make",) and not any(_is_brought(name, given) for name in _FILES["makefiles"]):
        yield flaw("build.run", "makefile")
    is_compiler = re.sub(r"-\d+$", "", command[0]) in _FILES["compilers"]
    for before, word in pairwise(command) if is_compiler else ():  # what the first step compiles
        if before != "-o" and _SOURCE.fullmatch(word) and not _is_brought(word, given):
            path = "build.run[0]" if "build.run[0]" in subject.nodes else "build.run"
            yield flaw(path, "handed-in", name=word, meant=_guess(word, given))
    yield from _missing_programs(subject, given)
    yield from _unmade_products(subject, given)


def _missing_programs(subject: Subject, given: Sequence[str]) -> Iterator[Flaw]:
    """Find programs that are neither handed in nor made by the build."""
    build = subject.spec.build
    products = build.produces if build else ()
    for path, command, beside in _programs(subject):
        is_java = command[0] == "java" and build is not None and build.run[0][0] == "javac"
        source = f"{command[1]}.java" if is_java and re.fullmatch(r"[A-Z]\w*", "".join(command[1:2])) else ""
        name = (f"{command[1]}.class" if source and _is_brought(source, given) else source) or _started_file(command)
        is_made = bool(products) and name != source
        is_known = bool(given) and not (build and name == command[0])  # what is started by its path is a product
        sentence = "produced" if is_made else "kept" if build and name != source else "handed-in"
        if name and (is_made or is_known) and not _is_brought(name, [*products, *given, *beside]):
            yield flaw(path, sentence, name=name, meant=_guess(name, products if is_made else given))


def _unmade_products(subject: Subject, given: Sequence[str]) -> Iterator[Flaw]:
    """Find products that no command makes: they would have to be handed in, and no product is taken from there."""
    build = subject.spec.build
    commands = build.run if build else ()
    words = (pair for command in commands if command[0] not in _FILES["copying"] for pair in pairwise(command))
    read = {word.removeprefix("./") for before, word in words if before != "-o"}
    makes_nothing = all(command[0] in _FILES["making-nothing"] for command in commands)
    path = "build.produces" if build and build.produces else "build.run"
    for name in staging_rules(subject.spec).made or ():
        is_read = name in read and _SOURCE.fullmatch(name)
        if "*" not in name and (is_read or makes_nothing) and not _is_brought(name, given):
            yield flaw(path, "made", name=name)


def _started_file(command: Sequence[str]) -> str:
    """Return the file that a command starts, with or without an interpreter; empty where that is unclear."""
    is_starter = command[0] in _FILES["starters"]
    first = next((word for word in command if word.startswith("./")), "") if is_starter else command[0]
    if "/" in first[1:] and first[0] != "/":
        return first
    is_plain = {"-c", "-m", "-e"}.isdisjoint(command)
    return next(filter(_SOURCE.fullmatch, command), "") if is_plain else ""


def _is_brought(name: str, known: Sequence[str]) -> bool:
    """Whether a file is among names and globs; a glob fits its last part as well."""
    path = PurePosixPath(name)
    return any(fnmatchcase(path.as_posix(), pattern) or fnmatchcase(path.name, pattern) for pattern in known)


def _guess(name: str, known: Sequence[str]) -> str:
    """Return which file may be meant: the only one with that ending; empty where there are more, or none."""
    ending = PurePosixPath(name).suffix
    alike = [pattern for pattern in known if PurePosixPath(pattern).suffix == ending and "*" not in pattern]
    return alike[0] if len(alike) == 1 else ""


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


@lint_rule("cut-text", each="texts")
def _cut_texts(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    sign = r"#\w" if _FOR_PEOPLE.fullmatch(path) else r"#\d" if _FOR_PROGRAMS.fullmatch(path) else ""
    rest = subject.written(path)[0]
    if sign and text and rest.startswith(text) and re.match(rf"\s+{sign}", rest[len(text) :]):
        yield flaw(path, text=text, whole=rest.strip().rstrip(",}]"))


@lint_rule("literal-escape", each="texts")
def _literal_escapes(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    is_meant = re.fullmatch(rf"{_OUTPUT}|{_CASE}\.stdin", path) and not path.startswith(subject.shown_right)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|[A-Za-z]:\\\S*", "", text) if is_meant else ""
    written = re.search(r"(?<!\\)\\[nt]", bare)
    if written and subject.written(path)[0][:1] not in ('"', "|", ">"):
        yield flaw(path, escape=written[0])


@lint_rule("folded-text", each="texts")
def _folded_texts(subject: Subject, path: str, text: str) -> Iterator[Flaw]:
    if _FOR_PROGRAMS.fullmatch(path) and not path.startswith(subject.shown_right):
        first, *below = map(str.strip, subject.written(path))
        if first.startswith(">") and all(below) and " ".join(below) in text:
            yield flaw(path)


@lint_rule("range-in-list", each="texts")
def _listed_ranges(_: Subject, path: str, text: str) -> Iterator[Flaw]:
    match = re.fullmatch(r"tests\[\d+\]\.each\.(.+)\[\d+\]", path)
    if match and parse_range(text):
        yield flaw(path, name=match[1], range=text)


@lint_rule("unfilled-variable")
def _unfilled_variables(subject: Subject) -> Iterator[Flaw]:
    variables = (re.fullmatch(r"(tests\[\d+\])\.each\.([^.\[]+)", path) for path in subject.nodes)
    for test, name in (match.groups() for match in variables if match):
        texts = {path: text for path, text in subject.texts.items() if path.startswith(f"{test}.")}
        written = re.compile(rf"\$\{{?{name}\b\}}?|%{name}%|\{{\{{ ?{name} ?\}}\}}")
        filled = re.compile(rf"(?<![$\{{])\{{{name}\}}(?!\}})")
        place = next(((path, sign[0]) for path, text in texts.items() if (sign := written.search(text))), None)
        if place and not any(map(filled.search, texts.values())):
            yield flaw(place[0], written=place[1], name=name)


# ---------------------------------------------------------------- what was meant as something else

_MAX_NAME = 200  # bytes of a text that may be the name of a file
_FILE_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.[A-Za-z]\w*")


@lint_rule("name-for-content", once=True, each="cases")
def _names_for_contents(subject: Subject, case: Case) -> Iterator[Flaw]:
    texts = [(subject.path(case, "stdin"), case.stdin.decode(errors="replace"))]
    for key, asked in case.texts:
        if len(asked.want or ()) == 1 and asked.how in ("text", "lines", "tokens") and not asked.is_selective:
            texts += [(subject.expect(case, key), want) for want in asked.want or ()]
    for name, content in case.files.items():
        path = subject.path(case, f"files.{name}", "files")
        texts.append((path, "" if f"{path}.file" in subject.nodes else content[:_MAX_NAME].decode(errors="replace")))
    for path, text in texts:
        if _files_of_course(subject, text) and text not in case.files:
            yield flaw(path, name=text)


@lint_rule("number-within-a-number", each="cases")
def _numbers_within_numbers(subject: Subject, case: Case) -> Iterator[Flaw]:
    leaves = ((key, leaf) for key, asked in case.compared for leaf in (*asked.leaves, *asked.denied))
    for key, text in ((key, text) for key, leaf in leaves if leaf.how == "contains" for text in leaf.want or ()):
        if digits := re.search(r"\A\d+|\d+\Z", text):
            longer = f"{text}0" if digits.start() else f"1{text}"
            yield flaw(subject.expect(case, key), text=text, longer=longer)


@lint_rule("file-not-given", once=True, each="cases")
def _files_not_given(subject: Subject, case: Case) -> Iterator[Flaw]:
    spec, written = subject.spec, case.expect.files
    brought = {*spec.files.required_names, *spec.files.optional, *(spec.build.files if spec.build else ()), *case.files}
    brought |= {*written.contents, *written.present} if written else set()
    for word in (word for word in case.args if word not in brought):
        found = _files_of_course(subject, word, below=True)
        if len(found) == 1:
            yield flaw(subject.path(case, "args"), word=word, file=found[0])


def _files_of_course(subject: Subject, text: str, *, below: bool = False) -> list[str]:
    """Return the file that a text names at the course root; without one, perhaps all of that name in folders there."""
    root = subject.spec.root
    if len(text.encode(errors="replace")) > _MAX_NAME or not _FILE_NAME.fullmatch(text):
        return []
    if (root / text).is_file():
        return [text]
    alike = root.glob(f"*/{text}") if below and "/" not in text else ()
    return [path.relative_to(root).as_posix() for path in alike if path.is_file()]


@lint_rule("joined-arguments", each="texts")
def _joined_arguments(_: Subject, path: str, text: str) -> Iterator[Flaw]:
    match = re.fullmatch(r"(-[A-Za-z]|--[A-Za-z][\w-]*) (\S+)", text)
    if match and re.fullmatch(rf"{_CASE}\.args\[\d+\]", path):
        yield flaw(path, text=text, option=match[1], value=match[2])


# ---------------------------------------------------------------- line ends of Windows

# make, Python, Java, awk and most interpreters read CR LF; the kernel takes the CR for a part of the interpreter's name
# in a `#!` line, and a shell for a part of each command.
_INTERPRETER_LINE = re.compile(rb"#! ?/[^\n]*\r\n")
_SHELL_LINE = re.compile(rb"#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b")


@lint_rule("crlf-script")
def _scripts_with_cr(subject: Subject) -> Iterator[Flaw]:
    attached = subject.spec.attached
    for name, content in sorted({**files_of_reference(subject.spec), **attached}.items()):
        is_shell = PurePosixPath(name).suffix in (".sh", ".bash") or _SHELL_LINE.match(content)
        names_none = _INTERPRETER_LINE.match(content)
        if names_none or (is_shell and b"\r\n" in content):
            above = "reference" if name not in attached else ""
            path = next((path for path, text in subject.texts.items() if name in text), above)
            yield flaw(path, name=name, names_none=bool(names_none))


@lint_rule("windows-input", once=True, each="cases")
def _inputs_of_windows(subject: Subject, case: Case) -> Iterator[Flaw]:
    path, head = subject.path(case, "stdin", "cases.from"), case.stdin[:_MAX_SEARCHED]
    has_mark = head.startswith(BOM_UTF8)
    is_written_out = path.endswith("stdin") and path in subject.texts
    if not is_written_out and (has_mark or b"\r\n" in head):
        yield flaw(path, case=case.id, has_mark=has_mark)


# ---------------------------------------------------------------- prompts that are taken for answers, or for none


@lint_rule("needless-prompt")
def _needless_prompts(subject: Subject) -> Iterator[Flaw]:
    for path in (path for path in subject.nodes if re.fullmatch(r"(?:.*\.)?tolerate\.prompt", path)):
        below = [case for case in subject.below(path.removesuffix("tolerate.prompt")) if case.tolerate.get("prompt")]
        below = [case for case in below if "prompt" in reachable(case)]
        is_read = any(case.stdin or "stdin" in case.generated_inputs or kind_of(case).has_input for case in below)
        if below and not is_read:
            yield flaw(path)


@lint_rule("written-prompt", each="cases")
def _written_prompts(subject: Subject, case: Case) -> Iterator[Flaw]:
    for key, asked in _tolerating_prompts(case):
        text = "\n".join(asked.want or ()).encode(errors="surrogatepass")
        if prompts := without_questions(text, case.stdin).prompts:
            yield flaw(subject.expect(case, key), prompt=prompts[0][0])


@lint_rule("unclear-prompt")
def _unclear_prompts(subject: Subject) -> Iterator[Flaw]:
    for case, execution in ((answer.case, answer.execution) for answer in subject.answers if answer.execution):
        for key in (key for key, asked in _tolerating_prompts(case) if asked.want is None):
            if prompt := possible_prompt(getattr(execution, key), case.stdin, execution.prompt):
                yield flaw(subject.expect(case, key), prompt=prompt)


def _tolerating_prompts(case: Case) -> Iterator[tuple[str, Leaf]]:
    """Yield each stream in which prompts are recognised and tolerated, and how it is compared."""
    for key, leaf in case.texts if case.tolerate.get("prompt") else ():
        if key in STREAMS and "prompt" in reachable_in_text(leaf):
            yield key, leaf
