"""Moodle's Virtual Programming Lab (`vpl_evaluate.cases`, as `vpl_evaluate.cpp` reads it) -> a spec."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path, PurePosixPath

from grader.core.bounded_regex import fault_of
from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, identifier
from grader.imports.draft import Data, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import read_folder
from grader.imports.shell_lines import draft_start
from grader.imports.writer import to_imported

_CASES, _GRADE, _SECONDS, _ANY = "vpl_evaluate.cases", 10, 10, plain("any")
_BEGIN = {"case", "input", "output", "gradereduction"}  # a case; what is before the first one holds for all
_HINTS = {"failmessage": "default", "timeoutmessage": "timeout", "failexitcodemessage": "exit-status"}
_LINES = {"input", "output", "passmessage", "finalreportmessage", *_HINTS}  # statements of several lines
_UNSAID = {"passmessage", "finalreportmessage", "casetitleformat", "failmark", "passmark", "errormark", "timeoutmark"}
_ENDS = {"inputend", "outputend", "multilineend"}  # texts that end such a statement; the last only the next one
_OTHERS = {"programtorun", "programarguments", "expectedexitcode", "variation", "timelimit"}
_TAGS = _BEGIN | _LINES | _UNSAID | _OTHERS | _ENDS
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NO_WORD, _NO_NUMBER = r"[^a-z0-9\x80-\U0010ffff]", r"(?:(?![-+.]?\d).)"
_CLASSES = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s"}
_ERE = re.compile(r"\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\.|\$|.", re.DOTALL)
_STARTS: Mapping[str, tuple[Sequence[str], str]] = {  # ending -> what builds it, and what starts it
    ".py": ((), "python3 {}"),
    ".java": (("javac *.java",), "java {stem}"),
    ".c": (("gcc -o vpl_test *.c -lm",), "./vpl_test"),
    ".cpp": (("g++ -o vpl_test *.cpp",), "./vpl_test"),
    ".js": ((), "node {}"),
}


def import_vpl(path: Path, name: str | None = None) -> Imported:
    """Convert the execution files of an activity, or its `vpl_evaluate.cases`; UsageError for anything else."""
    folder = read_folder(path.parent, path.name) if path.is_file() else read_folder(path, _CASES)
    cases = _read_cases(folder.text(path.name if path.is_file() else _CASES), str(path))
    sources = [name for name in folder.files if PurePosixPath(name).suffix in _STARTS and not name.startswith("vpl_")]
    source = PurePosixPath(sources[0] if sources else "main.py")
    build, start = _STARTS[source.suffix]
    fields = draft_start(build, start.format(source.name, stem=source.stem).split(), _SECONDS)
    of_cases = [case.get("variation", [""])[-1].strip().lower() for case in cases]
    variations = list(dict.fromkeys(filter(None, of_cases)))
    drafts = []
    for variation in variations or [""]:
        chosen = [case for case, own in zip(cases, of_cases, strict=True) if own in ("", variation)]
        tests = [_draft_test(case, number, len(chosen), fields["program"]) for number, case in enumerate(chosen, 1)]
        rest = _GRADE - sum(Fraction(test.points or 0) for test in tests)
        details = {"variation": ", ".join(variations), "program": "" if sources else source.name}
        losses = losses_where({"afresh": True, **details})
        losses += [Loss(rule="given" if rest > 0 else "over", points=rest)] if rest else []
        tags = {tag for case in chosen for tag in case}
        losses += [Loss(rule="unsaid", detail=tag) for tag in sorted(_UNSAID & tags)]
        fields["id"] = identifier(None, f"{identifier(name, folder.path.name)} {variation}")
        drafts.append(Draft(format="vpl", origin=_CASES, tests=tests, points=_GRADE, losses=losses, **fields))
    return to_imported(replace(drafts[0], others=drafts[1:]))


def _read_cases(text: str, where: str) -> list[dict[str, list[str]]]:
    """Read the statements: one of several lines goes on to the next statement, or to the text that ends it."""
    cases: list[dict[str, list[list[str]]]] = [{}]  # what holds for all, and each case: the pieces of its statements
    state, ends = "", dict[str, str]()
    for number, line in enumerate(text.replace("\r", "").removesuffix("\n").split("\n"), 1):
        head, equals, value = line.partition("=")
        tag, value = re.sub("[^a-z]|(?<=fail )output", "", head.lower()) * bool(equals), value.removeprefix(" ")
        end = ends.get("multilineend") or ends.get(f"{state or tag}end") or "\n"
        before, ended, _ = (line if state else value).partition(end)
        if state and (end != "\n" or tag not in _TAGS):
            cases[-1][state][-1].append(before if ended else f"{line}\n")
            state, ends["multilineend"] = ("", "") if ended else (state, ends.get("multilineend", ""))
        elif tag not in _TAGS and line.strip() and not line.lstrip().startswith("#"):
            raise UsageError(f"{where}: line {number} is no statement of VPL; there no grade is given for such a file")
        elif tag in _ENDS:
            ends[tag] = value.strip()
        elif tag in _TAGS:
            cases += [dict(cases[0])] if tag == "case" or (tag in _BEGIN and not cases[1:]) else []
            cases[-1][tag] = [*cases[-1].get(tag, []), [before if ended else f"{value}\n"]]
            state = tag if tag in _LINES and not ended else ""
    if not cases[1:]:
        raise UsageError(f"{where} has no case; name the vpl_evaluate.cases of an activity")
    return [{tag: list(map("".join, values)) for tag, values in case.items()} for case in cases[1:]]


def _draft_test(case: Mapping[str, Sequence[str]], number: int, count: int, program: Sequence[str]) -> DraftTest:
    said = {tag: values[-1].strip() for tag, values in case.items() if tag not in ("input", "output")}
    hints = {_HINTS[tag]: text for tag, text in said.items() if tag in _HINTS and text}
    name = said.get("case") or f"Test {number}"
    status = re.match(r"(?:1?\d?\d|2[0-4]\d|25[0-5])\b", said.get("expectedexitcode", ""))
    words = ["".join(word) for word in re.findall(r"'([^']*)'|\"([^\"]*)\"|([^ ]+)", said.get("programarguments", ""))]
    command = [*([said["programtorun"]] if said.get("programtorun") else program), *words]
    reduced, outputs = said.get("gradereduction"), case.get("output", [])
    amount = re.match(r"\d+\.?\d*|\.\d+|", reduced or "")
    points = Fraction(amount[0] or 0 if amount else 0) * (Fraction(_GRADE, 100) if str(reduced).endswith("%") else 1)
    reason = ("nobody passes it without output", "", "output or exit status is enough")[bool(outputs) + bool(status)]
    expect: dict[str, Data] = {"crash": "allowed", "exit": int(status[0]) if status else None}
    if forms := [form for output in outputs for form in _forms(output, name)]:
        forms = [form for place, form in enumerate(forms) if form not in forms[:place]]
        expect["stdout"] = _ANY if _ANY in forms else forms[0] if len(forms) == 1 else {"any": forms}
    limits, stdin = {"time": f"{said['timelimit']} s"} if said.get("timelimit") else {}, "".join(case.get("input", []))
    run = DraftCase(command=command, stdin=stdin, expect=expect, limits=limits)
    return DraftTest(
        name=name,
        points=Fraction(_GRADE, count) if reduced is None else points,
        cases=OpenCheck(name=name, reason=reason, source="\n".join(outputs)) if reason else [run],
        keys={"hint": hints.get("default") if hints.keys() <= {"default"} else hints},
    )


def _forms(output: str, name: str) -> Iterator[Data]:
    """Yield what an `Output` accepts: exact text, a pattern, numbers, or words; with `*` at the end of the output."""
    numbers = (clean := output.strip()).replace("*", " ").split()
    if exact := re.fullmatch(r'(?s)(\*?)"(.*)"', clean):
        texts = [exact[2]] if exact[2].endswith("\n") or not exact[2] else [exact[2], f"{exact[2]}\n"]
        ending = re.escape(exact[2]).replace("\\\n", r"\n") + (r"\n?" if texts[1:] else "")
        yield from [{"regex": rf"{ending}\Z", "about": f"{one_line(exact[2])} at the end"}] if exact[1] else texts
    elif pattern := re.fullmatch(r"(?s)/(.+)/([im ]*)", clean):
        flags = "".join(sorted({*pattern[2].replace(" ", "")})) + ("" if "m" in pattern[2] else "s")
        translated = f"(?{flags}){_to_python(pattern[1], by_line='m' in pattern[2])}"
        fault = fault_of(translated)
        yield OpenCheck(name=name, reason=f"its pattern is invalid: {fault}") if fault else {"regex": translated}
    elif all(re.fullmatch(_NUMBER, number) for number in numbers):
        is_whole = all(re.fullmatch(r"[-+]?\d+", number) for number in numbers)
        patterns = [("-" if number[0] == "-" else r"\+?") + rf"0*{number.lstrip('+-')}(?!\.?\d)" for number in numbers]
        ending = rf"(?s)(?<![\d.+-]){f'{_NO_NUMBER}+'.join(patterns)}{_NO_NUMBER}*\Z"
        at_end = {"regex": ending, "about": f"the numbers {' '.join(numbers)} at the end"}
        unwritten = OpenCheck(name=name, reason="the last numbers are compared, with a tolerance", source=output)
        everywhere = {"numbers": [*map(plain, numbers)], "relative": None if is_whole else plain("1e-4")}
        yield everywhere if not clean.startswith("*") else _ANY if not numbers else at_end if is_whole else unwritten
    else:
        words = [re.escape(word) for word in re.split(f"(?i){_NO_WORD}+", clean) if word]
        ending = rf"(?ai)(?:\A|{_NO_WORD}){f'{_NO_WORD}+'.join(words)}{_NO_WORD}*\Z"
        yield {"regex": ending, "about": f"the words {' '.join(words)} at the end"} if words else _ANY


def _to_python(pattern: str, *, by_line: bool) -> str:
    """Translate an extended regular expression of POSIX."""

    def translate(match: re.Match[str]) -> str:
        if match[0][0] == "[" and match[0][1:]:  # in which a backslash is one
            return re.sub(r"\[:(\w+):\]", lambda named: _CLASSES.get(named[1], named[0]), match[0].replace("\\", r"\\"))
        return r"\Z" if match[0] == "$" and not by_line else match[0]

    return _ERE.sub(translate, pattern)
