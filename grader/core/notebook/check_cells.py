"""Compiles the cells of a notebook, in the sandbox: standard library only. Nothing of them is run.

Standard input has a list of names and sources in JSON. Each source that is no Python is a line of the answer.
"""

import json
import sys
import warnings


def check_cells() -> None:
    """Write the name of each source that cannot be compiled, with the line, the error and the text of that line."""
    warnings.simplefilter("ignore")
    for name, source in json.load(sys.stdin):
        try:
            compile(source, name, "exec", 0x2000, dont_inherit=True)  # `await` may stand outside functions
        except SyntaxError as error:
            broken = [name, error.lineno or 1, f"{type(error).__name__}: {error.msg}", (error.text or "").strip()]
        except (ValueError, MemoryError, RecursionError, OverflowError) as error:
            broken = [name, 1, f"{type(error).__name__}: {error}", ""]
        else:
            continue
        sys.stdout.write(f"{json.dumps(broken)}\n")


if __name__ == "__main__":
    check_cells()
