"""The command line: the only part that prints, and the only one that decides an exit code.

Commands that belong together share a module, and each has an entry in `COMMANDS`. Imports inside functions are for
start-up alone: neither `--help` nor another command needs what one command uses.
"""

import atexit
import gc
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any

_GARBAGE = 100_000
"""objects that are made before Python looks for circles among them: to import all of us makes fewer, and no circles"""
gc.set_threshold(_GARBAGE)

import click  # noqa: E402 - with fewer looks

from grader.core.errors import CourseProgramError, GraderError, GradingStoppedError, HostError, SpecError  # noqa: E402

COMMANDS = {
    "run": "submissions.run",
    "class": "classes.grade_folder",
    "lint": "specs.lint",
    "verify": "specs.verify",
    "new": "assignments.new",
    "record": "assignments.record",
    "handout": "assignments.handout",
    "watch": "submissions.watch",
    "import": "assignments.import_spec",
    "export": "export.export",
    "schema": "specs.print_schema",
    "diff": "results.diff_runs",
    "explain": "results.explain",
    "adjust": "results.adjust_grade",
    "merge": "results.merge",
    "doctor": "doctor.doctor",
}
"""a command's name -> its module here, and the `click` command in that"""

SENTENCES = {
    "run": "Grade submissions: folders, zip or tar.gz archives.",
    "class": "Grade a class: every folder and archive in a folder.",
    "lint": "Check specs: every mistake at once, and what to do about it.",
    "verify": "Verify a spec: its reference, samples, mutants and limits.",
    "new": "Write a new assignment: a spec, a reference, two samples.",
    "record": "Add cases to a spec from runs of its reference.",
    "handout": "Write what students may know of an assignment, as Markdown.",
    "watch": "Grade a submission again whenever it is saved.",
    "import": "Make a spec of another grader's files.",
    "export": "Export grades to gradebooks and platforms.",
    "schema": "Print the JSON Schema of specs, for editors.",
    "diff": "Compare two runs: whose grade changes, and why.",
    "explain": "Explain one grade: its points with their arithmetic.",
    "adjust": "Change a grade by hand, or comment on it.",
    "merge": "Put the shards of a class into one.",
    "doctor": "Tell what this machine has, what is missing, and how to get it.",
}
"""what a list of the commands says of each: asked for help, nobody should wait until all of them are imported"""

_BROKEN_PIPE, _INTERRUPTED = 1, 130
_HELP_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class _Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(".")
        command: click.Command = getattr(import_module(f"grader.cli.{module}"), name)
        command.context_settings.update(_HELP_SETTINGS)  # also for a context that has no parent
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        with formatter.section("Commands"):
            formatter.write_dl([*SENTENCES.items()])


def _describe_version(context: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked:
        from grader.core.model import VERSION

        click.echo(f"grader, version {VERSION}")
        context.exit()


@click.group(cls=_Commands, context_settings=_HELP_SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_describe_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Grade programs against an assignment's contract, and say in one sentence what is wrong.

    \b
    Exit codes:
      0    every submission has full marks; of a class: every one is graded
      1    graded, and somebody lost points
      2    wrong usage, or a spec with mistakes: nothing was run
      3    something is ungraded: we failed, not the student
      130  interrupted; what was finished is kept
    """  # noqa: D301 - click takes the control character as "keep these lines"


def main(leave: Callable[[int], object] = sys.exit) -> None:
    """Run the command line and exit with its code: with `leave`, if all went well and nothing is left to be said."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows no such character is no fault
    try:
        code = int(cli.main(standalone_mode=False) or 0)
        _flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt, GradingStoppedError):
        click.echo("grader: interrupted; what was finished is kept", err=True)
        code = _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; without this Python would complain once more while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _BROKEN_PIPE
    except (GraderError, OSError) as error:
        click.echo(str(error) if isinstance(error, SpecError) else f"grader: {error}", err=True)
        if isinstance(error, CourseProgramError) and error.said:
            click.echo(error.said, err=True)
        code = getattr(error, "exit_code", HostError.exit_code)
    else:
        leave(code)
    sys.exit(code)


def run_as_program() -> None:
    """Be the command `grader`: do what `main` does, and end this process."""
    main(_leave_at_once)


def _leave_at_once(code: int) -> None:
    """End the process when all that has to be done at the end is done, and do not free each object one by one.

    That takes Python longer than most programs run, and the system frees them all at once. As long as a thread has work
    to finish, Python has to wait for it, and nothing is done here.
    """
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        atexit._run_exitfuncs()  # noqa: SLF001 - Python calls it as its first step, too
        with suppress(OSError):
            _flush()
        os._exit(code)


def _flush() -> None:
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
