"""`grader packages`: install the packages for Python that specs require."""

from pathlib import Path

import click

from grader.cli import shared


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path())
@click.option(
    "--wheels",
    metavar="FOLDER",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take all packages from the wheels in this folder, without a network.",
)
@click.option(
    "--build", "builds", is_flag=True, help="Also build packages that come as source: their code runs on this machine."
)
@click.option("--fresh", is_flag=True, help="Install anew what is installed, for newer versions.")
@shared.format_option
def packages(specs: tuple[str, ...], wheels: Path | None, builds: bool, fresh: bool, form: str) -> None:
    """Install the packages that specs require, once on a machine, for all submissions.

    They lie below the user's cache folder; root keeps them in /var/cache/grader, where every user finds them. Grading
    only reads them, and never installs any.
    """
    from grader.author.packages import PackageSource, install_packages, installed_to_json, installed_to_text

    for path in [shared.spec_file(name) for name in specs]:
        spec, installed = install_packages(path, PackageSource(wheels=wheels, builds=builds, fresh=fresh))
        click.echo((installed_to_json if form == "json" else installed_to_text)(spec, installed))
