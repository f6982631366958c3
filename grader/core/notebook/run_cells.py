"""Runs the cells of a notebook in the module that is made of it: in the sandbox, so with the standard library only.

Each cell is compiled under its own name, so that tracebacks of Python name the cell and its line.
"""

import builtins
import linecache
import sys
import traceback
import types
from collections.abc import Sequence
from typing import Any

_AWAIT_ANYWHERE = 0x2000  # `ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`: Jupyter lets `await` stand outside functions
_FUTURE_ANNOTATIONS = 0x1000000  # `from __future__ import annotations`, which holds in the cells below, too


def run_cells(names: dict[str, Any], notebook: str, cells: Sequence[tuple[int, str]], *, goes_on: bool) -> None:
    """Run the cells one after the other with the `names` of their module."""
    _add_jupyter_names(cells)
    is_program, is_imported = names["__name__"] == "__main__", names.get("__spec__") is not None
    if is_program:
        sys.excepthook = _show
    flags, first = _AWAIT_ANYWHERE, None
    for number, source in cells:
        file = f"{notebook}, cell {number}"
        linecache.cache[file] = (len(source), None, [f"{line}\n" for line in source.split("\n")], file)
        try:
            flags = _run(source, file, names, flags)
        except Exception as error:
            if not goes_on:
                raise
            first = first or error
            if is_program or is_imported:
                _show(type(error), error, error.__traceback__)
    if first is not None and is_program:
        sys.exit(1)
    if first is not None and not is_imported:  # what calls functions reports it, and goes on
        raise first


def _run(source: str, file: str, names: dict[str, Any], flags: int) -> int:
    """Run a cell, and return the flags for the next one."""
    code = compile(source, file, "exec", flags, dont_inherit=True)
    waiting = eval(code, names)  # noqa: S307 - that is what it is for
    if waiting is not None:
        __import__("asyncio").run(waiting)  # takes time to import, and few notebooks need it
    return flags | (int(code.co_flags) & _FUTURE_ANNOTATIONS)


def _show(kind: Any, error: Any, trace: Any) -> None:
    """Print an exception without the lines that run the cells."""
    while trace and ", cell " not in trace.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def _display(*values: object, **_options: object) -> None:
    for value in values:
        sys.stdout.write(f"{value!r}\n")


def _do_nothing(*_args: object, **_options: object) -> None:
    pass


class _Shell:
    """IPython's shell, which does nothing here, whatever it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return _idle_function(name)


# Modules of `google.colab` that ask a browser for something.
_COLAB_TOOLS = ("auth", "data_table", "drive", "files", "output", "patches", "userdata")


def _add_jupyter_names(cells: Sequence[tuple[int, str]]) -> None:
    vars(builtins).setdefault("display", _display)
    vars(builtins).setdefault("get_ipython", _Shell)
    display = _module(display=_display, clear_output=_do_nothing, __getattr__=_rich_kind)
    _add_where_missing("IPython", cells, display=display)
    _add_where_missing("google.colab", cells, **{name: _module(__getattr__=_idle_function) for name in _COLAB_TOOLS})


def _add_where_missing(package: str, cells: Sequence[tuple[int, str]], **modules: types.ModuleType) -> None:
    """Add a package with these modules, where a cell names it and it is not installed."""
    if not any(package in source for _, source in cells):
        return
    try:
        __import__(package)
    except ImportError:
        stand_in = _module(get_ipython=_Shell, __path__=[], **modules)
        sys.modules.update({package: stand_in, **{f"{package}.{name}": module for name, module in modules.items()}})
        parent, _, name = package.rpartition(".")
        if parent:
            setattr(sys.modules.setdefault(parent, _module(__path__=[])), name, stand_in)


def _module(**names: Any) -> types.ModuleType:
    module = types.ModuleType("stand-in")
    vars(module).update(names)
    return module


def _idle_function(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return _do_nothing


def _rich_kind(name: str) -> Any:
    """Return a class for `HTML`, `Image` and their like, which shows as it does in a text."""
    if name.startswith("_"):
        raise AttributeError(name)
    shown = f"<IPython.core.display.{name} object>"
    return type(name, (), {"__init__": _do_nothing, "__repr__": lambda _self: shown})
