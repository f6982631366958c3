"""What a machine needs: `grader packages` installs the packages that specs require, `grader doctor` looks."""

from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option


class PackagesCommand(NamedTuple):
    """Install the packages that specs require, once on a machine, for all submissions.

    They lie below the user's cache folder; root keeps them in /var/cache/grader, where every user finds them. Grading
    only reads them, and never installs any.
    """

    specs: tuple[str, ...] = shared.argument("SPEC...", type=click.Path())
    wheels: Path | None = option(
        "FOLDER",
        "Take all packages from the wheels in this folder, without a network.",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
    )
    builds: bool = flag("Also build packages that come as source: their code runs on this machine.", "--build")
    fresh: bool = flag("Install anew what is installed, for newer versions.")
    form: str = shared.format_option

    def _run(self) -> None:
        packages = lazy.packages
        source = packages.PackageSource(wheels=self.wheels, builds=self.builds, fresh=self.fresh)
        describe = packages.installed_to_json if self.form == "json" else packages.installed_to_text
        for path in [*map(shared.find_spec, self.specs)]:
            click.echo(describe(*packages.install_packages(path, source)))


class DoctorCommand(NamedTuple):
    """Show what this machine has for grading, what is missing, and how to install it.

    Every language is tried, or each LANGUAGE alone.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A missing language is listed, and
    is no failure.
    """

    languages: tuple[str, ...] = shared.argument("[LANGUAGE]...", type=shared.LANGUAGE)
    form: str = shared.format_option

    def _run(self) -> int:
        doctor = lazy.doctor
        requirements = doctor.diagnose(self.languages)
        click.echo((doctor.requirements_to_json if self.form == "json" else doctor.requirements_to_text)(requirements))
        return shared.PASSED if doctor.is_fit(requirements) else shared.UNGRADED
