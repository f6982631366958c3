"""What only IPython reads is taken out of a cell; whatever Python reads stays as it is, on its line."""

import time

import pytest

from grader.core.notebook import read_cells, to_linear_source, to_place
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
        ("a, b = %time 1", "a, b = None", ["dropped"]),
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
    ],
)
def test_python_stays_as_it_is(source: str) -> None:
    (cell,) = read_cells(notebook(source))
    assert (cell.source, cell.notes) == (source, ())


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
