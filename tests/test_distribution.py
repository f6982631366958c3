"""The distribution has a name of its own: `grader` on the package index is somebody else's."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_what_is_installed_is_called_fairgrader() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (project["name"], project["scripts"]) == ("fairgrader", {"grader": "grader.cli:main"})


def test_no_text_says_to_install_what_is_somebody_else_s() -> None:
    places = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile", "docs", "examples", "grader")]
    files = [path for place in places for path in (place, *place.rglob("*")) if path.is_file()]
    for path in files:
        if path.suffix in {".md", ".py", ".yml", ".yaml", ".sh", ""}:
            said = re.findall(r"(?:pip|pipx|uv)\s+install\s[^\n`]*", path.read_text(errors="replace"))
            wrong = [line for line in said if re.search(r"""(?:^|[\s'"])grader(?:\[\w+\])?(?:[\s'"=<>~]|$)""", line)]
            assert not wrong, f"{path}: {wrong}"
