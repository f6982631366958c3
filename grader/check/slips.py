"""Values that YAML reads otherwise than they look, and texts that were meant as something else."""

import re
from collections.abc import Callable, Iterator

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.model.spec import Case
from grader.core.text import quote
from grader.core.yaml.value import parse_range

_MAX_SHOWN = 40  # characters of a text in a message
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
        if not sign or not text or rest[:1] in ("'", '"', "|", ">") or not rest.startswith(text):
            continue
        if re.match(rf"\s+{sign}", rest[len(text) :]):
            whole = quote(rest.strip().rstrip(",}]"), most=_MAX_SHOWN)
            yield (
                path,
                f"this is only {quote(text, most=_MAX_SHOWN)}, since ` #` begins a comment: put {whole} in quotes",
            )


@lint_rule("warning", "literal-escape")
def literal_escapes(subject: Subject) -> Iterator[Flaw]:
    r"""Only in double quotes `\n` is the end of a line; elsewhere students would have to write a backslash."""
    shown_right, rest_of = _paths_shown_right(subject), _file_reader(subject)
    for path, text in subject.texts.items():
        is_output = re.fullmatch(_OUTPUT, path)
        if not (is_output or path.endswith(".stdin")) or not _FOR_PROGRAMS.fullmatch(path):
            continue
        is_written_out = rest_of(path)[0][:1] in ('"', "|", ">")
        outside = re.sub(r"'[^']*'|\"[^\"]*\"|[A-Za-z]:\\\S*", "", text)
        written = re.search(r"(?<!\\)\\([nt])", outside)
        if is_written_out or not written or path.startswith(shown_right):
            continue
        remedy = "put the text in double quotes, or write its lines below `|`"
        yield path, f"`{written[0]}` is a backslash and the letter {written[1]} here: {remedy}"


@lint_rule("warning", "folded-text")
def folded_texts(subject: Subject) -> Iterator[Flaw]:
    """Below `>` lines are joined, so that a program gets, or has to write, one line."""
    shown_right, rest_of = _paths_shown_right(subject), _file_reader(subject)
    for path, text in subject.texts.items():
        if not _FOR_PROGRAMS.fullmatch(path) or path.startswith(shown_right):
            continue
        first, *below = (line.strip() for line in rest_of(path))
        if first.startswith(">") and all(below) and " ".join(below) in text:
            yield path, "below `>` the lines are joined to one line: write `|`"


@lint_rule("warning", "range-in-list")
def listed_ranges(subject: Subject) -> Iterator[Flaw]:
    """A range in a list is a text, so that there is one case instead of many."""
    for path, text in subject.texts.items():
        found = re.fullmatch(r"tests\[\d+\]\.each\.(.+)\[\d+\]", path)
        if found and parse_range(text):
            yield path, f"in a list `{text}` is one value, and no range: write `{found[1]}: {text}`, or all the values"


def _file_reader(subject: Subject) -> Callable[[str], list[str]]:
    """Return what reads, for a path, the file from there to the end of the line, and the two lines below."""
    lines = [*subject.spec.source_text.decode("utf-8-sig").split("\n"), "", ""]

    def rest_of(path: str) -> list[str]:
        node = subject.nodes[path]
        return [lines[node.line - 1][node.column - 1 :], *lines[node.line : node.line + 2]]

    return rest_of


def _paths_shown_right(subject: Subject) -> tuple[str, ...]:
    """Return the paths of expectations that the reference meets, so that they are as they were meant."""
    met: dict[str, bool] = {}
    for answer in subject.answers:
        path = subject.path(answer.case, "expect")
        met[path] = met.get(path, True) and answer.shows_right
    return tuple(path for path, is_met in met.items() if is_met)


@lint_rule("warning", "unfilled-variable")
def unfilled_variables(subject: Subject) -> Iterator[Flaw]:
    """A variable in other signs than braces stays as it is written."""
    variables: dict[str, list[str]] = {}
    for path in subject.nodes:
        if found := re.fullmatch(r"(tests\[\d+\])\.each\.([^.\[]+)", path):
            variables.setdefault(found[1], []).append(found[2])
    for test, names in variables.items():
        texts = {path: text for path, text in subject.texts.items() if path.startswith(f"{test}.")}
        for name in names:
            if any(re.search(rf"(?<![$\{{])\{{{name}\}}(?!\}})", text) for text in texts.values()):
                continue
            written = re.compile(rf"\$\{{?{name}\b\}}?|%{name}%|\{{\{{ ?{name} ?\}}\}}")
            for path, text in texts.items():
                if found := written.search(text):
                    yield path, f"`{found[0]}` is not replaced by what `each` says: write `{{{name}}}`"
                    break


# ---------------------------------------------------------------- what was meant as something else

_MAX_NAME = 200  # bytes of a content that may be the name of a file
_NUMBER_AT_AN_END = re.compile(r"(?:\A\d+|\d+\Z)")
_FILE_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.[A-Za-z]\w*")
_OPTION_WITH_VALUE = re.compile(r"(-[A-Za-z]|--[A-Za-z][\w-]*) (\S+)")


@lint_rule("warning", "name-for-content")
def names_for_contents(subject: Subject) -> Iterator[Flaw]:
    """The name of a file, where its content is meant, is all that the program gets or has to write."""
    reported = set()
    for case in (case for _, test in subject.tests() for case in test.cases):
        for path, text in _texts_of(subject, case):
            if path not in reported and _is_file_of_course(subject, text) and text not in case.files:
                reported.add(path)
                yield path, f"this is the name of a file of the course, not its content: write `{{file: {text}}}`"


def _texts_of(subject: Subject, case: Case) -> Iterator[tuple[str, str]]:
    if case.stdin:
        yield subject.path(case, "stdin"), case.stdin.decode(errors="replace")
    for key, asked in case.texts:
        if asked.how in ("text", "lines", "tokens") and asked.want and len(asked.want) == 1 and not asked.is_selective:
            yield subject.path(case, f"expect.{key}", "expect"), asked.want[0]
    for name, content in case.files.items():
        path = subject.path(case, f"files.{name}", "files")
        if f"{path}.file" not in subject.nodes:
            yield path, content[:_MAX_NAME].decode(errors="replace")


@lint_rule("warning", "number-within-a-number")
def numbers_within_numbers(subject: Subject) -> Iterator[Flaw]:
    """A text that begins or ends with a number is contained in longer numbers too, so that wrong ones pass."""
    reported: set[tuple[str, str]] = set()
    for case in (case for _, test in subject.tests() for case in test.cases):
        for key, asked in case.compared:
            for leaf in (*asked.leaves, *asked.denied):
                path = subject.path(case, f"expect.{key}", "expect")
                for text in (leaf.want or ()) if leaf.how == "contains" else ():
                    found = _NUMBER_AT_AN_END.search(text)
                    if found and (path, text) not in reported:
                        reported.add((path, text))
                        longer = f"{text}0" if found.start() else f"1{text}"
                        whole = "`contains: reference` looks for whole words and numbers; so does `regex` with `\\b`"
                        yield path, f"{quote(longer)} contains {quote(text)} as well: {whole}"


@lint_rule("warning", "file-not-given")
def files_not_given(subject: Subject) -> Iterator[Flaw]:
    """A program finds the files of its case alone, and none of those that lie in the course."""
    spec = subject.spec
    brought = {*spec.files.required_names, *spec.files.optional, *(spec.build.files if spec.build else ())}
    reported: set[str] = set()
    for case in (case for _, test in subject.tests() for case in test.cases):
        path = subject.path(case, "args")
        made = {*case.expect.files.contents, *case.expect.files.present} if case.expect.files else set()
        for word in case.args if path not in reported else ():
            found = "" if word in {*brought, *made, *case.files} else _file_of_course(subject, word)
            if found and path not in reported:
                reported.add(path)
                remedy = f"write `files: {{{word}: {{file: {found}}}}}` beside args"
                yield path, f"{quote(word)} is a file of the course that is not beside the program: {remedy}"


def _file_of_course(subject: Subject, text: str) -> str:
    """Return the path of the file that a text names, at the course root or in a folder there; empty for none."""
    if _is_file_of_course(subject, text):
        return text
    if not _FILE_NAME.fullmatch(text) or "/" in text:
        return ""
    alike = [path.relative_to(subject.spec.root).as_posix() for path in subject.spec.root.glob(f"*/{text}")]
    return alike[0] if len(alike) == 1 and (subject.spec.root / alike[0]).is_file() else ""


def _is_file_of_course(subject: Subject, text: str) -> bool:
    return bool(_FILE_NAME.fullmatch(text)) and (subject.spec.root / text).is_file()


@lint_rule("warning", "joined-arguments")
def joined_arguments(subject: Subject) -> Iterator[Flaw]:
    """An option and its value in one argument are what no shell hands over, and no program understands."""
    for path, text in subject.texts.items():
        found = _OPTION_WITH_VALUE.fullmatch(text)
        if found and re.fullmatch(rf"{_CASE}\.args\[\d+\]", path):
            yield path, f"{quote(text)} is one argument with a blank in it: write `{found[1]}, {found[2]}`"
