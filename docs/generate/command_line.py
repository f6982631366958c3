"""The page of the commands: what `--help` says, of all of them."""

import inspect
from collections.abc import Iterator

import click

from docs.generate.words import code, page, plain, table
from grader.cli import cli

_VERBATIM = "\b\n"
"""how click marks a paragraph whose lines are not wrapped"""


def written() -> str:
    """Return the page."""
    with click.Context(cli, info_name="grader", **cli.context_settings) as context:
        names = cli.list_commands(context)
        commands = [command for name in names if (command := cli.get_command(context, name))]
        listed = table(
            ["command", "what it does"],
            [[f"[`grader {name}`](#grader-{name})", _first(one)] for name, one in zip(names, commands, strict=True)],
        )
        parts = [part for name, one in zip(names, commands, strict=True) for part in _command(context, name, one)]
        return page(
            "# Commands", "This is what `grader --help` and `grader COMMAND --help` say.", listed, *_help(cli), *parts
        )


def paragraphs(command: click.Command) -> Iterator[tuple[str, bool]]:
    """Iterate over the paragraphs of a command's help, each with whether its lines are verbatim."""
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield paragraph.removeprefix(_VERBATIM), paragraph.startswith(_VERBATIM)


def usage(context: click.Context) -> str:
    """Return how a command is called."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def options(context: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command: how each is written, and what it does."""
    params = [param for param in context.command.get_params(context) if isinstance(param, click.Option)]
    return [record for param in params if (record := param.get_help_record(context))]


def _first(command: click.Command) -> str:
    return plain(inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " "))


def _help(command: click.Command) -> Iterator[str]:
    for paragraph, is_verbatim in paragraphs(command):
        yield f"```text\n{paragraph}\n```" if is_verbatim else plain(paragraph)


def _command(parent: click.Context, name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield f"## grader {name}"
    yield f"`{usage(context)}`"
    yield from _help(command)
    yield table(["option", ""], [[code(names), plain(about)] for names, about in options(context)])
