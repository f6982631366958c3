"""Problem packages (Kattis, DOMjudge, ICPC) -> a spec.

Both forms of the format are read, `legacy` and the one with `test_group.yaml`. Samples become a visible test, secret
data hidden ones. The comparison of the default output validator is converted, with its arguments. A validator of the
package is kept as a validator, or as an interactor if it is interactive. Where a validator is several programs, the
problem's cases are ungraded until the instructor writes a check.

A problem accepts any language, an assignment one. So each language with submissions gets a spec; they share the data.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.core.errors import UsageError
from grader.core.model.stored_file import LazyBytes, content_of, content_pieces, size_of
from grader.core.text import listed, one_line, points
from grader.core.yaml.nodes import Node, entries_of
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, default_validator, identifier, text_or_word
from grader.imports.kattis_answers import answer_names, are_answers_handed_in, raw_submissions, with_answers
from grader.imports.kattis_graders import find_graders, scoring_of
from grader.imports.kattis_limits import (
    BUILD_LIMITS,
    TRIAL_LIMIT,
    TimeLimit,
    limits_of_a_run,
    measure_time_limit,
    time_limit_of,
)
from grader.imports.kattis_package import (
    DEFAULT_OPTIONS,
    Datum,
    Group,
    KattisOptions,
    Package,
    as_mapping,
    as_words,
    read_package,
    runs_of_repeated,
)
from grader.imports.kattis_points import read_groups
from grader.imports.kattis_programs import Programs, read_programs
from grader.imports.kattis_samples import sample_files
from grader.imports.kattis_validator import Judge, find_interactor, find_validator, score_files

_NOT_IMPORTED = {
    "problem_statement/": "the statement: write what students need under `about`",
    "statement/": "the statement: write what students need under `about`",
    "input_validators/": "the input validators",
    "input_format_validators/": "the input validators",
    "attachments/": "the attachments: hand them out",
    "static_validator/": "the static validator: nothing looks at the source files",
    "generators/": "the generators: what they made is carried over",
    "solution/": "the description of the solution",
    "data/invalid_": "inputs and outputs that are invalid: they try the validators",
    "data/valid_output/": "outputs that are valid: they try the validators",
    "input_visualizer/": "the programs that draw",
    "output_visualizer/": "the programs that draw",
    "submissions/expectations.yaml": "expectations.yaml, which the format does not know: say it in submissions.yaml",
}
_DATA_NOT_IMPORTED = {
    ".hint": "hints: a hint belongs to a test, so write one under `hint`",
    ".desc": "descriptions of inputs",
    ".interaction": "sample interactions",
}


def import_kattis(path: Path, name: str | None = None, options: KattisOptions = DEFAULT_OPTIONS) -> Imported:
    """Convert the problem package in a folder to a spec; its id is `name`, or else the name of the folder.

    Raises UsageError for what is no such package, or one that no spec can express; SpecError for YAML with mistakes.
    """
    package = read_package(path, options)
    found = identifier(name, package.path.name)
    limit = time_limit_of(package)
    if limit is None and options.measure:
        limit = measure_time_limit(package, _convert(package, found, TRIAL_LIMIT))
    return _convert(package, found, limit)


def _convert(package: Package, found: str, limit: TimeLimit | None) -> Imported:
    notes = [f"problem.yaml has {key} twice; the first is taken." for key in package.twice]
    has_answers = are_answers_handed_in(package)
    languages = [raw_submissions(package, notes)] if has_answers else read_programs(package, notes)
    labels = [one.label for programs in languages for one in programs.found]
    groups = read_groups(package, labels, notes)
    answers = _find_answers(package, f"data/{found}")
    if has_answers:
        languages = [with_answers(package, languages[0], groups, notes)]
        answers.handed_in = answer_names(groups)
    tests = listing([_group_as_test(package, group, answers) for group in groups])
    notes += _not_in_the_spec(package, languages, answers)
    limits = limits_of_a_run(package, limit, notes)
    reference = next((one.reference for one in languages if one.reference), None)
    if reference is None and not has_answers:
        notes.append("Reference: there is no accepted program in Python, so the answers of the package stand alone.")
    files = {f"reference/{found}/{inner}": content for inner, content in (reference or {}).items()}
    specs: dict[str, dict[str, Node]] = {}
    for programs in languages:
        own = f"{found}-{programs.form.suffix or programs.form.language}" if specs else found
        keys = _program_keys(package, programs, answers)
        if reference:
            keys["reference"] = text_or_word(f"python3 reference/{found}/main.py")
        specs[own] = {**_origin_keys(package, own), **keys, **limits, "tests": tests}
        files |= sample_files(
            programs, groups, f"sample_submissions/{own}", package, notes, has_limit=limit is not None
        )
    main, *others = specs
    notes += [] if has_answers else [_note_on_languages(dict(zip(others, languages[1:], strict=True)), languages[0])]
    return Imported(
        id=main,
        spec=specs[main],
        others={other: specs[other] for other in others},
        files={**answers.files, **files},
        origin=f"the problem package {package.path.name}",
        notes=notes,
    )


def _find_answers(package: Package, folder: str) -> "_Answers":
    """Choose the comparison of the answers, which will be stored in `folder`.

    Short answers are written into the spec if the language has the comparison. All others become files, and a check
    compares them as the default output validator does.
    """
    judge = find_interactor(package, folder)
    needs_one = package.has_validator or package.interaction
    validator = find_validator(package, folder) if needs_one and not judge else None
    return _Answers(folder=folder, judge=judge, validator=validator)


def _note_on_languages(others: Mapping[str, Programs], main: Programs) -> str:
    """Note which languages are converted, each to its own spec; `others` are the ids of the further specs."""
    if not others:
        return f"Language: the problem takes any; this takes {main.form.language}, in a file {main.form.main}."
    specs_text = listed([f"{name}.yaml for {programs.form.language}" for name, programs in others.items()], most=5)
    return f"Language: the problem takes any. There is a spec for each that it has programs in: {specs_text}."


def _origin_keys(package: Package, name: str) -> dict[str, Node]:
    """Return the keys for the title, the description and the source of the problem."""
    keys: dict[str, Node] = {"spec": plain("1"), "id": plain(name), "title": text_or_word(_problem_name(package, name))}
    problem = package.problem
    authors = problem.get("author") or as_mapping(problem.get("credits"))
    parts = [*_named_people(problem.get("source")), *_named_people(authors)]
    owners = _named_people(problem.get("rights_owner"))
    if problem.get("license", "unknown") != "unknown":
        parts.append(" ".join([f"license {problem['license']}", *owners]))
    if parts:
        keys["source"] = text_or_word(", ".join(parts))
    return keys


def _problem_name(package: Package, otherwise: str) -> str:
    """Return the problem's name, in English if possible; it may come from a LaTeX statement."""
    names = package.problem.get("name")
    title = (
        as_mapping(names).get("en") or next(iter(as_mapping(names).values()), "") if isinstance(names, dict) else names
    )
    if title:
        return str(title)
    for path in sorted(name for name in package.files if name.endswith(".tex")):
        match = re.search(rb"\\problemname\{([^{}\\$]+)\}", package.files[path])
        if match:
            return match[1].decode(errors="replace").strip()
    return otherwise


def _named_people(value: Any) -> list[str]:
    """Return the names of people or sources; the format allows a text, a mapping, or a list of them."""
    if isinstance(value, dict):
        return _named_people(value["name"]) if "name" in value else _named_people(value.get("authors"))
    if isinstance(value, list):
        return [name for item in value for name in _named_people(item)]
    return [str(value)] if value else []


def _program_keys(package: Package, programs: Programs, answers: "_Answers") -> dict[str, Node]:
    """Return the keys for building and starting programs."""
    form = programs.form
    names = [*dict.fromkeys(answers.handed_in.values())]
    files = {"optional": names} if names else {"required": [form.main]}
    if form.produces == ("*",):  # a program that may be there already
        files["optional"] = [form.program.removeprefix("./")]
    keys: dict[str, Node] = {
        "language": plain(form.language),
        "files": table({key: listing(map(text_or_word, some)) for key, some in files.items()}),
    }
    places = {inner: f"include/{form.language}/{inner}" for inner in programs.include}
    include = {inner: answers.file(place, programs.include[inner]) for inner, place in places.items()}
    if form.build:
        run = form.build_all if programs.has_several and form.build_all else form.build
        build = {"run": text_or_word(run)}
        if form.produces:
            build["produces"] = listing(map(text_or_word, form.produces))
        if include:
            build["with"] = table(include)
        limits = as_mapping(package.problem.get("limits"))
        asked = {ours: f"{limits[key]} {unit}" for key, (ours, unit) in BUILD_LIMITS.items() if key in limits}
        if asked:
            build["limits"] = table({key: plain(value) for key, value in asked.items()})
        keys["build"] = table(build)
    elif include:
        keys["defaults"] = table({"files": table(include)})
    keys["program"] = text_or_word(form.program)
    return keys


def _not_in_the_spec(package: Package, languages: Sequence[Programs], answers: "_Answers") -> Iterator[str]:
    """List the parts of the package that are not in the spec."""
    if package.has_validator and not (answers.judge or answers.validator):
        yield "The output validator: its cases are ungraded until validator.py beside the inputs does what it does."
    texts = {text for folder, text in _NOT_IMPORTED.items() if package.below(folder)}
    yield from (f"Left out: {text}." for text in sorted(texts))
    for ending, text in _DATA_NOT_IMPORTED.items():
        if any(name.startswith("data/") and name.endswith(ending) for name in package.files):
            yield f"Left out: {text}."
    if package.links:
        yield f"Links that lead to nothing inside the package are left out: {', '.join(sorted(package.links)[:5])}."
    if renamed := [f"{one_line(old)}: {new}" for new, old in package.renamed.items()]:
        yield f"Names that cannot be carried over are others here: {listed(renamed, most=5)}."
    if package.problem.get("languages", "all") != "all":
        yield f"The problem takes these languages only: {', '.join(as_words(package.problem['languages']))}."
    if any(programs.form.build for programs in languages):
        yield "Options of the compiler: they are ours; see `build`."


# ---------------------------------------------------------------- tests: what goes in, and what must come out

_SHORT_ANSWER = 2_000
"""bytes of an answer that is written into the spec"""
_ALL_SHORT_ANSWERS = 256 * 2**10
"""bytes of all those together"""
_SWITCHES = ("case_sensitive", "space_change_sensitive")
_TOLERANCE_FLAGS = {
    "float_tolerance": ("float_relative_tolerance", "float_absolute_tolerance"),
    "float_relative_tolerance": ("float_relative_tolerance",),
    "float_absolute_tolerance": ("float_absolute_tolerance",),
}
_VALIDATOR_TO_BE_WRITTEN = '''\
"""The output validator of the problem package, which is still to be written as a check: see output_validators there.

Until then every case that it would judge is ungraded, and nobody loses or gets points by it.
"""


def validate(output: bytes, *, input: str, answer: str, flags: str = "") -> None:
    """Hold an output against the files `input` and `answer` beside this one; raise grader.Wrong("why") when wrong."""
    raise NotImplementedError("the output validator of the package has to be written here")
'''


@dataclass(slots=True, kw_only=True)
class _Answers:
    """The inputs and answers, during their conversion to tests."""

    folder: str
    """`data/x`, which holds those that are files"""
    judge: Judge | None
    """an interactor of the package's"""
    validator: Judge | None
    """a validator of the package's that judges what was written"""
    files: dict[str, LazyBytes] = field(default_factory=dict)
    written: int = 0
    """bytes of answers in the spec so far"""
    handed_in: Mapping[str, str] = field(default_factory=dict)
    """the file that is handed in for an input, where no program is"""

    def file(self, name: str, content: LazyBytes) -> Node:
        """Add a file with this text; return its name in the spec."""
        self.files[f"{self.folder}/{name}"] = content
        return table({"file": text_or_word(f"{self.folder}/{name}")})


def _group_as_test(package: Package, group: Group, answers: _Answers) -> Node:
    is_sample = group.name == "sample"
    keys: dict[str, Node] = {
        "name": text_or_word(group.name),
        "about": text_or_word("The samples of the statement" if is_sample else "Further inputs"),
        "points": plain(points(group.points)),
    }
    if group.needs:
        keys["needs"] = listing(map(text_or_word, group.needs))
    if not is_sample:
        keys["visibility"] = plain("hidden")
    if group.all_or_nothing:
        keys["all_or_nothing"] = plain("true")
        if len(group.data) > 1 and not (package.is_scoring and score_files(package)):
            keys["stop"] = plain("first-failure")
    has_letters = any(_has_letters(datum.answer) for datum in group.data)
    runs = runs_of_repeated(group.data) if group.all_or_nothing else [(datum, 1) for datum in group.data]
    cases = [
        {**_datum_as_case(package, datum, answers, has_letters=has_letters), **_repeat_of(times)}
        for datum, times in runs
    ]
    shared = [case["tolerate"] for case in cases if "tolerate" in case]
    if len(shared) == len(cases):  # it is the same in all
        keys["tolerate"] = shared[0]
        for case in cases:
            del case["tolerate"]
    if answers.judge:
        answers.files.update(answers.judge.files)
        keys["interactor"] = table({"program": text_or_word(answers.judge.program), **_bounds_of(answers.judge)})
    if group.scoring:
        graders = find_graders(package, answers.folder, group.scoring)
        answers.files.update(graders.files)
        keys["scoring"] = scoring_of(group.scoring, group.points, graders.programs)
    keys["expect"] = table({"exit": plain("success")})
    keys["cases"] = listing(map(table, cases))
    return table(keys)


def _repeat_of(times: int) -> dict[str, Node]:
    return {"repeat": plain(str(times))} if times > 1 else {}


def _has_letters(answer: LazyBytes) -> bool:
    return any(piece.upper() != piece.lower() or not piece.isascii() for piece in content_pieces(answer))


def _bounds_of(judge: Judge) -> dict[str, Node]:
    bounds: dict[str, Node] = {"passes": plain(str(judge.passes))} if judge.passes > 1 else {}
    if judge.limits:
        bounds["limits"] = table({name: plain(limit) for name, limit in judge.limits.items()})
    return bounds


def _max_score_of(datum: Datum) -> dict[str, Node]:
    return {} if datum.max_score is None else {"max_score": plain(f"{float(datum.max_score):.12g}")}


def _interactor_of(datum: Datum, text: Node, answers: _Answers) -> Node:
    words = ["input", "answer", "feedback", *datum.flags]
    return table(
        {
            "args": listing([quoted(escaped(word)) for word in words]),
            "input": text,
            "answer": answers.file(f"{datum.name}.ans", datum.answer),
            **_max_score_of(datum),
        }
    )


def _datum_as_case(package: Package, datum: Datum, answers: _Answers, *, has_letters: bool) -> dict[str, Node]:
    keys: dict[str, Node] = {}
    if datum.name in answers.handed_in:
        keys["command"] = text_or_word(f"cat {answers.handed_in[datum.name]}")
    elif datum.args:
        keys["args"] = listing([quoted(escaped(word)) for word in datum.args])
    text = answers.file(f"{datum.name}.in", datum.input)
    if answers.judge:
        return {**keys, "interactor": _interactor_of(datum, text, answers)}
    keys["stdin"] = text
    if contents := datum.files.data:
        where = f"{datum.name}.files"
        keys["files"] = table({name: answers.file(f"{where}/{name}", contents[name]) for name in contents})
    how = {} if package.has_validator else _validator_arguments(datum)
    if answers.validator:
        answers.files.update(answers.validator.files)
        judge = {"validator": text_or_word(answers.validator.program), **_bounds_of(answers.validator)}
        if datum.flags:
            judge["args"] = listing([quoted(escaped(word)) for word in datum.flags])
        stdout: Node = table(
            {
                "check": table(
                    {**judge, "answer": answers.file(f"{datum.name}.ans", datum.answer), **_max_score_of(datum)}
                )
            }
        )
    elif package.has_validator:
        answers.file("validator.py", _VALIDATOR_TO_BE_WRITTEN.encode())
        answers.file(f"{datum.name}.ans", datum.answer)
        options = {"input": f"{datum.name}.in", "answer": f"{datum.name}.ans"}
        if datum.flags:
            options["flags"] = escaped(" ".join(datum.flags))
        check = quoted(f"{answers.folder}/validator.py:validate")
        stdout = table({"check": check, **{key: text_or_word(value) for key, value in options.items()}})
    else:
        stdout = _expected_output(datum, how, answers)
    keys["expect"] = table({"stdout": stdout})
    if has_letters and "check" not in entries_of(stdout) and "case_sensitive" not in how:
        keys["tolerate"] = table({"letter-case": plain("100%")})
    return keys


def _validator_arguments(datum: Datum) -> Mapping[str, str]:
    """Return the arguments of the default validator, name -> value; UsageError for unknown ones."""
    found: dict[str, str] = {}
    rest = list(datum.flags)
    while rest:
        word = rest.pop(0)
        if word in _SWITCHES:
            found[word] = "yes"
        elif word in _TOLERANCE_FLAGS and rest and _is_finite(rest[0]):
            value = rest.pop(0)
            found.update(dict.fromkeys(_TOLERANCE_FLAGS[word], value))
        else:
            raise UsageError(f"data/{datum.name}: the default output validator has no argument {word!r}")
    return found


def _is_finite(word: str) -> bool:
    try:
        return 0 <= float(word) < 1e30  # noqa: PLR2004 - finite
    except ValueError:
        return False


def _expected_output(datum: Datum, how: Mapping[str, str], answers: _Answers) -> Node:
    """Return a short answer as a text or as words, and a longer one as a check with a copy of the default validator."""
    text = _short_text(datum.answer, answers)
    if text is not None and all(flag in _SWITCHES for flag in how):
        answers.written += size_of(datum.answer)
        kind = "text" if "space_change_sensitive" in how else "tokens"
        return table({kind: quoted(escaped(text))})
    answers.file("default_validator.py", Path(default_validator.__file__).read_bytes())
    answers.file(f"{datum.name}.ans", datum.answer)
    return table(
        {
            "check": quoted(f"{answers.folder}/default_validator.py:compare"),
            "answer": text_or_word(f"{datum.name}.ans"),
            **{flag: quoted(value) for flag, value in how.items()},
        }
    )


def _short_text(answer: LazyBytes, answers: _Answers) -> str | None:
    """Return a short answer as text; None when it is too long or too hard to read in a spec."""
    if size_of(answer) > _SHORT_ANSWER or answers.written + size_of(answer) > _ALL_SHORT_ANSWERS:
        return None
    try:
        text = content_of(answer).decode()
    except UnicodeDecodeError:
        return None
    return text if text.replace("\n", "").isprintable() else None
