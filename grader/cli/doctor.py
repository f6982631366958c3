"""`grader doctor`: what this machine has."""

import click

from grader.cli import shared


@click.command()
@click.argument("languages", metavar="[LANGUAGE]...", type=shared.Language(), nargs=-1)
@shared.format_option
def doctor(languages: tuple[str, ...], form: str) -> int:
    """Show what this machine has for grading, what is missing, and how to install it.

    Every language is tried, or each LANGUAGE alone.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A missing language is listed, and
    is no failure.
    """
    from grader.doctor import diagnose, is_fit, requirements_to_json, requirements_to_text

    found = diagnose(languages)
    click.echo(requirements_to_json(found) if form == "json" else requirements_to_text(found))
    return 0 if is_fit(found) else shared.UNGRADED
