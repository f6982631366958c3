"""Problems of which the answers are handed in (`submit-answer`): a file for each input, and no program.

The format does not say what such files are called. Here they have the names of the inputs, with `.out`: `1.out`, or
`secret-1.out` where several inputs share a name. In a package they may end with `.ans` and lie in the folders of the
inputs. Whoever hands in no file for an input loses that case alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from grader.core.model.stored_file import content_of
from grader.core.text import listed
from grader.imports.kattis_package import Datum, Files, Group, Package, as_words
from grader.imports.kattis_programs import Label, LabelledProgram, ProgramForm, Programs, read_labelled

ANSWERS_FORM = ProgramForm("shell", (), "", "cat")
"""of what is handed in: `cat` writes a file, which is then compared as what a program writes"""
_ENDINGS = (".out", ".ans", ".txt")
_KNOWN = "accepted/package-answers"


def are_answers_handed_in(package: Package) -> bool:
    """Whether answers are handed in, instead of a program."""
    return "submit-answer" in as_words(package.problem.get("type"))


def raw_submissions(package: Package, notes: list[str]) -> Programs:
    """Return the submissions as they are in the package, of any language."""
    return Programs(form=ANSWERS_FORM, found=read_labelled(package, notes), include={}, has_several=False)


def answer_names(groups: Sequence[Group]) -> Mapping[str, str]:
    """Return the file that is handed in for each input, by the name of the input."""
    names = [datum.name for group in groups for datum in group.data]
    short = {name: name.rpartition("/")[2] for name in names}
    is_unique = len({*short.values()}) == len({*names})
    return {name: f"{short[name] if is_unique else name.replace('/', '-')}.out" for name in names}


def with_answers(package: Package, programs: Programs, groups: Sequence[Group], notes: list[str]) -> Programs:
    """Return the submissions that are answers, under the names that are asked for; adds the others to `notes`.

    The answers of the package itself are one more, where the default output validator compares with them.
    """
    names = answer_names(groups)
    found = [replace(one, files=files) for one in programs.found if (files := _answers_in(one.files, names))]
    if left := sorted({one.name for one in programs.found} - {one.name for one in found}):
        notes.append(f"Submissions that are no answers are left out; hand in what they write: {listed(left, most=5)}.")
    if not package.has_validator:
        data: dict[str, Datum] = {datum.name: datum for group in groups for datum in group.data}
        known = {file: content_of(data[name].answer) for name, file in names.items()}
        label = Label(results=frozenset({"accepted"}))
        found.append(LabelledProgram(name=_KNOWN, files=known, label=label))
    notes.append(f"Answers: a file for each input is handed in: {listed(list(dict.fromkeys(names.values())), most=5)}.")
    return replace(programs, found=found)


def _answers_in(files: Files, names: Mapping[str, str]) -> Files:
    """Return those of the files that answer an input, under the name that is asked for."""
    found: dict[str, bytes] = {}
    for name, wanted in names.items():
        stems = (name, name.rpartition("/")[2], wanted.removesuffix(".out"))
        own = [one for one in files if PurePosixPath(one).suffix in _ENDINGS and _stem(one) in stems]
        if own:
            # An answer in the folder of its input is no answer for one of the same name in another.
            found[wanted] = files[min(own, key=lambda one: _stem(one) != name)]
    return found


def _stem(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))
