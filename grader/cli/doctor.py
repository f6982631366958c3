"""`grader doctor`: what this machine has."""

import click

from grader.cli import shared


@click.command()
@shared.format_option
def doctor(form: str) -> int:
    """Tell what this machine has of all that grading needs, what is missing, and how to get it.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A language that is missing is told, and
    is no failure.
    """
    from grader.doctor import examine, is_fit, to_json, to_text

    findings = examine()
    click.echo(to_json(findings) if form == "json" else to_text(findings))
    return 0 if is_fit(findings) else shared.UNGRADED
