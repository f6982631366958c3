"""The manual page, `man grader`: what `--help` says, all commands on one page; and what completes them in a shell."""

import re
from collections.abc import Iterator

import click
from click.shell_completion import ShellComplete

from docs.generate.command_line import options, paragraphs, usage
from grader.cli import cli
from grader.core.model import VERSION

_MADE = r".\" Made by `python -m docs.generate` (`make golden`); a change here would be lost."
_SEE_ALSO = "The documentation in docs/ of the source: a tutorial, how-to pages, the keys of specs, explanations."


def written() -> str:
    """Return the page, in the macros of man(7)."""
    with click.Context(cli, info_name="grader", **cli.context_settings) as context:
        about, *others = paragraphs(cli)
        paragraphs_about, codes = others[:-1], others[-1][0]
        lines = [
            _MADE,
            f'.TH GRADER 1 "" "grader {VERSION}" "User Commands"',
            *(".SH NAME", rf"grader \- {_inert(_about(about[0]))}"),
            *(".SH SYNOPSIS", *_literally(usage(context))),
            *(".SH DESCRIPTION", _inert(about[0]), *_paragraph_lines(paragraphs_about), *_options(context)),
            ".SH COMMANDS",
        ]
        for name in cli.list_commands(context):
            if command := cli.get_command(context, name):
                lines += _command(click.Context(command, info_name=name, parent=context, **command.context_settings))
        lines += [".SH EXIT STATUS", *_exit_codes(codes), ".SH SEE ALSO", _inert(_SEE_ALSO)]
        return "\n".join(lines) + "\n"


def completion(shell: type[ShellComplete]) -> str:
    """Return what a shell reads to complete commands, options and files."""
    # Autoloaded from zsh's fpath, click's takes the second Tab for a `source`, and completes nothing.
    script = shell(cli, {}, "grader", "_GRADER_COMPLETE").source()
    return script.strip().replace("$zsh_eval_context[-1] == loadautofunc", "$funcstack[1] == _grader") + "\n"


def _about(sentence: str) -> str:
    """Return the sentence as a page is announced: one line, no capital, no full stop."""
    return sentence[0].lower() + " ".join(sentence[1:].split()).removesuffix(".")


def _command(context: click.Context) -> Iterator[str]:
    yield f".SS {_inert(context.command_path)}"
    yield from _literally(usage(context))
    yield from _paragraph_lines([*paragraphs(context.command)])
    yield from _options(context)


def _options(context: click.Context) -> Iterator[str]:
    for names, about in options(context):
        yield from (".TP", rf"\fB{_inert(names)}\fR", _inert(about))


def _paragraph_lines(some: list[tuple[str, bool]]) -> Iterator[str]:
    for text, is_verbatim in some:
        yield ".PP"
        yield from _literally(text) if is_verbatim else (_inert(text),)


def _literally(text: str) -> Iterator[str]:
    yield from (".nf", *(_inert(line) for line in text.splitlines()), ".fi")


def _exit_codes(text: str) -> Iterator[str]:
    for number, about in re.findall(r"(?m)^ +(\d+) +(.+)", text):
        yield from (".TP", rf"\fB{number}\fR", _inert(about))


def _inert(text: str) -> str:
    """Return text without anything that would be a request or an escape; code stays as it is typed."""
    marked = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    return re.sub(r"(?m)^(?=\.)", r"\&", marked)
