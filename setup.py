"""Compile the sandbox's starter, a program and a library, if there is a compiler: into the wheel, or beside its source.

`pyproject.toml` has all else.
"""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

STARTER = runpy.run_path("grader/core/sandbox/compile_starter.py")


class BuildWithStarter(build_py):
    """Copy the package, and put the compiled starter beside its source: here for an editable install."""

    def run(self) -> None:
        """Copy and compile."""
        super().run()
        source = STARTER["STARTER_SOURCE"].read_bytes()
        folder = Path("" if self.editable_mode else self.build_lib, "grader/core/sandbox")
        for outdated in folder.glob("starter-*"):
            outdated.unlink()
        forms = [STARTER["COMPILER_OPTIONS"], STARTER["LIBRARY_OPTIONS"]]
        made = [STARTER["compile_starter"](source, options) for options in forms]
        if all(made):  # the library serves nobody without the program
            for options, content in zip(forms, made, strict=True):
                (folder / STARTER["place_in_package"](source, options).name).write_bytes(content)


class WheelOfMachine(bdist_wheel):
    """A wheel for machines of this kind when the starter is in it, and for all others as well when it is not."""

    def get_tag(self) -> tuple[str, str, str]:
        """Return which Python, which ABI and which machine it is for."""
        python, abi, machine = super().get_tag()
        if list(Path(self.bdist_dir).rglob("starter-*")):
            machine = self.plat_name.replace("-", "_").replace(".", "_")
        return python, abi, machine


setup(cmdclass={"build_py": BuildWithStarter, "bdist_wheel": WheelOfMachine})
