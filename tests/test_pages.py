"""Every command that a page shows is run, in a folder as the page says, and gives what is shown."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import click
import jsonschema
import pytest

from grader.check.runner import RULES
from grader.cli import cli
from grader.core.reader.language import make_schema
from tests.support import editors
from tests.support.layouts import LAYOUTS, ROOT
from tests.support.rows import read_data
from tests.support.shown_commands import CONSOLE, Page, Scene, blocks, read, run

PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "examples/ci/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
TUTORIAL = ROOT / "docs" / "tutorial" / "first-assignment.md"
"""has a test of its own"""

DATA = read_data(__file__)
NOT_RUN = DATA["NOT_RUN"]
"""why a block is not run, and how many there are: nothing else may be left out"""

_INLINE = re.compile(r"`(grader [^`]+)`", re.DOTALL)
_FENCED = re.compile(r"(?ms)^ *```.*?^ *```$")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def page(path: Path) -> Page:
    return read(path.read_text(encoding="utf-8"))


SCENES = [
    pytest.param(scene, id=f"{name_of(path)}-{number}")
    for path in PAGES
    if path != TUTORIAL
    for number, scene in enumerate(page(path).scenes, 1)
]


@pytest.mark.parametrize("scene", SCENES)
def test_commands_do_what_is_shown(scene: Scene, tmp_path: Path, cache_of_all: Path) -> None:
    told = run(scene, tmp_path, cache_of_all, LAYOUTS[scene.name])
    assert not told, "\n\n".join(told)


def test_little_is_not_run_and_it_is_known_why() -> None:
    assert Counter(reason for path in PAGES for reason in page(path).not_run) == NOT_RUN


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_stand_in_consoles_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for block in blocks(text):
        if block.language != CONSOLE and not block.title:
            assert block.language not in ("bash", "sh", "shell"), f"line {block.line}: make it a {CONSOLE}"
            assert not [line for line in block.lines if re.match(r"\$ |(grader|make) ", line)], f"line {block.line}"
    outside = _FENCED.sub("", text)
    assert not re.findall(r"(?m)^ {4,}(?:\$ |grader |make ).*", outside), "fence it"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_in_sentences_exist_with_their_options(path: Path) -> None:
    for text in _INLINE.findall(_FENCED.sub("", path.read_text(encoding="utf-8"))):
        _, name, *words = text.split()
        if name.startswith("-") or name.isupper():
            continue
        command = cli.get_command(click.Context(cli), name)
        assert command is not None, text
        known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | {"--help"}
        assert {word for word in words if word.startswith("--")} <= known, text


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", _FENCED.sub("", path.read_text(encoding="utf-8"))):
        assert re.match("https?:", target) or (path.parent / target).exists(), target


@cache
def parts_of_specs() -> jsonschema.Draft202012Validator:
    """Check what may be shown of a spec: all of it, some of its keys, some tests, some keys of these."""
    whole = make_schema()
    some = [{**table, "required": []} for table in (whole, *(whole["$defs"][name] for name in ("test", "functions")))]
    tests = {"type": "array", "items": {"$ref": "#/$defs/test"}}
    return jsonschema.Draft202012Validator({"anyOf": [*some, tests], "$defs": whole["$defs"]})


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_parts_of_specs_are_right(path: Path) -> None:
    for block in blocks(path.read_text(encoding="utf-8")):
        is_of_another = path.stem == "add-a-language" or block.title == "adjustments.yaml"
        is_spec = block.language == "yaml" and not is_of_another
        if is_spec and not any("run: grader" in line for line in block.lines):
            parts_of_specs().validate(editors.read("\n".join(block.lines)))


def test_every_rule_of_lint_is_told() -> None:
    told = (ROOT / "docs" / "how-to" / "check-a-spec.md").read_text(encoding="utf-8")
    assert not [rule for rule in RULES if f"`{rule}`" not in told]
