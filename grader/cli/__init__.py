"""The command line: the only part that prints and that decides exit codes.

A command is a named tuple: its fields are its parameters, its docstring the help, its method `_run` the work. Related
commands share a module, and each has an entry in `COMMANDS`. Imports are inside functions to keep start-up fast:
neither `--help` nor another command needs them.
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
from types import ModuleType
from typing import Any

gc.set_threshold(100_000)  # allocated objects: importing all of grader makes fewer, and no cycles
# Seconds after which a thread that computes lets another in: while one imports, others serve a sandbox or a program.
sys.setswitchinterval(0.0005)


def _clean_docstring(text: str) -> str:
    first, *lines = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join([first.lstrip(), *(line[margin:] for line in lines)]).strip("\n")


def _find_in_inspect(name: str) -> Any:
    if sys.modules.get("inspect") is _stand_in:
        sys.modules.pop("inspect", None)  # another thread may be faster
    return getattr(import_module("inspect"), name)


# What click needs of `inspect` at each start; the rest is imported when asked for, as it takes as long as click.
_stand_in = ModuleType("inspect")
vars(_stand_in).update(cleandoc=_clean_docstring, __getattr__=_find_in_inspect)
sys.modules.setdefault("inspect", _stand_in)

import click  # noqa: E402 - with fewer looks

if sys.modules.get("inspect") is _stand_in:
    sys.modules.pop("inspect", None)

from grader.core.errors import CourseProgramError, GraderError, GradingStoppedError, HostError, SpecError  # noqa: E402
from grader.core.model import VERSION  # noqa: E402

COMMANDS = {
    "run": ("submissions", "Grade submissions: folders, zip or tar.gz archives."),
    "class": ("classes", "Grade a class: every folder and archive in a folder."),
    "course": ("results", "Show all assignments of a course side by side."),
    "lint": ("specs", "Check specs: every mistake at once, and what to do about it."),
    "verify": ("specs", "Verify a spec: its reference, samples, mutants and limits."),
    "new": ("assignments", "Write a new assignment: a spec, a reference, two samples."),
    "record": ("assignments", "Add cases to a spec from runs of its reference."),
    "handout": ("assignments", "Write what students may know of an assignment, as Markdown."),
    "watch": ("development", "Grade a submission again whenever it is saved."),
    "pytest": ("development", "Run a spec as tests of pytest: each case an item."),
    "import": ("formats", "Make a spec of another grader's files."),
    "export": ("formats", "Export grades to gradebooks and platforms."),
    "schema": ("specs", "Print the JSON Schema of specs, for editors."),
    "packages": ("specs", "Install the Python packages that specs require."),
    "diff": ("results", "Compare two runs: whose grade changes, and why."),
    "explain": ("results", "Explain one grade: its points with their arithmetic."),
    "adjust": ("results", "Change a grade by hand, or comment on it."),
    "review": ("results", "Look through a class in a browser, and decide by hand."),
    "merge": ("results", "Merge the shards of a class."),
    "doctor": ("specs", "Show what this machine has, what is missing, and how to get it."),
}
"""a command's name -> its module here, with a record called `NameCommand`, and its line in the help, which is shown
without importing it"""

_BROKEN_PIPE, _INTERRUPTED = 1, 130
_HELP_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        record = getattr(import_module(f"grader.cli.{COMMANDS[cmd_name][0]}"), f"{cmd_name.capitalize()}Command")
        params = [declare(name, record.__annotations__[name]) for name, declare in record._field_defaults.items()]
        return click.Command(
            record.__name__,
            params=params,
            callback=lambda **given: record(**given)._run(),  # noqa: SLF001 - a public name would need a docstring
            help=record.__doc__,
            context_settings=_HELP_SETTINGS
            | {"ignore_unknown_options": any(param.type is click.UNPROCESSED for param in params)},
        )

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one was probably meant."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            meant = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings=_HELP_SETTINGS)
@click.version_option(VERSION, prog_name="grader")
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
    from grader.cli.shared import reset_signals

    reset_signals()


def main(leave: Callable[[int], object] = sys.exit) -> None:
    """Run the command line and exit with its code; `leave` is called with it first if no error occurred."""
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without some character is no error
    try:
        code = int(cli.main(standalone_mode=False) or 0)
        _flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt, GradingStoppedError):
        from grader.cli.shared import report_interruption

        report_interruption()
        code = _INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has exited; without this, Python would print a second error at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _BROKEN_PIPE
    except (GraderError, OSError) as error:
        from grader.core.text import inert

        is_gone = isinstance(error, FileNotFoundError) and error.filename is None
        problem = "the working folder is not there any more: go to another, or make it anew" if is_gone else error
        click.echo(inert(str(problem) if isinstance(error, SpecError) else f"grader: {problem}"), err=True)
        if isinstance(error, CourseProgramError) and error.output:
            click.echo(error.output, err=True)
        code = getattr(error, "exit_code", HostError.exit_code)
    except Exception:  # noqa: BLE001 - Python would exit with 1, the code of somebody who lost points
        sys.excepthook(*sys.exc_info())
        code = HostError.exit_code
    else:
        leave(code)
    sys.exit(code)


def _open_missing_streams() -> None:
    """Open `/dev/null` for each standard stream that is closed (`2>&-`), or the next file would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, PTH123 - until this process ends


def run_as_program() -> None:
    """Entry point of the command `grader`: run `main`, and end this process."""
    main(_leave_at_once)


def _leave_at_once(code: int) -> None:
    """End the process after its exit handlers, without freeing each object.

    Freeing takes Python longer than most programs run, and the system frees all memory at once. While another thread
    has work to finish, this does nothing, and Python waits for the thread as usual.
    """
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        atexit._run_exitfuncs()  # noqa: SLF001 - Python calls it as its first step, too
        with suppress(OSError):
            _flush()
        os._exit(code)


def _flush() -> None:
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
