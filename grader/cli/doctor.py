"""`grader doctor`: what this machine has."""

from typing import NamedTuple

import click

from grader.cli import shared


class _Options(NamedTuple):
    """What is looked for."""

    languages: tuple[str, ...] = shared.argument("[LANGUAGE]...", type=shared.LANGUAGE, nargs=-1)
    form: str = shared.format_option


@shared.command(_Options)
def doctor(options: _Options) -> int:
    """Show what this machine has for grading, what is missing, and how to install it.

    Every language is tried, or each LANGUAGE alone.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A missing language is listed, and
    is no failure.
    """
    from grader.doctor import diagnose, is_fit, requirements_to_json, requirements_to_text

    found = diagnose(options.languages)
    click.echo(requirements_to_json(found) if options.form == "json" else requirements_to_text(found))
    return shared.PASSED if is_fit(found) else shared.UNGRADED
