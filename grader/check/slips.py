"""Texts that YAML, a program or grader reads otherwise than they were meant, in the spec and in files of the course."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from grader.check.samples import files_of_reference
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.deviations.sentences import possible_prompt, without_questions
from grader.core.judge.case import reachable, reachable_in_text
from grader.core.kind import kind_of
from grader.core.model.spec import STREAMS, Case, Leaf
from grader.core.text import one_line, quote
from grader.core.yaml.value import parse_range

_MAX_SHOWN = 40  # characters of a text in a message
_MAX_SEARCHED = 2**16  # bytes of an input that are looked at
_CASE = r"(?:defaults|tests\[\d+\](?:\.cases\[\d+\])?)"
_INPUT = rf"{_CASE}\.stdin|{_CASE}\.args\[\d+\]"
_OUTPUT = rf"{_CASE}\.expect\.(?:stdout|stderr|screen)(?:\.(?:text|contains|lines)(?:\[\d+\])?|\.(?:any|all)\[\d+\])?"
_FOR_PROGRAMS = re.compile(rf"{_INPUT}|{_OUTPUT}")
_FOR_PEOPLE = re.compile(r"title|course|source|about|tests\[\d+\]\.(?:name|about|hint)")

# ---------------------------------------------------------------- how YAML reads it


@lint_rule("warning", "cut-text")
def cut_texts(subject: Subject) -> Iterator[Flaw]:
    """Behind a blank, `#` begins a comment, and what follows is not read."""
    rest_of = _file_reader(subject)
    for path, text in subject.texts.items():
        sign = r"#\w" if _FOR_PEOPLE.fullmatch(path) else r"#\d" if _FOR_PROGRAMS.fullmatch(path) else ""
        rest = rest_of(path)[0]
        if sign and text and rest.startswith(text) and re.match(rf"\s+{sign}", rest[len(text) :]):
            whole, shown = (quote(one, most=_MAX_SHOWN) for one in (rest.strip().rstrip(",}]"), text))
            yield path, f"this is only {shown}, since ` #` begins a comment: put {whole} in quotes"


@lint_rule("warning", "literal-escape", takes_course=True)
def literal_escapes(subject: Subject) -> Iterator[Flaw]:
    r"""Only in double quotes `\n` is the end of a line; elsewhere students would have to write a backslash."""
    shown_right, rest_of = _paths_shown_right(subject), _file_reader(subject)
    for path, text in subject.texts.items():
        if not re.fullmatch(rf"{_OUTPUT}|{_CASE}\.stdin", path) or path.startswith(shown_right):
            continue
        written = re.search(r"(?<!\\)\\([nt])", re.sub(r"'[^']*'|\"[^\"]*\"|[A-Za-z]:\\\S*", "", text))
        if written and rest_of(path)[0][:1] not in ('"', "|", ">"):
            remedy = "put the text in double quotes, or write its lines below `|`"
            yield path, f"`{written[0]}` is a backslash and the letter {written[1]} here: {remedy}"


@lint_rule("warning", "folded-text", takes_course=True)
def folded_texts(subject: Subject) -> Iterator[Flaw]:
    """Below `>` lines are joined, so that a program gets, or has to write, one line."""
    shown_right, rest_of = _paths_shown_right(subject), _file_reader(subject)
    for path, text in subject.texts.items():
        if _FOR_PROGRAMS.fullmatch(path) and not path.startswith(shown_right):
            first, *below = (line.strip() for line in rest_of(path))
            if first.startswith(">") and all(below) and " ".join(below) in text:
                yield path, "below `>` the lines are joined to one line: write `|`"


def _file_reader(subject: Subject) -> Callable[[str], list[str]]:
    """Return what reads, for a path, the file from there to the end of the line, and the two lines below."""
    lines = [*subject.spec.source_text.decode("utf-8-sig").split("\n"), "", ""]
    nodes = subject.nodes
    return lambda path: [
        lines[nodes[path].line - 1][nodes[path].column - 1 :],
        *lines[nodes[path].line : nodes[path].line + 2],
    ]


def _paths_shown_right(subject: Subject) -> tuple[str, ...]:
    """Return the paths of expectations that the reference meets, so that they are as they were meant."""
    met = {(subject.path(answer.case, "expect"), answer.shows_right) for answer in subject.answers}
    return tuple(path for path, is_right in met if is_right and (path, False) not in met)


@lint_rule("warning", "range-in-list")
def listed_ranges(subject: Subject) -> Iterator[Flaw]:
    """A range in a list is a text, so that there is one case instead of many."""
    for path, text in subject.texts.items():
        found = re.fullmatch(r"tests\[\d+\]\.each\.(.+)\[\d+\]", path)
        if found and parse_range(text):
            yield path, f"in a list `{text}` is one value, and no range: write `{found[1]}: {text}`, or all the values"


@lint_rule("warning", "unfilled-variable")
def unfilled_variables(subject: Subject) -> Iterator[Flaw]:
    """A variable in other signs than braces stays as it is written."""
    variables = (re.fullmatch(r"(tests\[\d+\])\.each\.([^.\[]+)", path) for path in subject.nodes)
    for test, name in (found.groups() for found in variables if found):
        texts = {path: text for path, text in subject.texts.items() if path.startswith(f"{test}.")}
        written = re.compile(rf"\$\{{?{name}\b\}}?|%{name}%|\{{\{{ ?{name} ?\}}\}}")
        filled = re.compile(rf"(?<![$\{{])\{{{name}\}}(?!\}})")
        found = next(((path, sign[0]) for path, text in texts.items() if (sign := written.search(text))), None)
        if found and not any(map(filled.search, texts.values())):
            yield found[0], f"`{found[1]}` is not replaced by what `each` says: write `{{{name}}}`"


# ---------------------------------------------------------------- what was meant as something else

_MAX_NAME = 200  # bytes of a content that may be the name of a file
_FILE_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.[A-Za-z]\w*")


@lint_rule("warning", "name-for-content", once=True)
def names_for_contents(subject: Subject) -> Iterator[Flaw]:
    """The name of a file, where its content is meant, is all that the program gets or has to write."""
    for case in subject.cases:
        texts = [(subject.path(case, "stdin"), case.stdin.decode(errors="replace"))]
        for key, asked in case.texts:
            is_text = asked.how in ("text", "lines", "tokens") and not asked.is_selective
            texts += [
                (subject.expect(case, key), want) for want in asked.want or () if len(asked.want or ()) == 1 and is_text
            ]
        for name, content in case.files.items():
            path = subject.path(case, f"files.{name}", "files")
            shown = "" if f"{path}.file" in subject.nodes else content[:_MAX_NAME].decode(errors="replace")
            texts.append((path, shown))
        for path, text in texts:
            if _is_file_of_course(subject, text) and text not in case.files:
                yield path, f"this is the name of a file of the course, not its content: write `{{file: {text}}}`"


@lint_rule("warning", "number-within-a-number")
def numbers_within_numbers(subject: Subject) -> Iterator[Flaw]:
    """A text that begins or ends with a number is contained in longer numbers too, so that wrong ones pass."""
    for case in subject.cases:
        leaves = ((key, leaf) for key, asked in case.compared for leaf in (*asked.leaves, *asked.denied))
        for key, text in ((key, text) for key, leaf in leaves if leaf.how == "contains" for text in leaf.want or ()):
            if found := re.search(r"\A\d+|\d+\Z", text):
                longer = f"{text}0" if found.start() else f"1{text}"
                whole = "`contains: reference` looks for whole words and numbers; so does `regex` with `\\b`"
                yield subject.expect(case, key), f"{quote(longer)} contains {quote(text)} as well: {whole}"


@lint_rule("warning", "file-not-given", once=True)
def files_not_given(subject: Subject) -> Iterator[Flaw]:
    """A program finds the files of its case alone, and none of those that lie in the course."""
    spec = subject.spec
    brought = {*spec.files.required_names, *spec.files.optional, *(spec.build.files if spec.build else ())}
    for case in subject.cases:
        made = {*case.expect.files.contents, *case.expect.files.present} if case.expect.files else set()
        for word in (word for word in case.args if word not in {*brought, *made, *case.files}):
            if found := _file_of_course(subject, word):
                remedy = f"write `files: {{{word}: {{file: {found}}}}}` beside args"
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


@lint_rule("warning", "joined-arguments")
def joined_arguments(subject: Subject) -> Iterator[Flaw]:
    """An option and its value in one argument are what no shell hands over, and no program understands."""
    for path, text in subject.texts.items():
        found = re.fullmatch(r"(-[A-Za-z]|--[A-Za-z][\w-]*) (\S+)", text)
        if found and re.fullmatch(rf"{_CASE}\.args\[\d+\]", path):
            yield path, f"{quote(text)} is one argument with a blank in it: write `{found[1]}, {found[2]}`"


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


@lint_rule("warning", "windows-input", once=True)
def inputs_of_windows(subject: Subject) -> Iterator[Flaw]:
    """An input that an editor saved as on Windows has characters that nobody sees, and programs trip over them."""
    for case in subject.cases:
        path, head = subject.path(case, "stdin", "cases.from"), case.stdin[:_MAX_SEARCHED]
        has_mark = head.startswith(BOM_UTF8)
        is_written_out = path.endswith("stdin") and path in subject.texts
        if not is_written_out and (has_mark or b"\r\n" in head):
            found = "begins with a byte order mark" if has_mark else "ends its lines in CR LF"
            yield path, f"the input of `{case.id}` {found}, as on Windows, and programs read that: save it without"


# ---------------------------------------------------------------- prompts that are taken for answers, or for none

_MAX_PROMPT = 60  # characters of a prompt in a message


@lint_rule("warning", "needless-prompt")
def needless_prompts(subject: Subject) -> Iterator[Flaw]:
    """A program that reads nothing asks nothing: what stands before its answer is a wrong label, and would pass."""
    for path in (path for path in subject.nodes if re.fullmatch(r"(?:.*\.)?tolerate\.prompt", path)):
        below = [case for case in subject.below(path.removesuffix("tolerate.prompt")) if case.tolerate.get("prompt")]
        below = [case for case in below if "prompt" in reachable(case)]
        is_read = any(case.stdin or "stdin" in case.generated_inputs or kind_of(case).has_input for case in below)
        if below and not is_read:
            yield path, "nothing is read from standard input here, so this only lets any label stand before the answer"


@lint_rule("warning", "written-prompt")
def written_prompts(subject: Subject) -> Iterator[Flaw]:
    """A prompt in the expected text is a part of the answer, and who asks with other words loses points."""
    for case in subject.cases:
        for key, asked in _told_in(case):
            text = "\n".join(asked.want or ()).encode(errors="surrogatepass")
            if found := without_questions(text, case.stdin).prompts:
                shown = quote(found[0][0], most=_MAX_PROMPT)
                message = f"{shown} is a prompt, and every program has to write this one: leave it out of the text"
                yield subject.expect(case, key), message


@lint_rule("warning", "unclear-prompt", asks="reference")
def unclear_prompts(subject: Subject) -> Iterator[Flaw]:
    """What is taken for the answer of the reference and is its prompt costs everybody points who asks otherwise."""
    for case, execution in ((one.case, one.execution) for one in subject.answers if one.execution):
        for key in (key for key, asked in _told_in(case) if asked.want is None):
            if found := possible_prompt(getattr(execution, key), case.stdin, execution.prompt):
                advice = "if it is its prompt, have it ask with a word such as `Enter`"
                shown = quote(found, most=_MAX_PROMPT)
                yield subject.expect(case, key), f"{shown} counts as a part of the reference's answer: {advice}"


def _told_in(case: Case) -> Iterator[tuple[str, Leaf]]:
    """Iterate over how each stream is compared in which prompts are told, and tolerated."""
    for key, one in case.texts if case.tolerate.get("prompt") else ():
        if key in STREAMS and "prompt" in reachable_in_text(one):
            yield key, one
