"""`grader packages`: install the packages for Python that specs require."""

from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import flag, option


class _Options(NamedTuple):
    """What is installed, and from where."""

    specs: tuple[str, ...] = shared.argument("SPEC...", nargs=-1, required=True, type=click.Path())
    wheels: Path | None = option(
        "FOLDER",
        "Take all packages from the wheels in this folder, without a network.",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
    )
    builds: bool = flag("Also build packages that come as source: their code runs on this machine.", "--build")
    fresh: bool = flag("Install anew what is installed, for newer versions.")
    form: str = shared.format_option


@shared.command(_Options)
def packages(options: _Options) -> None:
    """Install the packages that specs require, once on a machine, for all submissions.

    They lie below the user's cache folder; root keeps them in /var/cache/grader, where every user finds them. Grading
    only reads them, and never installs any.
    """
    from grader.author.packages import PackageSource, install_packages, installed_to_json, installed_to_text

    source = PackageSource(wheels=options.wheels, builds=options.builds, fresh=options.fresh)
    for path in [shared.spec_file(name) for name in options.specs]:
        spec, installed = install_packages(path, source)
        click.echo((installed_to_json if options.form == "json" else installed_to_text)(spec, installed))
