"""Cases as YAML: the keys that an instructor would write for a case that was read."""

from collections.abc import Callable

from msgspec.structs import asdict, replace

from grader.core.bounded_regex import lines_that_count
from grader.core.comparators import COMPARATORS
from grader.core.errors import CannotBeWrittenError, GraderError
from grader.core.kind import kind_of
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Expected, Leaf
from grader.core.pipeline import Course, reference_execution
from grader.core.reader.language import CASE, TYPES
from grader.core.yaml.nodes import Node, plain
from grader.core.yaml.types import node_of, write_fields

MAX_WRITTEN_BYTES = 256 * 2**10  # of a text


def reference_answer(case: Case, course: Course) -> Execution:
    """Return what the reference does in a case. Raises HostError when it fails."""
    if isinstance(answer := reference_execution(case, course), GraderError):
        raise answer
    return answer


def decode(data: bytes, what: str) -> str:
    """Return output as text. Raises CannotBeWrittenError when it is none, or far too long."""
    if len(data) > MAX_WRITTEN_BYTES:
        raise CannotBeWrittenError(f"{what} has {len(data) >> 10} KiB, too much to be written into a spec")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CannotBeWrittenError(f"{what} is no UTF-8") from None


def start_nodes(case: Case, content: Callable[[bytes], Node]) -> dict[str, Node]:
    """Write how a case starts, its input with `content`; not what also states what is expected, such as calls."""
    kind = kind_of(case)
    written = {
        "args": node_of(case.args) if kind.is_typed else None,
        "stdin": content(case.stdin) if case.stdin else None,
        "env": case.env,
        "files": {name: content(data) for name, data in case.files.items()},
        "terminal": None if case.both or case.terminal == kind.is_on_terminal else node_of(case.terminal),
        "run": "both" if case.both else None,
        "command": case.command,
    }
    own = kind.write([case]) if kind.is_typed else None
    return {**write_fields(written, CASE, TYPES), **(own or {})}


def expectation_node(expect: Expectation) -> Node:
    """Write what a program is compared with: `reference` where the reference is asked, any exit where nothing is."""
    streams = {name: stream for name, _, _, stream in expect.streams}
    written = {**asdict(expect), "stdout": None, "stderr": None, "screen": None, **streams}
    exits = written["exit"] if expect != Expectation() else plain("any")
    return TYPES["expectation-of-streams"].write({**written, "exit": exits})


def with_answer(case: Case, execution: Execution) -> Case:
    """Return the case with what the reference did; CannotBeWrittenError when a spec has no form for that."""
    expect, files, status = case.expect, case.expect.files, case.expect.exit
    if status == "reference":
        if execution.status is None:
            raise CannotBeWrittenError(f"the reference was ended by signal {execution.signal}")
        status = (execution.status,)
    contents = dict(files.contents) if files else {}
    for name in [name for name, asked in contents.items() if asked.asks_reference]:
        if name not in execution.files:
            raise CannotBeWrittenError(f"the reference leaves no file {name}")
        contents[name] = freeze_text(contents[name], execution.files[name], f"its file {name}") or contents[name]
    stdout = freeze_text(expect.stdout, execution.stdout, "its standard output")
    stderr = freeze_text(expect.stderr, execution.stderr, "its standard error")
    files = files and replace(files, contents=contents)
    expect = replace(expect, stdout=stdout, stderr=stderr, exit=status, files=files)
    return replace(case, payload=kind_of(case).freeze(case, execution, freeze_text), expect=expect)


def freeze_text(expected: Expected | None, output: bytes, what: str) -> Expected | None:
    """Return the expectation with the reference's output, called `what` in an error. Raises as `with_answer`."""
    if expected is None or not expected.asks_reference:
        return expected
    decode(output, what)

    def freeze(leaf: Leaf) -> Leaf:
        if any(name.startswith("expected") for name in leaf.options.takes):
            raise CannotBeWrittenError("its check asks what the reference does")
        comparator = COMPARATORS[leaf.how]
        is_whole = comparator.prescribes == "lines" and not leaf.part  # its lines are chosen when it is read
        chosen = output if is_whole else lines_that_count(output, only=leaf.only, skip=leaf.skip, part=leaf.part)
        return replace(leaf, want=comparator.freeze(chosen)) if leaf.asks_reference else leaf

    return expected.map_leaves(freeze)
