"""Cases as YAML: the nodes that an instructor would write for a case that was read."""

from collections.abc import Callable

from msgspec.structs import replace

from grader.core.bounded_regex import lines_that_count
from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import text_node, text_nodes
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Expected, ExpectedFiles, Leaf
from grader.core.reader.language import EXPECTED_FILES
from grader.core.yaml.nodes import Node, Table, entries_of
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, table
from grader.kinds import kind_of

_MAX_TEXT_BYTES = 256 * 2**10
"""of a text that is written into a spec"""

Content = Callable[[bytes], Node]
"""Writes what goes to a program: as a text, or as a file of the course"""


class CannotBeWrittenError(Exception):
    """Something has no form in a spec; the text says what."""


def decode(data: bytes, what: str) -> str:
    """Return output as text. Raises CannotBeWrittenError when it is none, or far too long."""
    if len(data) > _MAX_TEXT_BYTES:
        raise CannotBeWrittenError(f"{what} has {len(data) >> 10} KiB, too much to be written into a spec")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CannotBeWrittenError(f"{what} is no UTF-8") from None


def start_nodes(case: Case, content: Content) -> dict[str, Node]:
    """Write how a case starts and what surrounds it; not what also states what is expected, such as calls."""
    kind = kind_of(case)
    found: dict[str, Node] = {}
    if case.command is not None:
        found["command"] = text_nodes(case.command)
    if kind.is_typed:
        found["args"] = text_nodes(case.args)
    if case.stdin:
        found["stdin"] = content(case.stdin)
    if case.env:
        found["env"] = table({escaped(name): text_node(value) for name, value in case.env.items()})
    if case.files:
        found["files"] = table({escaped(name): content(data) for name, data in case.files.items()})
    if case.both:
        found["run"] = plain("both")
    elif case.terminal != kind.is_on_terminal:
        found["terminal"] = plain(str(case.terminal).lower())
    return found if kind.states_expectation else {**found, **kind.write_case(case)}


# ---------------------------------------------------------------- what is expected


def expectation_node(expect: Expectation) -> Node:
    """Write what a program is compared with; `reference` where the reference is asked."""
    found: dict[str, Node] = {}
    for name, _, _, stream in expect.streams:
        if stream is not None:
            found[name] = expected_node(stream)
    if expect.exit != "any":
        statuses = [expect.exit] if isinstance(expect.exit, str) else [str(status) for status in expect.exit]
        found["exit"] = plain(statuses[0]) if len(statuses) == 1 else listing(map(plain, statuses))
    if expect.crash != "fails":
        found["crash"] = plain(expect.crash)
    if expect.files is not None:
        found["files"] = _files_node(expect.files)
    return table(found)


def expected_node(stream: Expected) -> Node:
    """Write what a text is compared with."""
    return stream.fold(
        _leaf_node,
        any_of=lambda parts: table({"any": listing(parts)}),
        all_of=lambda parts: table({"all": listing(parts)}) if parts else plain("any"),
        none_of=lambda parts: table({"not": table({"any": listing(parts)}) if len(parts) > 1 else parts[0]}),
    )


def _leaf_node(leaf: Leaf) -> Node:
    try:
        node = COMPARATORS[leaf.how].write(leaf)
    except ValueError as error:
        raise CannotBeWrittenError(str(error)) from None
    patterns = {name: text_node(of) for name in ("only", "skip", "part") if (of := getattr(leaf, name))}
    if not patterns:
        return node
    compared = entries_of(node) if isinstance(node, Table) else {"text": node}
    return table({**compared, **patterns})


def _files_node(files: ExpectedFiles) -> Node:
    listed = {"present": files.present, "absent": files.absent}
    found: dict[str, Node] = {name: text_nodes(names) for name, names in listed.items() if names}
    nodes = {escaped(name): expected_node(content) for name, content in files.contents.items()}
    if same := {name: node for name, node in nodes.items() if name in EXPECTED_FILES or set(name) & {"*", "?"}}:
        found["same"] = table(same)  # beside it, such a name is a key or a pattern
    return table({**found, **{name: node for name, node in nodes.items() if name not in same}})


# ---------------------------------------------------------------- what the reference did, for the word `reference`


def with_answer(case: Case, execution: Execution) -> Case:
    """Return the case with the reference's `execution` in place of `reference`.

    Raises CannotBeWrittenError when a spec has no form for what it did.
    """
    payload = kind_of(case).freeze(case, execution)
    return replace(case, expect=_freeze_expectation(case.expect, execution), payload=payload)


def _freeze_expectation(expect: Expectation, execution: Execution) -> Expectation:
    files = expect.files
    if files is not None:
        contents = dict(files.contents)
        for name in (name for name, content in contents.items() if content.asks_reference):
            if name not in execution.files:
                raise CannotBeWrittenError(f"the reference leaves no file {name}")
            if frozen := freeze_text(contents[name], execution.files[name], f"its file {name}"):
                contents[name] = frozen
        files = replace(files, contents=contents)
    stdout = freeze_text(expect.stdout, execution.stdout, "its standard output")
    stderr = freeze_text(expect.stderr, execution.stderr, "its standard error")
    status = expect.exit
    if status == "reference":
        if execution.status is None:
            raise CannotBeWrittenError(f"the reference was ended by signal {execution.signal}")
        status = (execution.status,)
    return replace(expect, stdout=stdout, stderr=stderr, exit=status, files=files)


def freeze_text(expected: Expected | None, output: bytes, what: str) -> Expected | None:
    """Return the expectation with the reference's output, called `what` in an error, in place of `reference`.

    Raises CannotBeWrittenError when the output has no form in a spec.
    """
    if expected is None or not expected.asks_reference:
        return expected
    decode(output, what)

    def freeze(leaf: Leaf) -> Leaf:
        if any(name.startswith("expected") for name in leaf.options.takes):
            raise CannotBeWrittenError("its check asks what the reference does")
        comparator = COMPARATORS[leaf.how]
        is_whole = comparator.linewise and not leaf.part  # its lines are chosen when it is read
        chosen = output if is_whole else lines_that_count(output, only=leaf.only, skip=leaf.skip, part=leaf.part)
        try:
            return replace(leaf, want=comparator.freeze(chosen)) if leaf.asks_reference else leaf
        except ValueError as error:
            raise CannotBeWrittenError(str(error)) from None

    return expected.map_leaves(freeze)
