"""What is made of the program itself: `python -m docs.generate` writes it anew.

Each page is made from the program's own tables: commands from click, keys of specs from the reader's tables, deviations
from the judge. A test compares the written pages with these functions.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from click.shell_completion import BashComplete, FishComplete, ZshComplete

from docs.generate import command_line, deviations, keys, losses, manual, mistakes

ROOT = Path(__file__).parents[2]

PAGES: Mapping[str, Callable[[], str]] = {
    "docs/reference/cli.md": command_line.written,
    "docs/reference/spec.md": keys.written,
    "docs/reference/deviations.md": deviations.written,
    "docs/reference/import-losses.md": losses.written,
    "docs/reference/mistakes.md": mistakes.written,
    "share/man/man1/grader.1": manual.written,
}
"""path -> what makes the page"""

COMPLETIONS: Mapping[str, Callable[[], str]] = {
    "share/bash-completion/completions/grader": partial(manual.completion, BashComplete),
    "share/zsh/site-functions/_grader": partial(manual.completion, ZshComplete),
    "share/fish/vendor_completions.d/grader.fish": partial(manual.completion, FishComplete),
}
"""path -> what makes a shell complete; click's own, which may say it otherwise in another version"""
