"""The pages of `docs/reference/` that are made of the program itself: `python -m docs.generate` writes them anew.

What a page says is read from where the program reads it: the commands from click, the keys of specs from the tables
that `load` reads by, the deviations from the judge, which is asked. A test holds the written pages
against these functions.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.generate import command_line, deviations, keys

FOLDER = Path(__file__).parents[1] / "reference"

PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": command_line.written,
    "spec.md": keys.written,
    "deviations.md": deviations.written,
}
"""name -> what makes the page"""
