"""A spec file -> `Spec`: the top level of the language, its tests with every case expanded."""

import hashlib
import itertools
import math
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import KINDS, CaseParts, Kind
from grader.core.model import spec as model
from grader.core.model.layout import ContentsByName, FileRules, NotebookRules, content_pieces, size_of
from grader.core.model.spec import PROGRAM_KINDS, Case, Spec, Test, match_program
from grader.core.notebook import is_notebook, module_name
from grader.core.reader.expectation import expect_file
from grader.core.reader.files import languages_of_course, nodes_by_path, unless_wrong
from grader.core.reader.generated import read_variable, write_out_generated
from grader.core.reader.language import CASE, FOR_ALL, TEST, TOP, TYPES, merge_defaults, merge_parts, read_parts
from grader.core.reader.types import read_command
from grader.core.text import listed
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table, write_without
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import Said, check_rules, read_found
from grader.core.yaml.value import Context, Fields, Value, each_of, entries, fields, in_quotes, items, unwanted, wrong

MAX_CASES = 10_000  # of a whole spec; more is a slip of the pen in `each`
_APART = "adjustments"  # decided for single submissions: no part of what all others are graded by
_FIRST = ("id", "language", "program", "files")  # read first, since the readers of other keys need them
_OF_TEST = [name for name, key in TEST.items() if name != "cases" and key.into in ("weights", *Test.__struct_fields__)]


def load(path: Path) -> Spec:
    """Read a spec. SpecError with all its mistakes, in their order; UsageError when there is no such file."""
    return read(yaml.read_bytes(path), str(path), yaml.root_of_spec(path))


def read(
    data: bytes, file: str, root: Path, listings: dict[str, tuple[str, ...]] | None = None, *, seed: str = ""
) -> Spec:
    """Read a spec, with a `seed` for what is drawn or else its id; `listings` gets the folders that were read."""
    context = Context(file=file, root=root, types=TYPES, listings={} if listings is None else listings)
    top = Value(node=parse(data, file), path="", context=context)
    context.languages = languages_of_course(root, top)
    keys = fields(top, TOP)
    said = {**read_found(keys, _FIRST, {"files": FileRules()}), "languages": context.languages}
    context.spec, context.seed, context.program = said["id"], seed or said["id"], said["program"]
    context.has_notebooks, context.has_build = said["language"] == "notebook", "build" in keys
    context.language = said["language"] = "python" if context.has_notebooks else said["language"]
    context.has_reference = not keys.keys().isdisjoint(("reference", "references"))
    context.required = [name for rule in said["files"].required if rule.costs is None for name in rule.names]
    defaults = read_parts(keys, None, FOR_ALL)
    if "defaults" in keys:
        defaults = {**defaults, **read_parts(fields(keys["defaults"], "defaults"), {})}
    own: Said = {"notebook": NotebookRules()} if context.has_notebooks else {}
    own |= read_found(keys, [name for name in TOP if name not in (*FOR_ALL, *_FIRST, _APART)])
    references = own.pop("references", {})
    named = (reference for name, reference in references.items() if match_program(context.program, [name]) is not None)
    said |= own.pop("reference", {}) or next(named, {})
    said["tests"] = _read_tests(keys["tests"], defaults, own["patience"]) if "tests" in keys else ()
    said |= {name: value for name, value in own.items() if name in Spec.__struct_fields__} | own.get("repairs", {})
    # Everything that attaches files comes before this, except adjustments of single submissions.
    said |= {"shared_digest": _digest_with_files(context, write_without(top.node, data, _APART)), "source_text": data}
    shared = Spec(**said, references=references, root=root, drawn_from=seed, digest="")
    if not context.problems:
        check_rules(keys, {"finished": shared}, [(top, rule) for rule in TYPES["spec"].rules])
    adjusted = unless_wrong(top, read_found(keys, [_APART]))
    digest = _digest_with_files(context, data)
    return replace(shared, **adjusted, digest=digest, attached=ContentsByName(dict(context.contents)))


def _digest_with_files(context: Context, data: bytes) -> str:
    digest = hashlib.sha256(data)
    # A whole folder is a fact of its own: it enters under its name, as a file without content.
    for name, content in sorted({**context.contents, **{f"{folder}/": b"" for folder in context.folders}}.items()):
        digest.update(f"\0{name}\0{size_of(content)}\0".encode())
        for piece in content_pieces(content):
            digest.update(piece)
    return digest.hexdigest()


def _read_tests(value: Value, base: CaseParts, patience: int | None) -> tuple[Test, ...]:
    """Read `tests`; `base` and `patience` are the spec's values for all. A test can need only earlier tests."""
    read_items = each_of(lambda item: (item, fields(item, TEST)), "at least one test")(value)
    names = [read_found(keys, ["name"])["name"] for _, keys in read_items]
    ids, tests = set[str](), list[Test]()
    for name, (item, keys) in zip(names, read_items, strict=True):
        cases = tuple(_write_out_cases(name, item, keys, base, MAX_CASES - len(ids)))
        labels = {case.id.removeprefix(name)[1:-1]: case for case in cases}
        known: Said = {"keys": keys, "cases": cases, "labels": labels, "names": names, "before": names[: len(tests)]}
        known |= {"ids": ids, "weights": cases, "patience": patience, "points": Fraction("costs" not in keys)}
        said = read_found(keys, _OF_TEST, known)
        check_rules(keys, said, [(item, rule) for rule in TYPES["test"].rules])
        said["cases"] = said["weights"]
        if (group := said.get("scoring")) and not group.groups:
            said["scoring"] = replace(group, cases=len(cases))
        tests.append(Test(**{name: value for name, value in said.items() if name in Test.__struct_fields__}))
        ids.update(case.id for case in cases)
    return tuple(tests)


def read_reference(value: Value) -> Said:
    """Read a reference, as keyword arguments of `Spec`: a command, or a file or folder of which it is made."""
    if isinstance(value.node, Table):
        said = read_found(keys := fields(value, "reference-work"))
        if said["files"] and not os.path.exists(value.context.root / said["files"]):  # noqa: PTH110 - never raises
            wrong(keys["files"], f"there is no file or folder {in_quotes(said['files'])} in {value.context.root}")
            return {}
        return _make_work(keys["files"], said) if said["files"] else {}
    command = read_command(value)
    name = "/" if command[1:] or isinstance(value.node, Listing) else "".join(command)
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return {"reference": command}
    if is_notebook(name):
        return {"reference": ("python3", module_name(name))}
    return _make_work(value, {"files": name}, command)


def check_references(said: Said, value: Value) -> None:
    """Check that a reference answers for whatever cases start that ask one, and that somebody asks each reference."""
    keys, spec = {name: entry for name, (_, entry) in entries(value).items()}, said["finished"]
    named = {} if "references" not in keys else {name: key for name, (key, _) in entries(keys["references"]).items()}
    own = match_program(spec.program, named)
    if own is not None and "reference" in keys:
        wrong(named[own], "reference says what answers for the program already: keep one of the two")
    cases = [case for test in spec.tests for case in test.cases]
    for name in named.keys() - {own, *map(spec.reference_name, cases)}:
        programs = sorted({PurePosixPath(case.command[-1]).stem for case in cases if case.command})
        wrong(named[name], f"no test starts a program of this name{yaml.suggestion(name, programs)}")
    for item, test in zip(items(keys["tests"]), spec.tests, strict=True):
        if not (lone := [case for case in test.cases if case.asks_reference and spec.reference_name(case) is None]):
            continue
        key, problem = "expect", "no reference answers for the program: name its own under reference"
        if command := lone[0].command:
            write = f"write `references: {{{name_reference(command)}: ...}}` with what is right for this one"
            key, problem = "command", f"no reference is for {in_quotes(shlex.join(command))}: {write}"
            problem += ", or let it be a folder with all programs"
        nodes = nodes_by_path(spec.source_text, value.context.file)
        place = next(at for at in (f"{lone[0].path}.{key}", f"{item.path}.{key}", item.path) if at in nodes)
        wrong(replace(item, node=nodes[place], path=place), problem)


def name_reference(command: tuple[str, ...]) -> str:
    """Return a name for what a command starts, as `references` has it: `unique` for `python3 unique.py -c`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or len(command) == 1)]
    last = (words or [command[0]])[-1].split()
    return PurePosixPath(last[-1]).stem if last else "name"


def _make_work(value: Value, said: Said, command: tuple[str, ...] = ()) -> Said:
    """Make a reference of a file or folder; else it may be a `command`."""
    context, path, build = value.context, PurePosixPath(said["files"]), value.context.said.get("build")
    name, commands, program = path.as_posix(), said.get("commands", ()), said.get("program", ())
    listing = context.listings[name] = yaml.names_inside(context.root, name)
    is_folder, ending, kind, beside = bool(listing), "", PROGRAM_KINDS.get(path.suffix), dict[str, bytes]()
    language = said.get("language") or (context.language if is_folder else kind.language if kind else "")
    language = "python" if language == "notebook" else language
    if not language:
        if not command:
            wrong(value, f"{in_quotes(name)} is no folder, and its ending tells no language: name that under language")
        return {"reference": command} if command else {}
    if is_folder or kind is None or kind.language != language:
        # For an unknown language, the keys say everything.
        fitting = (pair for pair in PROGRAM_KINDS.items() if pair[1].language == language)
        ending, kind = next(fitting, ("", model.ProgramKind(language=language, start=())))
    own, is_made = context.program if language == context.language else (), model.MADE_PROGRAM in " ".join(kind.start)
    if is_folder:
        started = own or (kind.start if is_made else ())
        if own and build and not commands:
            commands, beside = build.run, dict(build.files)
        elif not own and kind.build and not commands:
            commands = (("sh", "-c", shlex.join(kind.build).replace(shlex.quote("{file}"), f"*{ending}")),)
    elif not (commands or program or kind.build) and kind.start:
        is_script = yaml.attach(value, name).startswith(b"#!")
        return {"reference": (name if "/" in name else f"./{name}",) if is_script else _fill_command(kind.start, name)}
    else:  # its own build determines the name of what it makes
        started = own if commands and is_made else _fill_command(kind.start, path.name)
        commands = commands or ((_fill_command(kind.build, path.name),) if kind.build else ())
    if not (program or started):
        wrong(value, f"nothing says how {in_quotes(name)} in {language} is started: name that under program")
    place = {"folder": name} if is_folder else {"folder": name.rpartition("/")[0], "files": (name,)}
    is_like = is_folder and bool(own) and not program
    work = model.ReferenceWork(language=language, build=commands, beside=beside, is_like_submissions=is_like, **place)
    return {"reference": program or started, "reference_work": work}


def _fill_command(command: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(word.format(file=name, name=PurePosixPath(name).stem) for word in command)


class Choice(Struct, frozen=True):
    """A value of a variable."""

    text: str
    label: str  # what names of cases say of it: `n=8`, `n=#1`
    number: model.GeneratedNumber | None = None  # where it comes from, of one that is generated
    parts: CaseParts = {}  # what comes with it, of the name of a file


def _refuse_beside(keys: Fields, *kinds: Kind) -> None:
    """Take the keys of a test away that have no meaning beside that of the last kind, which makes its cases."""
    for kind in kinds[:-1]:
        wrong(keys[kind.key], f"{kind.key} has no meaning beside {kinds[-1].key}: make a test of its own")
    unfit = {"cases", "each", "patience", "unlike", *CASE}.difference(kinds[-1].goes_with or ())
    for key in keys.keys() & {*unfit, *kinds[-1].beside}:
        wrong(keys.pop(key), kinds[-1].beside.get(key, kinds[-1].beside["*"]).replace("{key}", key))


def _write_out_cases(name: str, value: Value, keys: Fields, defaults: CaseParts, most: int) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    kinds = [kind for kind in KINDS.values() if kind.key in keys and kind.read_test]
    if kinds and (read := kinds[-1].read_test):
        _refuse_beside(keys, *kinds)
        test_cases = read(name, keys, lambda: merge_defaults(read_parts(keys, None), defaults))
        yield from (replace(case, path=keys[kinds[-1].key].path) for case in test_cases)
        return
    known = len(problems := value.context.problems)
    choices = _read_variables(keys["each"], name) if "each" in keys else {}
    # After a mistake in `each`, braces are not replaced: the variables are not known.
    is_broken = len(problems) > known
    read_items: Sequence[tuple[Value, Fields]] = [(value, keys)]
    if (cases := keys.get("cases")) and isinstance(cases.node, Table) and entries(cases).keys().isdisjoint(CASE):
        files = _read_cases_of_files(cases, keys)
        choices, read_items = {**choices, "name": files or [Choice("", "")]}, read_items if files else []
    elif cases:
        read_items = each_of(lambda item: (item, fields(item, CASE)), "at least one case")(cases)
    for chosen in itertools.product(*choices.values()):
        variables = None if is_broken else {key: choice.text for key, choice in zip(choices, chosen, strict=True)}
        identity = f"{name}[{label}]" if (label := ",".join(choice.label for choice in chosen)) else name
        shared = reduce(lambda lower, choice: merge_parts(choice.parts, lower), chosen, read_parts(keys, variables))
        for number, (item, own) in enumerate(read_items, start=1):
            parts = {
                **merge_defaults(shared if own is keys else merge_parts(read_parts(own, variables), shared), defaults),
                "id": identity if own is keys else f"{identity}[{number}]",
                "path": item.path,
                "generated_numbers": tuple(choice.number for choice in chosen if choice.number),
            }
            leaves = number < len(read_items) and yaml.keyword(keys.get("in-order", item)) == "true"  # for the next
            written = _write_out(item, parts, is_whole=not leaves and keys.are_known and own.are_known)
            most -= len(written)
            yield from written
        if most < 0 and len(problems) == known:
            wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases, or draw fewer calls")
        if len(problems) > known:
            return


def _write_out(value: Value, parts: CaseParts, *, is_whole: bool) -> Sequence[Case]:
    """Return the cases of these parts; `is_whole` when all their keys were understood."""
    is_checked = bool(parts["expect"].keys() - {"crash"})
    with_key = [kind for kind in KINDS.values() if kind.has_payload]
    for kind in with_key:
        for key, message in kind.beside.items() if parts.get(kind.key) else ():
            if message and parts.get(key):
                wrong(value, message)
    for kind in with_key:
        parts = kind.complete(value, parts)
    payloads = (parts[kind.key] for kind in with_key if parts.get(kind.key) is not None)
    if is_whole and not is_checked and not any(getattr(payload, "checks", True) for payload in payloads):
        wrong(value, "this case checks nothing: say under expect what stdout, stderr, exit or files must be")
    written = [part for whole in write_out_generated(value, parts) for part in _parts_of_each(whole)]
    cases: list[Case] = []
    for own in map(dict, written):
        by_kind = {kind.name: payload for kind in with_key if (payload := own.pop(kind.key, None))}
        also = {name: by_kind.pop(name) for name in [*by_kind] if KINDS[name].runs == "watcher"}
        name, payload = next(iter(by_kind.items()), ("program", None))
        expect = own.pop("expect")
        screen, named = expect.get("screen"), expect.get("stdout") or expect.get("stderr")
        if screen and screen is not True and not named:
            wrong(value, "a screen is there in a dialogue only: name stdout or stderr")
        asked = model.Expectation(**{**expect, "screen": screen is True})
        cases.append(Case(**own, expect=asked, kind=name, payload=payload, also=also))
    return cases


def _parts_of_each(parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts for each of several payloads, which come with what each has to print, and with its path."""
    several = ((kind.key, parts[kind.key]) for kind in KINDS.values() if isinstance(parts.get(kind.key), tuple))
    key, payloads = next(several, ("", ()))
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, key: payload, "expect": {"stdout": stdout}}
        for number, (payload, stdout, path) in enumerate(payloads, start=1)
    ] or [parts]


def _read_variables(value: Value, test: str) -> Mapping[str, Sequence[Choice]]:
    variables: dict[str, Sequence[Choice]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(yaml.WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        if (numbers := read_variable(entry, test, name)) is not None:
            drawn = [Choice(text, f"{name}=#{at}", number) for at, (text, number) in enumerate(numbers.items(), 1)]
            variables[name] = drawn or [Choice("", "")]
            continue
        span = yaml.parse_range(yaml.keyword(entry) or "") or range(0)
        values = each_of(yaml.text)(entry) if isinstance(entry.node, Listing) else [*map(str, span[: MAX_CASES + 1])]
        if not values:
            unwanted(entry, "a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}")
        elif twice := [text for text, times in Counter(values).items() if text and times > 1]:
            wrong(entry, f"{in_quotes(twice[0])} is in this list more than once: keep one")
        variables[name] = [Choice(text, f"{name}={text}") for text in values or ("",)]
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return {}
    return variables


def _read_cases_of_files(value: Value, test: Fields) -> Sequence[Choice]:
    """Read `cases` that are made of files, by their names, each with its own parts; none after a mistake."""
    known = len(value.context.problems)
    keys = fields(value, "cases-of-files")
    expected = entries(test["expect"]) if "expect" in test and isinstance(test["expect"].node, Table) else {}
    variables = entries(test["each"]) if "each" in test else {}
    for key, place, remedy in (
        ("from", test.get("stdin"), "each file is the input of a case: take stdin out"),
        *(("from", test.get(kind.key), kind.beside["from"]) for kind in KINDS.values() if "from" in kind.beside),
        ("from", variables.get("name", (None,))[0], "name is a file's: rename it"),
        ("answers", expected.get("stdout", (None,))[0], "the answers are what stdout must be: keep one of the two"),
    ):
        if key in keys and place is not None:
            wrong(place, remedy)
    cases, answers = (_files_like(keys[key]) if key in keys else {} for key in ("from", "answers"))
    if answers and (lacking := [in_quotes(name) for case, name in cases.items() if case not in answers]):
        wrong(keys["answers"], f"there is no answer to {listed(lacking, most=3)}: every file of from needs one")
    elif cases and (alone := [in_quotes(name) for case, name in answers.items() if case not in cases]):
        wrong(keys["answers"], f"{listed(alone, most=3)}: the input to this is not there")
    choices = []
    for case, name in cases.items():
        expect = {"stdout": expect_file(keys["answers"], answers[case]), "screen": None} if case in answers else {}
        choices.append(Choice(case, case, parts={"stdin": yaml.attach_unread(keys["from"], name), "expect": expect}))
    return choices if len(value.context.problems) == known else []


def _files_like(value: Value) -> dict[str, str]:
    """Return the part that `*` stands for -> the name, of all such files of the course, in natural order."""
    pattern = yaml.inner_name(value)
    folder, _, last = pattern.rpartition("/")
    before, star, after = last.partition("*")
    if not star or "*" in f"{folder}{after}":
        unwanted(value, "a name with one * in its last part, such as tests/*.in")
        return {}
    root, start = value.context.root, f"{folder}/".removeprefix("/")
    listing = value.context.listings[folder] = yaml.names_inside(root, folder)
    names = [path.name for path in (root / folder).iterdir() if path.is_file()] if listing else []
    whole = re.compile(rf"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)
    cases = [match[1] for match in map(whole.fullmatch, names) if match]
    if not cases:
        alike = sorted({f"{start}*{Path(name).suffix}" for name in names if "." in name})
        hint = f"; there are: {', '.join(alike)}" if alike else ""
        wrong(value, f"there is no file {in_quotes(pattern)} in {root}{hint}")
    if strange := [case for case in cases if not case.isprintable()]:
        wrong(value, f"{in_quotes(strange[0])} is no name for a case: rename the file")
    cases.sort(key=lambda case: [int(p) if p.isascii() and p.isdigit() else p for p in re.split("([0-9]+)", case)])
    return {case: f"{start}{before}{case}{after}" for case in cases}
