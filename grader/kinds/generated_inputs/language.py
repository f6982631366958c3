"""Generated inputs in a spec."""

from grader.kinds.generated_inputs.reader import read_variable, write_out

__all__ = ["read_variable", "write_out"]
