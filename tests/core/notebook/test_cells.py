"""What only IPython reads is taken out of a cell; whatever Python reads stays as it is, on its line."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from grader.core.model.layout import FileRules
from grader.core.model.spec import Spec
from grader.core.notebook import read_cells, to_linear_source, to_place
from grader.review.sources import read_source
from tests.support.notebooks import notebook


@pytest.mark.parametrize(
    ("source", "read", "kinds"),
    [
        ("%matplotlib inline\nx = 1", "\nx = 1", ["dropped"]),
        ("!pip install numpy", "", ["shell"]),
        ("pip install numpy\nx = 1", "\nx = 1", ["shell"]),
        ("%pip install numpy", "", ["shell"]),
        ("!pip install \\\n  numpy\nx = 1", "\n\nx = 1", ["shell"]),
        ("if True:\n    %load_ext autoreload\n    x = 1", "if True:\n    pass\n    x = 1", ["dropped"]),
        ("?print\nprint?\nx.y??", "\n\n", ["dropped"] * 3),
        ("files = !ls\nfiles", "files = []\nfiles", ["shell"]),
        ("a, b = %time f(1)", "a, b = f(1)", ["dropped"]),
        ("a = %timeit -o f(1)", "a = None", ["dropped"]),
        ("cat data.csv", "", ["shell"]),
        ("\n  ls -l ~/data\n", "\n\n", ["shell"]),
        ("cd ..", "", ["shell"]),
        ("matplotlib inline", "", ["dropped"]),
        ("time f(3)", "f(3)", ["dropped"]),
        ("who # is here", "", ["dropped"]),
        ("%time x = f(1)", "x = f(1)", ["dropped"]),
        ("%%time\nx = 1", "\nx = 1", ["dropped"]),
        ("\n%%time\nx = 1", "\n\nx = 1", ["dropped"]),
        ("%%bash\nrm -rf ~", "", ["left-out"]),
        ("%%html\n<b>x</b>", "", ["left-out"]),
        ("%%writefile a.py\nx = 1", "", ["left-out"]),
    ],
)
def test_what_only_ipython_reads_is_taken_out(source: str, read: str, kinds: list[str]) -> None:
    (cell,) = read_cells(notebook(source))
    assert (cell.source, [note.kind for note in cell.notes]) == (read, kinds)


@pytest.mark.parametrize(
    "source",
    [
        'print("""\n%d of %d\n!important\n?\n""" % (1, 2))',
        "x = (7\n% 3)",
        "x = 7 \\\n% 3",
        "text = '100%'\nnot_it = 1 != 2",
        "s = 'it\\'s'\nt = \"#\"\nu = '''\n%time\n'''",
        "# %matplotlib inline\n# why?",
        "d = {\n'a': 1,\n}\nf(d)",
        "r'\\'\nx = r'''\\'''",
        "install = 1",
        "x = 5 % 3",
        "cat data.csv\nx = 1",  # two lines are Python for IPython too, and an error
        "time = 3",
        "time.sleep(1)",
        "reset()",
        "save (x)",
        "ls in x",
        "history[0]",
        "cd - x",
        "x = 1\n    y = 2",
    ],
)
def test_python_stays_as_it_is(source: str) -> None:
    (cell,) = read_cells(notebook(source))
    assert (cell.source, cell.notes) == (source, ())


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("  x = 1\n  y = 2", "x = 1\ny = 2"),
        ("\n\tif x:\n\t\ty()\n\n\tz()", "\nif x:\n\ty()\n\nz()"),
        ("  # why\n  x = 1", "# why\nx = 1"),
        ("   \n   x = 1", "\nx = 1"),
        ("    x = 1\ny = 2", "x = 1\ny = 2"),  # IPython 7 and 8 read this, and 9 does not
        (">>> def f():\n...     return 1\n...\n>>> f()", "def f():\n    return 1\n\nf()"),
        ("x = 1\n>>> y = 2", "x = 1\ny = 2"),
        ("  %time x = 1", "x = 1"),
    ],
)
def test_indentation_of_a_whole_cell_and_prompts_are_taken_away_as_jupyter_does(source: str, read: str) -> None:
    (cell,) = read_cells(notebook(source))
    assert cell.source == read


@pytest.mark.parametrize("piece", ["'", '"""', "(", "a ", " " * 9, "\\", "%", "x=", "a?", "!\n", "%a\n", "'''\n"])
def test_reading_is_linear_whatever_stands_there(piece: str) -> None:
    source = "%x\n" + piece * (300_000 // len(piece))
    started = time.process_time()
    read_cells(notebook(source))
    assert time.process_time() - started < 20


def test_a_line_of_all_cells_is_known_by_its_cell() -> None:
    cells = read_cells(notebook("a = 1\nb = 2\n\n\n", {"cell_type": "markdown", "source": "x"}, "# %% cell 9\nc = 3"))
    source = to_linear_source(cells)
    lines = source.decode().split("\n")
    found = {text: to_place("w.ipynb", source, number) for number, text in enumerate(lines, 1)}
    assert found["b = 2"] == ("w.ipynb, cell 1", 2)
    assert found["c = 3"] == ("w.ipynb, cell 2", 2)
    assert to_place("w.py", source, 3) == ("w.py", 3)


def test_who_reviews_a_notebook_reads_its_cells(tmp_path: Path) -> None:
    (tmp_path / "hw.ipynb").write_bytes(notebook("a = 1", {"cell_type": "markdown", "source": "x"}, "b = 2\nc = 3"))
    (tmp_path / "odd.ipynb").write_bytes(b"{")
    spec = SimpleNamespace(files=FileRules(), build=None)
    found = read_source(tmp_path, cast("Spec", spec), "")
    assert [(one.name, one.lines) for one in found.files] == [
        ("hw.ipynb, cell 1", ("a = 1",)),
        ("hw.ipynb, cell 2", ("b = 2", "c = 3")),
        ("odd.ipynb", ("{",)),
    ]
