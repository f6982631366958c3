"""The cases of a test, written out: once for every combination of its variables, and as their kinds have it."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from grader.core.kind import KINDS, CaseParts
from grader.core.model.spec import Case
from grader.core.reader.case_files import read_cases_of_files
from grader.core.reader.case_parts import lay_over, lay_over_defaults, read_parts
from grader.core.reader.expectation import make_expectation
from grader.core.reader.generated import write_out_generated
from grader.core.reader.language import CASE
from grader.core.reader.variables import MAX_CASES, Variables, read_variables
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Value, entries, fields, is_understood, items, unwanted, wrong


def write_out_cases(
    name: str, value: Value, found: Mapping[str, Value], defaults: CaseParts, most: int
) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    kinds = [kind for kind in KINDS.values() if kind.language.read_test and kind.key in found]
    for other in kinds[:-1]:
        wrong(found[other.key], f"{other.key} has no meaning beside {kinds[-1].key}: make a test of its own")
    if kinds and (read := kinds[-1].language.read_test):
        cases = read(name, found, lambda: lay_over_defaults(read_parts(found, None), defaults))
        yield from (replace(case, path=found[kinds[-1].key].path) for case in cases)
    else:
        yield from _write_out_each(name, value, found, defaults, most)


def _write_out_each(
    name: str, value: Value, found: Mapping[str, Value], defaults: CaseParts, most: int
) -> Iterator[Case]:
    problems = value.context.problems
    known = len(problems)
    variables = read_variables(found["each"], name) if "each" in found else Variables()
    # After a mistake in `each`, braces are not replaced: the variables are not known.
    is_broken = len(problems) > known
    inputs, listed = _read_cases(value, found)
    fillings = [
        {**filling, **of_file}
        for filling in variables.fillings
        for of_file in [{"name": case} for case in inputs] or [{}]
    ]
    if len(fillings) * len(listed) > most:
        wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases")
        return
    for filling in fillings:
        generated = variables.generated_in(filling)
        labels = {**filling, **{variable: label for variable, (label, _) in generated.items()}}
        label = ",".join(entry if inputs and key == "name" else f"{key}={entry}" for key, entry in labels.items())
        identity = f"{name}[{label}]" if label else name
        shared = read_parts(found, None if is_broken else filling)
        shared = lay_over(inputs[filling["name"]], shared) if inputs else shared
        for number, (item, own) in enumerate(listed, start=1):
            parts = shared if own is found else lay_over(read_parts(own, None if is_broken else filling), shared)
            parts = {
                **lay_over_defaults(parts, defaults),
                "id": identity if own is found else f"{identity}[{number}]",
                "path": item.path,
                "generated_numbers": tuple(each for _, each in generated.values()),
            }
            written = _write_out(item, parts, is_whole=is_understood(value, found) and is_understood(item, own))
            most -= len(written)
            yield from map(_make_case, written)
        if len(problems) > known:
            return
        if most < 0:
            wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each, or draw fewer calls")
            return


def _read_cases(
    value: Value, found: Mapping[str, Value]
) -> tuple[Mapping[str, CaseParts], Sequence[tuple[Value, Mapping[str, Value]]]]:
    """Return the parts of cases that are made of files, by name; and the written cases, or the test as one."""
    cases = found.get("cases")
    if cases is None:
        return {}, [(value, found)]
    if isinstance(cases.node, Table) and entries(cases).keys().isdisjoint(CASE):
        inputs = read_cases_of_files(cases, found)
        return inputs, [(value, found)] if inputs else []
    written = [(item, fields(item, CASE)) for item in items(cases)]
    if not written:
        unwanted(cases, "at least one case")
    return {}, written


def _write_out(value: Value, parts: CaseParts, *, is_whole: bool) -> Sequence[CaseParts]:
    """Return the parts of the cases that are made of one; `is_whole` when every key of it was understood."""
    is_checked = bool(parts["expect"].keys() - {"crash"})
    with_key = [kind for kind in KINDS.values() if kind.has_payload]
    for kind in with_key:
        for key, message in kind.keys.beside.items() if parts.get(kind.key) else ():
            if message and parts.get(key):
                wrong(value, message)
    for kind in with_key:
        parts = kind.language.complete(value, parts)
    asked = [kind for kind in with_key if parts.get(kind.key) is not None]
    if is_whole and not is_checked and not any(kind.language.checks(parts[kind.key]) for kind in asked):
        wrong(value, "this case checks nothing: say under expect what stdout, stderr, exit or files must be")
    written = write_out_generated(value, parts)
    for kind in KINDS.values():
        written = [made for one in written for made in kind.language.write_out(value, one)]
    return [{**one, "expect": make_expectation(value, one["expect"])} for one in written]


def _make_case(parts: CaseParts) -> Case:
    """Make a case of its parts; one of them determines its kind."""
    with_key = [kind for kind in KINDS.values() if kind.has_payload]
    kinds = [kind for kind in with_key if parts.get(kind.key)]
    own = next((kind for kind in kinds if kind.runs != "watcher"), None)
    keys = {kind.key for kind in with_key}
    return Case(
        **{key: part for key, part in parts.items() if key not in keys},
        kind=own.name if own else "program",
        payload=parts[own.key] if own else None,
        also={kind.name: parts[kind.key] for kind in kinds if kind.runs == "watcher"},
    )
