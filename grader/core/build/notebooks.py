"""Notebooks of a submission -> modules of Python, before anything else is built.

The cells are compiled in the sandbox first, which finds every cell that is no Python; none of them is run.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from grader.core.build.layout import matches
from grader.core.build.tree import TreeFile, write_file
from grader.core.errors import HostError
from grader.core.model.execution import Launch, Runner
from grader.core.model.layout import BuildResult, Finding, NotebookRules, Staged
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec
from grader.core.model.values import decode_json
from grader.core.notebook import (
    Cell,
    NotebookError,
    cell_file,
    is_notebook,
    module_name,
    place_text,
    read_cells,
    to_notebook,
)
from grader.core.text import count, listed, one_line, quote

# The kind of finding for lines taken out of a notebook, and for a file that its module replaces.
TAKEN_OUT = "notebook"
_SCRIPTS = Path(__file__).parents[1] / "notebook"
_MAX_NAMED, _MAX_NOTES, _MAX_LOG_LINES = 3, 12, 200
_NOTES = {
    "dropped": "is for Jupyter alone and was taken out",
    "shell": "is a command for the machine; it was taken out and not run",
    "left-out": "makes the whole cell something else than Python, so the cell was left out",
}
_MODULE = """\
# Made from {notebook}: it runs the cells of that notebook, one after the other.
(lambda own: (exec({runner}, own), own["run_cells"](globals(), {notebook}, {cells}, goes_on={goes_on})))(
    {{"__name__": "cells"}}
)
"""


class _Broken(Struct, frozen=True, array_like=True):
    """A cell that Python cannot read."""

    file: str
    line: int
    error: str
    text: str

    @property
    def sentence(self) -> str:
        shown = f" in {quote(self.text.encode(), most=60)}" if self.text else ""
        return f"{place_text(self.file, self.line)}: {one_line(self.error)}{shown}"


def build_modules(spec: Spec, staged: Staged, limits: Limits, target: Path, run: Runner) -> tuple[Staged, BuildResult]:
    """Copy staged work to the empty folder `target`, with a module for each notebook; a failure is the result."""
    rules = spec.notebook or NotebookRules()
    wanted = [name for name in (*spec.files.required_names, *spec.files.optional) if is_notebook(name)]
    cells: dict[str, tuple[Cell, ...]] = {}
    try:
        shutil.copytree(staged.folder, target, dirs_exist_ok=True)
        staged = msgspec.structs.replace(staged, folder=target)
        for path in sorted(target.rglob("*.ipynb")):
            name = path.relative_to(target).as_posix()
            if path.is_file() and any(matches(name, pattern) for pattern in wanted):
                cells[name] = read_cells(path.read_bytes())
    except NotebookError as error:
        return staged, BuildResult(ok=False, message=f"{one_line(name)}: {error}", is_readable=not error.is_damaged)
    except OSError as error:
        raise HostError(f"cannot copy the submission to {target}: {error.strerror}; is the disk full?") from error
    broken, problem = _compile(cells, limits, run)
    if folders := [module_name(name) for name in cells if (target / module_name(name)).is_dir()]:
        problem = f"a folder is in the way of {quote(folders[0])}, the module that is made of the notebook"
    if broken and not rules.leaves_out_broken:
        others = f"; {count(len(broken) - 1, 'more cell')} cannot be read either" if len(broken) > 1 else ""
        problem = problem or f"{broken[0].sentence}{others}"
    lines = [cell.sentence for cell in broken[:_MAX_LOG_LINES]] if len(broken) > 1 else []
    log = "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")
    if problem:
        return staged, BuildResult(ok=False, message=problem, log=log)
    replaced = [name for name in cells if (target / module_name(name)).exists()]
    notes = [f"{one_line(module_name(name))} was replaced by the module made of {one_line(name)}" for name in replaced]
    findings = tuple(Finding(kind=TAKEN_OUT, message=message) for message in (*_describe_notes(cells), *notes))
    unread = {cell.file for cell in broken}
    for name, own in cells.items():
        readable = [cell for cell in own if cell_file(name, cell.number) not in unread]
        if len(readable) < len(own):
            _write(target / name, to_notebook(readable))
        _write(target / module_name(name), _module_of(name, readable, rules))
    return staged, BuildResult(ok=True, findings=findings, log=log)


def _compile(cells: Mapping[str, Sequence[Cell]], limits: Limits, run: Runner) -> tuple[list[_Broken], str]:
    """Return the cells that are no Python; or why that is not known, in a sentence."""
    sources = [(cell_file(name, cell.number), cell.source) for name, own in cells.items() for cell in own]
    argv = ("python3", "-I", "-S", "-c", (_SCRIPTS / "check_cells.py").read_text())
    execution = run(Launch(argv=argv, stdin=json.dumps(sources).encode(), limits=limits))
    if execution.is_inconclusive:
        raise HostError("the machine was too busy to read the notebook; grade it again when fewer programs run")
    if execution.limit or execution.status:
        return [], "Python could not compile the cells: they are nested too deeply, or too large"
    try:
        return [decode_json(line, _Broken) for line in execution.stdout.splitlines()], ""
    except msgspec.DecodeError as error:
        raise HostError(f"the cells of a notebook could not be compiled: {error}") from error


def _describe_notes(cells: Mapping[str, Sequence[Cell]]) -> Iterator[str]:
    """Yield what was taken out of the notebooks, the same in several cells once."""
    places: dict[tuple[str, str], list[str]] = {}
    for name, note in ((name, note) for name, own in cells.items() for cell in own for note in cell.notes):
        place = place_text(cell_file(name, note.cell), note.line)
        places.setdefault((note.text, _NOTES[note.kind]), []).append(place)
    for (text, what), where in list(places.items())[:_MAX_NOTES]:
        yield f"{listed(where, most=_MAX_NAMED)}: {quote(text, most=60)} {what}"
    if len(places) > _MAX_NOTES:
        yield f"{len(places) - _MAX_NOTES} more kinds of lines were taken out"


def _module_of(name: str, cells: Sequence[Cell], rules: NotebookRules) -> bytes:
    """Return the module of a notebook."""
    return _MODULE.format(
        runner=ascii((_SCRIPTS / "run_cells.py").read_text()),
        notebook=ascii(Path(name).name),
        cells=ascii([(cell.number, cell.source) for cell in cells if cell.source.strip()]),
        goes_on=rules.after_error == "go-on",
    ).encode()


def _write(path: Path, content: bytes) -> None:
    """Write a file; it wins over one of that name. Raises HostError."""
    try:
        path.unlink(missing_ok=True)
        write_file(path, TreeFile(content=content))
    except OSError as error:
        raise HostError(f"cannot write {path}: {error.strerror}; is the disk full?") from error
