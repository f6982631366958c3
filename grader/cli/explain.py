"""`grader explain`: one student's grade with everything behind it."""

from pathlib import Path

import click

from grader.cli import shared

hidden_option = click.option("--hidden", is_flag=True, help="Tell also what students may not see of hidden tests.")


@click.command()
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.argument("name", metavar="NAME")
@hidden_option
@shared.format_option
def explain(results: Path, name: str, hidden: bool, form: str) -> int:
    """Explain one grade: its points with their arithmetic, what it was made from, and the commands to repeat it.

    RESULTS is a folder that `grader class` or `grader run` wrote, or a grades.db. NAME is a student's id, name, login
    or e-mail address, a team, or the name of a submission.
    """
    from grader.classroom.people import find_grade
    from grader.classroom.results import open_results
    from grader.classroom.store import STORE_NAME, read_keys
    from grader.gradebook.explanation import explain_grade, explanation_to_json

    with open_results(results) as opened:
        book, folder = opened.book, opened.path
    grade = find_grade(book, name)
    key = read_keys(folder).get(grade.entry.id)
    explanation = explain_grade(
        grade,
        book,
        folder,
        reference=key.reference if key else "",
        handed_in=(folder / STORE_NAME).is_file(),
        hidden=hidden,
    )
    if form == "json":
        click.echo(explanation_to_json(explanation), nl=False)
        return shared.PASSED
    from grader.gradebook.terminal import command_lines, lay_out_explanation

    console = shared.console()
    console.print(lay_out_explanation(explanation))
    for line in command_lines(explanation):
        console.print(line, soft_wrap=True)
    return shared.PASSED
