"""`style` of a test, which is its one case: a tool that examines the source, and the cost of its findings."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import get_args

from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.kind import CaseParts
from grader.core.model.spec import Case
from grader.core.plugins import STYLE_GROUP, load_plugin, plugin_names
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, entries_of
from grader.core.yaml.types import read_found, refuse
from grader.core.yaml.value import Fields, Value, attach, each_of, fields, in_quotes, suggestion, text, wrong
from grader.kinds.sources import NOTEBOOK_SOURCES
from grader.kinds.style.model import STYLE_TOOLS, FindingFormat, StyleCheck, StyleTool

_NO_TOOL = StyleTool(name="", command=(), format="lines")


def read_test(name: str, test_keys: Fields, _read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Yield the one case of a test with `style`."""
    value = test_keys["style"]
    keys, test = fields(value, "style-test"), read_found(test_keys, ["points", "all_or_nothing"])
    read = read_found(keys)
    form, rules = read.pop("format", "sarif"), {key: read.pop(key, ()) for key in ("select", "ignore")}
    tool = _read_tool(keys["run"], keys, form) if "run" in keys else _NO_TOOL
    heeds_comments = read.pop("suppress") == "allowed"
    options, config = _read_config(tool, keys, read.pop("config", ""))
    for key, option in (("select", tool.select), ("ignore", tool.ignore)):
        if key in keys and not option and _is_known(tool):
            wrong(keys[key], f"{tool.name} has no option for this: say it in its config")
        elif option and rules[key]:
            options = (*options, option.replace("{rules}", ",".join(rules[key])))
    if value.context.has_notebooks and ".py" in tool.endings:
        read = {"files": NOTEBOOK_SOURCES, **read}
    options = options if heeds_comments else (*options, *tool.deaf)
    check = StyleCheck(
        tool=tool, options=options, config=config, heeds_comments=heeds_comments, points=test["points"], **read
    )
    if "costs" in keys:
        _check_costs(check, keys, is_all_or_nothing=test["all_or_nothing"])
    yield Case(id=name, kind="style", payload=check)


def attached_files(node: Node) -> Sequence[str]:
    """Return the file of the course that is the `config` of a tool; other words name a style."""
    config = entries_of(entries_of(node).get("style")).get("config")
    return (config.text,) if isinstance(config, Scalar) and ("." in config.text or "/" in config.text) else ()


def _is_known(tool: StyleTool) -> bool:
    return tool.name in STYLE_TOOLS or bool(tool.package)


def _read_tool(value: Value, keys: Fields, form: FindingFormat) -> StyleTool:
    """Return the tool of the table, one of an installed package, or one that the course starts."""
    if not isinstance(value.node, Listing):
        name = text(value)
        if "format" in keys:
            wrong(keys["format"], f"what {name} writes is known: take format out")
        try:
            plugin = None if name in STYLE_TOOLS else load_plugin(STYLE_GROUP, name, StyleTool)
        except UsageError as error:
            wrong(value, str(error))
            return _NO_TOOL
        if name not in STYLE_TOOLS and not plugin:
            known = suggestion(name, {**STYLE_TOOLS, **plugin_names(STYLE_GROUP)})
            wrong(value, f"unknown tool {in_quotes(name)} (of another one, write the command as a list){known}")
        return replace(plugin.value, name=name, package=plugin.package) if plugin else STYLE_TOOLS.get(name, _NO_TOOL)
    command = each_of(text)(value)
    if not command or not re.fullmatch(r"[\w.+][\w.+-]*", command[0]) or any("\0" in word for word in command):
        yaml.unwanted(value, "the command of an installed program, such as [cppcheck, --template=gcc]")
        return _NO_TOOL
    if "format" not in keys:
        wrong(value, f"how does {command[0]} write its findings? Say format: {joined(get_args(FindingFormat), 'or')}")
    if "files" not in keys:
        wrong(value, f"which files is {command[0]} for? Name them under files")
    why = f"{{}} is for tools that are known here: give {command[0]} its own option, in run"
    refuse(keys, ("select", "ignore", "config", "suppress"), why)
    return StyleTool(name=command[0], command=command, format=form, alone=())


def _read_config(tool: StyleTool, keys: Fields, name: str) -> tuple[tuple[str, ...], Mapping[str, bytes]]:
    """Return the options that give a tool its rules, and the file of the course in which they are."""
    if "config" not in keys:
        if tool.alone is None and "run" in keys:
            brought = f", or {joined(tuple(tool.brought), 'or')}" if tool.brought else ""
            wrong(keys["run"], f"{tool.name} has no rules of its own: name a file with them under config{brought}")
        return tool.alone or (), {}
    value, files, given = keys["config"], dict[str, bytes](), tool.brought.get(name)
    if given is None and _is_known(tool) and not tool.config:
        wrong(value, f"{tool.name} takes no file with rules: name them under select or ignore")
    elif given is None and tool.brought and "/" not in name and "." not in name:
        wrong(value, f"{tool.name} brings no rules {in_quotes(name)}{suggestion(name, tool.brought)}")
    elif given is None:
        base = PurePosixPath(name).name
        given, files = tool.file.replace("{file}", base), {base: attach(value, yaml.inner_name(value))}
    return tuple(word.replace("{config}", given or "") for word in tool.config), files


def _check_costs(check: StyleCheck, keys: Fields, *, is_all_or_nothing: bool) -> None:
    """Note costs without effect, or without sense."""
    if not check.costs:
        wrong(keys["costs"], "findings that cost nothing are no test: to tell them only, give the test points: 0")
    elif not check.points:
        wrong(keys["costs"], "this test has 0 points, of which nothing can be taken: take costs out")
    elif is_all_or_nothing:
        wrong(keys["costs"], "with all_or_nothing the first of these findings costs all points: take costs out")
    elif check.at_most is not None and not 0 < check.at_most < check.points:
        wrong(keys["at-most"], "wanted less than the points of the test, and more than 0: else it has no effect")
